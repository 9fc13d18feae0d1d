"""Models of Pinocchio: their joints in the order of the model, each with the body that it carries, and their frames.

A body is called as the link that lies in its joint, as the joint where there is none. Pinocchio itself is never imported here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from ...constraints import GROUND
from ...errors import InvalidSystem, Problem
from ...spatial import Array
from ..files._assembled import AssembledDocument, SourcePlace
from ._format import Format
from ._pinocchio_mimics import MIMIC, mimicked, mimicking_keys, said_of
from .reading._tables import Tables, following, placement_of, symmetric, unused

_AXES = {"X": [1.0, 0.0, 0.0], "Y": [0.0, 1.0, 0.0], "Z": [0.0, 0.0, 1.0]}
_ONE_AXIS = {"R": "revolute", "RUB": "revolute", "P": "prismatic", "H": "screw"}
_UNALIGNED = {
    "RevoluteUnaligned": "revolute",
    "RevoluteUnboundedUnaligned": "revolute",
    "PrismaticUnaligned": "prismatic",
    "HelicalUnaligned": "screw",
}
_UNITS = {"revolute": "rad", "prismatic": "m", "screw": "rad"}
_FREE = "FreeFlyer"
_EYE, _ORIGIN = np.eye(3), np.zeros(3)


class PinocchioMotion(NamedTuple):
    """One joint of a system: its keys, where it is in what carries it, and the number of its speed, None of one that mimics."""

    keys: dict[str, Any]
    origin_m: Array
    dcm: Array
    number: int | None


class PinocchioModel(Format):
    """A `pinocchio.Model`, such as `pinocchio.buildModelFromUrdf` returns."""

    name = "model of Pinocchio"

    def takes(self, source: Any) -> bool:
        kind = type(source)
        return kind.__module__.startswith("pinocchio") and kind.__name__ == "Model"

    def document(self, source: Any, roots: tuple[str, ...]) -> AssembledDocument:
        del roots
        return _Reader(source).document


class _Reader:
    def __init__(self, model: Any) -> None:
        self.model, self.taken = model, {"base", GROUND}
        self.file = f"Pinocchio model {model.name!r}"
        self.tables = Tables(self.file, model.name or "model")
        tops = [joint for joint in range(1, model.njoints) if model.parents[joint] == 0]
        free = [joint for joint in tops if self._kind(joint) == _FREE]
        self.base = free[0] if len(free) == len(tops) and not model.inertias[0].mass and free else 0
        self.names = {self.base: "base", 0: "base" if not self.base else GROUND}
        self._joints()
        self._frames()

    @property
    def document(self) -> AssembledDocument:
        """All of it."""
        gravity = self.model.gravity.linear.tolist()
        if any(gravity) and not self.base:
            self.tables.data["gravity_m_s2"] = gravity
        elif any(gravity):
            self.tables.leave_out(SourcePlace(self.file, 0, 0), "gravity, as the base floats")
        return self.tables.document

    def _kind(self, joint: int) -> str:
        return str(self.model.joints[joint].shortname()).removeprefix("JointModel")

    def _joints(self) -> None:
        model = self.model
        self.tables.base(self._masses(self.base), self._place(self.base))
        if not self.base:
            self.tables.data["base"]["fixed"] = True
        for joint in range(1, model.njoints):
            if joint == self.base:
                continue
            name = self.names[joint] = self._unused(self._link(joint) or model.names[joint])
            parent, place, said = self.names[model.parents[joint]], self._place(joint), self._masses(joint)
            if self._kind(joint) == _FREE:
                if model.parents[joint]:
                    self._refuse(joint, "one on the universe", "FreeFlyer on another joint")
                free = {"name": model.names[joint], "type": "free"}
                self.tables.add("body", {"name": name, "parent": GROUND, **said, "joint": free}, place)
                continue
            placement = model.jointPlacements[joint]
            motions = list(self._motions(joint, model.joints[joint].extract(), placement.translation, placement.rotation))
            for k, motion in enumerate(motions):
                last = k == len(motions) - 1
                own = said if last else {"mass_kg": 0.0, "inertia_kg_m2": [0.0, 0.0, 0.0]}
                called = model.names[joint] if len(motions) == 1 else f"{model.names[joint]} {k + 1}"
                table = {"name": called, **motion.keys, **placement_of(motion.origin_m, motion.dcm)}
                if motion.number is not None and motion.keys["type"] in _UNITS:
                    table |= self._passive(motion.keys["type"], motion.number)
                carried = name if last else self._unused(f"{name}.{k + 1}")
                self.tables.add("body", {"name": carried, "parent": parent, **own, "joint": table}, place)
                if motion.number is not None:
                    self._motor(motion.keys["type"], motion.number, called)
                parent = carried
            if self._kind(joint) == MIMIC:
                mimic = model.joints[joint].extract()
                coupled = following(model.names[joint], mimicked(model, mimic), float(mimic.scaling), float(mimic.offset))
                self.tables.add("constraint", coupled, place._replace(words=f"{place.words} mimic"))

    def _motions(self, joint: int, kind: Any, origin_m: Array, R: Array) -> Iterator[PinocchioMotion]:
        """Yield the joints that one of the model amounts to, the first of them placed."""
        word, first = str(kind.shortname()).removeprefix("JointModel"), kind.idx_v
        if word == "Composite":
            for inner, placement in zip(kind.joints, kind.jointPlacements, strict=True):
                at = origin_m + R @ placement.translation, R @ placement.rotation
                yield from self._motions(joint, inner.extract(), *at)
                origin_m, R = _ORIGIN, _EYE
            return
        chains: dict[str, list[dict[str, Any]]] = {
            "Spherical": [{"type": "spherical"}],
            "SphericalZYX": [{"type": "gimbal", "sequence": "zyx"}],
            "Planar": [{"type": "planar"}],
            "Translation": [{"type": "prismatic", "axis": axis} for axis in _AXES.values()],
        }
        axis = _AXES.get(word[-1:]) if word[:-1] in _ONE_AXIS else None
        if axis is not None or word in _UNALIGNED:
            type_ = _ONE_AXIS[word[:-1]] if axis is not None else _UNALIGNED[word]
            said = {"type": type_, "axis": axis or self._axis(kind)} | ({"pitch_m_rad": kind.pitch} if type_ == "screw" else {})
            chains[word] = [said]
        elif word == "Universal":
            chains[word] = [{"type": "revolute", "axis": _unit(each)} for each in (kind.axis1, kind.axis2)]
        elif word == MIMIC:
            mimicking = mimicking_keys(self.model, kind) if self._kind(joint) == MIMIC else None
            if mimicking is None:
                hint = "build the model without mimicking joints and couple them by [[constraint]]"
                self._refuse(
                    joint, "one that mimics as a joint about or along one axis, scaled by other than 0", said_of(kind), hint
                )
            else:
                yield PinocchioMotion(mimicking, origin_m, R, None)
            return
        if word not in chains:
            self._refuse(joint, "one of revolute, prismatic, helical, spherical, planar or composite", word)
        for k, keys in enumerate(chains[word]):
            yield PinocchioMotion(keys, origin_m if not k else _ORIGIN, R if not k else _EYE, first + k)

    def _axis(self, kind: Any) -> list[float]:
        """Return the axis (3,) of a joint, which its twist has too: one without bounds does not tell it otherwise."""
        q, data = np.zeros(self.model.nq), kind.createData()
        q[kind.idx_q] = float(kind.nq == 2)
        kind.calc(data, q)
        twist = np.ravel(np.array(data.S))
        return _unit(twist[3:] if np.any(twist[3:]) else twist[:3])

    def _refuse(self, joint: int, expected: str, found: str, hint: str = "") -> None:
        name = self.model.names[joint]
        raise InvalidSystem(Problem(f"joint {name!r}", expected, found, self.file, hint=hint))

    def _masses(self, joint: int) -> dict[str, Any]:
        inertia = self.model.inertias[joint]
        if not inertia.mass and not np.any(inertia.inertia):
            return {}
        com = {"com_m": inertia.lever.tolist()} if np.any(inertia.lever) else {}
        return {"mass_kg": float(inertia.mass), **com, "inertia_kg_m2": symmetric(np.array(inertia.inertia))}

    def _passive(self, type_: str, number: int) -> dict[str, float]:
        """Return limits and damping of a joint with one coordinate, which is that of its number where there are no limits."""
        model, unit = self.model, _UNITS[type_]
        said = {}
        q = self._coordinate(number)
        if q is not None and model.lowerPositionLimit[q] >= model.upperPositionLimit[q]:
            self.tables.leave_out(SourcePlace(self.file, 0, 0), "limits without a range between them")
        elif q is not None:
            for key, limits in (("lower", model.lowerPositionLimit), ("upper", model.upperPositionLimit)):
                if np.isfinite(limits[q]) and abs(limits[q]) < 1e300:
                    said[f"{key}_{unit}"] = float(limits[q])
        damping = float(model.damping[number])
        return said | ({"damping_Nms_rad" if unit == "rad" else "damping_Ns_m": damping} if damping else {})

    def _coordinate(self, speed: int) -> int | None:
        """Return the number of the coordinate whose rate a speed is, None where the joint is unbounded."""
        for joint in self.model.joints:
            if joint.idx_v <= speed < joint.idx_v + joint.nv and joint.nq == joint.nv:
                return int(joint.idx_q + speed - joint.idx_v)
        return None

    def _motor(self, type_: str, v: int, name: str) -> None:
        """Add the motor that limits of effort and rate, and dry friction, of a joint that turns are."""
        model = self.model
        effort, rate, friction = (float(each[v]) for each in (model.effortLimit, model.velocityLimit, model.friction))
        effort, rate = (each if 0 < each < 1e300 else np.inf for each in (effort, rate))
        torque = {"torque_Nm": effort} if np.isfinite(effort) else {}
        torque |= {"rate_rad_s": rate} if torque and np.isfinite(rate) else {}
        said = torque | ({"coulomb_Nm": friction} if friction > 0 else {})
        if said and type_ == "revolute":
            self.tables.add("motor", {"joint": name, **said}, SourcePlace(self.file, 0, 0, f"joint {name!r}"))
        elif said:
            self.tables.leave_out(SourcePlace(self.file, 0, 0), f"limits or friction of a {type_} joint")
        if model.armature[v]:
            self.tables.leave_out(SourcePlace(self.file, 0, 0), "armature")

    def _link(self, joint: int) -> str:
        """Return the name of the link whose frame is that of a joint."""
        for frame in self.model.frames:
            moved = np.any(frame.placement.translation) or np.any(frame.placement.rotation != _EYE)
            if frame.parentJoint == joint and str(frame.type) == "BODY" and not moved:
                return str(frame.name)
        return ""

    def _frames(self) -> None:
        """Add all frames that are not those of joints and of bodies of the same name."""
        for frame in self.model.frames:
            body = self.names[frame.parentJoint]
            if str(frame.type) == "JOINT" or frame.name in (body, "universe") or body == GROUND:
                continue
            if frame.parentJoint == self.base and frame.name == self._link(self.base):
                self.tables.called[frame.name] = "base"
            at = placement_of(frame.placement.translation, frame.placement.rotation)
            name = self._unused(frame.name)
            self.tables.add("frame", {"name": name, "body": body, **at}, SourcePlace(self.file, 0, 0, f"frame {name!r}"))

    def _place(self, joint: int) -> SourcePlace:
        return SourcePlace(self.file, 0, 0, f"joint {self.model.names[joint]!r}")

    def _unused(self, name: str) -> str:
        found = unused(self.taken, name, alike=str.casefold)
        self.taken.add(found.casefold())
        return found


def _unit(axis: Any) -> list[float]:
    found: list[float] = (np.array(axis) / np.linalg.norm(axis)).tolist()
    return found
