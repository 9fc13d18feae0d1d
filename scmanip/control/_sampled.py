"""A law in a computer: it looks now and then, and holds what it said."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InvalidInput, Problem, checked, expect, refuse
from ..modes import ManoeuvreMode
from ..spatial import Array, is_number
from ..system import State
from ._controller import Controller, Wrapper
from ._foreign import Law, controller_of

CLOSE = 1e-9  # of a period; times so close to a sample are that sample


class Sampled(Wrapper):
    """`law` evaluated at t = 0, 1 / rate_Hz, 2 / rate_Hz, ..., its command held in between.

    Its memory is what the last sample left behind. `simulate` integrates from sample to sample; between them only the plant
    moves, in machine code where it can, so that a law in Python costs one call per sample. A held input
    as of [Astrom1997].

    law : a `Controller`, an object with `command`, or a function (t, state) -> command
    rate_Hz : samples per second, > 0

    Raises `InvalidInput` for what is no law or is sampled itself, a rate that is not > 0, and one that is not that of laws
    inside which look by themselves.

    >>> sampled = Sampled(law, rate_Hz=10.0)
    >>> sampled.kind, sampled.looks_Hz
    ('Sampled(ComputedTorque)', 10.0)
    """

    rate_Hz: float

    def __init__(self, law: Controller | Law | Callable[[float, State], ArrayLike], *, rate_Hz: float) -> None:
        inner = controller_of(law)
        problems = [Problem("law", "a law that is not sampled itself", repr(law))] if _has_samples(inner) else []
        if not (is_number(rate_Hz) and rate_Hz > 0):
            problems.append(Problem("rate_Hz", "a finite number > 0", repr(rate_Hz)))
        elif not problems and (own := _rates(inner) - {None, rate_Hz}):
            problems.append(Problem("rate_Hz", f"that of the law, {own.pop():g}", repr(rate_Hz)))
        refuse(problems)
        self.law, self.rate_Hz = inner.stepped(float(rate_Hz)), float(rate_Hz)

    @property
    def looks_Hz(self) -> float:
        return self.rate_Hz

    @property
    def settings(self) -> Mapping[str, Any]:
        """Those of the law inside, and the rate."""
        return {**self.law.settings, "rate_Hz": self.rate_Hz}

    def sample_times(self, t_end_s: float) -> Array:
        """Return all sample times (n,) [s] before the end of a run."""
        times = np.arange(math.ceil(t_end_s * self.rate_Hz)) / self.rate_Hz
        return times[times < t_end_s - CLOSE / self.rate_Hz]

    def is_sample(self, t: float) -> bool:
        """Whether `t` [s] is a time of sampling, but for rounding."""
        periods = t * self.rate_Hz
        return abs(round(periods) - periods) < CLOSE

    def next_look(self, t: float) -> float:
        """Return the first time of sampling that is not before `t` [s], but for rounding."""
        return math.ceil(t * self.rate_Hz - CLOSE) / self.rate_Hz

    def __repr__(self) -> str:
        return f"Sampled({self.law!r}, rate_Hz={self.rate_Hz:g})"


def as_controller(law: Controller | Law | Callable[[float, State], ArrayLike], mode: ManoeuvreMode | None = None) -> Controller:
    """Return `law` as a `Controller`: itself, an object with `command`, or a function (t, state) -> command.

    mode : that in which it flies; raises `ModeMismatch` where it has none for that (`ModeDependent`)

    A law around one that is sampled looks as seldom as that does: it is sampled itself. Raises `InvalidInput` for laws that are
    sampled at different rates, or some of them not at all.

    >>> as_controller(lambda t, state: -state.qdot).kind, as_controller(law) is law
    ('<lambda>', True)
    """
    whole = controller_of(law)
    if mode is not None:
        expect("mode", mode, ManoeuvreMode, "a mode such as Floating(), or None")
        whole = whole.in_mode(mode)
    return _as_a_whole(whole)


@checked
def at_a_look(law: Controller, size: int) -> Controller:
    """Return a law of a command (size,) as it is each time it looks: of a sampled one that inside, with what it remembers from
    one sample to the next; any other as it is.

    >>> at_a_look(Sampled(law, rate_Hz=10.0), 4) is law, at_a_look(law, 4) is law
    (True, True)
    """
    return law.law.at_samples(law.rate_Hz, size) if isinstance(law, Sampled) else law


def _as_a_whole(law: Controller) -> Controller:
    rates = set[float | None]() if isinstance(law, Sampled) else _rates(law)
    if rates <= {None}:
        return law
    if len(rates) > 1:
        words = " and ".join("one that looks always" if rate is None else f"{rate:g} Hz" for rate in sorted(rates, key=str))
        hint = f"Sampled({type(law).__name__}(...), rate_Hz=...) samples all of it"
        raise InvalidInput(Problem("controller", "laws that look at the same times", words, hint=hint))
    return Sampled(_unsampled(law), rate_Hz=rates.pop() or 0.0)


def _rates(law: Controller) -> set[float | None]:
    """Return the rates at which the laws in a law look; None is always."""
    if law.looks_Hz is not None or not law.wraps:
        return {law.looks_Hz}
    return {rate for each in law.wraps for rate in _rates(each)}


def _has_samples(law: Controller) -> bool:
    return isinstance(law, Sampled) or any(map(_has_samples, law.wraps))


def _unsampled(law: Controller) -> Controller:
    if isinstance(law, Sampled):
        return law.law
    return law.around(tuple(map(_unsampled, law.wraps))) if law.wraps else law
