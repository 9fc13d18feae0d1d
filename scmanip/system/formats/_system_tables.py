"""A system as the tables of its file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ...constraints import Constraint, FramePose
from ...errors import InvalidInput, Problem
from ...shapes import Shape
from ..files._schema import SCHEMA
from ..joints import KINDS, NOTHING
from ..parts._body import Body
from ..parts._joint import Joint
from ..parts._visual import Visual
from .reading._tables import placement_of

if TYPE_CHECKING:
    from .._system import System

Table = dict[str, Any]


def system_tables(system: System) -> Table:
    """Return the tables of a system file; raises `InvalidInput` for kinds of joints that files cannot name."""
    data: Table = {"schema": SCHEMA, "name": system.name}
    if np.any(system.gravity_m_s2):
        data["gravity_m_s2"] = plain(system.gravity_m_s2)
    data["base"] = ({"fixed": True} if system.fixed else {}) | mass_table(system.base)
    for word, table in [*_bodies(system), *beside(system)]:
        data.setdefault(word, []).append(table)
    return data


def _bodies(system: System) -> Iterator[tuple[str, Table]]:
    for body in system.bodies[1:]:
        if body.joint is not None:
            yield "body", {"name": body.name, "parent": body.parent, **mass_table(body), "joint": joint_table(body.joint)}


def beside(system: System) -> Iterator[tuple[str, Table]]:
    """Yield the tables of all that is on bodies and between them, with their words."""
    for frame in system.frames:
        yield "frame", {"name": frame.name, "body": frame.body, **placement_of(frame.origin_m, frame.dcm)}
    for spring in system.springs:
        yield "spring_damper", {name: plain(value) for name, value in vars(spring).items() if value != 0.0}
    for actuator in system.actuators:
        yield actuator.kind, {name: plain(value) for name, value in actuator.given().items()}
    yield from (("shape", shape_table(shape)) for shape in system.shapes)
    yield from (("constraint", _constraint_table(constraint)) for constraint in system.constraints)
    yield from (("visual", visual_table(visual)) for visual in system.visuals)


def mass_table(body: Body) -> Table:
    """Return the keys of mass, centre of mass and inertia."""
    tensor = body.inertia_kg_m2
    inertia = np.diag(tensor) if np.array_equal(tensor, np.diag(np.diag(tensor))) else tensor
    com = {"com_m": plain(body.com_m)} if body.com_m.any() else {}
    return {"mass_kg": body.mass_kg, **com, "inertia_kg_m2": plain(inertia)}


def joint_table(joint: Joint) -> Table:
    """Return the table of a joint; raises `InvalidInput` for a kind that files cannot name."""
    kind = joint.kind
    if kind.name not in KINDS or type(KINDS[kind.name]) is not type(kind):
        expected = f"a kind that files can name: one of {', '.join(KINDS)}"
        raise InvalidInput(Problem(f"joint {joint.name!r} type", expected, repr(kind.name)))
    said: Table = {"name": joint.name, "type": kind.name, **placement_of(joint.origin_m, joint.dcm)}
    said |= {f"child_{key}": value for key, value in placement_of(joint.child_origin_m, joint.child_dcm).items()}
    said |= {name: plain(joint.axis if name == "axis" else joint.own[name]) for name in kind.keys}
    return said | passive_table(joint)


def passive_table(joint: Joint) -> Table:
    """Return the keys of limits, springs and dampers that a joint has."""
    kind = joint.kind
    rows = {
        kind.passive_keys(what, k)[0]: joint.said(kind.passive_keys(what, k)[0])
        for what in kind.passive
        for k in range(len(kind.freedoms))
    }
    return {key: float(value) for key, value in rows.items() if value != NOTHING[key.partition("_")[0]]}


def shape_table(shape: Shape) -> Table:
    """Return the table of a shape."""
    sizes = {name: plain(getattr(shape, name)) for name in shape.sizes()}
    return {"type": shape.kind, "name": shape.name, "frame": shape.frame, **sizes, **placement_of(shape.origin_m, shape.dcm)}


def visual_table(visual: Visual) -> Table:
    """Return the table of a visual, without what says nothing."""
    none = {"size_m": (), "file": "", "uri": "", "scale": (1.0, 1.0, 1.0), "rgba": (), "collides": False}
    said = {name: plain(getattr(visual, name)) for name, value in none.items() if getattr(visual, name) != value}
    return {"frame": visual.frame, "type": visual.type, **said, **placement_of(visual.origin_m, visual.dcm)}


def _constraint_table(constraint: Constraint) -> Table:
    """Return the table of a constraint; what its kind keeps together stands in keys of its own in files."""
    said: Table = {"type": constraint.kind}
    for name, value in constraint.given().items():
        said |= {name: plain(value)} if name in constraint.file_keys() else plain(value)
    return said


def plain(value: Any) -> Any:
    """Return a value as files write it."""
    if isinstance(value, FramePose):
        return placement_of(value.origin_m, value.dcm)
    if isinstance(value, Mapping):
        return {key: plain(each) for key, each in value.items()}
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    return value.item() if isinstance(value, np.generic) else value
