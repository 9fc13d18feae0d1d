"""The cases to look at."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...errors import checked
from ...spatial import Array
from ..rows._table import Table
from ._pareto import Sense


@dataclass(frozen=True, eq=False)
class Worst:
    """The worst cases of a metric, the worst first.

    metric, better : name, and which way is better
    numbers, values : (k,) cases and their values, in the metric's unit
    missing : whole numbers, the cases that have no value, which may be worse than all of these

    >>> worst(cases, "base_rotation_deg", 3).numbers.tolist()
    [39, 37, 38]
    """

    metric: str
    better: Sense
    numbers: Array
    values: Array
    missing: Array


@checked
def worst(table: Table, metric: str, count: int = 5, better: Sense = Sense.MIN) -> Worst:
    """Return the `count` worst cases of a metric; of equal ones that with the lower number comes first.

    By definition of an order.

    >>> found = worst(cases, "propellant_kg", 2, Sense.MAX)
    >>> found.numbers.tolist(), found.values.round(3).tolist()
    ([33, 38], [1.874, 1.885])
    """
    values = table.metric(metric)
    known = np.isfinite(values)
    sign = -1.0 if better is Sense.MIN else 1.0
    order = np.flatnonzero(known)[np.argsort(sign * values[known], kind="stable")][:count]
    return Worst(metric, better, table.numbers[order], values[order], table.numbers[~known])
