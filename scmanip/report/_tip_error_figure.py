"""How well a frame kept to its way, and what the base did meanwhile."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..analysis import TipTrack, base_displacement, base_rotation
from ..simulation import History
from ._panels import curves, panels

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def tip_error_figure(history: History, tracks: Sequence[TipTrack]) -> Figure:
    """Return distance and angle of frames from their references above the base's excursion and the singular values, over time.

    tracks : of the frames that were led; what is not led at a time is not drawn then
    """
    turning = [track for track in tracks if track.turned_rad is not None]
    resolved = [track for track in tracks if track.singular_value.size]
    led = ", ".join(dict.fromkeys(track.frame for track in tracks)) or "no frame"
    labels = ["tip error [mm]", *["tip angle [deg]"] * bool(turning)]
    moved = base_displacement(history)
    size, unit = (1.0, "m") if moved.max() > 1 else (1e3, "mm")
    labels += [] if history.system.fixed else ["base turned [deg]", f"base moved [{unit}]"]
    labels += ["J* [SI]"] * bool(resolved)
    figure, axes = panels(f"{history.system.name}: {led} against its reference, and the base", labels)
    left = iter(axes)
    panel = next(left)
    for track in tracks:
        curves(panel, track.t, 1e3 * track.away_m[:, np.newaxis], [track.frame])
    panel = next(left) if turning else panel
    for track in turning:
        if track.turned_rad is not None:
            curves(panel, track.t, np.degrees(track.turned_rad)[:, np.newaxis], [track.frame])
    if not history.system.fixed:
        curves(next(left), history.t, np.degrees(base_rotation(history))[:, np.newaxis], ["base"])
        curves(next(left), history.t, size * moved[:, np.newaxis], ["base CoM"])
    panel = next(left) if resolved else panel
    for track in resolved:
        curves(panel, track.t, np.column_stack([track.singular_value, track.damping]), ["least singular value", "damping"])
    for panel in axes:
        panel.set_xlim(history.t[0], history.t[-1])
    return figure
