"""F_r and F_r* per body and in sum, and the tables of partial velocities, as [Kane1983] has them."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp
from numpy.testing import assert_allclose

from scmanip.dynamics import (
    JointRates,
    PartialVelocities,
    RatesFromSpeeds,
    Reference,
    change_speeds,
    compile_model,
    generalized_force_table,
    partial_velocity_table,
)
from scmanip.spatial import cross, dcm_from_quaternion
from scmanip.system import Body, Joint, State, System, load_system

from ..oracles.complex_step import rate
from ..oracles.pinocchio_oracle import PinocchioOracle
from ..oracles.random_systems import FIRST_OF_ALL, FIRST_TREE, random_state, random_system
from .arms import two_links
from .kane_levinson_listing import X_of
from .test_generalized_speeds import ORDER, SPEEDS_OF_D, STANFORD, TREES, T, choices, listed, loads, reference, stanford_states
from .test_springs import with_springs

SEEDS = [seed for seed in range(40) if random_system(seed).layout.N > 0][:16] + TREES[:8]


def table_of(model, state, speeds, t=T):
    return change_speeds(model, speeds).partial_velocities(state, t)


# Partial velocities


@pytest.mark.battery(3)
@pytest.mark.parametrize("seed", SEEDS)
def test_partial_velocities_give_the_velocities_of_all_bodies_in_N_and_in_body_axes(seed: int) -> None:
    model, state = reference(seed)
    e = model.equations(state)
    links = e.parameters.link_of
    for speeds in choices(model.system, seed):
        s, table = change_speeds(model, speeds).speeds_of(state, T), table_of(model, state, speeds)
        size = np.linalg.norm(table.v_r) * np.linalg.norm(s)
        assert_allclose(table.omega_r @ s + table.omega_t, e.omega[links], rtol=0, atol=1e-13 * size)
        assert_allclose(table.v_r @ s + table.v_t, e.v[links], rtol=0, atol=1e-13 * size)
        for body, omega, omega_B in zip(table.bodies, table.omega_r, table.omega_r_B, strict=True):
            R = dcm_from_quaternion(model.attitude(state, body))
            assert_allclose(R @ omega_B, omega, rtol=0, atol=1e-13 * abs(omega).max(initial=1.0))


@pytest.mark.parametrize("seed", SEEDS)
def test_partial_velocities_of_joint_rates_are_the_jacobians_of_pinocchio(seed: int) -> None:
    model, state = reference(seed)
    twin, table = PinocchioOracle(model.system), table_of(model, state, JointRates())
    for k, body in enumerate(table.bodies[1:], 1):
        J = twin.jacobian(state, body, model.system.bodies[k].com_m)
        assert_allclose(table.v_r[k], J[:3, -table.v_r.shape[2] :], rtol=0, atol=1e-12 * abs(J).max())
        assert_allclose(table.omega_r[k], J[3:, -table.v_r.shape[2] :], rtol=0, atol=1e-12 * abs(J).max())


# Generalized forces


@pytest.mark.battery(1, judged=8)
@pytest.mark.parametrize("seed", SEEDS)
def test_active_and_inertia_forces_cancel_at_the_accelerations_of_forward_dynamics(seed: int) -> None:
    model, state = reference(seed)
    (tau, wrench), pushed = loads(model, seed), [("tip", np.arange(1.0, 7.0)), (("base", [0.1, 0.2, 0.3]), np.ones(6))]
    for speeds in choices(model.system, seed):
        changed = change_speeds(model, speeds)
        forces = changed.generalized_forces(state, tau, wrench, pushed, t=T)
        assert forces.active.shape == forces.inertia.shape == (len(model.system.bodies), len(changed.names))
        W = changed.W(state, T)
        scale = max(abs(forces.active).max(), abs(forces.inertia).max())
        bound = max(1e-12, 30 * np.linalg.cond(model.M(state)) * np.linalg.cond(W) * np.finfo(float).eps)
        assert abs(forces.F_r + forces.F_r_star).max() < bound * scale


@pytest.mark.battery(1, judged=8)
@pytest.mark.parametrize("seed", SEEDS)
def test_sums_of_generalized_forces_are_the_equations_of_motion_at_any_acceleration(seed: int) -> None:
    """F_r + F_r* = W' f - (M_s sdot + bias_s)."""
    model, state = reference(seed)
    tau, wrench = loads(model, seed)
    for speeds in choices(model.system, seed):
        changed = change_speeds(model, speeds)
        sdot = np.random.default_rng([seed, 5]).normal(size=len(changed.names))
        forces = changed.generalized_forces(state, tau, wrench, sdot=sdot, t=T)
        wanted = changed.forces(state, tau, wrench, t=T) - changed.M(state, T) @ sdot - changed.bias(state, T)
        scale = max(abs(forces.active).max(), abs(forces.inertia).max(), abs(wanted).max())
        bound = 1e-12 * max(1.0, 1e-3 * np.linalg.cond(changed.W(state, T)))
        assert_allclose(forces.F_r + forces.F_r_star, wanted, rtol=0, atol=bound * scale)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_inertia_force_of_a_body_is_the_rate_of_its_momentum(seed: int) -> None:
    """F_r* of body k = -v_r . d(m v)/dt - omega_r . d(h)/dt, with rates by complex step along the motion."""
    model, state = reference(seed)
    udot = np.random.default_rng([seed, 6]).normal(size=model.layout.n_u)
    changed, links = change_speeds(model, JointRates()), model.equations(state).parameters.link_of
    table, forces = changed.partial_velocities(state), changed.generalized_forces(state, np.zeros(model.layout.N), sdot=udot)
    P_rate = rate(model.system, state, lambda e: (e.geometry.m[:, None] * e.v)[links], udot)
    h_rate = rate(model.system, state, lambda e: (e.geometry.I @ e.omega[:, :, None])[links, :, 0], udot)
    wanted = -(table.v_r * P_rate[:, :, None] + table.omega_r * h_rate[:, :, None]).sum(axis=1)
    assert_allclose(forces.inertia, wanted, rtol=0, atol=1e-12 * abs(wanted).max())


