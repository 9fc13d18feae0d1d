"""A servicer that flies beside a body that is free of it: neither moves the other."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from scmanip import Plant, compile_model, load_mission, load_study, simulate
from scmanip.control import ComputedTorque, CoordinatedComputedTorque, JointRegulator, ResolvedRate
from scmanip.errors import InvalidInput, InvalidMission, ModeMismatch
from scmanip.guidance import Hold, JointSequence, Reach
from scmanip.loads import Gravity, Orbit
from scmanip.modes import FixedBase, Floating, Flying, RotationFloating, RotationFlying, TranslationFlying
from scmanip.simulation import DOP853, FullState, MomentumReduced
from scmanip.spatial import dcm_from_quaternion
from scmanip.system import State, System

from ..system.test_free_bodies import FILE

PAIR = System.from_toml_text(FILE)
SERVICER = PAIR.trees[0].system
RIGID = System("rigid", PAIR.base, [PAIR.bodies[1], PAIR.bodies[2]], PAIR.frames)
TUMBLE = [3.0, 1.0, -0.5, *(np.array([0.1, 0.7, -0.5, 0.5]) / 1.0)]


@cache
def model_of(system: System):
    return compile_model(system)


def start(system: System) -> State:
    quaternion = np.array(TUMBLE[3:]) / np.linalg.norm(TUMBLE[3:])
    panel, rate = ([0.3], [0.1]) if len(system.layout.q_names) == 9 else ([], [])
    q = [0.2, *TUMBLE[:3], *quaternion, *panel]
    qdot = [0.1, 0.01, -0.02, 0.03, 0.2, -0.3, 0.4, *rate]
    return State([0.1, 0.2, 0.3], [0, 0, 0.6, 0.8], q, [0.01, 0.02, 0], [0.01, -0.02, 0.03], qdot)


def alone(state: State) -> State:
    return State(state.r_0, state.attitude_xyzw, state.q[:1], state.v_0, state.omega_0, state.qdot[:1])


def goal(state: State, angle: float) -> np.ndarray:
    return np.array([angle, *state.q[1:]])


@pytest.mark.slow
def test_a_target_keeps_its_own_momenta_while_the_servicer_moves():
    model, state = model_of(RIGID), start(RIGID)
    law, wanted = ComputedTorque(model, K_P=1.0, K_D=2.0), Hold(goal(state, 0.9), layout=RIGID.layout)
    history = simulate(
        model, Floating(), law, state, reference=wanted, t_end_s=20.0, rtol=1e-13, integrator=DOP853(max_step_s=0.1)
    )
    for series in (history.P_by_tree[:, 1], history.L_C_by_tree[:, 1]):
        assert abs(series - series[0]).max() <= 1e-12 * abs(series[0]).max()
    assert history.residuals["momentum_of_target"].relative < 1e-12
    assert history.residuals["angular_momentum_of_target"].relative < 1e-12
    assert not history.broken_laws
    parts = history.P_by_tree.sum(axis=1)
    assert_allclose(parts, history.P, atol=1e-12)


@pytest.mark.parametrize("law", [ComputedTorque, JointRegulator])
def test_the_servicer_flies_as_without_the_target(law: type) -> None:
    state, both, one = start(PAIR), model_of(PAIR), model_of(SERVICER)
    reference = Hold(goal(state, 0.9), layout=PAIR.layout)
    options = {"t_end_s": 5.0, "rtol": 1e-12, "coordinates": FullState()}
    with_target = simulate(both, Floating(), law(both, K_P=1.0, K_D=2.0), state, reference=reference, **options)
    without = simulate(one, Floating(), law(one, K_P=1.0, K_D=2.0), alone(state), reference=Hold([0.9]), **options)
    assert_allclose(with_target.r_0[-1], without.r_0[-1], atol=1e-11)
    assert_allclose(with_target.q[-1, :1], without.q[-1], atol=1e-11)
    assert not with_target.tau[:, 1:].any()
    assert_allclose(with_target.shift_by_joint[-1, :, :1], without.shift_by_joint[-1], atol=1e-11)


@pytest.mark.battery(1)
@pytest.mark.parametrize("mode", [RotationFloating(), Flying(), TranslationFlying(), RotationFlying()], ids=repr)
def test_modes_that_drive_the_base_drive_nothing_else(mode) -> None:
    state, both, one = start(PAIR), model_of(PAIR), model_of(SERVICER)
    gains = {"K_P": 1.0, "K_D": 2.0, "base_K_P": 1.0, "base_K_D": 2.0}
    reference, options = Hold(goal(state, 0.9), layout=PAIR.layout), {"t_end_s": 3.0, "rtol": 1e-12}
    with_target = simulate(both, mode, CoordinatedComputedTorque(both, mode, **gains), state, reference=reference, **options)
    law = CoordinatedComputedTorque(one, mode, **gains)
    without = simulate(one, mode, law, alone(state), reference=Hold([0.9]), **options)
    assert_allclose(with_target.r_0[-1], without.r_0[-1], atol=1e-11)
    assert_allclose(with_target.omega_0[-1], without.omega_0[-1], atol=1e-11)
    assert not with_target.broken_laws
    assert list(mode.actuated(PAIR.layout))[-1] == 6 and mode.commanded(PAIR.layout)[-1] == "link"


def test_a_frame_is_led_as_without_the_target():
    state, both, one = start(PAIR), model_of(PAIR), model_of(SERVICER)
    to = one.position(alone(state), "link.com") + np.array([0.0, 0.02, 0.0])
    ends = []
    for model, own in ((both, state), (one, alone(state))):
        reach = Reach.from_state(model, own, "link.com", position_m=to, duration_s=2.0)
        law = ResolvedRate(ComputedTorque(model, K_P=4.0, K_D=4.0), K=1.0)
        ends.append(simulate(model, Floating(), law, own, reference=reach, t_end_s=2.0, rtol=1e-11).q[-1, 0])
    assert_allclose(ends[0], ends[1], atol=1e-9)


def test_a_sequence_of_joints_leads_those_that_the_base_carries():
    state = start(PAIR)
    assert "joints=(0,)" in repr(JointSequence(state.q, layout=PAIR.layout))
    with pytest.raises(InvalidInput, match=r"target\.vx"):
        JointSequence(state.q, layout=PAIR.layout, joints=[1])


def test_a_command_of_what_is_free_is_refused_by_name():
    model, state = model_of(PAIR), start(PAIR)
    with pytest.raises(ModeMismatch, match=r"returned 2 for 'target\.vy' at t = 0 s, which no actuator of the base moves"):
        simulate(model, Floating(), lambda t, now: np.array([0.1, 0, 2.0, 0, 0, 0, 0, 0]), state, t_end_s=1.0)
    with pytest.raises(ModeMismatch, match="'panel'"):
        Plant(model, Floating()).accelerations(state, [0.1, 0, 0, 0, 0, 0, 0, 3.0])


def test_coordinates_that_keep_one_momentum_are_refused_and_full_ones_taken():
    model, state = model_of(PAIR), start(PAIR)
    law, wanted = ComputedTorque(model, K_P=1.0, K_D=2.0), Hold(goal(state, 0.9), layout=PAIR.layout)
    with pytest.raises(ModeMismatch, match=r"needs one tree, whose momentum tells .* has free bodies; use FullState\(\)"):
        simulate(model, Floating(), law, state, reference=wanted, t_end_s=1.0, coordinates=MomentumReduced())


def test_gravity_of_an_orbit_acts_on_every_tree_as_if_it_were_alone():
    state, gravity = start(RIGID), Gravity(Orbit.circular(altitude_m=500e3))
    plant, R = Plant(model_of(RIGID), Floating(), (gravity,)), dcm_from_quaternion(start(RIGID).q[4:])
    body = Plant(model_of(RIGID.trees[1].system), Floating(), (gravity,))
    com, v, omega = R @ RIGID.bodies[2].com_m, state.qdot[1:4], state.qdot[4:]
    own = State(state.q[1:4] + com, state.q[4:], [], v + np.cross(omega, com), omega)
    udot, expected = plant.accelerations(state, np.zeros(7)), body.accelerations(own, [])
    a, alpha = udot[7:10], udot[10:]
    assert_allclose(a + np.cross(alpha, com) + np.cross(omega, np.cross(omega, com)), expected[:3], rtol=1e-9, atol=1e-15)
    assert_allclose(alpha, expected[3:], rtol=1e-12)
    servicer = Plant(model_of(SERVICER), Floating(), (gravity,))
    assert_allclose(udot[:7], servicer.accelerations(alone(state), [0.0]), rtol=1e-9, atol=1e-16)


@pytest.mark.slow
def test_a_body_falls_past_a_base_that_is_held():
    system = System("stand", RIGID.base, RIGID.bodies[1:], fixed=True, gravity_m_s2=[0, 0, -9.81])
    model, floating = model_of(system), start(RIGID)
    state = State(q=floating.q, qdot=floating.qdot)
    history = simulate(model, FixedBase(), lambda t, now: np.zeros(7), state, t_end_s=1.0, rtol=1e-12)
    R = [dcm_from_quaternion(q) for q in history.q[[0, -1], 4:8]]
    com = system.bodies[2].com_m
    v = state.qdot[1:4] + np.cross(state.qdot[4:], R[0] @ com)
    fallen = history.q[-1, 1:4] + R[1] @ com - (state.q[1:4] + R[0] @ com)
    assert_allclose(fallen, v - [0, 0, 9.81 / 2], atol=1e-10)
    assert not history.broken_laws and history.residuals["energy"].relative < 1e-10
    held = simulate(
        model_of(System("arm", RIGID.base, RIGID.bodies[1:2], fixed=True, gravity_m_s2=[0, 0, -9.81])),
        FixedBase(),
        lambda t, now: np.zeros(1),
        State(q=state.q[:1], qdot=state.qdot[:1]),
        t_end_s=1.0,
        rtol=1e-12,
    )
    assert_allclose(history.wrench[-1], held.wrench[-1], rtol=1e-9)


MISSION = """schema = "scmanip.mission/1"
name = "beside"
system = "pair.toml"
[initial]
q_deg = { link = 20.0, panel = 5.0 }
q_m = { target = [2.0, 0.5, 0.1] }
q_xyzw = { target = [0.0, 0.0, 0.6, 0.8] }
qdot_deg_s = { "target.wx" = 3.0, "target.wz" = -5.0 }
qdot_m_s = { "target.vx" = -0.01 }
[[phase]]
name = "reach"
mode = "floating"
controller = { type = "computed_torque", K_P = 1.0, K_D = { link = 2.0 } }
guidance = { type = "cycloid", q_deg = { link = 40.0 }, duration_s = 2.0 }
until = { t_s = 3.0 }
[limits]
joint_rate_rad_s = 1.0
final_joint_error_rad = 0.1
"""


def written(folder: Path, text: str = MISSION) -> Path:
    (folder / "pair.toml").write_text(FILE)
    (folder / "mission.toml").write_text(text)
    return folder / "mission.toml"


def test_a_mission_says_where_a_free_body_is_and_how_it_moves(tmp_path: Path) -> None:
    run = load_mission(written(tmp_path)).run()
    history = run.history
    assert_allclose(history.q[0], [np.radians(20), 2.0, 0.5, 0.1, 0.0, 0.0, 0.6, 0.8, np.radians(5)])
    assert_allclose(history.qdot[0], [0, -0.01, 0, 0, np.radians(3), 0, np.radians(-5), 0])
    assert not history.broken_laws and not history.tau[:, 1:].any()
    assert "joint rate" in str(run.summary()) and "v_C, omega_0, target" in str(run.summary())  # which react freely


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("q_deg = { link = 40.0 }, duration", "q_deg = { link = 40.0 }, q_m = { target = [1, 2, 3] }, duration"),
        ("q_deg = { link = 40.0 }, duration", "q_deg = { link = 40.0 }, q_xyzw = { target = [0, 0, 0, 1] }, duration"),
        ("K_D = { link = 2.0 }", "K_D = { link = 2.0, panel = 1.0 }"),
        ("joint_rate_rad_s = 1.0", 'joint_rate_rad_s = { "target.wx" = 1.0 }'),
    ],
)
def test_what_would_command_or_bound_a_free_body_is_refused_by_name(tmp_path: Path, right: str, wrong: str) -> None:
    assert right in MISSION
    with pytest.raises(InvalidMission, match=r"found '(target|panel|target\.wx)'"):
        load_mission(written(tmp_path, MISSION.replace(right, wrong)))


def test_equal_runs_are_equal_to_the_last_bit_in_machine_code_and_in_python():
    model, state = model_of(RIGID), start(RIGID)
    law, wanted = ComputedTorque(model, K_P=1.0, K_D=2.0), Hold(goal(state, 0.9), layout=RIGID.layout)
    first, second = (simulate(model, Floating(), law, state, reference=wanted, t_end_s=2.0) for _ in range(2))
    assert_array_equal(first.q, second.q)


STUDY = """schema = "scmanip.study/1"
name = "weights"
mission = "mission.toml"
seed = 7
repeats = 2
[dispersion]
"system.body.*.mass_kg" = { distribution = "norm", loc = 1.0, scale = 0.02, how = "scale" }
[metrics]
final_error_deg = "max(abs(final(degrees(joint_error_rad))))"
"""


@pytest.mark.slow
def test_a_study_measures_the_errors_of_joints_that_somebody_leads(tmp_path: Path) -> None:
    written(tmp_path)
    (tmp_path / "study.toml").write_text(STUDY)
    result = load_study(tmp_path / "study.toml").run(tmp_path / "results")
    rows = (tmp_path / "results" / "cases.csv").read_text().splitlines()[1:]
    assert len(rows) == 2 and "completed" in str(result)
    assert all(0 < float(row.split(",")[-1]) < 5 for row in rows)  # the target turns by far more
