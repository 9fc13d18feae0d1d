"""Generalized speeds that are not coordinate rates [Kane1983], [Gillespie2003]: the motion stays, its description changes."""

from __future__ import annotations

import pickle
from collections.abc import Iterable

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import solve_ivp

from scmanip.dynamics import (
    BodyAngularVelocity,
    DecouplingSpeeds,
    JointRates,
    Model,
    Partial,
    Place,
    RatesFromSpeeds,
    Reference,
    Speeds,
    SpeedsFromRates,
    change_speeds,
    compare_speeds,
    compile_model,
    derive,
    operations_table,
)
from scmanip.dynamics.speeds._speed_change import SpeedChange
from scmanip.dynamics.speeds._speed_equations import ByPartialVelocities, Projected, ProjectedSums, SolvedForRates
from scmanip.errors import InvalidInput, InvalidState, NumericalFailure, UnknownName
from scmanip.spatial import cos, dcm_from_quaternion, sin
from scmanip.system import Body, Joint, State, System, load_system

from ..oracles.complex_step import STEP, rate
from ..oracles.random_systems import FIRST_OF_ALL, FIRST_TREE, random_case, random_state, random_system
from .arms import two_links
from .kane_levinson_listing import X_of, quantities

EPS = np.finfo(float).eps
T = 0.3
TREES = [*range(FIRST_TREE, FIRST_TREE + 12), *range(FIRST_OF_ALL, FIRST_OF_ALL + 12)]
SEEDS = [*(seed for seed in range(40) if random_system(seed).layout.N > 0), *TREES]
STANFORD = load_system("model:stanford_arm")
SPEEDS_OF_D = BodyAngularVelocity("D", ("q1", "q2", "q3"))


def mixed_speeds(system: System, seed: int) -> SpeedsFromRates:
    """Some speeds that mix everything, and change with q, with the attitude and with time."""
    rng, n = np.random.default_rng([seed, 7]), system.layout.n_u
    own = rng.permutation(n)[: min(n, 4)]
    turning, drift = rng.normal(size=(3, len(own), n)) / n / 3, np.zeros((2, n))
    drift[:, own] = rng.normal(size=(2, len(own)))

    def A(at: Place) -> np.ndarray:
        A = np.array(np.eye(n, dtype=int), dtype=(at.q * at.t).dtype)
        A[own] = 2 * A[own] + sin(at.q[0] + at.t) * turning[0] + at.attitude_xyzw[2] * turning[1] + cos(2 * at.t) * turning[2]
        return A

    def B(at: Place) -> np.ndarray:
        return drift[0] * at.t * at.q[-1] + drift[1] * sin(at.attitude_xyzw[0])

    return SpeedsFromRates(tuple(f"s{k}" for k in range(n)), A, B)


def turning_speeds(system: System, seed: int) -> list[Speeds]:
    """The angular velocity of the last body with three turning joints before it, in any order, if there is one."""
    rng = np.random.default_rng([seed, 8])
    for body in reversed(system.bodies[1:]):
        path = system.tree.joint_path[system.body_number(body.name)]
        on = [joint for joint, moves in zip(system.joints, path, strict=True) if moves and joint.n_q == joint.dof]
        turning = [freedom.name for joint in on for freedom in joint.freedoms if freedom.turns]
        if len(turning) >= 3:
            first, second, third = rng.permutation(turning)[:3]
            return [BodyAngularVelocity(body.name, (str(first), str(second), str(third)))]
    return []


def choices(system: System, seed: int) -> list[Speeds]:
    return [JointRates(), DecouplingSpeeds(), mixed_speeds(system, seed), *turning_speeds(system, seed)]


def reference(seed: int) -> tuple[Model, State]:
    system = random_case(seed)
    return compile_model(system, implementation=Reference()), random_state(system, seed)


def loads(model: Model, seed: int) -> tuple[np.ndarray, np.ndarray | None]:
    rng = np.random.default_rng([seed, 9])
    return rng.normal(size=model.layout.N), None if model.layout.fixed else rng.normal(size=6)


def close(found: np.ndarray, wanted: np.ndarray, conditions: Iterable[np.ndarray]) -> None:
    """Within 1e-12 of the largest entry, or what solving with these matrices costs."""
    cond = np.prod([np.linalg.cond(A) for A in conditions])
    assert abs(found - wanted).max() <= max(1e-12, 30 * cond * EPS) * abs(wanted).max()


