"""A frame led through inertial space: it arrives, whatever the base does."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

from scmanip.control import (
    ComputedTorque,
    CoordinatedComputedTorque,
    JointRegulator,
    Resolution,
    ResolvedRate,
    Sampled,
    WithFeedforward,
    pose_error,
)
from scmanip.control._attitude_error import attitude_error
from scmanip.dynamics import compile_model
from scmanip.errors import InvalidInput, ModeMismatch
from scmanip.guidance import Hold, PoseReference, Reach
from scmanip.interop import PinocchioTwin
from scmanip.modes import (
    CentroidalDynamics,
    FixedBase,
    Floating,
    Flying,
    RotationFloating,
    RotationFlying,
    TranslationFlying,
)
from scmanip.simulation import Outcome, simulate
from scmanip.spatial import quaternion_from_axis_angle, quaternion_product
from scmanip.symbolic import record
from scmanip.system import State, load_system
from tests.simulation.arms import no_joints

ETS7 = load_system("model:ets7")
MODEL = compile_model(ETS7)
TWIN = PinocchioTwin(ETS7)
TIP = ETS7.frame("tip")
BENT = State.at_rest(ETS7, np.radians([-30, -110, 30, -30, 30, -30]))
WAY = np.array([0.3, 0.2, 0.2])
RATES = WithFeedforward(ComputedTorque(MODEL, K_P=0.0, K_D=2.0))
LAW = ResolvedRate(RATES)
MODES = [Floating(), RotationFloating(), RotationFlying(), TranslationFlying(), TranslationFlying(RotationFloating()), Flying()]


def adrift(turning=1.0):
    """The bent arm on a base that drifts and turns."""
    v_0, omega_0 = np.array([0.004, -0.003, 0.002]), turning * np.array([0.002, -0.003, 0.004])
    return State(BENT.r_0, BENT.attitude_xyzw, BENT.q, v_0, omega_0, BENT.qdot)


def way(state, *, turn_rad=0.4, model=MODEL, duration_s=30.0):
    """From where the tip is by WAY, turned about an axis that is none of the frame's; with no turn the attitude is free."""
    goal = model.position(state, "tip") + WAY
    if not turn_rad:
        return Reach.from_state(model, state, "tip", position_m=goal, duration_s=duration_s)
    turn = quaternion_from_axis_angle(np.array([0.6, 0.0, 0.8]), turn_rad)
    attitude = quaternion_product(turn, model.attitude(state, "tip"))
    return Reach.from_state(model, state, "tip", position_m=goal, attitude_xyzw=attitude, duration_s=duration_s)


def flown(law, state, reference, *, mode=None, t_end_s=50.0, output_step_s=1.0):
    """A run with the law in a computer."""
    sampled = Sampled(law, rate_Hz=10.0 if isinstance(mode or Floating(), Floating) else 4.0)
    return simulate(
        MODEL, mode or Floating(), sampled, state, reference=reference, t_end_s=t_end_s, rtol=1e-10, output_step_s=output_step_s
    )


@pytest.mark.slow
@pytest.mark.parametrize("turn_rad", [0.4, 0.0], ids=["turned", "attitude free"])
def test_the_tip_arrives_where_pinocchio_sees_it_and_momentum_is_kept(turn_rad):
    reference = way(BENT, turn_rad=turn_rad)
    history = flown(LAW, BENT, reference)
    assert history.outcome is Outcome.COMPLETED
    place, R = TWIN.pose(history.final, TIP.body, TIP.origin_m)
    assert_allclose(place, TWIN.pose(BENT, TIP.body, TIP.origin_m)[0] + WAY, atol=1e-6)
    if turn_rad:
        cosine = (np.trace(R @ TWIN.pose(BENT, TIP.body, TIP.origin_m)[1].T) - 1) / 2
        assert_allclose(cosine, np.cos(turn_rad), atol=1e-9)
    assert np.linalg.norm(history.final.r_0) > 0.005  # the base was not held
    assert max(history.residuals[law].relative for law in ("momentum", "angular_momentum")) < 1e-9


