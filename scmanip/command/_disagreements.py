"""How far formulations are apart, and how far they may be."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from ..dynamics import Cases, Formulation, Model
from ..spatial import Array

EXACT = 1e-12
VALUES: dict[str, tuple[str, ...]] = {
    **{name: (name,) for name in ("M", "bias", "forward", "inverse", "J_star")},
    "momentum": ("P", "L_C"),
}
Floors = dict[str, Array]


@dataclass(frozen=True)
class Disagreement:
    """The worst relative error of a column of `VALUES` over all states, with what is allowed in that state."""

    between: str
    column: str
    error: float
    allowed: float
    state: int

    @property
    def tolerable(self) -> bool:
        """Whether the error is allowed; one that is not a number is not."""
        return self.error <= self.allowed


@dataclass(frozen=True, eq=False)
class Found:
    """What a formulation gives: its values, and for which of them a linear system is solved."""

    values: Mapping[str, Array]
    solved: frozenset[str]

    @classmethod
    def by(cls, formulation: Formulation, cases: Cases) -> Found:
        """Return what a formulation gives in these cases."""
        return cls(formulation.values(cases), formulation.solved)


def disagreements(floors: Floors, solved: Array, between: str, found: Found, other: Found) -> Iterator[Disagreement]:
    """Give one row per column that both have; the error that exceeds what is allowed the most stands for all states.

    floors : per value, (n,) size of the terms that cancel in it; solved : (n,) tolerance where something is solved
    """
    ours, theirs = found.values, other.values
    exact = np.full(len(solved), EXACT)
    for column, names in VALUES.items():
        rows: list[Disagreement] = []
        for name in names:
            if name in ours and name in theirs:
                errors = _errors(ours[name], theirs[name], floors.get(name))
                allowed = solved if name in found.solved | other.solved else exact
                pairs = zip(errors, allowed, strict=True)
                rows += [Disagreement(between, column, float(e), float(a), state) for state, (e, a) in enumerate(pairs)]
        if rows:
            yield worst(rows)


def worst(rows: Iterable[Disagreement]) -> Disagreement:
    """Return the one that exceeds what is allowed the most, or comes closest to it."""
    return max(rows, key=lambda row: np.inf if np.isnan(row.error) else row.error / row.allowed)


def solved_tolerance(M: Array) -> Array:
    """Return (n,) max(1e-12, 10 cond(M) eps) for M (n, n_u, n_u)."""
    if not M.size:
        return np.full(len(M), EXACT)
    return np.maximum(EXACT, 10 * np.linalg.cond(M) * np.finfo(float).eps)


def floors_of(sums: Model, cases: Cases) -> Floors:
    """Return the largest of the terms whose sum may be nothing: velocity forces of one joint, momenta that balance."""
    rows: list[tuple[float, float, float]] = []
    for i in range(len(cases.tau)):
        e = sums.equations(cases.states[i])
        rate = abs(e.qdot).max(initial=0.0)
        turning = e.inertia_scale[sums.layout.n_base :].max(initial=0.0) * rate**2
        flying = 0.0 if sums.layout.fixed else abs(e.v_0).max() * abs(e.momentum.P).max()
        parts = e.momentum_by_body
        rows.append((float(max(turning, flying)), float(abs(parts.P).max()), float(abs(parts.L_C).max())))
    return dict(zip(("bias", "P", "L_C"), np.array(rows).T, strict=True))


def _errors(ours: Array, theirs: Array, floor: Array | None) -> Iterable[float]:
    """Return (n,) largest errors, each relative to the largest entry or to the floor; inf where shapes differ."""
    if ours.shape != theirs.shape:
        return np.full(len(theirs), np.inf)
    if not theirs.size:
        return np.zeros(len(theirs))
    axes = tuple(range(1, theirs.ndim))
    error, scale = abs(ours - theirs).max(axis=axes), abs(theirs).max(axis=axes)
    scale = scale if floor is None else np.maximum(scale, floor)
    return np.divide(error, scale, out=np.where(error == 0, 0.0, np.inf), where=scale > 0)