@pytest.mark.parametrize("seed", [41, 44, FIRST_TREE, FIRST_TREE + 3, FIRST_OF_ALL, FIRST_OF_ALL + 2])
def test_a_spring_acts_on_the_bodies_at_its_ends_and_on_no_other(seed: int) -> None:
    system = with_springs(seed)
    base, *bodies = system.bodies
    bare = System("bare", base, bodies, system.frames, fixed=system.fixed, gravity_m_s2=system.gravity_m_s2)
    state, twin, zero = random_state(system, seed), PinocchioOracle(bare), np.zeros(system.layout.N)
    models = [compile_model(s, implementation=Reference()) for s in (system, bare)]
    sprung, plain = (change_speeds(m, JointRates()).generalized_forces(state, zero).active for m in models)
    wanted, found = np.zeros(plain.shape), models[0].springs(state)
    for spring, length, rate_m_s in zip(system.springs, found.length, found.rate, strict=True):
        ends = [system.frame(name) for name in spring.between]
        d = twin.pose(state, ends[1].body, ends[1].origin_m)[0] - twin.pose(state, ends[0].body, ends[0].origin_m)[0]
        pull = spring.stiffness_N_m * (length - spring.length_m) + spring.damping_Ns_m * rate_m_s
        for end, force in zip(ends, (pull * d / length, -pull * d / length), strict=True):
            wanted[system.body_number(end.body)] += twin.jacobian(state, end.body, end.origin_m)[:3].T @ force
    assert system.springs
    assert_allclose(sprung - plain, wanted, rtol=0, atol=1e-11 * abs(sprung).max())


def test_a_joint_force_acts_on_the_body_it_carries_and_back_on_the_body_that_carries_it() -> None:
    """Two links in the plane, worked out by hand."""
    arm = two_links()
    held = System("two links", arm.base, arm.bodies[1:], arm.frames, fixed=True, gravity_m_s2=[0, -9.81, 0])
    q1, q2, g = 0.4, -0.9, 9.81
    forces = compile_model(held, speeds=JointRates()).generalized_forces(State(q=[q1, q2]), [3.0, 5.0])
    weights = [
        [-8 * g * 0.75 * np.cos(q1), 0],
        [-4 * g * (1.5 * np.cos(q1) + 0.5 * np.cos(q1 + q2)), -4 * g * 0.5 * np.cos(q1 + q2)],
    ]
    assert_allclose(forces.active, [[0, 0], [3 - 5 + weights[0][0], 0], [5 + weights[1][0], 5 + weights[1][1]]], atol=1e-12)
    lines = str(forces).splitlines()
    assert lines[0].split() == ["body", "speed", "F_r", "F_r*"]
    assert [line.split()[:2] for line in lines[-2:]] == [["all", "shoulder"], ["all", "elbow"]]