@pytest.mark.slow
def test_the_law_in_a_continuous_loop_arrives_as_well():
    history = simulate(MODEL, Floating(), LAW, BENT, reference=way(BENT), t_end_s=50.0, rtol=1e-8, output_step_s=10.0)
    assert np.linalg.norm(pose_error(MODEL, history.final, way(BENT).at(50.0))) < 1e-6


@pytest.mark.slow
def test_the_tip_moves_with_the_twist_that_the_jacobian_says():
    """Against differences of Pinocchio's positions along the run."""
    state = adrift()
    reference = way(state)
    history = flown(LAW, state, reference, t_end_s=16.0, output_step_s=1e-3)
    for i in (5000, 10000, 15000):
        before, after = (TWIN.pose(history.states[k], TIP.body, TIP.origin_m)[0] for k in (i - 1, i + 1))
        resolved = LAW.resolution(history.states[i], reference.at(float(history.t[i])))
        velocity = (resolved.J @ history.qdot[i] + resolved.drift)[:3]
        assert_allclose((after - before) / 2e-3, velocity, atol=1e-6)
        assert_allclose(velocity, reference.at(float(history.t[i])).twist[:3], atol=2e-3)


@pytest.mark.slow
def test_a_base_that_drifts_and_turns_needs_the_drift_of_the_tip():
    """Without it the tip lags behind by the drift over the gain."""

    class NoDrift(ResolvedRate):
        def resolution(self, state, pose):
            resolved = super().resolution(state, pose)
            return replace(resolved, drift=0 * resolved.drift)

    state = adrift()
    reference = way(state)
    errors = [
        np.linalg.norm(pose_error(MODEL, flown(law, state, reference, t_end_s=40.0).final, reference.at(40.0))[:3])
        for law in (LAW, NoDrift(RATES))
    ]
    assert errors[0] < 1e-3 < 5e-3 < errors[1]


@pytest.mark.slow
def test_near_a_singularity_the_rates_stay_bounded_and_the_resolution_says_so():
    stretched = State.at_rest(ETS7, np.radians([0, -60, 90, 0, 0, 0]))
    reference = way(stretched, turn_rad=0.4)
    history = flown(LAW, stretched, reference)
    assert history.outcome is Outcome.COMPLETED
    resolved = [LAW.resolution(history.states[i], reference.at(float(history.t[i]))) for i in range(len(history.t))]
    assert resolved[0].damping > 0.04 and resolved[0].singular_values[-1] < 0.002
    for k, each in enumerate(resolved):
        pose = reference.at(float(history.t[k]))
        asked = pose.twist + LAW.K * pose_error(MODEL, history.states[k], pose) - each.drift
        rates = LAW.joints(history.states[k], pose).qdot
        assert np.linalg.norm(rates) <= np.linalg.norm(asked) / LAW.sigma_0 * (1 + 1e-12)


@pytest.mark.parametrize("smallest", [0.0, 1e-9, 0.01, 0.0499, 0.05, 0.2])
def test_damping_bounds_the_inverse_in_every_direction_and_vanishes_away_from_singularities(smallest):
    rng = np.random.default_rng(3)
    U, V = (np.linalg.qr(rng.normal(size=(n, n)))[0] for n in (6, 7))
    J = U @ np.hstack([np.diag([2.0, 1.0, 0.3, 0.06, 0.055, smallest]), np.zeros((6, 1))]) @ V
    resolved = Resolution.of(J, np.zeros(6), 0.05)
    assert np.linalg.norm(np.array([resolved.rates(e) for e in np.eye(6)]), 2) <= (1 + 1e-9) / 0.05
    assert_allclose(resolved.manipulability**2, np.linalg.det(J @ J.T), rtol=1e-9, atol=1e-18)
    twist = rng.normal(size=6)
    if smallest >= 0.05:
        assert resolved.damping == pytest.approx(0.0, abs=1e-8)
        assert_allclose(J @ resolved.rates(twist), twist, atol=1e-9)


