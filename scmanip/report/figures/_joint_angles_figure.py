"""Joint angles and what they do to the base's position, as [Wilde2018] Figures 5B and 7B."""

from __future__ import annotations

from ...channels import for_people
from ...errors import checked
from ...simulation import History
from ..verdicts._joint_kinds import coordinate_kinds
from ._figure_kind import FigureKind
from ._panels import ROUNDING, Figure, component_curves, curves, panels, quaternion_curves, subject

_WORDS = {"rad": "joint angles [deg]", "m": "joint extensions [m]", "1": "joint quaternions [1]"}


@checked
def joint_angles_figure(history: History) -> Figure:
    """Return the joint coordinates above the base CoM's displacement r_0 - r_0(0) (inertial components), over time.

    Angles, lengths and the quaternions of spherical joints have a panel each.

    >>> [axes.get_ylabel() for axes in joint_angles_figure(history).axes]
    ['joint angles [deg]', 'base displacement [m]']
    """
    kinds = coordinate_kinds(history)
    labels = [_WORDS[kind.unit] for kind in kinds]
    title = f"joint {'coordinates' if history.system.layout.quaternions else 'angles'}"
    if not history.system.fixed:
        labels.append("base displacement [m]")
        title += " and displacement of the base's centre of mass"
    figure, axes = panels(subject(history), title, labels)
    for axis, kind in zip(axes, kinds, strict=False):
        if kind.unit == "1":
            quaternion_curves(axis, history.t, history.q[:, kind.places], kind.names)
        else:
            curves(axis, history.t, for_people(kind.unit)[1] * history.q[:, kind.places], kind.names, ROUNDING)
    if not history.system.fixed:
        component_curves(axes[-1], history.t, history.r_0 - history.r_0[0], "r_0 - r_0(0)")
    return figure


JOINT_ANGLES = FigureKind(
    lambda run: joint_angles_figure(run.history),
    usual=lambda run: True,
)
