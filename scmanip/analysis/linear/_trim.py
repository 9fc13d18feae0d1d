"""States and commands with which a plant moves evenly."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ...control import Controller, as_controller
from ...errors import InvalidInput, NumericalFailure, Problem, UnknownName, checked, expect, refuse
from ...guidance import ReferenceMotion
from ...plant import Plant
from ...spatial import Array
from ...system import State
from ._base_axes import base_axes
from ._chart import minimal_rates, tangents
from ._law_at import followed_by
from ._linearise import PlantPlace
from ._outputs import COMMAND, parts_of, state_units

EVEN = 1e-11  # of the largest rate there was, or of 1: what is left of rates
ROUNDS = 50


class Trim(NamedTuple):
    """What makes speeds, and states of actuators and loads, constant: in axes of the base as it is and SI.

    command : (k,) as long as the mode's longest, beside what a law says
    rates : what is left of the rates, by names of states

    >>> still = trim(plant, state, [0.1, 0.0, 0.0, 0.0])
    >>> bool(abs(still.command).max() < 1e-9), max(map(abs, still.rates.values())) < 1e-9
    (True, True)
    """

    state: State
    command: Array
    rates: dict[str, float]


@checked
def trim(
    plant: Plant,
    state: State,
    command: ArrayLike,
    *,
    vary: Sequence[str] = (COMMAND,),
    controller: Controller | None = None,
    reference: ReferenceMotion | None = None,
    t: float = 0.0,
) -> Trim:
    """Return the state and command near those given with which a plant moves evenly: rest, and spins, whose speeds are constant
    in axes of the base.

    By Gauss and Newton, with exact derivatives; of several answers to a step it is the smallest.

    vary : what may change, of "command", "r_0", "attitude", "q", "v_0", "omega_0", "qdot", "actuators"; all else stays as it
        is, but for what the law remembers
    command : (N,) or (6 + N,), in SI, as the mode takes it; with a controller what is added to what the law says
    plant, state, controller, reference, t : as of `linearise`; without a reference joints are held as in `state`

    Raises `NumericalFailure` with what is left where there is none nearby, `InvalidInput` for a plant under constraints, else
    as `linearise`.

    >>> still = trim(plant, state, [0.1, 0.0, 0.0, 0.0])  # at rest without command
    >>> bool(abs(still.command).max() < 1e-9), np.array_equal(still.state.q, state.q)
    (True, True)
    """
    _refuse_wrong(plant, vary)
    law = None if controller is None else as_controller(controller, plant.mode).begun(state)
    if law is not None:
        reference = followed_by(law, reference, state, plant)
    found = _Residual(PlantPlace.of(plant, state, command, law, reference, t), vary)
    for _ in range(ROUNDS):
        if found.is_even:
            return Trim(found.place.state, found.place.command, found.named)
        found = _Residual(found.better(law, reference), vary)
    worst = max(found.named.items(), key=lambda each: abs(each[1]))
    raise NumericalFailure(
        f"no even motion was found near the state by {', '.join(vary)}: {worst[0]} still changes by {worst[1]:.3g} per second"
    )


def _refuse_wrong(plant: Plant, vary: Sequence[str]) -> None:
    expect("plant", plant, Plant, "a Plant")
    expect("vary", vary, list | tuple, 'names in a sequence, such as ("command", "q")')
    known = [COMMAND, *parts_of(plant)]
    for name in vary:
        if str(name) not in known:
            raise UnknownName("part", str(name), "the plant", known)
    refuse([Problem("plant", "one without constraints", ", ".join(plant.holders)) if plant.holders else None], InvalidInput)


class _Residual:
    """What is not even at a place."""

    def __init__(self, place: PlantPlace, vary: Sequence[str]) -> None:
        self.place, layout = place, place.plant.layout
        motion, m = place.motion, len(place.motion.A)
        A, B, rates = motion.A + motion.B @ place.K, motion.B, minimal_rates(layout, place.state.x, motion.x_dot)
        if not layout.fixed:
            turned = base_axes(layout, place.state.x, motion.x_dot, place.command)
            A, B, rates = (np.linalg.solve(turned.W, each) for each in (A @ turned.W - turned.W_dot, B, rates))
            A = A @ np.linalg.inv(turned.W)
        self.rows = slice(layout.n_u, m)
        self.rates = rates[self.rows]
        vary = (*vary, *["law"] * bool(place.plant.memory))
        places = [k for name in vary if name != COMMAND for k in range(m)[parts_of(place.plant)[name]]]
        self.unit = np.eye(m)[:, places]
        columns = [A[self.rows] @ self.unit, *[B[self.rows]] * (COMMAND in vary)]
        self.J = np.hstack(columns)

    @property
    def named(self) -> dict[str, float]:
        """The rates by names of states."""
        return dict(zip([*state_units(self.place.plant)][self.rows], self.rates.tolist(), strict=True))

    @property
    def is_even(self) -> bool:
        """Whether nothing is left."""
        return bool(abs(self.rates).max(initial=0.0) <= EVEN * max(1.0, abs(self.J).max(initial=0.0)))

    def better(self, law: Controller | None, reference: ReferenceMotion | None) -> PlantPlace:
        """Return the place a step of Newton's method further."""
        place, step = self.place, -np.linalg.lstsq(self.J, self.rates, rcond=1e-12)[0]
        layout, k = place.plant.layout, self.unit.shape[1]
        x = place.state.x + tangents(layout, place.state.x) @ (self.unit @ step[:k])
        command = place.command + (step[k:] if len(step) > k else 0.0)
        return PlantPlace.of(place.plant, State.renormalised(x, layout), command, law, reference, place.t)
