"""What the actuators apply to the system."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...spatial import Array


class GeneralizedForce(NamedTuple):
    """What a command comes to.

    tau : (N,) joint forces [N m or N]
    wrench : (6,) [f; n] on the base at its CoM in N [N, N m], of thrusters and wheels together; None without one
    actuator_rates : (n_a,) rates of the states of what turns the base, which give part of it; None where they are held
    pushed : (6,) the part of it, in N, that comes from outside where wheels give the other; None without one
    missing : (6,) what was commanded of the base less what is applied, in N [N, N m]; None where nothing can be missing
    thrust_N : (n_t,) forces of the thrusters; None where none are used
    propellant_kg_s : what they burn
    limits : which limits of actuators act, each in a phrase
    pushing : (6,) the wrench wanted of thrusters, in base axes [N, N m]; None where none are used
    beyond_set : by how much it is beyond what their active set is the optimum of; None where they are looked for

    >>> force = Floating().generalized_force(model, state, np.array([0.1, 0.0, 0.0, 0.0]))
    >>> force.tau.tolist(), force.wrench, force.limits
    ([0.1, 0.0, 0.0, 0.0], None, ())
    """

    tau: Array
    wrench: Array | None
    actuator_rates: Array | None = None
    pushed: Array | None = None
    missing: Array | None = None
    thrust_N: Array | None = None
    propellant_kg_s: Any = 0.0
    limits: tuple[str, ...] = ()
    pushing: Array | None = None
    beyond_set: Any = None

    @property
    def external(self) -> Array | None:
        """The part (6,) of the wrench [N, N m] in N that comes from outside, None without one."""
        return self.wrench if self.actuator_rates is None else self.pushed

    @property
    def is_finite(self) -> bool:
        """Whether joint forces and wrench are finite."""
        return bool(np.isfinite(self.tau).all() and (self.wrench is None or np.isfinite(self.wrench).all()))
