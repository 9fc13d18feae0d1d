"""A law whose commands arrive a number of samples late, as equations."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from math import ceil
from typing import Any

import numpy as np

from ..spatial import Array
from ..symbolic import less, minimum, select
from ._controller import Controller, Wrapper
from ._recorded_law import RecordedLaw, RecordedWrapper, recorded_law

CLOSE = 1e-9  # of a delay; one so close to a whole number of samples is that


class DelayedBySamples(Wrapper):
    """`law`, whose command (size,) is given `samples` > 0 of its samples later, between two of them on the straight line."""

    def __init__(self, law: Controller, samples: float, size: int) -> None:
        whole = round(samples)
        self.law, self.size = law, size
        self.samples = float(whole) if whole and abs(samples - whole) < CLOSE * samples else samples

    def recorded(self) -> RecordedLaw | None:
        """Return the law as equations, where that inside can be."""
        inner = recorded_law(self.law)
        return None if inner is None or inner.flows else _Recorded(inner, self.samples, self.size)

    def __repr__(self) -> str:
        return f"DelayedBySamples({self.law!r}, samples={self.samples:g}, size={self.size})"


@dataclass(frozen=True, eq=False)
class _Recorded(RecordedWrapper):
    """It remembers how often it was asked, up to the delay, the commands since, latest first, and what the law inside does."""

    inner: RecordedLaw
    samples: float
    size: int

    @property
    def key(self) -> Hashable:
        return "delayed by samples", self.samples, self.size, self.inner.key

    @property
    def remembers(self) -> int:
        return self._own + self.inner.remembers

    @property
    def _own(self) -> int:
        return 1 + ceil(self.samples) * self.size

    def begins(self, x: Array, numbers: Mapping[str, Array]) -> Array:
        return np.concatenate([np.zeros(self._own, dtype=int), self.inner.begins(x, numbers)])

    def said(self, x: Array, wanted: Any, numbers: Mapping[str, Array], memory: Array) -> tuple[Array, Array]:
        found, inner = self.inner.said(x, wanted, numbers, memory[self._own :])
        oldest, count, part = ceil(self.samples), memory[0], ceil(self.samples) - self.samples
        commands = np.vstack([found, memory[1 : self._own].reshape(oldest, self.size)])
        due = (1 - part) * commands[oldest] + part * commands[oldest - 1]
        given = np.asarray(select(less(count, self.samples), 0 * due, due))
        return given, np.concatenate([[minimum(count + 1, float(oldest))], commands[:oldest].ravel(), inner])
