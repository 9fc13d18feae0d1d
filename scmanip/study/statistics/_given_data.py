"""Sobol' indices from the draws of a Monte Carlo study, without further runs.

A share of variance is what a regression on some of the inputs explains. The first index has polynomials of the input alone; the
total index is by how much the residual variance of polynomials of all inputs [Sudret2008] grows without the products that have
the input, with the mean of squares corrected to first order for the fit's errors as in [Williamson2021]. Polynomials are of an
input's rank among the runs, so that its distribution does not matter; a text has a column per value. A jump or a narrow peak is
no polynomial: then much is unexplained, total indices come out too low, and `Sensitivity.note` says so.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.polynomial.legendre import legvander

from ...errors import InvalidInput, Problem, checked, refuse
from ...spatial import Array
from ..rows._checks import check_shares
from ..rows._table import Table
from ._missing import Missing, sample
from ._sensitivity import Sensitivity, bounded, check_varies

HIGHEST = 12
"""Highest degree that is tried."""

ALONE, RUNS_PER_DEGREE = 8, 20
"""Degree of the polynomials of one input alone, and how many runs there are at least for each degree."""

RUNS_PER_TERM = 3
"""How many runs there are at least for each term of a regression."""

MOST_TERMS, MOST_RUNS = 300, 20_000
"""So many terms are fitted to so many runs at most, the first ones, to stay within seconds."""

LINKED = 0.05
"""Rank correlation below which inputs pass as independent in any number of runs."""


@checked
def sensitivity(
    table: Table,
    metric: str,
    names: Sequence[str] = (),
    confidence: float = 0.9,
    *,
    missing: Missing = Missing.REFUSE,
    rng: np.random.Generator,
) -> Sensitivity:
    """Return the indices of inputs, or of those named, from any sample in which they are independent.

    Inputs that always move together have one index, under the name of the first.
    Raises InvalidInput where inputs are correlated (the shares would not be theirs alone), a case has no value (unless
    `missing` is LEFT_OUT), the metric does not vary, or the runs are too few. `rng` draws the bootstrap samples.

    >>> found = sensitivity(cases, "base_rotation_deg", rng=np.random.default_rng(1))
    >>> [index.name for index in found.ranked], round(found.ranked[0].first, 1)
    (['mass_kg', 'gain'], 1.0)
    """
    check_shares(confidence=confidence)
    if missing in (Missing.HIGH, Missing.LOW):
        raise InvalidInput(Problem("missing", "refuse or left_out: a variance has no side to fail to", missing))
    values = table.metric(metric)
    rows = table.where(np.isfinite(values))
    rows, y = rows.first(MOST_RUNS), sample(values, missing, metric, table.numbers)[:MOST_RUNS]
    if not y.size:
        raise InvalidInput(Problem(metric, "cases that have a value", "none"))
    columns = {name: rows.input(name) for name in list(names) or rows.inputs}
    constant = tuple(name for name, column in columns.items() if np.all(column == column[:1]))
    moving = {name: column for name, column in columns.items() if name not in constant}
    together = inseparable(moving)
    varied = {name: moving[name] for name in together}
    functions = {name: _functions(column) for name, column in varied.items()}
    _check_inputs(metric, len(rows), varied, functions)
    check_varies(metric, y)
    terms = _terms(y - y.mean(), list(functions.values()))
    indices = bounded(list(functions), terms, _shares, confidence, rng)
    unexplained = float(terms[:, -1].mean() / terms[:, 0].mean())
    method = "given data: polynomials of ranks [Sudret2008], shares as differences of residuals [Williamson2021]"
    lost = int(np.sum(~np.isfinite(values)))
    return Sensitivity(metric, indices, constant, unexplained, len(rows), lost, method, together)


@dataclass(frozen=True, eq=False)
class _Input:
    """Functions of one input: columns (n, p), orthonormal over the runs, and the degree (p,) at which each comes in."""

    columns: Array
    degrees: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class _Basis:
    """Products of functions of inputs: columns (n, m) by rising degree (m,), and which inputs (m, d) each has."""

    columns: Array
    degrees: Array
    users: Array


def _functions(values: Array) -> _Input:
    """Return Legendre polynomials of the ranks of numbers, no more than they have values; a column per text but one."""
    known, at, counts = np.unique(values, return_inverse=True, return_counts=True)
    if values.dtype.kind in "US":
        columns, degrees = at[:, None] == np.arange(1, known.size), (1,) * (known.size - 1)
    else:
        ranks = (np.cumsum(counts) - counts / 2)[at] / values.size
        degrees = tuple(range(1, min(HIGHEST, known.size - 1) + 1))
        columns = legvander(2 * ranks - 1, len(degrees))[:, 1:]
    with_constant = np.column_stack([np.ones(values.size), columns])
    return _Input(np.linalg.qr(with_constant)[0][:, 1:] * math.sqrt(values.size), degrees)


def _shares(means: Array) -> Array:
    variance, (alone, without) = means[..., :1], np.split(means[..., 1:-1], 2, axis=-1)
    return np.stack([1 - alone / variance, without / variance], axis=-2)


def _terms(y: Array, inputs: list[_Input]) -> Array:
    """Return (n, 2 + 2 d): squared deviations, squared residuals with each input alone, what each adds, those with all."""
    alone = [_alone(y, one) for one in inputs]
    basis = _chosen(y, _basis(inputs))
    fit = _fit(y, basis.columns)
    added = [_added(basis.columns[:, users], fit, users) for users in basis.users.T]
    return np.column_stack([y**2 * len(y) / (len(y) - 1), *alone, *added, fit.squares])


@dataclass(frozen=True, eq=False)
class _Fit:
    """A least-squares fit: coefficients (m,) and their variances, residuals (n,), and their squares by 1 - leverage (n,)."""

    coefficients: Array
    variances: Array
    residuals: Array
    squares: Array


def _fit(y: Array, columns: Array) -> _Fit:
    """Return the fit; variances hold also where the residual's differs from run to run ([MacKinnon1985], HC2)."""
    inverse = np.linalg.pinv(columns)
    coefficients = inverse @ y
    residuals = y - columns @ coefficients
    leverage = np.minimum(np.einsum("nm,mn->n", columns, inverse), 1 - 1 / len(y))
    squares = residuals**2 / (1 - leverage)
    return _Fit(coefficients, inverse**2 @ squares, residuals, squares)


