"""The hardware of a system: bodies, joints, what drives them, springs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ...actuators import Actuator
from ...channels import heading, in_degrees, unit_of
from ...system import Coordinate, Joint, System
from ..verdicts._summary import shown
from ._page import TextTable
from ._study_results import flat


def system_tables(system: System) -> list[TextTable]:
    """Return tables of bodies, joints, every kind of actuator, and springs; those of which there are none are left out."""
    tables = [_bodies(system), _joints(system), *_actuators(system.actuators), _springs(system)]
    return [table for table in tables if table.rows]


def numbers(values: Any) -> str:
    """Return numbers side by side, those of mere rounding beside the others as 0."""
    each = np.atleast_1d(np.asarray(values, dtype=float))
    each = np.where(np.abs(each) < 1e-12 * np.abs(each).max(initial=0.0), 0.0, each)
    return ", ".join(f"{number:.5g}" for number in each)


def _bodies(system: System) -> TextTable:
    rows = []
    for body in system.bodies:
        I = body.inertia_kg_m2
        inertia = numbers(np.diagonal(I)), numbers(I[[0, 0, 1], [1, 2, 2]])
        rows.append((body.name, body.parent or "", f"{body.mass_kg:.6g}", numbers(body.com_m), *inertia))
    headings = ("body", "carried by", "mass [kg]", "CoM [m]", "inertia xx, yy, zz [kg m^2]", "xy, xz, yz [kg m^2]")
    caption = (
        f"Bodies, {system.mass_kg:.6g} kg together: CoM from the origin of the body's frame, inertia about the CoM, in its axes"
    )
    return TextTable("bodies", caption, headings, tuple(rows))


def _joints(system: System) -> TextTable:
    moved = [(body, body.joint) for body in system.bodies if body.joint is not None]
    rows = [
        (
            joint.name,
            joint.kind.name,
            f"{body.parent} to {body.name}",
            "" if joint.kind.grounded else numbers(joint.origin_m),
            numbers(joint.dcm @ joint.axis) if "axis" in joint.kind.keys else "",
            "; ".join(dict.fromkeys(_range(one) for one in joint.coordinates if one.unit != "1")),
            "; ".join(_passive(joint)),
        )
        for body, joint in moved
    ]
    headings = ("joint", "type", "from", "at [m]", "axis", "range", "spring and damper")
    caption = "Joints: where they sit on the body that carries them and along which axis, in that body's axes"
    kept = [k for k in range(len(headings)) if k < 6 or any(row[k] for row in rows)]
    return TextTable("joints", caption, tuple(headings[k] for k in kept), tuple(tuple(row[k] for k in kept) for row in rows))


def _range(one: Coordinate) -> str:
    ends = one.lower, one.upper
    if not np.isfinite(ends).any():
        return "no limit"
    low, high = (shown(end, one.unit) if np.isfinite(end) else "no limit" for end in ends)
    return f"{low} to {high}"


def _passive(joint: Joint) -> Iterator[str]:
    for one in joint.freedoms:
        per, effort = ("rad", "N m") if one.turns else ("m", "N")
        if one.stiffness:
            yield f"{one.stiffness:.4g} {effort}/{per}"
        if one.damping:
            yield f"{one.damping:.4g} {effort} s/{per}"


def _actuators(actuators: Sequence[Actuator]) -> Iterator[TextTable]:
    """Yield a table per kind, with the keys of its tables in a file that one of them says."""
    for kind in dict.fromkeys(type(one) for one in actuators):
        its = [one for one in actuators if type(one) is kind]
        given = [one.given() for one in its]
        read = {key: _read(kind, key) for key in dict(kind.keys()) if any(key in entry for entry in given)}
        rows = tuple(tuple(_cell(entry.get(key), size) for key, (_, size) in read.items()) for entry in given)
        rows = rows if len(read) > 1 else ((", ".join(name for (name,) in rows),),)
        yield TextTable(f"{kind.kind}s", f"Actuators: {kind.kind}s", tuple(heading(key) for key, _ in read.values()), rows)


def _read(kind: type[Actuator], key: str) -> tuple[str, float]:
    """Return the key in the unit in which people read it, and the size of that in SI: that of files where they have another."""
    other = next(((other, size) for other, (own, size) in kind.spellings.items() if own == key), None)
    degrees = in_degrees(unit_of(key) or "")
    if other is not None or degrees is None:
        return other or (key, 1.0)
    return key.removesuffix(unit_of(key) or "") + degrees, float(np.radians(1.0))


def _cell(value: Any, size: float) -> str:
    if value is None:
        return ""
    return numbers(np.asarray(value) / size) if np.asarray(value).dtype.kind in "fiu" else flat(value)


def _springs(system: System) -> TextTable:
    rows = [(one.name, " - ".join(one.between), *map(numbers, (one.stiffness_N_m, one.damping_Ns_m, one.length_m)))
            for one in system.springs]  # fmt: skip
    headings = ("spring", "between", "stiffness [N/m]", "damping [N s/m]", "natural length [m]")
    return TextTable("springs", "Springs and dampers between points", headings, tuple(rows))
