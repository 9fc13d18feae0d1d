"""What the integrators are asked: numbers and arrays, checked at the door."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import isfinite
from numbers import Integral, Real
from typing import Any, NamedTuple

import numpy as np

from ...errors import Problem, refuse
from ..kernel._arguments import FLOAT64, Arguments, Array, Slot
from ._ode_module import METHODS
from ._ode_rate import STATE, OdeProgram

FINEST = 100 * float(np.finfo(float).eps)  # a finer relative tolerance asks for more than doubles hold


class OdeTask(NamedTuple):
    """An integration with controlled steps.

    arguments : y_0 and the parameters
    first_step : 0 lets the integrator choose
    atol : (n,)
    samples : (k,) in the direction from t_0 to t_1
    even : whether the last steps before a stop are equal
    """

    arguments: Arguments
    t_0: float
    t_1: float
    rtol: float
    atol: Array
    first_step: float
    max_step: float
    max_steps: int
    samples: Array
    even: bool = False


@dataclass(frozen=True, eq=False)
class FixedTask:
    """An integration with steps of one length: `samples` times `every` of them, of one or many cases."""

    arguments: Arguments
    t_0: float
    dt: float
    samples: int
    every: int
    method: str


def ode_slots(ode: OdeProgram) -> tuple[Slot, ...]:
    """Return the arrays that every integration is given."""
    return (Slot(f"{STATE}_0", (ode.n,), False), *(Slot(item.name, item.shape, False) for item in ode.parameters))


def task(
    arguments: Arguments,
    t_0: Any,
    t_1: Any,
    *,
    rtol: Any,
    atol: Any,
    first_step: Any,
    max_step: Any,
    max_steps: Any,
    samples: Any,
) -> OdeTask:
    """Return a checked task; raises `InvalidInput` with all that is wrong."""
    refuse(
        [
            _number("t_0", t_0, "a finite number", isfinite),
            _number("t_1", t_1, "a finite number", isfinite),
            _number("rtol", rtol, f"a number from {FINEST:.2g} to 1", lambda x: FINEST <= x <= 1.0),
            None if first_step is None else _number("first_step", first_step, "None or a finite number > 0", _positive),
            _number("max_step", max_step, "a number > 0", lambda x: x > 0),
            _count("max_steps", max_steps),
        ]
    )
    y_0 = arguments.ready[0]
    allowed, times = _tolerances(atol, y_0.size), _times(samples, t_0, t_1)
    if not (isfinite(y_0 @ y_0) or np.isfinite(y_0).all()):
        refuse([Problem("input 'y_0'", "finite numbers", str(y_0.tolist()))])
    first = 0.0 if first_step is None else float(first_step)
    return OdeTask(arguments, float(t_0), float(t_1), float(rtol), allowed, first, float(max_step), int(max_steps), times)


def fixed_task(arguments: Arguments, t_0: Any, dt: Any, steps: Any, every: Any, method: Any) -> FixedTask:
    """Return a checked task; raises `InvalidInput` with all that is wrong."""
    counts = [_count("steps", steps), _count("every", every)]
    if counts == [None, None] and steps % every:
        counts.append(Problem("every", f"a divisor of steps, {steps}", str(every), hint="so that the last state is kept"))
    known = method in METHODS if isinstance(method, str) else False
    refuse(
        [
            _number("t_0", t_0, "a finite number", isfinite),
            _number("dt", dt, "a finite number other than 0", lambda x: isfinite(x) and x != 0),
            *counts,
            None if known else Problem("method", f"one of {', '.join(METHODS)}", repr(method)),
        ]
    )
    return FixedTask(arguments, float(t_0), float(dt), steps // every, int(every), method)


def thread_count(threads: Any) -> int:
    """Return a checked number of threads."""
    refuse([_count("threads", threads)])
    return int(threads)


def _tolerances(atol: Any, n: int) -> Array:
    if isinstance(atol, np.ndarray) and atol.ndim:
        if atol.dtype != FLOAT64 or atol.shape != (n,):
            refuse([Problem("atol", f"a number or float64 array of shape ({n},)", f"{atol.dtype} array of shape {atol.shape}")])
        if not atol.min() >= 0:
            refuse([Problem("atol", "numbers >= 0, inf for what is left out", str(atol.tolist()))])
        return np.array(atol)
    refuse([_number("atol", atol, f"a number >= 0 or a float64 array of shape ({n},)", lambda x: x >= 0)])
    return np.full(n, float(atol))


def _times(samples: Any, t_0: float, t_1: float) -> Array:
    if samples is None:
        return np.empty(0)
    expected = f"float64 array of shape (k,), in order from {t_0!r} to {t_1!r}"
    if not isinstance(samples, np.ndarray) or samples.dtype != FLOAT64 or samples.ndim != 1:
        found = f"{samples.dtype} array of shape {samples.shape}" if isinstance(samples, np.ndarray) else type(samples).__name__
        refuse([Problem("samples", expected, found)])
    if samples.size and not _in_order(samples, t_0, t_1):
        refuse([Problem("samples", expected, str(samples.tolist()))])
    return np.ascontiguousarray(samples)


def _in_order(samples: Array, t_0: float, t_1: float) -> bool:
    """Whether samples go from `t_0` to `t_1`, whichever is earlier."""
    first, last, steps = samples[0], samples[-1], samples[1:] - samples[:-1]
    if t_1 >= t_0:
        return bool(t_0 <= first and last <= t_1 and (steps.size == 0 or steps.min() >= 0))
    return bool(t_0 >= first and last >= t_1 and (steps.size == 0 or steps.max() <= 0))


def _positive(x: float) -> bool:
    return isfinite(x) and x > 0


def _number(key: str, value: Any, expected: str, fits: Callable[[float], bool]) -> Problem | None:
    try:
        good = (type(value) is float or _is(Real, value)) and fits(float(value))
    except OverflowError:  # a whole number beyond all floats
        good = False
    return None if good else Problem(key, expected, repr(value))


def _count(key: str, value: Any) -> Problem | None:
    good = _is(Integral, value) and value > 0
    return None if good else Problem(key, "a whole number > 0", repr(value))


def _is(kind: type, value: Any) -> bool:
    """Whether `value` is a number of that kind; True and False are none."""
    return isinstance(value, kind) and not isinstance(value, bool)
