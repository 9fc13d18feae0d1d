"""A base and bodies that are free of it: each tree moves as if it were alone."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from scmanip.dynamics import (
    Full,
    JointRates,
    Partial,
    PathTables,
    Reference,
    RunTimeInertia,
    change_speeds,
    compile_model,
    derive,
    inertia_table,
)
from scmanip.errors import InvalidInput
from scmanip.spatial import dcm_from_quaternion
from scmanip.system import Body, Joint, State, System, coordinate_rates

from ..oracles.random_systems import FIRST_FOREST, random_state, random_system
from ..system.test_free_bodies import FILE

SERVICER = random_system(7, fixed=False, joints=4)
ALONE = Body("target", 30.0, [3.0, 4.0, 5.0], [0.2, -0.1, 0.3], "ground", Joint("target", "free"))


def pair(fixed: bool = False, gravity: tuple[float, ...] = (0.0, 0.0, 0.0)) -> System:
    base, *others = SERVICER.bodies
    return System("pair", base, [*others, ALONE], SERVICER.frames, fixed=fixed, gravity_m_s2=gravity)


def of_servicer(system: System, state: State) -> State:
    n = system.trees[0]
    base = (None,) * 4 if system.fixed else (state.r_0, state.attitude_xyzw, state.v_0, state.omega_0)
    return State(base[0], base[1], state.q[n.q], base[2], base[3], state.qdot[n.qdot])


@pytest.mark.slow
def test_the_servicer_moves_to_the_last_bit_as_without_the_target():
    system = pair()
    together, alone, state = compile_model(system), compile_model(SERVICER), random_state(system, 1)
    own, n = of_servicer(system, state), system.layout.N_tree
    for name in ("H0", "H", "S_U", "H0m", "C", "momentum_bias"):
        assert_array_equal(getattr(together, name)(state), getattr(alone, name)(own))
    assert_array_equal(together.J_star(state, "tip"), alone.J_star(own, "tip"))
    tau = np.concatenate([np.arange(n) - 1.5, np.zeros(6)])
    assert_array_equal(together.forward_dynamics(state, tau)[: 6 + n], alone.forward_dynamics(own, tau[:n]))


def test_two_trees_share_no_entry_of_M():
    system, seen = pair(), []
    model = compile_model(system)
    for seed in range(3):
        M = model.M(random_state(system, seed))
        n = 6 + system.layout.N_tree
        assert not M[:n, n:].any() and not M[n:, :n].any()
        seen.append(M[n : n + 3, n : n + 3])
    assert_allclose(seen, np.tile(30.0 * np.eye(3), (3, 1, 1)))


def test_a_body_alone_obeys_newton_and_euler():
    system = pair(fixed=True, gravity=(0.0, 0.0, -9.81))
    model, state, tree = compile_model(system), random_state(system, 4), system.trees[1]
    pose, (v, omega) = state.q[tree.pose], np.split(state.qdot[tree.twist], 2)
    R = dcm_from_quaternion(pose[3:])
    c, I, f, n = R @ ALONE.com_m, R @ ALONE.inertia_kg_m2 @ R.T, np.array([1.0, 2.0, 3.0]), np.array([-1.0, 0.5, 2.0])
    tau = np.zeros(system.layout.N)
    tau[tree.twist] = np.concatenate([f, n])
    a, alpha = np.split(model.forward_dynamics(state, tau)[tree.twist], 2)
    centre = a + np.cross(alpha, c) + np.cross(omega, np.cross(omega, c))
    assert_allclose(30.0 * centre, f + 30.0 * np.array([0.0, 0.0, -9.81]), atol=1e-12)
    assert_allclose(I @ alpha + np.cross(omega, I @ omega), n - np.cross(c, f), atol=1e-12)
    assert_allclose(model.momentum_by_tree(state).P[1], 30.0 * (v + np.cross(omega, c)), atol=1e-13)
    assert_allclose(model.momentum_by_tree(state).L_C[1], I @ omega, atol=1e-13)
    assert_allclose(model.position(state, "target"), pose[:3], atol=1e-15)


@pytest.mark.slow
def test_momenta_of_the_trees_add_up_to_that_of_all():
    system = pair()
    model, state = compile_model(system), random_state(system, 2)
    each, whole = model.momentum_by_tree(state), model.momentum(state)
    centres = [model.position(state, "target.com"), state.r_0 + compile_model(SERVICER).r_0C(of_servicer(system, state))]
    r_C = state.r_0 + model.r_0C(state)
    assert_allclose(each.P.sum(axis=0), whole.P, rtol=1e-14)
    spins = each.L_C.sum(axis=0) + sum(np.cross(r - r_C, P) for r, P in zip(centres[::-1], each.P, strict=True))
    assert_allclose(spins, whole.L_C, rtol=1e-12)
    bodies = model.momentum_by_body(state)
    assert_allclose(bodies.L_C.sum(axis=0), whole.L_C, rtol=1e-12)
    batch = model.batch.momentum_by_tree(State.stack([state, state]))
    assert_array_equal(batch.P[1], each.P)


def test_one_tree_has_one_momentum():
    model, state = compile_model(SERVICER), random_state(SERVICER, 2)
    assert_array_equal(model.momentum_by_tree(state).L_C, [model.momentum(state).L_C])


def test_forward_dynamics_costs_that_of_every_tree_and_turning_the_free_ones():
    system = pair()
    alone = [derive(tree.system).quantity("forward_dynamics").operations.total for tree in system.trees]
    assert derive(system).quantity("forward_dynamics").operations.total < sum(alone) + 180


@pytest.mark.slow
def test_inertias_may_be_inputs():
    system = System.from_toml_text(FILE)
    state = random_state(system, 5)
    open_inertia, plain = compile_model(system, inertia=RunTimeInertia()), compile_model(system)
    other = System("heavier", system.base, [*system.bodies[1:2], *(heavier(body) for body in system.bodies[2:])], system.frames)
    tau = np.arange(system.layout.N) * 1.0
    assert_allclose(open_inertia.forward_dynamics(state, tau), plain.forward_dynamics(state, tau), rtol=1e-12)
    changed, fresh = open_inertia.with_inertia_of(other), compile_model(other)
    assert_allclose(changed.forward_dynamics(state, tau), fresh.forward_dynamics(state, tau), rtol=1e-12)
    assert_allclose(changed.momentum(state).L_C, fresh.momentum(state).L_C, rtol=1e-12)
    assert_allclose(changed.position(state, "target.com"), fresh.position(state, "target.com"), rtol=1e-12)
    assert inertia_table(system).shape == (4, 10)


def heavier(body: Body) -> Body:
    return Body(body.name, 2 * body.mass_kg, 3 * body.inertia_kg_m2, body.com_m + 0.1, body.parent, body.joint)


@pytest.mark.parametrize("seed", range(FIRST_FOREST, FIRST_FOREST + 4))
def test_the_coordinates_of_a_free_body_change_with_its_speeds(seed: int) -> None:
    system = System.from_toml_text(FILE)
    model, state = compile_model(system), random_state(system, seed)
    twist = model.J0(state, "grapple") @ state.u[:6] + model.Jm(state, "grapple") @ state.qdot
    assert not model.J0(state, "grapple").any()
    ahead = stepped(system, state, 1e-6)
    behind = stepped(system, state, -1e-6)
    assert_allclose((model.position(ahead, "grapple") - model.position(behind, "grapple")) / 2e-6, twist[:3], atol=1e-8)


def stepped(system: System, state: State, h: float) -> State:
    q = state.q + h * coordinate_rates(system.layout, state.q, state.qdot)
    for i, _ in system.layout.quaternions:
        q[i : i + 4] /= np.linalg.norm(q[i : i + 4])
    return State(state.r_0, state.attitude_xyzw, q, state.v_0, state.omega_0, state.qdot)


def test_what_knows_one_tree_alone_refuses_several_by_name():
    system = pair()
    model = compile_model(system)
    for refused in (lambda: change_speeds(model, JointRates()), lambda: PathTables.of(system)):
        with pytest.raises(InvalidInput, match="a system whose bodies the base carries, found free bodies 'target'"):
            refused()
    with pytest.raises(InvalidInput, match=r"Full\(\) of a system with free bodies"):
        compile_model(system, implementation=Partial())
    with pytest.raises(InvalidInput, match="J_star:target: expected a frame on the base or on what it carries"):
        model.J_star(random_state(system, 1), "target")


@pytest.mark.parametrize("implementation", [Full(), Reference()], ids=repr)
def test_a_body_falls_over_a_stand_without_mass(implementation) -> None:
    disk = Body("disk", 2.0, [0.1, 0.1, 0.2], [0.0, 0.0, 0.0], "ground", Joint("disk", "free"))
    system = System("slope", Body("base", 0.0, np.zeros(3)), [disk], fixed=True, gravity_m_s2=[0, 0, -9.81])
    model, state = compile_model(system, implementation=implementation), random_state(system, 1)
    assert_allclose(model.forward_dynamics(state, np.zeros(6))[:3], [0, 0, -9.81], rtol=1e-14)
    assert_array_equal(model.inverse_dynamics(state, np.zeros(6)).wrench, np.zeros(6))
    assert_allclose(model.r_0C(state), state.q[:3], rtol=1e-14)
    assert_allclose(model.momentum(state).P, 2.0 * state.qdot[:3], rtol=1e-14)
    assert_allclose(model.gravity_force(state)[:3], [0, 0, 2 * 9.81], rtol=1e-14)
