"""The loops of a law at every point of a grid."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ...control import Controller, as_controller
from ...errors import Problem, expect, refuse
from ...guidance import ReferenceMotion, numbers_at
from ...plant import Plant, command_units
from ...spatial import Array
from ...system import State
from ._grid import PointGrid
from ._law_at import LawAt, followed_by
from ._linearise import commanded, ready, sampling
from ._loops import Loops, loops_of
from ._momenta import refuse_momenta


@dataclass(frozen=True, eq=False)
class Sweep:
    """Loops over a grid, each opened where its command goes into the plant; arguments are those of `margins`.

    plant, state : the first of all; law : at that state; given : (k,) the command beside it
    rate_Hz : None of loops in continuous time
    """

    plant: Plant
    state: State
    law: LawAt
    controller: Controller
    grid: PointGrid
    given: Array
    reference: ReferenceMotion | None
    momenta: str
    t: float
    rate_Hz: float | None
    delay_s: float

    @classmethod
    def of(
        cls,
        plant: Plant,
        state: State,
        controller: Any,
        grid: Mapping[str, ArrayLike] | None,
        command: ArrayLike | None,
        reference: ReferenceMotion | None,
        momenta: str,
        t: float,
        delay_s: float,
    ) -> Sweep:
        """Return them, checked; raises as `margins`."""
        expect("plant", plant, Plant, "a Plant")
        law, points = as_controller(controller, plant.mode), PointGrid.of(plant, state, grid)
        known, (plant, state) = state, ready(plant, state, t)
        refuse(_problems(plant))
        rate_Hz = sampling(law, reference, None, delay_s)
        given = plant.whole_command(np.zeros(plant.layout.N) if command is None else command, t)
        refuse_momenta(plant, state, momenta)
        at = LawAt.of(plant, law, reference, state, t, known.actuators)
        if at.plant.memory:
            plant, state = at.plant, State.of_unit(at.given["x"], at.plant.layout)
        return cls(plant, state, at, law, points, given, reference, momenta, t, rate_Hz, delay_s)

    @cached_property
    def mask(self) -> Array:
        """(k,) 1 for what is commanded, 0 for the others."""
        return commanded(self.plant)

    @property
    def loops(self) -> tuple[str, ...]:
        """Names of the commands."""
        units = [freedom.unit for freedom in self.plant.model.system.freedoms]
        names = [*command_units(self.plant.layout, self.plant.mode, units)]
        return tuple(names[k] for k in np.flatnonzero(self.mask))

    def over(self, of: Callable[[Loops], tuple[Array, ...]], threads: Any = 1) -> list[Array]:
        """Return arrays (*grid, ...) of what is made of loops, (n, ...) each, block by block and `threads` at once."""
        if not (isinstance(threads, int) and threads > 0):
            refuse([Problem("threads", "a whole number from 1", repr(threads))])
        blocks = self.grid.blocks(self.state)
        first = of(self._loops(*next(blocks)))  # records what the others need
        with ThreadPoolExecutor(threads) as pool:
            found = [first, *pool.map(lambda rows: of(self._loops(*rows)), blocks)]
        parts = [np.concatenate(part) for part in zip(*found, strict=True)]
        return [part.reshape((*self.grid.shape, *part.shape[1:])) for part in parts]

    def _loops(self, x: Array, own: dict[str, Array]) -> Loops:
        """Return the loops of states (n, n_x) with numbers (n,) of their own."""
        states = State.of_unit(x.copy(), self.plant.layout)
        if self.plant.memory:
            x[:, self.plant.x_law] = self.law.begins(states)
        if self.reference is None:
            own = {**own, "reference": self._held(states)}
        loops = loops_of(self.law, self.given, x, own, self.mask, self.t, self.momenta == "remove")
        used = np.flatnonzero(self.mask)
        loops = loops.among(used)
        return loops if self.rate_Hz is None else loops.sampled(self.rate_Hz, self.delay_s)

    def _held(self, states: State) -> Array:
        """Return the numbers (n, k) of the references that hold the joints where they are."""
        rows = []
        for k in range(len(states)):
            rows.append(numbers_at(followed_by(self.controller, None, states[k], self.plant), self.t))
        return np.array(rows)


def _problems(plant: Plant) -> list[Problem]:
    problems = []
    if plant.holders:
        problems.append(Problem("plant", "one without constraints", ", ".join(plant.holders)))
    if plant.burns:
        problems.append(Problem("plant", "one without thrusters that push", repr(plant.mode)))
    return problems
