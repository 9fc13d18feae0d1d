"""Positions and speeds of a system at one instant, or of many cases at once."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Self, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InvalidInput, InvalidState, Problem, expect, refuse
from ..plugins import view
from ..spatial import FloatArray, cross, dcm_from_quaternion, made_unit, real
from ..spatial import attitude_xyzw as unit_quaternion
from ._joint_motion import with_unit_quaternions
from ._layout import Layout, Parts
from ._quaternion_problems import quaternion_problems
from ._system import System

Base: TypeAlias = tuple[ArrayLike, ...]  # as `_REST`; none where the base is fixed
Actuators: TypeAlias = Mapping[str, ArrayLike]
NONE: Actuators = MappingProxyType({})
_NO_WHEELS = ()
_REST = {"r_0": np.zeros(3), "attitude_xyzw": np.array([0.0, 0, 0, 1]), "v_0": np.zeros(3), "omega_0": np.zeros(3)}
_SIZES = [*map(len, _REST.values())]
_FRAME_KEYS = {"State r_0": "State position_m", "State v_0": "State velocity_m_s", "State omega_0": "State omega_rad_s"}


class State:
    """Frozen state; every field is a read-only view of the packed vector `x`.

    r_0 : (3,) base CoM from the inertial origin [m]
    attitude_xyzw : (4,) unit quaternion, base to inertial, scalar last
    q : (n_q,) joint coordinates [rad or m]
    v_0 : (3,) velocity of the base CoM, inertial [m/s]
    omega_0 : (3,) angular velocity of the base, inertial components [rad/s]
    qdot : (N,) joint rates [rad/s or m/s]
    wheel_rad_s : (n_w,) speeds of the reaction wheels relative to the base
    actuators : states (k,) of further actuators that have some, by name, in the order of the system; wheels may be among them.
        Behind them those of loads of a plant
    hardware : (n,) x without the states of loads, in the same units, which is all that a model knows

    What actuators have for states is needed where the system has such, as `wheel_rad_s` or by name; loads are at rest where
    nothing is said.

    Rates `qdot` are needed where the system has spherical joints, because they have fewer of them than coordinates.
    A floating base needs `r_0` or `attitude_xyzw` (the other defaults to the origin or to the identity); a state given
    as `State(q=..., qdot=...)` alone belongs to a fixed base. Rates left out are zero. With a leading axis on every
    field the same class holds a batch; `len(state)` is its size.

    Raises `InvalidState` for shapes that do not fit together, numbers that are not finite, and a quaternion whose norm
    is off 1 by more than 1e-6 (otherwise it is normalised and keeps its sign).

    >>> state = State.at_rest(system, q=[0.0, 0.3, -0.2, 0.1])
    >>> state.x.shape, state.q.tolist(), state.qdot.tolist()
    ((21,), [0.0, 0.3, -0.2, 0.1], [0.0, 0.0, 0.0, 0.0])
    >>> State(q=[0.1, 0.2], qdot=[0.0]).fixed
    True
    """

    __slots__ = ("_parts", "hardware", "x")

    x: FloatArray
    hardware: FloatArray
    _parts: Parts

    def __init__(
        self,
        r_0: ArrayLike | None = None,
        attitude_xyzw: ArrayLike | None = None,
        q: ArrayLike | None = None,
        v_0: ArrayLike | None = None,
        omega_0: ArrayLike | None = None,
        qdot: ArrayLike | None = None,
        *,
        wheel_rad_s: ArrayLike = (),
        actuators: Mapping[str, ArrayLike] = NONE,
    ) -> None:
        if q is None:
            raise InvalidState(Problem("State q", "joint coordinates (an empty list without joints)", "nothing"))
        if r_0 is None or attitude_xyzw is None or v_0 is None or omega_0 is None:
            base = _rest_of_base(r_0, attitude_xyzw, v_0, omega_0)
        else:
            base = r_0, attitude_xyzw, v_0, omega_0
        at_once = _at_once(base, q, qdot, wheel_rad_s, actuators)
        self._hold(*(at_once or _one_by_one(base, q, qdot, wheel_rad_s, actuators)))

    def _hold(self, x: FloatArray, parts: Parts) -> None:
        x.setflags(write=False)
        hardware = x
        if parts.sizes[-1]:
            hardware = np.ascontiguousarray(x[parts.hardware])
            hardware.setflags(write=False)
        _keep_x(self, x)
        _keep_hardware(self, hardware)
        _keep_parts(self, parts)

    @classmethod
    def _of(cls, x: FloatArray, parts: Parts) -> Self:
        """Return the state of a packed vector that is known to be one; `x` is kept and made read-only."""
        state = object.__new__(cls)
        state._hold(x, parts)
        return state

    @classmethod
    def _rebuilt(cls, x: FloatArray, *sizes: Any) -> Self:
        return cls._of(x, Parts.of(*sizes))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self)._rebuilt, (self.x, *self._parts.sizes)

    @classmethod
    def unpack(cls, x: ArrayLike, layout: Layout) -> Self:
        """Return the state of a packed vector (n_x,) or batch (n, n_x), copied.

        Raises `InvalidState` for another size, numbers that are not finite, and a quaternion that is none, as a `State` does.
        """
        expect("layout", layout, Layout, "a Layout, such as system.layout")
        packed = np.array(_checked("x", x, layout.n_x))
        if not layout.fixed:
            packed[..., layout.x_attitude] = _unit(packed[..., layout.x_attitude])
        packed[..., layout.x_q] = _unit_joints(packed[..., layout.x_q], layout)
        return cls._of(packed, layout.parts)

    @classmethod
    def renormalised(cls, x: FloatArray, layout: Layout) -> Self:
        """Return the state of a packed vector (n_x,) or batch (n, n_x) whose quaternion has drifted off norm 1, copied.

        For integrators: it trusts `x` to be finite, of that size, and with a quaternion that is not zero.
        """
        x = np.array(x, dtype=np.float64)
        layout.normalise(x)
        return cls.of_unit(x, layout)

    @classmethod
    def of_unit(cls, x: FloatArray, layout: Layout) -> Self:
        """Return the state of a packed vector (n_x,) or batch (n, n_x), which is not copied but made read-only.

        For integrators: it trusts `x` to be finite, of that size, and with quaternions of norm 1.
        """
        state = object.__new__(cls)
        state._hold(x, layout.parts)
        return state

    def repacked(self, x: FloatArray) -> Self:
        """Return the state of other numbers (n_x,) with the same parts; trusts them and makes them read-only, as `of_unit`."""
        return self._of(x, self._parts)

    @classmethod
    def at_rest(cls, system: System, q: ArrayLike) -> Self:
        """Return the state with the base CoM at the origin, attitude identity, and nothing moving.

        q : (n_q,) or (n, n_q) joint coordinates; raises `InvalidState` for another number of them
        """
        expect("system", system, System, "a System")
        joints = _checked("q", q, None)
        _check_count("q", joints, system.layout.n_q)
        joints = _unit_joints(joints, system.layout)
        rates = np.zeros((*joints.shape[:-1], system.layout.N))
        still = {name: np.zeros(count) for name, count in system.layout.states}
        r_0 = None if system.fixed else np.zeros((*joints.shape[:-1], 3))
        return cls(r_0=r_0, q=joints, qdot=rates, actuators=still).of_layout(system.layout)

    def of_layout(self, layout: Layout) -> Self:
        """Return the state as one of a layout, whose actuators are at rest where nothing is said of any."""
        if not self._parts.actuators and layout.states and self._parts.sizes[:2] == layout.parts.sizes[:2]:
            rest = np.zeros((*self.x.shape[:-1], layout.n_x - self.x.shape[-1]))
            return self._of(np.concatenate([self.x, rest], axis=-1), layout.parts)
        return self._of(self.x, layout.parts) if layout.parts.admits(self._parts) else self

    @property
    def of_hardware(self) -> Self:
        """The state without those of loads."""
        *sizes, states, n_l = self._parts.sizes
        return self._of(self.hardware, Parts.of(*sizes, states[: len(states) - n_l], 0)) if n_l else self

    def without(self, prefix: str) -> Self:
        """Return the state without the states behind those of actuators whose names begin so, which are the last."""
        *sizes, states, n_l = self._parts.sizes
        gone = [count for name, count in states[len(states) - n_l :] if name.startswith(prefix)]
        if not gone:
            return self
        x = np.ascontiguousarray(self.x[..., : -sum(gone)])
        return self._of(x, Parts.of(*sizes, states[: -len(gone)], n_l - len(gone)))

    @classmethod
    def stack(cls, states: Sequence[State]) -> Self:
        """Return a batch with a leading axis from single states of one system."""
        expect("State.stack", states, list | tuple, "a list of states")
        for state in states:
            expect("State.stack", state, State, "a list of states")
            if state.x.ndim > 1:
                raise InvalidState(Problem("State.stack", "single states", f"a batch of {len(state)}"))
        kinds = sorted({state._parts for state in states}, key=lambda kind: -kind.sizes[-1])
        one = next((kind for kind in kinds if all(map(kind.admits, kinds))), None)
        if one is None:
            raise InvalidState(Problem("State.stack", "one or more states of one system", f"{len(kinds)} kinds"))
        return cls._of(np.stack([state.x for state in states]), one)

    @classmethod
    def from_base_frame(
        cls,
        system: System,
        *,
        position_m: ArrayLike,
        attitude_xyzw: ArrayLike,
        q: ArrayLike,
        velocity_m_s: ArrayLike = (0.0, 0.0, 0.0),
        omega_rad_s: ArrayLike = (0.0, 0.0, 0.0),
        qdot: ArrayLike | None = None,
        wheel_rad_s: ArrayLike = (),
        actuators: Mapping[str, ArrayLike] = NONE,
    ) -> Self:
        """Return the state for a base given by its FRAME ORIGIN instead of its centre of mass.

        position_m, velocity_m_s : (3,) of the base frame's origin, inertial; omega_rad_s : (3,) inertial components.
        attitude_xyzw : (4,) base to inertial; q, qdot and others as of `State`.
        With a leading axis on every field, or on q alone, the result is a batch.
        Raises `InvalidState` for what `State` refuses, another number of joints or wheels, and a base that is fixed.
        """
        expect("system", system, System, "a System")
        if system.fixed:
            hint = "State(q=..., qdot=...) is a state of it"
            raise InvalidState(Problem("State.from_base_frame", "a system whose base floats", repr(system), hint=hint))
        try:
            speeds = velocity_m_s, omega_rad_s, qdot
            origin = cls(position_m, attitude_xyzw, q, *speeds, wheel_rad_s=wheel_rad_s, actuators=actuators)
        except InvalidState as error:
            raise InvalidState(replace(p, key=_FRAME_KEYS.get(p.key, p.key)) for p in error.problems) from None
        _check_count("q", origin.q, system.layout.n_q)
        _check_count("qdot", origin.qdot, system.layout.N)
        if set(origin._parts.actuators) <= {""}:
            _check_count("wheel_rad_s", origin.wheel_rad_s, system.layout.n_w)
        offset = _rotated(origin.attitude_xyzw, system.base.com_m)
        v_0 = origin.v_0 + cross(origin.omega_0, offset)
        joints = _unit_joints(origin.q, system.layout)
        speeds, moved = (v_0, origin.omega_0, origin.qdot), (origin.r_0 + offset, origin.attitude_xyzw, joints)
        return cls(*moved, *speeds, wheel_rad_s=wheel_rad_s, actuators=actuators)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a State cannot be edited; make a new one to change '{name}'")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a State cannot be edited; make a new one without '{name}'")

    def __len__(self) -> int:
        if self.x.ndim == 1:
            raise TypeError("a single State has no length; State.stack makes a batch")
        return len(self.x)

    def __getitem__(self, case: int) -> Self:
        """Return one case of a batch."""
        if self.x.ndim == 1:
            raise TypeError("a single State cannot be indexed; State.stack makes a batch")
        return self._of(self.x[case], self._parts)

    @property
    def fixed(self) -> bool:
        """Whether this is the state of a fixed base."""
        return self._parts.sizes[1]

    @property
    def r_0(self) -> FloatArray:
        """(3,) base CoM [m], inertial; empty with a fixed base."""
        return self.x[self._parts.r_0]

    @property
    def attitude_xyzw(self) -> FloatArray:
        """(4,) unit quaternion, base to inertial; empty with a fixed base."""
        return self.x[self._parts.attitude_xyzw]

    @property
    def q(self) -> FloatArray:
        """(n_q,) joint coordinates [rad or m]."""
        return self.x[self._parts.q]

    @property
    def u(self) -> FloatArray:
        """(n_u,) generalized speeds [v_0; omega_0; qdot] in [m/s, rad/s]."""
        return self.x[self._parts.u]

    @property
    def wheel_rad_s(self) -> FloatArray:
        """(n_w,) speeds of the reaction wheels relative to the base [rad/s], of those given by name once it is of a layout."""
        return self.x[self._parts.wheel_rad_s]

    @property
    def actuators(self) -> dict[str, FloatArray]:
        """States (k,) of actuators and loads by name, each in SI, of speeds `wheel_rad_s` once it is of a layout."""
        return {name: self.x[place] for name, place in self._parts.actuators.items() if name}

    @property
    def v_0(self) -> FloatArray:
        """(3,) velocity of the base CoM [m/s], inertial; empty with a fixed base."""
        return self.x[self._parts.v_0]

    @property
    def omega_0(self) -> FloatArray:
        """(3,) angular velocity of the base [rad/s], inertial components; empty with a fixed base."""
        return self.x[self._parts.omega_0]

    @property
    def qdot(self) -> FloatArray:
        """(N,) joint rates [rad/s or m/s]."""
        return self.x[self._parts.qdot]

    def _repr_html_(self) -> str:
        card: str = view(self, "_repr_html_")(self)
        return card

    def __repr__(self) -> str:
        kind = "" if self.x.ndim == 1 else f"{len(self)} cases, "
        base = "fixed base" if self.fixed else f"r_0={self.r_0.tolist()}" if self.x.ndim == 1 else "floating base"
        return f"State({kind}{base}, n_q={self.q.shape[-1]})"


_keep_x, _keep_hardware, _keep_parts = (vars(State)[name].__set__ for name in ("x", "hardware", "_parts"))


def _rest_of_base(*given: ArrayLike | None) -> Base:
    """Return those four, at rest at the origin where nothing is said; nothing of a fixed base, of which nothing is said."""
    if all(value is None for value in given):
        return ()
    return tuple(rest if value is None else value for value, rest in zip(given, _REST.values(), strict=True))


def _at_once(
    base: Base, q: ArrayLike, qdot: ArrayLike | None, wheel_rad_s: ArrayLike, actuators: Any
) -> tuple[FloatArray, Parts] | None:
    """Return one state packed, and its parts, if a look at all numbers together finds nothing wrong; None otherwise."""
    try:
        joints = real(q)
        rates = np.zeros(joints.shape) if qdot is None else real(qdot)
        parts = [*map(real, base)]
        sizes = [*map(len, parts)]
        parts.insert(2, joints)
        parts.append(rates)
        wheels = [] if wheel_rad_s is _NO_WHEELS else [real(wheel_rad_s)]
        own = {} if actuators is NONE else {name: real(value) for name, value in actuators.items()}
        x = np.concatenate([*parts, *wheels, *own.values()] if wheels or own else parts)
    except (TypeError, ValueError, AttributeError):
        return None
    if x.ndim != 1 or not math.isfinite(sum(numbers := x.tolist())):
        return None
    if sizes and (sizes != _SIZES or not made_unit(x[3:7], numbers[3:7])):
        return None
    n_w = sum(map(len, wheels)) if wheels else 0
    names = (*((("", 1),) * n_w), *zip(own, map(len, own.values()), strict=True)) if wheels or own else ()
    return x, Parts.of(len(joints), not sizes, n_w, names, 0)


def _one_by_one(
    base: Base, q: ArrayLike, qdot: ArrayLike | None, wheel_rad_s: ArrayLike, actuators: Actuators
) -> tuple[FloatArray, Parts]:
    """Return a state or a batch packed, and its parts; raises `InvalidState` that names what is wrong first."""
    parts = _parts(base, q, qdot)
    if base:
        parts[1] = _unit(parts[1])
    expect("actuators", actuators, Mapping, "a table of the states of actuators by name")
    lead = parts[0].shape[:-1]
    own = [
        _led("wheel_rad_s", wheel_rad_s, lead),
        *(_led(f"actuators[{name!r}]", a, lead) for name, a in actuators.items()),
    ]
    n_w, *counts = (array.shape[-1] for array in own)
    names = (*((("", 1),) * n_w), *zip(actuators, counts, strict=True))
    return np.concatenate([*parts, *own], axis=-1), Parts.of(np.shape(q)[-1], not base, n_w, names, 0)


def _parts(base: Base, q: ArrayLike, qdot: ArrayLike | None) -> list[FloatArray]:
    """Return r_0, attitude, q, v_0, omega_0, qdot (or q, qdot) with equal leading axes, checked."""
    q_array = _checked("q", q, None)
    lead = q_array.shape[:-1]
    rates = np.zeros_like(q_array) if qdot is None else _checked("qdot", qdot, None)
    if rates.shape[:-1] != lead:
        raise InvalidState(Problem("State qdot", f"leading shape {lead} as q", f"shape {rates.shape}"))
    whole = []
    for (name, default), given in zip(_REST.items(), base, strict=False):
        value = _checked(name, given, default.size)
        if value.shape[:-1] not in (lead, ()):
            raise InvalidState(Problem(f"State {name}", f"leading shape {lead} as q", f"shape {value.shape}"))
        whole.append(np.broadcast_to(value, (*lead, default.size)))
    return [*whole[:2], q_array, *whole[2:], rates]


def _unit(attitude: FloatArray) -> FloatArray:
    """Return quaternions (..., 4) of norm 1 exactly; raises `InvalidState` where it is off by more than 1e-6."""
    try:
        return unit_quaternion(attitude, order="xyzw")
    except InvalidInput as error:
        raise InvalidState(replace(problem, key="State attitude_xyzw") for problem in error.problems) from None


def _unit_joints(q: FloatArray, layout: Layout) -> FloatArray:
    """Return q (..., n_q) with joint quaternions of norm 1 exactly; raises `InvalidState` like `_unit`."""
    refuse(quaternion_problems("State q", q, layout), InvalidState)
    return with_unit_quaternions(q, [i for i, _ in layout.quaternions])


def _led(name: str, value: ArrayLike, lead: tuple[int, ...]) -> FloatArray:
    """Return numbers (..., k) with the leading shape of q; raises `InvalidState` for another one."""
    given = _checked(name, value, None)
    if given.shape[:-1] not in (lead, ()):
        raise InvalidState(Problem(f"State {name}", f"leading shape {lead} as q", f"shape {given.shape}"))
    return np.broadcast_to(given, (*lead, given.shape[-1]))


def _rotated(attitude: FloatArray, v: FloatArray) -> FloatArray:
    """Return the vector v (3,) turned by each of the quaternions (..., 4)."""
    rows = [dcm_from_quaternion(q) @ v for q in attitude.reshape(-1, 4)]
    return np.array(rows).reshape(*attitude.shape[:-1], 3)


def _check_count(name: str, array: FloatArray, count: int) -> None:
    if array.shape[-1] != count:
        raise InvalidState(Problem(f"State {name}", f"{count} numbers, one per entry of the layout", str(array.shape[-1])))


def _checked(name: str, value: ArrayLike | None, size: int | None) -> FloatArray:
    try:
        array = real(value)
    except (TypeError, ValueError):
        raise InvalidState(Problem(f"State {name}", "numbers", repr(value))) from None
    if array.ndim not in (1, 2) or (size is not None and array.shape[-1] != size):
        wanted = f"{size} numbers" if size else "a list of numbers"
        raise InvalidState(Problem(f"State {name}", f"{wanted}, or one such row per case", f"shape {array.shape}"))
    if not np.all(np.isfinite(array)):
        raise InvalidState(Problem(f"State {name}", "finite numbers", str(array.tolist())))
    return array