# The same motion


@pytest.mark.battery(0, judged=21)
@pytest.mark.parametrize("seed", SEEDS)
def test_accelerations_are_those_of_the_model_in_every_choice_of_speeds(seed: int) -> None:
    model, state = reference(seed)
    tau, wrench = loads(model, seed)
    wanted = model.forward_dynamics(state, tau, wrench)
    for speeds in choices(model.system, seed):
        changed = change_speeds(model, speeds)
        sdot = changed.forward_dynamics(state, tau, wrench, t=T)
        W = changed.W(state, T)
        close(changed.accelerations(state, sdot, T), wanted, [model.M(state), W, W])


@pytest.mark.battery(0, judged=8)
@pytest.mark.parametrize("seed", [*SEEDS[:12], *TREES[:4]])
def test_all_ways_to_the_equations_agree(seed: int) -> None:
    model, state = reference(seed)
    rng = np.random.default_rng(seed)
    for speeds in choices(model.system, seed):
        change = SpeedChange(model.symbolic.derivation, speeds)
        base = {} if state.fixed else {"r_0": state.r_0, "attitude_xyzw": state.attitude_xyzw}
        s, F, sdot = rng.normal(size=(3, len(change.names)))
        given = {**base, "q": state.q, "t": np.array(T), "s": s}
        sums = ProjectedSums(change, given)
        for way in (Projected, SolvedForRates, ByPartialVelocities):
            e = way(change, given)
            close(e.M, sums.M, [sums.W])
            close(e.inverse_dynamics(sdot), sums.inverse_dynamics(sdot), [sums.W])
            close(e.forward_dynamics(F), sums.forward_dynamics(F), [sums.M, sums.W, sums.W])


@pytest.mark.battery(1)
@pytest.mark.parametrize("seed", SEEDS[:12])
def test_speeds_lead_back_to_the_state_and_power_is_the_same(seed: int) -> None:
    model, state = reference(seed)
    tau, wrench = loads(model, seed)
    f = np.concatenate([[] if wrench is None else wrench, tau])
    for speeds in choices(model.system, seed):
        changed = change_speeds(model, speeds)
        s = changed.speeds_of(state, T)
        W, X = changed.W(state, T), changed.X(state, T)
        close(changed.state(state, s, T).u, state.u, [W])
        assert changed.forces(state, tau, wrench, t=T) @ s + f @ X == pytest.approx(f @ state.u, rel=1e-9, abs=1e-9)
        close(changed.M(state, T), W.T @ model.M(state) @ W, [W])


@pytest.mark.slow
def test_inverse_dynamics_undoes_forward_dynamics_and_the_compiled_model_is_the_reference() -> None:
    system = random_system(21)
    state, n = random_state(system, 21), system.layout.n_u
    for implementation in (None, Partial(), Reference()):
        model = compile_model(system, implementation=implementation)
        changed = change_speeds(model, mixed_speeds(system, 21))
        tau, wrench = loads(model, 21)
        sdot = changed.forward_dynamics(state, tau, wrench, t=T)
        F = changed.forces(state, tau, wrench, t=T)
        close(changed.inverse_dynamics(state, sdot, T), F, [model.M(state)])
        close(changed.M(state, T) @ sdot + changed.bias(state, T), F, [model.M(state)])
        assert changed.Xdot(state, T).shape == (n,)
    with pytest.raises(InvalidState, match="sdot"):
        changed.inverse_dynamics(state, np.zeros(n + 1))


# Their derivatives along the motion


