"""`controller = { type = "quiet_base", ... }`."""

from __future__ import annotations

from typing import ClassVar, Literal

from ...control import QuietBase
from ...guidance import JointReference, PoseReference
from ...modes import FixedBase, ManoeuvreMode
from ..values._fields import Axes, NotNegative, Positive
from ..values._kinds import SampleKind
from ._base_law import PosedTable
from ._control import ControllerTable, LawClass


class QuietBaseTable(PosedTable):
    """`controller = { type = "quiet_base", ... }`: the base is held, by the arm where nothing else turns it."""

    type: Literal["quiet_base"]
    makes: ClassVar[LawClass] = QuietBase
    K_P: NotNegative = 1.0
    K_D: NotNegative = 2.0
    sigma_0: Positive = 0.005
    axes: Axes | None = None
    follows: ClassVar[tuple[SampleKind, ...]] = (JointReference, PoseReference)
    numbers: ClassVar[tuple[str, ...]] = ("K_P", "K_D", "sigma_0", "pose")
    unseen: ClassVar[tuple[str, ...]] = (*ControllerTable.unseen, "sigma_0")

    @classmethod
    def fits(cls, mode: ManoeuvreMode) -> bool:
        return not isinstance(mode, FixedBase)
