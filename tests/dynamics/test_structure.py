"""Laws that the equations of any floating or fixed arm obey, whatever the numbers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from scmanip.dynamics import Model, Reference, compile_model
from scmanip.spatial import Quaternion, dcm_from_quaternion, quaternion_product, skew
from scmanip.system import Body, Joint, State, System

from ..oracles.complex_step import rate
from ..oracles.random_systems import random_inertia, random_rotation, random_state, random_system

pytestmark = pytest.mark.battery(12)

EPS = np.finfo(float).eps
FLOATING = [*range(2000, 2024)]
ANY = [*FLOATING[:16], *range(3000, 3008)]  # the last eight stand on the ground


def system_of(seed: int, *, springs: bool = True) -> System:
    return random_system(seed, fixed=seed >= 3000, springs=springs)


@pytest.fixture(params=ANY)
def seed(request: pytest.FixtureRequest) -> int:
    return int(request.param)


@pytest.fixture
def model(seed: int) -> Model:
    return compile_model(system_of(seed), implementation=Reference())


@pytest.fixture
def state(model: Model, seed: int) -> State:
    return random_state(model.system, seed)


floating = pytest.mark.parametrize("seed", FLOATING)
grounded = pytest.mark.parametrize("seed", ANY[16:])


def close(ours: np.ndarray, theirs: np.ndarray, tolerance: float = 1e-12, *, scale: float = 0.0) -> None:
    """Compare relative to the largest entry, or to `scale` where the entries cancel."""
    scale = max(scale, abs(np.asarray(theirs)).max(initial=0.0))
    assert_allclose(ours, theirs, rtol=0, atol=tolerance * scale)


def solved(model: Model, state: State) -> float:
    M = model.M(state)
    return max(1e-12, 10 * np.linalg.cond(M) * EPS) if M.size else 1e-12


def inertia_scale(model: Model, state: State) -> float:
    """Largest entry of M: what derivatives and forces cancel down from when they are exactly zero."""
    return float(abs(model.M(state)).max(initial=0.0))


def passive(system: System, state: State) -> np.ndarray:
    """(N,) forces of springs and dampers."""
    stiffness = np.array([joint.stiffness for joint in system.joints])
    damping = np.array([joint.damping for joint in system.joints])
    return -(stiffness * state.q + damping * state.qdot)


def with_base_speeds(state: State, u0: np.ndarray) -> State:
    return State(state.r_0, state.attitude_xyzw, state.q, u0[:3], u0[3:], state.qdot)


def recoiling(model: Model, state: State) -> State:
    """Return the state without momentum: u0 = -H0^-1 H0m qdot."""
    return with_base_speeds(state, -np.linalg.solve(model.H0(state), model.H0m(state) @ state.qdot))


# Inertia


def test_M_is_symmetric_positive_definite_and_gives_the_kinetic_energy(model: Model, state: State) -> None:
    M = model.M(state)
    close(M, M.T)
    assert (np.linalg.eigvalsh(M) > 0).all()
    close(model.kinetic_energy(state), state.u @ M @ state.u / 2)


@floating
def test_H0_inverse_inverts_H0(model: Model, state: State) -> None:
    close(model.H0(state) @ model.H0_inverse(state), np.eye(6), solved(model, state))
    close(model.H0_inverse(state) @ model.H0(state), np.eye(6), solved(model, state))


def test_S_U_is_the_inertia_of_all_bodies_about_the_system_CoM(model: Model, state: State) -> None:
    origin = np.zeros(3) if state.fixed else state.r_0
    total, second_moments = np.zeros((3, 3)), 0.0
    for body in model.system.bodies:
        x = model.position(state, f"{body.name}.com") - origin - model.r_0C(state)
        R = dcm_from_quaternion(model.attitude(state, body.name))
        total += R @ body.inertia_kg_m2 @ R.T - body.mass_kg * skew(x) @ skew(x)
        second_moments += body.mass_kg * (abs(x) + abs(model.r_0C(state))).max() ** 2
    close(model.S_U(state), total, scale=second_moments)


def test_r_0C_is_the_mass_average_of_the_body_centres(model: Model, state: State) -> None:
    origin = np.zeros(3) if state.fixed else state.r_0
    bodies = model.system.bodies
    average = sum(b.mass_kg * (model.position(state, f"{b.name}.com") - origin) for b in bodies) / model.system.mass_kg
    close(model.r_0C(state), average, scale=abs(origin).max())


@floating
def test_H_and_C_do_not_depend_on_where_the_base_is_or_how_it_moves(model: Model, state: State) -> None:
    quiet = State(q=state.q, qdot=state.qdot, r_0=np.zeros(3))
    for name in ("H", "Hdot", "dH_dq", "c", "C", "coriolis_matrix"):
        ours, other = getattr(model, name)(state), getattr(model, name)(quiet)
        close(ours, other, solved(model, state), scale=inertia_scale(model, state))


@floating
def test_J_star_turns_with_the_base_and_nothing_else(model: Model, state: State) -> None:
    quiet = State(q=state.q, r_0=np.zeros(3))
    R = np.kron(np.eye(2), dcm_from_quaternion(state.attitude_xyzw))
    close(model.J_star(state, "tip"), R @ model.J_star(quiet, "tip"), solved(model, state))


# Derivatives and velocity forces


def test_Hdot_is_the_gradient_along_the_joint_rates(model: Model, state: State) -> None:
    close(model.Hdot(state), model.dH_dq(state) @ state.qdot, solved(model, state), scale=inertia_scale(model, state))


def test_Hdot_minus_twice_the_coriolis_matrix_is_skew(model: Model, state: State) -> None:
    S = model.Hdot(state) - 2 * model.coriolis_matrix(state)
    close(S, -S.T, solved(model, state), scale=inertia_scale(model, state))


def test_the_coriolis_matrix_times_the_rates_is_C(model: Model, state: State) -> None:
    close(model.coriolis_matrix(state) @ state.qdot, model.C(state), solved(model, state), scale=inertia_scale(model, state))
    close(model.Hdot(state) @ state.qdot + model.c(state), model.C(state), scale=inertia_scale(model, state))


@floating
def test_the_momentum_bias_vanishes_without_momentum(model: Model, state: State) -> None:
    still = recoiling(model, state)
    close(model.momentum_bias(still), 0 * state.q, solved(model, state), scale=inertia_scale(model, state))


@floating
def test_the_reduced_equation_holds_with_momentum(model: Model, state: State) -> None:
    tau = np.linspace(-3, 4, model.layout.N)
    qddot = model.forward_dynamics(state, tau)[model.layout.joints]
    momentum_bias = model.momentum_bias(state)
    left = model.H(state) @ qddot + model.C(state) + momentum_bias
    scale = max(abs(model.C(state)).max(initial=0.0), abs(momentum_bias).max(initial=0.0))
    close(left, tau + passive(model.system, state), solved(model, state), scale=scale)


# Points


def test_the_tip_moves_as_J_star_and_the_momentum_drift_say(model: Model, state: State) -> None:
    twist = model.J0(state, "tip") @ state.u[model.layout.base] + model.Jm(state, "tip") @ state.qdot
    close(model.J_star(state, "tip") @ state.qdot + model.J_star_drift(state, "tip"), twist, solved(model, state))
    point = model.point("tip")
    close(rate(model.system, state, lambda equations: equations.position(point)), twist[:3])


def test_where_no_speed_changes_the_twist_of_the_tip_changes_with_its_jacobian(model: Model, state: State) -> None:
    point = model.point("tip")
    twist = rate(model.system, state, lambda e: np.concatenate([e.J0(point), e.Jm(point)], axis=1) @ state.u)
    close(model.J_dot_u(state, "tip"), twist, scale=max(1.0, abs(twist).max()))


@floating
def test_without_momentum_J_star_alone_moves_the_tip_as_the_recoiling_base_does(model: Model, state: State) -> None:
    still = recoiling(model, state)
    twist = model.J0(still, "tip") @ still.u[:6] + model.Jm(still, "tip") @ still.qdot
    scale = max(1.0, abs(model.Jm(still, "tip")).max(initial=0.0))  # the tip may have no joint
    close(model.J_star(still, "tip") @ still.qdot, twist, solved(model, state), scale=scale)
    close(model.J_star_drift(still, "tip"), np.zeros(6), solved(model, state), scale=scale)


@pytest.mark.parametrize("joints", [4, 6, 8])
def test_resolved_joint_rates_move_the_tip_while_the_base_reacts(joints: int) -> None:
    model = compile_model(random_system(2000, fixed=False, joints=joints), implementation=Reference())
    state = random_state(model.system, 7)
    J_star, drift = model.J_star(state, "tip"), model.J_star_drift(state, "tip")
    tolerance = 100 * np.linalg.cond(J_star) ** 2 * EPS
    wanted = J_star @ np.linspace(1, 2, joints) + drift
    qdot = model.resolved_joint_rates(state, "tip", wanted)
    close(J_star @ qdot + drift, wanted, tolerance)
    smallest = np.linalg.lstsq(J_star, wanted - drift, rcond=None)[0]
    close(qdot, smallest, tolerance)


# Dynamics


def random_forces(model: Model, seed: int) -> tuple[np.ndarray, np.ndarray | None, list]:
    rng = np.random.default_rng([seed, 3])
    wrench = None if model.layout.fixed else rng.normal(size=6)
    point = (model.system.bodies[-1].name, rng.normal(size=3))
    return rng.normal(size=model.layout.N), wrench, [("tip", rng.normal(size=6)), (point, rng.normal(size=6))]


def test_energy_rate_is_the_power_of_all_forces(model: Model, state: State, seed: int) -> None:
    tau, wrench, wrenches = random_forces(model, seed)
    udot = model.forward_dynamics(state, tau, wrench, wrenches)
    exact = rate(model.system, state, lambda equations: np.asarray(equations.kinetic_energy), udot)
    joint_forces = tau + passive(model.system, state) - model.gravity_force(state)
    powers = [joint_forces @ state.qdot, 0.0 if wrench is None else wrench @ state.u[:6]]
    for (_, load), point in zip(wrenches, points(wrenches), strict=True):
        powers.append(load @ np.hstack([model.J0(state, **point), model.Jm(state, **point)]) @ state.u)
    inertial_power = abs(model.M(state)).max(initial=0.0) * abs(udot).max(initial=0.0) * abs(state.u).max(initial=0.0)
    close(exact, sum(powers), solved(model, state), scale=max(inertial_power, *map(abs, powers)))


def test_momentum_changes_by_the_applied_forces_alone(model: Model, state: State, seed: int) -> None:
    tau, wrench, wrenches = random_forces(model, seed)
    udot = model.forward_dynamics(state, tau, wrench, wrenches)
    P_rate = rate(model.system, state, lambda equations: equations.momentum.P, udot)
    L_rate = rate(model.system, state, lambda equations: equations.momentum.L_C, udot)
    origin = np.zeros(3) if state.fixed else state.r_0
    com, weight = origin + model.r_0C(state), model.system.mass_kg * model.system.gravity_m_s2
    loads = [(com, np.concatenate([weight, np.zeros(3)]))]
    for (_, load), point in zip(wrenches, points(wrenches), strict=True):
        loads.append((model.position(state, **point), load))
    if state.fixed:  # the ground carries whatever the wrenches on the bodies do not
        reaction = model.inverse_dynamics(state, udot).wrench
        loads = [loads[0], (np.zeros(3), reaction)]
    elif wrench is not None:
        loads.append((state.r_0, wrench))
    f = sum(load[:3] for _, load in loads)
    moments = [load[3:] + np.cross(x - com, load[:3]) for x, load in loads]  # those of weight and ground alone cancel
    n = sum(moments)
    flow = abs(model.M(state)).max(initial=0.0) * max(abs(udot).max(initial=0.0), abs(state.u).max(initial=0.0) ** 2)
    close(P_rate, f, solved(model, state), scale=flow)
    close(L_rate, n, solved(model, state), scale=max(flow, np.max(np.abs(moments))))


def points(wrenches: list) -> list[dict]:
    return [{"frame": w} if isinstance(w, str) else {"body": w[0], "point_m": w[1]} for w, _ in wrenches]


def test_inverse_dynamics_returns_the_forces_that_forward_dynamics_was_given(model: Model, state: State, seed: int) -> None:
    tau, wrench, _ = random_forces(model, seed)
    back = model.inverse_dynamics(state, model.forward_dynamics(state, tau, wrench))
    scale = abs(model.inverse_dynamics(state, 0 * state.u).tau).max(initial=1.0)
    close(back.tau, tau, solved(model, state), scale=scale)
    if wrench is not None:
        close(back.wrench, wrench, solved(model, state), scale=scale)


@floating
def test_floating_inverse_dynamics_needs_no_base_wrench(model: Model, state: State) -> None:
    qddot = np.linspace(-1, 2, model.layout.N)
    result = model.floating_inverse_dynamics(state, qddot)
    udot = model.forward_dynamics(state, result.tau)
    tolerance = solved(model, state)
    scale = max(abs(udot).max(initial=0.0), abs(result.base_acceleration).max())
    close(udot, np.concatenate([result.base_acceleration, qddot]), tolerance, scale=scale)


def test_a_wrench_on_the_base_is_the_same_at_its_frame_as_at_its_CoM() -> None:
    model = compile_model(system_of(2002), implementation=Reference())
    state = random_state(model.system, 2002)
    tau, load = np.zeros(model.layout.N), np.array([1.0, -2, 3, 4, -5, 6])
    at_com = model.forward_dynamics(state, tau, load)
    close(model.forward_dynamics(state, tau, wrenches=[("base.com", load)]), at_com)
    lever = model.position(state, "base") - model.position(state, "base.com")
    moved = np.concatenate([load[:3], load[3:] - np.cross(lever, load[:3])])
    close(model.forward_dynamics(state, tau, wrenches=[("base", moved)]), at_com, solved(model, state))


@pytest.mark.battery(3)
def test_springs_and_dampers_enter_the_dynamics_and_not_C_or_H(seed: int) -> None:
    system = system_of(seed, springs=False)
    bodies = [replace(body, joint=replace(body.joint, stiffness=7.0, damping=3.0)) for body in system.bodies[1:]]
    gravity = system.gravity_m_s2
    plain = compile_model(system, implementation=Reference())
    sprung = compile_model(
        System("sprung", system.base, bodies, fixed=system.fixed, gravity_m_s2=gravity), implementation=Reference()
    )
    state = random_state(system, seed)
    tau, udot, force = np.linspace(-1, 1, plain.layout.N), np.linspace(1, 2, plain.layout.n_u), -7 * state.q - 3 * state.qdot
    for name in ("M", "H", "C", "c", "Hdot", "momentum_bias", "gravity_force"):
        close(getattr(sprung, name)(state), getattr(plain, name)(state), scale=inertia_scale(plain, state))
    close(sprung.forward_dynamics(state, tau), plain.forward_dynamics(state, tau + force), solved(plain, state))
    scale = max(abs(force).max(initial=0.0), abs(plain.inverse_dynamics(state, udot).tau).max(initial=0.0))
    close(sprung.inverse_dynamics(state, udot).tau, plain.inverse_dynamics(state, udot).tau - force, scale=scale)
    qddot = udot[plain.layout.joints]
    ours, other = sprung.floating_inverse_dynamics(state, qddot), plain.floating_inverse_dynamics(state, qddot)
    close(ours.tau, other.tau - force, solved(plain, state), scale=scale)
    close(ours.base_acceleration, other.base_acceleration, solved(plain, state))


# Momentum


def test_the_momenta_of_the_bodies_add_up(model: Model, state: State) -> None:
    whole, parts = model.momentum(state), model.momentum_by_body(state)
    close(parts.P.sum(axis=0), whole.P, scale=abs(parts.P).max())
    close(parts.L_C.sum(axis=0), whole.L_C, scale=abs(whole.L_0).max() + abs(parts.L_C).max())
    close(whole.L_0, whole.L_C + np.cross(model.r_0C(state), whole.P), scale=abs(whole.L_C).max())


def test_the_kinetic_energy_of_a_body_is_that_of_its_momenta(model: Model, state: State) -> None:
    parts, energies = model.momentum_by_body(state), model.energy_by_body(state)
    close(energies.sum(), model.kinetic_energy(state))
    places = [model.position(state, body=body.name, point_m=body.com_m) for body in model.system.bodies]
    r_C = np.average(places, axis=0, weights=[body.mass_kg for body in model.system.bodies])
    for i, body in enumerate(model.system.bodies):
        twist = model.Jm(state, body=body.name, point_m=body.com_m) @ state.qdot
        if not model.layout.fixed:
            twist = twist + model.J0(state, body=body.name, point_m=body.com_m) @ state.u[:6]
        spin = parts.L_C[i] - np.cross(places[i] - r_C, parts.P[i])
        close(energies[i], (parts.P[i] @ twist[:3] + spin @ twist[3:]) / 2, scale=energies.sum())


@floating
def test_momentum_is_H0_and_H0m_times_the_speeds(model: Model, state: State) -> None:
    momentum = model.momentum(state)
    expected = model.H0(state) @ state.u[:6] + model.H0m(state) @ state.qdot
    close(np.concatenate([momentum.P, momentum.L_0]), expected)


# One system, described in several ways


@pytest.mark.battery(3)
def test_matrices_and_quaternions_carry_rotations_alike(seed: int) -> None:
    system = system_of(seed)
    dcm, quaternion = (
        compile_model(system, implementation=Reference()),
        compile_model(system, kinematics=Quaternion(), implementation=Reference()),
    )
    state = random_state(system, seed)
    tau = np.ones(system.layout.N)
    for name in ("M", "momentum_bias", "H", "Hdot", "dH_dq", "C"):
        close(
            getattr(quaternion, name)(state),
            getattr(dcm, name)(state),
            solved(dcm, state),
            scale=inertia_scale(dcm, state),
        )
    for name in ("position", "attitude", "J0", "Jm", "J_star", "J_star_drift"):
        close(getattr(quaternion, name)(state, "tip"), getattr(dcm, name)(state, "tip"), solved(dcm, state))
    close(quaternion.forward_dynamics(state, tau), dcm.forward_dynamics(state, tau), solved(dcm, state))


def test_the_order_of_bodies_in_the_file_only_renumbers_the_joints(seed: int) -> None:
    system = system_of(seed)
    gravity = system.gravity_m_s2
    turned = System("turned", system.base, system.bodies[:0:-1], system.frames, fixed=system.fixed, gravity_m_s2=gravity)
    one, other = compile_model(system, implementation=Reference()), compile_model(turned, implementation=Reference())
    joints = [turned.layout.joint_names.index(name) for name in system.layout.joint_names]
    speeds = [*range(system.layout.n_base), *(system.layout.n_base + j for j in joints)]
    state = random_state(turned, seed)
    same = (
        State(q=state.q[joints], qdot=state.qdot[joints])
        if state.fixed
        else State(state.r_0, state.attitude_xyzw, state.q[joints], state.v_0, state.omega_0, state.qdot[joints])
    )
    close(one.M(same), other.M(state)[np.ix_(speeds, speeds)])
    close(one.C(same), other.C(state)[joints], solved(other, state), scale=inertia_scale(other, state))


def test_a_weld_is_the_same_as_one_rigid_body() -> None:
    rng = np.random.default_rng(11)
    axis = np.array([0.0, 0.6, 0.8])
    base = Body("base", 20.0, random_inertia(rng, 20.0, "massive"), [0.1, 0.2, -0.1])
    hinge = Joint("hinge", "revolute", axis, [0.3, 0.1, 0.0], random_rotation(rng))
    link = Body("link", 3.0, random_inertia(rng, 3.0, "massive"), [0.2, 0.0, 0.1], "base", hinge)
    weld = Joint("weld", "fixed", origin_m=[0.5, -0.2, 0.1], dcm=random_rotation(rng))
    tool = Body("tool", 2.0, random_inertia(rng, 2.0, "massive"), [0.0, 0.3, 0.1], "link", weld)
    x = weld.origin_m + weld.dcm @ tool.com_m
    com = (3 * link.com_m + 2 * x) / 5
    inertia = sum(
        R @ body.inertia_kg_m2 @ R.T - body.mass_kg * skew(r - com) @ skew(r - com)
        for body, R, r in ((link, np.eye(3), link.com_m), (tool, weld.dcm, x))
    )
    whole = compile_model(System("merged", base, [Body("link", 5.0, inertia, com, "base", hinge)]))
    parts = compile_model(System("welded", base, [link, tool]), implementation=Reference())
    state = random_state(parts.system, 11)
    close(whole.M(state), parts.M(state))
    close(whole.C(state), parts.C(state), solved(parts, state), scale=abs(parts.H(state)).max())


@pytest.mark.slow
def test_moving_the_base_frame_within_the_base_changes_nothing() -> None:
    system = random_system(2005, fixed=False, joints=4)
    shift = np.array([0.4, -1.0, 2.0])
    moved = [
        replace(body, joint=replace(body.joint, origin_m=body.joint.origin_m + shift)) if body.parent == "base" else body
        for body in system.bodies[1:]
    ]
    other = compile_model(System("shifted", replace(system.base, com_m=system.base.com_m + shift), moved))
    model, state = compile_model(system, implementation=Reference()), random_state(system, 2005)
    close(other.M(state), model.M(state))
    close(other.forward_dynamics(state, np.ones(4)), model.forward_dynamics(state, np.ones(4)), solved(model, state))


def test_turning_the_whole_motion_turns_every_vector_with_it() -> None:
    model = compile_model(random_system(2006, fixed=False, joints=5), implementation=Reference())
    state, turn = random_state(model.system, 6), np.array([0.5, -0.5, 0.1, 0.7]) / np.sqrt(0.25 + 0.25 + 0.01 + 0.49)
    R = dcm_from_quaternion(turn)
    attitude = quaternion_product(turn, state.attitude_xyzw)
    turned = State(R @ state.r_0, attitude, state.q, R @ state.v_0, R @ state.omega_0, state.qdot)
    tau = np.ones(5)
    udot, other = model.forward_dynamics(state, tau), model.forward_dynamics(turned, tau)
    close(other, np.concatenate([R @ udot[:3], R @ udot[3:6], udot[6:]]), solved(model, state))
    close(model.momentum(turned).L_C, R @ model.momentum(state).L_C)


def test_a_wrong_law_would_be_noticed() -> None:
    """A battery that cannot fail proves nothing: H alone does not obey the law of M."""
    model = compile_model(random_system(2007, fixed=False, joints=3), implementation=Reference())
    state = random_state(model.system, 7)
    with pytest.raises(AssertionError):
        close(model.kinetic_energy(state), state.qdot @ model.H(state) @ state.qdot / 2)


# Fixed base


@grounded
def test_a_fixed_base_has_no_base_rows_and_Jm_is_J_star(model: Model, state: State) -> None:
    N = model.layout.N
    assert model.H0(state).shape == (0, 0)
    assert model.H0m(state).shape == (0, N)
    assert_array_equal(model.H(state), model.Hm(state))
    assert_array_equal(model.M(state), model.Hm(state))
    assert_array_equal(model.J_star(state, "tip"), model.Jm(state, "tip"))
    assert_array_equal(model.J_star_drift(state, "tip"), np.zeros(6))
    assert_array_equal(model.momentum_bias(state), np.zeros(N))


@grounded
def test_the_equation_of_a_fixed_arm_holds_under_gravity(model: Model, state: State) -> None:
    tau = np.linspace(-2, 5, model.layout.N)
    qddot = model.forward_dynamics(state, tau)
    left = model.H(state) @ qddot + model.C(state) + model.gravity_force(state) - passive(model.system, state)
    close(left, tau, solved(model, state), scale=abs(model.gravity_force(state)).max(initial=0.0))


@grounded
def test_the_ground_carries_the_weight_of_an_arm_that_gravity_does_not_move(model: Model, state: State) -> None:
    still = State(q=state.q)
    weight = model.system.mass_kg * model.system.gravity_m_s2
    wrench = model.inverse_dynamics(still, np.zeros(model.layout.N)).wrench
    close(wrench, -np.concatenate([weight, np.cross(model.r_0C(still), weight)]))