@pytest.mark.battery(5)
@pytest.mark.parametrize("shape", [(6, 7), (6, 6), (6, 4), (3, 6), (3, 2)])
@pytest.mark.parametrize("smallest", [0.0, 1e-9, 0.03, 0.2])
def test_rates_are_those_of_the_singular_values_on_numbers_and_in_a_program(shape, smallest):
    rng = np.random.default_rng(9)
    U, _, V = np.linalg.svd(rng.normal(size=shape), full_matrices=False)
    sigma = np.geomspace(2.0, 0.3, min(shape))
    sigma[-1] = smallest
    J, twists = (U * sigma) @ V, rng.normal(size=(shape[0], 2))
    damping = np.sqrt(max(0.05**2 - smallest**2, 0.0))
    wanted = V.T @ ((sigma / (sigma**2 + damping**2))[:, None] * (U.T @ twists))

    def rates(J, twists):
        return {"rates": Resolution.of(J, np.zeros(len(J)), 0.05).rates(twists)}

    program = record({"J": J.shape, "twists": twists.shape}, rates)
    for found in (rates(J, twists)["rates"], program.evaluate(J, twists)[0]):
        assert_allclose(found, wanted, rtol=0, atol=1e-11 * np.abs(wanted).max())
    assert_allclose(rates(J, twists[:, 1])["rates"], wanted[:, 1], rtol=0, atol=1e-11 * np.abs(wanted).max())


@pytest.mark.parametrize("angle", [0.0, 1e-12, 1e-6, 0.4, 2.0, np.pi - 1e-3, np.pi - 1e-9, 4.0])
def test_the_error_of_an_attitude_is_that_of_scipys_rotations_however_large_the_turn(angle):
    rng = np.random.default_rng(2)
    program = record({"wanted": (4,), "found": (4,)}, lambda wanted, found: {"error": attitude_error(wanted, found)})
    for _ in range(20):
        axis = rng.normal(size=3)
        axis /= np.linalg.norm(axis)
        here = Rotation.random(random_state=rng)
        there = Rotation.from_rotvec(angle * axis) * here
        shorter = angle if angle < np.pi else angle - 2 * np.pi
        for sign in (1, -1):
            given = sign * there.as_quat(), here.as_quat()
            for error in (attitude_error(*given), program.evaluate(*given)[0]):
                assert_allclose(error, 2 * np.sin(shorter / 2) * axis, atol=1e-14)


@pytest.mark.slow
def test_where_nothing_drives_the_base_the_jacobian_is_the_generalized_one():
    state = adrift()
    whole = np.hstack([MODEL.J0(state, "tip"), MODEL.Jm(state, "tip")])
    joints = np.arange(6, 12)
    assert_allclose(CentroidalDynamics.of(MODEL, state).driven(joints).jacobian(whole), MODEL.J_star(state, "tip"), atol=1e-12)


@pytest.mark.battery(1)
@pytest.mark.parametrize("mode", [RotationFloating(), RotationFlying(), TranslationFlying()], ids=repr)
def test_where_the_mode_drives_the_base_the_jacobian_is_what_joint_impulses_do(mode):
    """Joint rates change while what is commanded keeps its speed and the momentum of the rest does not change, by Pinocchio."""
    law = ResolvedRate(CoordinatedComputedTorque(MODEL, mode))
    state, reference = adrift(), way(adrift())
    resolved = law.resolution(state.of_layout(law.estimate.layout), reference.at(0.0))
    M, J = TWIN.M(state), TWIN.jacobian(state, TIP.body, TIP.origin_m)
    for j in range(6):
        du = np.zeros(12)
        du[6 + j] = 1.0
        if isinstance(mode, TranslationFlying):  # no impulse of a couple, and the system CoM keeps its speed: P does
            du[:6] = -np.linalg.solve(M[:6, :6], M[:6, 6 + j])
        else:  # the base keeps its rate, P does not change
            du[:3] = -np.linalg.solve(M[:3, :3], M[:3, 6 + j])
        assert_allclose(resolved.J[:, j], J @ du, atol=1e-12)
    assert_allclose(resolved.J @ state.qdot + resolved.drift, J @ state.u, atol=1e-12)


