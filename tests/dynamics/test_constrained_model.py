"""A model under constraints against multipliers over Pinocchio's M and bias, and against Pinocchio's constraint dynamics."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.constraints import Lock, PointOnPoint, Speed, Weld
from scmanip.dynamics import Reference, RunTimeInertia, compile_model
from scmanip.dynamics.constraints._embedding import Embedding
from scmanip.errors import ConstraintRankLoss, InconsistentConstraints, InvalidInput, InvalidState, SingularInertia, UnknownName
from scmanip.spatial import (
    dcm_from_axis_angle,
    dcm_from_quaternion,
    quaternion_from_axis_angle,
    quaternion_from_dcm,
    quaternion_rate,
)
from scmanip.system import Body, Frame, Joint, State, System, Wheel

from ..constraints.held_systems import held_system, with_parts
from ..oracles.constraint_oracle import ConstraintOracle
from ..oracles.random_systems import FIRST_FOREST, random_case, random_state
from .arms import two_links
from .gillespie_examples import I_B, L1, L2, L3, M_B, M_C, ahead, cart, disk, rolling_cart, wrist
from .linkage import at_closed, closed, square

EPS = np.finfo(float).eps
SEEDS = [0, 4, 5, 9, 10_001, 10_006, 20_002, FIRST_FOREST, FIRST_FOREST + 3]
MORE = [*range(10, 80), *range(FIRST_FOREST + 4, FIRST_FOREST + 34)]
every_case = pytest.mark.parametrize("seed", SEEDS + [pytest.param(k, marks=pytest.mark.slow) for k in MORE])


@cache
def case(seed: int):
    """Return a random system with a weld and points between random frames and the ground, its state and forces."""
    system, rng = random_case(seed), np.random.default_rng([seed, 3])
    names = [*system.frame_names, "ground", "ground"]
    pairs = [tuple(str(name) for name in rng.choice(names, 2, replace=False)) for _ in range(3)]
    kinds = [Weld, PointOnPoint, PointOnPoint][: 1 + seed % 3]
    held = [
        kind(f"c{k}", pair, **({} if kind is Weld else {"tolerance_m": 1e9}))
        for k, (kind, pair) in enumerate(zip(kinds, pairs, strict=False))
        if pair[0] != pair[1]
    ]
    system = with_parts(system, constraints=held)
    wrench = None if system.fixed else rng.normal(size=6) * 10
    return system, random_state(system, seed), held, rng.normal(size=system.layout.N) * 10, wrench


def kappa(M, A) -> float:
    """Condition number of the system in units of equal energy, its rows of equal length, zero directions left out."""
    d = np.sqrt(np.diagonal(M))
    scaled = np.linalg.solve(np.linalg.cholesky(M), A.T)
    lengths = np.linalg.norm(scaled, axis=0)
    heard = lengths > max(1e-12 * lengths.max(), 1e-13)
    s = np.linalg.svd(scaled[:, heard] / lengths[heard], compute_uv=False) if heard.any() else np.ones(1)
    return np.linalg.cond(M / d[:, None] / d) * (s[0] / s[s > 1e-10 * s[0]][-1]) ** 2


def agree(ours, theirs, scale, tolerance, what):
    """Compare in units of equal energy, scale : of what it was before the constraints."""
    error = abs(ours - theirs).max(initial=0)
    assert error <= tolerance * scale, f"{what} off by {error:.3g} of {scale:.3g}, allowed {tolerance:.3g}"


@pytest.mark.battery(2, judged=16)
@every_case
def test_jumps_accelerations_and_forces_of_random_trees(seed):
    system, state, held, tau, wrench = case(seed)
    model, oracle = compile_model(system, implementation=Reference()), ConstraintOracle(system)
    constrained = model.constrained(*(one.name for one in held))
    M = model.M(state)
    d, tolerance = np.sqrt(np.diagonal(M)), max(1e-12, 10 * kappa(M, oracle._rows(state, held)[0]) * EPS)

    jump, expected = constrained.imposed(state), oracle.jump(state, held)
    motion = abs(d * state.u).max()
    agree(d * jump.state.u, d * expected.u, motion, tolerance, "u")
    agree(d * jump.state.u, d * oracle.jump_by_pinocchio(state, held), motion, tolerance, "u by Pinocchio")
    lost, T = model.kinetic_energy(state) - model.kinetic_energy(jump.state), model.kinetic_energy(state)
    assert abs(jump.energy_lost - lost) <= tolerance * T and jump.energy_lost >= -tolerance * T
    for name, impulse in jump.impulses.items():
        scale = max(abs(force).max() for force in expected.forces.values())
        agree(impulse, expected.forces[name], scale, tolerance, f"impulse of {name}")

    now, expected = jump.state, oracle.by_multipliers(jump.state, held, tau, wrench)
    udot = constrained.forward_dynamics(now, tau, wrench)
    free = abs(d * model.forward_dynamics(now, tau, wrench)).max()
    agree(d * udot, d * expected.u, free, tolerance, "udot")
    agree(d * udot, d * oracle.by_pinocchio(now, held, tau, wrench), free, max(tolerance, 1e-10), "udot by Pinocchio")
    for name, force in constrained.constraint_forces(now, tau, wrench).items():
        scale = max(abs(force).max() for force in expected.forces.values())
        agree(force, expected.forces[name], scale, tolerance, f"force of {name}")


@pytest.mark.battery(0, judged=16)
@pytest.mark.parametrize("seed", [2, 5, 11, *(pytest.param(k, marks=pytest.mark.slow) for k in range(20, 60))])
def test_constraints_of_every_kind_are_obeyed_with_forces_along_their_rows_alone(seed):
    (system, state), rng = held_system(seed), np.random.default_rng(seed)
    model = compile_model(system, implementation=Reference())
    names = [str(name) for name in rng.permutation([one.name for one in system.constraints])]
    while names and model.constrained(*names).rank(state) < len(model.constrained(*names).stack.labels):
        names.pop()
    constrained, tau = model.constrained(*names), rng.normal(size=system.layout.N)
    udot = constrained.forward_dynamics(state, tau)
    A, _, M = constrained._values("rows", state, 0.0, None)
    drift = constrained.stack.rows(constrained._programs.seen(state.hardware), constrained.kept(state)).drift
    d, tolerance = np.sqrt(np.diagonal(M)), max(1e-12, 10 * kappa(M, A) * EPS) if len(A) else 1e-12
    scale = max(abs(d * udot).max(), abs(d * model.forward_dynamics(state, tau)).max())
    lengths = np.sqrt((A**2 / d**2).sum(axis=1))
    assert (abs(A @ udot + drift) <= tolerance * (lengths * scale + abs(drift))).all()
    tangent = np.linalg.svd(A / d)[2][len(A) :] / d  # motions that the rows allow, of equal energy
    missing = M @ (udot - model.forward_dynamics(state, tau))
    assert (abs(tangent @ missing) <= tolerance * scale).all()


def flown(accelerations, x, layout, seconds, steps):
    """Return the packed state after some steps of Runge and Kutta's method, 4th order."""

    def rate(x):
        now = State.renormalised(x, layout)
        turning = quaternion_rate(now.attitude_xyzw, now.omega_0)
        return np.concatenate([now.v_0, turning, now.qdot, accelerations(now)])

    h = seconds / steps
    for _ in range(steps):
        k1 = rate(x)
        k2 = rate(x + h / 2 * k1)
        k3 = rate(x + h / 2 * k2)
        x = x + h / 6 * (k1 + 2 * k2 + 2 * k3 + rate(x + h * k3))
    return x


