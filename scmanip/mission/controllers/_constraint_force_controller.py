"""`controller = { type = "constraint_force", ... }`."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from pydantic import BeforeValidator, Field

from ...control import ConstraintForce
from ...guidance import JointReference, PoseReference
from ..values._fields import Name, Names, Positive, are_numbers, is_number
from ..values._kinds import SampleKind
from ._control import ControllerTable, LawClass


def _force(value: Any) -> Any:
    if not (is_number(value) or are_numbers(value)):
        raise ValueError("a number, or a list with one per row")
    return value


Force = Annotated[Any, BeforeValidator(_force), Field(description="a number, or a list with one per row")]


class ConstraintForceTable(ControllerTable):
    """`controller = { type = "constraint_force", ... }`: a constraint that holds gives a wanted force [N, N m]."""

    type: Literal["constraint_force"]
    makes: ClassVar[LawClass] = ConstraintForce
    constraint: Name
    force: Force = 0.0
    rows: Names | None = None
    sigma_0: Positive = 1e-3
    follows: ClassVar[tuple[SampleKind, ...]] = (JointReference, PoseReference)
    numbers: ClassVar[tuple[str, ...]] = ("force", "sigma_0")
    unseen: ClassVar[tuple[str, ...]] = (*ControllerTable.unseen, "sigma_0")
