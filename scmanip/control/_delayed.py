"""A law whose commands arrive late."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InvalidInput, Problem
from ..guidance import Sample
from ..spatial import Array, is_number
from ..system import State
from ._controller import Controller, Wrapper
from ._delayed_by_samples import DelayedBySamples
from ._foreign import Law, controller_of

EARLY = 1e-9  # of the delay: by how much rounding may put a command before the first one


class Delayed(Wrapper):
    """`law` with each command given `delay_s` after it was found, and none before the first one is due.

    Between the commands that it remembers it gives those on the straight line. Where it is sampled and the delay is a number of
    periods, that is each command as it was. What a law that looks always says is remembered at the ends of the integrator's
    steps, which have to be short beside its changes. The line is a rule of our own.

    law : a `Controller`, an object with `command`, or a function (t, state) -> command
    delay_s : > 0 [s]

    Raises `InvalidInput` for a delay that is not > 0, and what is no law.

    >>> late = Delayed(Sampled(law, rate_Hz=10.0), delay_s=0.1)
    >>> tau, _ = late.command(0.0, state, reference.at(0.0), late.start(state))
    >>> tau.tolist()
    [0.0, 0.0, 0.0, 0.0]
    """

    asks_as_asked: ClassVar[bool] = True
    delay_s: float

    def __init__(self, law: Controller | Law | Callable[[float, State], ArrayLike], *, delay_s: float) -> None:
        if not (is_number(delay_s) and delay_s > 0):
            raise InvalidInput(Problem("delay_s", "a finite number > 0", repr(delay_s)))
        self.law, self.delay_s = controller_of(law), float(delay_s)

    @property
    def settings(self) -> Mapping[str, Any]:
        """Those of the law inside, and the delay."""
        return {**self.law.settings, "delay_s": self.delay_s}

    def start(self, state: State) -> Any:
        """Return the memory of the law inside before the first command, and no times and commands."""
        return self.law.start(state), (), ()

    def command(self, t: float, state: State, reference: Sample | None, memory: Any) -> tuple[Array, Any]:
        """Return what the law inside said `delay_s` ago, and what it will have said."""
        inner, times, commands = memory
        found, inner = self.law.command(t, state, reference, inner)
        if times and times[-1] >= t:  # said at the end of a step, and again as the next one begins
            times, commands = times[:-1], commands[:-1]
        times, commands = (*times, t), (*commands, np.asarray(found))
        due = t - self.delay_s
        if due < times[0] - EARLY * self.delay_s:
            return np.zeros_like(commands[0]), (inner, times, commands)
        last = int(np.searchsorted(times, due, side="right")) - 1
        first = min(max(last, 0), len(times) - 2)
        part = min(max((due - times[first]) / (times[first + 1] - times[first]), 0.0), 1.0)
        given = (1 - part) * commands[first] + part * commands[first + 1]
        return given, (inner, times[first:], commands[first:])

    def unwound(self, t: float, state: State, reference: Sample | None, memory: Any, after: Any, missing: Array) -> Any:
        """Return what it remembers next, the law inside with what is cut now."""
        inner, *late = after
        return self.law.unwound(t, state, reference, memory[0], inner, missing), *late

    def at_samples(self, rate_Hz: float, size: int) -> Controller:
        """Return the law that remembers the commands of the delay, one a sample."""
        return DelayedBySamples(self.law.at_samples(rate_Hz, size), self.delay_s * rate_Hz, size)

    def __repr__(self) -> str:
        return f"Delayed({self.law!r}, delay_s={self.delay_s:g})"
