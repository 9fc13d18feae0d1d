"""Which joint moved the base, and by how much."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..dynamics import Model
from ..errors import ModeMismatch
from ..spatial import Array
from ..system import State
from ._history import History


@dataclass(frozen=True, eq=False)
class BaseDisturbance:
    """The base's recoil split by joint freedom: entry j contributes column j of -H0^-1 H0m, times qdot_j [Wilde2018] eq. 109.

    joint_names : one per entry of qdot; of gimbals and spherical joints one per freedom, such as "wrist.2"
    v_0, omega_0 : (n, 3, N) contributions [m/s], [rad/s] at every sample; without momentum they sum to the base's own
    """

    joint_names: tuple[str, ...]
    v_0: Array
    omega_0: Array

    @property
    def peak_omega_0(self) -> Array:
        """(N,) largest |contribution| to omega_0 [rad/s]."""
        return np.linalg.norm(self.omega_0, axis=1).max(axis=0)

    @property
    def peak_v_0(self) -> Array:
        """(N,) largest |contribution| to v_0 [m/s]."""
        return np.linalg.norm(self.v_0, axis=1).max(axis=0)

    @property
    def worst_joint(self) -> str | None:
        """Name of the joint with the largest `peak_omega_0`; where no joint turns the base, `peak_v_0`; None without motion."""
        for peak in (self.peak_omega_0, self.peak_v_0):
            if peak.size and peak.max() > 0:
                return self.joint_names[int(np.argmax(peak))]
        return None


def base_disturbance(model: Model, history: History) -> BaseDisturbance:
    """Return how much each joint disturbed the base at every sample; raises `ModeMismatch` where the base is held.

    It is the free base's answer, and so tells in modes that hold the base what the base actuators had to resist.
    """
    if model.layout.fixed:
        raise ModeMismatch(f"the base of system '{model.system.name}' is held; no joint disturbs it")
    split = np.array([_recoil(model, history.states[i]) for i in range(len(history.t))])
    return BaseDisturbance(model.layout.qdot_names, split[:, model.layout.base_linear], split[:, model.layout.base_angular])


def _recoil(model: Model, state: State) -> Array:
    """Return (6, N): the part of [v_0; omega_0] that each joint's rate causes."""
    return -(model.H0_inverse(state) @ model.H0m(state)) * state.qdot
