"""What turns the base from inside: what it stores, and what its motors give; two figures per kind."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ...actuators import ACTUATOR_KINDS, Turner, TurnerChannels
from ...analysis import stored_by
from ...errors import checked
from ...simulation import History
from ._figure_kind import FigureKind, PlannedRun, ShownRun
from ._panels import ROUNDING, Figure, component_curves, limit_curves, panels, subject


@checked
def turner_momentum_figure(history: History, kind: type[Turner]) -> Figure:
    """Return what every turner of a kind stores above the momentum of all of them (inertial components), over time.

    Both are relative to the base. Limits are those of the system file.

    >>> from scmanip.actuators import Wheel
    >>> len(turner_momentum_figure(history, Wheel).axes)
    2
    """
    word, its, whole = kind.kind, history.system.offering(kind), TurnerChannels.of(kind).momentum.name
    labels = [f"momentum by {word} [N m s]", f"all {word}s [N m s]"]
    figure, axes = panels(subject(history), f"momentum of the {word}s", labels)
    names, limits = [one.called for one in its], [one.largest_momentum for one in its]
    limit_curves(axes[0], history.t, stored_by(history, kind), names, limits, least=ROUNDING)
    component_curves(axes[1], history.t, getattr(history, whole), whole)
    return figure


@checked
def turner_torque_figure(history: History, kind: type[Turner]) -> Figure:
    """Return torques of the motors of a kind above its states, relative to the base, over time; limits of the system file.

    >>> from scmanip.actuators import Wheel
    >>> len(turner_torque_figure(history, Wheel).axes)
    2
    """
    its, channels = history.system.offering(kind), TurnerChannels.of(kind)
    shown = [next(iter(entry.spellings.items()), (entry.unit, 1.0)) for entry in kind.states]
    units = [unit.removeprefix(f"{kind.kind}_") for unit, _ in shown]
    labels = [f"motor {torque} [N m]" for torque in channels.torques]
    labels += [f"{entry.name} [{unit}]" for entry, unit in zip(kind.states, units, strict=True)]
    figure, axes = panels(subject(history), f"motors of the {kind.kind}s", labels)
    names, motors, n = [one.called for one in its], axes[: len(channels.efforts)], len(channels.efforts)
    for k, (axis, channel) in enumerate(zip(motors, channels.efforts, strict=True)):
        limits = [one.largest_efforts[k] for one in its]
        limit_curves(axis, history.t, getattr(history, channel.name), names, limits, least=ROUNDING)
    for k, (axis, channel, (_, size)) in enumerate(zip(axes[n:], channels.states, shown, strict=True)):
        limits = [one.said_states[k] / size for one in its]
        limit_curves(axis, history.t, getattr(history, channel.name) / size, names, limits)
    return figure


def turner_figures() -> dict[str, FigureKind]:
    """Return the figures of all kinds that turn the base, such as "wheel_momentum" and "wheel_torque"."""
    found = {}
    for kind in ACTUATOR_KINDS.sound.values():
        if issubclass(kind, Turner):
            shows = partial(_has, kind)
            for name, drawn in (("momentum", turner_momentum_figure), ("torque", turner_torque_figure)):
                draw = partial(_draw, drawn, kind)
                found[f"{kind.kind}_{name}"] = FigureKind(draw, f"a system with {kind.kind}s", shows, shows)
    return found


def _draw(drawn: Callable[[History, type[Turner]], Figure], kind: type[Turner], run: ShownRun) -> Figure:
    return drawn(run.history, kind)


def _has(kind: type[Turner], run: PlannedRun) -> bool:
    return bool(run.system.offering(kind))
