"""One of the runs of an ensemble, over a part of one of its steps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from ...compiled import CompiledProgram
from ...spatial import Array
from ..loop._active_sets import TOLERANCE
from ..loop._native import NODES
from ._ensemble_setup import NOTHING_MORE, EnsembleSetup

PLACES, ROUNDS = 64, 3  # at which a step is looked at that ends beyond a set; again and again between two of them


@dataclass(frozen=True, eq=False)
class OneRun:
    """A run on a leg.

    own : its parameters, each (1, ...); program : wanted wrench of thrusters, and by how much it is beyond their set
    """

    setup: EnsembleSetup
    own: Mapping[str, Array]
    program: CompiledProgram | None

    @classmethod
    def of(
        cls,
        setup: EnsembleSetup,
        case: int,
        leg: tuple[float, ...],
        more: Mapping[str, Array] = NOTHING_MORE,
        program: CompiledProgram | None = None,
    ) -> OneRun:
        """Return one of the runs."""
        given = setup.given(leg, more).items()
        own = {name: a[case : case + 1] if name in more or setup.differs(name, a) else a[np.newaxis] for name, a in given}
        return cls(setup, own, program)

    def given(self, name: str, value: Array) -> OneRun:
        """Return the run with another parameter."""
        return replace(self, own={**self.own, name: value[np.newaxis].copy()})

    def flown(self, t: float, y: Array, t_end: float, steps: int) -> tuple[Array, Array]:
        """Return y (steps, n_y) after each of so many steps to `t_end`, and their estimated errors (n_y,) added up."""
        loop, errors = self.setup.closed.loop, np.empty((1, len(y)))
        given, dt = [self.own[name] for name in loop.names], (t_end - t) / steps
        run = loop.ode.ensemble(t, y[np.newaxis], dt, steps, *given, method=self.setup.method, errors=errors)
        return run[0, 1:], errors[0]

    def inside(self, t: float, y: Array, t_end: float, times: Array) -> Array:
        """Return y (k, n_y) at times (k,) in one step from y (n_y,), by its dense output."""
        loop = self.setup.closed.loop
        given = [np.full(2, np.inf) if name == "bounds" else np.asarray(self.own[name][0]) for name in loop.names]
        step = loop.ode.solve(t, y, t_end, *given, rtol=1.0, atol=np.inf, first_step=t_end - t, max_steps=1, samples=times)
        return step.y

    def nodes(self, t: float, y: Array, t_end: float, end: Array) -> Array:
        """Return y (8, n_y) at the places of the polynomial that is the dense output of one step from y to `end` (n_y,)."""
        return np.array([y, *self.inside(t, y, t_end, t + (t_end - t) * NODES), end])

    def looked(self, t: Array, y: Array) -> tuple[Array, Array]:
        """Return wanted wrenches (k, 6), and by how much they are beyond the set (k,)."""
        assert self.program is not None
        given = {name: np.repeat(a, len(t), axis=0) for name, a in self.own.items()}
        given |= {"t": t, "y": np.ascontiguousarray(y)}
        wanted, beyond = np.empty((len(t), 6)), np.empty(len(t))
        self.program.batch(*(given[item.name] for item in self.program.program.inputs), wanted, beyond)
        return wanted, beyond

    def to_corner(self, t: float, y: Array, t_end: float) -> tuple[float, Array]:
        """Return the first time found in a step from y (n_y,) at which the set is no longer the optimum, and y there."""
        corner = self._corner(t, y, t_end)
        return corner, self.flown(t, y, corner, 1)[0][0]

    def _corner(self, t: float, y: Array, t_end: float) -> float:
        low, high = t, t_end
        for _ in range(ROUNDS):
            times = np.linspace(low, high, PLACES + 1)
            over = np.flatnonzero(~(self.looked(times[1:], self.inside(t, y, t_end, times[1:]))[1] <= TOLERANCE))
            if not over.size:
                return high
            low, high = float(times[over[0]]), float(times[over[0] + 1])
        return high
