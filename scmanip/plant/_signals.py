"""What states and commands are called as signals of python-control, which refuses a dot, with their units."""

from __future__ import annotations

from collections.abc import Iterable

from ..errors import checked
from ..modes import ManoeuvreMode
from ..system import Layout, System

XYZ = "xyz"
BASE_UNITS = {"r_0": "m", "attitude": "rad", "v_0": "m/s", "omega_0": "rad/s"}
PUSHES = {"f": "N", "n": "N m"}


@checked
def plain(name: str) -> str:
    """Return a name without dots.

    >>> plain("wrist.2")
    'wrist_2'
    """
    return name.replace(".", "_").replace(":", "_")


@checked
def vector(name: str, unit: str) -> dict[str, str]:
    """Return the entries of a vector with their unit.

    >>> vector("f", "N")
    {'f[x]': 'N', 'f[y]': 'N', 'f[z]': 'N'}
    """
    return {f"{name}[{axis}]": unit for axis in XYZ}


@checked
def packed_units(system: System, layout: Layout) -> dict[str, str]:
    """Return the names of a packed state with their units; those of its layout, which may have states of loads behind.

    >>> list(packed_units(system, system.layout).items())[::5]
    [('r_0[x]', 'm'), ('attitude_xyzw[z]', '1'), ('joint4', 'rad'), ('omega_0[y]', 'rad/s'), ('joint4[rate]',
     'rad/s')]
    """
    units = [freedom.unit for freedom in system.freedoms]
    base = {} if layout.fixed else vector("r_0", "m") | {f"attitude_xyzw[{axis}]": "1" for axis in "xyzw"}
    q = {plain(one.name): one.unit for one in system.coordinates}
    return base | q | speed_units(layout, units) | own_units(layout)


@checked
def coordinate_units(layout: Layout, units: Iterable[str]) -> dict[str, str]:
    """Return the names of dr_0, dtheta and dq with their units; units : of the joints' freedoms.

    >>> list(coordinate_units(system.layout, ["rad"] * 4))[:4]
    ['r_0[x]', 'r_0[y]', 'r_0[z]', 'attitude[x]']
    """
    return _of_base(layout, "r_0", "attitude") | {plain(n): unit for n, unit in zip(layout.qdot_names, units, strict=True)}


@checked
def speed_units(layout: Layout, units: Iterable[str]) -> dict[str, str]:
    """Return the names of du with their units.

    >>> speed_units(system.layout, ["rad"] * 4)["joint1[rate]"]
    'rad/s'
    """
    rates = {f"{plain(n)}[rate]": f"{unit}/s" for n, unit in zip(layout.qdot_names, units, strict=True)}
    return _of_base(layout, "v_0", "omega_0") | rates


@checked
def own_units(layout: Layout) -> dict[str, str]:
    """Return the names of the states of actuators and loads; wheels have speeds, others units of their own.

    >>> own_units(system.layout), own_units(scmanip.RotationFloating().equipped(model).layout)
    ({}, {'ideal x': 'rad/s', 'ideal y': 'rad/s', 'ideal z': 'rad/s'})
    """
    return dict.fromkeys(own_names(layout), "") | dict.fromkeys(map(plain, layout.wheel_names), "rad/s")


def own_names(layout: Layout) -> list[str]:
    """Return the names of the states of actuators and loads."""
    counts = layout.states + layout.loads
    return [plain(name) if n == 1 else f"{plain(name)}[{k}]" for name, n in counts for k in range(n)]


@checked
def command_units(layout: Layout, mode: ManoeuvreMode, units: Iterable[str]) -> dict[str, str]:
    """Return the names of a command, as long as the mode's longest, with their units.

    >>> command_units(system.layout, scmanip.Floating(), ["rad"] * 4)
    {'tau[joint1]': 'N m', 'tau[joint2]': 'N m', 'tau[joint3]': 'N m', 'tau[joint4]': 'N m'}
    """
    force = {"rad": "N m", "m": "N"}
    joints = {f"tau[{plain(n)}]": force[unit] for n, unit in zip(layout.qdot_names, units, strict=True)}
    wrench = {name: unit for part, its in PUSHES.items() for name, unit in vector(part, its).items()}
    return (wrench if mode.commands_base else {}) | joints


def _of_base(layout: Layout, *names: str) -> dict[str, str]:
    return {} if layout.fixed else {key: u for name in names for key, u in vector(name, BASE_UNITS[name]).items()}
