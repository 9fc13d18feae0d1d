"""What each actuator, damper and joint had in the totals of a run."""

from __future__ import annotations

import numpy as np

from ..loads import External
from ..modes import ThrusterCluster
from ..spatial import Array
from ._demand import demand
from ._look import Look
from ._quadrature import Quadrature
from ._recoil import recoil, rotations
from ._samples import Samples
from ._setup import Setup


class Shares:
    """Integrals since the start of a run, by quadrature in each of its steps.

    The run is done again with samples at the places where the rule wants them, so that a controller may have a memory; the run
    itself is as fast as if nobody asked.
    """

    def __init__(self, setup: Setup, look: Look, t: Array) -> None:
        self._setup, self._look, self._t = setup, look, t

    @property
    def _rule(self) -> Quadrature:
        return self._look.rule

    @property
    def _inside(self) -> Samples:
        return self._look.inside

    def work(self) -> dict[str, Array]:
        """Energy in and out, by actuator and damper."""
        model, inside = self._setup.model, self._inside
        system, states = model.system, inside.states
        bearings = np.array([wheel.damping_Nms_rad for wheel in system.wheels])
        wheels = states.wheel_rad_s if system.wheels else np.empty((len(inside.t), 0))
        powers = {
            "work_by_joint": inside.tau * states.qdot,
            "work_by_wheel": inside.wheel_torque * wheels,
            "work_on_base": np.zeros(len(inside.t)),
            "dissipated_by_joint": system.friction.force(states.qdot) * states.qdot,
            "dissipated_by_wheel": bearings * wheels**2,
            "dissipated_by_spring": self._damped(),
        }
        if not model.layout.fixed:
            powers["work_on_base"] = (inside.external * states.u[:, model.layout.base]).sum(axis=1)
        return {name: self._rule.totals(power, self._t) for name, power in powers.items()}

    def thrust(self) -> dict[str, Array]:
        """What each thruster gave."""
        system, inside = self._setup.model.system, self._inside
        along = np.zeros((len(inside.t), len(system.thrusters)))
        if self._setup.burns:
            cluster, R = ThrusterCluster.of(system), rotations(inside.states)
            parts = (inside.states.v_0, inside.states.omega_0)
            twist = np.concatenate([np.einsum("nij,ni->nj", R, part) for part in parts], axis=1)
            along = twist @ cluster.wrench_map
        thrust = inside.thrust_N
        rates = {"work_by_thruster": thrust * along, "impulse_by_thruster": thrust}
        return {name: self._rule.totals(rate, self._t) for name, rate in rates.items()}

    def base(self) -> dict[str, Array]:
        """What each joint made the base turn and move."""
        model, n = self._setup.model, len(self._t)
        if model.layout.fixed:
            joints, momentum = np.zeros((n, 6, model.layout.N)), np.zeros((n, 6))
        else:
            joints, momentum = (self._rule.totals(part, self._t) for part in recoil(model, self._inside.states))
        linear, angular = slice(0, 3), slice(3, 6)
        return {
            "shift_by_joint": joints[:, linear].copy(),
            "shift_by_momentum": momentum[:, linear].copy(),
            "turn_by_joint": joints[:, angular].copy(),
            "turn_by_momentum": momentum[:, angular].copy(),
        }

    def demand(self) -> dict[str, External | None]:
        """What would have to act where momentum is kept by construction."""
        if not self._setup.frame.coordinates.keeps_momentum:
            return {"demand": None}
        return {"demand": demand(self._setup, self._rule, self._inside, self._t)}

    def _damped(self) -> Array:
        model = self._setup.model
        dampers = np.array([spring.damping_Ns_m for spring in model.system.springs])
        if not dampers.any():
            return np.zeros((len(self._inside.t), len(dampers)))
        return dampers * model.batch.springs(self._inside.states).rate ** 2