@pytest.mark.battery(1)
@pytest.mark.parametrize("seed", SEEDS[:16])
def test_Wdot_and_Xdot_are_derivatives_along_the_motion(seed: int) -> None:
    """By complex step through a place that moves with u, and a clock that runs."""
    model, state = reference(seed)
    u, layout = state.u, model.layout
    for speeds in choices(model.system, seed):
        change, changed = SpeedChange(model.symbolic.derivation, speeds), change_speeds(model, speeds)
        moved: dict[str, np.ndarray] = {"q": state.q + 1j * STEP * state.qdot, "t": np.array(T + 1j * STEP)}
        if not state.fixed:
            x, y, z, w = state.attitude_xyzw
            E = np.array([[w, z, -y], [-z, w, x], [y, -x, w], [-x, -y, -z]]) / 2  # quaternion rate of a turn in N
            moved |= {
                "r_0": state.r_0 + 1j * STEP * u[layout.base_linear],
                "attitude_xyzw": state.attitude_xyzw + 1j * STEP * (E @ u[layout.base_angular]),
            }
        at = change.map(moved)
        Wdot, Xdot, W = (changed.Wdot(state, T), changed.Xdot(state, T), changed.W(state, T))
        scale = abs(Wdot).max() + abs(Xdot).max() + 1
        tolerance = max(1e-11, 100 * np.linalg.cond(W) ** 2 * EPS, 100 * EPS * np.linalg.cond(model.M(state))) * scale
        assert_allclose(np.imag(at.W) / STEP, Wdot, rtol=0, atol=tolerance)
        assert_allclose(np.imag(at.X) / STEP, Xdot, rtol=0, atol=tolerance)


def test_a_slider_seen_from_a_clock_by_hand() -> None:
    """Mass m on a rail, s = (1 + t) v + t^3: v = (s - t^3)/(1 + t), m dv/dt (1 + t)^-1 = F."""
    m, t, s = 3.0, 0.7, 1.9
    slider = Body("slider", m, [1, 1, 1], parent="base", joint=Joint("x", "prismatic", [1, 0, 0]))
    system = System("slider", Body("base", 0, [0, 0, 0]), [slider], fixed=True)
    speeds = SpeedsFromRates(("s",), lambda at: [[1 + at.t]], lambda at: [at.t**3])
    changed = compile_model(system, speeds=speeds)
    v = (s - t**3) / (1 + t)
    state = State(q=[0.2], qdot=[v])
    assert changed.speeds_of(state, t) == pytest.approx([s])
    assert changed.M(state, t) == pytest.approx(np.array([[m / (1 + t) ** 2]]))
    sdot = changed.forward_dynamics(state, [5.0], t=t)
    assert sdot == pytest.approx([(1 + t) * 5.0 / m + v + 3 * t**2])
    assert changed.bias(state, t) == pytest.approx([m / (1 + t) * -(v + 3 * t**2) / (1 + t)])


def test_a_pendulum_on_a_driven_carousel_by_hand() -> None:
    """The carousel turns with Omega(t) = a t whatever it takes: m l^2 theta'' = m l^2 Omega^2 s c - m g l s."""
    m, l, a, t, theta = 2.0, 0.8, 0.5, 3.0, 0.6
    carousel = Body("carousel", 10, [1, 1, 1], parent="base", joint=Joint("turn", "revolute", [0, 0, 1]))
    bob = Body("bob", m, [0, 0, 0], [0, 0, -l], "carousel", Joint("swing", "revolute", [0, 1, 0]))
    system = System("carousel", Body("base", 0, [0, 0, 0]), [carousel, bob], fixed=True, gravity_m_s2=[0, 0, -9.81])
    driven = RatesFromSpeeds(("swing rate",), lambda at: [[0], [1]], lambda at: [a * at.t, 0])
    changed = compile_model(system, speeds=driven)
    state = State(q=[0.4, theta], qdot=[a * t, 0.7])
    Omega = a * t
    wanted = Omega**2 * np.sin(theta) * np.cos(theta) - 9.81 / l * np.sin(theta)
    assert changed.forward_dynamics(state, [99.0, 0.0], t=t) == pytest.approx([wanted])
    assert changed.accelerations(state, [wanted], t) == pytest.approx([a, wanted])
    with pytest.raises(InvalidState, match=r"u = W s \+ X for some s \(swing rate\)"):
        changed.M(state, t + 1)


# Speeds that hold a constraint


