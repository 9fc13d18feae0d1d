"""What constraints apply while they hold or slip."""

from __future__ import annotations

import numpy as np

from ...dynamics import Stack
from ...errors import checked
from ...simulation import History
from ._figure_kind import FigureKind, PlannedRun
from ._panels import ROUNDING, Figure, limit_curves, panels, subject

_WORDS = {"N": "force of constraints", "N m": "moment of constraints"}


@checked
def constraint_forces_figure(history: History) -> Figure:
    """Return the forces of the constraints above their moments over time, in the sense of their kinds, and sizes of those of
    rigid contacts.

    A row that is never anything is left out; the legend has the largest size of each.

    >>> len(constraint_forces_figure(history).axes)
    1
    """
    stack = Stack(history.system, history.system.constraints)
    forces = history.constraint_force if stack.constraints else np.zeros((len(history.t), 0))
    sizes = abs(forces).max(axis=0, initial=0.0)
    heard = [k for k, size in enumerate(sizes) if not size <= ROUNDING]
    touching = "contact_force" in history.channels.declared
    units = sorted({stack.units[k] for k in heard}) or ["N"] * (not touching)
    labels = [*(f"{_WORDS.get(unit, 'effort')} [{unit}]" for unit in units), *["contact force [N]"] * touching]
    figure, axes = panels(subject(history), "what constraints apply", labels)
    if touching:
        places = history.channels.dimensions["contact"].labels
        limit_curves(axes[-1], history.t, np.linalg.norm(history.contact_force, axis=2), places, [None] * len(places))
    for axis, unit in zip(axes, units, strict=False):
        own = [k for k in heard if stack.units[k] == unit]
        names = [stack.labels[k] for k in own]
        limit_curves(axis, history.t, forces[:, own], names, [None] * len(own))
    return figure


def _is_constrained(run: PlannedRun) -> bool:
    return run.touches or bool(run.system.constraints)


CONSTRAINT_FORCES = FigureKind(
    lambda run: constraint_forces_figure(run.history),
    needs="a system with constraints, or shapes that touch rigidly",
    shows=_is_constrained,
    usual=_is_constrained,
)
