"""A system as its constraints see it, over any scalar."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from ...constraints import GROUND, RelativeMotion
from ...errors import UnknownName
from ...spatial import Array, cross, skew, transpose
from ...system import Joint, System
from ..sums._equations import Equations
from ..sums._points import frame_point
from ..sums._results import Point
from ._frame_motions import FrameMotion, FrameMotions


class Skeleton:
    """Names and counts of a system, whatever its state."""

    def __init__(self, system: System) -> None:
        self.system = system
        q, u = 0, system.layout.n_base
        self._joints: dict[str, tuple[Joint, slice, slice]] = {}
        self._parts: dict[str, tuple[slice, slice]] = {}
        for joint in system.joints:
            at, its = slice(q, q + joint.n_q), slice(u, u + joint.dof)
            self._joints[joint.name] = joint, at, its
            if joint.n_q == joint.dof:
                parts = [(f.name, (slice(q + k, q + k + 1), slice(u + k, u + k + 1))) for k, f in enumerate(joint.freedoms)]
                self._parts.update(parts)
            q, u = at.stop, its.stop

    @cached_property
    def speeds(self) -> tuple[str, ...]:
        """Names (n_u) of the speeds u."""
        return self.system.layout.u_names

    def freedoms(self, joint: str) -> tuple[str, ...]:
        """Return the names of the freedoms of a joint, or the one that is called so."""
        _, its = self._places(joint)
        return self.speeds[its]

    def coordinate_count(self, joint: str) -> int:
        """Return how many entries of q a joint has."""
        at, _ = self._places(joint)
        return at.stop - at.start

    def _places(self, name: str) -> tuple[slice, slice]:
        """Return places in q and u; raises `UnknownName`."""
        if name in self._joints:
            return self._joints[name][1:]
        if name not in self._parts:
            raise UnknownName("joint", name, f"system {self.system.name!r}", [*self._joints, *self._parts])
        return self._parts[name]


class Sight(Skeleton):
    """A system at the state of some equations: what `constraints.Seen` asks for.

    origin, axes : (3,), (3, 3) of the inertial frame in the axes of the equations, whose columns of J for the base are in
        these axes too; zero and identity if not given
    """

    def __init__(self, system: System, equations: Equations, *, origin: Array | None = None, axes: Array | None = None) -> None:
        super().__init__(system)
        self._equations, self._motions = equations, FrameMotions(equations)
        p, R = np.zeros(3) if origin is None else origin, np.eye(3) if axes is None else axes
        self._frames = {GROUND: FrameMotion.at_rest(p, R, system.layout.n_u)}
        self._relative: dict[tuple[str, str], RelativeMotion] = {}

    @property
    def u(self) -> Array:
        """(n_u,) the speeds."""
        return self._equations.u

    def relative(self, a: str, b: str) -> RelativeMotion:
        """Return how frame b moves relative to frame a."""
        if (a, b) not in self._relative:
            self._relative[a, b] = _relative(self._frame(a), self._frame(b), self._frames[GROUND].R)
        return self._relative[a, b]

    def coordinates(self, joint: str) -> Array:
        """Return the coordinates (n_q,) of a joint, or the one that is called so."""
        at, _ = self._places(joint)
        return self._equations.q[at]

    def rates(self, joint: str) -> Array:
        """Return rows (dof, n_u) that take the rates of a joint, or of one of its freedoms, from u."""
        _, its = self._places(joint)
        return np.eye(self.system.layout.n_u)[its]

    def difference(self, joint: str, q_from: Array) -> Array:
        """Return what must be turned and moved (dof,) to come to the coordinates of a joint from others (n_q,)."""
        return self._joints[joint][0].difference(self.coordinates(joint), q_from)

    def _frame(self, name: str) -> FrameMotion:
        if name not in self._frames:
            self._frames[name] = self._motions.of(self._point(name))
        return self._frames[name]

    def _point(self, name: str) -> Point:
        """Return the point of a frame; a centre of mass may be an input of the program."""
        point, p = frame_point(self.system, name), self._equations.parameters
        if name != f"{self.system.frame(name).body}.com":
            return point
        return Point(point.body, p.com[p.link_of[point.body]], point.dcm)


def _relative(a: FrameMotion, b: FrameMotion, inertial: Array) -> RelativeMotion:
    """Return the motion of b relative to a, in axes of a; inertial : (3, 3) those of N."""
    to_a, way = transpose(a.R), b.p - a.p
    linear = b.J[:3] - a.J[:3] + skew(way) @ a.J[3:]
    turning, v = b.omega - a.omega, b.v - a.v - cross(a.omega, way)
    towed = cross(a.alpha, way) + cross(a.omega, cross(a.omega, way)) + 2 * cross(a.omega, v)
    rate, spin = b.a - a.a - towed, b.alpha - a.alpha - cross(a.omega, b.omega)
    return RelativeMotion(
        d=to_a @ way,
        C=to_a @ b.R,
        J=np.concatenate([to_a @ linear, to_a @ (b.J[3:] - a.J[3:])]),
        twist=np.concatenate([to_a @ v, to_a @ turning]),
        bias=np.concatenate([to_a @ rate, to_a @ spin]),
        axes=transpose(inertial) @ a.R,
    )
