"""Choices of generalized speeds s that are not the rates of coordinates [Kane1983] eq. 1.

They are chosen by what they say about the project's own speeds u = [v_0; omega_0; qdot]: s = A u + B, or directly
u = W s + X, where W is tall when the speeds already hold a motion constraint [Gillespie2003] eqs 1-5.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from ...errors import InvalidInput, Problem
from ...spatial import Array, Cholesky, inverse_by_rows, scalar_type
from ...system import System
from ..programs._derivation import Derivation
from ..sums._equations import Equations
from ..sums._parameters import Parameters


@dataclass(frozen=True, eq=False)
class Place:
    """Where a system is, over any scalar: what the matrices of a choice of speeds may depend on.

    q : (n_q,) [rad or m]; t : time [s]
    attitude_xyzw : (4,) base axes to N of a floating base, identity with a fixed one
    r_0 : (3,) its CoM in N [m], zero with a fixed one
    numbers : those of the system that are inputs, in SI, its own where they are not given

    >>> place = Place(derive(system).derivation, state.q, 0.0, state.attitude_xyzw, state.r_0)
    >>> place.M.shape, place.equations.r_0C.round(4).tolist()
    ((10, 10), [0.6336, 0.0706, 0.0])
    """

    derivation: Derivation
    q: Array
    t: Any
    attitude_xyzw: Array
    r_0: Array
    numbers: Mapping[str, Array] = field(default_factory=dict)

    @property
    def system(self) -> System:
        """The hardware."""
        return self.derivation.system

    @cached_property
    def x(self) -> Array:
        """(n_x,) the packed state here and at rest, in SI."""
        return self.moving(np.zeros(self.system.layout.n_u))

    def moving(self, u: Array) -> Array:
        """Return the packed state (n_x,) here with the speeds u (n_u,) [m/s, rad/s], in SI."""
        parts = [self.q, u] if self.system.fixed else [self.r_0, self.attitude_xyzw, self.q, u]
        return np.concatenate([np.asarray(part, dtype=scalar_type(*parts)) for part in parts])

    @cached_property
    def M(self) -> Array:
        """(n_u, n_u) the inertia matrix of u [kg, kg m, kg m^2]."""
        return self.outputs(["M"], self.x)["M"]

    @cached_property
    def equations(self) -> Equations:
        """The paper's sums here and at rest: poses, Jacobians, inertia."""
        return self.at(self.x)

    def at(self, x: Array) -> Equations:
        """Return the paper's sums at a packed state (n_x,) in SI."""
        return self.derivation.at(x, self.numbers)

    def outputs(self, names: Sequence[str], x: Array, **given: Array) -> dict[str, Array]:
        """Return quantities of the system at a packed state (n_x,), in SI."""
        return self.derivation.packed_outputs(names, x, {**given, **self.numbers})

    @property
    def parameters(self) -> Parameters:
        """The constants of the system."""
        return self.derivation.opened(self.numbers).parameters


@dataclass(frozen=True, eq=False)
class SpeedMap:
    """u = W s + X at one place, and s = A u + B where the speeds are defined so.

    W : (n_u, p); X : (n_u,); A : (p, n_u); B : (p,); D : (p,) the diagonal of W' M W where it is known to be diagonal
    """

    W: Array
    X: Array
    A: Array | None = None
    B: Array | None = None
    D: Array | None = None


@dataclass(frozen=True)
class ReadOff:
    """A body whose angular velocity, in its own axes, is three of the speeds: body number, their places in s."""

    body: int
    places: tuple[int, int, int]


class Speeds(ABC):
    """A choice of generalized speeds.

    >>> class Doubled(Speeds):
    ...     def names(self, system):
    ...         return tuple(f"2 {name}" for name in system.layout.u_names)
    ...
    ...     def map(self, place):
    ...         return RatesFromSpeeds(self.names(place.system), lambda place: np.eye(10) / 2).map(place)
    >>> moving = scmanip.State([0, 0, 0], q=state.q, v_0=[0.1, 0, 0])
    >>> change_speeds(model, Doubled()).speeds_of(moving)[:2].round(6).tolist()
    [0.2, 0.0]
    """

    @abstractmethod
    def names(self, system: System) -> tuple[str, ...]:
        """Return the names (p) of the speeds of this system; raises what its `check` finds."""

    @abstractmethod
    def map(self, place: Place) -> SpeedMap:
        """Return how u follows from the speeds at a place, over any scalar."""

    def read_off(self, system: System) -> ReadOff | None:
        """Return the body whose angular velocity is read off the speeds, if there is one."""
        return None


@dataclass(frozen=True)
class JointRates(Speeds):
    """The project's own speeds, s = u: of the base, and the joint rates.

    >>> JointRates().names(system)[3:8]
    ('omega_0.x', 'omega_0.y', 'omega_0.z', 'joint1', 'joint2')
    """

    def names(self, system: System) -> tuple[str, ...]:
        return system.layout.u_names

    def map(self, place: Place) -> SpeedMap:
        n = place.system.layout.n_u
        return SpeedMap(np.eye(n), np.zeros(n), np.eye(n), np.zeros(n))


