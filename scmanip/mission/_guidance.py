"""From `guidance = { ... }` to a reference motion."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from ..dynamics import Model
from ..errors import InvalidInput, Problem
from ..guidance import Cycloid, Hold, JointSequence, Reference
from ..spatial import Array
from ..system import Layout, State, System
from ._joint_quaternions import KEY, joint_quaternions
from ._joint_values import PLACES, Entries, joint_values
from ._line_guidance import line_motion, resolved_line
from ._reach_guidance import reach_motion, resolved_reach

if TYPE_CHECKING:
    from ._schema import CycloidTable, GuidanceTable, HoldTable, JointSequenceTable

_PAPER_RATE_RAD_S = 0.1
_RATES = ("rate_rad_s", "rate_deg_s", "rate_m_s")


def resolved_guidance(table: GuidanceTable, system: System) -> dict[str, Any]:
    """Return the table in SI with nothing left out; raises `InvalidInput` with problems called by its keys."""
    if table.type == "line":
        return resolved_line(table, system)
    if table.type == "reach":
        return resolved_reach(table, system)
    if table.type == "hold":
        return {"type": table.type, **_goal(table, system)}
    if table.type == "cycloid":
        return {"type": table.type, **_goal(table, system), "duration_s": table.duration_s}
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


def reference_motion(
    resolved: dict[str, Any], system: System, q_home: Array, model: Model | None, state: State | None
) -> Reference | None:
    """Return the reference of a resolved table from `q_home` (n_q,), of a frame from where it is in `state`.

    None for a line or a frame where `model` or `state` could not be made.
    """
    layout = system.layout
    if resolved["type"] == "reach":
        return None if model is None or state is None else reach_motion(resolved, model, state)
    if resolved["type"] == "line":
        return None if model is None else line_motion(resolved, model, q_home)
    if resolved["type"] == "hold":
        return Hold(_end(resolved, layout, q_home), layout=layout)
    if resolved["type"] == "cycloid":
        return Cycloid(q_home, _end(resolved, layout, q_home), duration_s=resolved["duration_s"], layout=layout)
    return JointSequence(
        q_home,
        layout=layout,
        joints=[layout.qdot_names.index(name) for name in resolved["joints"]],
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
    if table.type == "reach":
        return
    if table.type != "joint_sequence":
        _goal(table, system)
        return
    problems = [problem for name in table.joints or () for problem in Entries.of_q(system).unknown_problems("joints", name)]
    if problems:
        raise InvalidInput(problems)


def _goal(table: CycloidTable | HoldTable, system: System) -> dict[str, dict[str, Any]]:
    """Return the places that a table gives, in SI, by unit and joint; raises `InvalidInput`."""
    entries, goal, problems = Entries.of_q(system), dict[str, dict[str, Any]](), list[Problem]()
    try:
        values = joint_values(entries, {key: getattr(table, key) for key in PLACES}, PLACES, missing=math.nan)
    except InvalidInput as error:
        values, problems = {}, [*error.problems]
    for name, value in values.items():
        if not math.isnan(value):
            goal.setdefault(f"q_{entries.units[name]}", {})[name] = value
    try:
        quaternions = joint_quaternions(system, table.q_xyzw)
    except InvalidInput as error:
        raise InvalidInput([*problems, *error.problems]) from None
    if problems:
        raise InvalidInput(problems)
    return {**goal, KEY: quaternions} if quaternions else goal


def _end(resolved: dict[str, Any], layout: Layout, q_home: Array) -> Array:
    """Return `q_home` (n_q,) with the places of a resolved table in it."""
    q = q_home.copy()
    for name, value in [place for key in PLACES for place in resolved.get(key, {}).items()]:
        q[layout.q_names.index(name)] = value
    for joint, quaternion in resolved.get(KEY, {}).items():
        first = layout.q_names.index(f"{joint}.x")
        q[first : first + 4] = quaternion
    return q


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
