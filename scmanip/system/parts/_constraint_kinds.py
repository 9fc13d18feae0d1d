"""The kinds of constraints that a file can name."""

from __future__ import annotations

from typing import Any

from ...constraints import (
    Constraint,
    Coupling,
    KnifeEdge,
    Lock,
    PointOnPlane,
    PointOnPoint,
    Rolling,
    Speed,
    Weld,
)
from ...plugins import Kinds
from ._loop import Loop

_OWN: dict[str, type[Constraint]] = {
    kind.kind: kind for kind in (Lock, Weld, PointOnPoint, PointOnPlane, Loop, Coupling, KnifeEdge, Rolling, Speed)
}


def _made(word: str, given: Any) -> type[Constraint] | None:
    return given if isinstance(given, type) and issubclass(given, Constraint) and given.kind == word else None


CONSTRAINT_KINDS: Kinds[type[Constraint]] = Kinds(
    "scmanip.constraints", "constraint.type", lambda: _OWN, _made, "a Constraint with kind = {name!r}"
)
