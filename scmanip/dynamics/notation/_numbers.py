"""Names of the numbers of a system in formulas: m_2 of body.link2.mass_kg, l_2x of joint.joint2.origin_m, I_3zz."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from itertools import product

from ...system import System

AXES, PAIRS = ("x", "y", "z"), ("xx", "yy", "zz", "xy", "xz", "yz")
LETTERS = {
    ("body", "mass_kg"): "m",
    ("body", "com_m"): "a",
    ("body", "inertia_kg_m2"): "I",
    ("joint", "origin_m"): "l",
    ("joint", "child_origin_m"): "b",
    ("frame", "origin_m"): "r",
    ("joint", "stiffness_Nm_rad"): "k",
    ("joint", "stiffness_N_m"): "k",
    ("joint", "damping_Nms_rad"): "d",
    ("joint", "damping_Ns_m"): "d",
    ("joint", "gear_ratio"): "n",
    ("joint", "rotor_inertia_kg_m2"): "J",
}
TABLE = ("m", *(f"a{x}" for x in AXES), *(f"I{xx}" for xx in PAIRS))  # columns of a table of inertias


def number_names(system: System, shapes: Mapping[str, tuple[int, ...]]) -> dict[str, list[tuple[str, str]]]:
    """Return name and path of every entry of inputs that are numbers of a system.

    Bodies and the joints that carry them are counted from the base, 0, and frames from 1. What has no letter has its path
    for a name.
    """
    rows = {name: [_row(system, name, place) for place in _places(shape)] for name, shape in shapes.items()}
    times = Counter(letter for row in rows.values() for letter, _ in row)
    return {name: [(letter if times[letter] == 1 else path, path) for letter, path in row] for name, row in rows.items()}


def _places(shape: tuple[int, ...]) -> list[tuple[int, ...]]:
    return list(product(*map(range, shape)))


def _row(system: System, name: str, place: tuple[int, ...]) -> tuple[str, str]:
    path = name + "".join(f"[{k}]" for k in place)
    if len(place) == 2:  # the table of all inertias
        body, column = place
        letter = TABLE[column]
        return f"{letter[0]}_{body}{letter[1:]}", f"body.{system.bodies[body].name}, {path}"
    return _letter(system, path) or path, path


def _letter(system: System, path: str) -> str:
    """Return the letter of a path such as body.link2.com_m[0]; an empty text where it has none."""
    key, *place = (part.rstrip("]") for part in re.split(r"\[(?=\d+\]$)", path))
    axis = int(place[0]) if place else None
    if key == "gravity_m_s2" and axis is not None:
        return f"g_{AXES[axis]}"
    table, _, rest = key.partition(".")
    owner, _, field = rest.rpartition(".")
    letter, names = LETTERS.get((table, field)), _in_order(system, table)
    if letter is None or owner not in names:
        return ""
    return f"{letter}_{names.index(owner)}" + ("" if axis is None else (PAIRS if letter == "I" else AXES)[axis])


def _in_order(system: System, table: str) -> list[str]:
    """Return the names by whose places parts of a table are counted."""
    if table == "frame":
        return ["", *(frame.name for frame in system.frames)]
    return [body.name if table == "body" else body.joint.name if body.joint else "" for body in system.bodies]
