"""Where the energy is, and where it came from and went."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...channels import Channel, Channels
from ...errors import checked
from ...simulation import History
from ._figure_kind import FigureKind
from ._panels import Figure, curves, panels, subject


@checked
def energy_figure(history: History) -> Figure:
    """Return the kinetic energy by body and wheel above work and what was dissipated since the start, over time.

    The legend has the largest size of each.

    >>> [axes.get_ylabel() for axes in energy_figure(history).axes]
    ['kinetic energy [J]', 'energy since the start [J]']
    """
    figure, axes = panels(subject(history), "energy", ["kinetic energy [J]", "energy since the start [J]"])
    channels = history.channels
    kinetic = channels.totals["kinetic_energy"]
    work = {_words(part.name): getattr(history, part.name) for part in channels.totals["work"]}
    totals = {name: series if series.ndim == 1 else series.sum(axis=1) for name, series in work.items()}
    totals |= {"dissipated": history.dissipated, "stored, change": history.stored_energy - history.stored_energy[0]}
    shown = {name: series for k, (name, series) in enumerate(totals.items()) if k == 0 or np.any(series)}
    for axis, series, names in (
        (axes[0], np.hstack([getattr(history, part.name) for part in kinetic]), _labels(channels, kinetic)),
        (axes[1], np.stack(list(shown.values()), axis=1), list(shown)),
    ):
        peaks = np.abs(series).max(axis=0)
        curves(axis, history.t, series, [f"{name}, peak {peak:.3g}" for name, peak in zip(names, peaks, strict=True)])
    return figure


def _labels(channels: Channels, parts: Sequence[Channel]) -> list[str]:
    return [label for part in parts for label in channels.dimensions[part.axes].labels]


def _words(name: str) -> str:
    """Return "work_by_joint" as "work of joints"."""
    what, _, whose = name.partition("_by_")
    return f"{what} of {whose}s" if whose else name.replace("_", " ")


ENERGY = FigureKind(
    lambda run: energy_figure(run.history),
)
