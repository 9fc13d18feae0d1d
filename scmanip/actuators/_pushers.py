"""Which thrusters push, and how hard, for a wrench on the base: non-negative, within their forces, for the least propellant."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, reduce
from typing import Any, NamedTuple

import numpy as np

from ..compiled import CompiledProgram, compile_program
from ..errors import NumericalFailure, checked
from ..spatial import Array, present, sqrt
from ..symbolic import less, maximum, minimum, record, select
from ._active_set import ActiveSet
from ._pusher import Pusher
from ._set_search import active_set, next_set

_SURE = 1e5  # how much more the wrench weighs than the propellant where both are squared; the rest is removed afterwards
_FULL = 1e4  # how much more a wrench undiminished is worth than all propellant that the cluster can use
_FAR = 100.0  # times its largest forces and couples: a wrench beyond it is brought back to it first
_ROUNDING = 1e-9  # of the wrench: a remainder below it is none
_SATURATED = 1 - 1e-12  # of its largest force: a thruster beyond it is saturated


class Thrust(NamedTuple):
    """What a cluster does about a wanted wrench.

    force_N : (n_t,) of each thruster, from 0 to its largest
    wrench : (6,) [f; n] that they give at the base CoM, in base axes [N, N m]
    error : (6,) wanted minus given, in the same axes [N, N m]; 0 up to rounding where the cluster can
    propellant_kg_s : mass flow
    scale : 1, or the part of the wanted wrench for which the thrusters are strong enough

    >>> each = (Thruster("aft", [-0.5, 0, 0], [1, 0, 0], force_N=10.0, isp_s=220.0),)
    >>> thrust = Pushers(each, com_m=np.zeros(3)).allocate(np.array([20.0, 0, 0, 0, 0, 0]))
    >>> thrust.force_N.round(6).tolist(), round(float(thrust.scale), 6), thrust.error.round(6)[:3].tolist()
    ([10.0], 0.5, [10.0, 0.0, 0.0])
    """

    force_N: Array
    wrench: Array
    error: Array
    propellant_kg_s: Any
    scale: Any


@checked
@dataclass(frozen=True, eq=False)
class Pushers:
    """What pushes a base, together.

    each : all of it
    com_m : (3,) centre of mass of the base in its frame

    >>> places = {"aft": ([-0.5, 0, 0], [1, 0, 0]), "bow": ([0.5, 0, 0], [-1, 0, 0])}
    >>> each = tuple(Thruster(name, *line, force_N=10.0, isp_s=220.0) for name, line in places.items())
    >>> pair = Pushers(each, com_m=np.zeros(3))
    >>> pair.wrench_map[0].tolist(), pair.allocate(np.array([4.0, 0, 0, 0, 0, 0])).force_N.round(9).tolist()
    ([1.0, -1.0], [4.0, 0.0])
    """

    each: tuple[Pusher, ...]
    com_m: Array

    def __bool__(self) -> bool:
        return bool(self.each)

    @cached_property
    def wrench_map(self) -> Array:
        """(6, n_t) wrench [f; n] at the base CoM of each per newton [1, m], in base axes."""
        lines = [pusher.line() for pusher in self.each]
        along = np.array([direction for _, direction in lines]).reshape(-1, 3)
        arms = np.array([place - self.com_m for place, _ in lines]).reshape(-1, 3)
        return np.vstack([along.T, np.cross(arms, along).T])

    @cached_property
    def largest_N(self) -> Array:
        """(n_t,) largest forces."""
        return np.array([pusher.largest_force for pusher in self.each])

    @cached_property
    def exhaust_m_s(self) -> Array:
        """(n_t,) effective speeds of the exhaust."""
        return np.array([pusher.exhaust_m_s for pusher in self.each])

    def allocate(self, wrench: Array) -> Thrust:
        """Return the forces for a wrench (6,) [f; n] at the base CoM, in base axes.

        Of all exact answers it is that of least propellant, and of several that burn the same the one that the order of the
        thrusters decides (`active_set`). A wrench that no forces >= 0 give is replaced by the nearest that
        some give, lengths measured in arms of the cluster; one that is too large is scaled down, its direction kept.
        """
        goal, beyond = self._near(wrench)
        nearest = self._unlimited(goal)
        found = active_set(self._map, self._cost, goal, nearest)
        holds = found is not None and found.beyond(goal) <= _ROUNDING
        share, scale = found.shares(goal) if found is not None and holds else self._near_set(nearest)
        return self._thrust(np.clip(share, 0.0, 1.0) * self.largest_N, wrench, scale / beyond)

    def active_set(self, wrench: Array, last: Array | None = None) -> ActiveSet | None:
        """Return the set by which `allocate` answers a wrench (6,) [f; n] [N, N m]; None far beyond what is looked at.

        wrench : at the base CoM, in base axes [N, N m]
        last : packed numbers (size,) of a set to start from, bare numbers
        """
        goal, beyond = self._near(wrench)
        near = None
        if last is not None and self._gives_all:
            near = next_set(self._map, self._cost, goal, ActiveSet.of(last, len(self.largest_N)))
        found = near or active_set(self._map, self._cost, goal, self._unlimited(goal))
        return None if found is None or (beyond > 1 and found.slope.any() and not found.ray.any()) else found

    def by_set(self, numbers: Array, wrench: Array) -> tuple[Thrust, Any]:
        """Return the forces of a packed active set for a wrench (6,), and by how much that is beyond the set; any scalar.

        The wrench is [f; n] [N, N m] at the base CoM in base axes; the set and what is beyond it are bare numbers, shares of
        largest forces. What is beyond goes on smoothly; forces alone are told as they can be, from 0 to the largest.
        """
        found, goal = ActiveSet.of(numbers, len(self.largest_N)), wrench / self._scale
        share, scale = found.shares(goal)
        force = share * self.largest_N
        given = self._thrust(force, wrench, scale)
        within = np.array([minimum(maximum(one, 0.0), 1.0) for one in share]) * self.largest_N
        return given._replace(force_N=within, error=self._remainder(given)), found.beyond(goal)

    def beyond(self, sets: Array, wrenches: Array) -> Array:
        """Return by how much wrenches (n, 6) are beyond active sets, packed, one for all or (n, size): (n,) as `by_set`.

        Wrenches are [f; n] [N, N m] at the base CoM in base axes.
        """
        beyond = np.empty(len(wrenches))
        self._beyond.batch(np.ascontiguousarray(sets), np.ascontiguousarray(wrenches), beyond)
        return beyond

    def spare(self, sets: Array, wrenches: Array) -> Array:
        """Return how far shares of thrusters that move with wrenches (n, 6) are from their bounds (n,); arguments as `beyond`.

        Wrenches are in base axes. Where that is more than rounding no other set answers the wrench.
        """
        spare = np.empty(len(wrenches))
        self._spare.batch(np.ascontiguousarray(sets), np.ascontiguousarray(wrenches), spare)
        return spare

    @cached_property
    def _spare(self) -> CompiledProgram:
        def spare(numbers: Array, wrench: Array) -> dict[str, Any]:
            found, goal = ActiveSet.of(numbers, len(self.largest_N)), wrench / self._scale
            share, scale = found.shares(goal)
            rows = [(found.slope, [minimum(one, 1.0 - one) for one in share]), (found.inside, list(found.inside @ goal))]
            rows += [(np.array([found.ray]), [minimum(scale, 1.0 - scale)])]
            pairs = ((row, room) for table, rooms in rows for row, room in zip(table, rooms, strict=True))
            return {"spare": reduce(minimum, [select(less(0.0, sum(map(abs, row))), room, 1.0) for row, room in pairs])}

        return compile_program(record({"numbers": (self.set_size,), "wrench": (6,)}, spare))

    @cached_property
    def _beyond(self) -> CompiledProgram:
        def beyond(numbers: Array, wrench: Array) -> dict[str, Any]:
            return {"beyond": self.by_set(numbers, wrench)[1]}

        return compile_program(record({"numbers": (self.set_size,), "wrench": (6,)}, beyond))

    @property
    def set_size(self) -> int:
        """How many numbers an active set is."""
        return ActiveSet.size(len(self.each))

    def unmet(self, force_N: Array) -> Any:
        """Return a number > 0 where one of the forces (n_t,) of thrusters is its largest, otherwise 0; any scalar."""
        return np.sum([maximum(force - _SATURATED * most, 0.0) for force, most in zip(force_N, self.largest_N, strict=True)])

    def gives(self, wrench: Array) -> bool:
        """Whether some forces >= 0, however large, give the direction of a wrench (6,) [f; n] at the base CoM in base axes."""
        goal = wrench / self._scale
        goal = goal / np.linalg.norm(goal)
        return bool(np.linalg.norm(self._map @ self._unlimited(goal) - goal) < _ROUNDING)

    def exact(self, thrust: Thrust) -> bool:
        """Whether a thrust is what was wanted, up to rounding."""
        error, wanted = thrust.error / self._scale, (thrust.wrench + thrust.error) / self._scale
        size = max(np.abs(wanted).max(), np.finfo(float).tiny)  # squares of large numbers would be infinite
        return bool(np.linalg.norm(error / size) <= _ROUNDING * np.linalg.norm(wanted / size))

    def limits(self, thrust: Thrust) -> tuple[str, ...]:
        """Return which limits act in a thrust, each in a phrase."""
        full = zip(self.each, thrust.force_N >= _SATURATED * self.largest_N, strict=True)
        said = [f"{p.kind} '{p.called}' gives its largest force, {p.largest_force:g} N," for p, is_full in full if is_full]
        kinds = " and ".join(dict.fromkeys(f"{pusher.kind}s" for pusher in self.each))
        return (*said, *([] if self.exact(thrust) else [f"the {kinds} do not give the commanded wrench"]))

    def _near(self, wrench: Array) -> tuple[Array, float]:
        """Return a wrench scaled and brought back to where it is looked at, and how many times that it was."""
        goal = wrench / self._scale
        beyond = max(np.abs(goal).max() / _FAR, 1.0)
        return goal / beyond, beyond

    def _remainder(self, thrust: Thrust) -> Array:
        """The error (6,) of a thrust, 0 up to rounding; any scalar."""
        error, wanted = thrust.error / self._scale, (thrust.wrench + thrust.error) / self._scale
        rounding = less(error @ error, _ROUNDING**2 * (wanted @ wanted))
        return np.array([select(rounding, 0.0, part) for part in thrust.error])

    @cached_property
    def _gives_all(self) -> bool:
        """Whether forces >= 0, however large, give every wrench."""
        return all(self.gives(sign * row * self._scale) for row in np.eye(6) for sign in (1.0, -1.0))

    @cached_property
    def _scale(self) -> Array:
        """(6,) by which wrenches are divided: the largest force, and it times the longest arm."""
        force = reduce(maximum, self.largest_N)
        arm = reduce(maximum, sqrt((self.wrench_map[3:] ** 2).sum(axis=0)))
        return np.repeat([force, force * (arm if present(arm) else 1.0)], 3)

    @cached_property
    def _map(self) -> Array:
        """(6, n_t) the map from shares of the largest forces to scaled wrenches."""
        return self.wrench_map * self.largest_N / self._scale[:, None]

    @cached_property
    def _cost(self) -> Array:
        """(n_t,) propellant of the shares; that of all together is 1."""
        flow = self.largest_N / self.exhaust_m_s
        return flow / (flow.sum() or 1.0)

    def _unlimited(self, goal: Array) -> Array:
        """Shares (n_t,) >= 0 of least propellant that come nearest to a scaled wrench (6,), without upper limits.

        As propellant is >= 0, its square may be minimised beside that of the error; the passive set of that is the answer's.
        """
        from scipy.optimize import nnls

        size = np.linalg.norm(goal)
        if size == 0:
            return np.zeros(len(self.largest_N))
        share, _ = nnls(
            np.vstack([_SURE * self._map, self._cost]), np.append(_SURE * goal / size, 0.0), maxiter=100 * len(goal)
        )
        share, used = share * size, share > 0
        share[used] += np.linalg.lstsq(self._map[:, used], goal - self._map @ share, rcond=None)[0]
        while (share < 0).any():  # by what propellant weighed
            share, used = np.zeros(len(share)), share > 0
            share[used] = np.linalg.lstsq(self._map[:, used], goal, rcond=None)[0]
        return share

    def _near_set(self, share: Array) -> tuple[Array, float]:
        """Shares (n_t,) from 0 to 1 for the largest part of what unlimited ones give, and that part; where pivots fail."""
        from scipy.optimize import linprog

        if share.max() <= 1:
            return share, 1.0
        columns, worth = np.column_stack([self._map, -self._map @ share]), np.append(self._cost, -_FULL)
        found = linprog(worth, A_eq=columns, b_eq=np.zeros(6), bounds=[(0.0, 1.0)] * len(worth))
        if found.x is None:
            raise NumericalFailure(f"no forces of the thrusters were found for the shares {share.tolist()}: {found.message}")
        return found.x[:-1], float(found.x[-1])

    def _thrust(self, force_N: Array, wanted: Array, scale: Any) -> Thrust:
        wrench = self.wrench_map @ force_N
        return Thrust(force_N, wrench, wanted - wrench, (force_N / self.exhaust_m_s).sum(), scale)
