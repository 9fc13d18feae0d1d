"""Which designs no other beats."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from ...errors import InvalidInput, Problem, checked, refuse
from ...spatial import Array, coefficient_problems
from ..rows._table import Table
from ._success import Allowed, within


class Sense(StrEnum):
    """Which way a metric is better.

    >>> Sense("max") is Sense.MAX
    True
    """

    MIN = "min"
    MAX = "max"


@dataclass(frozen=True, eq=False)
class Pareto:
    """The trade between metrics.

    numbers, values : (n,) cases and (n, m) their metrics, in their units and the order of `senses`
    feasible : (n,) whether a case completed, has every metric and keeps its limits
    best : (n,) whether it is feasible and no feasible case is as good in all metrics and better in one
    senses : by metric, which way is better

    >>> found = pareto(cases, {"base_rotation_deg": Sense.MIN, "propellant_kg": Sense.MIN})
    >>> found.front.tolist(), int(found.feasible.sum())
    ([0, 12, 19, 26, 33], 40)
    """

    numbers: Array
    values: Array
    feasible: Array
    best: Array
    senses: Mapping[str, Sense]

    @property
    def front(self) -> Array:
        """Numbers (m,) of the best cases, whole numbers, sorted by the first metric, the better first."""
        sign = -1 if next(iter(self.senses.values())) is Sense.MAX else 1
        return self.numbers[self.best][np.argsort(sign * self.values[self.best, 0], kind="stable")]

    @property
    def infeasible(self) -> Array:
        """Numbers (m,) of the cases that are not feasible, whole numbers; they are never best and beat nothing."""
        return self.numbers[~self.feasible]


@checked
def pareto(table: Table, senses: Mapping[str, Sense], allowed: Allowed | None = None, *, alike: float = 0.0) -> Pareto:
    """Return the trade between metrics among the cases that keep their limits; equal cases are best together.

    By definition of what no other beats.

    senses : by metric, which way is better
    allowed : by metric, its range (low, high), in its unit
    alike : values count as equal that come to the same multiple of this share of the range of their metric

    Raises `InvalidInput` for no senses and a share that is not >= 0, `UnknownName` for a metric that is not there.

    >>> both = {"base_rotation_deg": Sense.MIN, "propellant_kg": Sense.MIN}
    >>> pareto(cases, both, {"base_rotation_deg": (9.5, 11.0)}).front.tolist()
    [7, 10, 12, 19, 26, 33]
    """
    refuse(coefficient_problems("alike", alike))
    if not senses:
        raise InvalidInput(Problem("senses", "at least one metric with the way it is better", "none"))
    values = np.column_stack([table.metric(name) for name in senses])
    feasible = within(table, allowed or {}) & np.isfinite(values).all(axis=1)
    signs = np.array([-1.0 if Sense(sense) is Sense.MAX else 1.0 for sense in senses.values()])
    best = np.zeros(len(table), bool)
    best[feasible] = _unbeaten(_rounded(values, alike)[feasible] * signs)
    return Pareto(table.numbers, values, feasible, best, {name: Sense(sense) for name, sense in senses.items()})


def _rounded(values: Array, alike: float) -> Array:
    """Return values (n, m), those that count as equal made so."""
    known = np.where(np.isfinite(values), values, np.nan)
    grain = alike * (np.fmax.reduce(known, axis=0) - np.fmin.reduce(known, axis=0)) if len(values) else np.zeros(1)
    steps = np.where(grain > 0, grain, 1.0)
    return np.where(grain > 0, np.round(values / steps) * steps, values)


def _unbeaten(costs: Array) -> Array:
    """Return (n,) which of the points (n, m) no other beats, smaller being better; in rising order only earlier ones can."""
    points, inverse = np.unique(costs + 0.0, axis=0, return_inverse=True)
    left = np.arange(len(points))
    chosen = []
    while left.size:
        first = left[0]
        chosen.append(first)
        left = left[np.any(points[left] < points[first], axis=1)]
    return np.isin(inverse.reshape(-1), chosen)
