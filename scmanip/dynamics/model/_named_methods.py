"""The methods of `Model` and `Batch` that bear the name of a quantity, made from the table of quantities."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Generic, Protocol, TypeVar

from numpy.typing import ArrayLike

from ...spatial import Array
from ...system import State
from ..programs._quantities import QUANTITIES


class OfState(Protocol):
    """A quantity of one state."""

    def __call__(self, state: State) -> Array: ...


class OfPoint(Protocol):
    """A quantity of a frame, or of `point_m` (3,) [m] in axes of `body`, in one state."""

    def __call__(
        self, state: State, frame: str | None = None, *, body: str | None = None, point_m: ArrayLike | None = None
    ) -> Array: ...


class OfStates(Protocol):
    """A quantity of n states."""

    def __call__(self, states: State, out: Array | None = None, threads: int = 1, *, values: Values | None = None) -> Array: ...


class OfPoints(Protocol):
    """A quantity of a frame or of a point on a body in n states."""

    def __call__(
        self,
        states: State,
        frame: str | None = None,
        *,
        body: str | None = None,
        point_m: ArrayLike | None = None,
        out: Array | None = None,
        threads: int = 1,
        values: Values | None = None,
    ) -> Array: ...


Values = Mapping[str, ArrayLike]  # of numbers, by their paths
S = TypeVar("S")
P = TypeVar("P")
Maker = Callable[[str], Callable[..., Array]]


class Named(Generic[S, P]):
    """What has the quantities of one state each, or of a point in it, as methods; S and P are what these look like.

    of_state, of_point : make a method from the name of a quantity; which : ends what is said of it
    """

    H0: S
    H0m: S
    Hm: S
    M: S
    H: S
    H0_inverse: S
    S_U: S
    r_0C: S
    Hdot: S
    dH_dq: S
    C: S
    c: S
    momentum_bias: S
    coriolis_matrix: S
    gravity_force: S
    energy_by_body: S
    momentum_regressor: S
    H0_dot: S
    H0m_dot: S
    Hm_dot: S
    dH0_dq: S
    dH0m_dq: S
    dHm_dq: S
    J0: P
    Jm: P
    J_star_drift: P
    J_dot_u: P
    position: P
    attitude: P

    def __init_subclass__(cls, of_state: Maker, of_point: Maker, which: str) -> None:
        for name, quantity in QUANTITIES.items():
            if quantity.words and name not in vars(cls):
                method = (of_point if quantity.framed else of_state)(name)
                method.__name__, method.__qualname__ = name, f"{cls.__name__}.{name}"
                method.__doc__ = f"{quantity.words}{', of a frame or of `point_m` (3,) on `body`' * quantity.framed}{which}."
                setattr(cls, name, method)


def of_state(name: str) -> Callable[..., Array]:
    """Return a quantity of one state, from what has `_of`."""

    def method(self: Any, state: State) -> Array:
        return self._of(name, state)

    return method


def of_point(name: str) -> Callable[..., Array]:
    """Return a quantity of a point in one state, from what has `_at_point`."""

    def method(
        self: Any, state: State, frame: str | None = None, *, body: str | None = None, point_m: ArrayLike | None = None
    ) -> Array:
        return self._at_point(name, state, frame, body, point_m)

    return method


def of_states(name: str) -> Callable[..., Array]:
    """Return a quantity of n states, from what has `_value`."""

    def method(self: Any, states: State, out: Array | None = None, threads: int = 1, *, values: Values | None = None) -> Array:
        return self._given(values)._value(name, states, out, threads)

    return method


def of_points(name: str) -> Callable[..., Array]:
    """Return a quantity of a point in n states, from what has `_at_point`."""

    def method(
        self: Any,
        states: State,
        frame: str | None = None,
        *,
        body: str | None = None,
        point_m: ArrayLike | None = None,
        out: Array | None = None,
        threads: int = 1,
        values: Values | None = None,
    ) -> Array:
        return self._given(values)._at_point(name, states, frame, body, point_m, out, threads)

    return method
