"""Equations of a law whose memory flows, where it looks now and then."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any

from ..spatial import Array
from ._recorded_law import RecordedLaw, RecordedWrapper


@dataclass(frozen=True, eq=False)
class RecordedSteps(RecordedWrapper):
    """`inner` with memory m that goes from one look to the next by Euler's rule, m + m' / rate_Hz."""

    inner: RecordedLaw
    rate_Hz: float
    flows = False

    @property
    def key(self) -> Hashable:
        """That of the law inside, and the rate."""
        return "stepped", self.rate_Hz, self.inner.key

    def said(self, x: Array, wanted: Any, numbers: Mapping[str, Array], memory: Array) -> tuple[Array, Array]:
        command, rate = self.inner.said(x, wanted, numbers, memory)
        return command, memory + rate / self.rate_Hz

    def unwound(
        self, x: Array, wanted: Any, numbers: Mapping[str, Array], memory: Array, after: Array, missing: Array
    ) -> Array:
        """Return what comes next by the rates of the law inside where `missing` was cut off."""
        rate = (after - memory) * self.rate_Hz
        return memory + self.inner.unwound(x, wanted, numbers, memory, rate, missing) / self.rate_Hz
