"""What turns the base from inside."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, ClassVar

import numpy as np

from ..spatial import Array
from ._actuator import Actuator, StateEntry
from ._answers import answer_flaw
from ._hardware import ActuatorHost, Flaw


class Turner(Actuator):
    """An actuator on the base that stores angular momentum, and turns the base by changing it.

    Its state a (k,) is commanded by its rates. Relative to the base it has the momentum h(a), in base axes, which changes as
    the sum of gains[i] axes[i] da[i]/dt; the base gets what that takes, and -omega_0 x h. The base's mass and inertia include
    all of it, at rest relative to the base. States may have leading axes where one is written; all is of any scalar.

    Vectors are in base axes throughout. Entries of a state are in the units that `states` say, such as [rad/s] of a wheel.

    limiting : names of its numbers that are limits and losses alone, on which nothing depends that it stores

    >>> wheel = Wheel("z", axis=[0, 0, 1], inertia_kg_m2=0.02, torque_Nm=0.2)
    >>> still, rates = np.zeros(3), np.array([5.0])
    >>> wheel.gains(np.zeros(1)).tolist(), wheel.efforts(np.zeros(1), rates, still, still).tolist()
    ([0.02], [0.1])
    """

    limiting: ClassVar[tuple[str, ...]] = ()

    @classmethod
    def mounting(cls, texts: Mapping[str, str], hardware: ActuatorHost) -> Iterator[Flaw]:
        """Yield a base that is held."""
        if hardware.fixed:
            yield Flaw(cls.calling, f"no {cls.kind}s on a base that is held", repr(texts[cls.calling]))

    def _flaws(self) -> Iterator[Flaw]:
        """Yield answers of other shapes than they say, where all is at rest."""
        if not (self.states and all(isinstance(entry, StateEntry) for entry in self.states)):
            yield Flaw("states", "entries such as StateEntry('speed', 'rad/s')", repr(self.states))
            return
        k, still = len(self.states), np.zeros(3)
        a, limits = np.zeros(k), ("largest_efforts", "largest_states", "largest_rates", "said_states")
        yield from answer_flaw(
            {
                "momentum": ((3,), lambda: self.momentum(a)),
                "axes": ((k, 3), lambda: self.axes(a)),
                "gains": ((k,), lambda: self.gains(a)),
                "twice_energy": ((), lambda: self.twice_energy(a)),
                "efforts": ((k,), lambda: self.efforts(a, a, still, still)),
                "power": ((), lambda: self.power(a, a, still, still)),
                "loose": ((k,), lambda: self.loose(a)),
                "jump": ((k,), lambda: self.jump(a, still)),
                "stored": ((), lambda: self.stored(a)),
                "dissipated": ((), lambda: self.dissipated(a)),
                **{name: ((k,), partial(getattr, self, name)) for name in limits},
            }
        )

    @abstractmethod
    def momentum(self, state: Array) -> Array:
        """Return h (..., 3) [N m s] of states (..., k), in base axes."""

    @abstractmethod
    def axes(self, state: Array) -> Array:
        """Return the axes (k, 3), unit vectors in base axes, about which it turns the base."""

    @abstractmethod
    def gains(self, state: Array) -> Array:
        """Return the torques (k,) [N m] about those axes that unit rates of its state take."""

    @abstractmethod
    def twice_energy(self, state: Array) -> Any:
        """Return twice the energy (...) [J] that its motion has relative to the base, at states (..., k)."""

    @abstractmethod
    def efforts(self, state: Array, rates: Array, omega_0: Array, omega_0_dot: Array) -> Array:
        """Return what its own motors give (k,) [N m], friction included.

        rates : (k,) of its state, as in `states` per second
        omega_0, omega_0_dot : (3,) of the base [rad/s] and [rad/s^2], in base axes
        """

    @abstractmethod
    def power(self, state: Array, rates: Array, omega_0: Array, omega_0_dot: Array) -> Any:
        """Return the power () [W] of all its motors; arguments (k,), (3,) as for `efforts`."""

    def loose(self, state: Array) -> Array:
        """Return the inertias (k,) [kg m^2] about its axes that turn on when the base is struck, as no motor holds them."""
        return np.zeros(len(self.states))

    def jump(self, state: Array, omega_jump: Array) -> Array:
        """Return by how much its state (k,) jumps where the base's angular velocity does, by (3,) [rad/s] in its axes."""
        return np.zeros(len(self.states))

    def stored(self, state: Array) -> Any:
        """Return the size (...) [N m s] of what it stores, at states (..., k); with a sign where its axis stands still."""
        return np.linalg.norm(self.momentum(state), axis=-1)

    def dissipated(self, state: Array) -> Any:
        """Return the power (...) [W] that its friction takes at states (..., k)."""
        return 0.0 * state[..., 0]

    @property
    def largest_momentum(self) -> float:
        """What it stores at most [N m s]."""
        return np.inf

    @property
    def said_states(self) -> tuple[float, ...]:
        """Largest sizes of its state (k,) as said, in the units of `states`; `largest_states` know what follows from others."""
        return self.largest_states

    @property
    def largest_efforts(self) -> tuple[float, ...]:
        """What its motors give at most (k,) [N m]."""
        return (np.inf,) * len(self.states)

    @property
    def largest_states(self) -> tuple[float, ...]:
        """Beyond which sizes of its state it cannot go (k,), in the units of `states`."""
        return (np.inf,) * len(self.states)

    @property
    def largest_rates(self) -> tuple[float, ...]:
        """Beyond which rates of its state it cannot be commanded (k,), in the units of `states` per second."""
        return (np.inf,) * len(self.states)
