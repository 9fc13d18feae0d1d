"""A frame that gives way to what is observed to push it, as masses on springs and dampers do."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.analysis import linearise
from scmanip.control import (
    CartesianAdmittance,
    ComputedTorque,
    DisturbanceObserver,
    Saturated,
    TaskComputedTorque,
    Wrapper,
    pose_error,
)
from scmanip.control.remembering._cartesian_admittance import _beside
from scmanip.dynamics import Model, Reference, compile_model
from scmanip.errors import InvalidInput, ModeMismatch
from scmanip.guidance import PoseReference
from scmanip.modes import FixedBase, Floating, Flying, ManoeuvreMode, RotationFlying
from scmanip.plant import Plant
from scmanip.simulation import RK4, simulate
from scmanip.spatial import quaternion_conjugate, quaternion_product
from scmanip.system import System, load_system

from .flown_systems import flown
from .test_led_frames import Hum, hum, mobility, staying

CASE = flown("spatial")
REST = CASE.state(pace=0.0)
MASS, D, K = np.array([5.0, 6.0, 7.0, 2.0, 2.5, 3.0]), np.array([30.0] * 3 + [12.0] * 3), np.array([40.0] * 3 + [15.0] * 3)
SEEN, K_P, K_D = 8.0, 4.0, 5.0


def admitting(mode: ManoeuvreMode, model: Model = CASE.model, **given: Any) -> CartesianAdmittance:
    inner = TaskComputedTorque(model, mode, K_P=K_P, K_D=K_D, sigma_0=1e-9)
    return CartesianAdmittance(
        DisturbanceObserver(inner, mode, bandwidth_rad_s=SEEN), **{"mass": MASS, "D": D, "K": K, **given}
    )


@pytest.mark.battery(0, judged=1)
@pytest.mark.parametrize("mode", [Floating(), RotationFlying(), Flying()], ids=repr)
def test_its_response_is_the_commanded_one_behind_the_low_pass_of_the_observer(mode: ManoeuvreMode) -> None:
    """The response of the frame itself has that to what is not yet observed beside it."""
    law = admitting(mode)
    plant = Plant(CASE.model, mode)
    command = [0.0] * (6 * mode.commands_base + 6)
    loop = linearise(plant, REST, command, controller=law, reference=staying(CASE, REST), outputs=["law", "position:tip"])
    J = np.hstack([CASE.model.J0(REST, "tip"), CASE.model.Jm(REST, "tip")])
    B = np.zeros((len(loop.A), 6))
    B[12:24] = np.linalg.solve(CASE.model.M(REST), J.T)
    x = [loop.output_labels.index(f"law_deviation_{axis}") for axis in law.axes]
    place = [k for k, name in enumerate(loop.output_labels) if "tip" in name]
    for w in (0.3, 1.1, 4.0, 15.0):
        s = 1j * w
        found = np.asarray(loop.C) @ np.linalg.solve(s * np.eye(len(loop.A)) - loop.A, B)
        asked = np.diag(SEEN / (s + SEEN) / (MASS * s**2 + D * s + K))
        assert_allclose(found[x], asked, atol=1e-6 * abs(asked).max())
        late = s / (s + SEEN) / (s**2 + K_D * s + K_P) * mobility(CASE.model, REST, "tip")
        assert_allclose(found[place], (asked + late)[:3], atol=1e-6 * abs(asked).max())


@pytest.mark.slow
def test_a_constant_wrench_moves_a_floating_frame_by_what_its_springs_give() -> None:
    """Half the difference of two flights, under a wrench and its opposite, has nothing that goes with the square of it."""
    F, law, reference = 1e-4 * np.array([1.0, -0.6, 0.8, 0.3, 0.5, -0.2]), admitting(Floating()), staying(CASE, REST)
    moved, deviation = np.zeros(6), np.zeros(6)
    for sign in (1.0, -1.0):
        plant = Plant(CASE.model, Floating(), [Steady.of(hum(CASE, sign * F))])
        history = simulate(plant, law, REST, reference=reference, t_end_s=20.0, rtol=1e-12, output_step_s=20.0)
        assert abs(history.P[-1]).max() > 1e-3  # it gained momentum
        moved -= sign / 2 * pose_error(CASE.model, history.final, reference.at(0.0))
        deviation += sign / 2 * history.law_states[-1, :6]
    assert_allclose(moved, F / K, rtol=0, atol=1e-6 * abs(F / K).max())
    assert_allclose(deviation, F / K, rtol=0, atol=1e-6 * abs(F / K).max())


class Steady(Hum):
    """The same at all times."""

    @classmethod
    def of(cls, hum: Hum) -> Steady:
        return cls(hum.body, hum.at_m, hum.force_N, hum.moment_Nm)

    def wrenches(self, bodies: Any, t: Any) -> Any:
        arm = bodies.R[bodies.number(self.body)] @ np.array(self.at_m)
        place = bodies.r[bodies.number(self.body)] + arm
        return bodies.on(self.body, np.array(self.force_N), np.array(self.moment_Nm), at=place)


@pytest.mark.parametrize("axes", [None, ("y", "rz")])
def test_a_wrench_on_the_frame_is_told_by_what_is_observed(axes: tuple[str, ...] | None) -> None:
    """Beside the reference, where E' and what its axes leave out count; what is observed is that of the wrench at once."""
    law, state, F = admitting(Floating(), CASE.sums, axes=axes), CASE.state(), np.array([1.0, -2.0, 0.5, 0.3, 0.2, -0.4])
    J = np.hstack([CASE.sums.J0(state, "tip"), CASE.sums.Jm(state, "tip")])
    x, v = np.array([0.1, 0.2, -0.1, 0.3, -0.2, 0.4]), np.array([0.02, 0.01, 0.03, -0.02, 0.05, 0.01])
    count = [0, 1, 2, 3, 4, 5] if axes is None else [1, 5]
    seen = law.law.state_0(state) - J.T @ F / SEEN
    rate = law.state_rate(0.0, state, staying(CASE, state).at(0.0), np.concatenate([x[count], v[count], seen]))
    phi = np.zeros(6)
    phi[count] = x[count]
    E = (np.eye(3) + np.cross(np.eye(3), phi[3:]) / 2) / (1 + phi[3:] @ phi[3:] / 4)
    felt = np.concatenate([F[:3], E.T @ F[3:]])
    k = len(count)
    assert_allclose(rate[:k], v[count], rtol=1e-14)
    assert_allclose(rate[k : 2 * k], ((felt - D * v - K * x) / MASS)[count], atol=1e-9)


