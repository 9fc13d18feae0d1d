"""What the actuators give, as [Kane1983] Figure 1."""

from __future__ import annotations

import numpy as np

from ..simulation import History
from ._joint_kinds import by_freedom, freedom_kinds
from ._limit_curves import limit_curves
from ._limits import Limits
from ._panels import Figure, panels
from ._subject import subject

_WORDS = {"rad": "joint torques [N m]", "m": "joint forces [N]"}


def joint_forces_figure(history: History, limits: Limits | None = None) -> Figure:
    """Return the actuators' torques above their forces over time, each positive in the direction of its joint's rate.

    The legend has the largest size of each: beside what carries weight, what carries none looks flat.
    limits : of them, drawn where they are near
    """
    most = by_freedom(history.system, (limits or Limits()).joint_effort)
    kinds = freedom_kinds(history)
    figure, axes = panels(subject(history), "joint forces of the actuators", [_WORDS[kind.unit] for kind in kinds])
    for axis, kind in zip(axes, kinds, strict=False):
        allowed = [most.get(name, np.inf) for name in kind.names]
        limit_curves(axis, history.t, history.tau[:, kind.places], kind.names, allowed)
    return figure
