"""The state in which a run begins, in units that people read."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...actuators import TurnerChannels
from ...simulation import History
from ...spatial import Array
from ..verdicts._summary import measured
from ._page import TextTable
from ._system_tables import numbers

_AXES = "in inertial axes"


def start_table(history: History) -> TextTable:
    """Return the initial state of a history: base, joints with their rates, and what actuators store."""
    rows = (*_base(history), *_joints(history), *_turners(history))
    return TextTable("initial_state", "Where the run begins", ("what", "place", "rate"), rows)


def _base(history: History) -> Iterator[tuple[str, str, str]]:
    if history.system.fixed:
        yield "base", "held", ""
        return
    x, y, z, cosine = history.attitude_xyzw[0] * np.copysign(1.0, history.attitude_xyzw[0, 3])
    sine = float(np.linalg.norm([x, y, z]))
    angle = np.degrees(2 * np.arctan2(sine, cosine))
    attitude = f"turned {angle:.6g} deg about [{numbers(np.array([x, y, z]) / sine)}]" if sine else "along the inertial axes"
    yield "attitude of the base", attitude, f"[{numbers(np.degrees(history.omega_0[0]))}] deg/s, {_AXES}"
    yield "centre of mass of the base", f"[{numbers(history.r_0[0])}] m", f"[{numbers(history.v_0[0])}] m/s, {_AXES}"


def _joints(history: History) -> Iterator[tuple[str, str, str]]:
    places = rates = 0
    for joint in history.system.joints:
        q, qdot = history.q[0, places : places + joint.n_q], history.qdot[0, rates : rates + joint.dof]
        places, rates = places + joint.n_q, rates + joint.dof
        units = [one.unit for one in joint.coordinates], [f"{one.unit}/s" for one in joint.freedoms]
        if joint.dof:
            yield joint.name, _listed(q, units[0]), _listed(qdot, units[1])


def _listed(values: Array, units: list[str]) -> str:
    """Return numbers with their units, those of one unit side by side; entries of a quaternion have none."""
    if len(units) == 1:
        return measured(float(values[0]), units[0])
    words = {"1": "as quaternion xyzw"}
    parts = {unit: values[[k for k, its in enumerate(units) if its == unit]] for unit in units}
    sizes = {unit: np.degrees(its) if unit.startswith("rad") else its for unit, its in parts.items()}
    return ", ".join(f"[{numbers(its)}] {words.get(unit, unit.replace('rad', 'deg'))}" for unit, its in sizes.items())


def _turners(history: History) -> Iterator[tuple[str, str, str]]:
    """Yield what the states of actuators that turn the base are, in the units in which files may say them."""
    for kind in history.system.turners.kinds:
        for entry, channel in zip(kind.states, TurnerChannels.of(kind).states, strict=True):
            unit, size = next(iter(entry.spellings.items()), (entry.unit, 1.0))
            for one, value in zip(history.system.offering(kind), getattr(history, channel.name)[0], strict=True):
                yield one.called, "", f"{entry.name} {value / size:.5g} {unit.removeprefix(f'{kind.kind}_')}"
