"""What MJCF says between bodies: equalities as constraints, tendons between two sites as springs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.polynomial import Polynomial

from ....constraints import GROUND
from ....errors import nearest
from ....spatial import quaternion_from_dcm
from ..reading._tables import Tables, placement_of, unused
from ..reading._xml import Element
from ._mjcf_file import MAIN, Pose

if TYPE_CHECKING:
    from ._mjcf import MjcfLink, MjcfRobot


def add_between(tables: Tables, robot: MjcfRobot) -> None:
    """Add constraints and springs."""
    makers = {"connect": _connect, "weld": _weld, "joint": _coupling}
    named = set[str]()
    for section in robot.root.all("equality"):
        for element in section.children:
            if element.tag in makers:
                _add(tables, robot, element, makers[element.tag], named)
    for section in robot.root.all("tendon"):
        for element in section.all("spatial"):
            _spring(tables, robot, element)


def _add(tables: Tables, robot: MjcfRobot, element: Element, maker: Any, named: set[str]) -> None:
    said_name = element.values.get("name")
    if said_name in named:
        robot.problems.append(element.problem("name", "a name used once", f"{said_name!r}, already that of an equality"))
    name = unused(named, said_name or f"{element.tag} equality")
    named.add(name)
    values = robot.defaults.values(element, MAIN, "equality")
    said = maker(tables, robot, element, name)
    if said is not None:
        table = {"name": name, "active": values.get("active") != "false", **said}
        tables.add("constraint", table, element.place._replace(words=f"<{element.tag}> {name!r}"))


def _coupling(tables: Tables, robot: MjcfRobot, element: Element, name: str) -> dict[str, Any] | None:
    del name
    known = True
    for key in ("joint1", "joint2"):
        joint = element.values.get(key)
        if joint is not None and joint not in robot.joints:
            robot.problems.append(element.problem(key, "the name of a joint", repr(joint), nearest(joint, robot.joints)))
            known = False
    if not known:
        return None
    first, second = element.values["joint1"], element.values.get("joint2")
    if second is None:
        tables.leave_out(element.place, "equality of one joint alone")
        return None
    refs = [_ref(robot, joint) for joint in (first, second)]
    said = element.values.get("polycoef", [0.0, 1.0])
    law = Polynomial(said)(Polynomial([-refs[1], 1.0])) + refs[0] if any(refs) else Polynomial(said)
    coefficients = law.trim().coef.tolist()
    if len(coefficients) <= 2:
        offset, ratio = [*coefficients, 0.0][:2]
        return {"type": "coupling", "joint": first, "of": second, "ratio": ratio, "offset": offset}
    return {"type": "coupling", "joint": first, "of": second, "polynomial": coefficients}


def _ref(robot: MjcfRobot, name: str) -> float:
    joint = robot.joints[name]
    return joint.values.get("ref", 0.0) * (robot.compiler.angle if joint.kind == "hinge" else 1.0)


def _link(robot: MjcfRobot, element: Element, key: str) -> MjcfLink | None:
    """Return the body that a key names, the world where it is not said."""
    name = element.values.get(key, "world")
    if name not in robot.links:
        robot.problems.append(element.problem(key, "the name of a body", repr(name), nearest(name, robot.links)))
    return robot.links.get(name)


def _ends(tables: Tables, robot: MjcfRobot, element: Element) -> tuple[Any, Any] | None:
    """Return the two sites, each (frame, link, pose), or the two links between which an equality is."""
    kind = "site" if "site1" in element.values else "body"
    keys = (f"{kind}1", f"{kind}2")
    if keys[0] not in element.values or (kind == "site" and keys[1] not in element.values):
        missing = next(key for key in keys if key not in element.values)
        robot.problems.append(element.problem(missing, f"the name of a {kind}", "nothing"))
        return None
    if kind == "site":
        found = [robot.sites.get(element.values[key]) for key in keys]
        for key, site in zip(keys, found, strict=True):
            if site is None:
                name = element.values[key]
                robot.problems.append(element.problem(key, "the name of a site", repr(name), nearest(name, robot.sites)))
        return None if None in found else (found[0], found[1])
    first, second = _link(robot, element, "body1"), _link(robot, element, "body2")
    if first is None or second is None:
        return None
    if GROUND in (first.name, second.name):
        tables.leave_out(element.place, "equality with the world, beside a base that floats")
        return None
    return first, second


def _connect(tables: Tables, robot: MjcfRobot, element: Element, name: str) -> dict[str, Any] | None:
    ends = _ends(tables, robot, element)
    if ends is None:
        return None
    if "site1" in element.values:
        return {"type": "point", "frames": [end[0] for end in ends]}
    if "anchor" not in element.values:
        robot.problems.append(element.problem("anchor", "3 numbers with spaces between them", "nothing"))
        return None
    first, second = ends
    place = np.array(element.values["anchor"])
    point = first.at[0] + first.at[1] @ place
    across = second.at[1].T @ (point - second.at[0])
    return {
        "type": "point",
        "frames": [
            _frame(tables, robot, element, f"{name} {k}", *at) for k, at in ((1, (first, place)), (2, (second, across)))
        ],
    }


def _weld(tables: Tables, robot: MjcfRobot, element: Element, name: str) -> dict[str, Any] | None:
    ends = _ends(tables, robot, element)
    if ends is None:
        return None
    if "site1" in element.values:
        return {"type": "weld", "frames": [end[0] for end in ends], "pose": {}}
    first, second = ends
    relative = element.values.get("relpose", [0.0, 1.0, 0.0, -1.0, 0.0, 0.0, 0.0])
    pose: Pose = np.array(relative[:3]), robot.compiler.turned({"quat": relative[3:]}) if any(relative[3:]) else np.eye(3)
    if not any(relative[3:]):
        pose = first.at[1].T @ (second.at[0] - first.at[0]), first.at[1].T @ second.at[1]
    said = placement_of(*pose)
    if "dcm" in said:
        said["quaternion_xyzw"] = np.asarray(quaternion_from_dcm(np.array(said.pop("dcm")))).tolist()
    return {"type": "weld", "frames": [first.name, second.name], "pose": said}


def _frame(tables: Tables, robot: MjcfRobot, element: Element, name: str, link: MjcfLink, place: Any) -> str:
    """Add a frame on a body and return what it is called."""
    called = robot.unused(name)
    tables.add("frame", {"name": called, "body": link.name, **placement_of(place, np.eye(3))}, element.place)
    return called


def _spring(tables: Tables, robot: MjcfRobot, element: Element) -> None:
    """Add a spring of a tendon that goes straight from site to site."""
    values = robot.defaults.values(element, MAIN)
    names = [child.values.get("site") for child in element.children]
    problems = [
        child.problem("site", "the name of a site", repr(name), nearest(name, robot.sites))
        for child, name in zip(element.children, names, strict=True)
        if name is not None and name not in robot.sites
    ]
    robot.problems += problems
    stiffness, damping = values.get("stiffness", 0.0), values.get("damping", 0.0)
    if problems or not (stiffness or damping):
        tables.leave_out(element.place, "<spatial> without a spring")
        return
    length = values.get("springlength", [-1.0])
    if len(names) != 2 or None in names or length[0] != length[-1]:
        tables.leave_out(element.place, "<spatial> that is no straight spring")
        return
    ends = [robot.sites[name] for name in names if name is not None]
    places = [link.at[0] + link.at[1] @ pose[0] for _, link, pose in ends]
    natural = float(np.linalg.norm(places[1] - places[0])) if length[0] < 0 else length[0]
    said = {"stiffness_N_m": stiffness, "damping_Ns_m": damping, "length_m": natural}
    name = element.values.get("name") or f"tendon {sum(1 for _ in tables.data.get('spring_damper', ())) + 1}"
    table = {"name": name, "between": [end[0] for end in ends], **{key: value for key, value in said.items() if value}}
    tables.add("spring_damper", table, element.place._replace(words=f"<spatial> {name!r}"))
