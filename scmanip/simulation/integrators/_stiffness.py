"""How fast the fastest motion of a loop is: explicit steps stay shorter than it, whatever the tolerances."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ...spatial import Array
from ._integrator import Rate
from ._jacobian import SIZE, jacobian

STABLE = 3.0  # steps in fastest times from which on they are taken to be short for stability, which DOP853 loses at about 6
LIMIT = 6.0
MANY = 50_000  # steps that a run may still take before anything is told
FIRST, LOOKS = 50, 2  # steps before the first look, after twice as many the next; looks at the derivatives of a loop at most
FINER = 0.1  # differences that tell a jump
DAMPED, OWN = 0.1, 0.5  # parts of the fastest rate: a real part, and what is as fast while the command is held


class Fastest(NamedTuple):
    """The eigenvalue [1/s] of a rate about a state that is farthest from 0, and its vector (n,)."""

    value: complex
    vector: Array

    @property
    def rate(self) -> float:
        """Its size [1/s]."""
        return abs(self.value)


class PaceLook:
    """When the derivatives of a loop are worth a look: where the rest of a run would take `MANY` steps like the latest.

    >>> look = PaceLook(0.0)
    >>> look.due(20, 1e-6, 60.0), look.due(50, 1e-5, 60.0), look.due(60, 1.1e-5, 60.0), look.due(100, 30.0, 60.0)
    (False, True, False, False)
    """

    def __init__(self, start_s: float) -> None:
        self._next, self._before, self._left = FIRST, (0, start_s), LOOKS

    def due(self, steps: int, t: float, t_end: float) -> bool:
        """Return whether one is due after so many steps, at `t` [s] of a run to `t_end` [s]."""
        if steps < self._next or not self._left:
            return False
        (before, since), self._before = self._before, (steps, t)
        self._next = 2 * steps
        many = (t_end - t) * (steps - before) > MANY * (t - since)
        self._left -= many
        return many

    def end(self) -> None:
        """Look no more."""
        self._left = 0


def stiffness_advice(rate: Rate, t: float, y: Array, step_s: float) -> str:
    """Return what to do about a loop whose latest steps are as short as stability asks for; nothing where they are shorter.

    rate : of y (n,) at `t` [s]; step_s : mean size of the latest steps, infinite where it is not known
    """
    fastest = fastest_motion(rate, t, y)
    fastest_s = 0.0 if fastest is None else 1.0 / fastest.rate
    if not fastest_s or not fastest_s <= STABLE * step_s < np.inf:
        return ""
    return (
        f"the loop is stiff: its fastest time is {fastest_s:.2g} s, and explicit steps stay below a few of these; "
        'take an implicit integrator, integrator = "radau" or Radau(), let the law look at samples, or lower the gains'
    )


def stiffness_told(fastest: Fastest, held: Fastest | None, names: Sequence[str], left_s: float, method: str) -> str:
    """Return a sentence about a loop of whose rest of `left_s` [s] there would be more than `MANY` steps; nothing of others.

    held : of the plant alone, under a command that is held; names : of the first entries of `vector`, joint coordinates
    """
    steps, value = left_s * fastest.rate / LIMIT, fastest.value
    if not steps > MANY or value.real > DAMPED * fastest.rate:  # what grows will end by itself
        return ""
    whose = f", of joint '{names[int(np.argmax(np.abs(fastest.vector[: len(names)])))]}'," if names else ""
    own = held is not None and held.rate >= OWN * fastest.rate
    source = "springs, dampers and loads of the plant itself" if own else "the gains of the law"
    many = f"{method} needs some {steps:.2g} steps for the {left_s:.3g} s that are left"
    cure = 'integrator = "radau" under [integration], or Radau()'
    if value.real < -DAMPED * fastest.rate:
        return f"its fastest motion{whose} dies away at {fastest.rate:.2g} 1/s by {source}, so that {many}; write {cure}"
    swings = f"its fastest motion{whose} swings at {fastest.rate:.2g} rad/s, hardly damped, by {source}, so that {many}"
    return f"{swings}; give it damping, and where it has died away take long steps: write {cure}"


def is_smooth(rate: Rate, t: float, y: Array, size: int, fastest: Fastest) -> bool:
    """Whether finer differences see the same fastest motion of `size` entries; those over a jump see one ten times as fast."""
    finer = fastest_motion(rate, t, y, size, SIZE * FINER)
    return finer is not None and abs(np.log(finer.rate / fastest.rate)) < np.log(1 / FINER) / 2


def fastest_motion(rate: Rate, t: float, y: Array, size: int | None = None, parts: float = SIZE) -> Fastest | None:
    """Return the fastest motion of the first `size` entries of y (n,), or of all; None where there is none.

    parts : sizes of differences, in parts of the state
    """
    found = jacobian(rate, t, y, parts)[:size, :size]
    if not found.size or not np.all(np.isfinite(found)):
        return None
    values, vectors = np.linalg.eig(found)
    largest = int(np.argmax(np.abs(values)))
    if not values[largest]:
        return None
    return Fastest(complex(values[largest]), vectors[:, largest])
