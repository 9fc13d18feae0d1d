"""All figures of a run by name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ...analysis import TipTrack
from ...errors import InvalidInput, Problem, UnknownName, checked
from ...plugins import Kinds
from ...simulation import History
from ..figures._angular_momentum_figure import ANGULAR_MOMENTUM
from ..figures._base_disturbance_figure import BASE_DISTURBANCE
from ..figures._base_excursion_figure import BASE_EXCURSION
from ..figures._base_wrench_figure import BASE_WRENCH
from ..figures._constraint_forces_figure import CONSTRAINT_FORCES
from ..figures._energy_figure import ENERGY
from ..figures._figure_kind import FigureKind, ShownPhase, ShownRun
from ..figures._interface_loads_figure import INTERFACE_LOADS
from ..figures._joint_angles_figure import JOINT_ANGLES
from ..figures._joint_forces_figure import JOINT_FORCES
from ..figures._joint_power_figure import JOINT_POWER
from ..figures._joint_rates_figure import JOINT_RATES
from ..figures._linear_momentum_figure import LINEAR_MOMENTUM
from ..figures._motor_use_figure import MOTOR_USE
from ..figures._panels import Figure, head
from ..figures._propellant_figure import PROPELLANT
from ..figures._tip_error_figure import TIP_ERROR
from ..figures._turner_figures import turner_figures
from ..verdicts._limits import Limits
from ._drawn import DrawnFigures
from ._phase_marks import mark_phases, starts_of
from ._tracking_figure import TRACKING


def _own() -> dict[str, FigureKind]:
    return {
        "tracking": TRACKING,
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


@checked
def figures(
    history: History,
    names: Iterable[str] | None = None,
    tips: Sequence[TipTrack] = (),
    limits: Limits | None = None,
    subject: str | None = None,
    phases: Sequence[ShownPhase] = (),
) -> DrawnFigures:
    """Return the figures called `names`, all of this package when left out; raises `UnknownName`.

    tips : of the frames that were led, for figures of those
    limits : that the run is judged by, drawn where they are near
    subject : of the titles, such as mission and mode; those of the history when left out
    phases : what the run is made of, which is marked; where it was put together or switched when left out

    >>> drawn = figures(history, ["joint_rates", "energy"])
    >>> list(drawn)
    ['joint_rates', 'energy']
    """
    shown = ShownRun(history, tips, limits or Limits(), phases)
    wanted = [name for name, kind in FIGURES.own.items() if tips or not kind.of_frames] if names is None else names
    drawn = DrawnFigures()
    for name in wanted:
        if name not in FIGURES:
            raise UnknownName("figure", name, "a run", FIGURES)
        drawn[name] = _drawn(name, shown)
        if subject is not None:
            head(drawn[name], subject)
        mark_phases(drawn[name], [phase[:2] for phase in phases] or starts_of(history), float(history.t[-1]))
    return drawn


def _drawn(name: str, shown: ShownRun) -> Figure:
    """Return a figure; raises `InvalidInput` where a kind of somebody else's draws something else."""
    from matplotlib.figure import Figure as Drawn

    found = FIGURES[name].draw(shown)
    if not isinstance(found, Drawn):
        raise InvalidInput(Problem(f"figure '{name}'", "a matplotlib.figure.Figure", repr(found)))
    return found