@pytest.mark.slow
def test_a_planar_loop_in_space_is_redundant_by_name_and_flies_with_energy_and_momenta():
    model = compile_model(square())
    loop = model.constrained("loop")
    jump = loop.imposed(at_closed())
    assert loop.rank(jump.state) == 2 and loop.redundant == (("loop.z",),)
    state, layout = jump.state, model.layout
    before, T, kept = model.momentum(state), model.kinetic_energy(state), loop.kept(state)
    x = flown(lambda now: loop.forward_dynamics(now, np.zeros(3), kept=kept), np.array(state.x), layout, 1.0, 100)
    after = State.unpack(x, layout)
    assert abs(after.q - state.q).max() > 0.05
    gap = model.position(after, "end") - model.position(after, "joint")
    assert abs(gap).max() < 1e-8 and abs(model.kinetic_energy(after) - T) < 1e-8 * T
    for name in ("P", "L_C"):
        assert_allclose(getattr(model.momentum(after), name), getattr(before, name), atol=1e-8)


@pytest.mark.slow
def test_embedded_and_multiplier_equations_agree_along_a_run_of_changing_constraints():
    """The loop; the loop with its crank held; the crank alone; everything free; the loop again, through four jumps."""
    system = with_parts(square(), constraints=[*square().constraints, Lock("crank", "j1")])
    system = with_parts(system, constraints=[replace(system.constraints[0], tolerance_m=9.0), system.constraints[1]])
    model, tau = compile_model(system, implementation=Reference()), np.array([2.0, -1.0, 0.5])
    oracle, ours, theirs = ConstraintOracle(system), at_closed(), at_closed()

    def by_multipliers(now, names):
        constrained = model.constrained(*names)
        A, drift, M = *_rows_at(constrained, now), oracle.twin.M(now)
        rest = np.concatenate(oracle.twin.inverse_dynamics(now, np.zeros(9)))
        free = np.linalg.solve(M, np.append(np.zeros(6), tau) - rest)
        inner = A @ np.linalg.solve(M, A.T)
        return free - np.linalg.solve(M, A.T @ (np.linalg.pinv(inner, rcond=1e-10) @ (A @ free + drift)))

    for names in (("loop",), ("loop", "crank"), ("crank",), (), ("loop",)):
        constrained = model.constrained(*names)
        ours, theirs = constrained.imposed(ours).state, model.constrained(*names).imposed(theirs).state
        x = [
            flown(lambda now, c=constrained: c.forward_dynamics(now, tau), np.array(ours.x), system.layout, 0.2, 5),
            flown(lambda now, names=names: by_multipliers(now, names), np.array(theirs.x), system.layout, 0.2, 5),
        ]
        ours, theirs = (State.renormalised(each, system.layout) for each in x)
        assert_allclose(ours.x, theirs.x, rtol=1e-9, atol=1e-9 * abs(ours.x).max())
    assert abs(ours.q - at_closed().q).max() > 0.1


