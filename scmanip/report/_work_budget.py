"""Who put energy in and who took it, at the end of a run."""

from __future__ import annotations

from collections.abc import Iterator

from ..simulation import History
from ._page import Table
from ._summary import shown


def work_budget(history: History) -> list[Table]:
    """Return the work of every actuator and what every damper took since the start; the rows sum to the totals."""
    given, taken = list(_given(history)), list(_taken(history))
    totals = [("all actuators", float(history.work[-1])), ("all dampers and friction", float(history.dissipated[-1]))]
    left = [totals[0][1] - sum(value for _, value in given), totals[1][1] - sum(value for _, value in taken)]
    rows = [("work", name, shown(value, "J")) for name, value in given]
    rows += [("work", "not accounted for", shown(left[0], "J")), ("work", totals[0][0], shown(totals[0][1], "J"))]
    rows += [("dissipated", name, shown(value, "J")) for name, value in taken]
    rows += [("dissipated", "not accounted for", shown(left[1], "J")), ("dissipated", totals[1][0], shown(totals[1][1], "J"))]
    caption = "Energy since the start, by what put it in and what took it; parts are integrated on their own"
    return [Table("work_by_actuator", caption, ("kind", "by", "energy"), tuple(rows))]


def _given(history: History) -> Iterator[tuple[str, float]]:
    yield from zip(history.qdot_names, map(float, history.work_by_joint[-1]), strict=True)
    yield from zip(history.system.layout.wheel_names, map(float, history.work_by_wheel[-1]), strict=True)
    if history.mode.pushed:
        yield "what pushes the base", float(history.work_on_base[-1])


def _taken(history: History) -> Iterator[tuple[str, float]]:
    for name, value in zip(history.qdot_names, map(float, history.dissipated_by_joint[-1]), strict=True):
        if value:
            yield name, value
    for name, value in zip(history.system.layout.wheel_names, map(float, history.dissipated_by_wheel[-1]), strict=True):
        if value:
            yield name, value
    for spring, value in zip(history.system.springs, map(float, history.dissipated_by_spring[-1]), strict=True):
        if value:
            yield spring.name, value