# The paper's arm


def test_partial_velocities_of_the_stanford_arm_are_those_of_eqs_15_to_47() -> None:
    changed = compile_model(STANFORD, speeds=SPEEDS_OF_D)
    for state in stanford_states(5):
        z, table = listed(state, changed.speeds_of(state)[ORDER]), changed.partial_velocities(state)
        omega = dict(zip(table.bodies, table.omega_r_B[:, :, ORDER], strict=True))
        v = dict(zip(table.bodies, table.v_r_B[:, :, ORDER], strict=True))
        c3, s3, c4, s4, c5, s5 = (z[name] for name in ("c3", "s3", "c4", "s4", "c5", "s5"))
        nothing = [0, 0, 0]
        eqs = {
            "A": [[0, 0, 0], [z["Z4"], 0, z["Z5"]], [0, 0, 0]],  # eq. 15
            "B": [[c3, 0, s3], [z["Z6"], 0, z["Z7"]], [z["Z8"], 0, z["Z9"]]],  # eq. 17
            "D": np.eye(3),  # eq. 18
        }
        for body, first in eqs.items():
            assert_allclose(omega[body], np.hstack([first, np.zeros((3, 3))]), rtol=0, atol=1e-12)
        E = [[1, 0, 0, 1, 0, 0], [0, c4, s4, 0, 0, 0], [0, -s4, c4, 0, 0, 0]]  # eq. 20
        F = [[c5, z["Z15"], z["Z16"], c5, 0, 0], [0, c4, s4, 0, 1, 0], [s5, z["Z17"], z["Z18"], s5, 0, 0]]  # eq. 22
        assert_allclose(omega["E"], E, rtol=0, atol=1e-12)
        assert_allclose(omega["F"], F, rtol=0, atol=1e-12)
        C = [  # eq. 32
            [z["Z25"], 0, z["Z26"], *nothing],
            [z["Z27"], 0, z["Z28"], 0, 0, 1],
            [z["Z29"], 0, z["Z30"], *nothing],
        ]
        assert_allclose(v["C"], C, rtol=0, atol=1e-12)
        assert_allclose(v["A"], np.zeros((3, 6)))  # eq. 45
        E = [  # eq. 40
            [z["Z44"], z["Z50"], z["Z51"], 0, 0, 0],
            [z["Z46"], 0, z["Z47"], 0, 0, z["C22"]],
            [z["Z52"], 0, z["Z49"], 0.06, 0, z["C23"]],
        ]
        assert_allclose(v["E"], E, rtol=0, atol=1e-12)


def test_generalized_forces_of_the_stanford_arm_are_eqs_86_88_and_111_to_116() -> None:
    """The paper's torques but tau_1 act from the outer on the inner body."""
    changed = compile_model(STANFORD, speeds=SPEEDS_OF_D)
    rng = np.random.default_rng(88)
    for state in stanford_states(10):
        z = listed(state, changed.speeds_of(state)[ORDER])
        tau_1, tau_2, tau_3, tau_4, tau_5, sigma = rng.normal(size=6)
        joints = {"q1": tau_1, "q2": -tau_2, "q3": -tau_3, "q4": -tau_4, "q5": -tau_5, "q6": -sigma}
        udot, sdot = rng.normal(size=6), np.empty(6)
        sdot[ORDER] = udot
        forces = changed.generalized_forces(state, [joints[name] for name in STANFORD.layout.qdot_names], sdot=sdot)
        K = [
            tau_1 * z["Z4"] - tau_2 * z["c3"] + tau_3 * z["Z6"] + z["Z192"],
            -tau_3 + z["Z193"],
            tau_1 * z["Z5"] - tau_2 * z["s3"] + tau_3 * z["Z7"] + z["Z194"],
            -tau_4 + z["Z195"],
            -tau_5,
            -sigma + z["Z196"],
        ]
        assert_allclose(forces.F_r[ORDER], K, rtol=0, atol=1e-12 * abs(np.array(K)).max())
        K_star = X_of(z) @ udot + [z[f"Z{181 + r}"] for r in range(1, 7)]
        assert_allclose(forces.F_r_star[ORDER], K_star, rtol=0, atol=1e-12 * abs(K_star).max())
        of_A = [-z["Z4"] * 0.02 * (z["Z4"] * udot[0] + z["Z5"] * udot[2] + z["Z71"]), 0, 0, 0, 0]  # eq. 86, but r = 3
        A = forces.inertia[forces.bodies.index("A")][ORDER]
        assert_allclose(A[[0, 1, 3, 4, 5]], of_A, rtol=0, atol=1e-13)


