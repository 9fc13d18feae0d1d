"""Attitude and joints alone; the base's place and speeds follow from constant momentum."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ...dynamics import Model
from ...errors import ModeMismatch
from ...loads import Load
from ...modes import ManoeuvreMode
from ...plant import Plant
from ...spatial import Array, Cholesky, cross, dcm_from_quaternion, quaternion_rate, transpose
from ...system import Layout, State, coordinate_rates, with_unit_quaternions
from ._coordinates import CoordinatePlaces, Coordinates, Quantities
from ._unpacking import Unpacking

NOT_TURNED = np.array([0.0, 0.0, 0.0, 1.0])


@dataclass(frozen=True)
class MomentumReduced(Coordinates):
    """y = [attitude_xyzw; q; qdot] of a base that nothing pushes; P, L_C and the straight path of the system CoM are kept.

        omega_0 = S_U^-1 (L_C - L_C'),  v_0 = (P - P') / m - omega_0 x r_0C,  r_0 = r_C(0) + P t / m - r_0C

    [Wilde2018] eqs 14, 42, 53; P' and L_C' are those of the motion of joints and actuators on a base at rest;
    the states of actuators are constant. Errors of the integrator cannot
    change the momentum, and the state is more accurate at the same tolerance than by `FullState`, against which it is checked.
    The residuals of its momentum are those of `History.demand`.

    >>> MomentumReduced().start(model, state).shape
    (12,)
    >>> MomentumReduced().constants(model, state).round(3).tolist()[6:]
    [0.634, 0.071, 0.0, 140.0]
    """

    keeps_momentum: ClassVar[bool] = True
    is_formula: ClassVar[bool] = True

    def places(self, layout: Layout) -> CoordinatePlaces:
        """Return those of [attitude_xyzw; q; qdot]."""
        ends = 4 + layout.n_q, 4 + layout.n_q + layout.N
        return CoordinatePlaces(slice(0, 4), slice(4, ends[0]), slice(*ends), ends[1])

    def start(self, model: Model, state: State) -> Array:
        """Return [attitude_xyzw; q; qdot]."""
        layout, x = model.layout, state.x
        return np.concatenate((x[layout.x_attitude.start : layout.x_q.stop], x[layout.x_u][layout.joints]))

    def constants(self, model: Model, state: State) -> Array:
        """Return P, L_C, the system CoM at the start, the total mass and the states of actuators (10 + n_a,)."""
        momentum, r_C = model.momentum(state), state.r_0 + model.r_0C(state)
        return np.concatenate((momentum.P, momentum.L_C, r_C, (model.system.mass_kg,), state.x[model.layout.x_actuators]))

    def momentum(self, model: Model, state: State, constants: Array) -> Array:
        del model, state
        return constants[:6]

    def check(self, plant: Plant) -> None:
        """Raise `ModeMismatch` where momentum may change."""
        obstacle = self.obstacle(plant.model, plant.mode, plant.loads) or "no contacts" * bool(plant.contacts)
        obstacle = obstacle or "a law without memory in the state" * bool(plant.memory)
        if obstacle:
            raise ModeMismatch(f"MomentumReduced() needs {obstacle}; use FullState()")

    def obstacle(self, model: Model, mode: ManoeuvreMode, loads: Sequence[Load]) -> str:
        """Return what is missing and why, in a phrase; empty where momentum is constant."""
        if len(model.system.trees) > 1:
            return f"one tree, whose momentum tells the motion of its base, and system '{model.system.name}' has free bodies"
        if loads:
            return f"constant momentum, which {', '.join(map(repr, loads))} changes"
        if model.system.constraints:
            return f"a system without constraints, and system '{model.system.name}' has some"
        if model.layout.fixed or not mode.leaves_base_alone:
            system = model.system.name
            return f"a base that nothing pushes, and mode '{mode.name}' of system '{system}' may change the momentum"
        return ""

    def packed(self, layout: Layout, t: Any, y: Array, constants: Array, quantities: Quantities) -> Array:
        y = with_unit_quaternions(y, self.places(layout).quaternions(layout))
        P, L_C, r_C, mass = constants[:3], constants[3:6], constants[6:9], constants[9]
        place, qdot = y[: 4 + layout.n_q], y[4 + layout.n_q :]
        R, zero = dcm_from_quaternion(y[:4]), np.zeros(3)
        still = np.concatenate([zero, NOT_TURNED, y[4 : 4 + layout.n_q], zero, zero, qdot, constants[10:]])
        P_joints, L_joints, S_U, r_0C = quantities(["momentum.P", "momentum.L_C", "S_U", "r_0C"], still)  # in base axes
        omega_0 = Cholesky.of(S_U).solve(transpose(R) @ L_C - L_joints)
        v_0 = (transpose(R) @ P - P_joints) / mass - cross(omega_0, r_0C)
        return np.concatenate([r_C + P * (t / mass) - R @ r_0C, place, R @ v_0, R @ omega_0, qdot, constants[10:]])

    def unpacked(self, model: Model, layout: Layout, constants: Array) -> Unpacking:
        """Return programs of what is kept."""
        del layout
        return Unpacking(self, model, constants)

    def rate(self, layout: Layout, t: Any, y: Array, x: Array, udot: Array, own_rates: Array) -> Array:
        """Return [quaternion rate; rate of q; qddot]."""
        del t, own_rates
        u = x[layout.x_u]
        joints = coordinate_rates(layout, y[4 : 4 + layout.n_q], u[layout.joints])
        return np.concatenate([quaternion_rate(y[:4], u[layout.base_angular]), joints, udot[layout.joints]])

    def accelerations(self, layout: Layout, udot: Array) -> Array:
        """Return qddot (N,)."""
        return udot[layout.joints]
