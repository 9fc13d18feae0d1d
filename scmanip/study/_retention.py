"""Whose histories a study keeps."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from ..errors import InvalidInput, Problem


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
class Keep:
    """Whose histories are kept.

    nominal : that of the case that varies nothing
    worst : those of the worst cases
    failed : those of so many cases that did not complete, the first ones; True for all
    """

    nominal: bool = True
    worst: KeptWorst | None = None
    failed: bool | int = False

    @property
    def table(self) -> dict[str, Any]:
        """What a study file says of it."""
        worst = {} if self.worst is None else {"worst": asdict(self.worst)}
        return {"nominal": self.nominal, **worst, "failed": self.failed}
