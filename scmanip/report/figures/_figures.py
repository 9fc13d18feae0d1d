"""All figures of a run by name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ...analysis import TipTrack
from ...errors import UnknownName
from ...plugins import Kinds
from ...simulation import History
from ..verdicts._limits import Limits
from ._angular_momentum_figure import ANGULAR_MOMENTUM
from ._base_disturbance_figure import BASE_DISTURBANCE
from ._base_excursion_figure import BASE_EXCURSION
from ._base_wrench_figure import BASE_WRENCH
from ._constraint_forces_figure import CONSTRAINT_FORCES
from ._energy_figure import ENERGY
from ._figure_kind import FigureKind, ShownRun
from ._interface_loads_figure import INTERFACE_LOADS
from ._joint_angles_figure import JOINT_ANGLES
from ._joint_forces_figure import JOINT_FORCES
from ._joint_power_figure import JOINT_POWER
from ._joint_rates_figure import JOINT_RATES
from ._linear_momentum_figure import LINEAR_MOMENTUM
from ._motor_use_figure import MOTOR_USE
from ._panels import Figure, head
from ._propellant_figure import PROPELLANT
from ._tip_error_figure import TIP_ERROR
from ._turner_figures import turner_figures


def _own() -> dict[str, FigureKind]:
    return {
        "joint_rates": JOINT_RATES,
        "joint_angles": JOINT_ANGLES,
        "joint_forces": JOINT_FORCES,
        "constraint_forces": CONSTRAINT_FORCES,
        "interface_loads": INTERFACE_LOADS,
        "linear_momentum": LINEAR_MOMENTUM,
        "angular_momentum": ANGULAR_MOMENTUM,
        **turner_figures(),
        "base_wrench": BASE_WRENCH,
        "propellant": PROPELLANT,
        "joint_power": JOINT_POWER,
        "motor_use": MOTOR_USE,
        "base_excursion": BASE_EXCURSION,
        "base_disturbance": BASE_DISTURBANCE,
        "energy": ENERGY,
        "tip_error": TIP_ERROR,
    }


def _made(name: str, given: Any) -> FigureKind | None:
    return given if isinstance(given, FigureKind) else None


FIGURES: Kinds[FigureKind] = Kinds("scmanip.figures", "figure", _own, _made, "a report.FigureKind")


def figures(
    history: History,
    names: Iterable[str] | None = None,
    tips: Sequence[TipTrack] = (),
    limits: Limits | None = None,
    subject: str | None = None,
) -> dict[str, Figure]:
    """Return the figures called `names`, all of this package when left out; raises `UnknownName`.

    tips : of the frames that were led, for figures of those
    limits : that the run is judged by, drawn where they are near
    subject : of the titles, such as mission and mode; those of the history when left out
    """
    shown = ShownRun(history, tips, limits or Limits())
    wanted = [name for name, kind in FIGURES.own.items() if tips or not kind.of_frames] if names is None else names
    drawn = dict[str, Figure]()
    for name in wanted:
        if name not in FIGURES:
            raise UnknownName("figure", name, "a run", FIGURES)
        drawn[name] = FIGURES[name].draw(shown)
        if subject is not None:
            head(drawn[name], subject)
    return drawn
