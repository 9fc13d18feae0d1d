"""One trial: a text is refused as it should be, or agrees; how long that takes; what came of many."""

from __future__ import annotations

import signal
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType
from typing import Any

from scmanip.errors import InvalidInput, ScmanipError

PATIENCE_S = 20.0  # of processor time; what takes longer hangs


class Disagreement(Exception):
    """scmanip takes a text for something else than the second reader does."""


class Hang(Exception):
    """A reader does not come to an end."""


@dataclass
class Tally:
    """What came of the trials of a room.

    slow : processor time [s] of refused files that took more than a second
    """

    refused: int = 0
    accepted: int = 0
    failures: list[str] = field(default_factory=list)
    slow: list[tuple[float, str]] = field(default_factory=list)
    longest_s: float = 0.0
    reasons: Counter[str] = field(default_factory=Counter)

    def __str__(self) -> str:
        counts = f"{self.refused + self.accepted} files: {self.refused} refused, {self.accepted} accepted and read alike"
        slow = f"{len(self.slow)} refused after more than 1 s (longest {self.longest_s:.2f} s)"
        return f"{counts}, {len(self.failures)} failures, {slow}"


def agree(what: str, ours: object, theirs: object) -> None:
    """Raise `Disagreement` for values that are not the same."""
    if ours != theirs:
        raise Disagreement(f"{what}: scmanip has {ours!r:.200}, the file says {theirs!r:.200}")


def floats(written: Any) -> Any:
    """What a file says, numbers as the floats nearest to them."""
    if isinstance(written, list):
        return list(map(floats, written))
    return written if written is None or isinstance(written, str | bool) else float(written)


def close(what: str, ours: object, theirs: object) -> None:
    """The same of numbers, to the last digits."""
    import numpy as np

    a, b = np.asarray(ours, float), np.asarray(theirs, float)
    if a.shape != b.shape or not np.allclose(a, b, rtol=1e-12, atol=1e-15 * (1 + np.max(np.abs(b), initial=0.0))):
        raise Disagreement(f"{what}: scmanip has {ours!r:.200}, the file says {theirs!r:.200}")


def attempt(tally: Tally, name: str, text: str, check: Callable[[str], None], *, placed: bool = True) -> None:
    """Check a text, which may be refused, and note what came of it; placed : its problems have lines."""
    began = time.process_time()
    try:
        with _patience(), warnings.catch_warnings():
            warnings.simplefilter("error", RuntimeWarning)
            check(text)
        tally.accepted += 1
        return
    except InvalidInput as error:
        spent = time.process_time() - began
        tally.refused += 1
        tally.longest_s = max(tally.longest_s, spent)
        if spent > 1.0:
            tally.slow.append((spent, name))
        tally.failures += [f"{name}: {wrong}" for wrong in _vague(error, placed)]
    except ScmanipError:
        tally.refused += 1
    except Exception:
        tally.failures.append(f"{name}: {traceback.format_exc(limit=-4)}")


def _vague(error: InvalidInput, placed: bool) -> Iterator[str]:
    """Yield problems that do not say where they are."""
    parsed = error.problems[0].key not in ("syntax", "file")
    for problem in error.problems[:50]:
        if not (problem.key and problem.expected and problem.found):
            yield f"a problem without key, expected or found: {problem!r:.300}"
        elif placed and parsed and not (problem.file and problem.line) and problem.key != "file":
            yield f"a problem without file and line: {problem!r:.300}"


@contextmanager
def _patience() -> Iterator[None]:
    def ring(number: int, frame: FrameType | None) -> None:
        raise Hang(f"after {PATIENCE_S:g} s")

    before = signal.signal(signal.SIGVTALRM, ring)
    signal.setitimer(signal.ITIMER_VIRTUAL, PATIENCE_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
