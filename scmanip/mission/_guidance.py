"""From `guidance = { ... }` to a reference motion."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from ..errors import InvalidInput, Problem
from ..guidance import Hold, JointSequence, Reference
from ..spatial import Array
from ..system import System
from ._joint_values import Entries

if TYPE_CHECKING:
    from ._schema import HoldTable, JointSequenceTable

_PAPER_RATE_RAD_S = 0.1
_RATES = ("rate_rad_s", "rate_deg_s", "rate_m_s")


def resolved_guidance(table: JointSequenceTable | HoldTable, system: System) -> dict[str, Any]:
    """Return the table in SI with nothing left out; raises `InvalidInput` with problems called by its keys."""
    if table.type == "hold":
        return {"type": "hold"}
    entries = Entries.of_q(system)  # of spherical joints, which are held, there are none
    names = list(entries.units) if table.joints is None else table.joints
    rate = _rate(table, names, entries)
    return {
        "type": table.type,
        "joints": [entry for name in names for entry in entries.named(name)],
        **rate,
        "ramp_s": table.ramp_s,
        "cruise_s": table.cruise_s,
        "rest_s": table.rest_s,
        "settle_s": table.settle_s,
    }


def reference_motion(resolved: dict[str, Any], system: System, q_home: Array) -> Reference:
    """Return the reference of a resolved table from `q_home` (n_q,)."""
    if resolved["type"] == "hold":
        return Hold(q_home, layout=system.layout)
    return JointSequence(
        q_home,
        layout=system.layout,
        joints=[system.layout.qdot_names.index(name) for name in resolved["joints"]],
        rate_rad_s=resolved["rate_rad_s"] if "rate_rad_s" in resolved else resolved["rate_m_s"],
        ramp_s=resolved["ramp_s"],
        cruise_s=resolved["cruise_s"],
        rest_s=resolved["rest_s"],
        settle_s=resolved["settle_s"],
    )


def check_joint_names(table: JointSequenceTable | HoldTable, system: System) -> None:
    """Raise `InvalidInput` for joints that do not exist: what can be said of a table of which other keys are wrong."""
    names = table.joints if table.type == "joint_sequence" else None
    problems = [problem for name in names or () for problem in Entries.of_q(system).unknown_problems("joints", name)]
    if problems:
        raise InvalidInput(problems)


def _rate(table: JointSequenceTable, names: list[str], entries: Entries) -> dict[str, float]:
    """Return the cruise rate under the key of the joints' unit; one sequence moves joints of one unit."""
    given = [key for key in _RATES if getattr(table, key) is not None]
    problems = _rate_problems(given, names, entries)
    if problems:
        raise InvalidInput(problems)
    if table.rate_deg_s is not None:
        return {"rate_rad_s": math.radians(table.rate_deg_s)}
    key = f"rate_{_unit(names, entries)}_s"
    return {key: getattr(table, key) if given else _PAPER_RATE_RAD_S}


def _rate_problems(given: list[str], names: list[str], entries: Entries) -> list[Problem]:
    """Return what is wrong with the keys `given` for the rate, and with the joints that are to move."""
    if len(given) > 1:
        problems = [Problem(given[1], f"one of {', '.join(_RATES)}", " and ".join(given))]
        return problems + [problem for name in names for problem in entries.unknown_problems("joints", name)]
    unit = "m" if given == ["rate_m_s"] else "rad" if given else _unit(names, entries)
    problems = [problem for name in names for problem in entries.problems("joints", name, unit)]
    if not problems and not given and unit == "m":
        problems = [Problem("rate_m_s", "a cruise rate for the sliding joints", "nothing")]
    return problems


def _unit(names: list[str], entries: Entries) -> str:
    return next((entries.units[entry] for name in names for entry in entries.named(name)), "rad")
