"""Shares of a metric's variance that inputs cause."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
import scipy

from ...errors import InvalidInput, Problem
from ...spatial import Array
from ._intervals import Interval, Side

RESAMPLES = 1000
"""How many bootstrap samples bounds are made from."""

NOTABLE = 0.02
"""Share of unexplained variance from which a reader is told."""

LARGEST = 2**22
"""How many weights are drawn at once, so that memory stays flat."""


@dataclass(frozen=True)
class Index:
    """Sobol' indices of one input: shares of the variance, from 0 to 1.

    first : share by the input alone, what would vanish on average if it were known
    total : share by the input alone and together with others, what would remain if all others were known
    first_interval, total_interval : approximate bounds by bootstrap, cut at 0 and 1; the estimates are not cut

    >>> found = sensitivity(cases, "base_rotation_deg", ["mass_kg"], rng=np.random.default_rng(1))
    >>> found.indices[0].name, bool(found.indices[0].first > 0.9)
    ('mass_kg', True)
    """

    name: str
    first: float
    first_interval: Interval
    total: float
    total_interval: Interval


@dataclass(frozen=True)
class Sensitivity:
    """What causes the variance of a metric.

    indices : one per input that varies, in the order of the inputs
    constant : inputs that do not vary
    unexplained : share of the variance that the method found no cause of in the inputs; NaN where it cannot tell
    runs, missing : cases used, and cases left out because they have no value
    method : with its source
    together : by the name of an index, the inputs that it is the index of; several where these always move together

    >>> found = sensitivity(cases, "propellant_kg", rng=np.random.default_rng(1))
    >>> found.ranked[0].name, found.runs, found.constant
    ('gain', 40, ())
    """

    metric: str
    indices: tuple[Index, ...]
    constant: tuple[str, ...]
    unexplained: float
    runs: int
    missing: int
    method: str
    together: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Index:
        return {index.name: index for index in self.indices}[name]

    @property
    def note(self) -> str:
        """What a reader must know, or nothing."""
        notes = []
        if self.missing:
            notes.append(
                f"{self.missing} cases without a value are left out, which biases shares if failing has to do with inputs"
            )
        if self.unexplained > NOTABLE:
            notes.append(
                f"{100 * self.unexplained:.0f} % of the variance is not a smooth function of these inputs; "
                "total indices may be higher by up to as much"
            )
        notes += [f"{name} stands for {len(of)} inputs that move together" for name, of in self.together.items() if of[1:]]
        return "; ".join(notes)

    @property
    def ranked(self) -> tuple[Index, ...]:
        """The indices, the largest total first."""
        return tuple(sorted(self.indices, key=lambda index: -index.total))


def bounded(
    names: list[str],
    terms: Array,
    shares: Callable[[Array], Array],
    confidence: float,
    rng: np.random.Generator,
) -> tuple[Index, ...]:
    """Return the indices of inputs with bootstrap bounds [Efron1993].

    terms : (n, k) per case, or per group of cases that belong together
    shares : from means (..., k) of the terms to first and total indices (..., 2, d)
    """
    estimate = shares(terms.mean(axis=0))
    spread = np.std(_resampled(terms, shares, rng), axis=0, ddof=1)
    width = float(scipy.stats.norm.isf((1 - confidence) / 2)) * spread
    low, high = np.clip(estimate - width, 0, 1), np.clip(estimate + width, 0, 1)

    def interval(kind: int, i: int) -> Interval:
        return Interval(float(low[kind, i]), float(high[kind, i]), confidence, Side.BOTH, "bootstrap [Efron1993]")

    return tuple(
        Index(name, float(estimate[0, i]), interval(0, i), float(estimate[1, i]), interval(1, i))
        for i, name in enumerate(names)
    )


def _resampled(terms: Array, shares: Callable[[Array], Array], rng: np.random.Generator) -> Array:
    n, out, left = len(terms), [], RESAMPLES
    while left:
        count = min(left, max(1, LARGEST // n))
        weights = rng.multinomial(n, np.full(n, 1 / n), size=count) / n
        out.append(shares(weights @ terms))
        left -= count
    return np.concatenate(out)


def check_varies(metric: str, values: Array) -> None:
    """Raise InvalidInput for a metric that does not vary."""
    if not np.ptp(values) > 0:
        raise InvalidInput(Problem(metric, "a metric that varies", f"{values[0]} in all {len(values)} cases"))
