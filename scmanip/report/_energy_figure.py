"""Where the energy is, and where it came from and went."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..simulation import History
from ._panels import curves, panels
from ._subject import subject

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def energy_figure(history: History) -> Figure:
    """Return the kinetic energy by body and wheel above work and what was dissipated since the start, over time.

    The legend has the largest size of each.
    """
    figure, axes = panels(subject(history), "energy", ["kinetic energy [J]", "since the start [J]"])
    kinetic = np.hstack([history.kinetic_energy_by_body, history.kinetic_energy_by_wheel])
    wheels = history.system.layout.wheel_names
    totals = {
        "work of joints": history.work_by_joint.sum(axis=1),
        "work of wheels": history.work_by_wheel.sum(axis=1),
        "work on base": history.work_on_base,
        "dissipated": history.dissipated,
        "stored, change": history.stored_energy - history.stored_energy[0],
    }
    shown = {name: series for name, series in totals.items() if name == "work of joints" or np.any(series)}
    for axis, series, names in (
        (axes[0], kinetic, [*history.body_names, *wheels]),
        (axes[1], np.stack(list(shown.values()), axis=1), list(shown)),
    ):
        peaks = np.abs(series).max(axis=0)
        curves(axis, history.t, series, [f"{name}, peak {peak:.3g}" for name, peak in zip(names, peaks, strict=True)])
    return figure
