"""Which basis of a linear program the optimum belongs to: pivots of the simplex method with bounds, by Bland's rule."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ..spatial import Array
from ._active_set import ActiveSet

_ROUNDING = 1e-12  # of the terms of a reduced cost
_BEYOND = 2e-12, 1e-9  # by which a basis may be beyond bounds; the second where the first is too little for what is nearest
_INDEPENDENT = 1e-9  # of its length: what of a column the others do not give
_REMAINS = 1e-13  # of a wrench: a remainder below it is none
_PIVOTS = 500
_STEEPEST = 30  # pivots before Bland's rule, which takes more of them and always ends


def next_set(A: Array, cost: Array, goal: Array, last: ActiveSet) -> ActiveSet | None:
    """Return the same as `active_set` of a cluster that gives every direction, from a set of another wrench in a few pivots."""
    program = _Basis(np.column_stack([A, -goal]), _levels(cost, np.arange(len(cost))), *_places(last))
    try:
        found = len(program.basic) == len(A) and program.cheapest() and program.feasible(_BEYOND[0])
    except np.linalg.LinAlgError:  # of a set that cannot come before this wrench
        found = False
    return _formula(A, np.ones(len(cost), dtype=bool), np.eye(len(A)), program) if found else None


def active_set(A: Array, cost: Array, goal: Array, share: Array) -> ActiveSet | None:
    """Return the set of the largest part of what can be given of a wrench, for the least cost; None where pivots find none.

    Of several of one cost it is that for which the sum of the shares, weighted by the roots of the numbers of their columns, is
    least: earlier columns before later ones.

    A : (6, n_t) wrenches of the shares; cost : (n_t,); goal : (6,) what is wanted
    share : (n_t,) >= 0, without upper limits, that comes nearest to it
    """
    nearest, on_face = A @ share, np.ones(len(cost), dtype=bool)
    remainder, size = goal - nearest, float(np.linalg.norm(goal))
    if np.linalg.norm(remainder) > _REMAINS * size:
        on_face = (share > 0) | (remainder @ A > -_REMAINS * max(size, 1.0) * np.linalg.norm(A, axis=0))
    span = _span(A[:, on_face])
    columns = np.column_stack([span.T @ A[:, on_face], -span.T @ nearest])
    levels = _levels(cost[on_face], np.flatnonzero(on_face))
    for beyond in _BEYOND:
        program = _Basis.crashed(columns, levels, np.append(share[on_face], 1.0))
        if program is not None and program.cheapest() and program.feasible(beyond):
            found = _formula(A, on_face, span, program)
            if found is not None:
                return found
    return None


def _levels(cost: Array, places: Array) -> Array:
    """Return the costs (3, n + 1) of n thrusters at `places` of their list and of the scale, the first before the second."""
    return np.array([[*np.zeros(len(cost)), -1.0], [*cost, 0.0], [*np.sqrt(places + 1.0), 0.0]])


def _places(last: ActiveSet) -> tuple[list[int], Array]:
    """Return which columns are basic in a set, and (n_t + 1,) which of the others are 1."""
    moves, scaled = np.asarray(last.slope.any(axis=1)), bool(last.ray.any())
    basic = [*np.flatnonzero(moves).tolist(), *([len(moves)] if scaled else [])]
    return basic, np.append(~moves & (last.start == 1.0), not scaled)


def _span(columns: Array) -> Array:
    """Return an orthonormal basis (6, r) of all that columns (6, k) give."""
    U, sizes, _ = np.linalg.svd(columns, full_matrices=False)
    rank = int((sizes > _INDEPENDENT * max(sizes.max(initial=0.0), 1.0)).sum())
    return np.eye(len(U)) if rank == len(U) else U[:, :rank]


@dataclass
class _Basis:
    """A basis of: least costs x, the first before the second, where columns x = 0 and 0 <= x <= 1; the last x is the scale.

    columns : (r, m); costs : (k, m)
    basic : (r,) numbers of columns; upper : (m,) which of the others are 1
    """

    columns: Array
    costs: Array
    basic: list[int]
    upper: Array

    @classmethod
    def crashed(cls, columns: Array, costs: Array, x: Array) -> _Basis | None:
        """Return one near x (m,): what is not at its bounds is basic, and with it whatever is independent, in order."""
        away = (x > 0) & (np.arange(len(x)) < len(x) - 1)
        basic: list[int] = []
        known, sizes = np.zeros((len(columns),) * 2), np.linalg.norm(columns, axis=0)
        for j in [*np.flatnonzero(away), *np.flatnonzero(~away)]:
            if len(basic) == len(columns):
                break
            new = columns[:, j] - (known @ columns[:, j]) @ known
            size = math.sqrt(new @ new)
            if size > _INDEPENDENT * sizes[j]:
                known[len(basic)] = new / size
                basic.append(int(j))
        upper = np.arange(len(x)) == len(x) - 1
        upper[basic] = False
        return cls(columns, costs, basic, upper) if len(basic) == len(columns) else None

    def tableau(self) -> Array:
        """Return (r, m) all columns in terms of the basic ones."""
        return np.asarray(np.linalg.solve(self.columns[:, self.basic], self.columns))

    def values(self, tableau: Array) -> Array:
        """Return those of the basic columns."""
        return np.asarray(-tableau[:, self.upper].sum(axis=1))

    def reduced(self, tableau: Array) -> Array:
        """Return (k, m) reduced costs, 0 of basic columns and where they are rounding."""
        basic = self.costs[:, self.basic]
        reduced = self.costs - basic @ tableau
        reduced[np.abs(reduced) <= _ROUNDING * (1 + np.abs(basic) @ np.abs(tableau))] = 0.0
        reduced[:, self.basic] = 0.0
        return reduced

    def cheapest(self) -> bool:
        """Exchange columns until no other basis costs less, and return whether that came to an end."""
        for _ in range(_PIVOTS):
            tableau = self.tableau()
            reduced = self.reduced(tableau)
            first = np.take_along_axis(reduced, np.argmax(reduced != 0, axis=0)[np.newaxis], axis=0)[0]
            gains = np.flatnonzero(np.where(self.upper, first, -first) > 0)
            if not gains.size:
                return True
            self._enter(int(gains[0]), tableau)
        return False

    def _enter(self, j: int, tableau: Array) -> None:
        """Let column j leave its bound as far as those allow that are within theirs."""
        slope, values = tableau[:, j] * (1.0 if self.upper[j] else -1.0), self.values(tableau)
        room = np.where(slope > 0, 1 - values, values)
        moves = (np.abs(slope) > _INDEPENDENT) & (room >= -_ROUNDING)
        steps = np.full(len(slope), np.inf)
        steps[moves] = np.maximum(room[moves], 0.0) / np.abs(slope[moves])
        if steps.min(initial=np.inf) > 1.0:
            self.upper[j] = not self.upper[j]
            return
        ties = np.flatnonzero(steps <= steps.min() + _ROUNDING)
        row = min(ties, key=lambda i: self.basic[i])
        self._exchange(int(row), j, to_upper=bool(slope[row] > 0))

    def feasible(self, beyond: float) -> bool:
        """Exchange columns, each for the one that costs least, until none is so far beyond bounds; return whether that is."""
        for pivots in range(_PIVOTS):
            tableau = self.tableau()
            values = self.values(tableau)
            outside = np.flatnonzero((values < -beyond) | (values > 1 + beyond))
            if not outside.size:
                return True
            row = self._leaving(outside, values, pivots)
            above = bool(values[row] > 1)
            alpha = tableau[row]
            helps = np.where(self.upper, alpha, -alpha) * (-1.0 if above else 1.0) > _INDEPENDENT
            helps[self.basic] = False
            if not helps.any():
                return False
            losses = np.where(self.upper, -1.0, 1.0) * self.reduced(tableau)
            self._exchange(int(row), _least(losses, np.abs(alpha), np.flatnonzero(helps)), to_upper=above)
        return False

    def _leaving(self, outside: Array, values: Array, pivots: int) -> int:
        """Return the row farthest beyond bounds, which takes a third fewer pivots; after many that of Bland's rule."""
        if pivots < _STEEPEST:
            return int(outside[np.argmax(np.abs(values[outside] - 0.5))])
        return int(min(outside, key=lambda i: self.basic[i]))

    def _exchange(self, row: int, j: int, *, to_upper: bool) -> None:
        self.upper[self.basic[row]] = to_upper
        self.basic[row], self.upper[j] = j, False


