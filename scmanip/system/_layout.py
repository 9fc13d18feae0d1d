"""The only place that knows the order of coordinates, speeds and packed states."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import accumulate
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..spatial import Array, FloatArray
from .joints import Motion
from .parts._freedom import BASE_SPEEDS
from .parts._joint import Joint

States: TypeAlias = tuple[tuple[str, int], ...]


class Parts:
    """Places of the parts of x in packed states (n_x,) or batches of them (..., n_x), whatever N is.

    There is one object for all layouts of equal n_q, kind of base, n_w and actuators, which states remember.

    n_w : wheels, whose speeds are the first of what actuators have; actuators : names, and how many numbers each has; "" is
        the name of a wheel of which only the speed is known
    n_l : how many of these, the last, are no actuators but loads
    """

    def __init__(self, n_q: int, fixed: bool, n_w: int, actuators: States, n_l: int) -> None:
        self.sizes = n_q, fixed, n_w, actuators, n_l
        n_a = sum(count for _, count in actuators)
        place, speed = (0, 0) if fixed else (3, 3)
        q = 0 if fixed else 7
        u, end = q + n_q, -n_a or None
        self.r_0, self.attitude_xyzw, self.q = (..., slice(0, place)), (..., slice(place, q)), (..., slice(q, u))
        self.u, self.qdot = (..., slice(u, end)), (..., slice(u + 2 * speed, end))
        self.v_0, self.omega_0 = (..., slice(u, u + speed)), (..., slice(u + speed, u + 2 * speed))
        self.wheel_rad_s = (..., slice(end, (n_w - n_a) or None) if n_w else slice(0))
        ends = accumulate(count for _, count in actuators)
        self.actuators = {
            name: (..., slice(end - count - n_a, end - n_a or None)) for (name, count), end in zip(actuators, ends, strict=True)
        }
        self.hardware = (..., slice(-sum(count for _, count in actuators[len(actuators) - n_l :]) or None))

    @classmethod
    @cache
    def of(cls, n_q: int, fixed: bool, n_w: int, actuators: States, n_l: int) -> Parts:
        """Return that object."""
        return cls(n_q, fixed, n_w, actuators, n_l)

    def admits(self, parts: Parts) -> bool:
        """Whether states of those parts are also states of these; wheels may be without names there."""
        (*others, _, given, _), (*own, _, states, _) = parts.sizes, self.sizes
        if others != own or len(given) != len(states):
            return False
        return all(name in ("", its) and count == size for (name, count), (its, size) in zip(given, states, strict=True))


def _place(part: str) -> cached_property[slice]:
    """Return the property of a layout that says where a part is in x."""
    return cached_property(lambda layout: slice(*getattr(layout.parts, part)[1].indices(layout.n_x)[:2]))


@dataclass(frozen=True)
class Layout:
    """Names and places of the entries of q, qdot, u and of the packed state x.

    u = [v_0; omega_0; qdot], x = [r_0; attitude_xyzw; q; u; actuators; loads]; with a fixed base u = qdot and x begins with q.

    q and qdot have as many entries, except that what turns any way has four of q, a unit quaternion x, y, z, w,
    and three of qdot.

    joint_names : one per moving joint, in depth-first order
    q_names, qdot_names : one per entry of q and of qdot
    fixed : whether the base is held
    n_b : number of bodies, the base included
    quasi : the motions whose speeds are no rates of coordinates, each with where it begins in q and in qdot
    n_w : number of reaction wheels
    states : names of the actuators that have states of their own, and how many numbers each; wheels first
    loads : the same of the loads of a plant, of which a system knows nothing
    n_tree : (coordinates, speeds) of the joints of the base's tree, which are the first of q and qdot; None without free bodies
    x_r_0, x_attitude, x_q, x_u : places of r_0, attitude_xyzw, q and u in x

    >>> layout = system.layout
    >>> layout.n_q, layout.N, layout.n_u, layout.x_q
    (4, 4, 10, slice(7, 11, None))
    >>> layout.u_names[5:8]
    ('omega_0.z', 'joint1', 'joint2')
    """

    joint_names: tuple[str, ...]
    q_names: tuple[str, ...]
    qdot_names: tuple[str, ...]
    fixed: bool
    n_b: int
    quasi: tuple[tuple[Motion, int, int], ...] = ()
    n_w: int = 0
    states: States = ()
    loads: States = ()
    n_tree: tuple[int, int] | None = None

    x_r_0, x_attitude, x_q, x_u = _place("r_0"), _place("attitude_xyzw"), _place("q"), _place("u")

    @classmethod
    def of(
        cls,
        joints: Sequence[Joint],
        *,
        fixed: bool,
        n_b: int,
        actuators: Sequence[tuple[str, int]] = (),
        n_w: int = 0,
    ) -> Layout:
        """Return the layout of the moving joints in order, and of actuators with states, among them wheels."""
        quasi, n_q, N, n_tree = [], 0, 0, None
        for joint in joints:
            n_tree = (n_q, N) if n_tree is None and joint.kind.grounded else n_tree
            for motion in joint.motions:
                quasi += [(motion, n_q, N)] if motion.n_q != motion.dof else []
                n_q, N = n_q + motion.n_q, N + motion.dof
        q = [coordinate.name for joint in joints for coordinate in joint.coordinates]
        qdot = [freedom.name for joint in joints for freedom in joint.freedoms]
        names = tuple(joint.name for joint in joints)
        return cls(names, tuple(q), tuple(qdot), fixed, n_b, tuple(quasi), n_w, tuple(actuators), n_tree=n_tree)

    @cached_property
    def x_quaternions(self) -> tuple[int, ...]:
        """Where all quaternions begin in x."""
        joints = tuple(self.x_q.start + i for i, _ in self.quaternions)
        return joints if self.fixed else (self.x_attitude.start, *joints)

    def normalise(self, x: FloatArray) -> None:
        """Change a packed state (n_x,), or many (n, n_x), so that its quaternions have norm 1; none of them may be zero."""
        for i in self.x_quaternions:
            part = x[..., i : i + 4]
            part /= math.hypot(*part.tolist()) if part.ndim == 1 else np.sqrt(np.vecdot(part, part))[..., np.newaxis]

    @cached_property
    def quaternions(self) -> tuple[tuple[int, int], ...]:
        """Where every joint quaternion begins in q, and its angular velocity in qdot."""
        return tuple((i, j) for _, i, j in self.quasi)

    @cached_property
    def quasi_places(self) -> tuple[tuple[Motion, slice, slice], ...]:
        """The motions whose speeds are no rates of coordinates, each with its places in q and in qdot."""
        return tuple((motion, slice(i, i + motion.n_q), slice(j, j + motion.dof)) for motion, i, j in self.quasi)

    @cached_property
    def parts(self) -> Parts:
        """Places of the parts of packed states."""
        return Parts.of(self.n_q, self.fixed, self.n_w, self.states + self.loads, len(self.loads))

    @cached_property
    def unnamed(self) -> Parts:
        """The same of states whose wheels have no names."""
        named = self.states[self.n_w :] + self.loads
        return Parts.of(self.n_q, self.fixed, self.n_w, (("", 1),) * self.n_w + named, len(self.loads))

    @cached_property
    def n_q(self) -> int:
        """Length of q."""
        return len(self.q_names)

    @cached_property
    def N(self) -> int:
        """Length of qdot and tau."""
        return len(self.qdot_names)

    @cached_property
    def N_tree(self) -> int:
        """How many of qdot, the first, are speeds of joints that the base carries."""
        return self.N if self.n_tree is None else self.n_tree[1]

    @cached_property
    def actuated(self) -> NDArray[np.bool_]:
        """(N,) which joint speeds are commanded: those of the base's tree. The others are moved by wrenches alone."""
        commanded = np.arange(self.N) < self.N_tree
        commanded.flags.writeable = False
        return commanded

    def among_all(self, of_tree: Array) -> Array:
        """Return an array (..., N), in any unit, of one (..., N_tree) of commanded speeds, zero for the others; any scalar."""
        if self.n_tree is None:
            return of_tree
        others = np.zeros((*of_tree.shape[:-1], self.N - self.N_tree), dtype=int)
        return np.concatenate([of_tree, others], axis=-1)

    def single(self) -> list[tuple[int, int]]:
        """Return, for every coordinate that is no part of a quaternion, its place in q and that of its rate in qdot."""
        inside = {i for _, at, _ in self.quasi_places for i in range(at.start, at.stop)}
        speeds = {j for _, _, u in self.quasi_places for j in range(u.start, u.stop)}
        return list(zip(sorted({*range(self.n_q)} - inside), sorted({*range(self.N)} - speeds), strict=True))

    def neutral(self) -> FloatArray:
        """Return the q (n_q,) at which every moved joint frame coincides with its joint frame: zeros and unit quaternions."""
        q = np.zeros(self.n_q)
        for motion, at, _ in self.quasi_places:
            q[at] = motion.neutral()
        return q

    @cached_property
    def n_base(self) -> int:
        """Freedoms of the base: 6, or 0 when it is fixed."""
        return 0 if self.fixed else 6

    @cached_property
    def n_u(self) -> int:
        """Length of u."""
        return self.n_base + self.N

    @property
    def u_names(self) -> tuple[str, ...]:
        """Names of the entries of u: components of v_0 and omega_0, then those of qdot."""
        return (() if self.fixed else BASE_SPEEDS) + self.qdot_names

    @cached_property
    def n_x(self) -> int:
        """Length of the packed state."""
        return (0 if self.fixed else 7) + self.n_q + self.n_u + sum(count for _, count in self.states + self.loads)

    @cached_property
    def n_a(self) -> int:
        """Number of states that actuators have."""
        return sum(count for _, count in self.states)

    @cached_property
    def base(self) -> slice:
        """Place of [v_0; omega_0] in u."""
        return slice(0, self.n_base)

    @cached_property
    def base_linear(self) -> slice:
        """Place of v_0 in u."""
        return slice(0, self.n_base // 2)

    @cached_property
    def base_angular(self) -> slice:
        """Place of omega_0 in u."""
        return slice(self.n_base // 2, self.n_base)

    @cached_property
    def joints(self) -> slice:
        """Place of qdot in u."""
        return slice(self.n_base, self.n_u)

    @cached_property
    def x_actuators(self) -> slice:
        """Place of what actuators have for states in x; the wheel speeds are the first of it."""
        return slice(self.x_u.stop, self.x_u.stop + self.n_a)

    @property
    def x_wheels(self) -> slice:
        """Place of the wheel speeds in x."""
        return slice(self.x_u.stop, self.x_u.stop + self.n_w)

    @property
    def wheel_names(self) -> tuple[str, ...]:
        """One per reaction wheel."""
        return tuple(name for name, _ in self.states[: self.n_w])

    @cached_property
    def x_loads(self) -> slice:
        """Place of what loads have for states in x."""
        return slice(self.x_actuators.stop, self.n_x)

    @cached_property
    def actuators(self) -> dict[str, slice]:
        """Places in x of the states of actuators and loads, by name."""
        return {name: slice(*place.indices(self.n_x)[:2]) for name, (_, place) in self.parts.actuators.items()}
