"""The door of the dynamics: every name and shape of `Model`, its batch and its kernels, and what it refuses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from scmanip.dynamics import (
    BodyMomentum,
    FloatingInverseDynamics,
    Full,
    InverseDynamics,
    Model,
    Momentum,
    Partial,
    compile_model,
)
from scmanip.errors import InvalidInput, InvalidState, ScmanipError, SingularInertia, UnknownName
from scmanip.spatial import Quaternion
from scmanip.system import Body, Frame, Joint, State, System

from ..oracles.random_systems import random_rotation, random_state, random_system

FLOATING, FIXED = random_system(41, fixed=False, joints=4), random_system(42, fixed=True, joints=3)
BARE, BARE_FIXED = random_system(43, fixed=False, joints=0), random_system(44, fixed=True, joints=0)
SYSTEMS = pytest.mark.parametrize("system", [FLOATING, FIXED, BARE, BARE_FIXED], ids=["N=4", "fixed", "N=0", "fixed N=0"])
HINGE = Joint("shoulder", "revolute")
ALLOWED = 1e-15  # relative difference between a method, a kernel and a batch of one program
FUSED = 1e-13  # several quantities in one program share terms and round in another order

PLAIN: dict[str, str] = {  # n: n_base, N: joints, u: n + N
    "H0": "nn", "H0m": "nN", "Hm": "NN", "M": "uu", "H": "NN", "H0_inverse": "nn", "S_U": "33", "r_0C": "3",
    "Hdot": "NN", "dH_dq": "NNN", "C": "N", "c": "N", "momentum_bias": "N", "coriolis_matrix": "NN", "gravity_force": "N",
    "H0_dot": "nn", "H0m_dot": "nN", "Hm_dot": "NN", "dH0_dq": "nnN", "dH0m_dq": "nNN", "dHm_dq": "NNN",
}  # fmt: skip
FRAMED = {"J0": "6n", "Jm": "6N", "J_star": "6N", "J_star_drift": "6", "J_dot_u": "6", "position": "3"}


def shape(letters: str, model: Model) -> tuple[int, ...]:
    sizes = {"n": model.layout.n_base, "N": model.layout.N, "u": model.layout.n_u, "3": 3, "6": 6}
    return tuple(sizes[letter] for letter in letters)


def same(ours: object, theirs: object, allowed: float = ALLOWED) -> None:
    scale = abs(np.asarray(theirs)).max(initial=0.0)
    assert_allclose(np.asarray(ours), np.asarray(theirs), rtol=0, atol=allowed * scale)


# Names and shapes


@pytest.mark.slow
@SYSTEMS
def test_every_quantity_has_its_shape_as_a_method_a_batch_and_a_kernel(system: System) -> None:
    model, state = compile_model(system), random_state(system, 1)
    states = State.stack([state, random_state(system, 2)])
    for name, letters in PLAIN.items():
        value, batch, out = getattr(model, name)(state), getattr(model.batch, name)(states), np.empty(shape(letters, model))
        assert value.shape == shape(letters, model), name
        assert value.dtype == np.float64, name
        assert batch.shape == (2, *value.shape), name
        model.kernel(name)(state.x, out)
        same(batch[0], value)
        same(out, value)


@pytest.mark.slow
@SYSTEMS
def test_every_point_quantity_has_its_shape_for_frames_and_for_run_time_points(system: System) -> None:
    model, state = compile_model(system), random_state(system, 1)
    states, tip = State.stack([state, random_state(system, 2)]), system.frame("tip")
    for name, letters in FRAMED.items():
        value, out = getattr(model, name)(state, "tip"), np.empty(shape(letters, model))
        assert value.shape == out.shape, name
        same(getattr(model, name)(state, body=tip.body, point_m=list(tip.origin_m)), value)
        model.kernel(f"{name}:tip")(state.x, out)
        same(out, value)
        same(getattr(model.batch, name)(states, "tip")[0], value)
        same(getattr(model.batch, name)(states, body=tip.body, point_m=tip.origin_m)[0], value)
    attitude, out = model.attitude(state, "tip"), np.empty(4)
    model.kernel("attitude:tip")(state.x, out)
    same(out, attitude)
    same(model.batch.attitude(states, "tip")[0], attitude)
    assert np.linalg.norm(attitude) == pytest.approx(1, abs=1e-14)


@pytest.mark.slow
@SYSTEMS
def test_dynamics_have_their_shapes_as_methods_batches_and_kernels(system: System) -> None:
    model, state = compile_model(system), random_state(system, 1)
    states, layout = State.stack([state, random_state(system, 2)]), model.layout
    tau, udot, qddot = np.ones(layout.N), np.linspace(1, 2, layout.n_u), np.ones(layout.N)
    forward, out = model.forward_dynamics(state, tau), np.empty(layout.n_u)
    assert forward.shape == (layout.n_u,)
    model.kernel("forward_dynamics")(state.x, tau, out)
    same(out, forward)
    same(model.batch.forward_dynamics(states, tau)[0], forward)
    inverse, wrench_out, tau_out = model.inverse_dynamics(state, udot), np.empty(6), np.empty(layout.N)
    assert (inverse.wrench.shape, inverse.tau.shape) == ((6,), (layout.N,))
    model.kernel("inverse_dynamics")(state.x, udot, *([tau_out] if layout.fixed else [wrench_out, tau_out]))
    same(tau_out, inverse.tau)
    assert layout.fixed or np.array_equal(wrench_out, inverse.wrench)
    same(model.batch.inverse_dynamics(states, udot).wrench[0], inverse.wrench)
    floating, base_out = model.floating_inverse_dynamics(state, qddot), np.empty(layout.n_base)
    assert (floating.base_acceleration.shape, floating.tau.shape) == ((layout.n_base,), (layout.N,))
    model.kernel("floating_inverse_dynamics")(state.x, qddot, base_out, tau_out)
    same(base_out, floating.base_acceleration)
    same(tau_out, floating.tau)
    same(model.batch.floating_inverse_dynamics(states, qddot).tau[0], floating.tau)


@pytest.mark.battery(1)
@SYSTEMS
def test_momentum_and_energy_have_their_shapes(system: System) -> None:
    model, state = compile_model(system), random_state(system, 1)
    momentum, bodies = model.momentum(state), model.momentum_by_body(state)
    assert {momentum.P.shape, momentum.L_0.shape, momentum.L_C.shape} == {(3,)}
    assert {bodies.P.shape, bodies.L_C.shape} == {(model.layout.n_b, 3)}
    P, L_0, L_C = np.empty(3), np.empty(3), np.empty(3)
    model.kernel("momentum")(state.x, P, L_0, L_C)
    for ours, theirs in ((P, momentum.P), (L_0, momentum.L_0), (L_C, momentum.L_C)):
        same(ours, theirs)
    states = State.stack([state, random_state(system, 2)])
    same(model.batch.momentum(states).L_C[0], momentum.L_C)
    same(model.batch.momentum_by_body(states).P[0], bodies.P)
    assert isinstance(model.kinetic_energy(state), float)
    same(model.batch.kinetic_energy(states)[0], model.kinetic_energy(state))


def test_without_joints_the_arm_quantities_are_empty() -> None:
    model, state = compile_model(BARE), random_state(BARE, 1)
    assert model.H(state).shape == (0, 0)
    assert model.H0m(state).shape == (6, 0)
    assert model.J_star(state, "tip").shape == (6, 0)
    assert model.C(state).shape == (0,)
    twist = model.J_star_drift(state, "tip")  # all of the motion is momentum
    assert_allclose(twist, model.J0(state, "tip") @ state.u, rtol=1e-12)


# Kernels and batches


@pytest.mark.slow
def test_a_kernel_of_several_quantities_takes_each_input_once_and_fills_the_outputs_in_order() -> None:
    model, state = compile_model(FLOATING), random_state(FLOATING, 1)
    N, n_u = model.layout.N, model.layout.n_u
    tau, wrench, udot, qddot = np.ones(N), np.arange(6.0), np.linspace(0, 1, n_u), np.full(N, 2.0)
    names = ("floating_inverse_dynamics", "H", "inverse_dynamics", "J_star:tip", "forward_dynamics:wrench", "forward_dynamics")
    outs = [np.empty(s) for s in ((6,), (N,), (N, N), (6,), (N,), (6, N), (n_u,), (n_u,))]
    model.kernel(*names)(state.x, tau, wrench, udot, qddot, *outs)
    floating, inverse = model.floating_inverse_dynamics(state, qddot), model.inverse_dynamics(state, udot)
    expected = [
        floating.base_acceleration,
        floating.tau,
        model.H(state),
        inverse.wrench,
        inverse.tau,
        model.J_star(state, "tip"),
        model.forward_dynamics(state, tau, wrench),
        model.forward_dynamics(state, tau),
    ]
    for out, value in zip(outs, expected, strict=True):
        same(out, value, FUSED)


@pytest.mark.slow
def test_a_batch_gives_each_case_its_own_inputs_and_writes_where_it_is_told() -> None:
    model = compile_model(FLOATING)
    rng, cases = np.random.default_rng(5), [random_state(FLOATING, i) for i in range(3)]
    tau, wrench, load = rng.normal(size=(3, 4)), rng.normal(size=(3, 6)), rng.normal(size=(3, 6))
    out = np.empty((3, 10))
    where = ("body1", [0.1, 0.2, 0.3])
    result = model.batch.forward_dynamics(
        State.stack(cases), tau, out, wrench=wrench, wrenches=[(where, load), ("tip", load[0])]
    )
    assert result is out
    for i, state in enumerate(cases):
        single = model.forward_dynamics(state, tau[i], wrench[i], [(where, load[i]), ("tip", load[0])])
        same(out[i], single)
    with pytest.raises(InvalidState, match="out"):
        model.batch.H(State.stack(cases), out=np.empty((3, 2, 2)))


def test_a_batch_writes_several_results_where_it_is_told() -> None:
    model, states = compile_model(FLOATING), State.stack([random_state(FLOATING, i) for i in range(3)])
    batch, udot, qddot, n_b = model.batch, np.linspace(0, 1, 10), np.ones(4), model.layout.n_b
    inverse = InverseDynamics(np.empty((3, 6)), np.empty((3, 4)))
    floating = FloatingInverseDynamics(np.empty((3, 6)), np.empty((3, 4)))
    momentum, bodies = Momentum(*np.empty((3, 3, 3))), BodyMomentum(*np.empty((2, 3, n_b, 3)))
    for out, told, free in (
        (inverse, batch.inverse_dynamics(states, udot, inverse), batch.inverse_dynamics(states, udot)),
        (floating, batch.floating_inverse_dynamics(states, qddot, floating), batch.floating_inverse_dynamics(states, qddot)),
        (momentum, batch.momentum(states, momentum), batch.momentum(states)),
        (bodies, batch.momentum_by_body(states, bodies), batch.momentum_by_body(states)),
    ):
        for field in fields(out):
            assert getattr(told, field.name) is getattr(out, field.name)
            same(getattr(out, field.name), getattr(free, field.name))
    with pytest.raises(InvalidState, match=r"shape \(3, 4\)"):
        batch.inverse_dynamics(states, udot, InverseDynamics(np.empty((3, 6)), np.empty((2, 4))))


def test_a_kernel_refuses_outputs_of_another_shape_or_number() -> None:
    model, state = compile_model(FLOATING), random_state(FLOATING, 1)
    for outputs in ([np.empty((3, 3))], [np.empty((4, 4), dtype=np.float32)], [], [np.empty((4, 4))] * 2, [[[0.0] * 4] * 4]):
        with pytest.raises(InvalidInput):
            model.kernel("H")(state.x, *outputs)
    with pytest.raises(InvalidInput):
        model.kernel("H")(state.x[:-1], np.empty((4, 4)))


@pytest.mark.slow
def test_results_are_the_callers_to_change_and_the_model_forgets_them() -> None:
    model, state = compile_model(FLOATING), random_state(FLOATING, 1)
    for name in ("M", "H", "dH_dq", "C", "H0m"):
        first = getattr(model, name)(state)
        kept = first.copy()
        first[...] = np.nan
        assert_array_equal(getattr(model, name)(state), kept)
    model.inverse_dynamics(state, np.ones(10)).tau[...] = np.nan
    model.momentum(state).P[...] = np.nan
    assert np.isfinite(model.momentum(state).P).all()
    assert np.isfinite(model.inverse_dynamics(state, np.ones(10)).tau).all()


def test_states_may_come_in_any_order() -> None:
    model, one, other = compile_model(FLOATING), random_state(FLOATING, 1), random_state(FLOATING, 2)
    first = model.H(one)
    assert not np.array_equal(model.H(other), first)
    assert_array_equal(model.H(one), first)


@pytest.mark.slow
def test_quantities_may_be_prepared_ahead_and_rotations_carried_as_quaternions() -> None:
    model = compile_model(FLOATING, quantities=("H", "forward_dynamics", "J_star:tip"), kinematics=Quaternion())
    assert model.kinematics == Quaternion()
    assert model.system is FLOATING
    assert model.layout == FLOATING.layout
    assert "random 41" in repr(model)


def test_hostile_names_stay_data() -> None:
    names = ["tip:of:it", 'x"; import os', "звено 1", "H"]
    frames = [Frame(name, "base", [0.1 * i, 0, 0]) for i, name in enumerate(names)]
    model = compile_model(System("hostile", Body("base", 3.0, [1, 1, 1]), frames=frames))
    state, out = State(q=[], r_0=[0, 0, 0]), np.empty(3)
    for i, name in enumerate(names):
        model.kernel(f"position:{name}")(state.x, out)
        assert_allclose(out, [0.1 * i, 0, 0], atol=1e-15)


# What is refused


def test_states_of_another_system_are_refused() -> None:
    floating, fixed = compile_model(FLOATING), compile_model(FIXED)
    for model, state in (
        (floating, random_state(FIXED, 1)),
        (fixed, random_state(FLOATING, 1)),
        (floating, State(q=[0.0] * 5, r_0=[0, 0, 0])),
        (fixed, State(q=[0.0] * 4)),
        (floating, State.stack([random_state(FLOATING, 1)] * 2)),
    ):
        with pytest.raises(InvalidState, match="state"):
            model.H(state)
    with pytest.raises(InvalidState, match="batch"):
        floating.batch.H(random_state(FLOATING, 1))


BAD_CALLS: dict[str, Callable[[Model, State], object]] = {
    "short tau": lambda model, state: model.forward_dynamics(state, [1.0]),
    "long tau": lambda model, state: model.forward_dynamics(state, np.ones(10)),
    "tau of another shape": lambda model, state: model.forward_dynamics(state, np.ones((4, 1))),
    "tau NaN": lambda model, state: model.forward_dynamics(state, [1.0, np.nan, 0, 0]),
    "tau infinite": lambda model, state: model.forward_dynamics(state, [np.inf, 0, 0, 0]),
    "tau words": lambda model, state: model.forward_dynamics(state, ["a", "b", "c", "d"]),
    "short wrench": lambda model, state: model.forward_dynamics(state, np.ones(4), [1.0, 2, 3]),
    "wrench NaN": lambda model, state: model.forward_dynamics(state, np.ones(4), np.full(6, np.nan)),
    "short wrenches": lambda model, state: model.forward_dynamics(state, np.ones(4), wrenches=[("tip", np.ones(3))]),
    "wrenches NaN": lambda model, state: model.forward_dynamics(state, np.ones(4), wrenches=[("tip", np.full(6, np.nan))]),
    "short udot": lambda model, state: model.inverse_dynamics(state, np.ones(4)),
    "long qddot": lambda model, state: model.floating_inverse_dynamics(state, np.ones(10)),
    "point in a plane": lambda model, state: model.J_star(state, body="base", point_m=[0.0, 1.0]),
    "point NaN": lambda model, state: model.Jm(state, body="base", point_m=[0, 0, np.nan]),
    "frame and body": lambda model, state: model.J0(state, "tip", body="base", point_m=[0, 0, 0]),
    "neither frame nor body": lambda model, state: model.position(state),
    "short twist": lambda model, state: model.resolved_joint_rates(state, "tip", [1.0, 2, 3]),
}


@pytest.mark.parametrize("call", BAD_CALLS.values(), ids=BAD_CALLS.keys())
def test_arrays_that_do_not_fit_or_are_not_finite_are_refused(call: Callable[[Model, State], object]) -> None:
    with pytest.raises(InvalidState) as caught:
        call(compile_model(FLOATING), random_state(FLOATING, 1))
    assert "expected" in str(caught.value)
    assert isinstance(caught.value, ScmanipError)


def test_a_fixed_base_takes_no_base_wrench() -> None:
    with pytest.raises(InvalidState, match="fixed base"):
        compile_model(FIXED).forward_dynamics(random_state(FIXED, 1), np.ones(3), np.ones(6))
    for implementation in (Full(), Partial()):
        with pytest.raises(InvalidState, match="fixed base"):
            compile_model(FIXED, implementation=implementation).kernel("forward_dynamics:wrench")


@pytest.mark.parametrize("implementation", [Full(), Partial()])
def test_a_kernel_refuses_a_read_only_output(implementation: Full | Partial) -> None:
    model, out = compile_model(FLOATING, implementation=implementation), np.zeros(10)
    out.flags.writeable = False
    with pytest.raises(InvalidInput, match="read-only"):
        model.kernel("forward_dynamics")(random_state(FLOATING, 1).x, np.ones(4), out)


def test_unknown_names_are_refused_and_the_nearest_one_suggested() -> None:
    model, state = compile_model(FLOATING), random_state(FLOATING, 1)
    with pytest.raises(UnknownName, match=r"did you mean 'tip'\?"):
        model.J_star(state, "tipp")
    with pytest.raises(UnknownName, match=r"did you mean 'body1'\?"):
        model.position(state, body="boddy1", point_m=[0, 0, 0])
    with pytest.raises(UnknownName, match=r"did you mean 'body1.com'\?"):
        model.position(state, "body1.con")
    with pytest.raises(UnknownName, match="gripper"):
        model.forward_dynamics(state, np.ones(4), wrenches=[("gripper", np.ones(6))])
    with pytest.raises(UnknownName, match="did you mean 'Hdot'"):
        model.kernel("Hdott")
    with pytest.raises(UnknownName):
        compile_model(FLOATING, quantities=("forward_dynamic",))
    with pytest.raises(UnknownName, match="tip"):
        model.kernel("J_star:tipp")(state.x, np.empty((6, 4)))


# Singular inertia


def one_link(mass: float, inertia: list[float] | np.ndarray, com: list[float], joint: Joint, *, fixed: bool = False) -> System:
    link = Body("link", mass, inertia, com, "base", joint)
    return System("one link", Body("base", 10.0, [1, 2, 3], [0.1, 0.2, 0.3]), [link], fixed=fixed)


@pytest.mark.parametrize("fixed", [False, True])
def test_a_massless_last_link_is_refused_by_the_name_of_its_joint(fixed: bool) -> None:
    with pytest.raises(SingularInertia, match="shoulder"):
        compile_model(one_link(0.0, [0, 0, 0], [0.5, 0, 0], HINGE, fixed=fixed))
    slide = replace(HINGE, type="prismatic")
    with pytest.raises(SingularInertia, match="shoulder"):
        compile_model(one_link(0.0, [0, 0, 0], [0.5, 0, 0], slide, fixed=fixed))


@pytest.mark.parametrize("fixed", [False, True])
def test_a_particle_on_its_own_joint_axis_is_refused_by_the_name_of_its_joint(fixed: bool) -> None:
    with pytest.raises(SingularInertia, match="shoulder"):
        compile_model(one_link(2.0, [0, 0, 0], [0, 0, 0.7], HINGE, fixed=fixed))


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("fixed", [False, True])
def test_a_particle_on_a_turned_joint_axis_is_refused_though_rounding_hides_it(seed: int, fixed: bool) -> None:
    rng = np.random.default_rng(seed)
    axis = rng.normal(size=3)
    axis /= np.linalg.norm(axis)
    joint = replace(HINGE, axis=axis, origin_m=rng.normal(size=3), dcm=random_rotation(rng))
    with pytest.raises(SingularInertia, match="shoulder"):
        compile_model(one_link(2.0, [0, 0, 0], list(0.7 * axis), joint, fixed=fixed))


@pytest.mark.parametrize("seed", range(8))
def test_a_particle_in_the_middle_of_its_joint_is_refused_though_rounding_hides_it(seed: int) -> None:
    """As on a Denavit-Hartenberg link, whose frame is at its far end."""
    rng = np.random.default_rng(seed)
    far_end, turned = rng.normal(size=3), random_rotation(rng)
    placed = {"origin_m": rng.normal(size=3), "dcm": random_rotation(rng)}
    joint = replace(HINGE, child_origin_m=far_end, child_dcm=turned, **placed)
    with pytest.raises(SingularInertia, match="shoulder"):
        compile_model(one_link(2.0, [0, 0, 0], list(-turned.T @ far_end), joint))


@pytest.mark.parametrize("seed", range(8))
def test_a_rod_along_its_joint_axis_is_refused_though_rounding_hides_it(seed: int) -> None:
    rng = np.random.default_rng(seed)
    axis = rng.normal(size=3)
    axis /= np.linalg.norm(axis)
    rod = 0.3 * (np.eye(3) - np.outer(axis, axis))
    joint = replace(HINGE, axis=axis, origin_m=rng.normal(size=3), dcm=random_rotation(rng))
    with pytest.raises(SingularInertia, match="shoulder"):
        compile_model(one_link(2.0, rod, list(0.7 * axis), joint))


@pytest.mark.parametrize("seed", range(8))
def test_two_joints_on_one_axis_with_nothing_between_are_refused(seed: int) -> None:
    rng = np.random.default_rng(seed)
    axis = rng.normal(size=3)
    axis /= np.linalg.norm(axis)
    first = Joint("first", "revolute", axis, rng.normal(size=3), random_rotation(rng))
    bodies = [
        Body("between", 0.0, [0, 0, 0], parent="base", joint=first),
        Body("end", 2.0, [0.3, 0.4, 0.5], [0.3, 0.2, 0.1], "between", Joint("second", "revolute", axis)),
    ]
    with pytest.raises(SingularInertia, match="second"):
        compile_model(System("twice", Body("base", 10.0, [1, 2, 3]), bodies))


def test_a_particle_for_a_spacecraft_is_refused() -> None:
    with pytest.raises(SingularInertia, match="base"):
        compile_model(System("dust", Body("base", 1.0, [0, 0, 0])))


def test_a_particle_off_its_joint_axis_and_a_massless_link_that_carries_mass_are_accepted() -> None:
    state = State(q=[0.3], qdot=[0.1], r_0=[0, 0, 0])
    assert np.isfinite(compile_model(one_link(2.0, [0, 0, 0], [0.5, 0, 0], HINGE)).forward_dynamics(state, [1.0])).all()
    bodies = [
        Body("between", 0.0, [0, 0, 0], parent="base", joint=Joint("first", "revolute", [1, 0, 0])),
        Body("end", 2.0, [0, 0, 0.5], [0.3, 0.2, 0.1], "between", Joint("second", "revolute", [0, 1, 0])),
    ]
    compile_model(System("gimbal", Body("base", 10.0, [1, 2, 3]), bodies))


def test_a_light_arm_on_a_heavy_base_is_not_mistaken_for_a_singular_one() -> None:
    """1 g of arm on 100 t of base: small inertia is no singularity."""
    link = Body("link", 1e-3, [1e-8, 1e-8, 1e-8], [0.01, 0, 0], "base", HINGE)
    heavy = Body("base", 1e5, [1e6, 2e6, 3e6])
    model = compile_model(System("feather", heavy, [link]))
    state = State(q=[0.3], r_0=[0, 0, 0])
    about_axis = 1e-8 + 1e-3 * 0.01**2
    assert model.forward_dynamics(state, [1.0])[6] == pytest.approx(1 / about_axis, rel=1e-6)


def test_an_inertia_that_is_singular_in_one_pose_only_is_refused_there() -> None:
    """A particle that a slide can carry onto the axis of the hinge before it."""
    slide = Joint("slide", "prismatic", [1, 0, 0])
    bodies = [
        Body("between", 0.0, [0, 0, 0], parent="base", joint=Joint("hinge", "revolute", [0, 0, 1])),
        Body("bead", 2.0, [0, 0, 0], parent="between", joint=slide),
    ]
    model = compile_model(System("bead on a wire", Body("base", 10.0, [1, 2, 3]), bodies))
    model.forward_dynamics(State(q=[0.4, 0.5], r_0=[0, 0, 0]), [1.0, 1.0])
    with pytest.raises(SingularInertia, match="hinge"):
        model.forward_dynamics(State(q=[0.4, 0.0], r_0=[0, 0, 0]), [1.0, 1.0])


def test_an_arm_that_does_not_feel_the_singular_one_hides_nothing() -> None:
    """Two arms on a fixed base: the first acceleration says nothing about the others."""
    particle = Body("particle", 1.0, [0, 0, 0], parent="stick", com_m=[1, 0, 0], joint=Joint("pitch", "revolute", [0, 1, 0]))
    bodies = [
        Body("rod", 1.0, [1, 1, 1], parent="base", joint=HINGE),
        Body("stick", 0.0, [0, 0, 0], parent="base", joint=Joint("yaw", "revolute", [0, 0, 1])),
        particle,
    ]
    model = compile_model(System("two arms", Body("base", 10.0, [1, 2, 3]), bodies, fixed=True))
    state = State(q=[0.1, 0.2, 0.3])
    assert np.isfinite(model.forward_dynamics(state, np.ones(3))).all()
    with pytest.raises(InvalidState, match="finite"):
        model.forward_dynamics(state, np.array([1.0, 1.0, np.nan]))
    with pytest.raises(SingularInertia, match="yaw"):
        model.forward_dynamics(State(q=[0.1, 0.2, np.pi / 2]), np.ones(3))
