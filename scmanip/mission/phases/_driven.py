"""What a phase drives, in words: its commanded and its freely reacting speeds, and what of the base it holds by default."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ...control import BasePose
from ...dynamics import Model
from ...errors import checked
from ...modes import BaseDriven, ManoeuvreMode, speeds_in_words
from ..values._modes import mode_label
from ._phase import Phase

DRIVEN_AND_FREE = ("commanded", "reacts freely")  # headings of tables


def driven_words(phase: Phase, model: Model, held: Sequence[str] = ()) -> str:
    """Return a line on a phase as it was planned; held : names of the constraints that hold where it begins."""
    commanded, reacting = driven_and_free(phase.mode, model, held)
    words = f"phase '{phase.name}' in {mode_label(phase.mode)}: commanded: {commanded}; reacting freely: {reacting}"
    words += f"; constrained by {', '.join(map(repr, held))}" if held else ""
    settings = phase.controller.settings
    held = " and ".join(_held(phase.mode, settings.get("pose")))
    own = [f"{key} = {in_words(settings[key])}" for key in ("base_K_P", "base_K_D") if key in settings]
    gains = f" ({', '.join(own)})" if own else ""
    return f"{words}; held as the phase finds it: {held}{gains}" if held else words


@checked
def driven_and_free(mode: ManoeuvreMode, model: Model, held: Sequence[str] = ()) -> tuple[str, str]:
    """Return the commanded speeds and those that react freely, each in words; free bodies that constraints carry do not.

    >>> driven_and_free(mission.phases[0].mode, mission.model)
    ('qdot', 'v_C, omega_0')
    """
    layout = model.layout
    carried = {layout.u_names.index(name) for name in model.constrained(*held).dependent} if held else set[int]()
    carried = {place for place in carried if place >= layout.n_base + layout.N_tree}
    free = [place for place in mode.unactuated(layout) if place not in carried]
    return speeds_in_words(layout, mode.actuated(layout)), speeds_in_words(layout, free)


def in_words(setting: Any) -> str:
    """Return a setting of a law, a row of equal numbers as one of them; words as they are, of tables every entry."""
    if isinstance(setting, Mapping):
        return f"{{ {', '.join(f'{key} = {in_words(value)}' for key, value in setting.items())} }}"
    numbers = np.atleast_1d(setting)
    if numbers.dtype.kind not in "fiub":
        return ", ".join(map(str, numbers))
    if numbers.size and np.all(numbers == numbers[0]):
        return f"{numbers[0]:g}"
    return f"[{', '.join(f'{number:g}' for number in numbers)}]"


def _held(mode: ManoeuvreMode, pose: BasePose | None) -> Iterator[str]:
    """Yield what the law holds of the base where the phase finds it."""
    if pose is None or not isinstance(mode, BaseDriven):
        return
    if mode.turns and pose.attitude_xyzw is None:
        yield "the base's attitude"
    if mode.moves and pose.position_m is None:
        yield f"the {'base' if mode.places_base else 'system CoM'}'s position"
