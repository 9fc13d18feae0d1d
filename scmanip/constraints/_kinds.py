"""The kinds of constraints that there are."""

from __future__ import annotations

from typing import Any

from ..plugins import Kinds
from ._constraint import Constraint
from ._coupling import Coupling
from ._knife_edge import KnifeEdge
from ._lock import Lock
from ._plane import PointOnPlane
from ._point import PointOnPoint
from ._rolling import Rolling
from ._speed import Speed
from ._weld import Weld

OWN: tuple[type[Constraint], ...] = (Lock, Weld, PointOnPoint, PointOnPlane, Coupling, KnifeEdge, Rolling, Speed)


def _made(word: str, given: Any) -> type[Constraint] | None:
    return given if isinstance(given, type) and issubclass(given, Constraint) and given.kind == word else None


CONSTRAINT_KINDS: Kinds[type[Constraint]] = Kinds(
    "scmanip.constraints",
    "constraint.type",
    lambda: {kind.kind: kind for kind in OWN},
    _made,
    "a Constraint with kind = {name!r}",
)
