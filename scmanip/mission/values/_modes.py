"""The words that mission files use for modes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

from ...dynamics import Model
from ...errors import Problem, checked, nearest, refuse
from ...modes import FixedBase, Floating, Flying, ManoeuvreMode, RotationFloating, RotationFlying, TranslationFlying

MODES: Mapping[str, ManoeuvreMode] = MappingProxyType(
    {mode.name: mode for mode in (Floating(), RotationFloating(), RotationFlying(), TranslationFlying(), Flying(), FixedBase())}
)
_KEYS = ("type", "attitude")
_WHEELS = RotationFloating.name


def mode_called(given: str | Mapping[str, Any]) -> ManoeuvreMode:
    """Return the mode of a word or of a table with `type` and, for wheels beside a force, `attitude`; raises `InvalidInput`."""
    table = {"type": given} if isinstance(given, str) else given
    problems = [
        Problem(key, f"one of the keys {', '.join(_KEYS)}", f"the unknown key {key!r}") for key in table.keys() - {*_KEYS}
    ]
    word, attitude = table.get("type"), table.get("attitude")
    if word not in MODES:
        key, hint = "mode" if isinstance(given, str) else "type", nearest(str(word), MODES)
        found = "nothing" if word is None else repr(word)
        problems.append(Problem(key, f"one of {', '.join(MODES)}", found, hint=hint))
    elif attitude is not None and word != TranslationFlying.name:
        hint = "only a force through the centre of mass leaves the attitude to wheels"
        problems.append(Problem("attitude", f"no attitude beside {word!r}", repr(attitude), hint=hint))
    elif attitude not in (None, _WHEELS):
        problems.append(Problem("attitude", f"{_WHEELS!r}, or nothing", repr(attitude)))
    refuse(problems)
    return MODES[str(word)] if attitude is None else TranslationFlying(attitude=RotationFloating())


def resolved_mode(mode: ManoeuvreMode) -> str | dict[str, str]:
    """Return what a mission file says for a mode."""
    return {"type": mode.name, "attitude": _WHEELS} if _turned_by_wheels(mode) else mode.name


@checked
def mode_label(mode: ManoeuvreMode) -> str:
    """Return the name of a mode, with what it does about the attitude where that is said beside it.

    >>> mode_label(scmanip.Floating()), mode_label(scmanip.TranslationFlying(attitude=scmanip.RotationFloating()))
    ('floating', 'translation_flying with wheels')
    """
    return f"{mode.name} with wheels" if _turned_by_wheels(mode) else mode.name


def equipped(model: Model, modes: Iterable[ManoeuvreMode]) -> Model:
    """Return the model with the ideal actuators that any of `modes` needs, so that they are there in every phase."""
    for mode in modes:
        model = mode.equipped(model)
    return model


def _turned_by_wheels(mode: ManoeuvreMode) -> bool:
    return isinstance(mode, TranslationFlying) and mode.attitude is not None
