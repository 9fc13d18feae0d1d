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
    shown_in : unit for tables where that is another one than usual: "rpm" or "mm"
    saturated : whether an actuator was held at the limit, which it then did not keep by itself
    """

    name: str
    meaning: str
    value: float
    unit: str
    limit: float | None = None
    where: str = ""
    shown_in: str = ""
    saturated: bool = False

    @property
    def passed(self) -> bool:
        """Whether the value keeps its limit: always where there is none, never where it is not a number or was held there."""
        return self.limit is None or (self.value <= self.limit and not self.saturated)
