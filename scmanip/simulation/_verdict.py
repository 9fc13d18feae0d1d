"""An outcome with its advice."""

from __future__ import annotations

from dataclasses import dataclass

from ._outcome import Outcome


@dataclass(frozen=True)
class Ending:
    """`outcome` of a run and one sentence of `advice`, empty when the run completed."""

    outcome: Outcome
    advice: str = ""
