"""A joint beyond one of its limits."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ...errors import checked


@checked
@dataclass(frozen=True)
class LimitPassage:
    """A stretch of a run in which a coordinate was beyond a limit that the system file gives it.

    coordinate : its name, that of the joint where that has one
    side : "lower" or "upper"
    limit, unit : of the file [rad or m]
    t_s, t_back_s : when it passed the limit, 0 where it was beyond from the start, and when it came back, None where it did not
    excess : how far it was beyond at most, in that unit
    t_excess_s : when that was

    >>> passage = LimitPassage("elbow", "upper", 1.0, "rad", t_s=2.0, t_back_s=None, excess=0.1, t_excess_s=3.0)
    >>> str(passage)
    "'elbow' was beyond its upper limit 1 rad from t = 2 s to the end, by 0.1 rad at most, at t = 3 s"
    """

    coordinate: str
    side: str
    limit: float
    unit: str
    t_s: float
    t_back_s: float | None
    excess: float
    t_excess_s: float

    def later(self, start_s: float) -> LimitPassage:
        """Return it on a clock that shows `start_s` when its own starts."""
        back = None if self.t_back_s is None else self.t_back_s + start_s
        return replace(self, t_s=self.t_s + start_s, t_back_s=back, t_excess_s=self.t_excess_s + start_s)

    def __str__(self) -> str:
        back = "the end" if self.t_back_s is None else f"t = {self.t_back_s:.9g} s"
        limit = f"its {self.side} limit {self.limit:g} {self.unit}"
        return (
            f"'{self.coordinate}' was beyond {limit} from t = {self.t_s:.9g} s to {back}, "
            f"by {self.excess:.4g} {self.unit} at most, at t = {self.t_excess_s:.6g} s"
        )
