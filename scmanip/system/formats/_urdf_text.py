"""A system as URDF.

Frames are links without mass on fixed joints. A body whose own frame is not that of its joint is a link fixed to one that
moves. What URDF has no word for does not move in the file, and the side table says how it does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import numpy as np

from ...actuators import Motor
from ...constraints import GROUND, Constraint, Coupling
from ...spatial import Array
from ..parts._body import Body, triangle_problems
from ..parts._joint import Joint
from ..parts._visual import Visual
from ._robot_text import Element, RobotText, SideText, rpy, under
from ._side import PLACING
from ._system_tables import beside, joint_table, passive_table, plain
from ._urdf import WORLD

if TYPE_CHECKING:
    from .._system import System

_LOOKS = {"box": ("size",), "sphere": ("radius",), "cylinder": ("radius", "length"), "mesh": ()}
_SHAPES = {"box": ("size", "size_m"), "sphere": ("radius", "radius_m")}
_MOTOR = {"joint", "torque_Nm", "rate_rad_s", "coulomb_Nm"}


def urdf_text(system: System) -> RobotText:
    """Return a system as URDF and a side table."""
    return _Writer(system).text


class _Writer:
    """Writes one system; `motors` and `mimics` are those that URDF says whole, by joint."""

    def __init__(self, system: System) -> None:
        self.system, self.side = system, SideText()
        self.root = ElementTree.Element("robot", name=system.name)
        self.links: dict[str, Element] = {}
        self.motors = {motor.joint: motor for motor in system.offering(Motor) if _is_plain(motor, system)}
        self.mimics = {each.joint: each for each in system.constraints if isinstance(each, Coupling) and _is_mimic(each)}
        self._base()
        for body in system.bodies[1:]:
            self._body(body)
        for frame in system.frames:
            if frame.name != self.world:
                self._weld(f"{frame.name} frame", self.link(frame.body), frame.name, frame.origin_m, frame.dcm)
        self._looks()
        self._beside()

    @property
    def text(self) -> RobotText:
        """All of it."""
        return RobotText.of(self.root, self.side)

    def link(self, body: str) -> str:
        """Return what the link of a body is called."""
        return self.world if body == "base" and self.world else body

    def _base(self) -> None:
        """Write the root: an empty world where the base is held and has no mass."""
        system, base = self.system, self.system.base
        names = {body.name for body in system.bodies}
        named = [f for f in system.frames if f.name == WORLD]
        fits = all(f.body == "base" and not f.origin_m.any() and np.array_equal(f.dcm, np.eye(3)) for f in named)
        empty = system.fixed and not base.mass_kg and not base.inertia_kg_m2.any()
        self.world = WORLD if empty and WORLD not in names and fits else ""
        self._add_link(self.link("base"), None if self.world else base)
        if system.fixed and not self.world:
            self.side["base"] = {"fixed": True}
        if system.gravity_m_s2.any():
            self.side["gravity_m_s2"] = plain(system.gravity_m_s2)
        if any(triangle_problems("", body.inertia_kg_m2) for body in system.bodies):
            self.side["doubtful_inertias"] = True

    def _add_link(self, name: str, body: Body | None) -> None:
        self.links[name] = link = under(self.root, "link", name=name)
        if body is not None:
            inertial, tensor = under(link, "inertial"), body.inertia_kg_m2
            under(inertial, "origin", xyz=body.com_m)
            under(inertial, "mass", value=body.mass_kg)
            xx, xy, xz, yy, yz, zz = (tensor[i, j] for i, j in ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)))
            under(inertial, "inertia", ixx=xx, ixy=xy, ixz=xz, iyy=yy, iyz=yz, izz=zz)

    def _body(self, body: Body) -> None:
        """Write a link and the joint that carries it."""
        joint, name = body.joint, body.name
        if joint is None or body.parent is None:
            return
        shifted = bool(joint.child_origin_m.any() or np.any(joint.child_dcm != np.eye(3)))
        moved = f"{name}.joint" if shifted else name
        if shifted:
            self._add_link(moved, None)
        self._add_link(name, body)
        if shifted:
            self._weld(f"{name}.frame", moved, name, joint.child_origin_m, joint.child_dcm)
        self._joint(joint, self.link("base" if body.grounded else body.parent), moved)
        if body.grounded:
            self.side.change("body", name, {"parent": GROUND})

    def _weld(self, joint: str, parent: str, child: str, origin_m: Array, R: Array) -> None:
        """Write a link on a fixed joint."""
        if child not in self.links:
            self._add_link(child, None)
        self._place(under(self.root, "joint", name=joint, type="fixed"), parent, child, origin_m, R)

    def _place(self, element: Element, parent: str, child: str, origin_m: Array, R: Array) -> None:
        _origin(element, origin_m, R)
        under(element, "parent", link=parent)
        under(element, "child", link=child)

    def _joint(self, joint: Joint, parent: str, child: str) -> None:
        """Write a joint; what URDF does not say of it goes into the side table."""
        word = joint.kind.name
        if word not in ("revolute", "prismatic", "planar", "fixed"):
            said = {key: value for key, value in joint_table(joint).items() if key not in PLACING}
            self.side.change("joint", joint.name, said)
            word = "fixed"
        said = passive_table(joint) if word != "fixed" else {}
        unit = {"revolute": "rad", "prismatic": "m"}.get(word, "")
        limits = [said.pop(f"{key}_{unit}", None) for key in ("lower", "upper")]
        if word == "revolute" and None in limits:
            word = "continuous"
        self._place(element := under(self.root, "joint", name=joint.name, type=word), parent, child, joint.origin_m, joint.dcm)
        if unit:
            under(element, "axis", xyz=joint.axis)
            self._limits(element, joint, limits, unit)
            damping = said.pop({"rad": "damping_Nms_rad", "m": "damping_Ns_m"}[unit], None)
            motor = self.motors.get(joint.name)
            friction = motor.coulomb_Nm if motor and motor.coulomb_Nm else None
            if damping is not None or friction is not None:
                under(element, "dynamics", damping=damping, friction=friction)
        elif word == "planar":
            under(element, "axis", xyz=[0, 0, 1])
        if joint.name in self.mimics:
            mimic = self.mimics[joint.name]
            under(element, "mimic", joint=mimic.of, multiplier=np.ravel(mimic.ratio)[0], offset=mimic.offset)
        self.side.change("joint", joint.name, said)

    def _limits(self, element: Element, joint: Joint, limits: list[float | None], unit: str) -> None:
        """Write limits; those that are missing where URDF needs them are taken back by the side table."""
        motor, continuous = self.motors.get(joint.name), element.get("type") == "continuous"
        effort = motor.torque_Nm if motor and np.isfinite(motor.torque_Nm) else 0
        rate = motor.rate_rad_s if motor and np.isfinite(motor.rate_rad_s) else 0
        lower, upper = limits
        keys = {f"{key}_{unit}": value for key, value in zip(("lower", "upper"), limits, strict=True) if value is not None}
        if continuous:
            self.side.change("joint", joint.name, keys)
            if effort:
                under(element, "limit", effort=effort, velocity=rate)
            return
        ends = [lower if lower is not None else min(-_FAR, (upper or 0) - _FAR), upper if upper is not None else _FAR]
        missing = [key for key, value in zip(("lower", "upper"), limits, strict=True) if value is None]
        infinite = {"lower": -np.inf, "upper": np.inf}
        self.side.change("joint", joint.name, {f"{key}_{unit}": infinite[key] for key in missing})
        under(element, "limit", lower=ends[0], upper=ends[1], effort=effort, velocity=rate)

    def _looks(self) -> None:
        """Write what links look like and collide with; the side table declares where meshes were found."""
        roots = dict.fromkeys(mesh_root(visual) for visual in self.system.visuals if visual.uri)
        if roots:
            self.side["roots"] = list(roots)
        for shape in self.system.shapes:
            if self._sayable_shape(shape.kind, shape.frame):
                key, field = _SHAPES[shape.kind]
                element = under(self._carrier(shape.frame), "collision", name=shape.name)
                _origin(element, shape.origin_m, shape.dcm)
                under(under(element, "geometry"), shape.kind, **{key: getattr(shape, field)})
        for visual in self.system.visuals:
            if not self._sayable_visual(visual.type, visual.collides, visual.frame):
                continue
            element = under(self._carrier(visual.frame), "collision" if visual.collides else "visual")
            _origin(element, visual.origin_m, visual.dcm)
            sizes = dict(zip(_LOOKS[visual.type], visual.size_m, strict=False))
            form: dict[str, Any] = {"size": visual.size_m} if visual.type == "box" else sizes
            if visual.type == "mesh":
                form = {"filename": visual.uri or visual.file, "scale": visual.scale}
            under(under(element, "geometry"), visual.type, **form)
            if visual.rgba and not visual.collides:
                under(under(element, "material", name="own"), "color", rgba=visual.rgba)

    def _carrier(self, frame: str) -> Element:
        return self.links[self.link(frame)]

    def _sayable_shape(self, kind: str, frame: str) -> bool:
        return kind in _SHAPES and self.link(frame) in self.links

    def _sayable_visual(self, kind: str, collides: bool, frame: str) -> bool:
        return kind in _LOOKS and self.link(frame) in self.links and not (collides and kind in _SHAPES)

    def _beside(self) -> None:
        """Say in the side table all that the file does not."""
        mimics = {each.name for each in self.mimics.values()}
        for word, table in beside(self.system):
            said = word == "frame"
            said |= word == "motor" and table["joint"] in self.motors
            said |= word == "constraint" and table["name"] in mimics
            said |= word == "shape" and self._sayable_shape(table["type"], table["frame"])
            said |= word == "visual" and self._sayable_visual(table["type"], table.get("collides", False), table["frame"])
            if not said:
                self.side.add(word, table)


_FAR = 1e6  # a limit in place of none [rad or m], which the side table takes back


def _is_plain(motor: Motor, system: System) -> bool:
    """Whether effort, velocity and friction of URDF say all that a motor is."""
    joint = next(joint for joint in system.joints if joint.name == motor.joint)
    said = motor.given().keys()
    return said <= _MOTOR and joint.kind.name == "revolute" and bool(said & {"torque_Nm", "coulomb_Nm"})


def _is_mimic(each: Constraint) -> bool:
    """Whether <mimic> says all that a coupling is."""
    said = each.given()
    plain_keys = said.keys() <= {"name", "active", "joint", "of", "ratio", "offset"} and isinstance(said.get("of"), str)
    return plain_keys and each.active and each.name == f"{said['joint']} mimics"


def mesh_root(visual: Visual) -> str:
    """Return the folder under which the file of a mesh has the name that it was called by."""
    name = visual.uri.removeprefix("package://")
    return visual.file.removesuffix(name) if visual.file.endswith(f"/{name}") else visual.file.rpartition("/")[0]


def _origin(element: Element, origin_m: Array, R: Array) -> None:
    under(element, "origin", xyz=origin_m, rpy=rpy(R))
