"""All figures of a run by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType

from ..analysis import TipTrack
from ..errors import UnknownName
from ..simulation import History
from ._angular_momentum_figure import angular_momentum_figure
from ._base_disturbance_figure import base_disturbance_figure
from ._base_excursion_figure import base_excursion_figure
from ._base_wrench_figure import base_wrench_figure
from ._energy_figure import energy_figure
from ._joint_angles_figure import joint_angles_figure
from ._joint_forces_figure import joint_forces_figure
from ._joint_power_figure import joint_power_figure
from ._joint_rates_figure import joint_rates_figure
from ._limits import Limits
from ._linear_momentum_figure import linear_momentum_figure
from ._motor_use_figure import motor_use_figure
from ._panels import Figure, head
from ._propellant_figure import propellant_figure
from ._tip_error_figure import tip_error_figure
from ._wheel_momentum_figure import wheel_momentum_figure
from ._wheel_torque_figure import wheel_torque_figure

FIGURES: Mapping[str, Callable[..., Figure]] = MappingProxyType(
    {
        "joint_rates": joint_rates_figure,
        "joint_angles": joint_angles_figure,
        "joint_forces": joint_forces_figure,
        "linear_momentum": linear_momentum_figure,
        "angular_momentum": angular_momentum_figure,
        "wheel_momentum": wheel_momentum_figure,
        "wheel_torque": wheel_torque_figure,
        "base_wrench": base_wrench_figure,
        "propellant": propellant_figure,
        "joint_power": joint_power_figure,
        "motor_use": motor_use_figure,
        "base_excursion": base_excursion_figure,
        "base_disturbance": base_disturbance_figure,
        "energy": energy_figure,
    }
)


TIP_FIGURES: Mapping[str, Callable[[History, Sequence[TipTrack]], Figure]] = MappingProxyType({"tip_error": tip_error_figure})

_LIMITED = ("joint_rates", "joint_forces", "base_wrench", "propellant", "joint_power", "base_excursion")


def figures(
    history: History,
    names: Iterable[str] | None = None,
    tips: Sequence[TipTrack] = (),
    limits: Limits | None = None,
    subject: str | None = None,
) -> dict[str, Figure]:
    """Return the figures called `names`, all of `FIGURES` when left out; raises `UnknownName`.

    tips : of the frames that were led, for the figures of `TIP_FIGURES`
    limits : that the run is judged by, drawn where they are near
    subject : of the titles, such as mission and mode; those of the history when left out
    """
    wanted = tuple(FIGURES) if names is None else tuple(names)
    for name in wanted:
        if name not in FIGURES and name not in TIP_FIGURES:
            raise UnknownName("figure", name, "a run", (*FIGURES, *TIP_FIGURES))
    drawn = {name: _drawn(name, history, tips, limits or Limits()) for name in wanted}
    if subject is not None:
        for figure in drawn.values():
            head(figure, subject)
    return drawn


def _drawn(name: str, history: History, tips: Sequence[TipTrack], limits: Limits) -> Figure:
    if name in TIP_FIGURES:
        return tip_error_figure(history, tips, limits)
    return FIGURES[name](history, limits) if name in _LIMITED else FIGURES[name](history)
