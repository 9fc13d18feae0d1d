"""The methods of `Model` and `Batch` that bear the name of a quantity, made from the table of quantities."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeVar, cast

from numpy.typing import ArrayLike

from ..spatial import Array
from ..system import State
from ._quantities import QUANTITIES

Call_co = TypeVar("Call_co", covariant=True)


class Method(Protocol[Call_co]):
    """A function of a class, as its instances have it."""

    def __get__(self, instance: Any, owner: type) -> Call_co: ...


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

    def __call__(self, states: State, out: Array | None = None, threads: int = 1) -> Array: ...


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
    ) -> Array: ...


def of_state(name: str) -> Method[OfState]:
    """Return the method of `Model` for a quantity of the state alone."""

    def method(self: Any, state: State) -> Array:
        return self._of(name, state)

    return cast(Method[OfState], _called(method, "Model", name, "."))


def of_point(name: str) -> Method[OfPoint]:
    """Return the method of `Model` for a quantity of a point."""

    def method(
        self: Any, state: State, frame: str | None = None, *, body: str | None = None, point_m: ArrayLike | None = None
    ) -> Array:
        return self._at_point(name, state, frame, body, point_m)

    return cast(Method[OfPoint], _called(method, "Model", name, ", of a frame, or of `point_m` (3,) on `body`."))


def of_states(name: str) -> Method[OfStates]:
    """Return the method of `Batch` for a quantity of the states alone."""

    def method(self: Any, states: State, out: Array | None = None, threads: int = 1) -> Array:
        return self._value(name, states, out, threads)

    return cast(Method[OfStates], _called(method, "Batch", name, ", for n states: (n, ...)."))


def of_points(name: str) -> Method[OfPoints]:
    """Return the method of `Batch` for a quantity of a point."""

    def method(
        self: Any,
        states: State,
        frame: str | None = None,
        *,
        body: str | None = None,
        point_m: ArrayLike | None = None,
        out: Array | None = None,
        threads: int = 1,
    ) -> Array:
        return self._at_point(name, states, frame, body, point_m, out, threads)

    return cast(
        Method[OfPoints], _called(method, "Batch", name, ", of a frame or of a point on a body, for n states: (n, ...).")
    )


def _called(method: Callable[..., Array], owner: str, name: str, end: str) -> Callable[..., Array]:
    method.__name__, method.__qualname__ = name, f"{owner}.{name}"
    method.__doc__ = QUANTITIES[name].words + end
    return method
