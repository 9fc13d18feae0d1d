"""What goes into programs and comes out of them, in words, with the unit and the order of the entries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ...export import is_plain
from ...system import Number, System
from ._quantities import AskedQuantity

INERTIAS = "per body, base first: mass [kg], centre of mass (3) [m], inertia xx yy zz xy xz yz about it [kg m^2]"
MASSES = "[kg, kg m, kg m^2], as row and column slide or turn"
UNITS: Mapping[str, str] = {
    **dict.fromkeys(["H0", "H0m", "Hm", "M", "H"], MASSES),
    **dict.fromkeys(["Hdot", "H0_dot", "H0m_dot", "Hm_dot", "coriolis_matrix"], f"{MASSES}, per second"),
    **dict.fromkeys(["dH_dq", "dH0_dq", "dH0m_dq", "dHm_dq"], f"{MASSES}, per rad or m"),
    "H0_inverse": "[1/kg, 1/(kg m), 1/(kg m^2)], as row and column slide or turn",
    **dict.fromkeys(["C", "c", "momentum_bias", "gravity_force"], "[N m], of what slides [N]"),
    **dict.fromkeys(["J0", "Jm", "J_star"], "rows: velocity (3) [m/s], angular velocity (3) [rad/s], per speed"),
    "J_star_drift": "velocity (3) [m/s], angular velocity (3) [rad/s]",
    "J_dot_u": "acceleration (3) [m/s^2], angular acceleration (3) [rad/s^2]",
    **dict.fromkeys(["transforms.R", "link_transforms.R"], "rotations from axes of the bodies"),
    **dict.fromkeys(["transforms.p", "link_transforms.p"], "origins of the bodies' frames [m]"),
    **dict.fromkeys(["transforms.r", "link_transforms.r"], "centres of mass [m]"),
    **dict.fromkeys(["momentum.P", "momentum_by_body.P", "momentum_by_tree.P"], "linear momentum [N s]"),
    "momentum.L_0": "angular momentum about the base CoM [N m s]",
    **dict.fromkeys(["momentum.L_C", "momentum_by_body.L_C"], "angular momentum about the system CoM [N m s]"),
    "momentum_by_tree.L_C": "angular momentum of each tree about its own CoM [N m s]",
    "springs.length": "[m]",
    "springs.rate": "[m/s]",
}
POSE = ("r_0 (3) [m]", "attitude x, y, z, w (4)")
SPEEDS = ("v_0 (3) [m/s]", "omega_0 (3) [rad/s]")
ACCELERATIONS = ("of v_0 (3) [m/s^2]", "of omega_0 (3) [rad/s^2]")
WRENCH = "force (3) [N] and moment (3) [N m] about the base CoM"


def inputs_in_words(system: System) -> dict[str, str]:
    """Return what the inputs of programs of a system are."""
    free = not system.fixed
    places = list(_named((coordinate.name, coordinate.unit) for coordinate in system.coordinates))
    speeds = list(_named((freedom.name, f"{freedom.unit}/s") for freedom in system.freedoms))
    rates = list(_named((freedom.name, f"{freedom.unit}/s^2") for freedom in system.freedoms))
    forces = _named((freedom.name, "N m" if freedom.turns else "N") for freedom in system.freedoms)
    states = list(_named((f"{each.called}.{own.name}", own.unit) for each in system.turners.each for own in each.states))
    return {
        "x": _said("state", [*POSE * free, *places, *SPEEDS * free, *(f"rate of {speed}" for speed in speeds), *states]),
        "q": _said("coordinates", places),
        "qdot": _said("rates", speeds),
        "v_0": "velocity of the base CoM [m/s]",
        "omega_0": "angular velocity of the base [rad/s]",
        "actuator_states": _said("states of actuators", states),
        "tau": _said("forces of joints", forces),
        "wrench": WRENCH,
        "udot": _said("accelerations", [*ACCELERATIONS * free, *rates]),
        "qddot": _said("accelerations", rates),
        "point": "from the origin of the body's frame, in its axes [m]",
        "inertia": INERTIAS,
    }


def numbers_in_words(system: System, numbers: Mapping[str, Number]) -> dict[str, str]:
    """Return what open numbers are, by their paths: their units and values, and which they are where a name is no plain one."""
    return {
        path: f"{_which(system, path)}[{number.unit}], nominally {number.value.tolist()}" for path, number in numbers.items()
    }


def _which(system: System, path: str) -> str:
    if is_plain(path):
        return ""
    kind, _, rest = path.partition(".")
    key = rest.rpartition(".")[2]
    alike = list(system.numbers([f"{kind}.*.{key}"]))
    return f"{key} of {kind} number {alike.index(path) + 1} "


def outputs_in_words(system: System, names: Iterable[str]) -> dict[str, str]:
    """Return what the outputs are of programs of quantities, by the names of the outputs."""
    given = inputs_in_words(system)
    parts = {"wrench": WRENCH, "tau": given["tau"], "base_acceleration": ", ".join(ACCELERATIONS)}
    known = {**UNITS, "forward_dynamics": given["udot"], "forward_dynamics:wrench": given["udot"]}
    said = {}
    for name in names:
        asked = AskedQuantity.of(name)
        unit = known.get(f"{asked.name}.{asked.part}" if asked.part else asked.name) or parts.get(asked.part or "", "")
        said[name] = "; ".join(filter(None, [asked.quantity.words, unit]))
    return said


def _named(entries: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Give every name with its unit; names that are no plain ones by their numbers."""
    for number, (name, unit) in enumerate(entries, 1):
        yield f"{name if is_plain(name) else f'number {number}'} [{unit}]"


def _said(what: str, entries: Iterable[str]) -> str:
    return f"{what}: {', '.join(entries)}"
