"""From `guidance = { ... }` to a reference motion."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from ..dynamics import Model
from ..errors import InvalidInput, Problem
from ..guidance import Cycloid, Hold, JointSequence, Reference
from ..spatial import Array
from ..system import System
from ._joint_values import PLACES, joint_problems, joint_values, unknown_problems
from ._line_guidance import line_motion, resolved_line

if TYPE_CHECKING:
    from ._schema import CycloidTable, GuidanceTable, HoldTable, JointSequenceTable

_PAPER_RATE_RAD_S = 0.1
_RATES = ("rate_rad_s", "rate_deg_s", "rate_m_s")


def resolved_guidance(table: GuidanceTable, system: System) -> dict[str, Any]:
    """Return the table in SI with nothing left out; raises `InvalidInput` with problems called by its keys."""
    if table.type == "line":
        return resolved_line(table, system)
    if table.type == "hold":
        return {"type": table.type, **_goal(table, system)}
    if table.type == "cycloid":
        return {"type": table.type, **_goal(table, system), "duration_s": table.duration_s}
    names = [joint.name for joint in system.joints] if table.joints is None else table.joints
    return {
        "type": table.type,
        "joints": names,
        **_rate(table, names, system),
        "ramp_s": table.ramp_s,
        "cruise_s": table.cruise_s,
        "rest_s": table.rest_s,
        "settle_s": table.settle_s,
    }


def reference_motion(resolved: dict[str, Any], system: System, q_home: Array, model: Model | None) -> Reference | None:
    """Return the reference of a resolved table from `q_home` (n_q,); None for a line where `model` could not be made."""
    if resolved["type"] == "line":
        return None if model is None else line_motion(resolved, model, q_home)
    numbers = {joint.name: i for i, joint in enumerate(system.joints)}
    if resolved["type"] != "joint_sequence":
        q_goal = q_home.copy()
        for name, value in _places(resolved):
            q_goal[numbers[name]] = value
        return Hold(q_goal) if resolved["type"] == "hold" else Cycloid(q_home, q_goal, duration_s=resolved["duration_s"])
    return JointSequence(
        q_home,
        joints=[numbers[name] for name in resolved["joints"]],
        rate_rad_s=resolved["rate_rad_s"] if "rate_rad_s" in resolved else resolved["rate_m_s"],
        ramp_s=resolved["ramp_s"],
        cruise_s=resolved["cruise_s"],
        rest_s=resolved["rest_s"],
        settle_s=resolved["settle_s"],
    )


def check_joint_names(table: GuidanceTable, system: System) -> None:
    """Raise `InvalidInput` for joints that do not exist: what can be said of a table of which other keys are wrong."""
    if table.type == "line":
        return
    if table.type != "joint_sequence":
        _goal(table, system)
        return
    problems = [problem for name in table.joints or () for problem in unknown_problems(system, "joints", name)]
    if problems:
        raise InvalidInput(problems)


def _goal(table: CycloidTable | HoldTable, system: System) -> dict[str, dict[str, float]]:
    """Return the places that a table gives, in SI, by unit and joint; raises `InvalidInput`."""
    values = joint_values(system, {key: getattr(table, key) for key in PLACES}, PLACES, missing=math.nan)
    goal: dict[str, dict[str, float]] = {}
    for joint, value in zip(system.joints, values.tolist(), strict=True):
        if not math.isnan(value):
            goal.setdefault(f"q_{joint.type.unit}", {})[joint.name] = value
    return goal


def _places(resolved: dict[str, Any]) -> list[tuple[str, float]]:
    return [place for key in PLACES for place in resolved.get(key, {}).items()]


def _rate(table: JointSequenceTable, names: list[str], system: System) -> dict[str, float]:
    """Return the cruise rate under the key of the joints' unit; one sequence moves joints of one unit."""
    given = [key for key in _RATES if getattr(table, key) is not None]
    problems = _rate_problems(given, names, system)
    if problems:
        raise InvalidInput(problems)
    if table.rate_deg_s is not None:
        return {"rate_rad_s": math.radians(table.rate_deg_s)}
    key = f"rate_{_unit(names, system)}_s"
    return {key: getattr(table, key) if given else _PAPER_RATE_RAD_S}


def _rate_problems(given: list[str], names: list[str], system: System) -> list[Problem]:
    """Return what is wrong with the keys `given` for the rate, and with the joints that are to move."""
    if len(given) > 1:
        problems = [Problem(given[1], f"one of {', '.join(_RATES)}", " and ".join(given))]
        return problems + [problem for name in names for problem in unknown_problems(system, "joints", name)]
    unit = "m" if given == ["rate_m_s"] else "rad" if given else _unit(names, system)
    problems = [problem for name in names for problem in joint_problems(system, "joints", name, unit)]
    if not problems and not given and unit == "m":
        problems = [Problem("rate_m_s", "a cruise rate for the sliding joints", "nothing")]
    return problems


def _unit(names: list[str], system: System) -> str:
    units = {joint.name: joint.type.unit for joint in system.joints}
    return next((units[name] for name in names if name in units), "rad")
