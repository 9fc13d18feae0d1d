"""Outcomes as text and as data."""

from __future__ import annotations

from typing import Any

from .trial import Outcome

ENOUGH = 0.95  # of the errors, the survivors with a reason among them


def line(outcome: Outcome) -> str:
    """Return one outcome in one line."""
    error = outcome.error
    seen = f" by {outcome.test}" if outcome.caught else ""
    reason = f" (expected: {error.survives})" if error.survives else ""
    return f"{outcome.seconds:6.1f} s  {error.room}: {error.name}: {outcome.found.value}{seen}{reason}"


def record(outcome: Outcome) -> dict[str, Any]:
    """Return one outcome as data."""
    error = outcome.error
    return {
        "room": error.room, "name": error.name, "file": error.file, "found": outcome.found.value, "caught": outcome.caught,
        "test": outcome.test, "said": outcome.said, "seconds": round(outcome.seconds, 2), "survives": error.survives,
    }  # fmt: skip


def share_caught(outcomes: list[Outcome]) -> float:
    """Return which part of the errors was caught."""
    return sum(outcome.caught for outcome in outcomes) / max(1, len(outcomes))


def summary(outcomes: list[Outcome]) -> str:
    """Return the counts of every room, and all that was not caught."""
    rooms = dict.fromkeys(outcome.error.room for outcome in outcomes)
    lines = ["", "room          planted  caught  seconds"]
    for name, some in [*((room, [o for o in outcomes if o.error.room == room]) for room in rooms), ("all", outcomes)]:
        caught, seconds = sum(o.caught for o in some), sum(o.seconds for o in some)
        lines.append(f"{name:12} {len(some):8d} {caught:7d} {seconds:8.0f}")
    lines += ["", f"{100 * share_caught(outcomes):.1f} % caught"]
    for outcome in outcomes:
        if not outcome.caught:
            reason = outcome.error.survives or "NO REASON GIVEN"
            lines.append(f"- {outcome.error.room}: {outcome.error.name}: {outcome.found.value}: {reason}")
        elif outcome.error.survives:
            lines.append(f"- {outcome.error.room}: {outcome.error.name}: caught after all, so its reason is out of date")
    return "\n".join(lines)
