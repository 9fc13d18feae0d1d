"""Sobol' indices from a design made for them [Saltelli2010]."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import scipy

from ..errors import InvalidInput, Problem
from ..spatial import Array
from ._intervals import Interval, Side, check_shares
from ._missing import refused
from ._sensitivity import Index, Sensitivity, check_varies

SETS = 8
"""How many sets of Sobol' points a design has, each scrambled by itself, so that their spread tells the error [Owen1998]."""


def saltelli_points(groups: int, inputs: int, rng: np.random.Generator) -> Array:
    """Return points (groups * (inputs + 2), inputs) of the unit cube for `saltelli_indices`.

    Each group of inputs + 2 rows is one row of A, the same row of B, and of A with column i from B for each i
    ([Saltelli2010], table 2). A and B are the halves of scrambled Sobol' points, in `SETS` sets one after another; `groups` is
    a power of two, at least twice as many.
    """
    exponent = math.log2(groups / SETS) if groups > 0 else 0.5
    if exponent % 1 or exponent < 1 or inputs < 1:
        expected = f"a power of two from {2 * SETS} on, and at least 1"
        raise InvalidInput(Problem("groups, inputs", expected, f"{groups}, {inputs}"))
    sets = [scipy.stats.qmc.Sobol(2 * inputs, rng=rng).random_base2(int(exponent)) for _ in range(SETS)]
    both = np.concatenate(sets)
    A, B = both[:, None, :inputs], both[:, None, inputs:]
    mixed = np.where(np.eye(inputs, dtype=bool), B, A)
    return np.concatenate([A, B, mixed], axis=1).reshape(-1, inputs)


def saltelli_indices(metric: str, values: Array, names: Sequence[str], confidence: float = 0.9) -> Sensitivity:
    """Return the indices from the values at `saltelli_points`, in their order; bounds by Student's t from the sets.

    First order by [Saltelli2010] (table 2, b), total by [Jansen1999] (table 2, f). Raises InvalidInput where a case has no
    value, as its whole group would have to go and the sample would be biased; and where the count does not fit.
    """
    check_shares(confidence=confidence)
    width = len(names) + 2
    if not len(values) or len(values) % (width * SETS):
        expected = f"a multiple of {width * SETS} values, {width} per group and {SETS} sets of groups"
        raise InvalidInput(Problem(metric, expected, f"{len(values)} values"))
    if not np.isfinite(values).all():
        raise InvalidInput(refused(metric, np.flatnonzero(~np.isfinite(values)), len(values)))
    check_varies(metric, values)
    groups = values.reshape(-1, width)
    groups = groups - groups[:, :2].mean()
    f_A, f_B, f_AB = groups[:, :1], groups[:, 1:2], groups[:, 2:]
    terms = np.hstack([f_B * (f_AB - f_A), (f_A - f_AB) ** 2 / 2, (f_A + f_B) / 2, (f_A**2 + f_B**2) / 2])
    found = _shares(terms.mean(axis=0), len(names))
    sets = _shares(terms.reshape(SETS, -1, terms.shape[1]).mean(axis=1), len(names))
    half = float(scipy.stats.t.isf((1 - confidence) / 2, SETS - 1)) * sets.std(axis=0, ddof=1) / math.sqrt(SETS)
    low, high = np.clip(found - half, 0, 1), np.clip(found + half, 0, 1)

    def interval(kind: int, i: int) -> Interval:
        return Interval(float(low[kind, i]), float(high[kind, i]), confidence, Side.BOTH, "scrambled sets [Owen1998]")

    indices = tuple(
        Index(name, float(found[0, i]), interval(0, i), float(found[1, i]), interval(1, i)) for i, name in enumerate(names)
    )
    method = "designed: first order [Saltelli2010], total [Jansen1999]"
    return Sensitivity(metric, indices, (), math.nan, len(values), 0, method)


def _shares(means: Array, inputs: int) -> Array:
    variance = means[..., -1] - means[..., -2] ** 2
    parts = means[..., :-2].reshape(*means.shape[:-1], 2, inputs)
    return parts / variance[..., None, None]
