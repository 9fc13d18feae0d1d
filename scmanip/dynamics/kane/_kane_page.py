"""The method of [Stoneking2008] for one tree, in letters, from path tables to COEF udot = RHS."""

from __future__ import annotations

from typing import Any

from ._joint_letters import twist_letters
from ._kane_blocks import partial_angular_velocities, partial_velocities
from ._kane_letters import coefficient_letters, remainder_letters
from ._path_tables import PathTables


def kane_page(tables: PathTables) -> str:
    """Return path tables, Omega and V by blocks, every beta and rho as a sum, Gamma of every joint, remainder accelerations
    of every body, and the blocks of COEF udot = RHS, as text.
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
