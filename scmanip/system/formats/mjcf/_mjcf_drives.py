"""Actuators of MJCF, and friction of joints, as motors of a system file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ....errors import nearest
from ..reading._tables import Tables
from ..reading._xml import Element
from ._mjcf_file import MAIN

if TYPE_CHECKING:
    from ._mjcf import MjcfRobot

_LAWLESS = ("motor",)  # gives gear times what is commanded


def add_drives(tables: Tables, robot: MjcfRobot) -> None:
    """Add a motor for every hinge that is driven within limits, or has dry friction."""
    torques: dict[str, float] = {}
    for section in robot.root.all("actuator"):
        for element in section.children:
            _of_actuator(tables, robot, element, torques)
    for name, joint in robot.joints.items():
        limit = torques.get(name, np.inf)
        friction = joint.values.get("frictionloss", 0.0) if joint.kind != "free" else 0.0
        counts = robot.compiler.counts(joint.values, "actuatorfrclimited", "actuatorfrcrange")
        own = _symmetric(tables, joint.element, joint.values, "actuatorfrcrange", counts)
        limit = min(limit, own)
        if name in robot.wheels:
            wheel, inertia, axis = robot.wheels[name]
            table = {"name": wheel, "axis": axis.tolist(), "inertia_kg_m2": inertia}
            table |= {"torque_Nm": limit} if np.isfinite(limit) else {}
            table |= {"damping_Nms_rad": joint.values["damping"]} if joint.values.get("damping") else {}
            tables.add("wheel", table, joint.element.place._replace(words=f"wheel {wheel!r}"))
            continue
        said = ({"torque_Nm": limit} if np.isfinite(limit) else {}) | ({"coulomb_Nm": friction} if friction else {})
        if said and joint.kind == "hinge":
            tables.add("motor", {"joint": name, **said}, joint.element.place._replace(words=f"joint {name!r}"))
        elif said:
            tables.leave_out(joint.element.place, f"limits or friction of a {joint.kind} joint")


def _of_actuator(tables: Tables, robot: MjcfRobot, element: Element, torques: dict[str, float]) -> None:
    values = robot.defaults.values(element, MAIN, "actuator")
    name = values.get("joint")
    if name is None:
        tables.leave_out(element.place, f"<{element.tag}> of no joint")
        return
    if name not in robot.joints:
        robot.problems.append(element.problem("joint", "the name of a joint", repr(name), nearest(name, robot.joints)))
        return
    gear = abs(values.get("gear", [1.0])[0])
    plain = element.tag in _LAWLESS or (element.tag == "general" and _is_plain(values))
    gain = values.get("gainprm", [1.0])[0] if element.tag == "general" else 1.0
    counts = robot.compiler.counts
    commanded = _symmetric(tables, element, values, "ctrlrange", plain and counts(values, "ctrllimited", "ctrlrange")) * abs(
        gain
    )
    given = _symmetric(tables, element, values, "forcerange", counts(values, "forcelimited", "forcerange"))
    if not plain:
        tables.leave_out(element.place, f"law of <{element.tag}>")
    torques[name] = torques.get(name, 0.0) + gear * min(commanded, given)


def _is_plain(values: dict[str, Any]) -> bool:
    return all(
        values.get(key, word) == word for key, word in (("gaintype", "fixed"), ("biastype", "none"), ("dyntype", "none"))
    )


def _symmetric(tables: Tables, element: Element, values: dict[str, Any], key: str, counts: bool) -> float:
    """Return the largest of a range that is the same both ways, infinite where there is none."""
    if not counts:
        return np.inf
    lower, upper = values[key]
    if lower == -upper and upper > 0:
        return float(upper)
    tables.leave_out(element.place, f"{key!r} that is not the same both ways")
    return np.inf