def _rows_at(constrained, state):
    rows = constrained.stack.rows(constrained._programs.seen(state.hardware), constrained.kept(state))
    return rows.A, rows.drift


@pytest.mark.slow
def test_compiled_programs_and_run_time_inertias_say_what_the_reference_says():
    state, tau, wrench = at_closed(), np.array([1.0, -2.0, 0.5]), np.arange(6.0)
    reference = compile_model(square(), implementation=Reference()).constrained("loop")
    jump = reference.imposed(state)
    for model in (compile_model(square()), compile_model(square(), inertia=RunTimeInertia())):
        loop = model.constrained("loop")
        other = loop.imposed(state)
        assert_allclose(other.state.x, jump.state.x, atol=1e-13)
        assert_allclose(other.impulses["loop"], jump.impulses["loop"], rtol=1e-10, atol=1e-12)
        assert_allclose(other.energy_lost, jump.energy_lost, rtol=1e-11)
        for name in ("forward_dynamics", "constraint_forces"):
            ours, theirs = (getattr(one, name)(jump.state, tau, wrench, [("end", wrench)]) for one in (loop, reference))
            ours, theirs = (v["loop"] if isinstance(v, dict) else v for v in (ours, theirs))
            assert_allclose(ours, theirs, rtol=1e-10, atol=1e-11)
        assert loop.independent == reference.independent and len(loop.independent) == 7
        again = model.constrained("loop")
        assert again.imposed(state).energy_lost == other.energy_lost
        assert sum(key[0] == "constrained" for key in model.family.kept if isinstance(key, tuple)) == 3