# Tables to read


def held_arm(gravity: float = 0.0) -> System:
    arm = two_links()
    return System("two links", arm.base, arm.bodies[1:], arm.frames, fixed=True, gravity_m_s2=[0, -gravity, 0])


def test_the_table_of_a_two_link_arm_reads_as_formulas() -> None:
    text = partial_velocity_table(compile_model(held_arm(), speeds=JointRates()))
    rows = [line.split(None, 3) for line in text.splitlines()[1:]]
    assert rows[0] == ["upper", "shoulder", "e3", "0.75 e2"]
    assert rows[1] == ["upper", "elbow", "0", "0"]
    assert rows[2] == ["lower", "shoulder", "e3", "1.5*sin(elbow) e1 + (1.5*cos(elbow) + 0.5) e2"]
    assert rows[3] == ["lower", "elbow", "e3", "0.5 e2"]


@pytest.mark.slow
def test_the_table_of_the_stanford_arm_shows_the_angular_velocity_of_D_as_speeds() -> None:
    text = partial_velocity_table(compile_model(held_stanford(), speeds=SPEEDS_OF_D))
    rows = {tuple(line.split()[:2]): line for line in text.splitlines()}
    assert "sin(q3)/sin(q2) e2" in rows["A", "D.1"]
    for axis in "123":
        assert rows["D", f"D.{axis}"].split()[2] == f"e{axis}"


def held_stanford() -> System:
    """The first four bodies of the arm."""
    arm = load_system("model:stanford_arm")
    return System("shoulder", arm.base, arm.bodies[1:5], fixed=True)


@pytest.mark.slow
def test_formulas_of_generalized_forces_are_the_equations_of_the_arm() -> None:
    """Evaluated as text at one place, against the same by numbers."""
    model = compile_model(held_arm(9.81), speeds=JointRates())
    state, sdot, tau = State(q=[0.3, 0.8], qdot=[0.5, -0.7]), [0.2, 0.9], [3.0, 5.0]
    forces = model.generalized_forces(state, tau, sdot=sdot)
    shoulder, elbow, d1, d2, dd1, dd2, f1, f2 = sp.symbols("shoulder elbow d1 d2 dd1 dd2 f_shoulder f_elbow")
    values = dict(zip((shoulder, elbow, d1, d2, dd1, dd2, f1, f2), (0.3, 0.8, 0.5, -0.7, 0.2, 0.9, *tau), strict=True))
    rows = [line.split("  ") for line in generalized_force_table(model).splitlines()[1:]]
    cells = [[cell.strip() for cell in row if cell.strip()] for row in rows]
    for body, speed, *both in cells:
        r = forces.speeds.index(speed)
        k = forces.bodies.index(body) if body != "all" else None
        wanted = (forces.F_r[r], forces.F_r_star[r]) if k is None else (forces.active[k, r], forces.inertia[k, r])
        for text, number in zip(both, wanted, strict=True):
            plain = (
                text.replace("shoulder''", "dd1").replace("elbow''", "dd2").replace("shoulder'", "d1").replace("elbow'", "d2")
            )
            assert float(sp.sympify(plain).subs(values)) == pytest.approx(number, rel=1e-12, abs=1e-12)
    assert len(cells) == 6


