"""By which active sets thrusters push in a run in machine code, and where one set gives way to another."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from ...actuators import Pushers
from ...compiled import CompiledProgram
from ...spatial import Array

TOLERANCE = 1e-10  # of the largest forces, by which a wrench may be beyond a set
PLACES, ROUNDS = 16, 6  # at which a step is looked at; again and again between two of them


class ActiveSets:
    """The set that holds, which is kept as long as it is the optimum, and when others held.

    numbers : parameter of the run: how far beyond a set a step may end, and the set
    program : wrench wanted of the thrusters, and by how much it is beyond the set
    given : other parameters by name
    log : (t [s], numbers) of all sets so far, from when on each of them held
    """

    def __init__(self, pushers: Pushers, numbers: Array, program: CompiledProgram, given: Mapping[str, Array]) -> None:
        self._pushers, self._numbers, self._program, self._given = pushers, numbers, program, given
        self.log: list[tuple[float, Array]] = []
        self.stale = True

    def settled(self, t: float, y: Array) -> bool:
        """Let a set hold that is the optimum in state y (n,) at `t` [s]; return whether there is one."""
        if not self.stale:
            return True
        self._numbers[0] = TOLERANCE
        wanted, beyond = self._at(np.array([t]), y[np.newaxis])
        if not self.log or not beyond[0] <= TOLERANCE:
            last = self._numbers[1:] if self.log else None
            found = self._pushers.active_set(wanted[0], last) if np.isfinite(wanted).all() else None
            if found is None or not self._pushers.by_set(found.packed, wanted[0])[1] <= TOLERANCE:
                return False
            self._numbers[1:] = found.packed
            self.log.append((t, self._numbers.copy()))
        self.stale = False
        return True

    def let_go(self) -> None:
        """Let the next step end wherever it will; then another set may hold."""
        self._numbers[0], self.stale = np.inf, True

    def corner(self, t_old: float, t: float, at: Callable[[Array], Array]) -> float:
        """Return the first time [s] found in a step at which the set is no longer the optimum; its end where it still is."""
        low, high = t_old, t
        for _ in range(ROUNDS):
            times = np.linspace(low, high, PLACES + 1)
            over = np.flatnonzero(~(self._at(times[1:], at(times[1:]))[1] <= TOLERANCE))
            if not over.size:
                return high
            low, high = float(times[over[0]]), float(times[over[0] + 1])
        return high

    def _at(self, t: Array, y: Array) -> tuple[Array, Array]:
        """Return wanted wrenches (k, 6), and by how much they are beyond the set (k,)."""
        known = {"t": t, "y": np.ascontiguousarray(y), **self._given}
        wanted, beyond = np.empty((len(t), 6)), np.empty(len(t))
        self._program.batch(*(known[item.name] for item in self._program.program.inputs), wanted, beyond)
        return wanted, beyond
