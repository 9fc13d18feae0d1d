"""A system as MJCF, the robot description of MuJoCo: wheels are bodies on hinges, shapes and visuals geoms, frames sites.

MuJoCo's own readers refuse moving bodies without mass, and inertias that no rigid body has.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import numpy as np

from ...actuators import Wheel
from ...constraints import GROUND, Constraint, Coupling
from ...shapes import Mesh
from ...spatial import Array, quaternion_from_dcm
from ..joints import Ball, Slide, Turn
from ..parts._body import Body, triangle_problems
from ..parts._joint import Joint
from ._robot_text import Element, RobotText, SideText, under
from ._side import PLACING
from ._system_tables import beside, joint_table, plain

if TYPE_CHECKING:
    from .._system import System

_KINDS = {Turn: "hinge", Slide: "slide", Ball: "ball"}
_WHEEL = {"name", "axis", "inertia_kg_m2", "torque_Nm", "damping_Nms_rad"}
_ROTOR = 1e-3  # of the mass of the base, that of a wheel: what is there together stays as it is


def mjcf_text(system: System) -> RobotText:
    """Return a system as MJCF and a side table."""
    return _Writer(system).text


class _Writer:
    """Writes one system."""

    def __init__(self, system: System) -> None:
        self.system, self.side = system, SideText()
        self.root = ElementTree.Element("mujoco", model=system.name)
        under(self.root, "compiler", angle="radian", inertiafromgeom="false", autolimits="true", boundmass=0, boundinertia=0)
        under(self.root, "option", gravity=system.gravity_m_s2)
        self.asset, self.world = under(self.root, "asset"), under(self.root, "worldbody")
        self.equality, self.tendon, self.actuator = (under(self.root, tag) for tag in ("equality", "tendon", "actuator"))
        self.bodies: dict[str, Element] = {GROUND: self.world}
        for body in system.bodies:
            self._body(body)
        for frame in system.frames:
            _placed(under(self.bodies[frame.body], "site", name=frame.name), frame.origin_m, frame.dcm)
        for wheel in system.wheels:
            self._wheel(wheel)
        self._looks()
        self._between()
        self._beside()
        for part in (self.asset, self.equality, self.tendon, self.actuator):
            if not len(part):
                self.root.remove(part)

    @property
    def text(self) -> RobotText:
        """All of it."""
        return RobotText.of(self.root, self.side)

    def _body(self, body: Body) -> None:
        """Write a body in the one that carries it, with its joint; one whose frame is not its joint's is in one that moves."""
        joint, parent = body.joint, self.world if body.parent is None else self.bodies[body.parent]
        shifted = joint is not None and bool(joint.child_origin_m.any() or np.any(joint.child_dcm != np.eye(3)))
        element = under(parent, "body", name=f"{body.name}.joint" if shifted else body.name)
        if joint is None:
            if not self.system.fixed:
                under(element, "freejoint", name=f"{body.name} floats")
        elif body.grounded:
            under(element, "freejoint", name=joint.name)
        else:
            _placed(element, joint.origin_m, joint.dcm)
            self._joint(element, joint)
        if shifted and joint is not None:
            element = under(element, "body", name=body.name)
            _placed(element, joint.child_origin_m, joint.child_dcm)
        self.bodies[body.name] = element
        mass, inertia = body.mass_kg, body.inertia_kg_m2
        if body is self.system.base:
            rotors = [_rotor(wheel, mass) for wheel in self.system.wheels]
            mass = mass * (1 - _ROTOR * len(rotors))
            inertia = inertia - sum((tensor for _, tensor in rotors), np.zeros((3, 3)))
        _inertial(element, mass, inertia, body.com_m)

    def _joint(self, element: Element, joint: Joint) -> None:
        """Write the motions of a joint; one of a kind that MuJoCo lacks does not move, and the side table says how it does."""
        known = all(type(motion) in _KINDS or not motion.dof for motion in joint.motions)
        if not known:
            self.side.change("joint", joint.name, {k: v for k, v in joint_table(joint).items() if k not in PLACING})
            return
        freedoms, coordinates = iter(joint.freedoms), iter(joint.coordinates)
        for k, motion in enumerate(motion for motion in joint.motions if motion.dof):
            own = [next(freedoms) for _ in range(motion.dof)]
            limits, *_ = [next(coordinates) for _ in range(motion.n_q)]
            name = own[0].name if motion.dof == 1 else joint.name if len(joint.motions) == 1 else f"{joint.name} {k}"
            added = under(element, "joint", name=name, type=_KINDS[type(motion)])
            if motion.dof == 1:
                linear, angular = motion.twists.reshape(-1, 2, 3)[0]
                added.set("axis", " ".join(map(repr, (linear + angular).tolist())))
                if np.isfinite(limits.lower) and np.isfinite(limits.upper):
                    added.set("range", f"{limits.lower!r} {limits.upper!r}")
                elif np.isfinite(limits.lower) or np.isfinite(limits.upper):
                    ends = {"lower": limits.lower, "upper": limits.upper}
                    keys = {f"{key}_{motion.unit}": float(value) for key, value in ends.items() if np.isfinite(value)}
                    self.side.change("joint", joint.name, keys)
            for key in ("stiffness", "damping"):
                if getattr(own[0], key):
                    added.set(key, repr(float(getattr(own[0], key))))

    def _wheel(self, wheel: Wheel) -> None:
        """Write a wheel as a disk in the base's centre of mass, out of which its mass and inertia are taken."""
        base = self.system.base
        mass, tensor = _rotor(wheel, base.mass_kg)
        element = under(self.bodies["base"], "body", name=wheel.name, pos=base.com_m)
        under(element, "joint", name=f"{wheel.name} spin", type="hinge", axis=wheel.axis, damping=wheel.damping_Nms_rad or None)
        _inertial(element, mass, tensor, np.zeros(3))
        torque = [-wheel.torque_Nm, wheel.torque_Nm] if np.isfinite(wheel.torque_Nm) else None
        under(self.actuator, "motor", name=wheel.name, joint=f"{wheel.name} spin", ctrlrange=torque)

    def _looks(self) -> None:
        """Write shapes and visuals; the latter touch nothing."""
        for shape in self.system.shapes:
            geom = self._geom(shape.frame, shape.origin_m, shape.dcm)
            geom.set("name", shape.name)
            if isinstance(shape, Mesh):
                under(self.asset, "mesh", name=shape.name, vertex=np.ravel(shape.vertices_m))
                geom.set("mesh", shape.name)
            _sized(geom, shape.kind, _shape_sizes(shape))
        for k, visual in enumerate(self.system.visuals):
            if "://" in visual.file:
                continue
            geom = self._geom(visual.frame, visual.origin_m, visual.dcm)
            if not visual.collides:
                geom.attrib |= {"contype": "0", "conaffinity": "0", "group": "1"}
            if visual.type == "mesh":
                under(self.asset, "mesh", name=f"mesh {k}", file=visual.file, scale=visual.scale)
                geom.set("mesh", f"mesh {k}")
            if visual.rgba:
                geom.set("rgba", " ".join(map(repr, visual.rgba)))
            _sized(geom, visual.type, visual.size_m)

    def _geom(self, on: str, origin_m: Array, R: Array) -> Element:
        """Return a geom on a frame, of which only the body is one of MuJoCo's."""
        if on == GROUND:
            element = self.world
        else:
            frame = self.system.frame(on)
            element, origin_m, R = self.bodies[frame.body], frame.origin_m + frame.dcm @ origin_m, frame.dcm @ R
        geom = under(element, "geom")
        _placed(geom, origin_m, R)
        return geom

    def _between(self) -> None:
        """Write springs between points as tendons, and couplings of two joints as equalities."""
        for spring in self.system.springs:
            said = {"stiffness": spring.stiffness_N_m, "damping": spring.damping_Ns_m, "springlength": spring.length_m}
            tendon = under(self.tendon, "spatial", name=spring.name, **said)
            for k, frame in enumerate(map(self.system.frame, spring.between)):
                site = f"{spring.name} end {k}"
                under(self.bodies[frame.body], "site", name=site, pos=frame.origin_m)
                under(tendon, "site", site=site)
        for each in self.system.constraints:
            if isinstance(each, Coupling) and _is_said(each):
                ((_, coefficients),) = each.terms
                poly = [*coefficients, 0.0, 0.0, 0.0, 0.0, 0.0][:5]
                pair = {"joint1": each.joint, "joint2": each.of, "polycoef": poly, "active": each.active}
                under(self.equality, "joint", name=each.name, **pair)

    def _beside(self) -> None:
        """Say in the side table all that the file does not."""
        if any(triangle_problems("", body.inertia_kg_m2) for body in self.system.bodies):
            self.side["doubtful_inertias"] = True
        said = {each.name for each in self.system.constraints if _is_said(each)}
        for word, table in beside(self.system):
            kept = word in ("frame", "spring_damper", "shape")
            kept |= word == "visual" and "://" not in table.get("file", "")
            kept |= word == "constraint" and table["name"] in said
            kept |= word == "wheel" and table.keys() <= _WHEEL
            if not kept:
                self.side.add(word, table)


