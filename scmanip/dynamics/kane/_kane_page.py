"""The method of [Stoneking2008] for one tree, in letters, from path tables to COEF udot = RHS."""

from __future__ import annotations

from typing import Any

from ._joint_letters import twist_letters
from ._kane_blocks import partial_angular_velocities, partial_velocities
from ._path_tables import PathTables
from ._text import aligned

OF_ALL = """COEF udot = RHS, summed over the bodies k
  COEF = Omega_k' I_k Omega_k + m_k V_k' V_k
  RHS = Omega_k' (T_k - I_k alpha_r_k - omega_k x H_k) + V_k' (F_k - m_k a_r_k)"""


def kane_page(tables: PathTables) -> str:
    """Return path tables, Omega and V by blocks, every beta and rho as a sum, Gamma of every joint, remainder accelerations
    of every body, and the blocks of COEF udot = RHS, as text.

    >>> print(kane_page(PathTables.of(system)).split("Omega")[0].rstrip())
    bodies: B1 base, B2 link1, B3 link2, B4 link3, B5 link4
    joints: G1 joint1 (B1-B2), G2 joint2 (B2-B3), G3 joint3 (B3-B4), G4 joint4 (B4-B5)
    <BLANKLINE>
        B1  B2  B3  B4  B5
    B1  x
    B2  x   x
    B3  x   x   x
    B4  x   x   x   x
    B5  x   x   x   x   x
    <BLANKLINE>
        (B1)  G1  G2  G3  G4
    B1  x
    B2  x     x
    B3  x     x   x
    B4  x     x   x   x
    B5  x     x   x   x   x
    """
    Omega, V = partial_angular_velocities(tables), partial_velocities(tables)
    levers = "\n".join(lever.written_out for lever in V.levers)
    parts = [str(tables), f"Omega\n{Omega.text}", f"V\n{V.text}", levers, *_partials(tables)]
    return "\n\n".join([*parts, remainder_letters(tables), coefficient_letters(tables)]) + "\n"


def _partials(tables: PathTables) -> list[str]:
    result = []
    for j, joint in enumerate(tables.joints):
        for letter, found, columns in (("Gamma", joint.turns, slice(3, 6)), ("Lambda", joint.slides, slice(0, 3))):
            if found:
                rows = [f"  [{', '.join(map(_entry, row))}]" for row in twist_letters(joint)[columns, :].tolist()]
                result.append("\n".join([f"{letter}_{j + 1}, of {joint.name}", *rows]))
    return result


def _entry(entry: Any) -> str:
    return f"{float(entry):.9g}" if getattr(entry, "is_number", True) else str(entry).replace("*", " ")


def remainder_letters(tables: PathTables) -> str:
    """Return how alpha_r and a_r of every body follow from those of its inner body, as text.

    Body axes B_k are left out; r_kj goes from the mass centre of B_k to the joint G_j. What slides adds, the paper has not.
    """
    root = ["alpha_r_1 = 0", "a_r_1 = 0"]
    return "\n".join([*root, *(line for o in range(1, len(tables.bodies)) for line in _across(tables, o))])


def _across(tables: PathTables, o: int) -> list[str]:
    """Return both lines of outer body number o."""
    j = tables.joint_of(o)
    outer, i, k, joint = o + 1, int(tables.inner[j]) + 1, j + 1, tables.joints[j]
    turning = [f"omega_{outer} x Gamma_{k} sigma_{k}"] if joint.turns else []
    turning += [f"Gamma_{k}-dot sigma_{k}"] if joint.turns and twist_letters(joint)[3:, :].free_symbols else []
    inner, own = _at_distance(i, k), _at_distance(outer, k).replace(" + ", " - ")
    sliding = [f"2 omega_{i} x Lambda_{k} sigma_{k}"] if joint.slides else []
    sliding += [f"Gamma_{k} sigma_{k} x Lambda_{k} sigma_{k}"] if joint.slides and joint.turns else []
    sliding += [f"Lambda_{k}-dot sigma_{k}"] if joint.slides and twist_letters(joint)[:3, :].free_symbols else []
    return [
        " + ".join([f"alpha_r_{outer} = alpha_r_{i}", *turning]),
        " + ".join([f"a_r_{outer} = a_r_{i} + {inner} - {own}", *sliding]),
    ]


def _at_distance(body: int, joint: int) -> str:
    number = f"{body}{joint}" if max(body, joint) < 10 else f"{body},{joint}"
    return f"omega_{body} x (omega_{body} x r_{number}) + alpha_r_{body} x r_{number}"


def coefficient_letters(tables: PathTables) -> str:
    """Return what COEF and RHS are sums of, and over which bodies each block of COEF goes, as text."""
    moved = [_moved_by(tables, column.joint) for column in tables.columns]
    rows = [[row.name, *(_bodies(moved[r] & other) for other in moved)] for r, row in enumerate(tables.columns)]
    table = aligned([["bodies", *(column.name for column in tables.columns)], *rows], left=1 + len(tables.columns))
    return "\n".join([OF_ALL, "", table])


def _moved_by(tables: PathTables, joint: int | None) -> set[int]:
    """Return the numbers of the bodies that a joint moves, all for the speeds of the root."""
    return {k for k, path in enumerate(tables.joint_path) if joint is None or path[1 + joint]}


def _bodies(numbers: set[int]) -> str:
    return " ".join(f"B{k + 1}" for k in sorted(numbers)) or "0"
