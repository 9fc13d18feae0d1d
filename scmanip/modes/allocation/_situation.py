"""A system in one state as modes and laws see it: known, or over any scalar."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from copy import copy
from typing import Any

import numpy as np

from ...dynamics import INERTIA, Model
from ...spatial import Array, transpose
from ...system import State, System


class Situation(ABC):
    """What is asked of a system in one state while a command becomes forces; in SI and N throughout, any scalar.

    system : the hardware
    x : (n_x,) packed state
    known : model and state where all numbers are known; otherwise None
    numbers : inputs of programs, such as "inertia" (n_b, 10) where that is one
    active_set : packed bare numbers of the set by which thrusters push; None where they are looked for

    >>> now = Situation.of(model, history.final)
    >>> now.q.shape, float(now.mass_kg), np.allclose(now.r_0C, model.r_0C(history.final))
    ((4,), 140.0, True)
    """

    known: tuple[Model, State] | None = None
    active_set: Array | None = None

    def __init__(self, system: System, x: Array, numbers: Mapping[str, Array]) -> None:
        self.system, self.x, self.numbers = system, x, numbers

    @staticmethod
    def of(model: Model, state: State) -> Situation:
        """Return that of a model in a known state."""
        return _Known(model, state)

    @staticmethod
    def recorded(model: Model, x: Array, numbers: Mapping[str, Array], active_set: Array | None = None) -> Situation:
        """Return that of a model at a packed state x (n_x,) over any scalar, recorded ones too."""
        return _Recorded(model, x, numbers, active_set)

    @property
    def r_0(self) -> Array:
        """(3,) place of the base CoM in N [m]."""
        return self.x[self.system.layout.x_r_0]

    @property
    def attitude_xyzw(self) -> Array:
        """(4,) attitude of the base, a unit quaternion in order x, y, z, w, base axes to N."""
        return self.x[self.system.layout.x_attitude]

    @property
    def q(self) -> Array:
        """(n_q,) joint coordinates [rad or m]."""
        return self.x[self.system.layout.x_q]

    @property
    def u(self) -> Array:
        """(n_u,) speeds [m/s, rad/s]."""
        return self.x[self.system.layout.x_u]

    @property
    def v_0(self) -> Array:
        """(3,) velocity of the base CoM in N [m/s]."""
        return self.u[self.system.layout.base_linear]

    @property
    def omega_0(self) -> Array:
        """(3,) angular velocity of the base [rad/s], in N."""
        return self.u[self.system.layout.base_angular]

    @property
    def qdot(self) -> Array:
        """(N,) rates of the joints [rad/s or m/s]."""
        return self.u[self.system.layout.joints]

    @property
    def actuators(self) -> Array:
        """(n_a,) states of the actuators, in the units that these say."""
        return self.x[self.system.layout.x_actuators]

    @property
    @abstractmethod
    def mass_kg(self) -> Any:
        """Mass of all."""

    @property
    @abstractmethod
    def r_0C(self) -> Array:
        """(3,) from the base CoM to the system CoM in N [m]."""

    @property
    def carried(self) -> tuple[Any, Array]:
        """Mass [kg] of the base and of all that it carries, and the way (3,) [m] in N from the base CoM to theirs."""
        if self.system.layout.n_tree is None:
            return self.mass_kg, self.r_0C
        H0 = self._H0
        return H0[0, 0], np.array([H0[5, 1], H0[3, 2], H0[4, 0]]) / H0[0, 0]  # m and m r^x, eq. 28

    @property
    @abstractmethod
    def _H0(self) -> Array:
        """(6, 6)."""

    @property
    @abstractmethod
    def spring_rates(self) -> Array:
        """(n_s,) rates of the springs between points [m/s]."""

    @abstractmethod
    def of_frame(self, frame: str, *names: str) -> list[Array]:
        """Return quantities of a frame by their names, such as "position" (3,) and "J_star" (6, N)."""

    @abstractmethod
    def forward_dynamics(self, tau: Array, wrench: Array | None) -> Array:
        """Return udot (n_u,) under joint forces (N,) and a wrench (6,) [f; n] on the base at its CoM, in N [N, N m]."""

    @abstractmethod
    def balance(self) -> tuple[Array, Array]:
        """Return M (n_u, n_u) [kg, kg m, kg m^2] and the forces (n_u,) [N, N m] that keep udot = 0."""

    @abstractmethod
    def inertia_rate(self) -> Array:
        """Return dM/dt (n, n) of the base and of what it carries."""

    @abstractmethod
    def moving(self, u: Array) -> Situation:
        """Return the system in the same place with other speeds (n_u,)."""

    @abstractmethod
    def needed(self, udot: Array) -> Array:
        """Return the forces (n_u,) [N, N m] that give accelerations (n_u,) [m/s^2, rad/s^2]."""

    @abstractmethod
    def regressor(self, udot: Array) -> Array:
        """Return Y (n_u, 10 n_b) of the part of these that is linear in inertial parameters."""


class _Known(Situation):
    def __init__(self, model: Model, state: State) -> None:
        super().__init__(model.system, state.x, {})
        self.known = self._model, self._state = model, state

    @property
    def mass_kg(self) -> Any:
        return self.system.mass_kg

    @property
    def r_0C(self) -> Array:
        return self._model.r_0C(self._state)

    @property
    def _H0(self) -> Array:
        return self._model.H0(self._state)

    @property
    def spring_rates(self) -> Array:
        return self._model.springs(self._state).rate

    def of_frame(self, frame: str, *names: str) -> list[Array]:
        return [getattr(self._model, name)(self._state, frame) for name in names]

    def forward_dynamics(self, tau: Array, wrench: Array | None) -> Array:
        return self._model.forward_dynamics(self._state, tau, wrench)

    def balance(self) -> tuple[Array, Array]:
        return self._model.M(self._state), self.needed(np.zeros(self.system.layout.n_u))

    def inertia_rate(self) -> Array:
        model, state, N = self._model, self._state, self.system.layout.N_tree
        if self.system.fixed:
            return model.Hm_dot(state)[:N, :N]
        H0m = model.H0m_dot(state)[:, :N]
        return np.block([[model.H0_dot(state), H0m], [H0m.T, model.Hm_dot(state)[:N, :N]]])

    def moving(self, u: Array) -> Situation:
        x = np.array(self.x)
        x[self.system.layout.x_u] = u
        return _Known(self._model, self._state.repacked(x))

    def needed(self, udot: Array) -> Array:
        found = self._model.inverse_dynamics(self._state, udot)
        return np.concatenate([*([] if self.system.fixed else [found.wrench]), found.tau])

    def regressor(self, udot: Array) -> Array:
        return self._model.regressor(self._state, udot)


class _Recorded(Situation):
    def __init__(self, model: Model, x: Array, numbers: Mapping[str, Array], active_set: Array | None) -> None:
        self._derivation, self.active_set = model.symbolic.derivation, active_set
        super().__init__(self._derivation.opened(numbers).system, x, numbers)

    @property
    def mass_kg(self) -> Any:
        return self.numbers[INERTIA][:, 0].sum() if INERTIA in self.numbers else self.system.mass_kg

    @property
    def r_0C(self) -> Array:
        return self._quantities("r_0C")[0]

    @property
    def _H0(self) -> Array:
        return self._quantities("H0")[0]

    @property
    def spring_rates(self) -> Array:
        return self._quantities("springs.rate")[0]

    def of_frame(self, frame: str, *names: str) -> list[Array]:
        return self._quantities(*(f"{name}:{frame}" for name in names))

    def forward_dynamics(self, tau: Array, wrench: Array | None) -> Array:
        if wrench is None:
            return self._quantities("forward_dynamics", tau=tau)[0]
        return self._quantities("forward_dynamics:wrench", tau=tau, wrench=wrench)[0]

    def balance(self) -> tuple[Array, Array]:
        M, *forces = self._quantities("M", *self._forces, udot=np.zeros(self.system.layout.n_u))
        return M, np.concatenate(forces)

    @property
    def _forces(self) -> tuple[str, ...]:
        return ("inverse_dynamics.tau",) if self.system.fixed else ("inverse_dynamics.wrench", "inverse_dynamics.tau")

    def inertia_rate(self) -> Array:
        N = self.system.layout.N_tree
        if self.system.fixed:
            return self._quantities("Hm_dot")[0][:N, :N]
        H0, H0m, Hm = self._quantities("H0_dot", "H0m_dot", "Hm_dot")
        return np.block([[H0, H0m[:, :N]], [transpose(H0m[:, :N]), Hm[:N, :N]]])

    def moving(self, u: Array) -> Situation:
        at, x = self.system.layout.x_u, self.x
        made = copy(self)
        made.x = np.concatenate([x[: at.start], u, x[at.stop :]])
        return made

    def needed(self, udot: Array) -> Array:
        return np.concatenate(self._quantities(*self._forces, udot=udot))

    def regressor(self, udot: Array) -> Array:
        return self._quantities("regressor", udot=udot)[0]

    def _quantities(self, *names: str, **given: Array) -> list[Array]:
        outputs = self._derivation.packed_outputs(names, self.x, {**given, **self.numbers})
        return [outputs[name] for name in names]
