"""What the hardware limits, as conditions on the accelerations of what a mode commands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

import numpy as np

from ...actuators import Turner
from ...errors import Infeasible
from ...modes import ManoeuvreMode
from ...spatial import Array, dcm_from_quaternion
from ...system import System
from ._quadratic_solvers import Nearest
from ._task_stack import DrivenMotion

FURTHEST = 1e300  # [N m, N]: more than any drive gives
NOTHING = 1e-12  # of a row: what changes it less does not change it
ARRIVAL_S = 1.0  # in which the state of a turner may come to its limit: so modes hold it back


class LimitUse(NamedTuple):
    """How limits are used.

    horizon_s : for which accelerations are taken to stay
    share : of largest torques, rates and momenta
    approach_1_s : the part of the way to the end of its range that a joint may move per second [Faverjon1987]
    """

    horizon_s: float
    share: float
    approach_1_s: float


class _Bounds(NamedTuple):
    name: str
    lower: float
    upper: float


@dataclass(frozen=True, eq=False)
class AccelerationLimits:
    """lower <= A a <= upper (m,) of the accelerations a (n_c,) of the commanded speeds.

    names : (m,) what each is, with its limits, in words
    """

    names: tuple[str, ...]
    A: Array
    lower: Array
    upper: Array

    @classmethod
    def at(cls, motion: DrivenMotion, mode: ManoeuvreMode, use: LimitUse) -> AccelerationLimits:
        """Return those of drives, joints and turners of a system in a state; floats alone."""
        n, turns = len(motion.driven.commanded), Turner in mode.base_actuators
        at_rest = _consequences(motion, mode, np.zeros(n), use, turns=turns)
        A = np.column_stack([_consequences(motion, mode, a, use, turns=turns) - at_rest for a in np.eye(n)])
        bounds = [*_of_joints(motion, use), *(_of_turners(motion, use) if turns else ())]
        counted = [k for k, bound in enumerate(bounds) if np.isfinite(bound[1:]).any()]
        lower, upper = np.array([bounds[k][1:] for k in counted]).reshape(-1, 2).T
        return cls(tuple(_words(bounds[k]) for k in counted), A[counted], lower - at_rest[counted], upper - at_rest[counted])

    def nearest(self, solver: Nearest, x_0: Array, found: Array, way: Array) -> Array | None:
        """Return x (k,) nearest to x_0 for which `found` + `way` x, (n_c,) + (n_c, k), is within; None where there is none.

        What `found` itself breaks, by rounding, it may break as much.
        """
        A, here = self.A @ way, self.A @ found
        open_ = abs(A).max(axis=1, initial=0.0) > NOTHING * abs(self.A).max(axis=1, initial=0.0)
        lower, upper = np.fmin(self.lower - here, 0.0), np.fmax(self.upper - here, 0.0)
        return solver(x_0, A[open_], lower[open_], upper[open_])

    def first(self, solver: Nearest, x_0: Array, way: Array) -> Array:
        """Return x (n_c,) nearest to x_0 for which `way` x is within; raises `Infeasible` with those in conflict."""
        x = solver(x_0, self.A @ way, self.lower, self.upper)
        if x is None:
            raise Infeasible(f"no command keeps all of these together: {'; '.join(self.in_conflict(solver))}")
        return x

    def in_conflict(self, solver: Nearest) -> list[str]:
        """Return the names of limits of which all but any one could be kept."""
        kept = list(range(len(self.A)))
        for k in range(len(self.A)):
            rest = [i for i in kept if i != k]
            if solver(np.zeros(self.A.shape[1]), self.A[rest], self.lower[rest], self.upper[rest]) is None:
                kept = rest
        return [self.names[k] for k in kept]


def _consequences(motion: DrivenMotion, mode: ManoeuvreMode, a: Array, use: LimitUse, *, turns: bool) -> Array:
    """Return what accelerations (n_c,) come to, linear in them, in the order of `_of_joints` and `_of_turners`."""
    now, layout = motion.now, motion.now.system.layout
    command, udot = mode.command_for(motion.driven.whole, motion.forces(a)), motion.all_accelerations(a)
    tau = command[len(command) - layout.N :][: layout.N_tree]
    rates = (now.qdot + use.horizon_s * udot[layout.joints])[: layout.N_tree]
    if not turns:
        return np.concatenate([tau, rates, rates])
    R, turners = dcm_from_quaternion(now.attitude_xyzw), now.system.turners
    turned = turners.allocate(R.T @ command[3:6], now.actuators)
    efforts = turners.efforts(now.actuators, turned, R.T @ now.omega_0, R.T @ udot[layout.base_angular])
    return np.concatenate([tau, rates, rates, turned, efforts])


def _of_joints(motion: DrivenMotion, use: LimitUse) -> Iterator[_Bounds]:
    """Yield limits of torques, of rates, and of rates towards the ends of ranges."""
    now, system = motion.now, motion.now.system
    own = [*zip(system.freedoms, system.drive_of, now.qdot, strict=True)][: system.layout.N_tree]
    for freedom, drive, rate in own:
        lower, upper = -np.inf, np.inf
        if drive is not None and np.isfinite(drive.torque_limit):
            lower, upper = (drive.within(sign * FURTHEST, rate) for sign in (-1, 1))
        unit = "N m" if freedom.turns else "N"
        yield _Bounds(f"torque of '{freedom.name}' [{unit}]", use.share * lower, use.share * upper)
    for freedom, drive, _ in own:
        most = np.inf if drive is None else use.share * drive.rate_limit
        yield _Bounds(f"rate of '{freedom.name}' [{freedom.unit}/s]", -most, most)
    for (freedom, *_), way in zip(own, _ways_left(system, now.q), strict=False):
        yield _Bounds(f"rate of '{freedom.name}' towards the ends of its range [{freedom.unit}/s]", *(use.approach_1_s * way))


def _ways_left(system: System, q: Array) -> Iterator[Array]:
    """Yield of every freedom how far it is to both ends of its range (2,); no ends of one that is no coordinate."""
    places, end = system.coordinates, 0
    for joint in system.joints:
        own, end = slice(end, end + joint.n_q), end + joint.n_q
        if joint.n_q == joint.dof:
            yield from (np.array([one.lower - at, one.upper - at]) for one, at in zip(places[own], q[own], strict=True))
        else:
            yield from [np.array([-np.inf, np.inf])] * joint.dof


def _of_turners(motion: DrivenMotion, use: LimitUse) -> Iterator[_Bounds]:
    """Yield limits of the rates of what turns the base, as far as its states may still go, and of its efforts."""
    states, turners = motion.now.actuators, motion.now.system.turners.each
    named = [(f"{one.kind} '{one.called}'", entry) for one in turners for entry in one.states]
    limits = [
        np.array([*chain.from_iterable(rows)])
        for rows in zip(*((one.largest_states, one.largest_rates, one.largest_efforts) for one in turners), strict=True)
    ]
    for (words, entry), state, most, rate in zip(named, states, use.share * limits[0], use.share * limits[1], strict=True):
        lower, upper = -max(most + state, 0.0) / ARRIVAL_S, max(most - state, 0.0) / ARRIVAL_S
        yield _Bounds(f"rate of the {entry.name} of {words} [{entry.unit}/s]", max(lower, -rate), min(upper, rate))
    for (words, _), effort in zip(named, use.share * limits[2], strict=True):
        yield _Bounds(f"torque of {words} [N m]", -effort, effort)


def _words(bounds: _Bounds) -> str:
    return f"{bounds.name} from {bounds.lower:.4g} to {bounds.upper:.4g}"
