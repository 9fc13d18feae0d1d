"""One case of a study, and what became of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

Value = float | str | bool | tuple[float, ...]


@dataclass(frozen=True)
class Case:
    """What is set for one run.

    number : from 0; the nominal case of the study, which varies nothing, is not among them
    design, repeat : number of the design point, and of the draw at that point; number = design * repeats + repeat
    values : by path, such as "system.body.link3.mass_kg" or "phase.slew.controller.K_P", what it is set to

    >>> plan.case(1)
    Case(number=1, design=1, repeat=0, values={'side': 2.0})
    """

    number: int
    design: int
    repeat: int
    values: Mapping[str, Value]


class Status(StrEnum):
    """How a case ended. Anything but COMPLETED comes with a reason, and with metrics that are NaN where there are none.

    >>> [status.value for status in Status]
    ['completed', 'diverged', 'failed', 'refused', 'quarantined']
    """

    COMPLETED = "completed"
    DIVERGED = "diverged"
    FAILED = "failed"
    REFUSED = "refused"
    QUARANTINED = "quarantined"


@dataclass(frozen=True)
class Row:
    """What became of a case.

    metrics : by name, in its unit, NaN where the case has none
    reason : why it did not complete, or what is to be known of how it was computed; otherwise nothing

    >>> recipe.rows([plan.case(1)])[0].status.value
    'completed'
    """

    case: Case
    status: Status
    metrics: Mapping[str, float]
    reason: str = ""


def width_of(value: Value) -> int | None:
    """Return how many numbers a value has, None for a single number or text."""
    return len(value) if isinstance(value, tuple) else None


def columns_of(path: str, width: int | None) -> list[str]:
    """Return the names of the columns of a value: its path, or path[0], path[1] ..."""
    return [path] if width is None else [f"{path}[{k}]" for k in range(width)]
