"""How far a run strays from one law that its mode promises."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..spatial import Array


@dataclass(frozen=True, eq=False)
class Residual:
    """One law of a contract, checked at every sample.

    name, meaning : what should vanish, in a word and in a phrase
    unit : of the value
    series : (n,) deviation at every sample
    scale : what the deviation is measured against, same unit
    scale_meaning : what the scale is, in a phrase
    """

    name: str
    meaning: str
    unit: str
    series: Array
    scale: float
    scale_meaning: str

    @classmethod
    def of(cls, name: str, meaning: str, unit: str, deviation: Array, scale: float, scale_meaning: str) -> Residual:
        """Return the residual of a deviation (n,) or (n, 3), of which the norm counts."""
        series = np.linalg.norm(deviation.reshape(len(deviation), -1), axis=1)
        series.flags.writeable = False
        return cls(name, meaning, unit, series, float(scale), scale_meaning)

    @property
    def value(self) -> float:
        """Largest deviation of the run; NaN when a sample is not finite."""
        return float(self.series.max())

    @property
    def relative(self) -> float:
        """`value / scale`; 0 when both are 0."""
        if self.value == 0:
            return 0.0
        return self.value / self.scale if self.scale else float("inf")

    def __repr__(self) -> str:
        return f"Residual({self.name!r}, {self.value:.3g} {self.unit}, relative={self.relative:.3g})"
