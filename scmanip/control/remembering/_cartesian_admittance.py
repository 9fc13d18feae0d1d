"""A frame that gives way to what is observed to push it, by masses, dampers and springs of one's choice [Hogan1985]."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ...errors import InvalidInput, ModeMismatch, Problem, refuse
from ...guidance import PoseReference, Sample
from ...modes import Situation
from ...spatial import Array, cross, scalar_type, solve, sqrt
from ...system import State
from .._controller import Controller, Wrapper
from .._estimate import pose_sample
from .._gains import row, row_problems
from .._moving_frame import in_space
from .._recorded_law import RecordedLaw, RecordedWrapper, believed_of, outer_name, recorded_law
from ..base._direct import undriven
from ..tasks._axes import AXES, axes_problems, counted, places_of
from ._disturbance_observer import DisturbanceObserver, RecordedObserver, led

NAMES = "mass", "D", "K"
UNITS = ["m", "rad"], ["m/s", "rad/s"]


class CartesianAdmittance(Wrapper):
    """`law` leads a frame along its reference and beside it by x, by which the frame gives way to the wrench F seen on it.

        mass x'' + D x' + K x = E' F,   F = (J M^-1 J')^-1 J M^-1 r,   J = [J0 Jm],   omega_x = E phi'          [Hogan1985]

    r is what the observer inside sees of what pushes, a low pass of it, and F the wrench on the frame that moves it as r does
    while the base gives way: the dynamically consistent inverse, by the frame's floating inertia [Khatib1987]. So x answers a
    wrench on the frame by 1 / (mass s^2 + D s + K) behind the observer's bandwidth / (s + bandwidth); a push elsewhere, and
    masses that are wrong, count by how they move the frame. x = [d; phi] in N, phi = 2 tan(angle / 2) about the axis, so that
    every x is less than half a turn; omega_x is what it adds to the angular velocity, and by E' F does the same work on x.

    The law inside follows the reference with x, x' and x'', less the acceleration that r gives the frame by speeds that nothing
    drives, while the observer takes r out of its command: what r does not yet know pushes the frame off, and nothing else does.
    As r is late, it needs the more D the stiffer the thing it touches. On a base that gives way J has full rank: F has no
    singularities, those of the law inside are its own. What is cut of the command (`Saturated`) the observer is told, so it
    counts as no push, and x does not wind up; the frame is then not where x says.

    law : a `DisturbanceObserver` around a law that leads the frame of its reference, such as `TaskComputedTorque`, in a mode
        with a free base: `Floating`, `RotationFlying` or `Flying`
    mass, D, K : [kg, kg m^2], [N s/m, N m s/rad], [N/m, N m/rad], one number or (6,), first those of the
        place; mass > 0, others >= 0
    axes : along which of x, y, z, rx, ry, rz it gives way, in N; all if None

    Raises `InvalidInput` for another law, numbers out of range and axes that are none, `ModeMismatch` where the base is held.

    >>> leads = TaskComputedTorque(model, scmanip.Floating(), axes=("x", "y"))
    >>> observed = DisturbanceObserver(leads, scmanip.Floating(), bandwidth_rad_s=5.0)
    >>> gives_way = CartesianAdmittance(observed, mass=10.0, D=40.0, K=20.0, axes=("x", "y"))
    >>> len(gives_way.states), gives_way.kind
    (14, 'CartesianAdmittance(DisturbanceObserver(TaskComputedTorque))')
    """

    law: DisturbanceObserver
    mass: Array
    D: Array
    K: Array
    axes: tuple[str, ...]

    def __init__(
        self, law: Controller, *, mass: ArrayLike, D: ArrayLike, K: ArrayLike, axes: Sequence[str] | None = None
    ) -> None:
        if not isinstance(law, DisturbanceObserver) or law.follows != (PoseReference,):
            expected = "a DisturbanceObserver around a law that leads the frame of its reference, such as TaskComputedTorque"
            found = repr(law) if isinstance(law, Controller) else f"a {type(law).__name__}"
            raise InvalidInput(Problem("law", expected, found))
        if law.estimate.layout.fixed:
            raise ModeMismatch(
                f"CartesianAdmittance tells wrenches on a frame by a base that gives way; {law.mode!r} holds the base, where "
                "a singular arm tells none; CartesianImpedance needs no wrench"
            )
        refuse(
            row_problems("mass", mass, 6, positive=True)
            + row_problems("D", D, 6)
            + row_problems("K", K, 6)
            + axes_problems("axes", axes, AXES)
        )
        self.law, self.axes = law, tuple(AXES[k] for k in places_of(axes, AXES))
        self.mass, self.D, self.K = row(mass, 6), row(D, 6), row(K, 6)

    @property
    def own_numbers(self) -> dict[str, Array]:
        """Mass, damping and stiffness in SI, (6,) each along axes of N."""
        return {name: getattr(self, name) for name in NAMES}

    @property
    def settings(self) -> Mapping[str, Any]:
        """Those of the law inside, its own numbers, and the axes."""
        return {**self.law.settings, **self.own_numbers, "axes": self.axes}

    @property
    def equations(self) -> tuple[str, ...]:
        """Those of the law inside, and its own."""
        return *self.law.equations, "admittance"

    @property
    def own_states(self) -> dict[str, str]:
        """x and x', by axis."""
        kinds = zip(("deviation", "deviation_rate"), UNITS, strict=True)
        return {f"{kind}_{axis}": units[axis in AXES[3:]] for kind, units in kinds for axis in self.axes}

    @property
    def states(self) -> Mapping[str, str]:
        """Its own, and those of the law inside."""
        inside = self.law.states
        return {outer_name(name, inside): unit for name, unit in self.own_states.items()} | dict(inside)

    def state_0(self, state: State) -> Array:
        """Return zeros, and those of the law inside."""
        return np.concatenate([np.zeros(2 * len(self.axes)), self.law.state_0(state)])

    def command(self, t: float, state: State, reference: Sample | None, memory: Any) -> tuple[Array, Any]:
        """Return the command of the law inside that leads the frame beside the reference, and the memory unchanged."""
        pose, _ = self._given_way(state, reference, memory)
        return self.law.command(t, state, pose, memory[2 * len(self.axes) :])[0], memory

    def state_rate(self, t: float, state: State, reference: Sample | None, memory: Array) -> Array:
        """Return x' and x'', and the rates of the law inside."""
        pose, rate = self._given_way(state, reference, memory)
        return np.concatenate([rate, self.law.state_rate(t, state, pose, memory[2 * len(self.axes) :])])

    def _given_way(self, state: State, reference: Sample | None, memory: Array) -> tuple[PoseReference, Array]:
        n = 2 * len(self.axes)
        r, now = self.law.observed(state, memory[n:]), Situation.of(self.law.estimate, state)
        return _given_way(self, now, r, reference, memory[:n], self.own_numbers)

    def recorded(self) -> RecordedLaw | None:
        """Return the law as equations, where that inside can be."""
        inner = recorded_law(self.law)
        return _Recorded(self, inner) if isinstance(inner, RecordedObserver) else None

    def __repr__(self) -> str:
        own = ", ".join(f"{name}={value.tolist()}" for name, value in self.own_numbers.items())
        return f"CartesianAdmittance({self.law!r}, {own}, axes={self.axes})"


@dataclass(frozen=True, eq=False)
class _Recorded(RecordedWrapper):
    law: CartesianAdmittance
    inner: RecordedObserver

    @property
    def key(self) -> Hashable:
        return "Cartesian admittance", self.law.axes, self.inner.key

    @property
    def numbers(self) -> Mapping[str, Array]:
        return {**self.inner.numbers, **{self._name(name): value for name, value in self.law.own_numbers.items()}}

    def _name(self, name: str) -> str:
        return outer_name(name, self.inner.numbers)

    @property
    def remembers(self) -> int:
        return 2 * len(self.law.axes) + self.inner.remembers

    def begins(self, x: Array, numbers: Mapping[str, Array]) -> Array:
        return np.concatenate([np.zeros(2 * len(self.law.axes), dtype=int), self.inner.begins(x, numbers)])

    def said(self, x: Array, wanted: Any, numbers: Mapping[str, Array], memory: Array) -> tuple[Array, Array]:
        own, inner = np.split(memory, [2 * len(self.law.axes)])
        now = Situation.recorded(self.law.law.estimate, x, believed_of(numbers))
        r, mine = self.inner.observed(x, numbers, inner), {name: numbers[self._name(name)] for name in NAMES}
        pose, rate = _given_way(self.law, now, r, wanted, own, mine)
        command, rates = self.inner.said(x, pose, numbers, inner)
        return command, np.concatenate([rate, rates])


def _given_way(
    law: CartesianAdmittance, now: Situation, r: Array, wanted: Sample | None, own: Array, numbers: Mapping[str, Array]
) -> tuple[PoseReference, Array]:
    """Return what the law inside is to follow, in N, and the rates of x and x' (2 k,), over any scalar."""
    pose = in_space(now, pose_sample("CartesianAdmittance", wanted))
    count, (F, towed) = counted(law.axes, pose), _wrench(now, pose.frame, r, undriven(law.law.mode))
    x, v = (_spread(part, count) for part in np.split(own, 2))
    a = _spread(((_felt(x[3:], F) - numbers["D"] * v - numbers["K"] * x) / numbers["mass"])[count], count)
    there = _beside(pose, x, v, a)
    return replace(there, twist_dot=there.twist_dot - towed), np.concatenate([v[count], a[count]])


def _spread(part: Array, count: Sequence[int]) -> Array:
    whole = np.zeros(6, dtype=scalar_type(part))
    whole[list(count)] = part
    return whole


def _wrench(now: Situation, frame: str, r: Array, k: int) -> tuple[Array, Array]:
    """Return F (6,) in N of forces r (n,), and the acceleration (6,) that they give the frame by the first k speeds."""
    system, n = now.system, led(now.system.layout)
    if system.tree_of(system.frame(frame).body):
        expected = "a frame of the base or of what it carries, whose forces are observed"
        raise InvalidInput(Problem("reference", expected, f"'{frame}', of a free body"))
    M, J = now.balance()[0][:n, :n], np.hstack(now.of_frame(frame, "J0", "Jm"))[:, :n]
    moved = solve(M, np.column_stack([J.T, r]))
    return solve(J @ moved[:, :6], J @ moved[:, 6]), J[:, :k] @ solve(M[:k, :k], r[:k])


def _felt(phi: Array, F: Array) -> Array:
    """Return E' F (6,)."""
    n = F[3:]
    return np.concatenate([F[:3], (n - cross(phi, n) / 2) / (1 + phi @ phi / 4)])


def _beside(pose: PoseReference, x: Array, v: Array, a: Array) -> PoseReference:
    """Return a reference in N with a deviation and its derivatives (6,), over any scalar."""
    phi, rate, slope = x[3:], v[3:], a[3:]
    size = 1 + phi @ phi / 4
    omega = (rate + cross(phi, rate) / 2) / size
    alpha = (slope + cross(phi, slope) / 2 - omega * (phi @ rate) / 2) / size
    turn = np.concatenate([phi / 2, [1]]) / sqrt(size)
    speed, change = np.concatenate([pose.twist[:3] + v[:3], omega]), np.concatenate([pose.twist_dot[:3] + a[:3], alpha])
    moved = PoseReference(pose.frame, pose.position_m + x[:3], turn, speed, change)
    still = np.zeros(3, dtype=int)
    twist, twist_dot = (np.concatenate([still, part[3:]]) for part in (pose.twist, pose.twist_dot))
    return PoseReference(pose.frame, still, pose.attitude_xyzw, twist, twist_dot).along(moved)
