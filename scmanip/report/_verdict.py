"""One quantity of a run against its limit."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Verdict:
    """A number of a run, and whether it may be that large.

    name : a key, such as "system_com_drift"
    meaning : the same in words
    value, unit : largest value of the run, SI; `unit` is empty for a ratio
    limit : same unit; None where nothing was asked
    where : joint and time of the largest value, or empty
    shown_in : unit for tables where that is another one than usual: "rpm"
    """

    name: str
    meaning: str
    value: float
    unit: str
    limit: float | None = None
    where: str = ""
    shown_in: str = ""

    @property
    def passed(self) -> bool:
        """Whether the value keeps its limit: always where there is none, never where the value is not a number."""
        return self.limit is None or self.value <= self.limit
