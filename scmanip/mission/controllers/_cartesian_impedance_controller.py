"""`controller = { type = "cartesian_impedance", ... }`."""

from __future__ import annotations

from typing import ClassVar, Literal

from ...control import CartesianImpedance
from ...guidance import PoseReference
from ..values._fields import Axes, Name, Positive, Weights
from ..values._kinds import SampleKind
from ._control import ControllerTable, LawClass


class CartesianImpedanceTable(ControllerTable):
    """`controller = { type = "cartesian_impedance", ... }`: the frame of a `reach` on springs and dampers, in any mode."""

    type: Literal["cartesian_impedance"]
    makes: ClassVar[LawClass] = CartesianImpedance
    K: Weights
    D: Weights
    sigma_0: Positive = 0.05
    axes: Axes | None = None
    frame: Name | None = None
    follows: ClassVar[tuple[SampleKind, ...]] = (PoseReference,)
    numbers: ClassVar[tuple[str, ...]] = ("K", "D", "sigma_0")
    unseen: ClassVar[tuple[str, ...]] = (*ControllerTable.unseen, "sigma_0")
