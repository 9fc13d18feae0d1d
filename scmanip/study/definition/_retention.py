"""Whose histories a study keeps."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from ...errors import expect
from ..rows._checks import check_whole


@dataclass(frozen=True)
class KeptWorst:
    """The `count` cases with the highest value of a metric, or with the lowest.

    Raises `InvalidInput` for what is no name, a count that is no whole number from 1, and a `lowest` that is neither true nor
    false.

    >>> KeptWorst("base_rotation_deg", 3).lowest
    False
    """

    metric: str
    count: int
    lowest: bool = False

    def __post_init__(self) -> None:
        expect("metric", self.metric, str, "the name of a metric")
        check_whole("count", self.count, 1)
        expect("lowest", self.lowest, bool, "true or false")


@dataclass(frozen=True)
class Keep:
    """Whose histories are kept.

    nominal : that of the case that varies nothing
    worst : those of the worst cases
    failed : those of so many cases that did not complete, the first ones; True for all

    Raises `InvalidInput` for a `nominal` that is neither true nor false, a `worst` that is no `KeptWorst`, and a `failed` that
    is neither true, false nor a whole number from 0.

    >>> Keep(worst=KeptWorst("base_rotation_deg", 3), failed=2).table
    {'nominal': True, 'worst': {'metric': 'base_rotation_deg', 'count': 3, 'lowest': False}, 'failed': 2}
    """

    nominal: bool = True
    worst: KeptWorst | None = None
    failed: bool | int = False

    def __post_init__(self) -> None:
        expect("nominal", self.nominal, bool, "true or false")
        expect("worst", self.worst, KeptWorst | None, "a KeptWorst, or None")
        expect("failed", self.failed, bool | int, "true, false, or how many")
        if not isinstance(self.failed, bool):
            check_whole("failed", self.failed, 0)

    @property
    def table(self) -> dict[str, Any]:
        """What a study file says of it."""
        worst = {} if self.worst is None else {"worst": asdict(self.worst)}
        return {"nominal": self.nominal, **worst, "failed": self.failed}