def test_forces_applied_as_wrenches_to_both_sides_are_the_motion_of_the_constrained_system():
    model = compile_model(square(), implementation=Reference())
    loop = model.constrained("loop")
    state = loop.imposed(at_closed()).state
    f = np.append(loop.constraint_forces(state, np.ones(3))["loop"], np.zeros(3))
    free = model.forward_dynamics(state, np.ones(3), None, [("joint", f), ("end", -f)])
    assert_allclose(free, loop.forward_dynamics(state, np.ones(3)), atol=1e-12)


def test_a_free_body_that_is_grasped_shares_momentum_with_what_grasps_it():
    bodies = [
        Body("arm", 3.0, [0.1, 0.4, 0.4], [0.5, 0, 0], "base", Joint("j", "revolute", [0, 0, 1], [0.5, 0, 0])),
        Body("target", 20.0, [2, 3, 4], [0.1, 0, 0], "ground", Joint("t", "free")),
    ]
    frames = [Frame("tip", "arm", [1, 0, 0]), Frame("port", "target", [0, 0.5, 0])]
    grasp = [Weld("grasp", ("tip", "port"))]
    system = System("two", Body("base", 50.0, [10, 12, 15], [0.1, 0.2, 0.3]), bodies, frames, constraints=grasp)
    q, qdot = [0.3, 2, 0, 0, 0, 0, 0, 1], [0.2, 0.1, 0.2, 0.3, 0.05, 0.02, -0.1]
    state = State([0, 0, 0], [0, 0, 0, 1], q, [0.1, 0, 0], [0, 0.1, 0.2], qdot)
    model = compile_model(system, implementation=Reference())
    grasped = model.constrained("grasp")
    jump = grasped.imposed(state)
    for name in ("P", "L_C"):
        assert_allclose(getattr(model.momentum(jump.state), name), getattr(model.momentum(state), name), rtol=1e-12)
    assert_allclose(jump.energy_lost, model.kinetic_energy(state) - model.kinetic_energy(jump.state), rtol=1e-12)
    udot = grasped.forward_dynamics(jump.state, np.zeros(7))
    on_port = grasped.constraint_forces(jump.state, np.zeros(7))["grasp"]
    alone = model.forward_dynamics(jump.state, np.zeros(7), None, [("port", on_port)])
    assert_allclose(alone[-6:], udot[-6:], atol=1e-14)


def test_jumps_of_internal_constraints_keep_momenta_and_wheels_turn_on():
    wheels = [Wheel("a", [1, 0, 0], 0.7), Wheel("b", [0, 0.6, 0.8], 1.5)]
    system = with_parts(square(), actuators=wheels)
    model, s = compile_model(system, implementation=Reference()), at_closed()
    state = State(s.r_0, s.attitude_xyzw, s.q, s.v_0, s.omega_0, s.qdot, wheel_rad_s=[30, -20])
    jump = model.constrained("loop").imposed(state)
    for name in ("P", "L_0"):
        ours, theirs = (getattr(model.momentum(each), name) for each in (state, jump.state))
        assert_allclose(ours, theirs, atol=1e-12 * 50)
    T = [model.kinetic_energy(each) for each in (state, jump.state)]
    assert_allclose(jump.energy_lost, T[0] - T[1], rtol=1e-10)
    assert jump.energy_lost > 0
    R_0 = dcm_from_quaternion(state.attitude_xyzw)
    inertial = [R_0.T @ each.omega_0 @ np.array([w.axis for w in wheels]).T + each.wheel_rad_s for each in (state, jump.state)]
    assert_allclose(inertial[0], inertial[1], rtol=1e-13)
    with pytest.raises(AssertionError):
        assert_allclose(state.wheel_rad_s, jump.state.wheel_rad_s, rtol=1e-6)


