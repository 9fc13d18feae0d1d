"""Who put energy in and who took it, at the end of a run."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...simulation import History
from ..verdicts._summary import shown
from ._page import TextTable

_WHOLE = {
    "work_on_base": "what pushes the base",
    "work_by_constraints": "constraints that drive or push off",
    "dissipated_by_switches": "constraints as they are imposed or slip",
}


def work_budget(history: History) -> list[TextTable]:
    """Return the work of every actuator and what every damper took since the start; the rows sum to the totals."""
    ends = {"work": "all actuators", "dissipated": "all dampers and friction"}
    layout = history.system.layout
    rows, idle = [], {name for name, driven in zip(layout.qdot_names, layout.actuated, strict=True) if not driven}
    for total, words in ends.items():
        whole, parts = float(getattr(history, total)[-1]), list(_parts(history, total))
        rows += [(total, name, shown(value, "J")) for name, value in parts if value or (total == "work" and name not in idle)]
        rows.append((total, "not accounted for", shown(whole - sum(value for _, value in parts), "J")))
        rows.append((total, words, shown(whole, "J")))
    caption = "Energy since the start, by what put it in and what took it; parts are integrated on their own"
    return [TextTable("work_by_actuator", caption, ("kind", "by", "energy"), tuple(rows))]


def _parts(history: History, total: str) -> Iterator[tuple[str, float]]:
    """Yield every part of a total by the name of the hardware that it is of, at the end of a run."""
    channels = history.channels
    for part in channels.totals[total]:
        if part.name == "work_on_base" and not history.mode.pushed:
            continue
        labels = channels.dimensions[part.axes].labels if part.axes else (_WHOLE[part.name],)
        yield from zip(labels, map(float, np.atleast_1d(getattr(history, part.name)[-1])), strict=False)
