"""A system as its constraints see it, over any scalar."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property

import numpy as np

from ...constraints import GROUND, Hinge, RelativeMotion
from ...errors import UnknownName
from ...spatial import Array, cross, skew
from ...system import Joint, System
from ..programs._derivation import Derivation
from ..sums._equations import Equations
from ..sums._points import frame_point
from ..sums._results import Point
from ._frame_motions import FrameMotion, FrameMotions
from ._hinge import hinge

NOTHING_KNOWN: Mapping[tuple[str, str], RelativeMotion] = {}


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

    def efforts(self, speeds: Iterable[str]) -> tuple[str, ...]:
        """Return the units of forces along speeds of u, "N" or "N m"."""
        base = self.speeds[: self.system.layout.n_base]
        turns = {**{name: k > 2 for k, name in enumerate(base)}, **{f.name: f.turns for f in self.system.freedoms}}
        return tuple("N m" if turns[name] else "N" for name in speeds)

    def units(self, joint: str) -> tuple[str, ...]:
        """Return "rad" or "m" of each freedom of a joint."""
        return tuple(freedom.unit for freedom in self._joints[joint][0].freedoms)

    def hinge(self, a: str, b: str) -> Hinge | None:
        """Return the direction about which frame b turns relative to frame a; None where there are several, or none."""
        return hinge(self.system, a, b)

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
    """A system at the state of some equations, in N: what `constraints.SeenSystem` asks for.

    known : motions of frames relative to others that need not be derived

    >>> seen = Sight(system, model.equations(state))
    >>> seen.coordinates("joint2").tolist(), seen.rates("joint2").shape, seen.relative("base", "tip").d_N.shape
    ([0.3], (1, 10), (3,))
    """

    def __init__(
        self, system: System, equations: Equations, known: Mapping[tuple[str, str], RelativeMotion] = NOTHING_KNOWN
    ) -> None:
        super().__init__(system)
        self._equations, self._motions = equations, FrameMotions(equations)
        self._frames = {GROUND: FrameMotion.at_rest(system.layout.n_u)}
        self._relative: dict[tuple[str, str], RelativeMotion] = {**known}

    @property
    def u(self) -> Array:
        """(n_u,) the speeds [m/s, rad/s]."""
        return self._equations.u

    @property
    def asked(self) -> tuple[tuple[str, str], ...]:
        """Of which frames it was asked how the second one moves relative to the first."""
        return (*self._relative,)

    def relative(self, a: str, b: str) -> RelativeMotion:
        """Return how frame b moves relative to frame a."""
        if (a, b) not in self._relative:
            self._relative[a, b] = _relative(self._frame(a), self._frame(b), self._apart(a, b))
        return self._relative[a, b]

    def coordinates(self, joint: str) -> Array:
        """Return the coordinates (n_q,) [rad or m] of a joint, or the one that is called so."""
        at, _ = self._places(joint)
        return self._equations.q[at]

    def rates(self, joint: str) -> Array:
        """Return rows (dof, n_u), bare numbers, that take the rates of a joint, or of one of its freedoms, from u."""
        _, its = self._places(joint)
        return np.eye(self.system.layout.n_u)[its]

    def difference(self, joint: str, q_from: Array) -> Array:
        """Return what must be turned and moved (dof,) [rad or m] to come to the coordinates of a joint from others (n_q,)."""
        return self._joints[joint][0].difference(self.coordinates(joint), q_from)

    def _frame(self, name: str) -> FrameMotion:
        if name not in self._frames:
            self._frames[name] = self._motions.of(self._point(name))
        return self._frames[name]

    def _apart(self, a: str, b: str) -> bool:
        if GROUND in (a, b):
            return False
        one, other = (self.system.tree_of(self.system.frame(name).body) for name in (a, b))
        return one != other

    def _point(self, name: str) -> Point:
        """Return the point of a frame; a centre of mass may be an input of the program."""
        point, p = frame_point(self.system, name), self._equations.parameters
        if name != f"{self.system.frame(name).body}.com":
            return point
        return Point(point.body, p.com[p.link_of[point.body]], point.dcm)


def sight(derivation: Derivation, x: Array, numbers: Mapping[str, Array]) -> Sight:
    """Return what constraints see of a system at a packed state (n_x,); numbers : those of the system that are inputs; in SI.

    >>> seen = sight(derive(system).derivation, state.hardware, {})
    >>> np.round(seen.relative("base", "tip").d_N, 3).tolist()
    [4.18, 0.594, 0.0]
    """
    given = derivation.given_numbers(numbers)
    return Sight(derivation.opened(given).system, derivation.at(x, given))


def _relative(a: FrameMotion, b: FrameMotion, apart: bool) -> RelativeMotion:
    """Return the motion of b relative to a."""
    way, part = b.p - a.p, b.v - a.v
    return RelativeMotion(
        axes=a.R,
        axes_b=b.R,
        d_N=way,
        J_N=np.concatenate([b.J[:3] - a.J[:3] + skew(way) @ a.J[3:], b.J[3:] - a.J[3:]]),
        twist_N=np.concatenate([part - cross(a.omega, way), b.omega - a.omega]),
        bias_N=np.concatenate([b.a - a.a - cross(a.alpha, way) - cross(a.omega, part), b.alpha - a.alpha]),
        omega=a.omega,
        apart=apart,
    )
