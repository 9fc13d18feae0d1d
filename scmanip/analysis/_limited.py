"""What a peak leaves of its limit."""

from __future__ import annotations


class Limited:
    """A largest value beside what is allowed, same unit; the limit is infinite where there is none."""

    peak: float
    limit: float

    @property
    def used(self) -> float:
        """Share of the limit that was used; 0 where there is none, NaN where the peak is no number."""
        return self.peak / self.limit

    @property
    def margin(self) -> float:
        """What is left of the limit; negative beyond it."""
        return self.limit - self.peak
