"""The books of a run beside its motion: what actuators and dampers do, over any scalar."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..modes import GeneralizedForce, Situation
from ..spatial import Array, cross, present


class ActuatorBooks:
    """Rates of the books in a mode.

    pushed : whether the mode pushes from outside; burns : whether thrusters do so

    >>> sorted(plant.books)  # what is integrated beside the state, in this mode
    ['dissipated', 'external', 'impulse', 'propellant_kg', 'work']
    """

    def __init__(self, *, pushed: bool, burns: bool) -> None:
        self._pushed, self._burns = pushed, burns

    def rates(self, now: Situation, force: GeneralizedForce, turning: Array, lost: Any = 0.0, driven: Any = 0.0) -> Array:
        """Return power of actuators, power that is dissipated, rate of impulse (6,) in N if any, flow of propellant if any.

        turning : (n_t,) powers of what turns the base [W]; lost : power that loads dissipate; driven : power of constraints

        In [W], [N], [N m] and [kg/s].
        """
        power = self._power(now, force) + turning.sum() + driven
        return np.concatenate([[power, self._damped_power(now) + lost], self._push(now, force)])

    def _power(self, now: Situation, force: GeneralizedForce) -> Any:
        joints = force.tau @ now.qdot
        return joints if force.external is None else joints + force.external @ now.u[now.system.layout.base]

    def _push(self, now: Situation, force: GeneralizedForce) -> Array:
        """Rate of the impulse of what pushes, force and moment about the system CoM (6,), and of the propellant."""
        if not self._pushed:
            return np.zeros(0)
        burnt = np.full(int(self._burns), force.propellant_kg_s)
        if force.external is None:
            return np.concatenate([np.zeros(6), burnt])
        f, n = force.external[:3], force.external[3:]
        return np.concatenate([f, n - cross(now.r_0C, f), burnt])

    def _damped_power(self, now: Situation) -> Any:
        system = now.system
        power = system.friction.force(now.qdot) @ now.qdot + system.turners.dissipated(now.actuators).sum()
        dampers = np.array([spring.damping_Ns_m for spring in system.springs])
        return power + dampers @ now.spring_rates**2 if present(dampers).any() else power
