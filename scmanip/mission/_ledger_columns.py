"""The columns of a stored history that split its totals by body, joint, wheel, thruster and spring."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ..simulation import History
from ..spatial import Array

ABOUT_C = "about the system centre of mass"


class Column(NamedTuple):
    """One variable of the file: values with time first, the other dimensions parted by blanks, unit, and a phrase."""

    values: Array
    dimension: str
    units: str
    long_name: str


def ledger_columns(h: History) -> Iterator[tuple[str, Column]]:
    """Yield the parts of totals by name; those of hardware that the system does not have are left out."""
    yield "P_by_body", Column(h.P_by_body, "body xyz", "N s", "linear momentum of each body")
    yield "L_C_by_body", Column(h.L_C_by_body, "body xyz", "N m s", f"angular momentum of each body {ABOUT_C}, wheels locked")
    yield "kinetic_energy_by_body", Column(h.kinetic_energy_by_body, "body", "J", "kinetic energy of each body, wheels locked")
    yield "work_by_joint", Column(h.work_by_joint, "freedom", "J", "work of the joints' actuators since the start")
    words = "energy taken by friction and dampers of each joint since the start"
    yield "dissipated_by_joint", Column(h.dissipated_by_joint, "freedom", "J", words)
    if h.system.wheels:
        words = "what the spin of each wheel adds to the kinetic energy"
        yield "kinetic_energy_by_wheel", Column(h.kinetic_energy_by_wheel, "wheel", "J", words)
        yield "work_by_wheel", Column(h.work_by_wheel, "wheel", "J", "work of the wheels' motors since the start")
        yield "dissipated_by_wheel", Column(h.dissipated_by_wheel, "wheel", "J", "energy taken by bearings since the start")
    if h.system.springs:
        words = "energy taken by each damper between two points since the start"
        yield "dissipated_by_spring", Column(h.dissipated_by_spring, "spring", "J", words)
    yield "work_on_base", Column(h.work_on_base, "", "J", "work since the start of what pushes the base from outside")
    if h.system.thrusters:
        yield "work_by_thruster", Column(h.work_by_thruster, "thruster", "J", "work of each thruster since the start")
        yield (
            "impulse_by_thruster",
            Column(h.impulse_by_thruster, "thruster", "N s", "impulse of each thruster since the start"),
        )
    for name, by, dimensions in (("by_joint", "each joint's motion", "xyz freedom"), ("by_momentum", "momentum", "xyz")):
        words = f"displacement of the base since the start by {by}"
        yield f"shift_{name}", Column(getattr(h, f"shift_{name}"), dimensions, "m", words)
        words = f"integral since the start of what {by} makes of the base's angular velocity"
        yield f"turn_{name}", Column(getattr(h, f"turn_{name}"), dimensions, "rad", words)
