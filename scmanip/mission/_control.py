"""From `controller = { ... }` to a control law."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..control import ComputedTorque, Controller, JointRegulator, WithFeedforward
from ..dynamics import Model, compile_model
from ..errors import InvalidInput, Problem
from ..system import Layout, System
from ._joint_values import Entries
from ._source import Source

if TYPE_CHECKING:
    from ._schema import ControllerTable


def resolved_control(table: ControllerTable) -> dict[str, Any]:
    """Return the table with nothing left out but an estimate that is the mission's own system."""
    resolved = {"type": table.type, "K_P": _floats(table.K_P), "K_D": _floats(table.K_D)}
    if table.type == "computed_torque":
        resolved["feedforward"] = table.feedforward
    return resolved if table.estimate is None else {**resolved, "estimate": table.estimate}


def estimate_source(table: ControllerTable, folder: Path, *, strict: bool) -> Source | None:
    """Return the system that the controller believes in, None when it is the mission's own; raises `InvalidInput`."""
    return None if table.estimate is None else Source.read("estimate", table.estimate, folder, strict=strict)


def believed_model(estimate: Source, layout: Layout | None) -> Model:
    """Return the model of an estimate; raises `InvalidInput` where its joints are not those of the mission's `layout`.

    layout : None where the mission's own system could not be read
    """
    mine = estimate.system.layout
    if layout is not None and (mine.q_names, mine.qdot_names, mine.fixed) != (layout.q_names, layout.qdot_names, layout.fixed):
        raise InvalidInput(Problem("estimate", _words(layout), _words(mine)))
    return compile_model(estimate.system)


def control_law(resolved: dict[str, Any], believed: Model) -> Controller:
    """Return the law of a resolved table; raises `InvalidInput`."""
    K_P, K_D = _gains(resolved, believed.system)
    if resolved["type"] == "joint_regulator":
        return JointRegulator(believed, K_P=K_P, K_D=K_D)
    law = ComputedTorque(believed, K_P=K_P, K_D=K_D)
    return WithFeedforward(law) if resolved["feedforward"] else law


def _words(layout: Layout) -> str:
    return f"a {'fixed' if layout.fixed else 'floating'} base and the joints {', '.join(layout.qdot_names) or '(none)'}"


def _gains(resolved: dict[str, Any], system: System) -> list[Any]:
    """Return K_P and K_D as a law takes them; raises `InvalidInput` where a table of joints does not name all of them."""
    entries, problems = Entries.of_qdot(system), list[Problem]()
    gains = []
    for key in ("K_P", "K_D"):
        given = resolved[key]
        if isinstance(given, dict):
            unknown = [problem for name in given for problem in entries.unknown_problems(key, name)]
            by_freedom = {entry: value for name, value in given.items() for entry in entries.named(name)}
            problems += unknown or entries.missing_problems(key, by_freedom)
            given = [by_freedom.get(entry, 0.0) for entry in entries.units]
        gains.append(given)
    if problems:
        raise InvalidInput(problems)
    return gains


def _floats(value: Any) -> float | list[float] | dict[str, float]:
    if isinstance(value, dict):
        return {joint: float(entry) for joint, entry in value.items()}
    return [float(entry) for entry in value] if isinstance(value, list) else float(value)
