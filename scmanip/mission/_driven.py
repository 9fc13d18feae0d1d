"""What a phase drives, in words: its commanded and its freely reacting speeds, and what of the base it holds by default."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..modes import BaseDriven, Flying, ManoeuvreMode, speeds_in_words
from ..system import Layout
from ._modes import mode_label
from ._phase import Phase

DRIVEN_AND_FREE = ("commanded", "reacts freely")  # headings of tables


def driven_words(phase: Phase, controller: Mapping[str, Any], layout: Layout) -> str:
    """Return a line on a phase with its resolved `controller` table."""
    commanded, reacting = driven_and_free(phase.mode, layout)
    words = f"phase '{phase.name}' in {mode_label(phase.mode)}: commanded: {commanded}; reacting freely: {reacting}"
    held = " and ".join(_held(phase.mode, controller.get("pose", {})))
    gains = "base_K_P = {base_K_P:g}, base_K_D = {base_K_D:g}".format_map(controller) if held else ""
    return f"{words}; held as the phase finds it: {held} ({gains})" if held else words


def driven_and_free(mode: ManoeuvreMode, layout: Layout) -> tuple[str, str]:
    """Return the commanded speeds and those that react freely, each in words."""
    return speeds_in_words(layout, mode.actuated(layout)), speeds_in_words(layout, mode.unactuated(layout))


def _held(mode: ManoeuvreMode, pose: Mapping[str, Any]) -> Iterator[str]:
    """Yield what the law holds of the base and the file does not place."""
    if isinstance(mode, BaseDriven) and mode.turns and "attitude_xyzw" not in pose:
        yield "the base's attitude"
    if isinstance(mode, BaseDriven) and mode.moves and "position_m" not in pose:
        yield f"the {'base' if isinstance(mode, Flying) else 'system CoM'}'s position"
