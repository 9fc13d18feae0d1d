"""MJCF, the robot description of MuJoCo: bodies in a tree, each with any number of joints, as tables of a system file.

Of several joints of a body each but the last carries a body without mass. Coordinates are MuJoCo's, `ref` included.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ....constraints import GROUND
from ....errors import Problem
from ....spatial import Array, dcm_from_axis_angle
from ...files._assembled import SourcePlace
from ..reading._mesh_files import MeshFiles
from ..reading._tables import Tables, placement_of, unused
from ..reading._tags import left_out, tag_problems
from ..reading._xml import Element, refused
from ._mjcf_between import add_between
from ._mjcf_drives import add_drives
from ._mjcf_file import MAIN, Compiler, Defaults, Pose, included, value_problems
from ._mjcf_looks import add_looks
from ._mjcf_masses import MassSolid, masses, size_problems
from ._mjcf_tags import GENERATORS, TAGS
from ._mjcf_wheels import spinning, together

_GRAVITY = [0.0, 0.0, -9.81]  # of MuJoCo where a file says none
_UNITS = {"hinge": "rad", "slide": "m", "ball": "rad"}
_TYPES = {"hinge": "revolute", "slide": "prismatic", "ball": "spherical"}
_KEYS = {"rad": ("stiffness_Nm_rad", "damping_Nms_rad"), "m": ("stiffness_N_m", "damping_Ns_m")}


@dataclass(frozen=True, eq=False)
class Hinged:
    """A joint as its class has it.

    name : here; body : the one that it carries, here
    """

    element: Element
    values: dict[str, Any]
    name: str
    body: str

    @property
    def kind(self) -> str:
        """Its type."""
        return "free" if self.element.tag == "freejoint" else self.values.get("type", "hinge")


@dataclass(eq=False)
class MjcfLink:
    """A body of the file, or the world.

    name : here; pose : in the body that carries it; at : in the world where all joints are at their references
    """

    element: Element
    name: str
    above: MjcfLink | None
    pose: Pose
    at: Pose
    joints: list[Hinged] = field(default_factory=list)
    solids: list[MassSolid] = field(default_factory=list)
    sites: list[tuple[Element, Pose]] = field(default_factory=list)
    below: list[MjcfLink] = field(default_factory=list)

    @property
    def floats(self) -> bool:
        """Whether nothing holds it."""
        return any(joint.kind == "free" for joint in self.joints)


@dataclass(eq=False)
class MjcfRobot:
    """What a file holds.

    links : by what the file calls them; world included; joints likewise; sites : frames here and their link, by their names
    on_world : what is called here what is on the world, None where the base floats
    wheels : inertia and axis of reaction wheels, by the names of their joints
    """

    root: Element
    compiler: Compiler
    defaults: Defaults
    world: MjcfLink
    links: dict[str, MjcfLink] = field(default_factory=dict)
    joints: dict[str, Hinged] = field(default_factory=dict)
    sites: dict[str, tuple[str, MjcfLink, Pose]] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    taken: set[str] = field(default_factory=set)
    on_world: str | None = None
    wheels: dict[str, tuple[str, float, Array]] = field(default_factory=dict)

    def unused(self, name: str, *others: str) -> str:
        """Return a name that nothing has here, one of several if any is free."""
        found = unused(self.taken, name, *others, alike=str.casefold)
        self.taken.add(found.casefold())
        return found


def mjcf_tables(root: Element, file: str, files: MeshFiles) -> Tables:
    """Return what an MJCF file says; raises `InvalidSystem` with every problem, each with its line."""
    root = included(root, files)
    refused(_generators(root))
    refused(tag_problems(root, TAGS))
    refused(value_problems(root))
    defaults = Defaults.of(root)
    refused(defaults.problems)
    robot = _read(root, defaults)
    refused([*robot.problems, *defaults.problems])
    tables = Tables(file, root.values.get("model", "MuJoCo Model"))
    tables.left_out += left_out(root, TAGS)
    _base(tables, robot)
    for element, pose in robot.world.sites:
        _add_site(tables, robot, robot.world, element, pose)
    for link in _outwards(robot.world):
        _add_link(tables, robot, link)
    _scaled(tables, robot.compiler.total_kg)
    _gravity(tables, robot)
    add_drives(tables, robot)
    add_looks(tables, robot, files)
    add_between(tables, robot)
    refused([*robot.problems, *defaults.problems])
    return tables


def _generators(element: Element) -> Iterator[Problem]:
    for child in element.children:
        if child.tag in GENERATORS:
            hint = "MuJoCo writes them out: mujoco.mj_saveLastXML, of a compiled model"
            yield child.problem("", "bodies one by one", f"<{child.tag}>, which makes some", hint)
        yield from _generators(child)


def _read(root: Element, defaults: Defaults) -> MjcfRobot:
    """Return the tree of a file with its names."""
    origin = np.zeros(3), np.eye(3)
    bodies = [body for world in root.all("worldbody") for body in world.children]
    first = (root.all("worldbody") or [root])[0]
    robot = MjcfRobot(root, Compiler.of(root), defaults, MjcfLink(first, "", None, origin, origin))
    robot.taken |= {"base", GROUND}
    robot.links["world"] = robot.world
    world = Element(first.tag, {}, first.place, bodies)
    floats = [body for body in _bodies(world) if _is_free(body, defaults)]
    only = [*_bodies(world)] if len([*_bodies(world)]) == 1 else []
    held = next((body for body in only if not any(body.all("joint", "freejoint"))), None)
    base = floats[0] if floats and len(floats) == len([*_bodies(world)]) else held
    _fill(robot, robot.world, world, MAIN, origin, base)
    return robot


def _bodies(element: Element) -> Iterator[Element]:
    """Yield the bodies that an element carries, those in its frames too."""
    for child in element.all("body", "frame"):
        yield from [child] if child.tag == "body" else _bodies(child)


def _is_free(body: Element, defaults: Defaults) -> bool:
    """Whether a body floats; classes seldom say so, and those that do are asked."""
    joints = body.all("joint", "freejoint")
    childclass = body.values.get("childclass", MAIN)
    return any(
        each.tag == "freejoint" or ({"type": ""} | defaults.values(each, childclass))["type"] == "free" for each in joints
    )


def _fill(robot: MjcfRobot, link: MjcfLink, element: Element, childclass: str, pose: Pose, base: Element | None) -> None:
    """Read what is in an element of a body, or in a frame at `pose` of it."""
    origin, R = pose
    for child in element.children:
        if child.tag == "frame":
            inner = _within(pose, robot.compiler.pose(child.values))
            _fill(robot, link, child, child.values.get("childclass", childclass), inner, base)
        elif child.tag == "body":
            at = _within(pose, robot.compiler.pose(child.values))
            _add_body(robot, link, child, child.values.get("childclass", childclass), at, base)
        elif child.tag in ("joint", "freejoint"):
            values = robot.defaults.values(child, childclass) if child.tag == "joint" else dict(child.values)
            values["pos"], values["axis"] = (
                (origin + R @ values.get("pos", np.zeros(3))),
                R @ np.array(values.get("axis", (0.0, 0.0, 1.0))),
            )
            link.joints.append(_joint(robot, link, child, values))
        elif child.tag == "geom":
            values = robot.defaults.values(child, childclass)
            solid = MassSolid(child, values, _within(pose, robot.compiler.pose(values)))
            robot.problems += size_problems(solid)
            link.solids.append(solid)
        elif child.tag == "site":
            link.sites.append((child, _within(pose, robot.compiler.pose(robot.defaults.values(child, childclass)))))


def _within(outer: Pose, inner: Pose) -> Pose:
    return outer[0] + outer[1] @ inner[0], outer[1] @ inner[1]


def _add_body(robot: MjcfRobot, above: MjcfLink, element: Element, childclass: str, pose: Pose, base: Element | None) -> None:
    said = element.values.get("name", "")
    if said and said in robot.links:
        found = f"{said!r}, already that of a body" if said != "world" else "'world', which is MuJoCo's own"
        robot.problems.append(element.problem("name", "a name used once", found))
    name = "base" if element is base else robot.unused(said, f"{said}.link") if said else robot.unused("body")
    link = MjcfLink(element, name, above, pose, _within(above.at, pose))
    above.below.append(link)
    robot.links.setdefault(said or name, link)
    _fill(robot, link, element, childclass, (np.zeros(3), np.eye(3)), base)
    if link.floats and (len(link.joints) > 1 or above is not robot.world):
        found = "one beside others" if len(link.joints) > 1 else f"one in {above.element.words}"
        robot.problems.append(link.joints[0].element.problem("type", "a free joint alone in a body on the world", found))


def _joint(robot: MjcfRobot, link: MjcfLink, element: Element, values: dict[str, Any]) -> Hinged:
    said = element.values.get("name", "")
    if said and said in robot.joints:
        robot.problems.append(element.problem("name", "a name used once", f"{said!r}, already that of a joint"))
    names = {joint.name.casefold() for joint in robot.joints.values()}
    joint = Hinged(element, values, said or unused(names, f"{link.name} joint", alike=str.casefold), link.name)
    robot.joints[joint.name] = joint
    if not np.any(values["axis"]) and joint.kind in ("hinge", "slide"):
        robot.problems.append(element.problem("axis", "3 numbers that are not all 0", "0 0 0"))
    return joint


def _outwards(world: MjcfLink) -> Iterator[MjcfLink]:
    """Yield links, each behind the one that carries it."""
    for link in world.below:
        yield link
        yield from _outwards(link)


def _take_wheels(robot: MjcfRobot, base: MjcfLink, said: dict[str, Any]) -> dict[str, Any]:
    """Return the mass of a base that floats with that of the wheels in it, which are no bodies any more."""
    for link in list(base.below):
        own, _ = _massed(robot, link)
        inertia = spinning(robot, link, own) if said else None
        if inertia is not None:
            joint = link.joints[0]
            axis = link.pose[1] @ joint.values["axis"] / np.linalg.norm(joint.values["axis"])
            robot.wheels[joint.name] = link.name, inertia, axis
            said = together(said, own, link.pose)
            base.below.remove(link)
    return said


def _base(tables: Tables, robot: MjcfRobot) -> None:
    """Say what the base is: a body that floats, one that is welded to the world alone, or the world."""
    base = next((link for link in robot.world.below if link.name == "base"), None)
    place = (base or robot.world).element.place
    if base is not None and not base.floats and not _is_origin(base.pose):
        base.name = robot.unused(base.element.values.get("name") or "body")
        base = None
    if base is None or not base.floats:
        tables.data["base"]["fixed"] = True
        robot.on_world = "base"
    robot.world.name = "base" if robot.on_world else GROUND
    if base is None:
        tables.base({}, place)
        return
    said, inner = _massed(robot, base)
    said = _take_wheels(robot, base, said) if base.floats else said
    tables.base(said, place._replace(words=base.element.words), **inner)
    name = base.element.values.get("name", "base")
    if name != "base":
        tables.called[name] = "base"
        tables.add("frame", {"name": robot.unused(name), "body": "base"}, place)


def _is_origin(pose: Pose) -> bool:
    return not np.any(pose[0]) and not np.any(pose[1] - np.eye(3))


def _massed(robot: MjcfRobot, link: MjcfLink) -> tuple[dict[str, Any], Mapping[str, SourcePlace]]:
    """Return the keys of the mass of a body, and where they are said."""
    inertial = link.element.one("inertial")
    said, problems = masses(inertial, link.solids, robot.compiler)
    robot.problems += problems
    if inertial is None:
        return said, {}
    where = inertial.place._replace(words=f"{link.element.words} <inertial>")
    return said, dict.fromkeys(said, where)


def _add_link(tables: Tables, robot: MjcfRobot, link: MjcfLink) -> None:
    """Add a body with the bodies without mass that carry it on its joints, and its sites."""
    called = link.element.values.get("name", link.name)
    if called != link.name:
        tables.called[called] = link.name
    if link.name != "base":
        _add_bodies(tables, robot, link)
    elif link.floats:
        _tell_free(tables, link)
    for element, pose in link.sites:
        _add_site(tables, robot, link, element, pose)


def _add_site(tables: Tables, robot: MjcfRobot, link: MjcfLink, element: Element, pose: Pose) -> None:
    name = element.values.get("name")
    if name is None:
        tables.leave_out(element.place, "<site> without a name")
    elif name in robot.sites:
        robot.problems.append(element.problem("name", "a name used once", f"{name!r}, already that of a site"))
    elif link.name == GROUND:
        tables.leave_out(element.place, "<site> on the world, beside a base that floats")
    else:
        called = robot.unused(name, f"{name}.site")
        robot.sites[name] = called, link, pose
        tables.add(
            "frame", {"name": called, "body": link.name, **placement_of(*pose)}, element.place._replace(words=element.words)
        )


def _tell_free(tables: Tables, link: MjcfLink) -> None:
    if not _is_origin(link.pose):
        tables.leave_out(link.element.place, "place of a body that floats")
    for key in ("stiffness", "damping", "frictionloss"):
        if link.joints[0].values.get(key):
            tables.leave_out(link.joints[0].element.place, f"{key!r} of a joint that floats")


def _add_bodies(tables: Tables, robot: MjcfRobot, link: MjcfLink) -> None:
    place = link.element.place._replace(words=link.element.words)
    carrier = link.above.name if link.above else "base"
    said, inner = _massed(robot, link)
    if link.floats:
        _tell_free(tables, link)
        table = {"name": link.name, "parent": GROUND, **said, "joint": {"name": link.joints[0].name, "type": "free"}}
        tables.add("body", table, place, **inner)
        return
    at = link.pose
    if not link.joints:
        joint = {"name": f"{link.name} weld", "type": "fixed", **placement_of(*at)}
        tables.add("body", {"name": link.name, "parent": carrier, **said, "joint": joint}, place, **inner)
    for k, hinged in enumerate(link.joints):
        last = k == len(link.joints) - 1
        name = link.name if last else robot.unused(f"{link.name}.{k + 1}")
        own = said if last else {"mass_kg": 0.0, "inertia_kg_m2": [0.0, 0.0, 0.0]}
        where = hinged.element.place._replace(words=f"joint {hinged.name!r}")
        table = {"name": name, "parent": carrier, **own, "joint": _joint_table(tables, robot, hinged, at)}
        tables.add("body", table, place, joint=where, **(inner if last else {}))
        carrier, at = name, (np.zeros(3), np.eye(3))


def _joint_table(tables: Tables, robot: MjcfRobot, hinged: Hinged, at: Pose) -> dict[str, Any]:
    """Return the table of a joint of a body that is at `at` in its carrier where the joint is at its reference."""
    values, kind = hinged.values, hinged.kind
    said: dict[str, Any] = {"name": hinged.name, "type": _TYPES[kind]}
    place, ref = hinged.element.place, values.get("ref", 0.0)
    if kind == "ball":
        child = -values["pos"], np.eye(3)
        if robot.compiler.counts(hinged.values, "limited", "range"):
            tables.leave_out(place, "'range' of a ball joint")
    else:
        axis = np.asarray(values["axis"])
        axis = axis / np.linalg.norm(axis)
        turn = dcm_from_axis_angle(axis, -ref * robot.compiler.angle) if kind == "hinge" and ref else np.eye(3)
        child = (turn @ -values["pos"], turn) if kind == "hinge" else (-values["pos"] - ref * axis, turn)
        said["axis"] = axis.tolist()
        said |= _limits(robot, hinged)
    origin = _within(at, (values["pos"], np.eye(3)))
    said |= placement_of(*origin) | {f"child_{key}": value for key, value in placement_of(*child).items()}
    return said | _passive(tables, hinged)


def _limits(robot: MjcfRobot, hinged: Hinged) -> dict[str, float]:
    if not robot.compiler.counts(hinged.values, "limited", "range"):
        return {}
    lower, upper = hinged.values["range"]
    unit = _UNITS[hinged.kind]
    if not lower < upper:
        problem = hinged.element.problem("range", "lower < upper", f"lower {lower:g} and upper {upper:g}")
        robot.problems.append(problem)
        return {}
    scale = robot.compiler.angle if unit == "rad" else 1.0
    return {f"lower_{unit}": lower * scale, f"upper_{unit}": upper * scale}


def _passive(tables: Tables, hinged: Hinged) -> dict[str, float]:
    """Return spring and damper of a joint; a spring that rests elsewhere than at 0 has no word."""
    stiffness, damping = (hinged.values.get(key, 0.0) for key in ("stiffness", "damping"))
    keys = dict(zip(("stiffness", "damping"), _KEYS[_UNITS[hinged.kind]], strict=True))
    if stiffness and (hinged.values.get("springref", 0.0) or hinged.kind == "ball"):
        tables.leave_out(hinged.element.place, "'stiffness' of a spring that rests elsewhere than at 0")
        stiffness = 0.0
    return {keys[key]: value for key, value in (("stiffness", stiffness), ("damping", damping)) if value}


def _scaled(tables: Tables, total_kg: float) -> None:
    """Give all masses together the total that the compiler says, if any."""
    rows = [row for row in (tables.data["base"], *tables.data.get("body", ())) if row.get("mass_kg")]
    factor = total_kg / sum(row["mass_kg"] for row in rows) if total_kg > 0 and rows else 1.0
    for row in rows if factor != 1.0 else ():
        row["mass_kg"] *= factor
        row["inertia_kg_m2"] = (np.array(row["inertia_kg_m2"]) * factor).tolist()


def _gravity(tables: Tables, robot: MjcfRobot) -> None:
    """Say gravity, that of MuJoCo where the file says none; a base that floats falls with what is around it."""
    gravity, place = _GRAVITY, robot.root.place
    for option in robot.root.all("option"):
        gravity, place = option.values.get("gravity", gravity), option.place
        if option.value("flag", "gravity") == "disable":
            gravity = [0.0, 0.0, 0.0]
    if any(gravity) and tables.data["base"].get("fixed"):
        tables.data["gravity_m_s2"] = list(gravity)
        tables.places["gravity_m_s2",] = place
    elif any(gravity):
        tables.leave_out(place, "gravity, as the base floats")