def test_the_motion_beside_a_reference_is_a_motion() -> None:
    """Its twist is the rate of its pose, and its acceleration that of the twist, by complex steps."""
    rng = np.random.default_rng(3)
    x, v, a, twist, twist_dot = rng.normal(size=(5, 6))
    q = rng.normal(size=4)
    q, r, h = q / np.linalg.norm(q), rng.normal(size=3), 1e-30
    spin = quaternion_product(np.append(twist[3:] / 2, 0.0), q)
    now = _beside(PoseReference("tip", r, q, twist, twist_dot), x, v, a)
    later = PoseReference("tip", r + 1j * h * twist[:3], q + 1j * h * spin, twist + 1j * h * twist_dot, twist_dot)
    soon = _beside(later, x + 1j * h * v, v + 1j * h * a, a)
    turned, whole = now.attitude_xyzw, soon.attitude_xyzw
    assert turned is not None and whole is not None
    omega = 2 * quaternion_product(whole.imag / h, quaternion_conjugate(turned))[:3]
    assert_allclose(soon.position_m.imag / h, now.twist[:3], atol=1e-12)
    assert_allclose(omega, now.twist[3:], atol=1e-12)
    assert_allclose(soon.twist.imag / h, now.twist_dot, atol=1e-12)
    assert np.linalg.norm(turned) == pytest.approx(1.0)


@pytest.mark.slow
def test_what_is_cut_of_its_command_pushes_nothing() -> None:
    """In Python and in machine code it stays on its reference, however much is cut."""
    case = flown("planar")
    inner = DisturbanceObserver(TaskComputedTorque(case.model, Floating(), axes=case.axes), Floating(), bandwidth_rad_s=SEEN)
    law = Saturated(CartesianAdmittance(inner, mass=5.0, D=20.0, K=30.0, axes=case.axes), 0.05)
    state, options = case.state(), {"t_end_s": 0.4, "integrator": RK4(0.02), "output_step_s": 0.4}
    fast, slow = (
        simulate(case.model, Floating(), each, state, reference=staying(case, state), **options)
        for each in (law, InPython(law))
    )
    assert_allclose(fast.final.x, slow.final.x, atol=1e-10)
    assert abs(abs(fast.tau[-1]).max() - 0.05) < 1e-12
    assert abs(fast.law_states[-1, :6]).max() < 1e-8


class InPython(Wrapper):
    """The same law, without its equations."""

    def __init__(self, law: Any) -> None:
        self.law = law


def test_what_it_cannot_do_is_refused_by_a_sentence() -> None:
    mode, model = Floating(), CASE.sums
    for inside in (TaskComputedTorque(model, mode), DisturbanceObserver(ComputedTorque(model), mode, bandwidth_rad_s=1.0)):
        with pytest.raises(InvalidInput, match=r"law: expected a DisturbanceObserver around a law that leads the frame"):
            CartesianAdmittance(inside, mass=1.0, D=1.0, K=1.0)
    with pytest.raises(InvalidInput) as refused:
        admitting(mode, model, mass=0.0, D=-1.0, K=[1.0], axes=["up"])
    assert [problem.key for problem in refused.value.problems] == ["mass", "D", "K", "axes"]
    free = load_system("model:bench_6r")
    held = compile_model(System("held", free.base, free.bodies[1:], free.frames, fixed=True), implementation=Reference())
    with pytest.raises(ModeMismatch, match=r"CartesianAdmittance .* FixedBase\(\) holds the base"):
        admitting(FixedBase(), held)
    law, here = admitting(mode, model), staying(CASE, REST).at(0.0)
    place = PoseReference("tip", here.position_m, None, here.twist, here.twist_dot)
    with pytest.raises(InvalidInput, match="an attitude, of which"):
        law.command(0.0, REST, place, law.state_0(REST))
    two = flown("two arms")
    law, state = admitting(mode, two.sums), two.state()
    adrift = PoseReference("payload", here.position_m, here.attitude_xyzw, here.twist, here.twist_dot)
    with pytest.raises(InvalidInput, match=r"a frame of the base or of what it carries, .* 'payload', of a free body"):
        law.command(0.0, state, adrift, law.state_0(state))