def _alone(y: Array, one: _Input) -> Array:
    """Return (n,) squared residuals of a fit to one input; its degree is not chosen by the values, which would favour it."""
    chosen = np.array(one.degrees) <= max(1, min(ALONE, len(y) // RUNS_PER_DEGREE))
    return _fit(y, np.column_stack([np.ones(len(y)), one.columns[:, chosen]])).squares


def _added(columns: Array, fit: _Fit, users: Array) -> Array:
    """Return (n,) by how much the squared residual grows without the products that have an input, less its bias."""
    part = columns @ fit.coefficients[users]
    return part**2 + 2 * part * fit.residuals - fit.variances[users].sum()


def _chosen(y: Array, basis: _Basis) -> _Basis:
    """Return the basis to the degree with the least generalized cross-validation [Golub1979]."""
    q = np.linalg.qr(basis.columns)[0]
    along, n = q.T @ y, len(y)
    counts = np.flatnonzero(np.diff(basis.degrees, append=HIGHEST + 1)) + 1
    scores = [np.sum((y - q[:, :terms] @ along[:terms]) ** 2) / (1 - terms / n) ** 2 for terms in counts]
    best = counts[int(np.argmin(scores))]
    return _Basis(basis.columns[:, :best], basis.degrees[:best], basis.users[:best])


def _basis(inputs: list[_Input]) -> _Basis:
    """Return the products up to the highest degree at which the runs are enough for all."""
    n, degrees = len(inputs[0].columns), [one.degrees for one in inputs]
    products: list[tuple[tuple[int, int], ...]] = []
    for highest in range(1, HIGHEST + 1):
        more = list(islice(_products(degrees, highest), _most_terms(n) + 1))
        if len(more) == len(products) or len(more) > _most_terms(n):
            break
        products = more
    order = sorted((sum(degrees[i][column] for i, column in product), product) for product in products)
    columns, users = np.ones((n, len(order))), np.zeros((len(order), len(inputs)), bool)
    for term, (_, product) in enumerate(order):
        for i, column in product:
            columns[:, term] *= inputs[i].columns[:, column]
            users[term, i] = True
    return _Basis(columns, np.array([degree for degree, _ in order]), users)


def _products(degrees: list[tuple[int, ...]], budget: int, start: int = 0) -> Iterator[tuple[tuple[int, int], ...]]:
    """Yield the products of one column each of any inputs, as (input, column), of a total degree within the budget."""
    yield ()
    for i in range(start, len(degrees)):
        for column, degree in enumerate(degrees[i]):
            if degree <= budget:
                for rest in _products(degrees, budget - degree, i + 1):
                    yield (i, column), *rest


def _most_terms(runs: int) -> int:
    return min(runs // RUNS_PER_TERM, MOST_TERMS)


def _check_inputs(metric: str, runs: int, inputs: dict[str, Array], functions: dict[str, _Input]) -> None:
    lost = [name for name, column in inputs.items() if column.dtype.kind == "f" and not np.isfinite(column).all()]
    if lost:
        raise InvalidInput(Problem(f"input {lost[0]!r}", "a finite value in every case", "cases without"))
    if not functions:
        raise InvalidInput(Problem(f"sensitivity of {metric}", "inputs that vary", "none"))
    terms = 1 + sum(one.degrees.count(1) for one in functions.values())
    if terms > _most_terms(runs):
        needed = f"at least {RUNS_PER_TERM * terms} runs, and at most {MOST_TERMS} inputs and texts"
        hint = "name fewer inputs, or run more cases"
        raise InvalidInput(Problem(f"sensitivity of {metric}", needed, f"{runs} runs, {terms - 1} inputs and texts", hint=hint))
    refuse(_linked(runs, functions))


def _linked(runs: int, functions: dict[str, _Input]) -> Iterator[Problem]:
    """Yield the pairs of inputs with a rank correlation that chance does not explain (4.5 standard deviations)."""
    owners = [name for name, one in functions.items() for _ in range(one.degrees.count(1))]
    ranks = np.column_stack([one.columns[:, np.array(one.degrees) == 1] for one in functions.values()])
    found = np.atleast_2d(np.corrcoef(ranks, rowvar=False))
    for i, j in np.argwhere(np.triu(np.abs(found) > max(LINKED, 4.5 / math.sqrt(runs)), 1)):
        if owners[i] != owners[j]:
            hint = "shares of variance are not theirs alone; name one of them, or use a study in which they are independent"
            pair = f"inputs {owners[i]!r} and {owners[j]!r}"
            yield Problem(pair, "independent", f"a rank correlation of {found[i, j]:.2f}", hint=hint)


def inseparable(columns: Mapping[str, Array]) -> dict[str, tuple[str, ...]]:
    """Return the names of columns (n,) that no case tells apart, all by the first; one that moves by itself is alone."""
    groups: dict[tuple[str, bytes], tuple[str, ...]] = {}
    for name, column in columns.items():
        key = _motion(column)
        groups[key] = (*groups.get(key, ()), name)
    return {names[0]: names for names in groups.values()}


def _motion(column: Array) -> tuple[str, bytes]:
    """Return how a column moves from case to case: the order of numbers, rising or falling, or which texts are the same."""
    known, first, at = np.unique(column, return_index=True, return_inverse=True)
    if column.dtype.kind in "US":
        return "text", np.argsort(np.argsort(first))[at].tobytes()
    return "number", (at if at[0] <= known.size - 1 - at[0] else known.size - 1 - at).tobytes()
