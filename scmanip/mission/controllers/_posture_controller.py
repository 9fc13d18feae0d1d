"""`controller = { type = "posture", ... }`."""

from __future__ import annotations

from typing import ClassVar, Literal

from ...control import Posture
from ...guidance import JointReference, PoseReference
from ..values._fields import Gain
from ..values._kinds import SampleKind
from ._control import ControllerTable, LawClass


class PostureTable(ControllerTable):
    """`controller = { type = "posture", ... }`: joints along the guidance, beside a `reach` where the phase finds them."""

    type: Literal["posture"]
    makes: ClassVar[LawClass] = Posture
    K_P: Gain = 1.0
    K_D: Gain = 2.0
    follows: ClassVar[tuple[SampleKind, ...]] = (JointReference, PoseReference)
    numbers: ClassVar[tuple[str, ...]] = ("K_P", "K_D")
