"""What the thrusters of a system, or ideal ones, make of a commanded wrench."""

from __future__ import annotations

import numpy as np

from ..dynamics import Model
from ..errors import ModeMismatch
from ..spatial import Array, dcm_from_quaternion
from ._generalized_force import GeneralizedForce
from ._situation import Situation
from ._thruster_allocation import ThrusterCluster

_FULL = 1 - 1e-12  # of its largest force: a thruster beyond it is saturated
_DIRECTIONS = [f"{kind} {sign}{axis}" for kind in ("force along", "couple about") for axis in "xyz" for sign in "+-"]


def push(situation: Situation, tau: Array, wrench: Array) -> GeneralizedForce:
    """Return what pushes for a wrench (6,) [f; n] at the base CoM, in N: all of it where the system has no thrusters.

    Over any scalar without thrusters, whose allocation branches on values.
    """
    system = situation.system
    if not system.thrusters:
        return GeneralizedForce(tau, wrench)
    R = dcm_from_quaternion(situation.attitude_xyzw)
    wanted = _turned(R.T, wrench)
    if not np.all(np.isfinite(wanted)):
        return GeneralizedForce(tau, wrench)
    cluster = ThrusterCluster.of(system)
    thrust = cluster.allocate(wanted)
    given = _turned(R, thrust.wrench)
    loads = zip(system.thrusters, thrust.force_N >= _FULL * cluster.largest_N, strict=True)
    limits = [f"thruster '{t.name}' gives its largest force, {t.force_N:g} N," for t, full in loads if full]
    if not cluster.exact(thrust):
        limits.append("the thrusters do not give the commanded wrench")
    return GeneralizedForce(tau, given, None, given, wrench - given, thrust.force_N, thrust.propellant_kg_s, tuple(limits))


def check_thrusters(model: Model, name: str, *, first: int | None) -> None:
    """Raise `ModeMismatch` for thrusters elsewhere than on the base, and for what a cluster cannot give.

    first : every force and couple must be within reach from 0, every couple without a force from 3, and nothing for None
    """
    system = model.system
    away = [t for t in system.thrusters if t.body != system.base.name]
    if away:
        raise ModeMismatch(
            f"mode '{name}' drives the base by thrusters on it, and thruster '{away[0].name}' of system "
            f"'{system.name}' sits on '{away[0].body}'; move it to the base, or leave out [[thruster]] for ideal ones"
        )
    if not system.thrusters or first is None:
        return
    cluster = ThrusterCluster.of(system)
    wanted = np.array([sign * row for row in np.eye(6) for sign in (1.0, -1.0)])[2 * first :]
    lacking = [words for words, row in zip(_DIRECTIONS[2 * first :], wanted, strict=True) if not cluster.gives(row)]
    if lacking:
        raise ModeMismatch(
            f"mode '{name}' needs from the thrusters of system '{system.name}' what they cannot give alone, however strong: "
            f"{', '.join(lacking)} of the base; add thrusters, or leave out [[thruster]] for ideal ones"
        )


def _turned(R: Array, wrench: Array) -> Array:
    return np.concatenate([R @ wrench[:3], R @ wrench[3:]])
