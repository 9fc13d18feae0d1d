"""What a run leaves behind while it advances."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from ..modes import GeneralizedForce
from ..spatial import Array
from ..system import State
from ._verdict import Verdict

PACE_STEPS = 500


@dataclass
class Track:
    """Samples so far, in order of time, and how the run ended once it has.

    t, states, forces, energies : one entry per sample; energies are the books: [work, dissipated] [J] and what stands behind
    last_t, last_y : the last accepted step
    steps : number of accepted steps
    ends : ends of the latest of them [s]
    """

    last_t: float
    last_y: Array
    verdict: Verdict
    t: list[float] = field(default_factory=list)
    states: list[State] = field(default_factory=list)
    forces: list[GeneralizedForce] = field(default_factory=list)
    energies: list[Array] = field(default_factory=list)
    steps: int = 0
    ends: deque[float] = field(default_factory=lambda: deque(maxlen=PACE_STEPS))

    def accept(self, t: float, y: Array) -> None:
        """Make `y` at `t` the last accepted step."""
        self.last_t, self.last_y, self.steps = t, y, self.steps + 1
        self.ends.append(t)

    @property
    def pace(self) -> float:
        """Mean size [s] of the latest steps; infinite before there are enough of them to tell."""
        return (self.ends[-1] - self.ends[0]) / (PACE_STEPS - 1) if len(self.ends) == PACE_STEPS else float("inf")

    def add(self, t: float, state: State, force: GeneralizedForce, energies: Array) -> None:
        """Append one sample."""
        self.t.append(t)
        self.states.append(state)
        self.forces.append(force)
        self.energies.append(energies)
