"""From `guidance = { type = "line", ... }` to a reference motion."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..dynamics import Model
from ..errors import InvalidInput, Problem, nearest
from ..guidance import Line
from ..spatial import Array
from ..system import System

if TYPE_CHECKING:
    from ._schema import LineTable


def resolved_line(table: LineTable, system: System) -> dict[str, Any]:
    """Return the table with nothing left out; raises `InvalidInput` with problems called by its keys."""
    problems = []
    if not system.fixed:
        hint = "on a floating base the frame moves with the base, too"
        problems.append(Problem("type", "a system whose base is held", "'line' on a base that floats", hint=hint))
    if not any(table.direction):
        problems.append(Problem("direction", "3 numbers, not all zero", str(table.direction)))
    if table.frame not in system.frame_names:
        expected, hint = f"one of {', '.join(system.frame_names)}", nearest(table.frame, system.frame_names)
        problems.append(Problem("frame", expected, repr(table.frame), hint=hint))
    if problems:
        raise InvalidInput(problems)
    return table.model_dump()


def line_motion(resolved: dict[str, Any], model: Model, q_home: Array) -> Line:
    """Return the reference of a resolved table from `q_home` (n_q,); raises `InvalidInput` where the arm cannot follow."""
    numbers = {key: resolved[key] for key in ("direction", "distance_m", "duration_s")}
    return Line(model, q_home, resolved["frame"], **numbers)