@pytest.mark.battery(3)
@pytest.mark.parametrize("seed", [seed for seed in SEEDS if random_system(seed).layout.n_u >= 3])
def test_a_tall_W_gives_the_motion_that_multipliers_give(seed: int) -> None:
    """The tip may not move along a direction fixed in N: c(q) u = 0, M udot + bias = f + c' lambda."""
    model, free = reference(seed)
    system, n = model.system, model.layout.n_u
    direction, point = np.random.default_rng([seed, 4]).normal(size=3), model.point("tip")

    def row(e) -> np.ndarray:  # type: ignore[no-untyped-def]
        return direction @ np.hstack([e.J0(point), e.Jm(point)])[:3]

    c = row(model.equations(free))
    k = int(np.argmax(abs(c)))
    assert abs(c[k]) > 1e-3
    others = [j for j in range(n) if j != k]

    def W(at: Place) -> np.ndarray:
        r = row(at.equations)
        result = np.array(np.eye(n)[:, others], dtype=r.dtype)
        result[k] = -r[others] / r[k]
        return result

    changed = change_speeds(model, RatesFromSpeeds(tuple(f"s{j}" for j in others), W))
    state = changed.state(free, free.u[others])
    assert abs(c @ state.u) < 1e-12 * abs(c).max() * abs(state.u).max()
    tau, wrench = loads(model, seed)
    e = model.equations(state)
    cdot = rate(system, state, row)
    KKT = np.block([[e.M, -c[:, None]], [c[None], np.zeros((1, 1))]])
    wanted = np.linalg.solve(KKT, np.concatenate([e.applied(tau, wrench, ()) - e.rest, [-cdot @ state.u]]))[:n]
    found = changed.accelerations(state, changed.forward_dynamics(state, tau, wrench))
    close(found, wanted, [e.M, changed.W(state)])
    with pytest.raises(InvalidState, match="nearest"):
        changed.bias(free)


# Ready choices


@pytest.mark.battery(3)
@pytest.mark.parametrize("seed", SEEDS[:12])
def test_decoupling_speeds_make_M_diagonal_and_start_with_the_velocity_of_the_centre_of_mass(seed: int) -> None:
    model, state = reference(seed)
    changed = change_speeds(model, DecouplingSpeeds())
    M, W = changed.M(state), changed.W(state)
    assert np.count_nonzero(M - np.diag(np.diagonal(M))) == 0
    close(M, W.T @ model.M(state) @ W, [model.M(state)])
    if not state.fixed:
        v_C = model.momentum(state).P / model.system.mass_kg
        assert_allclose(changed.speeds_of(state)[:3], v_C, atol=1e-12 * abs(state.u).max())


@pytest.mark.battery(8)
@pytest.mark.parametrize("seed", [seed for seed in SEEDS if turning_speeds(random_case(seed), seed)])
def test_three_speeds_are_the_angular_velocity_of_the_body_in_its_own_axes(seed: int) -> None:
    model, state = reference(seed)
    (speeds,) = turning_speeds(model.system, seed)
    changed = change_speeds(model, speeds)
    names, s = changed.names, changed.speeds_of(state)
    own = [names.index(f"{speeds.body}.{axis}") for axis in (1, 2, 3)]
    J = np.hstack([model.J0(state, speeds.body), model.Jm(state, speeds.body)])
    R = dcm_from_quaternion(model.attitude(state, speeds.body))
    assert_allclose(R @ s[own], J[3:] @ state.u, atol=1e-12 * abs(state.u).max())
    rest = [k for k in range(len(s)) if k not in own]
    assert_allclose(s[rest], state.u[rest])


# The Stanford arm of the paper


ORDER = [SPEEDS_OF_D.names(STANFORD).index(name) for name in ("D.1", "D.2", "D.3", "q4", "q5", "q6")]


def stanford_states(count: int = 20) -> list[State]:
    rng = np.random.default_rng(46)
    states = []
    for _ in range(count):
        q = rng.uniform(-3, 3, 6)
        q[1] = rng.uniform(0.4, 2.7)
        states.append(State(q=q, qdot=rng.normal(size=6)))
    return states


def listed(state: State, u: np.ndarray) -> dict[str, float]:
    """Appendices 1, 2 and 4 for a state and the paper's u."""
    in_order = [STANFORD.layout.q_names.index(f"q{r}") for r in range(1, 7)]
    return quantities(state.q[in_order], u)


def test_the_speeds_of_D_are_eqs_5_to_7_and_their_inertia_is_appendix_2() -> None:
    changed = compile_model(STANFORD, speeds=SPEEDS_OF_D)
    for state in stanford_states():
        q = dict(zip(STANFORD.layout.q_names, state.q, strict=True))
        qdot = dict(zip(STANFORD.layout.q_names, state.qdot, strict=True))
        s2, c2, s3, c3 = np.sin(q["q2"]), np.cos(q["q2"]), np.sin(q["q3"]), np.cos(q["q3"])
        u = changed.speeds_of(state)[ORDER]
        eqs_5_to_7 = [
            qdot["q1"] * s2 * s3 + qdot["q2"] * c3,
            qdot["q1"] * c2 + qdot["q3"],
            -qdot["q1"] * s2 * c3 + qdot["q2"] * s3,
        ]
        assert_allclose(u, [*eqs_5_to_7, qdot["q4"], qdot["q5"], qdot["q6"]], rtol=1e-13, atol=1e-13)
        X = X_of(listed(state, u))
        assert_allclose(-changed.M(state)[np.ix_(ORDER, ORDER)], X, rtol=0, atol=1e-13 * abs(X).max())