def test_speeds_are_chosen_anew_where_the_choice_fails_and_the_motion_does_not_notice():
    model = compile_model(square(), implementation=Reference())
    moving, chosen = model.constrained("loop"), set()
    for q1 in np.linspace(-0.3, 1.0, 6):
        state = moving.imposed(at_closed(q1)).state
        expected = model.constrained("loop").forward_dynamics(state, np.ones(3))
        for dependent in ((6, 7), (0, 8), (3, 5)):  # of the arm; one of the base; two that say nothing of the loop
            loop = model.constrained("loop")
            loop._chosen = replace(moving._choice, dependent=dependent, independent=tuple({*range(9)} - {*dependent}))
            assert_allclose(loop.forward_dynamics(state, np.ones(3)), expected, rtol=1e-9, atol=1e-11)
            assert (
                Embedding.of(*loop._values("rows", state, 0.0, None)[:2], np.zeros(3), loop._choice).conditioning(
                    model.M(state)
                )
                < 100
            )
            chosen.add(loop.dependent)
    assert len(chosen) > 1


# The examples of [Gillespie2003]


@pytest.mark.parametrize("free", [False, True])
def test_the_disk_rolls_and_slides_down_the_slope_as_gillespie_has_it(free):
    """Eqs 40 and 42; its forces N = m g cos(phi) and F_f by hand."""
    phi, m, J, r, g = 0.4, 2.0, 0.09, 0.3, 9.81
    model, R = compile_model(disk(phi, free=free), implementation=Reference()), disk(phi, free=free).frames[0].dcm

    def state(v: float, turning: float) -> State:
        if not free:
            return State(q=[0.7, r, 0.2], qdot=[v, 0.0, turning])
        q = np.concatenate([R @ [0.7, r, 0.0], quaternion_from_axis_angle(np.array([0.0, 0, 1]), 0.2)])
        return State(q=q, qdot=[*(R @ [v, 0, 0]), 0, 0, turning])

    def along(u) -> np.ndarray:
        return np.array([*(R.T @ u[:3])[:2], u[5]]) if free else u

    rolling, tau = model.constrained("rolls", "rests"), np.zeros(model.layout.N)
    udot = rolling.forward_dynamics(state(-0.5, 0.5 / r), tau)
    down = -m * g * np.sin(phi) / (m + J / r**2)
    assert_allclose(along(udot), [down, 0, -down / r], atol=1e-13)
    forces = rolling.constraint_forces(state(-0.5, 0.5 / r), tau)
    assert_allclose(forces["rests"], [m * g * np.cos(phi)], rtol=1e-13)
    assert_allclose(np.linalg.norm(forces["rolls"]), abs(J * down / r**2), rtol=1e-12)
    sliding = model.constrained("rests")
    assert_allclose(along(sliding.forward_dynamics(state(-0.5, 0.5 / r), tau)), [-g * np.sin(phi), 0, 0], atol=1e-13)
    assert sliding.rank(state(-0.5, 0)) == 1 and rolling.rank(state(-0.5, 0)) == 2 + free
    struck = rolling.imposed(state(-0.5, 0.0))
    assert_allclose(along(struck.state.u)[0], -0.5 * m / (m + J / r**2), rtol=1e-13)


def test_the_wrist_is_a_body_held_at_a_point_and_turns_as_gillespie_prints():
    """Eq. 49, with T and F on C at its mass centre in axes of C; the force at the point by Newton."""
    M, L, g, (I1, I2, I3) = 2.0, 0.3, 9.81, (0.5, 0.7, 0.3)
    model = compile_model(wrist(M, L, (I1, I2, I3), g), implementation=Reference())
    held, rng = model.constrained("centre"), np.random.default_rng(49)
    for _ in range(5):
        q, u, T, F = rng.normal(size=(4, 3))
        (s1, _, s3), (c1, c2, c3) = np.sin(q), np.cos(q)
        z, y = np.array([0.0, 0, 1]), np.array([0.0, 1, 0])
        R = dcm_from_axis_angle(z, q[0]) @ dcm_from_axis_angle(y, q[1]) @ dcm_from_axis_angle(z, q[2])
        state = State(q=[0, 0, 0, *quaternion_from_dcm(R)], qdot=[0, 0, 0, *(R @ u)])
        at_com = [("C.com", np.concatenate([R @ F, R @ T]))]
        udot = held.forward_dynamics(state, np.zeros(6), None, at_com)
        eq_49 = [
            (T[0] - L * (F[1] + g * M * (s1 * c3 + s3 * c1 * c2)) - (I3 - I2 - M * L**2) * u[1] * u[2]) / (I1 + M * L**2),
            (T[1] + L * (F[0] + g * M * (s1 * s3 - c1 * c2 * c3)) + (I3 - I1 - M * L**2) * u[0] * u[2]) / (I2 + M * L**2),
            (T[2] + (I1 - I2) * u[0] * u[1]) / I3,
        ]
        assert_allclose(R.T @ udot[3:], eq_49, rtol=1e-11, atol=1e-12)
        a = np.cross(eq_49, [0, 0, L]) + np.cross(u, np.cross(u, [0, 0, L]))
        force = held.constraint_forces(state, np.zeros(6), None, at_com)["centre"]
        assert_allclose(R.T @ force, M * a - F + M * g * R[0], rtol=1e-11, atol=1e-11)


