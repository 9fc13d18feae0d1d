"""What is said of gains: those that a file leaves out, and those that a plant allows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..analysis import suggested_gains
from ..control import Sampled
from ..errors import ScmanipError
from ..mission import Mission, Phase
from ..system import TomlDocument

_GAINS = ("K_P", "K_D")


def gains_to_begin_with(mission: Mission, phase: Phase) -> str:
    """Return what gains the plant of a phase allows, and why; nothing where nothing limits them or there is none to limit."""
    rate_Hz = phase.controller.rate_Hz if isinstance(phase.controller, Sampled) else None
    try:
        return suggested_gains(mission.plant(phase, 0.0), mission.initial, rate_Hz=rate_Hz).rule
    except ScmanipError:
        return ""


def unsaid_gains(mission: Mission) -> Iterator[str]:
    """Yield a sentence for each phase whose file says no gain of its law: what is taken, and what to begin with.

    Laws that are made of several are left alone.
    """
    said = TomlDocument.parse(mission.text, mission.file).data.get("phase", [])
    for phase, given, whole in zip(mission.phases, said, mission.resolved["phase"], strict=True):
        said_of, full = _alone(given["controller"]), _alone(whole["controller"])
        if full.keys() >= {*_GAINS} and said_of.keys().isdisjoint(_GAINS):
            rule = gains_to_begin_with(mission, phase)
            numbers = ", ".join(f"{key} = {full[key]}" for key in _GAINS)
            allowed = f"; to begin with, {rule}" if rule else ""
            yield f"phase {phase.name}: no {' and '.join(_GAINS)} in the file, {numbers} by default{allowed}"


def _alone(tables: Any) -> dict[str, Any]:
    """Return the only table of a law, an empty one where it is made of several."""
    rows = tables if isinstance(tables, list) else [tables]
    return dict(rows[0]) if len(rows) == 1 else {}
