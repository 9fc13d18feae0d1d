"""Which joint turned and moved the base, and by how much."""

from __future__ import annotations

import numpy as np

from ...errors import checked
from ...simulation import History
from ...spatial import Array
from ._figure_kind import FigureKind
from ._panels import COLOURS, DASHES, Axes, Figure, lasting, legend, panels, subject


@checked
def base_disturbance_figure(history: History) -> Figure:
    """Return what every joint's motion, and momentum, turned and moved the base since the start, over time.

    Turns are integrals of angular velocity [deg]. Of each the component is drawn in the direction in which the base was turned
    or moved farthest, so that the curves add up to the broad one; the legend has each at that time, and the time.

    >>> [axes.get_ylabel() for axes in base_disturbance_figure(history).axes]
    ['turned by joint [deg]', 'moved by joint [m]']
    """
    labels = ["turned by joint [deg]", "moved by joint [m]"]
    figure, axes = panels(subject(history), "what turned and moved the base", labels)
    n = history.system.layout.N_tree  # nothing else disturbs it
    turn, shift = np.degrees(history.turn_by_joint[..., :n]), history.shift_by_joint[..., :n]
    _shares(axes[0], history, turn, np.degrees(history.turn_by_momentum))
    _shares(axes[1], history, shift, history.shift_by_momentum)
    return figure


def _shares(axis: Axes, history: History, joints: Array, momentum: Array) -> None:
    """Draw contributions (n, 3, N) and (n, 3) and their sum along the direction of the largest sum."""
    whole = joints.sum(axis=2) + momentum
    sizes = np.linalg.norm(whole, axis=1)
    at = int(np.argmax(sizes))
    along = whole[at] / (sizes[at] or 1.0)
    parts = [*np.einsum("nij,i->jn", joints, along), momentum @ along, whole @ along]
    lines = []
    for i, part in enumerate(parts):
        last = i == len(parts) - 1
        look = ("0.8", "-") if last else (COLOURS[i % len(COLOURS)], DASHES[(i // len(COLOURS)) % len(DASHES)])
        wide, under = (5.0, 1.5) if last else (1.6, 2.0)
        lines += axis.plot(history.t, part, color=look[0], linestyle=look[1], linewidth=wide, zorder=under)
    names = [*history.qdot_names[: joints.shape[2]], "momentum", "sum"]
    words = [f"{name} {part[at]:.3g}" for name, part in zip(names, parts, strict=True)]
    legend(axis, lines, words, f"at t = {history.t[at]:g} s:")
    lasting(axis, history.t)


BASE_DISTURBANCE = FigureKind(
    lambda run: base_disturbance_figure(run.history),
    shows=lambda run: not run.system.fixed,
    needs="a base that can move",
)
