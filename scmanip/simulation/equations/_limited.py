"""Whether limits of actuators act, as a number over any scalar."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...modes import GeneralizedForce, Situation
from ...plant import Plant
from ...spatial import Array, bounded
from ...symbolic import maximum


def has_limits(plant: Plant) -> bool:
    """Whether drives, thrusters or what turns the base have limits of which a run tells."""
    system = plant.model.system
    motors = any(drive is not None and bounded(drive.torque_limit) for drive in system.drive_of)
    return plant.burns or system.turners.limited or motors


def unmet(now: Situation, command: Array, force: GeneralizedForce, efforts: Array) -> Any:
    """Return a number > 0 where a limit acts or something that turns the base is beyond one, otherwise 0.

    It is what was commanded and is not applied, and by what part of them limits are passed, all added up.

    command : (N,) or (6 + N,) of the controller; force : what became of it; efforts : (n_a,) as a `Response` has them
    """
    system, states = now.system, now.actuators
    total: Any = np.sum(abs(command[len(command) - len(force.tau) :] - force.tau)) if any(system.drive_of) else 0.0
    if force.missing is not None:
        total = total + np.sum(abs(force.missing))
    if force.thrust_N is not None:
        total = total + system.pushers.unmet(force.thrust_N)
    if system.turners:
        excesses = np.concatenate(system.turners.excess(efforts, states))
        total = total + sum((maximum(excess, 0.0) for excess in excesses), start=0.0 * states[0])
    return total
