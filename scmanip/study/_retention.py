"""What a study keeps of its cases, and when it may end early, as its definition says so."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

from ..errors import InvalidInput, Problem
from ._quantities import SuccessOf, quantity
from ._stop import UntilDecided, UntilInterval
from ._success import Allowed


@dataclass(frozen=True)
class KeptWorst:
    """The `count` cases with the highest value of a metric, or with the lowest."""

    metric: str
    count: int
    lowest: bool = False

    def __post_init__(self) -> None:
        if isinstance(self.count, bool) or not isinstance(self.count, int) or self.count < 1:
            raise InvalidInput(Problem("count", "a whole number of 1 or more", repr(self.count)))


@dataclass(frozen=True)
class Retention:
    """Whose histories are kept: the nominal case's, the worst ones', those of cases that did not complete."""

    nominal: bool = True
    worst: KeptWorst | None = None
    failed: bool = False

    @property
    def table(self) -> dict[str, Any]:
        """What a study file says of it."""
        worst = {} if self.worst is None else {"worst": asdict(self.worst)}
        return {"nominal": self.nominal, **worst, "failed": self.failed}


@dataclass(frozen=True, kw_only=True)
class WhenNarrow:
    """End when the interval of a quantity is narrow enough.

    of : "<metric>.p95" or another percentile, "<metric>.mean", or "success", the probability that all limits are kept
    half_width : of the interval, in `unit`, that of the metric; "1" for "success"
    confidence, at_least : of the interval; the number of cases before which the study does not end
    """

    of: str
    half_width: float
    unit: str
    confidence: float = 0.9
    at_least: int = 100

    def __post_init__(self) -> None:
        _check(self.confidence, "confidence")
        if not 0 < self.half_width < math.inf:
            raise InvalidInput(Problem("half_width", "a number > 0", f"{self.half_width}"))
        if self.at_least < 1:
            raise InvalidInput(Problem("at_least", "a whole number of 1 or more", f"{self.at_least}"))

    @property
    def table(self) -> dict[str, Any]:
        """What a study file says of it."""
        return {"type": "narrow", **asdict(self), "half_width": float(self.half_width)}

    def rule(self, allowed: Allowed) -> UntilInterval:
        """Return the rule; `allowed`: ranges by metric."""
        of = SuccessOf(allowed) if self.of == "success" else quantity(self.of)
        return UntilInterval(of, self.half_width, self.confidence, self.at_least)


@dataclass(frozen=True, kw_only=True)
class WhenDecided:
    """End when runs have shown that all limits are kept with a probability, or that they cannot show it any more.

    probability, confidence : what is to be shown
    failures : how many the number of runs provides for
    """

    probability: float
    confidence: float = 0.9
    failures: int = 0

    def __post_init__(self) -> None:
        _check(self.probability, "probability")
        _check(self.confidence, "confidence")
        if self.failures < 0:
            raise InvalidInput(Problem("failures", "a whole number of 0 or more", f"{self.failures}"))

    @property
    def table(self) -> dict[str, Any]:
        """What a study file says of it."""
        return {"type": "decided", **asdict(self)}

    def rule(self, allowed: Allowed) -> UntilDecided:
        """Return the rule; `allowed`: ranges by metric."""
        return UntilDecided(allowed, self.probability, self.confidence, self.failures)


StopWhen = WhenNarrow | WhenDecided


def _check(share: float, name: str) -> None:
    if not 0 < share < 1:
        raise InvalidInput(Problem(name, "a number between 0 and 1", f"{share}"))
