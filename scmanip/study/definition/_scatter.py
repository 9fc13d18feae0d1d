"""All that is left to chance in a case, drawn together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...errors import Problem, nearest
from ...spatial import Array
from ..rows._case import columns_of
from ._dispersions import LEAST, Correlated, Dispersion

_STEPS = 2.0**52


def uniforms(seed: int, first: int, last: int, count: int) -> Array:
    """Return numbers (last - first, count) between 0 and 1, ends excluded; the row of case i comes from i and the seed alone.

    A row's first numbers do not depend on how many are asked for.
    """
    rows = np.empty((last - first, count))
    for row, number in zip(rows, range(first, last), strict=True):
        np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(number,))).random(out=row)
    return (np.floor(rows * _STEPS) + 0.5) / _STEPS


def correlate(u: Array, columns: Sequence[int], matrix: Sequence[Sequence[float]]) -> None:
    """Correlate columns of uniform numbers u (m, count) in place by a Gaussian copula; each stays uniform.

    matrix : of correlations, positive semi-definite. Sums have a fixed order, so that a row does not depend on others.
    """
    from scipy.special import ndtr, ndtri

    factor = _lower_factor(np.array(matrix))
    z = [ndtri(np.ascontiguousarray(u[:, column])) for column in columns]
    for i, column in enumerate(columns):
        mixed = factor[i, 0] * z[0]
        for k in range(1, i + 1):
            mixed = mixed + factor[i, k] * z[k]
        u[:, column] = np.clip(ndtr(mixed), 0.5 / _STEPS, 1 - 0.5 / _STEPS)


def _lower_factor(C: Array) -> Array:
    """Return L (n, n), lower triangular, with L L' = C of correlations C (n, n), some of which may follow from others."""
    if np.linalg.eigvalsh(C)[0] >= LEAST:
        return np.linalg.cholesky(C)
    L, rest = np.zeros_like(C), C.copy()
    for k in range(len(C)):
        if rest[k, k] > LEAST:  # else the numbers before it say what it is
            L[k:, k] = rest[k:, k] / np.sqrt(rest[k, k])
            rest -= np.outer(L[:, k], L[:, k])
    return L


@dataclass(frozen=True, eq=False)
class Scatter:
    """Dispersions by path, groups of them that are correlated, and the seed of their draws."""

    seed: int
    dispersion: Mapping[str, Dispersion]
    correlated: Sequence[Correlated]

    def draws(self, first: int, last: int) -> dict[str, Array]:
        """Return the draws (last - first, count) of every dispersion for the cases from `first` up to `last`."""
        u = uniforms(self.seed, first, last, self._count)
        for group in self.correlated:
            correlate(u, [self._column(member) for member in self._members(group)], group.matrix)
        return {path: given.values(u[:, self._where[path]]) for path, given in self.dispersion.items()}

    def problems(self) -> Iterator[Problem]:
        """Give all that is wrong with the groups."""
        for number in range(len(self.correlated)):
            yield from self._group_problems(number)

    @cached_property
    def _count(self) -> int:
        return sum(given.count for given in self.dispersion.values())

    @cached_property
    def _where(self) -> dict[str, slice]:
        """Which of a case's random numbers are whose."""
        counts = [given.count for given in self.dispersion.values()]
        ends = np.cumsum(counts).tolist()
        return {path: slice(end - count, end) for path, count, end in zip(self.dispersion, counts, ends, strict=True)}

    def _group_problems(self, number: int) -> Iterator[Problem]:
        group, key = self.correlated[number], f"correlated[{number}].paths"
        valid = [name for path, given in self.dispersion.items() for name in (path, *columns_of(path, given.size))]
        unknown = [path for path in group.paths if path not in valid]
        for path in unknown:
            yield Problem(key, "paths of dispersions", repr(path), hint=nearest(path, valid))
        if unknown:
            return
        members = self._members(group)
        if len(members) != len(group.matrix):
            yield Problem(f"correlated[{number}].matrix", f"{len(members)} rows, one per number drawn", str(len(group.matrix)))
        before = {member for other in self.correlated[:number] for member in self._members(other)}
        twice = [member for member in members if member in before or members.count(member) > 1]
        if twice:
            yield Problem(key, "every number in one group, once", repr(twice[0]))

    def _members(self, group: Correlated) -> list[str]:
        return [member for path in group.paths for member in self._expanded(path)]

    def _expanded(self, path: str) -> list[str]:
        return columns_of(path, self.dispersion[path].size) if path in self.dispersion else [path]

    def _column(self, member: str) -> int:
        """Return which of a case's random numbers is that of a dispersion, or of a component of one."""
        path, _, rest = member.rpartition("[") if member not in self.dispersion else (member, "", "")
        return int(self._where[path].start) + (int(rest[:-1]) if rest else 0)
