"""`controller = { type = "passivity_adaptive", ... }`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal

from ...analysis import SuggestedGains
from ...control import PassivityAdaptive, is_direct
from ...modes import ManoeuvreMode
from ..values._fields import Gain, NotNegative, Weights
from ._base_law import PosedTable
from ._control import LawClass


class PassivityAdaptiveTable(PosedTable):
    """`controller = { type = "passivity_adaptive", ... }`: joints and base are led with masses that are learnt as that asks."""

    type: Literal["passivity_adaptive"]
    makes: ClassVar[LawClass] = PassivityAdaptive
    K_D: Gain
    base_K_D: Weights
    gamma: NotNegative
    Lambda: Gain = 1.0
    base_Lambda: Weights = 1.0
    numbers: ClassVar[tuple[str, ...]] = ("K_D", "base_K_D", "gamma", "Lambda", "base_Lambda", "pose")
    begins: ClassVar[Mapping[str, str]] = {
        "K_D": "omega times what each joint weighs, and less as they are coupled",
        "base_K_D": "omega times what each speed of the base weighs, the most where it is not led, less as they are coupled",
        "gamma": "one over the energy of an error that actuators bear, which moves what is learnt by about its own size",
    }

    @classmethod
    def beginning(cls, gains: SuggestedGains) -> dict[str, float | list[float]]:
        """Return gains with which s decays as fast as the plant allows, and one that learns within that [Slotine1987]."""
        omega, most = gains.apart * gains.bandwidth_rad_s, max(gains.weighs.values())
        base = [omega * (one or most) for one in gains.of_base]
        return {"K_D": [omega * one for one in gains.of_joints], "base_K_D": base, "gamma": 1 / gains.energy}

    @classmethod
    def fits(cls, mode: ManoeuvreMode) -> bool:
        """Whether forces act on joints and base as it gives them."""
        return is_direct(mode)
