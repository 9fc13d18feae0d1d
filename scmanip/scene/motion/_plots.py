"""Curves beside a picture of a run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ...simulation import History
from ...spatial import FloatArray
from ...system import System

_XYZ = ("x", "y", "z")


@dataclass(frozen=True, eq=False)
class Plot:
    """Curves over the time of a scene.

    title, unit : words; names : (k) of the curves
    t_s : (n,) times [s]; rows : (n, k), in that unit
    least : in that unit; what is smaller is drawn as nothing

    >>> plot = plots_of(history)[0]
    >>> plot.title, plot.unit, plot.names, plot.rows.shape
    ('joint angles', 'deg', ('joint1', 'joint2', 'joint3', 'joint4'), (5, 4))
    """

    title: str
    unit: str
    names: tuple[str, ...]
    t_s: FloatArray
    rows: FloatArray
    least: float


def plots_of(history: History) -> tuple[Plot, ...]:
    """Return what one wants to see beside a run: joints, the base's turn and place, and what actuators give.

    >>> [plot.title for plot in plots_of(history)]
    ['joint angles', 'turn of the base', 'way of the base', 'joint torques']
    """
    return tuple(Plot(title, unit, names, history.t, rows, least) for title, unit, names, rows, least in _rows(history))


def _rows(history: History) -> Iterator[tuple[str, str, tuple[str, ...], FloatArray, float]]:
    from scipy.spatial.transform import Rotation  # takes a while to load

    system = history.system
    coordinates = _places(system, "coordinates")
    for unit, title, shown, factor, least in (
        ("rad", "joint angles", "deg", np.degrees(1.0), 1e-6),
        ("m", "joint extensions", "m", 1.0, 1e-9),
    ):
        if places := [k for k, own in coordinates if own == unit]:
            yield title, shown, tuple(history.q_names[k] for k in places), factor * history.q[:, places], least
    if not system.fixed:
        attitude = Rotation.from_quat(history.attitude_xyzw)
        yield "turn of the base", "deg", _XYZ, (attitude * attitude[0].inv()).as_rotvec(degrees=True), 1e-6
        yield "way of the base", "m", _XYZ, history.r_0 - history.r_0[0], 1e-9
    freedoms = _places(system, "freedoms")
    for unit, title, shown in (("rad", "joint torques", "N m"), ("m", "joint forces", "N")):
        if places := [k for k, own in freedoms if own == unit]:
            yield title, shown, tuple(history.qdot_names[k] for k in places), history.tau[:, places], 1e-9
    if "h_wheels" in history.channels and np.any(history.h_wheels):
        yield "momentum of the wheels", "N m s", _XYZ, history.h_wheels, 1e-9
    if not system.fixed and np.any(history.wrench):
        yield "force on the base", "N", _XYZ, history.wrench[:, :3], 1e-9
        yield "torque on the base", "N m", _XYZ, history.wrench[:, 3:], 1e-9


def _places(system: System, of: str) -> list[tuple[int, str]]:
    """Return places and units of coordinates or freedoms of joints that hold on to the system, in q and qdot."""
    entries = [(joint, entry) for joint in system.joints for entry in getattr(joint, of)]
    return [(k, entry.unit) for k, (joint, entry) in enumerate(entries) if not joint.kind.grounded]
