"""The words that mission files use for modes."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from ..errors import InvalidInput, Problem, nearest
from ..modes import FixedBase, Floating, ManoeuvreMode

MODES: Mapping[str, ManoeuvreMode] = MappingProxyType({mode.name: mode for mode in (Floating(), FixedBase())})
_PLANNED = ("rotation_floating", "rotation_flying", "translation_flying", "flying")


def mode_called(name: str) -> ManoeuvreMode:
    """Return the mode of a word; raises `InvalidInput` for an unknown one and for one that this version lacks."""
    if name in MODES:
        return MODES[name]
    expected = " or ".join(map(repr, MODES))
    if name in _PLANNED:
        raise InvalidInput(Problem("mode", expected, f"{name!r}, which this version does not have yet"))
    raise InvalidInput(Problem("mode", f"one of {', '.join((*MODES, *_PLANNED))}", repr(name), hint=nearest(name, MODES)))
