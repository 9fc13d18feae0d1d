"""What joints and momentum make of the speeds of a free base."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..dynamics import Model
from ..spatial import Array, dcm_from_quaternion
from ..system import State


class Recoil(NamedTuple):
    """Parts of [v_0; omega_0], which they add up to.

    joints : (n, 6, N) of every freedom: the columns of -H0^-1 H0m, times qdot [Wilde2018] eq. 109
    momentum : (n, 6) of the system's momentum less that of its wheels: H0^-1 [P; L_0 - h_w]
    """

    joints: Array
    momentum: Array


def recoil(model: Model, states: State) -> Recoil:
    """Return the parts of a free base's speeds in a batch of n states."""
    inverse, whole = model.batch.H0_inverse(states), model.batch.momentum(states)
    locked = np.concatenate([whole.P, whole.L_0 - stored_momentum(model, states)], axis=1)
    joints = -(inverse @ model.batch.H0m(states)) * states.qdot[:, np.newaxis, :]
    return Recoil(joints, (inverse @ locked[:, :, np.newaxis])[:, :, 0])


def stored_momentum(model: Model, states: State) -> Array:
    """Return the momentum (n, 3) [N m s] of all that stores some on the base, relative to it, in N."""
    if not model.layout.states:
        return np.zeros((len(states), 3))
    h = model.system.turners.momentum(states.x[:, model.layout.x_actuators])
    return (rotations(states) @ h[:, :, np.newaxis])[:, :, 0]


def rotations(states: State) -> Array:
    """Return the rotation matrices (n, 3, 3) of a free base, from its axes to N."""
    return np.moveaxis(dcm_from_quaternion(states.attitude_xyzw.T), -1, 0)