@dataclass(frozen=True, eq=False)
class SpeedsFromRates(Speeds):
    """s = A u + B [Kane1983] eq. 1 by two functions of a `Place`.

    own_names : (n_u) names of the speeds; A : place -> (n_u, n_u), solvable for u; B : place -> (n_u,), zero if left out.
    The functions use + - * / and `spatial.sin`, `cos`, `sqrt`, and must not branch on values.

    >>> def A(place):  # absolute angles of the links in place of those of the joints
    ...     return np.block([[np.eye(6), np.zeros((6, 4))], [np.zeros((4, 6)), np.tri(4)]])
    >>> absolute = SpeedsFromRates((*system.layout.u_names[:6], "a1", "a2", "a3", "a4"), A)
    >>> moving = scmanip.State([0, 0, 0], q=state.q, qdot=[0.1, 0.1, 0.1, 0.1])
    >>> change_speeds(model, absolute).speeds_of(moving)[6:].round(6).tolist()
    [0.1, 0.2, 0.3, 0.4]
    """

    own_names: tuple[str, ...]
    A: Callable[[Place], Any]
    B: Callable[[Place], Any] | None = None

    def names(self, system: System) -> tuple[str, ...]:
        n = system.layout.n_u
        if len(self.own_names) != n:
            hint = "give u = W s + X with RatesFromSpeeds where the speeds hold a constraint"
            raise InvalidInput(Problem("SpeedsFromRates", f"{n} names", str(len(self.own_names)), hint=hint))
        return _once("SpeedsFromRates", self.own_names)

    def map(self, place: Place) -> SpeedMap:
        n = place.system.layout.n_u
        A = shaped("SpeedsFromRates A", self.A(place), (n, n))
        B = np.zeros(n) if self.B is None else shaped("SpeedsFromRates B", self.B(place), (n,))
        W = inverse_by_rows(A)
        return SpeedMap(W, -(W @ B), A, B)


@dataclass(frozen=True, eq=False)
class RatesFromSpeeds(Speeds):
    """u = W s + X by two functions of a `Place` [Gillespie2003] eqs 2, 5; W is tall where s holds a motion constraint.

    own_names : (p) names of the speeds; W : place -> (n_u, p), of rank p; X : place -> (n_u,), zero if left out.

    >>> def W(place):  # the arm moves as one: all joints by the first speed, the base stays
    ...     return np.array([6 * [0.0] + 4 * [1.0]]).T
    >>> own = compile_model(system, implementation=Reference())
    >>> coupled = change_speeds(own, RatesFromSpeeds(("curl",), W))
    >>> coupled.state(state, [0.1]).qdot.tolist(), coupled.M(state).shape
    ([0.1, 0.1, 0.1, 0.1], (1, 1))
    """

    own_names: tuple[str, ...]
    W: Callable[[Place], Any]
    X: Callable[[Place], Any] | None = None

    def names(self, system: System) -> tuple[str, ...]:
        n = system.layout.n_u
        if not 0 < len(self.own_names) <= n:
            raise InvalidInput(Problem("RatesFromSpeeds", f"1 to {n} names", str(len(self.own_names))))
        return _once("RatesFromSpeeds", self.own_names)

    def map(self, place: Place) -> SpeedMap:
        n = place.system.layout.n_u
        X = np.zeros(n) if self.X is None else shaped("RatesFromSpeeds X", self.X(place), (n,))
        return SpeedMap(shaped("RatesFromSpeeds W", self.W(place), (n, len(self.own_names))), X)


@dataclass(frozen=True)
class DecouplingSpeeds(Speeds):
    """s = G' u with M = G D G', G unit lower triangular: W' M W = D is diagonal.

    Each speed is u_k plus what the speeds after it add; with a floating base the first three are the velocity of the
    system's centre of mass.

    >>> DecouplingSpeeds().names(system)[6:]
    ('joint1*', 'joint2*', 'joint3*', 'joint4*')
    """

    def names(self, system: System) -> tuple[str, ...]:
        return tuple(f"{name}*" for name in JointRates().names(system))

    def map(self, place: Place) -> SpeedMap:
        n, factor = place.system.layout.n_u, Cholesky.of(place.M)
        return SpeedMap(factor.backward(np.eye(n)), np.zeros(n), factor.G.T, np.zeros(n), 1 / factor.D_inverse)


def shaped(key: str, value: Any, shape: tuple[int, ...]) -> Array:
    """Return what a user's function gave as an array of this shape, or raise `InvalidInput`."""
    array = np.array(value)
    if array.shape != shape:
        raise InvalidInput(Problem(key, f"shape {shape}", f"shape {array.shape}"))
    return array


def _once(key: str, names: tuple[str, ...]) -> tuple[str, ...]:
    if len(set(names)) < len(names):
        raise InvalidInput(Problem(key, "every name once", ", ".join(names)))
    return tuple(names)
