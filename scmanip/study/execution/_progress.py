"""How far a study is."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass

from ._folder import StudyFolder


@dataclass(frozen=True)
class Progress:
    """How far a study is.

    done, total : cases with a row, earlier ones included, and cases of the study
    failed : how many of those done did not complete
    rate_per_s, left_s : cases per second since this driver began, and the time that the rest takes at this rate

    >>> seen = []
    >>> outcome = run_study(plan, recipe, "watched", executor="serial", progress=seen.append)
    >>> seen[-1].done, seen[-1].total
    (3, 3)
    """

    done: int
    total: int
    failed: int
    rate_per_s: float
    left_s: float

    def __str__(self) -> str:
        left = f", {self.left_s:.0f} s to go" if math.isfinite(self.left_s) else ""
        return f"{self.done} of {self.total} cases{left}"


class Reporter:
    """Tells a callback about progress after every block."""

    def __init__(self, folder: StudyFolder, tell: Callable[[Progress], object] | None) -> None:
        self._folder = folder
        self._tell = tell
        self._found = folder.done
        self._begun = time.perf_counter()

    def now(self) -> None:
        """Tell where the study is."""
        if self._tell is None:
            return
        done, total = self._folder.done, len(self._folder.codes)
        rate = (done - self._found) / max(time.perf_counter() - self._begun, 1e-9)
        left = (total - done) / rate if rate else float("inf")
        self._tell(Progress(done, total, self._folder.failures(), rate, 0.0 if done == total else left))