def test_the_bias_in_the_speeds_of_D_is_what_the_Zs_of_appendix_1_leave() -> None:
    changed = compile_model(STANFORD, speeds=SPEEDS_OF_D)
    for state in stanford_states():
        z = listed(state, changed.speeds_of(state)[ORDER])
        gravity = np.array([z["Z192"], z["Z193"], z["Z194"], z["Z195"], 0.0, z["Z196"]])
        wanted = -gravity - [z[f"Z{181 + r}"] for r in range(1, 7)]
        assert_allclose(changed.bias(state)[ORDER], wanted, rtol=0, atol=1e-12 * abs(wanted).max())


def test_the_angular_momentum_about_the_vertical_is_W31_of_appendix_4() -> None:
    """In the paper's speeds it is linear: the row of M that belongs to q1, carried over by W."""
    changed, model = compile_model(STANFORD, speeds=SPEEDS_OF_D), compile_model(STANFORD)
    for state in stanford_states():
        s = changed.speeds_of(state)
        H_n2 = (model.M(state) @ changed.W(state) @ s)[0]
        assert H_n2 == pytest.approx(listed(state, s[ORDER])["W31"], rel=1e-11, abs=1e-11)


def test_the_arm_moves_the_same_integrated_in_either_speeds() -> None:
    """Eqs 8-11 with 118-123, as the paper simulates, beside qdot and qddot; one second of fall."""
    model, changed = compile_model(STANFORD), compile_model(STANFORD, speeds=SPEEDS_OF_D)
    dynamical, kinematical = changed.kernel("forward_dynamics"), changed.kernel("rates")
    start = State(q=[0.1, 1.4, 0.05, 0.2, -0.3, 0.4], qdot=[0.3, 0.1, 0.02, -0.2, 0.5, 0.1])
    clock, no_force = np.array(0.0), np.zeros(6)

    def in_s(t: float, y: np.ndarray) -> np.ndarray:
        qdot, sdot = np.empty(6), np.empty(6)
        kinematical(y[:6], clock, y[6:], qdot)
        dynamical(y[:6], clock, y[6:], no_force, sdot)
        return np.concatenate([qdot, sdot])

    def in_u(t: float, y: np.ndarray) -> np.ndarray:
        return np.concatenate([y[6:], model.forward_dynamics(State(q=y[:6], qdot=y[6:]), no_force)])

    ends = [
        solve_ivp(f, (0, 1), np.concatenate([start.q, y]), method="DOP853", rtol=1e-11, atol=1e-11).y[:6, -1]
        for f, y in ((in_s, changed.speeds_of(start)), (in_u, start.qdot))
    ]
    assert_allclose(*ends, atol=1e-8)


def test_the_posture_in_which_the_paper_must_not_operate_is_named() -> None:
    changed = compile_model(STANFORD, speeds=SPEEDS_OF_D)
    for q2 in (0.0, np.pi):
        state = State(q=[0.3, q2, 0.1, 0.4, 0.5, 0.6], qdot=np.ones(6))
        with pytest.raises(NumericalFailure, match=r"the generalized speeds 'D.1', 'D.3' of system 'stanford-arm' at q = "):
            changed.M(state)
        with pytest.raises(NumericalFailure, match="A has lost rank"):
            changed.state(state, np.ones(6))
    with pytest.raises(NumericalFailure, match=r"'a', 'b' .* W has lost rank"):
        change_speeds(derive(two_links()), RatesFromSpeeds(("a", "b"), lambda at: np.ones((8, 2)))).W(
            State.at_rest(two_links(), [0, 0])
        )


