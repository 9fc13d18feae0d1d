"""What laws about one state of a plant have in common."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ...dynamics import Model
from ...errors import InvalidInput, Problem, UnknownName, expect, refuse
from ...guidance import JointReference, Sample
from ...modes import ManoeuvreMode
from ...plant import Plant, command_units, coordinate_units, own_units, speed_units
from ...spatial import Array
from ...system import Layout, State, coordinate_difference, state_problems
from .._attitude_error import attitude_error
from .._controller import Controller
from .._estimate import refuse_other_flight, sample
from .._seen_from import seen_from


@dataclass(frozen=True, eq=False, init=False, repr=False)
class AboutState(Controller):
    """A law of what the state is off a state, z, and of the joints off a reference, in the names of `analysis.linearise`.

    state : None until a run begins
    about : (N,) or (6 + N,) the command there
    """

    plant: Plant
    state: State | None
    about: Array
    follows = (JointReference,)

    def __init__(self, plant: Plant, state: State | None, command: ArrayLike) -> None:
        expect("plant", plant, Plant, "a Plant")
        vars(self).update(plant=plant, state=None if state is None else self._there(plant, state))
        vars(self).update(about=plant.whole_command(command))

    @staticmethod
    def _there(plant: Plant, state: State) -> State:
        state = plant.at_rest(state)
        refuse(state_problems(state, plant.layout))
        return state.of_hardware

    @property
    def at(self) -> State:
        """The state about which it acts; raises `InvalidInput` before a run begins where none was said."""
        if self.state is None:
            raise InvalidInput(Problem("state", f"one about which {self.kind} acts", "None", hint="law.begun(state) has one"))
        return self.state

    def begun(self, state: State) -> Controller:
        """Return the law about the state in which a run begins, where none was said."""
        if self.state is not None:
            return self
        made = copy(self)
        vars(made).update(state=self._there(self.plant, state))
        return made

    @cached_property
    def names(self) -> Mapping[str, list[str]]:
        """What entries of z and of a command are called: "states" and "inputs"."""
        layout, units = self.plant.model.layout, [freedom.unit for freedom in self.plant.model.system.freedoms]
        states = coordinate_units(layout, units) | speed_units(layout, units) | own_units(layout)
        return {"states": [*states], "inputs": [*command_units(layout, self.plant.mode, units)]}

    def places(self, key: str, names: Any) -> list[int]:
        """Return the places of names; raises `UnknownName`, and `InvalidInput` for names that come twice."""
        known = self.names[key]
        expect(key, names, list | tuple, "names in a sequence, such as those of a linear system")
        for name in names:
            if not isinstance(name, str) or name not in known:
                raise UnknownName(key.removesuffix("s"), str(name), "the plant", known)
        if len(set(names)) < len(names):
            raise InvalidInput(Problem(key, "names that are all different", str(list(names))))
        return [known.index(name) for name in names]

    def off(self, t: float, state: State, reference: Sample | None) -> Array:
        """Return z (m,) of a state, with joints off those of a reference."""
        at = self.at
        still = JointReference(at.q, at.qdot, 0 * at.qdot)
        wanted = still if reference is None else sample(type(self).__name__, t, reference)
        return off(self.plant.model.layout, state.hardware, at.x, wanted)

    @property
    def made_for(self) -> ManoeuvreMode:
        return self.plant.mode

    def check(self, model: Model, mode: ManoeuvreMode) -> None:
        """Raise `ModeMismatch` for another mode, other joints or other actuators than the plant's."""
        refuse_other_flight(type(self).__name__, self.plant.model, self.plant.mode, self.plant.mode.equipped(model), mode)


def off(layout: Layout, x: Array, at: Array, wanted: JointReference) -> Array:
    """Return what a packed state x is off another one and what is wanted of the joints (m,), over any scalar."""
    q, u, u_at = x[layout.x_q], x[layout.x_u], at[layout.x_u]
    wanted = seen_from(layout, q, u[layout.joints], wanted)
    base = (
        []
        if layout.fixed
        else [x[layout.x_r_0] - at[layout.x_r_0], -attitude_error(at[layout.x_attitude], x[layout.x_attitude])]
    )
    speeds = u[layout.base] - u_at[layout.base]
    own = x[layout.x_actuators] - at[layout.x_actuators]
    return np.concatenate([*base, -coordinate_difference(layout, wanted.q, q), speeds, u[layout.joints] - wanted.qdot, own])
