"""Which figures a run of a mission has."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from ..dynamics import Model
from ..guidance import PoseReference
from ..system import System
from ._findings import Findings, table_at
from ._phase import Phase

Flight = tuple[Model, Sequence[Phase]]
_Shows = Callable[[System, Sequence[Phase]], bool]


def _drives_or_holds(system: System, phases: Sequence[Phase]) -> bool:
    return system.fixed or any(phase.mode.commands_base for phase in phases)


_WHEELS = "a system with wheels, or a mode that has ideal ones"
_FREE = "a base that can move"
_NEEDS: Mapping[str, tuple[str, _Shows]] = {
    "propellant": ("a system with thrusters", lambda system, phases: bool(system.thrusters)),
    "wheel_momentum": (_WHEELS, lambda system, phases: bool(system.wheels)),
    "wheel_torque": (_WHEELS, lambda system, phases: bool(system.wheels)),
    "base_excursion": (_FREE, lambda system, phases: not system.fixed),
    "base_disturbance": (_FREE, lambda system, phases: not system.fixed),
    "base_wrench": ("a mode that drives the base, or a held one", _drives_or_holds),
    "motor_use": ("a joint that turns", lambda system, phases: any(freedom.turns for freedom in system.freedoms)),
}


def figure_names(asked: Sequence[str] | None, model: Model, phases: Sequence[Phase]) -> tuple[str, ...]:
    """Return the figures of a run: those of `asked` that show something of it, without a list all that suit it."""
    if asked is not None:
        return tuple(name for name in asked if _shows(name, model, phases))
    names = ["joint_rates", "joint_angles"]
    if not model.system.fixed:
        names += ["linear_momentum", "angular_momentum"]
    if model.system.wheels:
        names += ["wheel_momentum", "wheel_torque"]
    if any(phase.mode.commands_base for phase in phases):
        names.append("base_wrench")
    if any(isinstance(phase.reference.at(0.0), PoseReference) for phase in phases):
        names.append("tip_error")
    return tuple(names)


def refuse_empty(findings: Findings, flights: Iterable[Flight]) -> None:
    """Note figures that the file asks for and that would be empty in every run."""
    planned = list(flights)
    for place, name in asked_figures(findings):
        if planned and not any(_shows(name, *flight) for flight in planned):
            hint = "leave it out: it would be empty"
            findings.add(("output", "figures", place), _NEEDS[name][0], repr(name), hint)


def asked_figures(findings: Findings) -> list[tuple[int, str]]:
    """Return the names that the file asks for, each with its place in the list; what is no text the schema reports."""
    asked = table_at(findings.document, ("output",)).get("figures")
    return [(place, name) for place, name in enumerate(asked if isinstance(asked, list) else []) if isinstance(name, str)]


def _shows(name: str, model: Model, phases: Sequence[Phase]) -> bool:
    return name not in _NEEDS or _NEEDS[name][1](model.system, phases)
