"""A joint: what one body may do relative to its parent."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from numbers import Real
from types import MappingProxyType
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from ...errors import InvalidSystem, Problem, expect, name_problems, refuse
from ...spatial import (
    Array,
    FloatArray,
    Numbered,
    array_problems,
    axis_problems,
    coefficient_problems,
    frozen,
    nearest_rotation,
    opened,
    present,
    restored,
    rotation_problems,
    unit_vector,
)
from ..joints import KINDS, NOTHING, JointKind, Motion, bias, kind_problems, twists
from ._freedom import Coordinate, Freedom

_EYE = np.eye(3)
_ORIGINS = ("origin_m", "child_origin_m")
PLACED = "nothing for a {} joint, whose coordinates say where the body is"


@dataclass(frozen=True, eq=False, init=False)
class Joint(Numbered):
    """Placement and freedom of a body relative to its parent.

    The joint frame sits at `origin_m`, turned by `dcm`, in the parent's body frame; the moved joint frame coincides
    with it at q = 0 and carries the body. The body's own frame sits at `child_origin_m`, turned by `child_dcm`, in the
    moved joint frame: identity, except for Denavit-Hartenberg links, whose frame is at their far end.

    name : unique among the joints
    type : the name of a kind, such as "revolute", or a `JointKind` of one's own
    axis : (3,) unit vector (to 1e-6, then normalised) in the joint frame, of kinds that have one
    origin_m, child_origin_m : (3,) [m]
    dcm, child_dcm : (3, 3) columns are the child axes in the parent (orthonormal to 1e-6, then made so exactly)
    lower, upper : limits of the coordinate [rad or m]
    stiffness, damping : spring about q = 0 [N m/rad or N/m] and viscous damper [N m s/rad or N s/m]
    own : what its kind needs besides, also given as keywords: sequence="zxz" of a gimbal, one to three letters of "xyz",
        neighbours different; pitch_m_rad=0.01 of a screw, its way along the axis per angle

    Limits, stiffness and damping are those of every freedom, or a list with one for each.

    Raises `InvalidSystem` with all that is wrong with its fields.

    >>> elbow = Joint("elbow", "revolute", axis=[0, 0, 1], origin_m=[1.2, 0, 0], lower=-2.5, upper=2.5, damping=0.4)
    >>> elbow.dof, [(c.name, c.unit, float(c.upper)) for c in elbow.coordinates]
    (1, [('elbow', 'rad', 2.5)])
    >>> Joint("lead", "screw", axis=[1, 0, 0], pitch_m_rad=0.01).motions[0].linear.tolist()
    [[0.01, 0.0, 0.0]]
    """

    name: str
    type: str | JointKind
    axis: FloatArray
    origin_m: FloatArray
    dcm: FloatArray
    child_origin_m: FloatArray
    child_dcm: FloatArray
    lower: float | FloatArray = field(metadata={"input": "range"})
    upper: float | FloatArray = field(metadata={"input": "range"})
    stiffness: float | FloatArray
    damping: float | FloatArray
    own: Mapping[str, Any]

    __setstate__ = restored

    def __init__(
        self,
        name: str,
        type: str | JointKind,
        axis: ArrayLike = (0.0, 0.0, 1.0),
        origin_m: ArrayLike = (0.0, 0.0, 0.0),
        dcm: ArrayLike = _EYE,
        child_origin_m: ArrayLike = (0.0, 0.0, 0.0),
        child_dcm: ArrayLike = _EYE,
        lower: ArrayLike = -np.inf,
        upper: ArrayLike = np.inf,
        stiffness: ArrayLike = 0.0,
        damping: ArrayLike = 0.0,
        own: Mapping[str, Any] = MappingProxyType({}),
        **keys: Any,
    ) -> None:
        given = locals()
        expect("Joint own", own, Mapping, "a table of what its kind needs")
        vars(self).update({entry.name: given[entry.name] for entry in fields(self)}, own=dict(own) | keys)
        refuse(self._problems(), InvalidSystem)
        for key in _ORIGINS:
            object.__setattr__(self, key, frozen(getattr(self, key)))
        for key in ("dcm", "child_dcm"):
            object.__setattr__(self, key, nearest_rotation(getattr(self, key)))
        for key in NOTHING:
            value = getattr(self, key)
            object.__setattr__(self, key, frozen(value) if _several(value) else value)
        object.__setattr__(self, "axis", unit_vector(self.axis))
        refuse(self._motion_problems(f"joint {self.name!r}"), InvalidSystem)

    def _problems(self) -> list[Problem]:
        key = f"joint {self.name!r}"
        if not (isinstance(self.type, JointKind) or (isinstance(self.type, str) and self.type in KINDS)):
            return [Problem(f"{key} type", f"one of {', '.join(KINDS)}", repr(self.type))]
        if wrong := kind_problems(self.kind):
            return wrong
        problems = name_problems(key, self.name) + axis_problems(f"{key} axis", self.axis)
        problems += self._origin_problems(_ORIGINS)
        for name in ("dcm", "child_dcm"):
            problems += rotation_problems(f"{key} {name}", getattr(self, name))
        beyond = [name for name in self.own if name not in self.kind.keys]
        problems += [Problem(f"{key} {n}", f"nothing for a {self.kind.name} joint", repr(self.own[n])) for n in beyond]
        for name, needed in self.kind.keys.items():
            problems += needed.problems(f"{key} {name}", self.own.get(name)) if name != "axis" else []  # seen above
        return problems or self._passive_problems(key) + self._place_problems(key)

    def _origin_problems(self, names: Iterable[str]) -> list[Problem]:
        return [p for name in names for p in array_problems(f"joint {self.name!r} {name}", getattr(self, name), (3,))]

    def _place_problems(self, key: str) -> list[Problem]:
        """Return where it is placed though its q says all of its place."""
        neutral = {"origin_m": 0.0, "child_origin_m": 0.0, "dcm": _EYE, "child_dcm": _EYE}
        placed = [name for name, at in neutral.items() if self.kind.grounded and np.any(np.asarray(getattr(self, name)) != at)]
        return [Problem(f"{key} {name}", PLACED.format(self.kind.name), "a value") for name in placed]

    def _motion_problems(self, key: str) -> Iterator[Problem]:
        """Yield what is wrong with what its kind says of it: its motions, and names of their coordinates and freedoms."""
        motions: Any = self.motions
        if not (isinstance(motions, tuple | list) and motions and all(isinstance(motion, Motion) for motion in motions)):
            yield Problem(f"{key} motions", "elementary motions, such as (Turn.about(axis),)", repr(motions))
            return
        for what, given, count in (("parts", self.kind.parts, self.n_q), ("rates", self.kind.rates, self.dof)):
            names: Any = given(self.own)
            texts = isinstance(names, tuple | list) and all(isinstance(name, str) for name in names)
            if not texts or max(len({*names}), 1) < count:
                yield Problem(f"{key} {what}", f"{count} names that differ, or none for one", repr(names))
                return
        dof, units = self.kind.dof(self.own), [motion.unit for motion in motions for _ in motion.twists]
        if dof != self.dof:
            yield Problem(f"{key} dof", f"{self.dof}, as its motions have", repr(dof))
        said = [unit for _, unit in self.kind.freedoms]
        if len(said) == len(units) and said != units:
            yield Problem(f"{key} freedoms", f"the units {', '.join(units)} of its motions", ", ".join(said))

    def _passive_problems(self, key: str) -> list[Problem]:
        """Return what is wrong with limits, springs and dampers."""
        problems, each = list[Problem](), {name: _entries(getattr(self, name)) for name in NOTHING}
        for name, values in each.items():
            if _several(getattr(self, name)) and len(values) != self.dof:
                problems.append(Problem(f"{key} {name}", f"a number, or {self.dof} of them", f"{len(values)}"))
            elif name not in self.kind.passive and not all(isinstance(v, Real) and v == NOTHING[name] for v in values):
                problems.append(Problem(f"{key} {name}", f"nothing for a {self.kind.name} joint", "a value"))
        for name in ("stiffness", "damping"):
            problems += [p for value in each[name] for p in coefficient_problems(f"{key} {name}", value)]
        several = max(len(each["lower"]), len(each["upper"]))
        pairs = zip(*(each[name] if len(each[name]) > 1 else each[name] * several for name in ("lower", "upper")), strict=False)
        return problems + [p for lower, upper in pairs for p in limit_problems(f"{key} limits", lower, upper)]

    @cached_property
    def kind(self) -> JointKind:
        """What it does."""
        return self.type if isinstance(self.type, JointKind) else KINDS[self.type]

    @cached_property
    def motions(self) -> tuple[Motion, ...]:
        """The elementary motions that it is a chain of, from the parent outwards."""
        return self.kind.motions(self)

    @property
    def dof(self) -> int:
        """Number of freedoms."""
        return sum(motion.dof for motion in self.motions)

    @property
    def n_q(self) -> int:
        """Number of coordinates: that of freedoms, and one more for every unit quaternion."""
        return sum(motion.n_q for motion in self.motions)

    @property
    def part_names(self) -> tuple[str, ...]:
        """What its coordinates and freedoms are called where they are not called as itself."""
        return tuple(f"{self.name}.{part}" for part in dict.fromkeys((*self.kind.parts(self.own), *self.kind.rates(self.own))))

    def _called(self, parts: Callable[[Mapping[str, Any]], tuple[str, ...]]) -> tuple[str, ...]:
        return tuple(f"{self.name}.{part}" for part in parts(self.own)) or (self.name,)

    @cached_property
    def coordinates(self) -> tuple[Coordinate, ...]:
        """Its entries of q."""
        names, limits = iter(self._called(self.kind.parts)), iter(zip(self._each("lower"), self._each("upper"), strict=True))
        found = []
        for motion in self.motions:
            quaternion = motion.n_q > motion.dof
            for _ in range(motion.n_q):
                unit, bounds = ("1", (-1.0, 1.0)) if quaternion else (motion.unit, next(limits))
                found.append(Coordinate(next(names), unit, *bounds))
        return tuple(found)

    @cached_property
    def freedoms(self) -> tuple[Freedom, ...]:
        """Its entries of qdot."""
        names, passive = self._called(self.kind.rates), zip(self._each("stiffness"), self._each("damping"), strict=True)
        moved = [(motion.unit, twist) for motion in self.motions for twist in motion.twists]
        rows = zip(names, moved, passive, strict=False)  # a quaternion has one name more than it has speeds
        return tuple(Freedom(name, self.name, *motion, *numbers) for name, motion, numbers in rows)

    @property
    def turns(self) -> bool:
        """Whether any speed turns what it moves."""
        return any(present(motion.angular).any() for motion in self.motions)

    @property
    def slides(self) -> bool:
        """Whether any speed moves the origin of what it moves."""
        return any(present(motion.linear).any() for motion in self.motions)

    @property
    def numbers(self) -> dict[str, Array]:
        """Where it is placed, stiffness and damping of its freedoms, and what its kind has of its own."""
        placed = {} if self.kind.grounded else {name: getattr(self, name) for name in _ORIGINS}
        passive = {key: _part_of(getattr(self, what), k, self.kind) for key, (what, k) in self._passive_keys.items()}
        own = {name: self.own[name] for name, key in self.kind.keys.items() if key.holds is float}
        return {key: np.asarray(value, dtype=float) for key, value in {**placed, **passive, **own}.items()}

    @property
    def _passive_keys(self) -> dict[str, tuple[str, int]]:
        """Which field, and which of the numbers that its kind takes, the keys of springs and dampers say."""
        each = [
            (what, k) for what in ("stiffness", "damping") if what in self.kind.passive for k in range(len(self.kind.freedoms))
        ]
        return {self.kind.passive_keys(what, k)[0]: (what, k) for what, k in each}

    def in_fields(self, values: Mapping[str, Array]) -> dict[str, Any]:
        plain, changed = super().in_fields(values), dict[str, Any]()
        for key, value in plain.items():
            if key in self._passive_keys:
                what, k = self._passive_keys[key]
                changed[what] = _with_part(changed.get(what, getattr(self, what)), k, value, self.kind)
            elif key in self.own:
                changed["own"] = {**changed.get("own", self.own), key: value}
            else:
                changed[key] = value
        return changed

    def with_numbers(self, values: Mapping[str, Array]) -> Self:
        """Return a copy with other values; where all of them are places nothing else is checked again: studies have many."""
        if self.kind.grounded or not values.keys() <= {*_ORIGINS}:
            return super().with_numbers(values)
        copy = opened(self, {name: frozen(value) for name, value in values.items()})
        refuse(copy._origin_problems(values), InvalidSystem)
        return copy

    def said(self, key: str) -> Any:
        for what in self.kind.passive:
            for k in range(len(self.kind.freedoms)):
                if key in self.kind.passive_keys(what, k):
                    value = getattr(self, what)
                    return value[k] if isinstance(value, np.ndarray) else value
        return self.own.get(key, getattr(self, key, None))

    def _each(self, name: str) -> list[float]:
        each = np.broadcast_to(getattr(self, name), (self.dof,)).tolist()
        return [float(value) if isinstance(value, Real) else value for value in each]

    def twists(self, q: Array) -> Array:
        """Return (dof, 6) [linear; angular] per speed, of the moved joint frame in its own axes, any scalar.

        Per speed in [1] or [m/rad]; q : (n_q,) [rad or m]
        """
        return twists(self.motions, q)

    def bias(self, q: Array, qdot: Array) -> Array:
        """Return (6,) the apparent derivative of the twists, seen from the moved joint frame, times qdot (dof,), in SI."""
        return bias(self.motions, q, qdot)

    def coordinate_rates(self, q: Array, qdot: Array) -> Array:
        """Return (n_q,) the time derivative of q (n_q,) [rad or m] at speeds (dof,) [rad/s or m/s], any scalar."""
        parts = [motion.coordinate_rates(q[at], qdot[u]) for motion, at, u in self._places]
        return np.concatenate([np.zeros(0), *parts])

    def difference(self, q: Array, q_from: Array) -> Array:
        """Return (dof,) what must be turned and moved [rad or m] to come from `q_from` to `q`, (n_q,) each, any scalar."""
        parts = [motion.difference(q[at], q_from[at]) for motion, at, _ in self._places]
        return np.concatenate([np.zeros(0), *parts])

    @property
    def _places(self) -> Iterator[tuple[Motion, slice, slice]]:
        i = j = 0
        for motion in self.motions:
            yield motion, slice(i, i + motion.n_q), slice(j, j + motion.dof)
            i, j = i + motion.n_q, j + motion.dof

    def __repr__(self) -> str:
        return f"Joint({self.name!r}, {self.kind.name})"


def _part_of(value: Any, k: int, kind: JointKind) -> Any:
    """Return one of the numbers that a kind takes: all there is where it takes one for all freedoms."""
    return value[k] if len(kind.freedoms) > 1 and _several(value) else value


def _with_part(value: Any, k: int, part: Any, kind: JointKind) -> Any:
    """Return a number, or those of all freedoms, with one of them changed."""
    if len(kind.freedoms) == 1:
        return part
    each = list(value) if _several(value) else [value] * len(kind.freedoms)
    return np.array([*each[:k], part, *each[k + 1 :]])


def _entries(value: Any) -> list[Any]:
    return list(value) if _several(value) else [value]


def _several(value: Any) -> bool:
    return isinstance(value, list | tuple) or (isinstance(value, np.ndarray) and value.ndim > 0)


def limit_problems(key: str, lower: object, upper: object) -> list[Problem]:
    """Return what keeps two limits, which may be infinite, from leaving room to move."""
    if not (isinstance(lower, Real) and isinstance(upper, Real)):
        return [Problem(key, "two numbers", f"{lower!r} and {upper!r}")]
    return [] if lower < upper else [Problem(key, "lower < upper", f"{lower:.9g} and {upper:.9g}")]
