"""Joints of URDF as tables of a system file: what they do, their limits, dampers, motors, and whom they mimic."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ...errors import Problem
from ...spatial import Array
from .reading._tables import Tables, following, from_z, placed, placement_of, pose_of
from .reading._xml import Element

MOVING = {"revolute": "rad", "continuous": "rad", "prismatic": "m"}  # of one coordinate, with its unit
_KINDS = {"continuous": "revolute", "floating": "free"}
_DAMPING = {"rad": "damping_Nms_rad", "m": "damping_Ns_m"}


def joint_table(joint: Element, *, free: bool) -> tuple[dict[str, Any], list[Problem]]:
    """Return the table of a joint, and what is wrong with it; free : whether it may carry a body that floats."""
    word = joint.values["type"]
    said: dict[str, Any] = {"name": joint.values["name"], "type": _KINDS.get(word, word)}
    if word == "floating":
        hint = "the root floats by itself, or on an empty link 'world'"
        problem = joint.problem("type", "one that a link other than an empty 'world' can carry", "'floating'", hint)
        return said, [] if free else [problem]
    said |= placed(joint.value("origin", "xyz"), joint.value("origin", "rpy"))
    if word == "fixed":
        return said, []
    axis = np.array(joint.value("axis", "xyz", [1.0, 0.0, 0.0]))
    length = float(np.linalg.norm(axis))
    if not length > 0:
        return said, [joint.problem("axis", "3 numbers that are not all 0", "0 0 0")]
    unit = axis if length == 1 else axis / length
    if word == "planar":
        return said | _in_plane(said, unit), []
    problems = list(_limit_problems(joint, word))
    if word != "continuous" and not problems:
        said |= {f"{key}_{MOVING[word]}": joint.value("limit", key, 0.0) for key in ("lower", "upper")}
    damping = joint.value("dynamics", "damping", 0.0)
    return said | {"axis": unit.tolist()} | ({_DAMPING[MOVING[word]]: damping} if damping else {}), problems


def _limit_problems(joint: Element, word: str) -> Iterator[Problem]:
    """Yield limits that are missing, out of order or negative."""
    limit = joint.one("limit")
    if limit is None:
        if word != "continuous":
            hint = "type='continuous' has no limits" if word == "revolute" else ""
            yield joint.problem("", f"a <limit> of a {word} joint", "nothing", hint)
        return
    for key in ("effort", "velocity"):
        if limit.values[key] < 0:
            yield limit.problem(f"{key} of {joint.words}", "a number >= 0", f"{limit.values[key]:g}")
    lower, upper = limit.values.get("lower", 0.0), limit.values.get("upper", 0.0)
    if word != "continuous" and not lower < upper:
        hint = "type='fixed' does not move" if lower == upper else ""
        yield limit.problem(f"of {joint.words}", "lower < upper", f"lower {lower:g} and upper {upper:g}", hint)


def _in_plane(said: dict[str, Any], normal: Array) -> dict[str, Any]:
    """Return the placement of a joint in a plane, whose normal is z of its frame, and of the link in it."""
    origin, R = pose_of(said)
    said.pop("rpy_rad", None)
    turn = from_z(normal)
    return placement_of(origin, R @ turn) | ({"child_dcm": turn.T.tolist()} if np.any(turn != np.eye(3)) else {})


def motor(joint: Element, tables: Tables) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the motor that effort, velocity and friction of a revolute joint are; what there is no word for is noted."""
    unit = MOVING.get(joint.values["type"])
    if unit is None:
        return
    limit, friction = joint.one("limit"), joint.value("dynamics", "friction", 0.0)
    effort, velocity = (joint.value("limit", key, 0.0) for key in ("effort", "velocity"))
    if unit == "rad" and (effort > 0 or friction > 0):
        torque = ({"torque_Nm": effort} if effort > 0 else {}) | (
            {"rate_rad_s": velocity} if effort > 0 and velocity > 0 else {}
        )
        yield "motor", {"joint": joint.values["name"], **torque, **({"coulomb_Nm": friction} if friction > 0 else {})}
    elif friction > 0:
        tables.leave_out(joint.place, "friction of a prismatic joint")
    if limit is not None and (effort or velocity if unit == "m" else (effort > 0) != (velocity > 0)):
        what = "of a prismatic joint" if unit == "m" else "beside one that is 0"
        tables.leave_out(limit.place, f"effort or velocity {what}")
    if limit is not None and joint.values["type"] == "continuous" and limit.values.keys() & {"lower", "upper"}:
        tables.leave_out(limit.place, "lower and upper of a continuous joint")


def mimicking(joint: Element) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the coupling of a joint that follows another one, which always holds."""
    mimic = joint.one("mimic")
    if mimic is None or joint.values["type"] not in MOVING:
        return
    said = mimic.values
    yield "constraint", following(joint.values["name"], said["joint"], said.get("multiplier", 1.0), said.get("offset", 0.0))
