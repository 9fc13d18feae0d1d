"""Which modes can be part of a compiled run, and which of them are the same equations."""

from __future__ import annotations

from collections.abc import Hashable

from ..actuators import Drive
from ..system import System
from ._base_driven import BaseDriven
from ._flying import Flying
from ._joints_only import JointsOnly
from ._manoeuvre_mode import ManoeuvreMode
from ._rotation_floating import RotationFloating
from ._rotation_flying import RotationFlying
from ._translation_flying import TranslationFlying

DRIVEN = tuple(mode.driven for mode in (RotationFloating, RotationFlying, TranslationFlying, Flying))


def equations_of(mode: ManoeuvreMode, system: System) -> Hashable | None:
    """Return a key of what a mode makes of commands by `applied`, None where that cannot be recorded.

    Equal keys mean equal equations for systems of equal bodies and joints. What pushes is allocated by a search, which is no
    formula, and a mode of one's own need not be one either.
    """
    kind, numbers = type(mode), (*system.offering(Drive), *system.turners.each)
    if kind.generalized_force is JointsOnly.generalized_force:
        return "joints", numbers
    if not isinstance(mode, BaseDriven) or kind.generalized_force is not BaseDriven.generalized_force:
        return None
    driven = type(mode).driven
    if driven not in DRIVEN or (mode.pushed and system.pushers):
        return None
    return driven.__qualname__, mode.pushed, mode.turns, numbers
