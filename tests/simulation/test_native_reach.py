"""A frame led through space in machine code is the run step by step in Python, in every mode and with every law inside."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.control import (
    ComputedTorque,
    CoordinatedComputedTorque,
    JointRegulator,
    ResolvedRate,
    WithFeedforward,
    pose_error,
)
from scmanip.dynamics import Model, RunTimeInertia, compile_model
from scmanip.errors import InvalidInput
from scmanip.guidance import Hold, Reach, ReferenceMotion
from scmanip.loads import Load
from scmanip.modes import FixedBase, Floating, Flying, ManoeuvreMode
from scmanip.simulation import DOP853, FixedDOP853, FullState, History, MomentumReduced, Outcome, ensemble, simulate
from scmanip.spatial import quaternion_from_axis_angle, quaternion_product
from scmanip.system import State, load_system
from tests.modes.flights import ALL_MODES, ALL_PLANTS, POSE, plant
from tests.oracles.random_systems import random_state, random_system
from tests.simulation.arms import moving_state, two_joints
from tests.simulation.machine_code import all_in_machine_code
from tests.simulation.test_native_modes import CIRCLE, check_equal, fitted

ATTITUDES = pytest.mark.parametrize("turn_rad", [0.3, 0.0], ids=["turned", "attitude free"])
ETS7 = compile_model(load_system("model:ets7"))
BENT = np.radians([-30, -110, 30, -30, 30, -30])
STRETCHED = np.radians([0, -60, 90, 0, 0, 0])


class InPython(ResolvedRate):
    """The same law by another class, which is not recorded."""


def way(model: Model, state: State, turn_rad: float, *, frame: str = "tip", duration_s: float = 1.5) -> Reach:
    """From where a frame is to a place beside, turned about an axis that is none of the frame's; free without a turn."""
    goal = model.position(state, frame) + np.array([0.06, -0.04, 0.05])
    turn = quaternion_from_axis_angle(np.array([0.6, 0.0, 0.8]), turn_rad)
    attitude = quaternion_product(turn, model.attitude(state, frame)) if turn_rad else None
    return Reach.from_state(model, state, frame, position_m=goal, attitude_xyzw=attitude, duration_s=duration_s)


def coordinated(model: Model, mode: ManoeuvreMode) -> CoordinatedComputedTorque:
    """Follow rates, and hold what the mode commands of the base."""
    return CoordinatedComputedTorque(model, mode, K_P=0.0, K_D=4.0, pose=POSE)


def both(
    model: Model,
    state: State,
    mode: ManoeuvreMode,
    inner: object,
    reference: ReferenceMotion,
    *,
    environment: Load | None = None,
    sigma_0: float = 0.05,
    **options: float,
) -> tuple[History, History]:
    """The run in machine code, all of it, and the run in Python."""
    runs = []
    with all_in_machine_code():
        for kind in (ResolvedRate, InPython):
            given = {
                "t_end_s": 2.0,
                "integrator": FixedDOP853(0.05),
                "output_step_s": 0.25,
                "coordinates": FullState(),
                **options,
            }
            law = kind(inner, K=2.0, sigma_0=sigma_0)
            runs.append(simulate(model, mode, law, state, reference=reference, environment=environment, **given))
    return runs[0], runs[1]


@pytest.mark.battery(0, each=1)
@ALL_MODES
@ATTITUDES
def test_every_mode_with_gravity_and_more_rows_than_joints(mode: ManoeuvreMode, turn_rad: float) -> None:
    model, state = plant("three hinges")
    runs = both(model, state, mode, coordinated(model, mode), way(model, state, turn_rad), environment=CIRCLE)
    check_equal(runs)


@pytest.mark.battery(0, each=1)
@ALL_PLANTS
@ATTITUDES
@pytest.mark.parametrize("mode", [Floating(), Flying()], ids=repr)
def test_trees_with_slides_gimbals_and_spherical_joints(name: str, mode: ManoeuvreMode, turn_rad: float) -> None:
    model, state = plant(name)
    t_end_s = 1.0 if name == "gimbal and spherical" else 2.0  # it goes by its lock at 8 rad/s, which magnifies rounding
    check_equal(both(model, state, mode, coordinated(model, mode), way(model, state, turn_rad), t_end_s=t_end_s))