def test_speeds_that_depend_on_each_other_everywhere_are_refused_when_they_are_recorded() -> None:
    planar = derive(load_system("model:planar_four_link"))
    parallel = BodyAngularVelocity("link3", ("joint1", "joint2", "joint3"))
    with pytest.raises(NumericalFailure, match=r"'link3.1', 'link3.2', 'link3.3'.* depend on each other everywhere"):
        change_speeds(planar, parallel).program("W")
    one, two = derive(two_links()), tuple(f"s{k}" for k in range(8))
    for A in (np.ones((8, 8)), np.zeros((8, 8))):
        with pytest.raises(NumericalFailure, match="everywhere"):
            change_speeds(one, SpeedsFromRates(two, lambda at, A=A: A)).program("forward_dynamics")  # type: ignore[misc]
    twice = np.eye(8)[[0, 1, 2, 3, 4, 5, 6, 6]]
    with pytest.raises(NumericalFailure, match=r"'s6', 's7' of system 'two links' at q = \[0.0, 0.0\]"):
        change_speeds(one, SpeedsFromRates(two, lambda at: twice)).M(State.at_rest(two_links(), [0, 0]))


def test_systems_with_few_freedoms_have_speeds_too() -> None:
    base = Body("base", 5.0, [1, 2, 3])
    alone = change_speeds(derive(System("alone", base, [])), DecouplingSpeeds())
    state = State(r_0=[0, 0, 0], omega_0=[0.1, 0.2, 0.3], v_0=[1, 0, 0], q=[])
    assert_allclose(alone.M(state), alone.model.M(state), atol=1e-15)
    assert_allclose(
        alone.accelerations(state, alone.forward_dynamics(state, [])), alone.model.forward_dynamics(state, []), atol=1e-15
    )
    nothing = change_speeds(derive(System("nothing", base, [], fixed=True)), JointRates())
    assert nothing.forward_dynamics(State(q=[]), []).shape == (0,)


# Costs


def wrist() -> System:
    """The spherical wrist of [Gillespie2003] Figure 3: n1 up, A about n3, B about a2, C about b3; A and B massless."""
    none = [0.0, 0.0, 0.0]
    bodies = [
        Body("A", 0, none, parent="base", joint=Joint("q1", "revolute", [0, 0, 1])),
        Body("B", 0, none, parent="A", joint=Joint("q2", "revolute", [0, 1, 0])),
        Body("C", 2.0, [0.5, 0.7, 0.3], [0, 0, 0.3], "B", Joint("q3", "revolute", [0, 0, 1])),
    ]
    return System("spherical wrist", Body("base", 0, none), bodies, fixed=True, gravity_m_s2=[-9.81, 0, 0])


WRIST_SPEEDS = BodyAngularVelocity("C", ("q1", "q2", "q3"))
TABLE_3 = {"Eq. (48)": (0, 0, 0), "not shown": (790, 285, 372), "Eq. (50)": (10, 4, 9), "Eq. (49)": (29, 16, 10)}


def test_the_wrist_moves_by_the_equations_that_gillespie_prints() -> None:
    """Eqs 49 and 50, with T and F on C at its mass centre, in axes of C."""
    system = wrist()
    changed = compile_model(system, speeds=WRIST_SPEEDS)
    M, L, g = 2.0, 0.3, 9.81
    I1, I2, I3 = 0.5, 0.7, 0.3
    rng = np.random.default_rng(49)
    for _ in range(10):
        q, u, (T1, T2, T3), (F1, F2, F3) = np.array([0, 1.3, 0]) + rng.normal(size=3) / 2, *rng.normal(size=(3, 3))
        s1, s2, s3, c1, c2, c3 = *np.sin(q), *np.cos(q)
        state = changed.state(State(q=q), u)
        eq_50 = [(s3 * u[1] - c3 * u[0]) / s2, s3 * u[0] + c3 * u[1], u[2] - c2 * (s3 * u[1] - c3 * u[0]) / s2]
        assert_allclose(state.qdot, eq_50, atol=1e-12)
        eq_49 = [
            (T1 - L * (F2 + g * M * (s1 * c3 + s3 * c1 * c2)) - (I3 - I2 - M * L**2) * u[1] * u[2]) / (I1 + M * L**2),
            (T2 + L * (F1 + g * M * (s1 * s3 - c1 * c2 * c3)) + (I3 - I1 - M * L**2) * u[0] * u[2]) / (I2 + M * L**2),
            (T3 + (I1 - I2) * u[0] * u[1]) / I3,
        ]
        R = dcm_from_quaternion(changed.model.attitude(state, "C"))
        wrench = np.concatenate([R @ [F1, F2, F3], R @ [T1, T2, T3]])
        assert_allclose(changed.forward_dynamics(state, np.zeros(3), wrenches=[("C.com", wrench)]), eq_49, atol=1e-11)