def _least(costs: Array, per: Array, among: Array) -> int:
    """Return the number of the column whose costs (k, m) over `per` (m,) are least, the first cost before the second."""
    for cost in costs:
        ratios = cost[among] / per[among]
        among = among[ratios <= ratios.min() + _ROUNDING]
    return int(among[0])


def _formula(A: Array, on_face: Array, span: Array, program: _Basis) -> ActiveSet | None:
    """Return the values of a basis as formulas of what is wanted; None where rounding left nothing of it."""
    n_t, places, scaled = A.shape[1], np.flatnonzero(on_face), program.columns.shape[1] - 1
    upper, basic = program.upper[:scaled], sorted(j for j in program.basic if j != scaled)  # the same bits, however found
    pushing, filled = program.columns[:, basic], program.columns[:, :scaled][:, upper].sum(axis=1)
    inverse = np.linalg.pinv(pushing)
    start, slope, inside = np.zeros(n_t), np.zeros((n_t, 6)), np.zeros((n_t, 6))
    start[places[upper]], start[places[basic]] = 1.0, -inverse @ filled
    slope[places[basic]] = inverse @ span.T
    inside[~on_face] = A[:, ~on_face].T @ (span @ span.T - np.eye(6))
    if len(basic) == len(program.basic):
        return ActiveSet(start, slope, 1.0, np.zeros(6), 1.0, inside) if program.upper[scaled] else None
    normal = np.linalg.svd(pushing)[0][:, -1]  # what of a wrench only the scale balances
    top = normal @ filled
    return ActiveSet(start, slope, top, span @ normal, 0.0, inside) if abs(top) > _INDEPENDENT else None
