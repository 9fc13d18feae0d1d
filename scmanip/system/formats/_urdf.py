"""URDF, the robot description of ROS: links in a tree of joints, as tables of a system file.

The frame of a link is that of its joint, <inertial> has axes of its own about the centre of mass, and <axis> is x if not said.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ...errors import Problem, nearest
from ..files._assembled import SourcePlace
from ._looks import Looks
from ._urdf_joints import MOVING, joint_table, mimicking, motor
from ._urdf_tags import TAGS
from .reading._tables import Tables, placed, pose_of, symmetric
from .reading._tags import left_out, tag_problems
from .reading._xml import Element, refused

WORLD = "world"
_EYE = np.eye(3)


@dataclass(frozen=True, eq=False)
class UrdfRobot:
    """A robot whose elements are right one by one.

    links, joints : by their names, in the order of the file; above : the joint that carries a link
    """

    root: Element
    links: dict[str, Element]
    joints: dict[str, Element]
    above: dict[str, Element]

    @property
    def first(self) -> str:
        """The link that no joint carries."""
        return next(name for name in self.links if name not in self.above)

    def below(self, link: str) -> list[Element]:
        """Return the joints that a link carries."""
        return [joint for joint in self.joints.values() if joint.value("parent", "link") == link]


def urdf_tables(root: Element, file: str, looks: Looks) -> Tables:
    """Return what a URDF file says; raises `InvalidSystem` with every problem, each with its line."""
    refused(tag_problems(root, TAGS))
    robot = _robot(root)
    tables = Tables(file, root.values["name"])
    tables.left_out += left_out(root, TAGS)
    colours = {m.values.get("name"): m.value("color", "rgba") for m in _materials(root) if m.one("color")}
    names, floating = _base(tables, robot)
    tables.called |= names
    for link in _outwards(robot):
        if link not in (robot.first, floating):
            _add_link(tables, robot, names, link)
    for name, element in robot.links.items():
        looks.add(tables, element, names.get(name, name), colours)
    refused(looks.problems)
    return tables


def _robot(root: Element) -> UrdfRobot:
    """Return the robot; raises `InvalidSystem` where its links are not one tree."""
    problems = list[Problem]()
    links, joints, above = dict[str, Element](), dict[str, Element](), dict[str, Element]()
    for kind, known in (("link", links), ("joint", joints)):
        for element in root.all(kind):
            name = element.values["name"]
            if name in known:
                problems.append(element.problem("name", "a name used once", f"{name!r}, already that of a {kind}"))
            known.setdefault(name, element)
    if not links:
        refused([root.problem("", "a <link> in it", "nothing")])
    for joint in joints.values():
        ends = {key: joint.value(key, "link") for key in ("parent", "child")}
        for key, name in ends.items():
            if name not in links:
                problems.append(joint.problem(key, "the name of a link", repr(name), nearest(name, links)))
        if ends["child"] in above:
            first = above[ends["child"]].values["name"]
            problems.append(
                joint.problem("child", f"a link that no other joint carries, as {first!r} does", repr(ends["child"]))
            )
        above.setdefault(ends["child"], joint)
    refused(problems)
    refused([*_cycles(links, above), *_roots(root, links, above)])
    return UrdfRobot(root, links, joints, above)


def _cycles(links: dict[str, Element], above: dict[str, Element]) -> Iterator[Problem]:
    """Yield one problem per cycle, at its first link."""
    done = set[str]()
    for link in links:
        name, path = link, list[str]()
        while name in above and name not in done:
            done.add(name)
            path.append(name)
            name = above[name].value("parent", "link")
        if name in path:
            cycle = " -> ".join(map(repr, [*path[path.index(name) :], name]))
            yield above[name].problem("parent", "a chain that ends at the root", f"a cycle {cycle}")


def _roots(root: Element, links: dict[str, Element], above: dict[str, Element]) -> Iterator[Problem]:
    roots = [name for name in links if name not in above]
    if len(roots) > 1:
        found = f"{roots[1]!r} beside {roots[0]!r}"
        yield links[roots[1]].problem("", f"one link that no joint carries in {root.words}", found)


def _outwards(robot: UrdfRobot) -> Iterator[str]:
    """Yield links, each behind the one that carries it."""
    waiting = [robot.first]
    while waiting:
        name = waiting.pop()
        yield name
        waiting += [joint.value("child", "link") for joint in reversed(robot.below(name))]


def _base(tables: Tables, robot: UrdfRobot) -> tuple[dict[str, str], str]:
    """Say what the base is; return what links are called that are not called as there, and the one that floats on a world."""
    first, place = robot.first, robot.links[robot.first].place
    empty = first == WORLD and not robot.links[first].one("inertial")
    floats = [j for j in robot.below(first) if j.values["type"] == "floating"]
    names, floating = {first: "base"}, ""
    if empty and floats and len(robot.below(first)) == 1:
        floating = floats[0].value("child", "link")
        place, names = robot.links[floating].place, {first: "base", floating: "base"}
        if floats[0].one("origin"):
            tables.leave_out(floats[0].place, "<origin> of a joint that floats")
    root = robot.links[floating or first]
    tables.base(_masses(root), root.place._replace(words=root.words), **_mass_places(root))
    if empty and not floating:
        tables.data["base"]["fixed"] = True
    if "base" in robot.links and "base" not in names:
        names["base"] = "base.link"
    if (floating or first) != "base":
        tables.add("frame", {"name": floating or first, "body": "base"}, place)
    return names, floating


def _masses(link: Element) -> dict[str, object]:
    """Return what <inertial> says: nothing where there is none."""
    inertial = link.one("inertial")
    if inertial is None:
        return {}
    com, R = pose_of(placed(inertial.value("origin", "xyz"), inertial.value("origin", "rpy")))
    xx, xy, xz, yy, yz, zz = (inertial.value("inertia", key) for key in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz"))
    tensor = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]
    said = {"mass_kg": inertial.value("mass", "value")} | ({"com_m": com.tolist()} if com.any() else {})
    return said | {"inertia_kg_m2": tensor if (R == _EYE).all() else symmetric(R @ tensor @ R.T)}


def _mass_places(link: Element) -> dict[str, SourcePlace]:
    """Return where a link says its keys of `_masses`."""
    inertial, keys = link.one("inertial"), {"mass": "mass_kg", "origin": "com_m", "inertia": "inertia_kg_m2"}
    said = inertial.all(*keys) if inertial else ()
    return {keys[each.tag]: each.place._replace(words=f"{link.words} <{each.tag}>") for each in said}


def _add_link(tables: Tables, robot: UrdfRobot, names: dict[str, str], link: str) -> None:
    """Add a link and the joint that carries it."""
    element, joint = robot.links[link], robot.above[link]
    parent, on_world = joint.value("parent", "link"), tables.data["base"].get("fixed") and robot.first == WORLD
    said, problems = joint_table(joint, free=bool(on_world) and parent == robot.first)
    refused(problems)
    carrier = "ground" if said["type"] == "free" else names.get(parent, parent)
    table = {"name": names.get(link, link), "parent": carrier, **_masses(element), "joint": said}
    where = joint.place._replace(words=joint.words)
    tables.add("body", table, element.place._replace(words=element.words), joint=where, parent=where, **_mass_places(element))
    for key, what in motor(joint, tables):
        tables.add(key, what, where)
    for key, what in mimicking(joint):
        tables.add(key, what, where._replace(words=f"{joint.words} mimic"))
    if joint.values["type"] not in MOVING:
        for child in joint.all("limit", "dynamics", "mimic"):
            tables.leave_out(child.place, f"<{child.tag}> of a joint that does not move so")


def _materials(element: Element) -> Iterator[Element]:
    for child in element.children:
        yield from [child] if child.tag == "material" else _materials(child)
