"""What a run leaves behind while it advances."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from ...modes import GeneralizedForce
from ...spatial import Array
from ..events._outcome import Ending
from ._carried import Carried
from ._sample_and_hold import SampleAndHold

PACE_STEPS = 500


@dataclass
class Track:
    """Samples so far, in order of time, and how the run ended once it has.

    times, rows, forces : (k,) times, (k, n) vectors y and k forces, in pieces; forces that nobody asked for yet are None
    commands : what a law in Python said at samples whose forces nobody asked for yet, each in its place; empty for others
    last_t, last_y : the last accepted step
    hold : the commands of a sampled run
    happened : times [s] and names of events
    steps : number of accepted steps
    ends : times [s] at which steps ended, those of all but where several were taken at once that nobody noted
    shapes : (k, ...) those of all steps as `OdeRun.shapes`, if they are few and were kept; empty for others
    memories : what a controller with a memory knew in each of them
    good_t : when the state last obeyed the constraints that hold [s]
    given_up : whether machine code could not go on, and nobody else did
    arrived : whether what the run waited for has come
    ended_by : names of the events at which it ended
    carried : what its law takes along
    sets : times [s] from which on active sets of thrusters held, and their numbers
    left : whether machine code was left on the way; in_machine_code : whether all steps were taken in it
    marks : time [s] and number of some steps, the latest and at least one `PACE_STEPS` steps before it
    """

    last_t: float
    last_y: Array
    verdict: Ending
    hold: SampleAndHold | None = None
    times: list[Array] = field(default_factory=list)
    rows: list[Array] = field(default_factory=list)
    forces: list[GeneralizedForce | None] = field(default_factory=list)
    commands: list[Array | None] = field(default_factory=list)
    happened: list[tuple[float, str]] = field(default_factory=list)
    steps: int = 0
    ends: list[float] = field(default_factory=list)
    shapes: Array = field(default_factory=partial(np.empty, 0))
    memories: list[Any] = field(default_factory=list)
    good_t: float = -np.inf
    given_up: bool = False
    arrived: bool = False
    ended_by: tuple[str, ...] = ()
    carried: Carried | None = None
    sets: list[tuple[float, Array]] = field(default_factory=list)
    left: bool = False
    in_machine_code: bool = False
    marks: deque[tuple[float, int]] = field(default_factory=deque)

    def __post_init__(self) -> None:
        self.good_t = max(self.good_t, self.ends[0] if self.ends else self.last_t)
        self.marks = self.marks or deque([(self.last_t, 0)])

    def accept(self, t: float, y: Array, steps: int = 1, ends: Sequence[float] = ()) -> None:
        """Make `y` at `t` the end of so many more accepted steps, all of whose ends may be known [s]."""
        self.last_t, self.last_y, self.steps = t, y, self.steps + steps
        self.ends.extend(ends or (t,))
        self.marks.append((t, self.steps))
        while len(self.marks) > 1 and self.steps - self.marks[1][1] >= PACE_STEPS:
            self.marks.popleft()

    def move(self, t: float, y: Array) -> None:
        """Make `y` at `t`, in the latest step, its end."""
        self.last_t, self.last_y, self.ends[-1], self.marks[-1] = t, y, t, (t, self.steps)

    @property
    def pace(self) -> float:
        """Mean size [s] of the latest steps; infinite before there are enough of them to tell."""
        (first, before), (last, now) = self.marks[0], self.marks[-1]
        return (last - first) / (now - before) if now - before >= PACE_STEPS else float("inf")

    @property
    def sampled_to(self) -> float:
        """Time [s] of the latest sample."""
        return float(next(times[-1] for times in reversed(self.times) if len(times)))

    def add(self, t: float, y: Array, force: GeneralizedForce | None) -> None:
        """Append one sample."""
        self.extend(np.array([t]), y[np.newaxis], force)

    def in_one_piece(self) -> None:
        """Let go of the pieces of its samples."""
        self.times, self.rows = [np.concatenate(self.times)], [np.concatenate(self.rows)]

    def extend(self, t: Array, y: Array, *forces: GeneralizedForce | None) -> None:
        """Append samples (k,), (k, n), with all their forces or none."""
        self.times.append(t)
        self.rows.append(y)
        self.forces += forces or [None] * len(t)
