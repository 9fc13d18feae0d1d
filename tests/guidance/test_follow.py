"""A frame that goes to one of a body that drifts and tumbles, and along with it."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip import Floating, Plant, State, compile_model, simulate
from scmanip.control import BasePose, CoordinatedComputedTorque, ResolvedRate, Sampled, pose_error
from scmanip.control._moving_frame import in_space, moving_frame
from scmanip.errors import InvalidInput, ModeMismatch
from scmanip.guidance import Follow, Hold
from scmanip.modes import Flying, RotationFloating, Situation
from scmanip.spatial import dcm_from_quaternion, quaternion_conjugate, quaternion_product
from scmanip.system import Body, Frame, Joint, System, load_system

from ..simulation.machine_code import all_in_machine_code

UPRIGHT = [0.0, 0.0, 0.0, 1.0]
ARM = load_system("model:ets7")
CLIENT = Body("client", 50.0, [4.0, 7.0, 9.0], [0.1, 0.05, 0], "ground", Joint("client", "free"))
DISH = Body("dish", 2.0, [0.1, 0.1, 0.1], [0, 0.2, 0], "client", Joint("dish", "revolute", axis=[1, 0, 0]))
KNOB = [Frame("knob", "client", origin_m=[-0.5, 0.2, 0.1])]
MODEL = compile_model(System("pair", ARM.base, [*ARM.bodies[1:], CLIENT], [*ARM.frames, *KNOB]))
TIP = ARM.frames[-1].name


def start(omega=(0.02, -0.03, 0.01), v=(0.004, 0.002, -0.003)):
    q = np.radians([-30.0, -110.0, 30.0, -30.0, 30.0, -30.0])
    hand = MODEL.position(State([0, 0, 0], UPRIGHT, [*q, *np.zeros(6), 1.0], *np.zeros((2, 3)), np.zeros(MODEL.layout.N)), TIP)
    pose = [*(hand + np.array([0.6, -0.1, -0.05])), 0.1, -0.2, 0.1, np.sqrt(0.94)]
    return State([0, 0, 0], UPRIGHT, [*q, *pose], [0, 0, 0], [0, 0, 0], [*np.zeros(len(q)), *v, *omega])


START = start()


def coasted(state, t):
    """The state after all have coasted, the joints without torque."""
    plant = Plant(MODEL, Floating())
    return simulate(plant, lambda t, x: np.zeros(MODEL.layout.N), state, t_end_s=t, rtol=1e-13, output_step_s=t).states[-1]


@pytest.mark.slow
def test_the_motion_of_the_other_frame_is_that_of_a_free_body():
    h = 1e-3
    early, now, late = START, coasted(START, h), coasted(START, 2 * h)
    motion = moving_frame(Situation.of(MODEL, now), "knob")
    places = [MODEL.position(state, "knob") for state in (early, now, late)]
    assert_allclose(motion.position_m, places[1], atol=1e-14)
    assert_allclose(motion.twist[:3], (places[2] - places[0]) / (2 * h), atol=1e-9)
    assert_allclose(motion.twist[3:], now.qdot[-3:], atol=1e-14)
    rates = [moving_frame(Situation.of(MODEL, state), "knob").twist for state in (early, late)]
    assert_allclose(motion.twist_dot, (rates[1] - rates[0]) / (2 * h), atol=1e-9)
    assert abs(motion.twist_dot).max() > 1e-4


@pytest.mark.parametrize("attitude", [None, UPRIGHT, [0.5, -0.5, 0.5, 0.5]])
def test_it_starts_as_the_frame_moves_and_its_parts_are_derivatives_of_each_other(attitude):
    state = START.repacked(np.concatenate([START.x[: MODEL.layout.x_u.start], 0.03 * np.cos(np.arange(MODEL.layout.n_u))]))
    reference = Follow.from_state(MODEL, state, TIP, of="knob", duration_s=7.0, position_m=[-0.1, 0, 0], attitude_xyzw=attitude)
    first = in_space(Situation.of(MODEL, state), reference.at(0.0))
    assert_allclose(pose_error(MODEL, state, reference.at(0.0)), 0.0, atol=1e-13)
    twist = np.hstack([MODEL.J0(state, TIP), MODEL.Jm(state, TIP)]) @ state.u
    rows = 3 if attitude is None else 6
    assert_allclose(first.twist[:rows], twist[:rows], atol=1e-13)
    for t in (0.9, 3.1, 6.5):
        exact, h = reference.form.at(t + 1e-20j, reference.numbers(0.0)), 1e-20
        sample = reference.at(t)
        assert_allclose(exact.position_m.imag / h, sample.twist[:3], atol=1e-14)
        assert_allclose(exact.twist.imag / h, sample.twist_dot, atol=1e-14)
        if attitude is not None:
            rate = 2 * quaternion_product(exact.attitude_xyzw.imag / h, quaternion_conjugate(sample.attitude_xyzw))
            assert_allclose(rate, [*sample.twist[3:], 0.0], atol=1e-14)
    last = reference.at(9.0)
    assert_allclose(last.position_m, [-0.1, 0, 0], atol=1e-15)
    assert not last.twist.any() and not last.twist_dot.any()


def test_what_it_is_in_space_has_the_rates_of_its_place_and_turn():
    reference = Follow.from_state(MODEL, START, TIP, of="knob", duration_s=5.0, attitude_xyzw=UPRIGHT)
    h, t = 1e-3, 2.0
    states = [coasted(START, t + k * h) for k in (-1, 0, 1)]
    before, now, after = (
        in_space(Situation.of(MODEL, state), reference.at(t + k * h)) for k, state in zip((-1, 0, 1), states, strict=True)
    )
    assert_allclose(now.twist[:3], (after.position_m - before.position_m) / (2 * h), atol=1e-7)
    turn = quaternion_product(after.attitude_xyzw, quaternion_conjugate(before.attitude_xyzw))
    assert_allclose(now.twist[3:], turn[:3] * np.sign(turn[3]) / h, atol=1e-7)
    assert_allclose(now.twist_dot, (after.twist - before.twist) / (2 * h), atol=1e-7)
    R = dcm_from_quaternion(now.attitude_xyzw)
    assert_allclose(R.T @ R, np.eye(3), atol=1e-14)


def tracked(K=1.0, K_D=4.0, rate_Hz=None):
    mode, state = RotationFloating(), start((0.01, -0.01, 0.01))
    law = ResolvedRate(CoordinatedComputedTorque(MODEL, mode, K_P=0.0, K_D=K_D, feedforward=True), K=K)
    law = law if rate_Hz is None else Sampled(law, rate_Hz=rate_Hz)
    beside = in_space(Situation.of(MODEL, state), Follow.from_state(MODEL, state, TIP, of="knob", duration_s=1.0).at(0.0))
    R = dcm_from_quaternion(MODEL.attitude(state, "knob"))
    place = R.T @ (beside.position_m - MODEL.position(state, "knob")) + np.array([0.02, 0.03, -0.02])
    turned = quaternion_product(quaternion_conjugate(MODEL.attitude(state, "knob")), MODEL.attitude(state, TIP))
    goal = {"position_m": place, "attitude_xyzw": quaternion_product(np.array([np.sin(0.05), 0, 0, np.cos(0.05)]), turned)}
    reference, plant = Follow.from_state(MODEL, state, TIP, of="knob", duration_s=10.0, **goal), Plant(MODEL, mode)
    history = simulate(plant, law, state, reference=reference, t_end_s=24.0, rtol=1e-9, output_step_s=4.0)
    pairs = zip(history.t, history.states, strict=True)
    return history, np.array([pose_error(plant.model, now, reference.at(t)) for t, now in pairs])


@pytest.mark.slow
def test_a_hand_goes_along_with_a_tumbling_body_as_well_as_its_law_can():
    with all_in_machine_code():
        history, slow = tracked()
    assert history.outcome == "completed" and not history.broken_laws
    late = history.t > 14.0
    assert abs(slow[late]).max() < 6e-5
    _, fast = tracked(K=2.0, K_D=8.0)
    assert_allclose(abs(slow[late]).max() / abs(fast[late]).max(), 4.0, rtol=0.1)  # what is left is of dJ/dt, by K K_D
    _, sampled = tracked(rate_Hz=20.0)
    assert abs(sampled[late] - slow[late]).max() < 1e-5


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"duration_s": 0.0}, "duration_s"),
        ({"start_m": [0.0, 0.0]}, "start_m: expected 3 numbers, found 2"),
        ({"twist": [0.0, 0.0, 0.0]}, "twist: expected 6 numbers, found 3"),
        ({"end_xyzw": UPRIGHT}, "an attitude at both ends or at neither"),
        ({"end_m": [0.0, np.nan, 0.0]}, "end_m"),
    ],
)
def test_numbers_that_are_none_are_refused(given, words):
    with pytest.raises(InvalidInput, match=words):
        Follow(TIP, of="knob", **{"start_m": [0.0, 0.0, 0.0], "duration_s": 1.0, **given})


def test_frames_that_nothing_free_has_are_refused():
    with pytest.raises(ModeMismatch, match="is a frame of a free body, and 'base' is on 'base'; those are client"):
        Follow.from_state(MODEL, START, TIP, of="base", duration_s=1.0)
    whole = compile_model(System("three", ARM.base, [*ARM.bodies[1:], CLIENT, DISH], ARM.frames))
    law = ResolvedRate(CoordinatedComputedTorque(whole, Floating()))
    state = State([0, 0, 0], UPRIGHT, [*START.q, 0.1], [0, 0, 0], [0, 0, 0], [*START.qdot, 0.0])
    with pytest.raises(ModeMismatch, match="'dish' is on 'dish'"):
        simulate(
            whole, Floating(), law, state, reference=Follow(TIP, of="dish", start_m=np.zeros(3), duration_s=1.0), t_end_s=1.0
        )
    motion = moving_frame(Situation.of(whole, state), "client")
    assert np.isfinite(motion.twist_dot).all()


def kept(pose, mode=None, state=START, t_end_s=40.0, **gains):
    """Where the base is in the frame that it goes along with, and how fast it moves there."""
    mode = mode or Flying()
    given = {"K_P": 0.0, "K_D": 1.0, "base_K_P": 0.25, "base_K_D": 1.0, **gains}
    law = CoordinatedComputedTorque(MODEL, mode, pose=pose, **given)
    hold = Hold(state.q, layout=MODEL.layout)
    history = simulate(Plant(MODEL, mode), law, state, reference=hold, t_end_s=t_end_s, rtol=1e-9, output_step_s=2.0)
    assert history.outcome == "completed" and not history.broken_laws
    found = []
    for now in history.states:
        R = dcm_from_quaternion(MODEL.attitude(now, "knob"))
        turned = quaternion_product(quaternion_conjugate(MODEL.attitude(now, "knob")), now.attitude_xyzw)
        found.append(np.concatenate([R.T @ (now.r_0 - MODEL.position(now, "knob")), turned * np.sign(turned[3])]))
    return history, np.array(found)


@pytest.mark.slow
def test_a_base_keeps_its_station_in_a_frame_that_tumbles():
    wanted = BasePose([0.1, -0.2, 0.1, np.sqrt(0.94)], [1.0, 0.3, -2.0], relative_to="knob")
    with all_in_machine_code():
        history, found = kept(wanted)
    end = found[history.t > 34.0]
    assert abs(history.omega_0[-1]).max() > 0.01  # it turns with what it is beside
    assert_allclose(end[:, :3], np.broadcast_to([1.0, 0.3, -2.0], (len(end), 3)), atol=2e-5)
    assert_allclose(end[:, 3:], np.broadcast_to(wanted.attitude_xyzw, (len(end), 4)), atol=2e-6)
    _, early = kept(wanted, t_end_s=20.0)
    assert abs(early[-1, :3] - wanted.position_m).max() > 30 * abs(end[-1, :3] - wanted.position_m).max()  # as exp(-t / 2)


@pytest.mark.slow
def test_what_a_pose_leaves_open_is_kept_as_it_is_found_there():
    spun = START.repacked(START.x)
    history, found = kept(BasePose(None, None, relative_to="knob"), state=spun, base_K_P=4.0, base_K_D=4.0)
    assert_allclose(found[-1], found[0], atol=1e-6)
    assert np.linalg.norm(history.r_0[-1] - history.r_0[0]) > 0.1


def test_bases_along_with_nothing_are_refused():
    with pytest.raises(ModeMismatch, match="'tip' is on 'link6'"):
        kept(BasePose(relative_to="tip"), t_end_s=1.0)
    with pytest.raises(InvalidInput, match="relative_to"):
        BasePose(relative_to=3)
