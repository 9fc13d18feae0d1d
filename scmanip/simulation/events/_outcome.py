"""How a run ended."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from ...errors import ConstraintRankLoss, InconsistentConstraints, SingularInertia

LOST = SingularInertia, ConstraintRankLoss, InconsistentConstraints
"""Errors of states that have no accelerations."""


class Outcome(StrEnum):
    """How a run ended; `history.advice` says where and what would help. Whatever was computed is kept.

    COMPLETED : the end time was reached
    DIVERGED : a speed ran away, beyond 2000 times the fastest initial speed or 2000 rad/s (m/s), whichever is larger
    STALLED : the integrator's step shrank to nothing or to a crawl, its allowance of steps was used up, or constraints were
        switched again and again without an end
    NOT_FINITE : the controller or the dynamics gave numbers that are not finite
    EVENT : an event that ends runs happened; `history.advice` names it and the time
    TIMEOUT : a phase of a mission waited for an event that did not happen
    UNMET : a constraint was to be imposed that cannot hold there
    UNDECIDED : rigid contacts or an impact allow no motion from there on, or several
    INFEASIBLE : a law found no command that keeps the limits which it obeys
    SINGULAR : the inertia matrix could not be inverted, a gimbal went into lock, where it cannot, or constraints lost rank

    >>> history.outcome is Outcome.COMPLETED, str(Outcome.NOT_FINITE)
    (True, 'not finite')
    """

    COMPLETED = "completed"
    DIVERGED = "diverged"
    STALLED = "stalled"
    NOT_FINITE = "not finite"
    SINGULAR = "singular"
    INFEASIBLE = "infeasible"
    EVENT = "event"
    TIMEOUT = "timeout"
    UNMET = "unmet"
    UNDECIDED = "undecided"


@dataclass(frozen=True)
class Ending:
    """`outcome` of a run and one sentence of `advice`, empty when the run completed."""

    outcome: Outcome
    advice: str = ""
