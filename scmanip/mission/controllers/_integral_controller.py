"""`{ type = "integral", K_I = ... }`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal

from ...analysis import SuggestedGains
from ...control import Controller, Integral
from ...dynamics import Model
from ...guidance import JointReference
from ...modes import ManoeuvreMode
from ...plant import Plant
from ..values._fields import Gain
from ..values._kinds import SampleKind
from ._control import WrapperTable

SHARE = 0.1  # of the least K_I with which s^3 + K_D s^2 + K_P s + K_I / m is not stable (Routh)


class IntegralTable(WrapperTable):
    """`{ type = "integral", K_I = ... }`: beside the law of the joints after it the integrals of their errors act."""

    type: Literal["integral"]
    K_I: Gain
    unwinding_1_s: Gain = 1.0
    follows: ClassVar[tuple[SampleKind, ...]] = (JointReference,)
    numbers: ClassVar[tuple[str, ...]] = ("K_I", "unwinding_1_s")
    begins: ClassVar[Mapping[str, str]] = {
        "K_I": f"{SHARE:g} of that with which arms swing, K_P and K_D of the law inside being 1, or less if less is allowed"
    }
    unseen: ClassVar[tuple[str, ...]] = (*WrapperTable.unseen, "K_I", "unwinding_1_s")

    @classmethod
    def beginning(cls, gains: SuggestedGains) -> dict[str, float | list[float]]:
        """Return gains well below those with which a joint would swing, of a law inside that is as fast as the plant allows."""
        least = min(gains.K_P, 1.0) * min(gains.K_D, 1.0)  # laws inside have at least these, or are to be slower
        return {"K_I": [SHARE * gains.apart * least * one for one in gains.of_joints]}

    def made(self, believed: Model, mode: ManoeuvreMode, *laws: Controller) -> Controller:
        if not laws:
            return self.law(believed, mode)
        return Integral(laws[0], plant=Plant(mode.equipped(believed), mode), **self.gains(believed.system))
