"""A model under constraints against multipliers over Pinocchio's M and bias, and against Pinocchio's constraint dynamics."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.constraints import Lock, PointOnPlane, PointOnPoint, Rolling, Speed, Weld
from scmanip.dynamics import Reference, RunTimeInertia, compile_model
from scmanip.dynamics.constraints._embedding import Embedding
from scmanip.errors import ConstraintRankLoss, InconsistentConstraints, InvalidState, UnknownName
from scmanip.spatial import dcm_from_quaternion, quaternion_rate
from scmanip.system import Body, Frame, Joint, State, System, Wheel

from ..constraints.held_systems import held_system, with_parts
from ..oracles.constraint_oracle import ConstraintOracle
from ..oracles.random_systems import FIRST_FOREST, random_case, random_state
from .arms import two_links

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


def square() -> System:
    """A planar four-bar linkage in space on a free base, closed by two points that meet, which never part along its axis."""
    hinge = lambda name, at: Joint(name, "revolute", [0, 0, 1], at)  # noqa: E731
    bodies = [
        Body("crank", 3.0, [0.1, 0.4, 0.4], [0.5, 0, 0], "base", hinge("j1", [0.5, 0, 0])),
        Body("rod", 2.0, [0.1, 0.3, 0.3], [0.6, 0, 0], "crank", hinge("j2", [1.0, 0, 0])),
        Body("rocker", 4.0, [0.1, 0.5, 0.5], [0.4, 0, 0], "base", hinge("j3", [0.5, 1.0, 0])),
    ]
    frames = [Frame("end", "rod", [1.2, 0, 0]), Frame("joint", "rocker", [0.8, 0, 0])]
    held = [PointOnPoint("loop", ("end", "joint"), tolerance_m=1e-9)]
    return System("linkage", Body("base", 50.0, [10, 12, 15], [0.1, 0.2, 0.3]), bodies, frames, constraints=held)


def closed(q1: float) -> np.ndarray:
    """Return the angles (3,) of the linkage where its loop is closed."""
    rocker, pin = np.array([0.0, 1.0]), np.array([np.cos(q1), np.sin(q1)])
    way = rocker - pin
    a, b, c = 1.2, 0.8, np.hypot(*way)
    inner = np.arccos((a * a + c * c - b * b) / (2 * a * c))
    q2 = np.arctan2(way[1], way[0]) - inner
    end = pin + a * np.array([np.cos(q2), np.sin(q2)])
    return np.array([q1, q2 - q1, np.arctan2(*(end - rocker)[::-1])])


def at_closed(q1=0.3) -> State:
    attitude = np.array([0.1, -0.2, 0.3, 0.9])
    return State([0, 0, 0], attitude / np.linalg.norm(attitude), closed(q1), [0.1, 0, 0.2], [0.1, 0.3, -0.2], [0.4, -0.1, 0.2])


def test_a_planar_loop_in_space_is_redundant_by_name_and_flies_with_energy_and_momenta():
    model = compile_model(square())
    loop = model.constrained("loop")
    jump = loop.imposed(at_closed())
    assert loop.rank(jump.state) == 2 and loop.redundant == (("loop.z",),)
    state, layout = jump.state, model.layout
    before, T, kept = model.momentum(state), model.kinetic_energy(state), loop.kept(state)

    def rate(x):
        now = State.unpack(x, layout)
        udot = loop.forward_dynamics(now, np.zeros(3), kept=kept)
        turning = quaternion_rate(now.attitude_xyzw, now.omega_0)
        return np.concatenate([now.v_0, turning, now.qdot, udot])

    x, h = np.array(state.x), 0.01
    for _ in range(100):
        k1 = rate(x)
        k2 = rate(x + h / 2 * k1)
        k3 = rate(x + h / 2 * k2)
        x = x + h / 6 * (k1 + 2 * k2 + 2 * k3 + rate(x + h * k3))
    after = State.unpack(x, layout)
    assert abs(after.q - state.q).max() > 0.05
    gap = model.position(after, "end") - model.position(after, "joint")
    assert abs(gap).max() < 1e-8 and abs(model.kinetic_energy(after) - T) < 1e-8 * T
    for name in ("P", "L_C"):
        assert_allclose(getattr(model.momentum(after), name), getattr(before, name), atol=1e-8)


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
        assert sum(key[0] == "constrained" for key in model.family.kept if isinstance(key, tuple)) == 4


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
    for q1 in np.linspace(-0.3, 1.0, 13):
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


def disk(phi: float) -> System:
    """The disk of [Gillespie2003] Figure 1 on a slope: q = [along it, from it, angle]."""
    turn = np.array([[np.cos(phi), -np.sin(phi), 0], [np.sin(phi), np.cos(phi), 0], [0, 0, 1]])
    body = Body("disk", 2.0, [0.05, 0.05, 0.09], parent="base", joint=Joint("way", "planar", dcm=turn))
    slope = Frame("slope", "base", dcm=turn)
    keys = {"frames": ("disk", "slope"), "radius_m": 0.3, "normal": [0, 1, 0], "axis": [0, 0, 1]}
    held = [Rolling("rolls", **keys), PointOnPlane("rests", **keys)]
    return System("disk", Body("base", 0, [0, 0, 0]), [body], [slope], fixed=True, gravity_m_s2=[0, -9.81, 0], constraints=held)


def test_the_disk_rolls_and_slides_down_the_slope_as_gillespie_has_it():
    """Eqs 40 and 42; its forces N = m g cos(phi) and F_f by hand."""
    phi, m, J, r, g = 0.4, 2.0, 0.09, 0.3, 9.81
    model = compile_model(disk(phi), implementation=Reference())
    state = State(q=[0.7, r, 0.2], qdot=[-0.5, 0.0, 0.5 / r])
    rolling = model.constrained("rolls", "rests")
    udot = rolling.forward_dynamics(state, [0, 0, 0])
    along = -m * g * np.sin(phi) / (m + J / r**2)
    assert_allclose(udot, [along, 0, -along / r], atol=1e-13)
    forces = rolling.constraint_forces(state, [0, 0, 0])
    assert_allclose(forces["rests"], [m * g * np.cos(phi)], rtol=1e-13)
    assert_allclose(np.linalg.norm(forces["rolls"]), abs(J * along / r**2), rtol=1e-12)
    sliding = model.constrained("rests")
    assert_allclose(sliding.forward_dynamics(state, [0, 0, 0]), [-g * np.sin(phi), 0, 0], atol=1e-13)
    assert sliding.rank(state) == 1 and rolling.rank(state) == 2
    spun = rolling.imposed(State(q=[0.7, r, 0.2], qdot=[-0.5, 0.0, 0.0]))
    assert_allclose(spun.state.qdot[0], -0.5 * m / (m + J / r**2), rtol=1e-13)


def test_what_cannot_hold_is_refused_by_name():
    two = [Speed("slow", {"shoulder": 1.0}, 0.1), Speed("fast", {"shoulder": 2.0}, 0.3), Lock("held", "elbow")]
    system = with_parts(two_links(), constraints=two)
    model, state = compile_model(system, implementation=Reference()), State.at_rest(system, [0.3, 0.4])
    with pytest.raises(UnknownName, match="slwo"):
        model.constrained("slwo")
    with pytest.raises(InconsistentConstraints, match=r"obeys all of (slow|fast)\.value, (slow|fast)\.value in"):
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
