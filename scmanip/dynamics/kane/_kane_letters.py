"""Remainder accelerations and COEF udot = RHS of [Stoneking2008] in letters."""

from __future__ import annotations

from ._joint_letters import twist_letters
from ._path_tables import PathTables
from ._text import aligned

OF_ALL = """COEF udot = RHS, summed over the bodies k
  COEF = Omega_k' I_k Omega_k + m_k V_k' V_k
  RHS = Omega_k' (T_k - I_k alpha_r_k - omega_k x H_k) + V_k' (F_k - m_k a_r_k)"""


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