@pytest.mark.battery(0, each=1)
@ATTITUDES
@pytest.mark.parametrize("joints", [4, 7])
def test_four_joints_and_seven(joints: int, turn_rad: float) -> None:
    system = random_system(21, fixed=False, joints=joints, odds={"revolute": 1.0})
    whole = random_state(system, 21)
    state = State(whole.r_0, whole.attitude_xyzw, whole.q, 0.1 * whole.v_0, 0.1 * whole.omega_0, 0.1 * whole.qdot)
    model = compile_model(system)
    inner = WithFeedforward(ComputedTorque(model, K_P=0.0, K_D=4.0))
    check_equal(both(model, state, Floating(), inner, way(model, state, turn_rad)))


@pytest.mark.battery(0, judged=2)
@ALL_MODES
@ATTITUDES
def test_through_a_pose_in_which_the_arm_cannot_move_everywhere(mode: ManoeuvreMode, turn_rad: float) -> None:
    state = State.at_rest(ETS7.system, STRETCHED)
    reference = way(ETS7, state, turn_rad)
    inner = coordinated(ETS7, mode)
    fast, slow = both(ETS7, state, mode, inner, reference, sigma_0=0.1)
    law = ResolvedRate(inner, sigma_0=0.1)
    states = [fast.states[k].of_layout(law.estimate.layout) for k in range(len(fast.t))]
    dampings = [law.resolution(state, reference.at(float(t))).damping for state, t in zip(states, fast.t, strict=True)]
    assert dampings[0] > 0.09 or not turn_rad
    check_equal((fast, slow))


@pytest.mark.battery(0, each=1)
@ATTITUDES
@pytest.mark.parametrize("law", ["printed", "with feedforward", "regulator", "coordinated"])
def test_every_law_inside(law: str, turn_rad: float) -> None:
    model, state = fitted("hinges and a slide", wheel_limits={}, motor_limits={"torque_Nm": 3.0})
    inner = {
        "printed": ComputedTorque(model, K_P=0.0, K_D=3.0),
        "with feedforward": WithFeedforward(ComputedTorque(model, K_P=0.0, K_D=3.0)),
        "regulator": JointRegulator(model, K_P=0.0, K_D=2.0),
        "coordinated": coordinated(model, Floating()),
    }[law]
    check_equal(both(model, state, Floating(), inner, way(model, state, turn_rad)))


@pytest.mark.slow
@ATTITUDES
def test_controlled_steps_are_the_same_where_damping_does_not_set_in(turn_rad: float) -> None:
    """Where it does, rates have a kink, and rounding decides which steps are refused there."""
    state = State.at_rest(ETS7.system, BENT)
    runs = both(
        ETS7,
        state,
        Floating(),
        coordinated(ETS7, Floating()),
        way(ETS7, state, turn_rad),
        integrator=DOP853(),
        rtol=1e-10,
    )
    check_equal(runs)


@pytest.mark.slow
@ATTITUDES
def test_on_a_held_base_that_carries_weight(turn_rad: float) -> None:
    model = compile_model(load_system("model:industrial_6r"))
    state = State(q=[0.1, -0.2, 0.3, 0.4, 0.7, 0.2], qdot=np.zeros(6))
    inner = WithFeedforward(ComputedTorque(model, K_P=0.0, K_D=5.0))
    check_equal(both(model, state, FixedBase(), inner, way(model, state, turn_rad)))


