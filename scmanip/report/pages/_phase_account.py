"""What a page tells of one phase of a run."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ._page import TextTable


@dataclass(frozen=True)
class PhaseAccount:
    """A phase as it was flown, in words.

    name, mode, law, motion : what it is called, how it was flown, by which law, along what
    settings : gains and the like of the law
    equations : of the law, by the names of `equations_used`
    start_s, end_s : when it began and ended, in mission time [s]
    ending : a sentence on how it ended
    held : names of the constraints that held where it began

    >>> told = ("slew", "floating", "ComputedTorque", "JointSequence", "K_P = 1", (), 0.0, 2.0, "its time was up")
    >>> slew = PhaseAccount(*told)  # `mission.Run.phases` has one of each phase
    >>> slew.end_s - slew.start_s, slew.held
    (2.0, ())
    """

    name: str
    mode: str
    law: str
    motion: str
    settings: str
    equations: tuple[str, ...]
    start_s: float
    end_s: float
    ending: str
    held: tuple[str, ...] = ()


def phase_table(phases: Sequence[PhaseAccount]) -> TextTable:
    """Return the table of the phases of a run."""
    words = [(in_words(p.law), in_words(p.motion), p) for p in phases]
    rows = [
        (p.name, p.mode, law, motion, f"{p.start_s:.9g} s", f"{p.end_s:.9g} s", p.ending, ", ".join(p.held))
        for law, motion, p in words
    ]
    headings = ("phase", "mode", "law", "motion", "from", "to", "how it ended", "constrained by")
    kept = len(headings) if any(p.held for p in phases) else -1
    return TextTable("phases", "What was flown", headings[:kept], tuple(row[:kept] for row in rows))


def gain_table(phases: Sequence[PhaseAccount]) -> TextTable:
    """Return the table of the gains and settings of the laws of a run."""
    rows = tuple((p.name, p.settings) for p in phases)
    return TextTable(
        "gains", "Gains and settings of the laws, with those of what they wrap", ("phase", "gains and settings"), rows
    )


def in_words(kind: str) -> str:
    """Return what a class is called, and what it wraps, as words: "Sampled(JointRegulator)" as "sampled (joint regulator)"."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", kind).replace("(", " (")
    return re.sub(r"\b[A-Z][a-z]", lambda found: found[0].lower(), words)
