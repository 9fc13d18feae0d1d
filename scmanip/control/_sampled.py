"""A law in a computer: it looks now and then, and holds what it said."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from copy import copy
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..dynamics import Model
from ..errors import InvalidInput, Problem
from ..guidance import Sample
from ..modes import ManoeuvreMode
from ..spatial import Array, is_number
from ..system import State
from ._controller import Controller
from ._foreign import Law, as_controller

CLOSE = 1e-9  # of a period; times so close to a sample are that sample


class Sampled(Controller):
    """`law` evaluated at t = 0, 1 / rate_Hz, 2 / rate_Hz, ..., its command held in between.

    Its memory is what the last sample left behind. `simulate` integrates from sample to sample; between them only the plant
    moves, in machine code where it can, so that a law in Python costs one call per sample.

    law : a `Controller`, an object with `command`, or a function (t, state) -> command
    rate_Hz : samples per second, > 0
    """

    law: Controller
    rate_Hz: float

    def __init__(self, law: Controller | Law | Callable[[float, State], ArrayLike], *, rate_Hz: float) -> None:
        inner = as_controller(law)
        problems = [Problem("law", "a law that is not sampled itself", repr(law))] if isinstance(inner, Sampled) else []
        if not (is_number(rate_Hz) and rate_Hz > 0):
            problems.append(Problem("rate_Hz", "a finite number > 0", repr(rate_Hz)))
        if problems:
            raise InvalidInput(problems)
        self.law, self.rate_Hz = inner, float(rate_Hz)

    @property
    def inside(self) -> Controller:
        """The law that is sampled."""
        return self.law

    @property
    def settings(self) -> Mapping[str, Any]:
        """Those of the law inside, and the rate."""
        return {**self.law.settings, "rate_Hz": self.rate_Hz}

    def begun(self, state: State) -> Controller:
        """Return it with the law inside as that begins in `state`."""
        law = self.law.begun(state)
        if law is self.law:
            return self
        made = copy(self)
        made.law = law
        return made

    def sample_times(self, t_end_s: float) -> Array:
        """Return all sample times (n,) [s] before the end of a run."""
        times = np.arange(math.ceil(t_end_s * self.rate_Hz)) / self.rate_Hz
        return times[times < t_end_s - CLOSE / self.rate_Hz]

    def is_sample(self, t: float) -> bool:
        """Whether `t` [s] is a time of sampling, but for rounding."""
        return abs(round(t * self.rate_Hz) - t * self.rate_Hz) < CLOSE

    def start(self, state: State) -> Any:
        """Return the memory of the law inside before the first sample."""
        return self.law.start(state)

    def command(self, t: float, state: State, reference: Sample | None, memory: Any) -> tuple[Array, Any]:
        """Return what a sample at `t` gives: the command of the law inside, and its next memory."""
        return self.law.command(t, state, reference, memory)

    def check(self, model: Model, mode: ManoeuvreMode) -> None:
        """Raise `ModeMismatch` where the law inside does."""
        self.law.check(model, mode)

    def __repr__(self) -> str:
        return f"Sampled({self.law!r}, rate_Hz={self.rate_Hz:g})"
