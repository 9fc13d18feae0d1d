"""What was to be followed beside what was done, and what the run lacked to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from ...channels import for_people
from ...errors import checked
from ...guidance import JointReference, PoseReference
from ...simulation import History
from ...spatial import Array
from ..figures._figure_kind import FigureKind, ShownPhase
from ..figures._panels import COLOURS, COMPONENTS, ROUNDING, Axes, Figure, curves, flat, lasting, legend, panels, subject
from ..verdicts._joint_kinds import coordinate_kinds, freedom_kinds

_MOVES = {"rad": "joint angles [deg]", "m": "joint extensions [m]", "1": "joint quaternions [1]"}
_LACKS = {"rad": "error of angles [deg]", "m": "error of extensions [m]"}


@dataclass(frozen=True, eq=False)
class TrackingPanel:
    """Columns (n, k) of what was done, in the unit of the label, and of what was to be done; None where that is not known."""

    label: str
    names: tuple[str, ...]
    done: Array
    wanted: Array | None = None


@checked
def tracking_figure(history: History, phases: Sequence[ShownPhase] = ()) -> Figure:
    """Return what followed references, beside them, dashed, above what it lacked to them, over time; angles in degrees.

    Of joints, and of place and attitude of every frame that was led, each while it was.
    phases : of the run, where they do not all follow references of one kind

    >>> [axes.get_ylabel() for axes in tracking_figure(history).axes]
    ['joint angles [deg]', 'error of angles [deg]']
    """
    parts = [phase.history for phase in phases] or [history]
    found = [*_of_joints(history, parts), *_of_frames(history, parts)]
    title = "against the reference" if found else "nothing was followed"
    figure, axes = panels(subject(history), title, [panel.label for panel in found] or ["no reference"])
    for axis, panel in zip(axes, found, strict=False):
        if panel.wanted is None:
            curves(axis, history.t, panel.done, panel.names, ROUNDING)
        else:
            _beside(axis, history.t, panel, panel.wanted)
    return figure


def _of_joints(history: History, parts: Sequence[History]) -> Iterator[TrackingPanel]:
    wanted = _filled(parts, lambda part: part.reference.q if isinstance(part.reference, JointReference) else None)
    error = _filled(parts, lambda part: part.error if isinstance(part.reference, JointReference) else None)
    if wanted is None or error is None:
        return
    for kind in coordinate_kinds(history):
        size = for_people(kind.unit)[1]
        yield TrackingPanel(_MOVES[kind.unit], kind.names, size * history.q[:, kind.places], size * wanted[:, kind.places])
    for kind in freedom_kinds(history):
        yield TrackingPanel(_LACKS[kind.unit], kind.names, for_people(kind.unit)[1] * error[:, kind.places])


def _of_frames(history: History, parts: Sequence[History]) -> Iterator[TrackingPanel]:
    """Yield places and errors; errors are in N, and so are places, but for those relative to a frame that moves."""
    led = [part.reference for part in parts if isinstance(part.reference, PoseReference)]
    for frame in dict.fromkeys(pose.frame for pose in led):
        wanted = _filled(parts, partial(_place, frame))
        away = _filled(parts, partial(_error, frame, 0))
        turned = _filled(parts, partial(_error, frame, 3))
        if away is None:
            continue
        if wanted is not None:
            yield TrackingPanel(f"place of {frame} [m]", COMPONENTS, wanted - away, wanted)
        yield TrackingPanel(f"error of {frame} [mm]", COMPONENTS, 1e3 * away)
        if turned is not None:
            angle = 2 * np.arcsin(np.minimum(np.linalg.norm(turned, axis=1, keepdims=True) / 2, 1.0))
            yield TrackingPanel(f"error of {frame} [deg]", ("angle",), np.degrees(angle))


def _place(frame: str, part: History) -> Array | None:
    pose = part.reference
    if not isinstance(pose, PoseReference) or pose.frame != frame or pose.relative_to is not None:
        return None
    return pose.position_m


def _error(frame: str, first: int, part: History) -> Array | None:
    """Return three columns of an error, from `first` on."""
    pose, error = part.reference, part.error
    if not isinstance(pose, PoseReference) or pose.frame != frame or error is None or error.shape[1] <= first:
        return None
    return error[:, first : first + 3]


def _filled(parts: Sequence[History], of: Callable[[History], Array | None]) -> Array | None:
    """Return rows of all parts, NaN in those that have none; None where none has any."""
    found = [of(part) for part in parts]
    width = next((rows.shape[1] for rows in found if rows is not None), None)
    if width is None:
        return None
    pairs = zip(parts, found, strict=True)
    return np.concatenate([np.full((len(part.t), width), np.nan) if rows is None else rows for part, rows in pairs])


def _beside(axis: Axes, t: Array, panel: TrackingPanel, wanted: Array) -> None:
    """Draw what was done in colours, and over it, black and dashed, what was wanted."""
    lines = []
    for k, column in enumerate(panel.done.T):
        lines += axis.plot(t, column, color=COLOURS[k % (len(COLOURS) - 1)], linewidth=2.2)
    dashed = [axis.plot(t, column, color="black", linestyle="--", linewidth=0.9)[0] for column in wanted.T]
    legend(axis, [*lines, *dashed[:1]], [*panel.names, "reference"])
    flat(axis, np.concatenate([panel.done, wanted]), ROUNDING)
    lasting(axis, t)


TRACKING = FigureKind(lambda run: tracking_figure(run.history, run.phases), usual=lambda run: True)
