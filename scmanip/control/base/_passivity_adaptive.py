"""Tracking with masses that are not known [Slotine1987], [Ortega1989], [Wang2009]."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ...dynamics import INERTIA, Model, inertial_parameters
from ...errors import InvalidInput, ModeMismatch, Problem, expect, refuse
from ...guidance import JointReference, PoseReference, Sample, check_followed
from ...modes import ManoeuvreMode, Situation
from ...spatial import Array, cross, is_number, quaternion_conjugate, quaternion_product, solve
from ...symbolic import less, select
from ...system import State, System, coordinate_difference
from .._believing import OfOneMode
from .._estimate import checked_estimate, sample
from .._gains import row, row_problems
from .._moving_frame import in_space
from .._recorded_law import RecordedLaw, believed_of, can_be_recorded, estimate_numbers
from .._seen_from import seen_from
from ._base_pose import BasePose
from ._direct import command_of, refuse_indirect, undriven

PARAMETERS = {"m": "kg", "mc_x": "kg m", "mc_y": "kg m", "mc_z": "kg m"} | {
    f"I_{axes}": "kg m2" for axes in ("xx", "xy", "yy", "xz", "yz", "zz")
}
AT_REST = np.zeros(6)
TINY = 1e-200  # of a square of forces: of a command that is zero nothing is missing


@dataclass(frozen=True, eq=False, init=False, repr=False)
class PassivityAdaptive(OfOneMode):
    """Lead joints, and what the mode commands of the base, along a motion, and learn inertial parameters as far as that asks.

        u_r = u_D + Lambda e,  s = u - u_r,  [f; n; tau] = Y(q, u, u_r, du_r/dt) pi^ - K s      [Slotine1987], [Ortega1989]
        dP^/dt = -gamma P^ L P^,  trace(L dP) = s' Y dpi for all dpi                            [Lee2018]

    Y pi = M du_r/dt + C u_r with dM/dt - 2 C skew, on all 6 + N equations: M is linear in the parameters pi, ten for each body,
    which H and J* are not. What the mode does not command of the base gets no force: its equations say du_r/dt, and its u_r is
    a state of the law that begins where the base is, so that speeds of the base are measured, accelerations not [Wang2009].
    P^ is the pseudo-inertia of a body, [[trace(I) / 2 - I, m c], [m c', m]], positive at first and so for ever: nothing that is
    inverted becomes singular.

    Promised with V = s' M s / 2 + sum of (log det P^ / det P + trace(P^^-1 P) - 4) / gamma: dV/dt = -s' K s <= 0 whatever the
    masses are, so s and with it e go to zero; the parameters need not. That is for geometry as it is, the place of the base's
    centre of mass included, which the estimate's is for v_0; what springs, dampers, rotors and wheels take is that of the
    estimate. The more a law around it cuts of its command (`Saturated`) the less it learns, half as fast where a tenth is
    missing; where actuators are cut at their limits V may grow, and what is learnt then is wrong. No inverse of a Jacobian.

    estimate : what it begins with
    mode : `FixedBase`, `Floating`, `RotationFlying` or `Flying`
    Lambda : of the joints [1/s], one number or (N,), finite and >= 0
    K_D : gains of s of the joints [N m s/rad or N s/m], one number or (N,), finite and >= 0
    base_Lambda, base_K_D : of the base, one number or (6,), first those of the place [N s/m], then of the attitude [N m s/rad]
    gamma : how fast it learns [1/J], >= 0
    pose : where the base shall be, as far as the mode commands that; left out, where the run finds it (`begun`)

    Raises `InvalidInput` for an estimate that is no model, gains out of range and what is no pose, `ModeMismatch` for other
    modes, a system that cannot be flown in this one, and one with spherical joints.

    >>> learning = PassivityAdaptive(model, scmanip.Floating(), Lambda=1.0, K_D=20.0, base_K_D=20.0, gamma=0.1)
    >>> learning.state_0(state).shape, list(learning.states)[-1]
    ((56,), 'wanted_omega_0.z')
    """

    estimate: Model
    mode: ManoeuvreMode
    Lambda: Array
    K_D: Array
    base_Lambda: Array
    base_K_D: Array
    gamma: float
    pose: BasePose
    follows = (JointReference,)
    equations = ("passivity_adaptive",)

    def __init__(
        self,
        estimate: Model,
        mode: ManoeuvreMode,
        *,
        K_D: ArrayLike,
        base_K_D: ArrayLike,
        gamma: float,
        Lambda: ArrayLike = 1.0,
        base_Lambda: ArrayLike = 1.0,
        pose: BasePose | None = None,
    ) -> None:
        layout = checked_estimate(estimate).layout
        refuse_indirect("PassivityAdaptive", mode)
        if any(j < layout.N_tree for _, j in layout.quaternions):
            raise ModeMismatch("PassivityAdaptive leads joints whose rates are those of coordinates, and one is spherical")
        mode.check(estimate)
        problems = row_problems("Lambda", Lambda, layout.N) + row_problems("K_D", K_D, layout.N)
        problems += row_problems("base_Lambda", base_Lambda, 6) + row_problems("base_K_D", base_K_D, 6)
        problems += [] if is_number(gamma) and gamma >= 0 else [Problem("gamma", "a finite number >= 0", repr(gamma))]
        expect("pose", pose, BasePose | None, "a BasePose, or None")
        refuse(problems, InvalidInput)
        vars(self).update(estimate=mode.equipped(estimate), mode=mode, gamma=float(gamma))
        vars(self).update(Lambda=row(Lambda, layout.N), K_D=row(K_D, layout.N))
        vars(self).update(pose=BasePose(None, None) if pose is None else pose)
        vars(self).update(base_Lambda=row(base_Lambda, 6), base_K_D=row(base_K_D, 6))

    @property
    def settings(self) -> Mapping[str, Any]:
        return {**self._gains, "gamma": self.gamma, "pose": self.pose}

    @property
    def _gains(self) -> dict[str, Array]:
        return {"Lambda": self.Lambda, "K_D": self.K_D, "base_Lambda": self.base_Lambda, "base_K_D": self.base_K_D}

    @property
    def numbers(self) -> Mapping[str, Array]:
        """Gains and pose, an array each, in SI; raises `InvalidInput` for a pose that is not known before a run begins."""
        pose = {} if self.estimate.layout.fixed else self.pose.numbers
        return {**self._gains, "gamma": np.array([self.gamma]), **pose}

    @property
    def free(self) -> range:
        """Places in u of what the mode does not command of the base."""
        return range(undriven(self.mode))

    def begun(self, state: State) -> PassivityAdaptive:
        """Return the law that holds what its pose leaves open where it is in `state`."""
        if self.estimate.layout.fixed or self.pose.is_whole:
            return self
        return self.altered(pose=self.pose.found(Situation.of(self.estimate, state), of_base=True))

    def check(self, model: Model, mode: ManoeuvreMode) -> None:
        super().check(model, mode)
        if self.pose.relative_to is not None:
            check_followed(model, self.pose.relative_to)

    @property
    def states(self) -> Mapping[str, str]:
        """What is learnt of the parameters, as a change of those of the estimate, and u_r of what is not commanded."""
        system = self.estimate.system
        bodies = [body.name for body in system.bodies[: _bodies(system)]]
        names = [self.estimate.layout.u_names[k] for k in self.free]
        learnt = {f"{body}.{name}": unit for body in bodies for name, unit in PARAMETERS.items()}
        return learnt | {f"wanted_{name}": "m/s" if name.startswith("v_0") else "rad/s" for name in names}

    def state_0(self, state: State) -> Array:
        """Return nothing learnt, and the speeds of the base."""
        return np.concatenate([np.zeros(10 * _bodies(self.estimate.system)), state.u[: len(self.free)]])

    def state_rate(self, t: float, state: State, reference: Sample | None, memory: Array) -> Array:
        """Return how it learns, and du_r/dt of what is not commanded."""
        wanted = sample("PassivityAdaptive", t, reference)
        return _found(self, Situation.of(self.estimate, state), wanted, self.numbers, memory).rate

    def command(self, t: float, state: State, reference: Sample | None, memory: Any) -> tuple[Array, Any]:
        """Return the command, (N,) or (6 + N,), and the memory unchanged."""
        wanted = sample("PassivityAdaptive", t, reference)
        return _found(self, Situation.of(self.estimate, state), wanted, self.numbers, memory).command, memory

    def unwound(self, t: float, state: State, reference: Sample | None, memory: Any, after: Any, missing: Array) -> Any:
        """Return the rates with which it hardly learns where a good part is missing of its command."""
        command, _ = self.command(t, state, reference, memory)
        return _hardly_learning(self, command, after, missing)

    def recorded(self) -> RecordedLaw | None:
        return _Recorded(self) if can_be_recorded(self.estimate) else None

    def __repr__(self) -> str:
        return f"PassivityAdaptive({self.estimate!r}, {self.mode!r}, gamma={self.gamma:g})"


@dataclass(frozen=True, eq=False)
class _Recorded(RecordedLaw):
    law: PassivityAdaptive

    @property
    def key(self) -> Hashable:
        return "passivity adaptive", type(self.law.mode), self.law.pose.relative_to, self.law.estimate.family

    @property
    def numbers(self) -> Mapping[str, Array]:
        return {**self.law.numbers, **estimate_numbers(self.law.estimate)}

    @property
    def remembers(self) -> int:
        return len(self.law.states)

    @property
    def flows(self) -> bool:
        return True

    def begins(self, x: Array, numbers: Mapping[str, Array]) -> Array:
        estimate = self.law.estimate
        u = x[estimate.layout.x_u]
        return np.concatenate([np.zeros(10 * _bodies(estimate.system), dtype=int), u[: len(self.law.free)]])

    def force(self, x: Array, wanted: JointReference, numbers: Mapping[str, Array]) -> Array:
        return self.said(x, wanted, numbers, self.begins(x, numbers))[0]

    def said(self, x: Array, wanted: JointReference, numbers: Mapping[str, Array], memory: Array) -> tuple[Array, Array]:
        now = Situation.recorded(self.law.estimate, x, believed_of(numbers))
        found = _found(self.law, now, wanted, numbers, memory)
        return found.command, found.rate

    def unwound(
        self, x: Array, wanted: Any, numbers: Mapping[str, Array], memory: Array, after: Array, missing: Array
    ) -> Array:
        command, _ = self.said(x, wanted, numbers, memory)
        return _hardly_learning(self.law, command, after, missing)


class _Found(NamedTuple):
    """The command, and how what is remembered changes."""

    command: Array
    rate: Array


def _found(
    law: PassivityAdaptive, now: Situation, wanted: JointReference, numbers: Mapping[str, Array], memory: Array
) -> _Found:
    """Return what the law says, over any scalar."""
    layout, k = now.system.layout, len(law.free)
    n, size, zero = layout.n_base + layout.N_tree, 10 * _bodies(now.system), np.zeros(layout.n_u, dtype=int)
    known = _parameters(now)[:size]
    pi = known + memory[:size]
    gains = np.concatenate([numbers["base_K_D"][: layout.n_base], numbers["K_D"][: layout.N_tree]])
    u_r, a_r = _reference(law, now, wanted, numbers)
    u_r, a_r = np.concatenate([memory[size:], u_r[k:]]), np.concatenate([zero[:k], a_r[k:]])
    s = (now.u - u_r)[:n]
    rest = now.needed(zero)[:n] - now.regressor(zero)[:n, :size] @ known if _has_more(law.estimate) else 0.0
    Y = _regressor(now, u_r, a_r)[:n, :size]
    forces, slopes, still = Y @ pi + rest - gains * s, s @ Y, now.moving(zero)
    per_unit = [still.regressor(unit)[:n, :size] for unit in np.eye(layout.n_u, dtype=int)[:k]]
    if k:
        M = np.array([each @ pi for each in per_unit]).T
        missing = -solve(M[:k], forces[:k])
        forces, slopes = forces + M @ missing, slopes + missing @ np.array([s @ each for each in per_unit])
        a_r = np.concatenate([missing, a_r[k:]])
    rates = [_learning(ten, slope) for ten, slope in zip(pi.reshape(-1, 10), slopes.reshape(-1, 10), strict=True)]
    learning = [numbers["gamma"][0] * rate for rate in rates]
    return _Found(command_of(layout, law.mode, forces), np.concatenate([*learning, a_r[:k]]))


def _hardly_learning(law: PassivityAdaptive, command: Array, rates: Array, missing: Array) -> Array:
    """Return rates of what is remembered where `missing` is cut off a command, over any scalar.

    Smooth in it, since learning that began and stopped along a limit would do so without end.
    """
    learnt, size = len(rates) - len(law.free), command @ command + TINY
    share = size / (size + 100.0 * (missing @ missing))
    return np.concatenate([share * rates[:learnt], rates[learnt:]])


def _has_more(estimate: Model) -> bool:
    """Whether springs, dampers, friction, rotors or wheels take forces, or may."""
    system, numbers = estimate.system, estimate.symbolic.derivation.numbers
    passive = any(freedom.stiffness or freedom.damping for freedom in system.freedoms) or system.springs
    opened = any(not name.startswith("body.") and name != INERTIA for name in numbers)
    return bool(passive or any(system.drive_of) or system.turners or opened)


def _parameters(now: Situation) -> Array:
    """Return the inertial parameters (10 n_b,) that are believed, over any scalar."""
    if INERTIA not in now.numbers:
        return inertial_parameters(now.system)
    rows = []
    for m, x, y, z, xx, yy, zz, xy, xz, yz in now.numbers[INERTIA]:
        squares = [m * (y * y + z * z) + xx, xy - m * x * y, m * (x * x + z * z) + yy]
        rows += [m, m * x, m * y, m * z, *squares, xz - m * x * z, yz - m * y * z, m * (x * x + y * y) + zz]
    return np.array(rows)


def _regressor(now: Situation, u_r: Array, a_r: Array) -> Array:
    """Return Y (n_u, 10 n_b) of M a_r + C u_r, where C is that of the metric connection.

    Forces of motion h are quadratic in the speeds: C u_r = (h(u + u_r) - h(u - u_r)) / 4 - M [u, u_r] / 2, where of the speeds
    only omega_0 is no rate of coordinates, [u, u_r] = omega_0 x omega_r, in N.
    """
    layout, u = now.system.layout, now.u
    if not layout.fixed:
        bracket = cross(u[layout.base_angular], u_r[layout.base_angular])
        a_r = np.concatenate([a_r[:3], a_r[3:6] - 0.5 * bracket, a_r[6:]])
        return 0.25 * (now.moving(u + u_r).regressor(2 * a_r) - now.moving(u - u_r).regressor(-2 * a_r))
    weight = now.moving(0 * u).regressor(0 * u)
    return weight + 0.25 * (now.moving(u + u_r).regressor(2 * a_r) - now.moving(u - u_r).regressor(-2 * a_r))


def _reference(
    law: PassivityAdaptive, now: Situation, wanted: JointReference, numbers: Mapping[str, Array]
) -> tuple[Array, Array]:
    """Return u_r and du_r/dt (n_u,); of what nobody commands u as it is, and 0."""
    layout = now.system.layout
    wanted, gains, N = seen_from(layout, now.q, now.qdot, wanted), numbers["Lambda"], layout.N_tree
    rates = wanted.qdot + gains * coordinate_difference(layout, wanted.q, now.q)
    accelerations = wanted.qddot + gains * (wanted.qdot - now.qdot)
    u_r = [rates[:N], now.qdot[N:]]
    a_r = [accelerations[:N], 0 * now.qdot[N:]]
    if layout.fixed:
        return np.concatenate(u_r), np.concatenate(a_r)
    twist, change = _base_reference(law, now, numbers)
    return np.concatenate([twist, *u_r]), np.concatenate([change, *a_r])


def _base_reference(law: PassivityAdaptive, now: Situation, numbers: Mapping[str, Array]) -> tuple[Array, Array]:
    """Return u_r and du_r/dt (6,) of the base, with e = r_D - r and 2 sin(angle / 2) about the axis of the shorter turn."""
    gains, place, attitude = (numbers[key] for key in ("base_Lambda", "base_position_m", "base_attitude_xyzw"))
    pose = in_space(now, PoseReference("base", place, attitude, AT_REST, AT_REST, law.pose.relative_to))
    assert pose.attitude_xyzw is not None  # what is given has one
    turn = quaternion_product(pose.attitude_xyzw, quaternion_conjugate(now.attitude_xyzw))
    turn = turn * select(less(turn[3], 0.0), -1.0, 1.0)
    slower = pose.twist - now.u[:6]
    error = np.concatenate([pose.position_m - now.r_0, 2 * turn[:3]])
    turning = turn[3] * slower[3:] + cross(pose.twist[3:] + now.omega_0, turn[:3])
    return pose.twist + gains * error, pose.twist_dot + gains * np.concatenate([slower[:3], turning])


def _learning(pi: Array, slope: Array) -> Array:
    """Return -P L P as ten parameters, of those of a body (10,) and L of how the power s' Y pi changes with each (10,)."""
    P = _pseudo_inertia(pi)
    m, h, (xx, xy, yy, xz, yz, zz) = slope[0], slope[1:4], slope[4:]
    L = np.array(
        [
            [yy + zz, -0.5 * xy, -0.5 * xz, 0.5 * h[0]],
            [-0.5 * xy, xx + zz, -0.5 * yz, 0.5 * h[1]],
            [-0.5 * xz, -0.5 * yz, xx + yy, 0.5 * h[2]],
            [0.5 * h[0], 0.5 * h[1], 0.5 * h[2], m],
        ]
    )
    D = -P @ L @ P
    trace = D[0, 0] + D[1, 1] + D[2, 2]
    moments = [trace - D[0, 0], -D[0, 1], trace - D[1, 1], -D[0, 2], -D[1, 2], trace - D[2, 2]]
    return np.array([D[3, 3], *D[:3, 3], *moments])


def _pseudo_inertia(pi: Array) -> Array:
    m, h, (xx, xy, yy, xz, yz, zz) = pi[0], pi[1:4], pi[4:]
    half = 0.5 * (xx + yy + zz)
    return np.array(
        [[half - xx, -xy, -xz, h[0]], [-xy, half - yy, -yz, h[1]], [-xz, -yz, half - zz, h[2]], [h[0], h[1], h[2], m]]
    )


def _bodies(system: System) -> int:
    """Return how many bodies the base carries, itself among them."""
    return len(range(*system.trees[0].bodies.indices(len(system.bodies))))
