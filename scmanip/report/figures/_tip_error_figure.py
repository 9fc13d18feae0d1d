"""How well a frame kept to its way, and what the base did meanwhile."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...analysis import TipTrack, base_displacement, base_rotation
from ...errors import checked
from ...simulation import History
from ...spatial import Array
from ..verdicts._limits import Limits
from ._figure_kind import FigureKind
from ._panels import COLOURS, ROUNDING, Axes, Figure, curves, lasting, limit_line, panels, subject


@checked
def tip_error_figure(history: History, tracks: Sequence[TipTrack], limits: Limits | None = None) -> Figure:
    """Return distance and angle of frames from their references above the base's excursion and the singular values, over time.

    tracks : of the frames that were led; what is not led at a time is not drawn then
    limits : of the last frame at its end and of the base, drawn where they are near

    >>> from scmanip.analysis import tip_track
    >>> from scmanip.control import TaskComputedTorque
    >>> lead = TaskComputedTorque(model, scmanip.Floating(), axes=("x", "y"))
    >>> run = scmanip.simulate(plant, lead, state, reference=reach, t_end_s=5.0, output_step_s=0.5)
    >>> [axes.get_ylabel() for axes in tip_error_figure(run, [tip_track(model, lead, reach, run)]).axes][:2]
    ['tip error [mm]', 'base turned [deg]']
    """
    limits = limits or Limits()
    turning = [track for track in tracks if track.turned_rad is not None]
    resolved = [track for track in tracks if track.singular_value.size]
    led = ", ".join(dict.fromkeys(track.frame for track in tracks)) or "no frame"
    labels = ["tip error [mm]", *["tip angle [deg]"] * bool(turning)]
    moved = base_displacement(history)
    size, unit = (1.0, "m") if moved.max() > 1 else (1e3, "mm")
    labels += [] if history.system.fixed else ["base turned [deg]", f"base moved [{unit}]"]
    labels += ["singular value [SI]"] * bool(resolved)
    figure, axes = panels(subject(history), f"{led} against its reference, and the base", labels)
    left = iter(axes)
    panel = next(left)
    for track in tracks:
        limit = limits.tip_error_m if track is tracks[-1] else None
        _against(panel, track.t, 1e3 * track.away_m, track.frame, None if limit is None else 1e3 * limit, at_end=True)
    panel = next(left) if turning else panel
    for track in turning:
        if track.turned_rad is not None:
            limit = limits.tip_error_rad if track is tracks[-1] else None
            _against(panel, track.t, np.degrees(track.turned_rad), track.frame, _degrees(limit), at_end=True)
    if not history.system.fixed:
        _against(next(left), history.t, np.degrees(base_rotation(history)), "base", _degrees(limits.base_rotation_rad))
        farthest = limits.base_displacement_m
        _against(next(left), history.t, size * moved, "base CoM", None if farthest is None else size * farthest)
    panel = next(left) if resolved else panel
    for track in resolved:
        jacobian, _, of = track.jacobian.partition(", ")
        names = [f"least of {jacobian}{of and f',{chr(10)}{of}'}", "damping"]
        curves(panel, track.t, np.column_stack([track.singular_value, track.damping]), names)
    for panel in axes:
        lasting(panel, history.t)
    return figure


def _degrees(angle: float | None) -> float | None:
    return None if angle is None else float(np.degrees(angle))


def _against(axis: Axes, t: Array, series: Array, name: str, limit: float | None, *, at_end: bool = False) -> None:
    """Draw a size (n,), and its limit where it is near, which holds `at_end` or throughout."""
    if limit is None:
        curves(axis, t, series[:, np.newaxis], [name], ROUNDING)
        return
    value = series[-1] if at_end else series.max()
    curves(axis, t, series[:, np.newaxis], [f"{name}, {'at end' if at_end else 'peak'} {value:.3g} of {limit:.4g}"], ROUNDING)
    if value > limit / 5:
        limit_line(axis, limit, COLOURS[0])


TIP_ERROR = FigureKind(
    lambda run: tip_error_figure(run.history, run.tips, run.limits),
    needs="a mission that leads a frame, guidance 'reach'",
    shows=lambda run: run.leads,
    usual=lambda run: run.leads,
    of_frames=True,
)