def test_the_wrist_costs_no_more_than_table_3_of_gillespie_in_either_choice() -> None:
    costs = compare_speeds(derive(wrist()), {"joint rates": JointRates(), "angular velocity of C": WRIST_SPEEDS})
    for choice, kinematical, dynamical in (
        ("joint rates", "Eq. (48)", "not shown"),
        ("angular velocity of C", "Eq. (50)", "Eq. (49)"),
    ):
        assert costs[choice]["rates"].total <= sum(TABLE_3[kinematical])
        assert costs[choice]["forward_dynamics"].total <= sum(TABLE_3[dynamical])
    by_rates, by_omega = (costs[choice]["forward_dynamics"].total for choice in costs)
    assert 2 * by_omega < by_rates
    assert costs["angular velocity of C"]["M"].total == 0
    assert "angular velocity of C  forward_dynamics" in operations_table(costs)


@pytest.mark.slow
def test_the_choices_of_the_stanford_arm_are_counted_side_by_side() -> None:
    speeds = {"joint rates": JointRates(), "angular velocity of D": SPEEDS_OF_D, "decoupling": DecouplingSpeeds()}
    symbolic = derive(STANFORD)
    costs = compare_speeds(symbolic, speeds)
    assert costs["joint rates"]["forward_dynamics"] == symbolic.forward_dynamics.operations
    assert costs["joint rates"]["inverse_dynamics"] == symbolic.inverse_dynamics.tau.operations
    published = 646 + 394  # [Kane1983] section 3, for the speeds of D
    ours = costs["angular velocity of D"]["inverse_dynamics"]
    assert ours.multiplications + ours.additions < published / 3
    assert costs["angular velocity of D"]["rates"].total > costs["joint rates"]["rates"].total == 0


# Doors


def test_a_model_in_speeds_is_an_option_of_compile_model_and_survives_pickling() -> None:
    changed = compile_model(STANFORD, speeds=SPEEDS_OF_D)
    again = pickle.loads(pickle.dumps(changed))
    state = stanford_states(1)[0]
    assert_allclose(again.M(state), changed.M(state), rtol=0, atol=0)
    assert "partial velocities of the bodies" in changed.card()
    assert changed.names == ("D.1", "D.2", "q6", "D.3", "q4", "q5")
    kernel, out = changed.kernel("forward_dynamics"), np.empty(6)
    kernel(state.q, np.array(0.0), changed.speeds_of(state), np.ones(6), out)
    assert_allclose(changed.inverse_dynamics(state, out), np.ones(6), atol=1e-9)


def test_choices_that_do_not_fit_are_refused() -> None:
    symbolic = derive(two_links())
    with pytest.raises(InvalidInput, match="8 names"):
        change_speeds(symbolic, SpeedsFromRates(("a",), lambda at: np.eye(8)))
    with pytest.raises(InvalidInput, match="1 to 8 names"):
        change_speeds(symbolic, RatesFromSpeeds((), lambda at: np.eye(8)))
    with pytest.raises(InvalidInput, match="every name once"):
        change_speeds(symbolic, RatesFromSpeeds(("a", "a"), lambda at: np.eye(8)[:, :2]))
    with pytest.raises(InvalidInput, match=r"RatesFromSpeeds W: expected shape \(8, 1\), found shape \(8, 8\)"):
        change_speeds(symbolic, RatesFromSpeeds(("a",), lambda at: np.eye(8))).program("W")
    with pytest.raises(InvalidInput, match="three revolute joints on the path"):
        change_speeds(symbolic, BodyAngularVelocity("lower", ("shoulder", "elbow", "elbow")))
    with pytest.raises(UnknownName, match="did you mean 'elbow'"):
        change_speeds(symbolic, BodyAngularVelocity("lower", ("shoulder", "elbow", "elbo")))
    with pytest.raises(InvalidInput, match="three revolute joints on the path from the base to 'C'"):
        change_speeds(derive(STANFORD), BodyAngularVelocity("C", ("q1", "q2", "q6")))
    with pytest.raises(UnknownName, match="did you mean 'bias'"):
        change_speeds(symbolic, JointRates()).program("biass")
