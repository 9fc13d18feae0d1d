"""From `guidance = { type = "reach", ... }` to a reference motion of a frame."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..dynamics import Model
from ..errors import InvalidInput, Problem, nearest
from ..guidance import Reach
from ..system import State, System
from ._attitude import ATTITUDE, attitude_of, attitude_problems, doubles

if TYPE_CHECKING:
    from ._schema import ReachTable

_HELD = "hold_attitude"
_GOALS = ("position_m", "displacement_m")


def resolved_reach(table: ReachTable, system: System) -> dict[str, Any]:
    """Return the table with nothing left out but a free attitude; raises `InvalidInput` with problems called by its keys."""
    problems = attitude_problems(table) + doubles(table, _GOALS)
    if table.frame not in system.frame_names:
        expected, hint = f"one of {', '.join(system.frame_names)}", nearest(table.frame, system.frame_names)
        problems.append(Problem("frame", expected, repr(table.frame), hint=hint))
    goal = {key: value for key in _GOALS if (value := getattr(table, key)) is not None}
    if not goal:
        problems.append(Problem("position_m", "position_m or displacement_m", "neither"))
    if table.hold_attitude:
        given = [key for key in ATTITUDE if key in table.model_fields_set]
        problems += [Problem(_HELD, f"no {key} beside it", "both") for key in given]
    if problems:
        raise InvalidInput(problems)
    attitude = attitude_of(table)
    turned = {_HELD: True} if table.hold_attitude else {} if attitude is None else {"attitude_xyzw": attitude}
    return {"type": table.type, "frame": table.frame, **goal, **turned, "duration_s": table.duration_s}


def reach_motion(resolved: dict[str, Any], model: Model, state: State) -> Reach:
    """Return the reference of a resolved table from where the frame is in `state`."""
    frame = resolved["frame"]
    goal = resolved.get("position_m")
    if goal is None:
        goal = model.position(state, frame) + resolved["displacement_m"]
    attitude = model.attitude(state, frame) if resolved.get(_HELD) else resolved.get("attitude_xyzw")
    return Reach.from_state(model, state, frame, position_m=goal, duration_s=resolved["duration_s"], attitude_xyzw=attitude)
