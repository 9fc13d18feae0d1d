"""The functions of a metric's expression."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import reduce

import numpy as np

from ...channels import in_degrees, in_radians, integral_of
from ._terms import Term


def _same(unit: str | None) -> str | None:
    return unit


def _unknown(unit: str | None) -> str | None:
    return None


@dataclass(frozen=True)
class MetricFunction:
    """A function: how it is written, what it gives, and the unit of that from the unit of its first argument.

    constant : which argument is a number, not a series
    angle : which unit the argument must have, as a pattern for messages
    """

    arguments: str
    of: Callable[..., Term]
    unit: Callable[[str | None], str | None] = _same
    counts: Collection[int] = (1,)
    constant: int | None = None
    angle: str = ""


def _largest(*terms: Term) -> Term:
    return terms[0].largest() if len(terms) == 1 else reduce(lambda a, b: a.joined(b, np.maximum), terms)


def _smallest(*terms: Term) -> Term:
    if len(terms) == 1:
        return terms[0].each(np.negative).largest().each(np.negative)
    return reduce(lambda a, b: a.joined(b, np.minimum), terms)


def _sum(data: np.ndarray) -> np.ndarray:
    return np.sum(data, axis=-1)


def _norm(data: np.ndarray) -> np.ndarray:
    return np.sqrt(np.sum(data * data, axis=-1))


FUNCTIONS = {
    "max": MetricFunction("x) or max(x, y, ...", _largest, counts=range(1, 100)),
    "min": MetricFunction("x) or min(x, y, ...", _smallest, counts=range(1, 100)),
    "final": MetricFunction("x", lambda x: x.along_time(lambda data: data[..., -1])),
    "initial": MetricFunction("x", lambda x: x.along_time(lambda data: data[..., 0])),
    "at": MetricFunction("x, t_s", lambda x, t_s: x.at(float(t_s.data[0])), counts=(2,), constant=1),
    "mean": MetricFunction("x", lambda x: x.mean()),
    "rms": MetricFunction("x", lambda x: x.each(np.square).mean().each(np.sqrt)),
    "integral": MetricFunction("x", lambda x: x.integral(), integral_of),
    "norm": MetricFunction("x", lambda x: x.over_components(_norm)),
    "sum": MetricFunction("x", lambda x: x.over_components(_sum)),
    "abs": MetricFunction("x", lambda x: x.each(np.abs)),
    "sqrt": MetricFunction("x", lambda x: x.each(np.sqrt), _unknown),
    "sin": MetricFunction("x", lambda x: x.each(np.sin), _unknown, angle="rad"),
    "cos": MetricFunction("x", lambda x: x.each(np.cos), _unknown, angle="rad"),
    "degrees": MetricFunction("x", lambda x: x.each(np.degrees), lambda unit: unit and in_degrees(unit), angle="rad"),
    "radians": MetricFunction("x", lambda x: x.each(np.radians), lambda unit: unit and in_radians(unit), angle="deg"),
}
"""By name. max and min go over time and components, or compare their arguments; sum and norm go over components at each time;
final, initial, at, mean, rms and integral go over time for each component."""
