"""Motors of joints in runs: torque and rate limits, friction and rotors, in the books and in the events."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.dynamics import compile_model
from scmanip.modes import FixedBase, Floating, Flying, RootJoint, RotationFloating
from scmanip.simulation import History, simulate
from scmanip.system import Body, Joint, Motor, State, System
from tests.simulation.arms import moving_state, two_joints

MOTORS = [
    Motor("shoulder", 2.0, gear_ratio=40.0, rotor_inertia_kg_m2=1e-3, damping_Nms_rad=0.4),
    Motor("elbow", 1.5, 0.8, gear_ratio=-30.0, rotor_inertia_kg_m2=2e-3, coulomb_Nm=0.3, coulomb_width_rad_s=0.05),
]
FREE_MODES = [Floating(), RotationFloating(), Flying()]


def driven(mode, motors: list[Motor], *, fixed: bool = False, t_end_s: float = 4.0) -> History:
    """A run in which the shoulder swings and the elbow is pushed one way."""
    arm = two_joints(fixed=fixed)
    model = compile_model(System(arm.name, arm.base, arm.bodies[1:], fixed=fixed, actuators=motors))
    start = State(q=[0.4, -0.7], qdot=[0.3, -0.4]) if fixed else moving_state()
    return simulate(model, mode, lambda t, s: np.array([3 * np.sin(2 * t), 2.0]), start, t_end_s=t_end_s, output_step_s=0.02)


@pytest.mark.slow
@pytest.mark.parametrize("mode", [*FREE_MODES, FixedBase()], ids=lambda mode: mode.name)
def test_contracts_hold_with_gears_friction_and_limits(mode) -> None:
    history = driven(mode, MOTORS, fixed=isinstance(mode, FixedBase))
    assert history.outcome == "completed"
    assert all(residual.relative < 1e-7 for residual in history.residuals.values())
    assert history.dissipated[-1] > 0.1


@pytest.mark.slow
def test_torques_stop_at_the_largest_and_the_run_says_when() -> None:
    history = driven(Floating(), MOTORS)
    wanted = 3 * np.sin(2 * history.t)
    assert_allclose(history.tau[:, 0], np.clip(wanted, -2, 2), rtol=0, atol=1e-12)
    full = np.abs(wanted) > 2
    said = [
        event for event in history.events if event.startswith("the motor of joint 'shoulder' gives its largest torque, 2 N m,")
    ]
    assert len(said) == np.count_nonzero(np.diff(full.astype(int)) == 1) == 3
    turn = np.arcsin(2 / 3)  # where 3 sin(2 t) = 2
    assert said[0].endswith(f"from t = {turn / 2:.6g} s to t = {(np.pi - turn) / 2:.6g} s")


@pytest.mark.slow
def test_a_motor_does_not_drive_its_joint_past_its_largest_rate() -> None:
    free, history = driven(FixedBase(), [], fixed=True, t_end_s=8.0), driven(FixedBase(), MOTORS, fixed=True, t_end_s=8.0)
    assert free.qdot[:, 1].max() > 1.5
    assert 0.75 < history.qdot[:, 1].max() < 0.9  # what the shoulder's swing adds is not the motor's
    assert any(
        event.startswith("the motor of joint 'elbow' is held back from its largest rate, 0.8 rad/s,")
        for event in history.events
    )
    assert np.all(history.tau[history.qdot[:, 1] >= 0.8, 1] <= 0)


def test_the_motion_of_one_geared_joint_by_hand() -> None:
    """A wheel on a free base of three times its inertia: L is zero for ever, and the rotor's spin is in it."""
    base, joint = Body("base", 10.0, [3.0, 3.0, 3.0]), Joint("hinge", "revolute", [0, 0, 1])
    rotor, n, load, tau = 0.01, 20.0, 1.0, 0.5
    disc = Body("disc", 2.0, [1.0, 1.0, load], parent="base", joint=joint)
    system = System("hand", base, [disc], actuators=[Motor("hinge", gear_ratio=n, rotor_inertia_kg_m2=rotor)])
    history = simulate(
        compile_model(system), Floating(), lambda t, s: np.array([tau]), State.at_rest(system, [0.0]), t_end_s=2.0
    )
    whole, coupling, own = 3.0 + load, load + rotor * n, load + rotor * n**2
    qddot = tau / (own - coupling**2 / whole)
    assert_allclose(history.qdot[:, 0], qddot * history.t, rtol=0, atol=1e-9)
    assert_allclose(history.omega_0[:, 2], -coupling / whole * qddot * history.t, rtol=0, atol=1e-9)


def test_a_motor_without_limits_gives_what_is_commanded() -> None:
    history = driven(Floating(), [Motor("shoulder", gear_ratio=40.0, rotor_inertia_kg_m2=1e-3)])
    assert history.events == ()
    assert_allclose(history.tau, np.column_stack([3 * np.sin(2 * history.t), np.full(len(history.t), 2.0)]), atol=1e-14)


@pytest.mark.parametrize("part", [{"damping_Nms_rad": 1.0}, {"coulomb_Nm": 1.0}, {"rotor_inertia_kg_m2": 1e-3}], ids=str)
def test_a_root_joint_whose_motor_rubs_or_spins_promises_no_momentum(part) -> None:
    arm = two_joints(fixed=True)
    for joint, kept in (("shoulder", False), ("elbow", True)):
        system = System(arm.name, arm.base, arm.bodies[1:], fixed=True, actuators=[Motor(joint, **part)])
        assert (RootJoint.of(system) is not None) == kept


def test_the_momentum_along_a_root_joint_is_kept_with_a_rotor_further_out() -> None:
    arm = two_joints(fixed=True)
    system = System(arm.name, arm.base, arm.bodies[1:], fixed=True, actuators=MOTORS[1:])
    start = State(q=[0.4, -0.7], qdot=[0.3, -0.4])
    history = simulate(compile_model(system), FixedBase(), lambda t, s: np.array([0.0, np.sin(t)]), start, t_end_s=3.0)
    assert history.residuals["root_joint_momentum"].relative < 1e-8
