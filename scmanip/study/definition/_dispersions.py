"""Dispersions: what chance does to a value, and how its draw meets the nominal one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np

from ...errors import InvalidInput, Problem, checked, nearest
from ...spatial import Array, real
from ..rows._checks import check_whole
from ._distribution import Distribution, UniformBall

MOST = 1000
"""How many components a dispersion may have."""
LEAST = 1e-10
"""The smallest eigenvalue of correlations of which none follows from the others."""


class How(StrEnum):
    """What becomes of a draw: it is the value, or is added to the nominal value, or multiplies it.

    >>> How("scale") is How.SCALE, [how.value for how in How]
    (True, ['set', 'add', 'scale'])
    """

    SET = "set"
    ADD = "add"
    SCALE = "scale"


@checked
@dataclass(frozen=True)
class Dispersion:
    """A distribution, how many independent components it has (None: a single number), and what becomes of a draw.

    Raises `InvalidInput` for a size that is no whole number from 1 to 1000 or not that of the distribution, and another `how`.

    >>> from scipy.stats import norm
    >>> dispersed(norm(1.0, 0.05), how="scale").table
    {'distribution': 'norm', 'loc': 1.0, 'scale': 0.05, 'how': 'scale'}
    """

    distribution: Distribution | UniformBall
    size: int | None = None
    how: How = How.SET

    def __post_init__(self) -> None:
        own = self.distribution.size
        if self.size is not None:
            check_whole("size", self.size, 1, MOST)
        if None not in (own, self.size) and own != self.size:
            raise InvalidInput(Problem("size", f"{own}, as many as the distribution has", str(self.size)))
        if self.size is None:
            object.__setattr__(self, "size", own)
        object.__setattr__(self, "how", _how(self.how))

    @property
    def count(self) -> int:
        """How many numbers are drawn."""
        return self.size or 1

    @property
    def table(self) -> dict[str, Any]:
        """What a study file says of it."""
        size = {} if self.size is None or isinstance(self.distribution, UniformBall) else {"size": self.size}
        return {**self.distribution.table, **size, "how": str(self.how)}

    def values(self, u: Array) -> Array:
        """Return draws (m, count) from numbers u (m, count) evenly spread between 0 and 1."""
        return self.distribution.values(u)


def dispersed(distribution: Any, *, size: int | None = None, how: str = "set") -> Dispersion:
    """Return a dispersion by a frozen distribution of SciPy, such as `dispersed(scipy.stats.norm(1, 0.05), how="scale")`.

    size : how many independent components, for a value with several; None for a single number
    how : "set" the value, "add" to the nominal value or "scale" it

    >>> from scipy.stats import norm
    >>> mass = dispersed(norm(1.0, 0.05), how="scale")
    >>> mass.count, mass.values(np.array([[0.5], [0.975]])).round(3).tolist()
    (1, [[1.0], [1.098]])
    """
    if not isinstance(distribution, Distribution | UniformBall):
        distribution = _distribution_of(distribution)
    return Dispersion(distribution, size, _how(how))


def uniform_ball(radius: float, *, how: str = "add") -> Dispersion:
    """Return a dispersion of 3 numbers, evenly through a ball: about the nominal value, unless `how` says otherwise.

    radius : in the unit of the numbers

    >>> uniform_ball(0.1).count, uniform_ball(0.1).how.value
    (3, 'add')
    """
    return Dispersion(UniformBall(radius), 3, _how(how))


@checked
@dataclass(frozen=True)
class Correlated:
    """Dispersions that are drawn together, through a Gaussian copula: each keeps its own distribution.

    paths : of dispersions, or of single components such as "initial.omega_0_deg_s[0]"; one with several stands for all of them
    matrix : correlations, bare numbers, of the normal variates behind them, row by row, in the order of `paths`

    >>> pair = Correlated.of(["system.body.link1.mass_kg", "system.body.link2.mass_kg"], [[1.0, 0.8], [0.8, 1.0]])
    >>> pair.table
    {'paths': ['system.body.link1.mass_kg', 'system.body.link2.mass_kg'], 'matrix': [[1.0, 0.8], [0.8, 1.0]]}
    """

    paths: tuple[str, ...]
    matrix: tuple[tuple[float, ...], ...]

    @classmethod
    def of(cls, paths: Sequence[str], matrix: Any) -> Correlated:
        """Return a group; raises `InvalidInput` for a matrix that is none of correlations."""
        try:
            C = real(matrix)
        except (TypeError, ValueError):
            C = np.zeros(0)
        if C.ndim != 2 or C.shape[0] != C.shape[1] or not np.all(np.isfinite(C)):
            raise InvalidInput(Problem("matrix", "a square list of lists of numbers", str(matrix)))
        if np.any(np.diag(C) != 1) or np.any(C != C.T):
            raise InvalidInput(Problem("matrix", "a symmetric matrix with ones on its diagonal", str(C.tolist())))
        smallest = float(np.linalg.eigvalsh(C)[0])
        if smallest < LEAST:
            raise InvalidInput(Problem("matrix", "a positive definite matrix", f"an eigenvalue of {smallest:.3g}"))
        if not (isinstance(paths, list | tuple) and paths and all(isinstance(path, str) for path in paths)):
            raise InvalidInput(Problem("paths", "a list of paths of dispersions", repr(paths)))
        if len(set(paths)) < len(paths):
            raise InvalidInput(Problem("paths", "every path once", str(list(paths))))
        return cls(tuple(paths), tuple(map(tuple, C.tolist())))

    @property
    def table(self) -> dict[str, Any]:
        """What a study file says of it."""
        return {"paths": list(self.paths), "matrix": [list(row) for row in self.matrix]}


def _how(given: str) -> How:
    if not isinstance(given, str) or given not in list(How):
        raise InvalidInput(Problem("how", "one of set, add, scale", repr(given), hint=nearest(str(given), list(How))))
    return How(given)


def _distribution_of(given: Any) -> Distribution:
    from scipy.stats import rv_continuous, rv_discrete

    if not isinstance(getattr(given, "dist", None), rv_continuous | rv_discrete):
        hint = "a fixed value belongs in the mission" if isinstance(given, int | float) else "give its parameters: norm(0, 1)"
        raise InvalidInput(
            Problem("distribution", "a frozen distribution such as scipy.stats.norm(0, 1)", repr(given), hint=hint)
        )
    return Distribution.frozen(given)
