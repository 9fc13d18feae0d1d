"""What joints and momentum make of the speeds of a free base."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...actuators import Turners
from ...dynamics import Model
from ...spatial import Array, dcm_from_quaternion
from ...system import State


class Recoil(NamedTuple):
    """Parts of [v_0; omega_0], which they add up to.

    joints : (n, 6, N_tree) of every freedom that the base carries: the columns of -H0^-1 H0m, times qdot [Wilde2018] eq. 109
    momentum : (n, 6) of the momentum of the base and what it carries, less what turners store: H0^-1 [P; L_0 - h]
    """

    joints: Array
    momentum: Array


def recoil(model: Model, states: State) -> Recoil:
    """Return the parts of a free base's speeds in a batch of n states."""
    layout, inverse, H0m = model.layout, model.batch.H0_inverse(states), model.batch.H0m(states)
    rates = states.qdot[:, : layout.N_tree]
    locked = np.einsum("nij,nj->ni", model.batch.H0(states), states.u[:, layout.base]) + np.einsum("nij,nj->ni", H0m, rates)
    joints = -(inverse @ H0m) * rates[:, np.newaxis, :]
    return Recoil(joints, (inverse @ locked[:, :, np.newaxis])[:, :, 0])


def stored_momenta(model: Model, states: State, turners: Turners | None = None) -> list[Array]:
    """Return the momentum (n, 3) [N m s] of all turners of each kind relative to the base, in N.

    turners : those of other hardware
    """
    momenta = (turners or model.system.turners).momenta(states.x[:, model.layout.x_actuators])
    if not model.layout.states:
        return momenta
    R = rotations(states)
    return [np.einsum("nij,nj->ni", R, own) for own in momenta]


def rotations(states: State) -> Array:
    """Return the rotation matrices (n, 3, 3) of a free base, from its axes to N."""
    return np.moveaxis(dcm_from_quaternion(states.attitude_xyzw.T), -1, 0)
