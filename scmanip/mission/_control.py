"""From `controller = { ... }` to a control law."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..control import ComputedTorque, Controller, WithFeedforward
from ..dynamics import Model, compile_model
from ..errors import InvalidInput, Problem
from ..system import Layout
from ._source import Source

if TYPE_CHECKING:
    from ._schema import ComputedTorqueTable


def resolved_control(table: ComputedTorqueTable) -> dict[str, Any]:
    """Return the table with nothing left out but an estimate that is the mission's own system."""
    resolved = {"type": table.type, "K_P": _floats(table.K_P), "K_D": _floats(table.K_D), "feedforward": table.feedforward}
    return resolved if table.estimate is None else {**resolved, "estimate": table.estimate}


def estimate_source(table: ComputedTorqueTable, folder: Path, *, strict: bool) -> Source | None:
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
    law = ComputedTorque(believed, K_P=resolved["K_P"], K_D=resolved["K_D"])
    return WithFeedforward(law) if resolved["feedforward"] else law


def _words(layout: Layout) -> str:
    return f"a {'fixed' if layout.fixed else 'floating'} base and the joints {', '.join(layout.qdot_names) or '(none)'}"


def _floats(value: Any) -> float | list[float]:
    return [float(entry) for entry in value] if isinstance(value, list) else float(value)
