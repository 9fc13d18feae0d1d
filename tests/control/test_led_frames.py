"""Frames on springs and dampers: an impedance that is met while the base floats, and the transposed Jacobian."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

from scmanip.control import CartesianImpedance, TransposedJacobian, pose_error
from scmanip.errors import InvalidInput, ModeMismatch
from scmanip.guidance import Hold, PoseReference, Reach
from scmanip.loads import Bodies, BodyWrenches, Load
from scmanip.modes import FixedBase, Floating, Flying, ManoeuvreMode, RotationFloating
from scmanip.plant import Plant
from scmanip.simulation import Outcome, forces_are_recorded, simulate
from scmanip.spatial import cos
from scmanip.system import State

from ..simulation.arms import model, moving_state
from .flown_systems import NAMES, Flown, flown
from .test_tasks import ALL_MODES, ALL_SYSTEMS, AXES, SMALL, errors_of, tip_motion, wanted_pose

HARMONICS = range(1, 21)
SLOWEST = 0.4  # rad/s


@dataclass(frozen=True)
class Hum(Load):
    """A force and a moment on a frame, of twenty frequencies, the more the higher."""

    body: str
    at_m: tuple[float, ...]
    force_N: tuple[float, ...]
    moment_Nm: tuple[float, ...]

    def wrenches(self, bodies: Bodies, t: Any) -> BodyWrenches:
        """Return it at t."""
        k, wave = bodies.number(self.body), sum(n * cos(n * SLOWEST * t) for n in HARMONICS)
        arm = bodies.R[k] @ np.array(self.at_m)
        force, moment = np.array(self.force_N) * wave, np.array(self.moment_Nm) * wave
        return bodies.on(self.body, force, moment, at=bodies.r[k] + arm)


def staying(case: Flown, state: State) -> Reach:
    """The pose where the frame is."""
    place, attitude = case.model.position(state, case.frame), case.model.attitude(state, case.frame)
    return Reach(case.frame, start_m=place, end_m=place, start_xyzw=attitude, end_xyzw=attitude, duration_s=1.0)


def mobility(plant: Any, state: State, frame: str) -> np.ndarray:
    J = np.hstack([plant.J0(state, frame), plant.Jm(state, frame)])
    return J @ np.linalg.solve(plant.M(state), J.T)


@ALL_SYSTEMS
@ALL_MODES
def test_a_wrench_on_the_frame_meets_its_inertia_a_damper_and_a_spring(name: str, mode: ManoeuvreMode) -> None:
    """In every mode, while all moves, with momentum: against the plant under that wrench."""
    case, (K, D) = flown(name), (40.0, 25.0)
    plant = mode.equipped(case.sums)
    law = CartesianImpedance(plant, mode, K=K, D=D, sigma_0=SMALL, axes=case.axes)
    state = case.state().of_layout(plant.layout)
    wanted, count = wanted_pose(plant, state, case.frame), [AXES.index(axis) for axis in case.axes]
    F = np.zeros(6)
    F[count] = np.random.default_rng(4).normal(size=len(count))
    command, _ = law.command(0.0, state, wanted, None)
    force = mode.generalized_force(plant, state, command)
    udot = plant.forward_dynamics(state, force.tau, force.wrench, wrenches=[(case.frame, F)])
    twist, rate = tip_motion(plant, state, udot, case.frame)
    inertia = np.linalg.inv(mobility(plant, state, case.frame)[np.ix_(count, count)])
    met = inertia @ (rate - wanted.twist_dot)[count] + (D * (twist - wanted.twist) - K * errors_of(plant, state, wanted))[count]
    assert_allclose(met, F[count], atol=1e-8 * abs(inertia).max())


@pytest.mark.slow
def test_its_response_to_twenty_frequencies_is_that_of_its_stiffness_and_damping_while_the_base_floats() -> None:
    """A hum at the tip of a system that stands free, which gains momentum by it: (K + i w D - w^2 Lambda)^-1 F to 1e-6.

    Half the difference of two flights, under a hum and its opposite, has nothing that goes with the square of it.
    """
    case = flown("spatial")
    state, n, rounds = case.state(pace=0.0), 64, 7
    inertia = np.linalg.inv(mobility(case.model, state, "tip"))
    K, D = np.array([200.0] * 3 + [150.0] * 3), np.array([400.0] * 3 + [300.0] * 3)
    law = CartesianImpedance(case.model, Floating(), K=K, D=D, sigma_0=SMALL)
    F, period = 1e-4 * np.array([1.0, -0.6, 0.8, 0.3, 0.5, -0.2]), 2 * np.pi / SLOWEST
    times = (rounds - 1) * period + period / n * np.arange(n)
    reference, errors = staying(case, state), np.zeros((n, 6))
    for sign in (1.0, -1.0):
        plant = Plant(case.model, Floating(), [hum(case, sign * F)])
        assert forces_are_recorded(plant, law, reference)
        options = {"t_end_s": rounds * period, "rtol": 1e-12, "output_step_s": period / n}
        history = simulate(plant, law, state, reference=reference, **options)
        assert history.outcome is Outcome.COMPLETED and abs(history.P).max() > 1e-4  # it gained momentum
        last = [history.states[int(np.argmin(abs(history.t - t)))] for t in times]
        errors -= sign / 2 * np.array([pose_error(case.model, now, reference.at(5.0)) for now in last])
    for k in HARMONICS:
        w = k * SLOWEST
        found = 2 / n * (errors * np.exp(-1j * w * times)[:, None]).sum(axis=0)
        expected = np.linalg.solve(np.diag(K) + 1j * w * np.diag(D) - w**2 * inertia, k * F)
        assert_allclose(found, expected, rtol=0, atol=1e-6 * abs(expected).max())
    J_star = case.model.J_star(state, "tip")
    felt = np.linalg.inv(J_star @ np.linalg.solve(case.model.H(state), J_star.T))
    assert abs(felt - inertia).max() > 1e-2 * abs(inertia).max()  # what J* and H alone would make of it


def hum(case: Flown, F: np.ndarray) -> Hum:
    """One at the origin of the tip."""
    frame = case.system.frame("tip")
    com = next(body.com_m for body in case.system.bodies if body.name == frame.body)
    arm = np.array(frame.origin_m) - np.array(com)
    return Hum(frame.body, *(tuple(map(float, part)) for part in (arm, F[:3], F[3:])))


@pytest.mark.battery(1)
@pytest.mark.parametrize("name", NAMES)
def test_without_dampers_the_transposed_jacobian_keeps_the_energy_of_motion_and_springs(name: str) -> None:
    case, K = flown(name), 12.0
    state = case.state(pace=0.0)
    axes = None if name in ("spatial", "ETS-VII") else ("x", "y", "z")
    law = TransposedJacobian(case.model, K_P=K, K_D=0.0, axes=axes)
    reference = staying(case, state)
    moved = Rotation.from_rotvec([0.1, 0.2, -0.1]) * Rotation.from_quat(reference.at(0.0).attitude_xyzw)
    goal = Reach(case.frame, start_m=reference.at(0.0).position_m + 0.1, end_m=reference.at(0.0).position_m + 0.1,
                 start_xyzw=moved.as_quat(), end_xyzw=moved.as_quat(), duration_s=1.0)  # fmt: skip

    def stored(now: State) -> float:
        e = pose_error(case.model, now, goal.at(0.0))
        turned = 4 * (1 - np.sqrt(1 - e[3:] @ e[3:] / 4)) if axes is None else 0.0
        return K * (e[:3] @ e[:3] / 2 + turned)

    history = simulate(case.model, Floating(), law, state, reference=goal, t_end_s=2.0, rtol=1e-11, output_step_s=0.25)
    total = [T + stored(now) for T, now in zip(history.kinetic_energy, history.states, strict=True)]
    assert_allclose(total, total[0], rtol=1e-9)
    assert history.kinetic_energy.max() > 1e-3 * total[0]
    damped = TransposedJacobian(case.model, K_P=K, K_D=10.0, K_q=0.1, axes=axes)
    falling = simulate(case.model, Floating(), damped, state, reference=goal, t_end_s=4.0, rtol=1e-9, output_step_s=0.25)
    left = [T + stored(now) for T, now in zip(falling.kinetic_energy, falling.states, strict=True)]
    assert np.all(np.diff(left) < 0.0)


def test_it_carries_the_weight_of_an_arm_on_a_held_base() -> None:
    plant = model(fixed=True, gravity=(0.0, -9.81, 0.0))
    state = State(q=[0.3, -0.8], qdot=np.zeros(2))
    pose = PoseReference("fore", plant.position(state, "fore"), plant.attitude(state, "fore"), np.zeros(6), np.zeros(6))
    command, _ = TransposedJacobian(plant, K_P=9.0, K_D=3.0).command(0.0, state, pose, None)
    assert_allclose(command, plant.gravity_force(state), atol=1e-12)
    assert abs(command).max() > 1.0


def test_what_does_not_fit_is_refused() -> None:
    free = model()
    with pytest.raises(ModeMismatch, match="pulls by joints on a base that nothing drives; rotation_floating drives"):
        TransposedJacobian(free, K_P=1.0, K_D=1.0).check(free, RotationFloating())
    with pytest.raises(ModeMismatch, match="TransposedJacobian's estimate has a floating base and joints shoulder, elbow, the"):
        TransposedJacobian(free, K_P=1.0, K_D=1.0).check(flown("planar").sums, Floating())
    with pytest.raises(ModeMismatch, match=r"CartesianImpedance was made for Floating.* flown in Flying"):
        CartesianImpedance(free, Floating(), K=1.0, D=1.0).check(free, Flying())
    with pytest.raises(ModeMismatch, match="mode 'fixed_base' needs a base that is held"):
        CartesianImpedance(free, FixedBase(), K=1.0, D=1.0)
    with pytest.raises(InvalidInput) as refused:
        TransposedJacobian(free, K_P=-1.0, K_D=[1.0], K_q=[1.0] * 3, axes=["up"])
    assert [problem.key for problem in refused.value.problems] == ["K_P", "K_D", "K_q", "axes"]
    with pytest.raises(InvalidInput, match="K: expected one finite number >= 0 or 6 of them"):
        CartesianImpedance(free, Floating(), K=[1.0, 2.0], D=1.0)
    with pytest.raises(InvalidInput, match="a motion of a frame for TransposedJacobian to follow, found one of the joints"):
        TransposedJacobian(free, K_P=1.0, K_D=1.0).command(0.0, moving_state(), Hold(np.zeros(2)).at(0.0), None)