def test_tables_can_be_typeset_and_hostile_names_stay_data() -> None:
    hostile = r"\input{x}"
    body = Body(hostile, 2.0, [1, 1, 1], [0.5, 0, 0], "base", Joint("f_$a$", "revolute"))
    system = System("hostile", Body("base", 5.0, [1, 1, 1]), [body], fixed=True)
    model = compile_model(system, speeds=JointRates())
    for table in (partial_velocity_table(model, latex=True), generalized_force_table(model, latex=True)):
        assert table.startswith("\\begin{array}{llll}\n")
        assert r"\input" not in table
        assert "$" not in table
    assert r"0.5 \hat{e}_2" in partial_velocity_table(model, latex=True)
    assert r"F_r & F_r^*" in generalized_force_table(model, latex=True)
    assert r"\mathtt{f\_[24]a[24]}''" in generalized_force_table(model, latex=True)


def test_primes_stand_behind_letters_that_are_typeset_as_without_them() -> None:
    link = Body("A", 2.0, [1, 1, 1], [0.5, 0, 0], "base", Joint("q1", "revolute"))
    model = compile_model(System("one", Body("base", 5.0, [1, 1, 1]), [link], fixed=True), speeds=JointRates())
    assert r"A & q_{1} & f_{q1} & - 1.5 q_{1}'' \\" in generalized_force_table(model, latex=True)


@pytest.mark.slow
def test_names_that_would_mean_two_things_are_numbered() -> None:
    """A joint called as the force on another one would be."""
    first = Body("one", 2.0, [1, 1, 1], [0.5, 0, 0], "base", Joint("a", "revolute"))
    second = Body("two", 2.0, [1, 1, 1], [0.5, 0, 0], "one", Joint("f_a", "revolute", origin_m=[1, 0, 0]))
    system = System("confusing", Body("base", 5.0, [1, 1, 1]), [first, second], fixed=True)
    text = generalized_force_table(compile_model(system, speeds=JointRates()))
    assert "f_1 - f_2" in text
    assert "sin(q_2)" in text


def test_a_table_of_numbers_and_a_compiled_program_agree() -> None:
    state = stanford_states(1)[0]
    changed = compile_model(STANFORD, speeds=SPEEDS_OF_D)
    table = changed.partial_velocities(state)
    assert isinstance(table, PartialVelocities)
    omega, v = np.empty((7, 3, 6)), np.empty((7, 3, 6))
    changed.kernel("partial_velocities")(state.q, np.array(0.0), changed.speeds_of(state), omega, v)
    assert_allclose(omega, table.omega_r_B, atol=1e-13)
    assert_allclose(v, table.v_r_B, atol=1e-13)


def test_velocities_without_speeds_appear_in_the_remainder() -> None:
    """A carousel that turns with Omega(t) whatever the speeds: omega_t and v_t are its motion."""
    Omega = 0.7
    carousel = Body("carousel", 10, [1, 1, 1], [0.5, 0, 0], "base", Joint("turn", "revolute", [0, 0, 1]))
    slider = Body("slider", 2, [1, 1, 1], parent="carousel", joint=Joint("slide", "prismatic", [1, 0, 0]))
    system = System("carousel", Body("base", 0, [0, 0, 0]), [carousel, slider], fixed=True)
    driven = RatesFromSpeeds(("along",), lambda at: [[0], [1]], lambda at: [Omega, 0])
    changed = compile_model(system, speeds=driven, implementation=Reference())
    table = changed.partial_velocities(State(q=[0.2, 1.5], qdot=[Omega, 3.0]))
    along, across = np.array([np.cos(0.2), np.sin(0.2), 0]), np.array([-np.sin(0.2), np.cos(0.2), 0])
    assert_allclose(table.omega_t[1:], [[0, 0, Omega], [0, 0, Omega]], atol=1e-15)
    assert_allclose(table.v_t[1:], [0.5 * Omega * across, 1.5 * Omega * across], atol=1e-15)
    assert_allclose(table.v_r[1:, :, 0], [[0, 0, 0], along], atol=1e-15)
    assert_allclose(table.v_t[2], cross(np.array([0, 0, Omega]), 1.5 * along), atol=1e-15)