def test_the_cart_rolls_by_equation_63():
    model, rng = compile_model(cart(), implementation=Reference()), np.random.default_rng(63)
    free = model.constrained("rear", "front")
    for _ in range(5):
        q4, u1, u2, F, tau = rng.normal(size=5)
        (state, u3), s4, c4 = rolling_cart(q4, u1, u2), np.sin(q4), np.cos(q4)
        push = [("B", [np.cos(0.5) * F, np.sin(0.5) * F, 0, 0, 0, tau])]
        udot = free.forward_dynamics(state, np.zeros(4), None, push)
        inertia_1 = (
            (L1 * M_B + L2 * M_C * c4**2) * u2**2 - L3 * M_C * c4 * u3**2 - M_C * s4 * c4 * u1 * u2
            - (M_B + M_C * c4**2) * ahead(udot) - L2 * M_C * s4 * c4 * udot[2]
        )  # fmt: skip
        inertia_2 = (
            M_C * L2**2 * s4 * c4 * u2**2 - L2 * L3 * M_C * s4 * u3**2 - (L1 * M_B + L2 * M_C * s4**2) * u1 * u2
            - L2 * M_C * s4 * c4 * ahead(udot) - (I_B + M_B * L1**2 + M_C * L2**2 * s4**2) * udot[2]
        )  # fmt: skip
        size = abs(F) + abs(tau) + 100
        assert abs(F + inertia_1) < 1e-13 * size and abs(tau + inertia_2) < 1e-13 * size


def test_a_caster_that_sticks_loses_energy_and_takes_the_motion_along_it_where_nothing_else_is_left():
    """Sticking while u3 differs from u2 jumps; where L3 = L2 c4, eq. 65 cannot have u1 independent: the cart can only turn."""
    model = compile_model(cart(), implementation=Reference())
    stuck = model.constrained("rear", "front", "stuck")
    state, u3 = rolling_cart(0.7, 1.0, 0.2)
    assert abs(u3 - 0.2) > 1
    jump = stuck.imposed(state)
    T = [model.kinetic_energy(each) for each in (state, jump.state)]
    assert_allclose(jump.energy_lost, T[0] - T[1], rtol=1e-12)
    assert jump.energy_lost > 0.1 and abs(jump.state.qdot[3]) < 1e-15
    assert_allclose(jump.state.qdot[2], np.sin(0.7) / (L2 * np.cos(0.7) - L3) * ahead(jump.state.qdot), rtol=1e-12)
    turning = State(q=[0.3, -0.2, 0.0, np.arccos(L3 / L2)], qdot=[0, 0, 0.3, 0])
    assert stuck.imposed(turning).energy_lost < 1e-15
    assert stuck.independent == ("floor.turn",)
    udot = stuck.forward_dynamics(turning, np.zeros(4), None, [("B", [5.0, 0, 0, 0, 0, 2.0])])
    about_P1 = I_B + M_B * L1**2 + M_C * (L2**2 + L3**2 - 2 * L2 * L3 * L3 / L2)
    assert_allclose(udot[2:], [2.0 / about_P1, 0], rtol=1e-12, atol=1e-15)


