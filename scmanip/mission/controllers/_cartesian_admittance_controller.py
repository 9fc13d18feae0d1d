"""`{ type = "cartesian_admittance", ... }`."""

from __future__ import annotations

from typing import ClassVar, Literal

from ...control import CartesianAdmittance, is_direct
from ...guidance import PoseReference
from ...modes import FixedBase, ManoeuvreMode
from ..values._fields import Axes, Weights
from ..values._kinds import SampleKind
from ._control import LawClass, WrapperTable


class CartesianAdmittanceTable(WrapperTable):
    """`{ type = "cartesian_admittance", ... }`: the frame of the law after it gives way to what pushes it."""

    type: Literal["cartesian_admittance"]
    makes: ClassVar[LawClass] = CartesianAdmittance
    mass: Weights
    D: Weights
    K: Weights
    axes: Axes | None = None
    follows: ClassVar[tuple[SampleKind, ...]] = (PoseReference,)
    numbers: ClassVar[tuple[str, ...]] = ("mass", "D", "K")

    @classmethod
    def fits(cls, mode: ManoeuvreMode) -> bool:
        """Whether forces act on joints and base as they are commanded, and the base gives way."""
        return is_direct(mode) and not isinstance(mode, FixedBase)