@pytest.mark.battery(1)
@pytest.mark.parametrize("mode", MODES, ids=repr)
def test_the_tip_arrives_in_every_mode(mode):
    inner = RATES if isinstance(mode, Floating) else CoordinatedComputedTorque(MODEL, mode, K_P=0.0, K_D=2.0)
    law = ResolvedRate(inner)
    reference = way(BENT, duration_s=8.0)
    history = flown(law, BENT, reference, mode=mode, t_end_s=20.0, output_step_s=20.0)
    place, _ = TWIN.pose(history.final, TIP.body, TIP.origin_m)
    assert_allclose(place, TWIN.pose(BENT, TIP.body, TIP.origin_m)[0] + WAY, atol=1e-4)


@pytest.mark.slow
@pytest.mark.parametrize("law", ["computed torque", "regulator"])
def test_on_a_held_base_it_is_the_arms_own_jacobian(law):
    system = load_system("model:industrial_6r")
    model = compile_model(system)
    state = State(q=[0.1, -0.2, 0.3, 0.4, 0.7, 0.2], qdot=np.zeros(6))
    inner = WithFeedforward(ComputedTorque(model, K_P=0.0, K_D=5.0))
    if law == "regulator":  # which carries the weight, and follows rates by dampers alone
        inner = JointRegulator(model, K_P=0.0, K_D=10 * np.diagonal(model.H(state)))
    goal = model.position(state, "tip") + np.array([0.1, -0.1, 0.1])
    reference = Reach.from_state(
        model, state, "tip", position_m=goal, attitude_xyzw=model.attitude(state, "tip"), duration_s=5.0
    )
    history = simulate(
        model,
        FixedBase(),
        Sampled(ResolvedRate(inner, K=1.0), rate_Hz=100.0),
        state,
        reference=reference,
        t_end_s=25.0,
        rtol=1e-8,
    )
    place, _ = PinocchioTwin(system).pose(history.final, system.frame("tip").body, system.frame("tip").origin_m)
    assert_allclose(place, goal, atol=1e-4)


def test_a_law_of_joints_refuses_a_frame_and_the_law_of_a_frame_refuses_joints():
    with pytest.raises(InvalidInput, match=r"a motion of the joints for ComputedTorque.*ResolvedRate"):
        simulate(MODEL, Floating(), ComputedTorque(MODEL), BENT, reference=way(BENT), t_end_s=1.0)
    with pytest.raises(InvalidInput, match=r"a motion of a frame for ResolvedRate.*Reach"):
        simulate(MODEL, Floating(), LAW, BENT, reference=Hold(BENT.q), t_end_s=1.0)
    with pytest.raises(InvalidInput, match="none at t = 0 s"):
        simulate(MODEL, Floating(), LAW, BENT, t_end_s=1.0)


def test_what_does_not_fit_is_refused():
    with pytest.raises(ModeMismatch, match="CoordinatedComputedTorque commands both"):
        LAW.check(MODEL, RotationFloating())
    brick = compile_model(no_joints([1.0, 2.0, 2.5]))
    with pytest.raises(ModeMismatch, match="has none"):
        ResolvedRate(ComputedTorque(brick)).check(brick, Floating())
    with pytest.raises(InvalidInput) as refused:
        ResolvedRate(LAW, K=-1.0, sigma_0=0.0)
    assert [problem.key for problem in refused.value.problems] == ["K", "law", "sigma_0"]


def test_a_reference_of_a_frame_is_checked_before_the_run():
    class Wrong(Reach):
        def at(self, t):
            return PoseReference("tip", np.zeros(2), None, np.zeros(6), np.full(6, np.nan))

    with pytest.raises(InvalidInput, match="reference position_m at t = 0 s: expected 3 finite numbers") as refused:
        simulate(MODEL, Floating(), LAW, BENT, reference=Wrong("tip", start_m=WAY, end_m=WAY, duration_s=1.0), t_end_s=1.0)
    assert len(refused.value.problems) == 2
