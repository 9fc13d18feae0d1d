"""Sensors that are fixed to a base which can turn."""

from __future__ import annotations

from ..dynamics import Model
from ..errors import ModeMismatch
from ..spatial import Array
from ..system import State, System


def check_base(model: Model, label: str, frame: str | None = None) -> None:
    """Raise `ModeMismatch` for a base that is held, or a frame that is not on the base; `UnknownName` for one that is none."""
    system = model.system
    if system.fixed:
        raise ModeMismatch(f"{label} is fixed to a base that turns, and the base of {system.name!r} is held")
    if frame is not None and system.frame(frame).body != system.base.name:
        raise ModeMismatch(f"{label} has a frame on the base, and {frame!r} is on {system.frame(frame).body!r}")


def with_base(state: State, system: System, attitude_xyzw: Array | None = None, omega_0: Array | None = None) -> State:
    """Return a state with another attitude (4,) or angular velocity (3,) of the base, in N."""
    x, layout = state.x.copy(), system.layout
    if attitude_xyzw is not None:
        x[layout.x_attitude] = attitude_xyzw
    if omega_0 is not None:
        x[layout.x_u][layout.base_angular] = omega_0
    return state.repacked(x)
