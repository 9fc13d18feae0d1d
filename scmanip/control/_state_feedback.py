"""State feedback on small changes about a state [Anderson1990]."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..dynamics import Model
from ..errors import InvalidInput, Problem, UnknownName, expect, refuse
from ..guidance import JointReference, Sample
from ..modes import ManoeuvreMode
from ..plant import Plant, command_units, coordinate_units, own_units, speed_units
from ..spatial import Array, array_problems
from ..system import Layout, State, coordinate_difference, state_problems
from ._attitude_error import attitude_error
from ._controller import Controller
from ._estimate import refuse_other_flight, sample
from ._recorded_law import RecordedLaw
from ._seen_from import seen_from


@dataclass(frozen=True, eq=False, init=False, repr=False)
class StateFeedback(Controller):
    """Command c = c_bar - K z, where z is what the state is off a state, as `analysis.linearise` has it [Anderson1990].

        z = [r_0 - r_0_bar; theta; q - q_D; v_0 - v_0_bar; omega_0 - omega_0_bar; qdot - qdot_D; those of actuators]

    theta is 2 sin(angle / 2) about the axis, in N, of the turn from the attitude of the state; q_D is that of the reference, of
    the state where there is none. So gains of `control.lqr` and `control.place` fly.

    plant : the plant that was linearised
    state, command : about which, (N,) or (6 + N,)
    gain : K, of which columns belong to `states` and rows to `inputs`
    states, inputs : their names, such as `linear.state_labels` and `linear.input_labels`, in axes of N; all others have none
    """

    plant: Plant
    state: State
    about: Array
    gain: Array

    def __init__(
        self, plant: Plant, state: State, command: ArrayLike, gain: ArrayLike, *, states: Sequence[str], inputs: Sequence[str]
    ) -> None:
        expect("plant", plant, Plant, "a Plant")
        model, mode = plant.model, plant.mode
        state = plant.at_rest(state)
        refuse(state_problems(state, plant.layout))
        units = [freedom.unit for freedom in model.system.freedoms]
        layout, names = model.layout, [*command_units(model.layout, mode, units)]
        known = [*coordinate_units(layout, units), *speed_units(layout, units), *own_units(layout)]
        columns, rows = _places("states", states, known), _places("inputs", inputs, names)
        refuse(array_problems("gain", gain, (len(rows), len(columns))))
        whole = np.zeros((len(names), len(known)))
        whole[np.ix_(np.array(rows, dtype=int), np.array(columns, dtype=int))] = gain
        vars(self).update(plant=plant, state=state.of_hardware, about=plant.whole_command(command), gain=whole)

    def command(self, t: float, state: State, reference: Sample | None, memory: Any) -> tuple[Array, Any]:
        """Return the command, and the memory unchanged."""
        wanted = self._still if reference is None else sample("StateFeedback", t, reference)
        layout = self.plant.model.layout
        return self.about - self.gain @ off(layout, state.hardware, self.state.x, wanted), memory

    @property
    def _still(self) -> JointReference:
        return JointReference(self.state.q, self.state.qdot, 0 * self.state.qdot)

    @property
    def follows(self) -> tuple[type[JointReference], ...]:
        """Joints."""
        return (JointReference,)

    @property
    def made_for(self) -> ManoeuvreMode:
        """The plant's."""
        return self.plant.mode

    @property
    def settings(self) -> Mapping[str, Any]:
        """The gain, and the command about which it acts."""
        return {"gain": self.gain, "command": self.about}

    def check(self, model: Model, mode: ManoeuvreMode) -> None:
        """Raise `ModeMismatch` for another mode, other joints or other actuators than the plant's."""
        refuse_other_flight("StateFeedback", self.plant.model, self.plant.mode, self.plant.mode.equipped(model), mode)

    def recorded(self) -> RecordedLaw:
        """Return the law as equations."""
        return _Recorded(self)

    def __repr__(self) -> str:
        return f"StateFeedback({self.plant!r}, gain {self.gain.shape})"


@dataclass(frozen=True, eq=False)
class _Recorded(RecordedLaw):
    law: StateFeedback

    @property
    def key(self) -> Hashable:
        return "state feedback", self.law.plant.model.layout, self.law.gain.shape

    @property
    def numbers(self) -> Mapping[str, Array]:
        return {"gain": self.law.gain, "about": self.law.about, "state": self.law.state.x}

    def force(self, x: Array, wanted: JointReference, numbers: Mapping[str, Array]) -> Array:
        z = off(self.law.plant.model.layout, x, numbers["state"], wanted)
        return numbers["about"] - numbers["gain"] @ z


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


def _places(key: str, names: Any, known: list[str]) -> list[int]:
    """Return the places of names; raises `UnknownName`, and `InvalidInput` for names that come twice."""
    expect(key, names, list | tuple, "names in a sequence, such as those of a linear system")
    for name in names:
        if not isinstance(name, str) or name not in known:
            raise UnknownName(key.removesuffix("s"), str(name), "the plant", known)
    if len(set(names)) < len(names):
        raise InvalidInput(Problem(key, "names that are all different", str(list(names))))
    return [known.index(name) for name in names]
