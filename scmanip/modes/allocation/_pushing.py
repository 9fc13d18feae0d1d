"""What a system has to push with, or ideal means, make of a commanded wrench."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...actuators import Thrust
from ...dynamics import Model
from ...errors import ModeMismatch
from ...spatial import Array, dcm_from_quaternion
from ._generalized_force import GeneralizedForce
from ._situation import Situation

_DIRECTIONS = [f"{kind} {sign}{axis}" for kind in ("force along", "couple about") for axis in "xyz" for sign in "+-"]


def push(situation: Situation, tau: Array, wrench: Array) -> GeneralizedForce:
    """Return what pushes for a wrench (6,) [f; n] at the base CoM, in N: all of it where the system has nothing for it.

    Over any scalar: how pushing is shared out is looked for of numbers, and a formula where the active set is known.
    """
    pushers = situation.system.pushers
    if not pushers:
        return GeneralizedForce(tau, wrench)
    R = dcm_from_quaternion(situation.attitude_xyzw)
    wanted = _turned(R.T, wrench)
    if situation.active_set is not None:
        return _by_set(GeneralizedForce(tau, None, pushing=wanted), R, *pushers.by_set(situation.active_set, wanted))
    if not np.all(np.isfinite(wanted)):
        return GeneralizedForce(tau, wrench)
    thrust = pushers.allocate(wanted)
    given, burnt = _turned(R, thrust.wrench), thrust.propellant_kg_s
    return GeneralizedForce(tau, given, None, given, wrench - given, thrust.force_N, burnt, pushers.limits(thrust), wanted)


def check_pushers(model: Model, name: str, *, first: int | None) -> None:
    """Raise `ModeMismatch` for what pushes elsewhere than on the base, and for what cannot be given.

    first : every force and couple must be within reach from 0, every couple without a force from 3, and nothing for None
    """
    system, pushers = model.system, model.system.pushers
    kinds = list(dict.fromkeys(pusher.kind for pusher in pushers.each))
    many, tables = (" and ".join(words) for words in ([f"{kind}s" for kind in kinds], [f"[[{kind}]]" for kind in kinds]))
    away = [pusher for pusher in pushers.each if pusher.body != system.base.name]
    if away:
        raise ModeMismatch(
            f"mode '{name}' drives the base by {many} on it, and {away[0].kind} '{away[0].called}' of system "
            f"'{system.name}' sits on '{away[0].body}'; move it to the base, or leave out {tables} for ideal ones"
        )
    if not pushers or first is None:
        return
    wanted = np.array([sign * row for row in np.eye(6) for sign in (1.0, -1.0)])[2 * first :]
    lacking = [words for words, row in zip(_DIRECTIONS[2 * first :], wanted, strict=True) if not pushers.gives(row)]
    if lacking:
        raise ModeMismatch(
            f"mode '{name}' needs from the {many} of system '{system.name}' what they cannot give alone, however strong: "
            f"{', '.join(lacking)} of the base; add {many}, or leave out {tables} for ideal ones"
        )


def _by_set(force: GeneralizedForce, R: Array, thrust: Thrust, beyond: Any) -> GeneralizedForce:
    given = _turned(R, thrust.wrench)
    return force._replace(
        wrench=given,
        pushed=given,
        missing=_turned(R, thrust.error),
        thrust_N=thrust.force_N,
        propellant_kg_s=thrust.propellant_kg_s,
        beyond_set=beyond,
    )


def _turned(R: Array, wrench: Array) -> Array:
    return np.concatenate([R @ wrench[:3], R @ wrench[3:]])
