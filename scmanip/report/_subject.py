"""What a figure is of, in a few words."""

from __future__ import annotations

from ..modes import FixedBase
from ..simulation import History


def mode_words(name: str) -> str:
    """Return the name of a mode as it reads in a sentence."""
    return name.replace(FixedBase.name, "fixed base").replace("_", "-")


def subject(history: History) -> str:
    """Return system and mode of a history, "planar-four-link, floating"."""
    return f"{history.system.name}, {mode_words(history.mode.name)}"