def _is_said(each: Constraint) -> bool:
    """Whether an equality of two joints says all that a coupling is."""
    return isinstance(each, Coupling) and isinstance(each.of, str) and len(each.terms[0][1]) <= 5


def _rotor(wheel: Wheel, base_kg: float) -> tuple[float, Array]:
    """Return mass and inertia (3, 3) in base axes of a wheel: half as much across its axis."""
    along = np.outer(wheel.axis, wheel.axis)
    return base_kg * _ROTOR, wheel.inertia_kg_m2 / 2 * (np.eye(3) + along)


def _inertial(element: Element, mass: float, tensor: Array, com_m: Array) -> None:
    """Write a body's inertia by its principal axes: those that MuJoCo finds itself are right to 1e-8."""
    if mass or tensor.any():
        moments, axes = np.linalg.eigh(tensor)
        x, y, z, w = quaternion_from_dcm(axes * np.linalg.det(axes).round())
        under(element, "inertial", pos=com_m, quat=[w, x, y, z], mass=mass, diaginertia=np.maximum(moments, 0.0))


def _placed(element: Element, origin_m: Array, R: Array) -> None:
    if origin_m.any():
        element.set("pos", " ".join(map(repr, origin_m.tolist())))
    if np.any(np.eye(3) != R):
        x, y, z, w = np.asarray(quaternion_from_dcm(R)).tolist()
        element.set("quat", f"{w!r} {x!r} {y!r} {z!r}")


def _shape_sizes(shape: Any) -> tuple[float, ...]:
    """Return the sizes of a shape as those of a visual are."""
    if shape.kind == "box":
        return tuple(shape.size_m)
    return tuple(plain(getattr(shape, name)) for name in ("radius_m", "length_m") if hasattr(shape, name))


def _sized(geom: Element, kind: str, sizes: tuple[float, ...]) -> None:
    """Say kind and size of a geom: half of edges and lengths; a plane without ends has the size 0 0 1."""
    halves = {"box": (0.5, 0.5, 0.5), "cylinder": (1.0, 0.5), "capsule": (1.0, 0.5)}
    said = (
        (0.0, 0.0, 1.0) if kind == "plane" else [size * f for size, f in zip(sizes, halves.get(kind, (1.0,) * 3), strict=False)]
    )
    geom.set("type", kind)
    if len(said):
        geom.set("size", " ".join(repr(float(each)) for each in said))
