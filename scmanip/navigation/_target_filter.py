"""How a tumbling target moves, from a camera."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ..actuators import Coefficient, Name, Positive
from ..dynamics import Model
from ..errors import ModeMismatch, checked
from ..spatial import (
    Array,
    cross,
    dcm_from_quaternion,
    quaternion_from_dcm,
    quaternion_product,
    skew,
    turn_between,
    turn_jacobian,
)
from ..system import Frame, State, System, SystemTree
from ._camera import Camera
from ._estimator import Estimator, Outlets
from ._instant import Instant
from ._kalman import corrected
from ._outlet import Outlet, Reading
from ._quantities import SeriesName
from ._sensor import Labels, Sensor
from ._target_state import ARM, PLACE, RATE, SIZE, SPEED, TURN, TargetState

PRINCIPAL = 1e-6  # of the inertia: products by which axes may miss the principal ones
_MOVES = *((f"r_{axis}", "m") for axis in "xyz"), *((f"v_{axis}", "m/s") for axis in "xyz")
_TURNS = *((f"turn_{axis}", "rad") for axis in "xyz"), *((f"omega_{axis}", "rad/s") for axis in "xyz")
_REST = ("ratio_x", "1"), ("ratio_y", "1"), *((f"arm_{axis}", "m") for axis in "xyz")


class TargetEstimate(NamedTuple):
    """The target when it was last seen, and the covariance (17, 17) of the errors then; now : where it is since."""

    seen: TargetState
    P: Array
    now: TargetState
    P_now: Array


@checked
@dataclass(frozen=True, eq=False)
class TargetFilter(Estimator):
    """Extended Kalman filter of the pose, velocities, inertia ratios and centre of mass of a target that tumbles [Aghili2009].

    Errors (17,) are [dr; dv] of the centre of mass in N, [dtheta; domega] of the frame that the camera looks at, in its axes,
    the logarithms of I_x / I_z and I_y / I_z, and the arm from the centre of mass to that frame. Between two looks the target
    is a rigid body in free flight, up to white accelerations. What the camera saw is taken in as of the time when it looked,
    and carried to the present, so that its latency costs age and nothing else. Where the camera itself is, is as it is known.
    Laws see the pose and velocities that it says.

    name : unique among sensors and estimators
    camera : name of the camera, whose target is a frame along principal axes of a rigid free body
    sigma_m, sigma_m_s, sigma_rad, sigma_rad_s, sigma_ratio, sigma_arm_m : standard deviations at the start, of each component
    push_m_s_rt_s, spin_rad_s_rt_s : white accelerations of the target [m/s/sqrt(s), rad/s/sqrt(s)]

    >>> doubts = {"sigma_m": 0.1, "sigma_m_s": 0.01, "sigma_rad": 0.1, "sigma_rad_s": 0.01}
    >>> tracking = TargetFilter("client", camera="wrist", **doubts, sigma_ratio=0.3, sigma_arm_m=0.1)
    >>> [(name, kind.__name__) for name, kind in tracking.sources]
    [('wrist', 'Camera')]
    """

    kind: ClassVar[str] = "target"

    name: SeriesName
    camera: Name
    sigma_m: Positive
    sigma_m_s: Positive
    sigma_rad: Positive
    sigma_rad_s: Positive
    sigma_ratio: Positive
    sigma_arm_m: Positive
    push_m_s_rt_s: Coefficient = 0.0
    spin_rad_s_rt_s: Coefficient = 0.0

    @property
    def sources(self) -> Sequence[tuple[str, type[Sensor]]]:
        return ((self.camera, Camera),)

    def check(self, model: Model, sensors: Mapping[str, Sensor], rate_Hz: float) -> None:
        system = model.system
        frame, tree = _target(system, sensors[self.camera])
        if len(tree.system.bodies) > 1 or not tree.pose.stop:
            raise ModeMismatch(f"{self.label} is for a rigid free body, and {frame.body!r} is none or carries others")
        inertia = _principal(system, frame)
        if abs(inertia - np.diag(np.diag(inertia))).max() > PRINCIPAL * abs(inertia).max():
            raise ModeMismatch(f"{self.label} needs a frame along principal axes of {frame.body!r}, and {frame.name!r} is none")

    def labels(self, system: System, sensors: Mapping[str, Sensor]) -> Labels:
        attitude = (("qx", "1"), ("qy", "1"), ("qz", "1"), ("qw", "1"))
        return *_MOVES, *attitude, *_TURNS[3:], *_REST

    def error_labels(self, system: System) -> Labels:
        return *_MOVES, *_TURNS, *_REST

    def start(self, truth: Instant, outlets: Outlets, noise: Array) -> TargetEstimate:
        return self.begun(_of_instant(truth, outlets[self.camera]).off_by(-self._deviations * noise))

    def begun(self, target: TargetState) -> TargetEstimate:
        """Return what is known of a target as sure as it is at the start."""
        P = np.diag(self._deviations**2)
        return TargetEstimate(target, P, target, P)

    @property
    def _deviations(self) -> Array:
        """Those of the error state (17,) at the start."""
        each = self.sigma_m, self.sigma_m_s, self.sigma_rad, self.sigma_rad_s, self.sigma_ratio, self.sigma_arm_m
        return np.repeat(each, [3, 3, 3, 3, 2, 3])

    def step(self, known: Instant, outlets: Outlets, memory: TargetEstimate) -> TargetEstimate:
        new, target, P = outlets[self.camera].new, memory.seen, memory.P
        if new is not None and new.sees:
            target, P = self._carried(target, P, new.t)
            target, P = _seen(target, P, outlets[self.camera].sensor, new, known)
        return TargetEstimate(target, P, *self._carried(target, P, known.now_s))

    def _carried(self, target: TargetState, P: Array, t: float) -> tuple[TargetState, Array]:
        """Return a target and its covariance at a later time [s]."""
        T = t - target.t
        if not T:
            return target, P
        target, F = target.carried(t)
        Q = np.zeros((SIZE, SIZE))
        for place, speed, deviation in ((PLACE, SPEED, self.push_m_s_rt_s), (TURN, RATE, self.spin_rad_s_rt_s)):
            for row, column, part in (
                (place, place, T**3 / 3),
                (place, speed, T**2 / 2),
                (speed, place, T**2 / 2),
                (speed, speed, T),
            ):
                Q[row, column] = deviation**2 * part * np.eye(3)
        return target, F @ P @ F.T + Q

    def values(self, memory: TargetEstimate) -> Array:
        return np.concatenate(memory.now[1:])

    def told(self, known: Instant, outlets: Outlets, memory: TargetEstimate) -> State:
        target, layout = memory.now, known.system.layout
        frame, tree = _target(known.system, outlets[self.camera].sensor)
        R = target.R @ frame.dcm.T
        away = target.R @ target.arm - R @ frame.origin_m
        omega = target.R @ target.omega
        x = known.state.x.copy()
        x[layout.x_q][tree.pose] = np.concatenate([target.r + away, quaternion_from_dcm(R)])
        x[layout.x_u][layout.joints][tree.twist] = np.concatenate([target.v + cross(omega, away), omega])
        return known.state.repacked(x)

    def errors(self, truth: Instant, outlets: Outlets, memory: TargetEstimate) -> Array:
        return _of_instant(truth, outlets[self.camera]).less(memory.now)

    def covariance(self, memory: TargetEstimate) -> Array:
        return memory.P_now


def _target(system: System, camera: Any) -> tuple[Frame, SystemTree]:
    """Return the frame at which a camera looks, and the tree of its body."""
    frame = system.frame(camera.target)
    number = system.body_number(frame.body)
    return frame, next(tree for tree in system.trees if number in range(*tree.bodies.indices(len(system.bodies))))


def _principal(system: System, frame: Frame) -> Array:
    """Return the inertia (3, 3) of the body of a frame in its axes."""
    return frame.dcm.T @ system.bodies[system.body_number(frame.body)].inertia_kg_m2 @ frame.dcm


def _of_instant(truth: Instant, camera: Outlet) -> TargetState:
    """Return the target as it is."""
    system, state = truth.system, truth.state
    frame, tree = _target(system, camera.sensor)
    pose, twist = state.q[tree.pose], state.qdot[tree.twist]
    R, com = dcm_from_quaternion(pose[3:]), system.bodies[system.body_number(frame.body)].com_m
    inertia = np.diag(_principal(system, frame))
    return TargetState(
        truth.now_s,
        pose[:3] + R @ com,
        twist[:3] + cross(twist[3:], R @ com),
        quaternion_product(pose[3:], quaternion_from_dcm(frame.dcm)),
        frame.dcm.T @ R.T @ twist[3:],
        np.log(inertia[:2] / inertia[2]),
        frame.dcm.T @ (frame.origin_m - com),
    )


def _seen(target: TargetState, P: Array, camera: Any, reading: Reading, known: Instant) -> tuple[TargetState, Array]:
    """Return what is known after a look of the camera, which is where the state has it that was known then.

    How the target lies is taken in first, so that where it is seen is linearised about an attitude that is nearly right.
    """
    state = known.state if reading.known is None else reading.known
    own, place = known.model.attitude(state, camera.frame), reading.values[:3]
    at = known.model.position(state, camera.frame) + dcm_from_quaternion(own) @ place
    place_error, turn_error = camera.deviations(float(np.linalg.norm(place)))
    turn = turn_between(target.attitude_xyzw, quaternion_product(own, reading.values[3:]))
    target, P = _after(target, P, turn, _rows((TURN, np.eye(3))), turn_error)
    R = target.R
    H = _rows((PLACE, np.eye(3)), (TURN, -R @ skew(target.arm)), (ARM, R))
    return _after(target, P, at - target.r - R @ target.arm, H, place_error)


def _rows(*parts: tuple[slice, Array]) -> Array:
    """Return the rows (3, 17) of what is seen, by errors."""
    H = np.zeros((3, SIZE))
    for place, part in parts:
        H[:, place] = part
    return H


def _after(target: TargetState, P: Array, innovation: Array, H: Array, deviation: float) -> tuple[TargetState, Array]:
    """Return what is known after three numbers were seen."""
    dx, P = corrected(P, innovation, H, deviation**2 * np.eye(3))
    reset = np.eye(SIZE)
    reset[TURN, TURN] = turn_jacobian(dx[TURN])
    return target.off_by(dx), reset @ P @ reset.T