@pytest.mark.slow
def test_a_centre_of_mass_that_moves_with_inertias_at_run_time_is_led_where_it_is_believed_to_be() -> None:
    plants = [compile_model(two_joints(), inertia=RunTimeInertia())]
    plants.append(plants[0].with_inertia_of(two_joints(mass_2=9.0)))
    state, frame = moving_state(), plants[0].system.frame_names[-1]
    runs = []
    for model in plants:
        inner = WithFeedforward(ComputedTorque(plants[0], K_P=0.0, K_D=4.0))
        pair = both(model, state, Floating(), inner, way(plants[0], state, 0.0, frame=frame))
        check_equal(pair)
        runs.append(pair[0])
    kept = sum(key[0] == "closed loop" for key in plants[0].family.kept if isinstance(key, tuple))
    assert kept == 2  # of both systems: one with the law, one that asks it in Python
    assert abs(runs[0].q[-1] - runs[1].q[-1]).max() > 1e-4


@pytest.mark.slow
def test_it_arrives_and_its_default_is_the_momentum_reduced_run() -> None:
    state = State.at_rest(ETS7.system, BENT)
    law = ResolvedRate(WithFeedforward(ComputedTorque(ETS7, K_P=0.0, K_D=2.0)))
    reference = way(ETS7, state, 0.4, duration_s=20.0)
    common = {"reference": reference, "t_end_s": 45.0, "rtol": 1e-10, "output_step_s": 15.0}
    reduced, full = (simulate(ETS7, Floating(), law, state, coordinates=c, **common) for c in (None, FullState()))
    named = simulate(ETS7, Floating(), law, state, coordinates=MomentumReduced(), **common)
    assert np.array_equal(reduced.q, named.q)
    assert_allclose(reduced.q, full.q, atol=1e-8)
    assert np.linalg.norm(pose_error(ETS7, reduced.final, reference.at(45.0))) < 1e-6
    contract = Floating().contract(reduced)
    assert max(residual.relative for residual in contract.values()) < 1e-9
    assert reduced.residuals["joint_motion"].relative < 1e-7  # in the step with the kink at which damping sets in


@pytest.mark.battery(0, judged=2)
@ALL_MODES
def test_every_case_of_an_ensemble_is_its_own_run(mode: ManoeuvreMode) -> None:
    model, state = fitted("hinges and a slide", wheel_limits={}, motor_limits={})
    rng = np.random.default_rng(5)
    states = State.stack([state] * 3)
    N = model.layout.N
    numbers = {"K": rng.uniform(0.5, 2.0, (3, 6)), "sigma_0": rng.uniform(0.02, 0.1, (3, 1)), "K_P": np.zeros((3, N))}
    numbers |= {"K_D": rng.uniform(2.0, 5.0, (3, N)), "base_K_D": rng.uniform(1.0, 3.0, (3, 6))}
    common = {"reference": way(model, state, 0.3), "t_end_s": 2.0, "output_step_s": 2.0, "environment": CIRCLE}
    runs = ensemble(model, mode, ResolvedRate(coordinated(model, mode)), states, step_s=0.005, parameters=numbers, **common)
    assert set(runs.outcomes) == {Outcome.COMPLETED}
    for case in range(3):
        own = {name: numbers[name][case] for name in ("K_P", "K_D", "base_K_D")}
        inner = CoordinatedComputedTorque(model, mode, **own, pose=POSE)
        law = ResolvedRate(inner, K=numbers["K"][case], sigma_0=numbers["sigma_0"][case, 0])
        history = simulate(model, mode, law, state, integrator=FixedDOP853(0.005), **common)
        other = history.final.x
        assert_allclose(runs.states(1)[case].x, other, rtol=0, atol=1e-10 * max(1.0, np.abs(other).max()))


def test_an_ensemble_refuses_a_law_and_a_motion_that_do_not_fit() -> None:
    state = State.at_rest(ETS7.system, BENT)
    law = ComputedTorque(ETS7)
    pairs = {"a motion of the joints": (law, way(ETS7, state, 0.0)), "a motion of a frame": (ResolvedRate(law), Hold(BENT))}
    for words, (each, reference) in pairs.items():
        with pytest.raises(InvalidInput, match=words) as refused:
            ensemble(ETS7, Floating(), each, state, reference=reference, t_end_s=1.0, step_s=0.1)
        assert [problem.key for problem in refused.value.problems] == ["reference"]