def test_what_cannot_hold_is_refused_by_name():
    two = [Speed("slow", {"shoulder": 1.0}, 0.1), Speed("fast", {"shoulder": 2.0}, 0.3), Lock("held", "elbow")]
    system = with_parts(two_links(), constraints=two)
    model, state = compile_model(system, implementation=Reference()), State.at_rest(system, [0.3, 0.4])
    with pytest.raises(InvalidInput, match="every name once, found held, held"):
        model.constrained("held", "held")
    with pytest.raises(UnknownName, match="slwo"):
        model.constrained("slwo")
    words = r"obeys all of (slow|fast)\.value, (slow|fast)\.value in this state: .* misses (slow|fast)\.value by 0\.\d+ rad/s$"
    with pytest.raises(InconsistentConstraints, match=words):
        model.constrained("slow", "held", "fast").forward_dynamics(state, [0, 0])
    with pytest.raises(InvalidState, match=r"loop.* tolerance_m: expected frames that meet within 1e-09 m"):
        compile_model(square(), implementation=Reference()).constrained("loop").imposed(
            State.at_rest(square(), closed(0.3) + 1e-3)
        )
    with pytest.raises(InvalidState, match="kept: expected shape"):
        model.constrained("held").forward_dynamics(state, [0, 0], kept=[1.0, 2.0])


def test_a_set_that_loses_rank_where_it_moves_is_a_typed_failure():
    """Both links stretched, the tip held to the ground: its accelerations are one fewer than its conditions."""
    system = two_links()
    fixed = System(
        "held",
        system.base,
        system.bodies[1:],
        system.frames,
        fixed=True,
        constraints=[PointOnPoint("far", ("ground", "tip"), tolerance_m=9.0)],
    )
    model = compile_model(fixed, implementation=Reference())
    far = model.constrained("far")
    assert far.rank(State(q=[0.2, 0.0])) == 1 and far.rank(State(q=[0.2, 0.5])) == 2
    far.forward_dynamics(State(q=[0.2, 0.0], qdot=[0, 0]), [0, 0])
    with pytest.raises(ConstraintRankLoss, match="no accelerations of system 'held' obey 'far'"):
        far.forward_dynamics(State(q=[0.2, 0.0], qdot=[1.25, -2.75]), [1.0, 0])


def test_a_gimbal_that_locks_is_seen_under_constraints_too():
    hand = Body("hand", 3.0, [0.2, 0.3, 0.4], [0.1, 0.2, 0.3], "base", Joint("wrist", "gimbal", sequence="xyx"))
    slide = Body("cart", 3.0, [0.2, 0.3, 0.4], [0.1, 0, 0], "base", Joint("way", "prismatic", [1, 0, 0]))
    system = System("wristed", Body("base", 20.0, [5, 6, 7]), [hand, slide], constraints=[Lock("held", "way")])
    held = compile_model(system, implementation=Reference()).constrained("held")
    at = lambda angle: State.at_rest(system, [0.1, angle, 0.2, 0.0])  # noqa: E731
    assert abs(held.forward_dynamics(at(0.5), np.ones(4))[-1]) < 1e-12
    with pytest.raises(SingularInertia, match="gimbal 'wrist' is in gimbal lock"):
        held.forward_dynamics(at(0.0), np.ones(4))


def test_dependent_speeds_follow_from_the_others_and_from_what_is_prescribed():
    system = with_parts(two_links(), constraints=[Speed("spin", {"shoulder": 1.0, "elbow": 0.5}, 0.3)])
    model = compile_model(system, implementation=Reference())
    held = model.constrained("spin")
    still = State.at_rest(system, [0.3, 0.4])
    after = held.imposed(
        still.repacked(np.concatenate([still.x[: model.layout.x_u.start], 0.1 * np.arange(model.layout.n_u)]))
    ).state
    own, others = ([model.layout.u_names.index(name) for name in names] for names in (held.dependent, held.independent))
    assert_allclose(after.u[own], held.D(after) @ after.u[others] + held.E(after), rtol=1e-12)
    assert held.E(after).any()
