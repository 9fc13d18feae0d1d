"""How far a run strays from one law that its mode promises."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...spatial import Array

KEPT = 1e-3
"""What may be left of a law that counts as kept, in parts of what it balances.

Runs at the default tolerance leave 1e-9 and less. Tables show four digits; beyond a thousandth not even three of a momentum or
an energy are right.
"""


@dataclass(frozen=True, eq=False)
class Residual:
    """One law of a contract, checked at every sample.

    name, meaning : what should vanish, in a word and in a phrase
    unit : of the value
    series : (n,) deviation at every sample, in that unit
    scale : what the deviation is measured against, same unit
    scale_meaning : what the scale is, in a phrase
    external : (n,) by how much the environment, whose share is not in the series, broke the law; None in free space
    bound : the largest deviation with which the law counts as kept, same unit; None for a thousandth of the scale

    >>> momentum = history.residuals["momentum"]
    >>> momentum.meaning, momentum.unit, momentum.kept
    ('linear momentum P - P(0)', 'N s', True)
    >>> wrong = Residual.of("energy", "energy less work", "J", np.array([0.0, 0.2]), 10.0, "kinetic energy")
    >>> wrong.relative, wrong.kept
    (0.02, False)
    """

    name: str
    meaning: str
    unit: str
    series: Array
    scale: float
    scale_meaning: str
    external: Array | None = None
    bound: float | None = None

    @classmethod
    def of(
        cls,
        name: str,
        meaning: str,
        unit: str,
        deviation: Array,
        scale: float,
        scale_meaning: str,
        external: Array | None = None,
        bound: float | None = None,
    ) -> Residual:
        """Return the residual of a deviation (n,) or, in one frame, (n, 3), of which the norm counts.

        external : of the same shape, the part of the deviation that the environment caused; None in free space
        """
        if external is None:
            return cls(name, meaning, unit, norms(deviation), float(scale), scale_meaning, None, bound)
        rest, meaning = norms(deviation - external), f"{meaning}, less what the environment gave"
        return cls(name, meaning, unit, rest, float(scale), scale_meaning, norms(external), bound)

    @property
    def value(self) -> float:
        """Largest deviation of the run, in its unit; NaN when a sample is not finite."""
        return float(self.series.max())

    @property
    def relative(self) -> float:
        """`value / scale`; 0 when both are 0."""
        return self._measured(self.value)

    @property
    def kept(self) -> bool:
        """Whether the law was kept: nowhere a deviation beyond the bound, or one that is no number."""
        return self.value <= self.most

    @property
    def most(self) -> float:
        """The largest deviation with which the law counts as kept."""
        return KEPT * self.scale if self.bound is None else self.bound

    @property
    def most_relative(self) -> float:
        """`most / scale`; 0 when both are 0."""
        return self._measured(self.most)

    @property
    def broken(self) -> float:
        """By how much the environment broke the law, at most, in its unit; 0 in free space."""
        return 0.0 if self.external is None else float(self.external.max())

    @property
    def broken_relative(self) -> float:
        """`broken / scale`; 0 when both are 0."""
        return self._measured(self.broken)

    def _measured(self, value: float) -> float:
        if value == 0:
            return 0.0
        return value / self.scale if self.scale else float("inf")

    def __repr__(self) -> str:
        broken = "" if self.external is None else f", environment broke it by {self.broken:.3g} {self.unit}"
        return f"Residual({self.name!r}, {self.value:.3g} {self.unit}, relative={self.relative:.3g}{broken})"


def norms(deviation: Array) -> Array:
    """Return the norm of every row of (n,) or (n, k), read-only."""
    found: Array = np.abs(deviation) if deviation.ndim == 1 else np.sqrt(squares(deviation.reshape(len(deviation), -1)))
    found.flags.writeable = False
    return found


def squares(rows: Array) -> Array:
    """Return the square of the norm of every row of (n, k), of short ones in half the time of `vecdot`.

    >>> squares(np.array([[3.0, 4.0], [1.0, 0.0]])).tolist()
    [25.0, 1.0]
    """
    found: Array = np.square(rows) @ np.ones(rows.shape[1])
    return found


def largest(rows: Array) -> Array:
    """Return the largest of each column of (n, k), in a fifth of the time that they take row by row.

    >>> largest(np.array([[3.0, 4.0], [1.0, 5.0]])).tolist()
    [3.0, 5.0]
    """
    found: Array = np.ascontiguousarray(rows.T).max(axis=1)
    return found
