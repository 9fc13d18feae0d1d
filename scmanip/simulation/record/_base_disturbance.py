"""Which joint moved the base, and by how much."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...dynamics import Model
from ...errors import ModeMismatch, expect
from ...spatial import Array
from ._history import History
from ._recoil import recoil


@dataclass(frozen=True, eq=False)
class BaseDisturbance:
    """The base's recoil split by joint freedom: entry j contributes column j of -H0^-1 H0m, times qdot_j [Wilde2018] eq. 109.

    joint_names : one per entry of qdot of what the base carries; of gimbals and spherical joints one per freedom, "wrist.2"
    v_0, omega_0 : (n, 3, N) contributions in N [m/s], [rad/s] at every sample
    v_0_momentum, omega_0_momentum : (n, 3) what the system's momentum without its wheels' spin contributes in N, [m/s],
        [rad/s]; with it the contributions sum to the base's own speeds, and in a mode that holds the base it is what takes
        them back

    Their integrals are `history.shift_by_joint`, `history.turn_by_joint` and so on.

    >>> parts = base_disturbance(model, history)
    >>> parts.joint_names, parts.omega_0.shape
    (('joint1', 'joint2', 'joint3', 'joint4'), (5, 3, 4))
    """

    joint_names: tuple[str, ...]
    v_0: Array
    omega_0: Array
    v_0_momentum: Array
    omega_0_momentum: Array

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
    """Return how much each joint that the base carries disturbed it at every sample; raises `ModeMismatch` where it is held.

    It is the free base's answer, and so tells in modes that hold the base what the base actuators had to resist.

    >>> parts = base_disturbance(model, history)
    >>> np.allclose(parts.omega_0.sum(axis=2) + parts.omega_0_momentum, history.omega_0)
    True
    """
    expect("model", model, Model, "a Model")
    expect("history", history, History, "a History")
    if model.layout.fixed:
        raise ModeMismatch(f"the base of system '{model.system.name}' is held; no joint disturbs it")
    parts, linear, angular = recoil(model, history.states), model.layout.base_linear, model.layout.base_angular
    return BaseDisturbance(
        model.layout.qdot_names[: model.layout.N_tree],
        parts.joints[:, linear],
        parts.joints[:, angular],
        parts.momentum[:, linear],
        parts.momentum[:, angular],
    )
