"""One battery for every manoeuvre mode, and what is special to each."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.dynamics import Reference, compile_model
from scmanip.errors import InvalidInput, ModeMismatch
from scmanip.modes import FixedBase, Floating, Residual, Residuals, RootJoint
from scmanip.plant import Plant
from scmanip.spatial import dcm_from_euler
from scmanip.system import Body, Joint, SpringDamper, State, System
from tests.modes.books import books
from tests.simulation.arms import model, moving_state, two_joints

FREE, HELD = model(), model(fixed=True, gravity=(0.0, 0.0, -9.81))
CASES = [(Floating(), FREE, HELD), (FixedBase(), HELD, FREE)]
ALL_MODES = pytest.mark.parametrize(("mode", "mine", "other"), CASES, ids=[mode.name for mode, _, _ in CASES])


def state_of(model):
    """A moving state of either system."""
    return State(q=[0.4, -0.7], qdot=[0.3, -0.4]) if model.layout.fixed else moving_state()


@ALL_MODES
def test_the_actuated_speeds_are_places_in_u_and_include_every_joint(mode, mine, other):
    del other
    places = mode.actuated(mine.layout)
    u = np.arange(mine.layout.n_u)
    assert set(places) <= set(u)
    assert np.all(np.diff(places) > 0)
    assert set(u[mine.layout.joints]) <= set(places)


@ALL_MODES
def test_a_speed_that_is_not_actuated_receives_no_force(mode, mine, other):
    del other
    force = mode.generalized_force(mine, state_of(mine), np.array([2.0, -3.0]))
    whole = np.zeros(mine.layout.n_u)
    whole[mine.layout.joints] = force.tau
    if force.wrench is not None:
        whole[mine.layout.base] = force.wrench
    idle = np.setdiff1d(np.arange(mine.layout.n_u), mode.actuated(mine.layout))
    assert not whole[idle].any()
    assert_allclose(force.tau, [2.0, -3.0])


@ALL_MODES
def test_a_mode_accepts_its_own_kind_of_base_and_refuses_the_other_with_a_reason(mode, mine, other):
    mode.check(mine)
    with pytest.raises(ModeMismatch, match=f"mode '{mode.name}' needs a base that is .* system 'two joints'.* choose "):
        mode.check(other)


@ALL_MODES
def test_commands_of_the_wrong_shape_are_refused_with_the_time(mode, mine, other):
    del other
    mode.check_command(mine.layout, np.zeros(2), 0.0)
    for shape in [(), (1,), (3,), (2, 1)]:
        with pytest.raises(InvalidInput, match=r"at t = 1\.5 s: expected 2 joint forces, found shape"):
            mode.check_command(mine.layout, np.zeros(shape), 1.5)


@ALL_MODES
def test_a_base_wrench_is_refused_where_only_joints_are_commanded(mode, mine, other):
    del other
    with pytest.raises(ModeMismatch, match=rf"at t = 2 s, but in mode '{mode.name}' only the joints are commanded"):
        mode.check_command(mine.layout, np.zeros(8), 2.0)


def test_nothing_pushes_the_base_when_floating():
    assert Floating().generalized_force(FREE, moving_state(), np.ones(2)).wrench is None


def test_the_ground_carries_the_weight_of_an_arm_at_rest():
    state = State(q=[0.4, -0.7])
    weight = HELD.system.mass_kg * 9.81
    wrench = Plant(HELD, FixedBase()).ground(State.stack([state]), np.zeros((1, 2)), np.zeros((1, 6)))[0]
    assert_allclose(wrench[:3], [0, 0, weight], atol=1e-9)
    assert_allclose(wrench[3:], np.cross(HELD.r_0C(state), [0, 0, weight]), atol=1e-9)


LAWS = {
    "momentum": ("P", 0.25, 4.0),
    "angular_momentum": ("L_C", 0.5, 8.0),
    "com_drift": ("r_C", 0.125, None),
    "energy": ("work", 0.5, 7.0),
}


@pytest.mark.parametrize("law", LAWS)
def test_each_law_sees_its_own_breach_and_no_other(law):
    name, breach, scale = LAWS[law]
    kept = books()
    broken = np.array(getattr(kept, name))
    broken[3] += breach if broken.ndim == 1 else [0, breach, 0]
    residuals = Floating().contract(books(**{name: broken}))
    assert residuals[law].value == pytest.approx(breach, rel=1e-12)
    assert np.argmax(residuals[law].series) == 3
    if scale is not None:
        assert residuals[law].relative == pytest.approx(breach / scale, rel=1e-12)
    assert all(residuals[other].value < 1e-15 for other in LAWS if other != law)


def test_floating_promises_momentum_and_energy_and_a_held_base_only_energy():
    assert list(Floating().contract(books())) == ["momentum", "angular_momentum", "com_drift", "energy"]
    assert list(FixedBase().contract(books())) == ["energy"]


ROOTS = {
    "upright": ({}, True),
    "no gravity": ({"gravity": (0.0, 0.0, 0.0)}, True),
    "gravity across the axis": ({"gravity": (1.0, 0.0, -9.81)}, False),
    "a spring": ({"stiffness": 2.0}, False),
    "a damper": ({"damping": 2.0}, False),
    "a base that floats": ({"fixed": False, "gravity": (0.0, 0.0, 0.0)}, False),
}


@pytest.mark.parametrize(("options", "kept"), ROOTS.values(), ids=ROOTS.keys())
def test_the_root_joint_is_one_along_which_nothing_acts_but_its_actuator(options, kept):
    system = two_joints(**({"fixed": True, "gravity": (0.0, 0.0, -9.81)} | options))
    root = RootJoint.of(system)
    assert (root is not None) == kept
    if root is not None:
        assert (root.name, root.turns) == ("shoulder", True)
        assert_allclose([root.axis, root.origin], [[0, 0, 1], [0.5, 0.1, 0.2]])


@pytest.mark.parametrize("kind", ["revolute", "prismatic"])
@pytest.mark.parametrize("gravity", [(0, 0, 0), (0, 0, -9.81), (1.62, 0, 0), (3.0, 0, -4.0)], ids=str)
def test_gravity_works_on_a_turning_root_joint_unless_along_it_and_on_a_sliding_one_unless_across_it(kind, gravity):
    """By what gravity's force on the joint is, wherever the joint stands."""
    link = Body("link", 2.0, [0.1] * 3, [0.4, 0.3, 0.2], "base", Joint("root", kind, [0, 0, 1.0], origin_m=[0.5, 0, 0]))
    system = System("held", Body("base", 1.0, [1.0] * 3), [link], fixed=True, gravity_m_s2=gravity)
    arm = compile_model(system)
    forces = [arm.gravity_force(State(q=[q], qdot=[0.0]))[0] for q in (-0.7, 0.1, 1.3)]
    assert (RootJoint.of(system) is not None) == (np.abs(forces).max() < 1e-12)


def test_a_spring_to_the_base_acts_along_the_root_joint_and_one_within_the_arm_does_not():
    """Checked by the momentum's own rate, which is the generalized force on the root joint."""
    upper, lower = HELD.system.bodies[1:]
    for ends, kept in {("base", lower.name): False, (upper.name, f"{lower.name}.com"): True}.items():
        spring = SpringDamper("cable", ends, 5.0, 1.0, 0.1)
        system = System("sprung", HELD.system.base, [upper, lower], fixed=True, springs=[spring])
        arm, state = compile_model(system), state_of(HELD)
        rate = (arm.Hm_dot(state) @ state.qdot + arm.M(state) @ arm.forward_dynamics(state, np.zeros(2)))[0]
        assert (abs(rate) < 1e-12) == kept
        assert (RootJoint.of(system) is not None) == kept


def test_two_arms_or_none_have_no_root_joint():
    base, upper = HELD.system.bodies[:2]
    twin = Body("other", 1.0, [0.1] * 3, parent="base", joint=Joint("other", "revolute", origin_m=[0, 1.0, 0]))
    assert RootJoint.of(System("two arms", base, [upper, twin], fixed=True)) is None
    assert RootJoint.of(System("post", base, [], fixed=True)) is None


@pytest.mark.parametrize("slides", [False, True])
def test_the_momentum_along_the_root_joint_is_its_generalized_momentum(slides):
    """M qdot of the first joint, behind two welds that turn and shift, in any state."""
    rng = np.random.default_rng(5)
    axis = np.array([2.0, -1.0, 2.0]) / 3
    bodies, parent = [], "base"
    for name, kind in (
        ("post", "fixed"),
        ("head", "fixed"),
        ("upper", "prismatic" if slides else "revolute"),
        ("fore", "revolute"),
    ):
        turns = {"dcm": dcm_from_euler(*rng.uniform(-2, 2, 3)), "child_dcm": dcm_from_euler(*rng.uniform(-2, 2, 3))}
        shifts = {"origin_m": rng.normal(size=3), "child_origin_m": rng.normal(size=3)}
        bodies.append(Body(name, 2.0, [0.3, 0.4, 0.5], rng.normal(size=3), parent, Joint(name, kind, axis, **turns, **shifts)))
        parent = name
    base = Body("base", 9.0, [1.0] * 3, com_m=[0.3, -0.2, 0.1])
    system = System("behind welds", base, bodies, fixed=True)
    arm = compile_model(system, implementation=Reference())
    state = State(q=rng.normal(size=2), qdot=rng.normal(size=2))
    root, momentum = RootJoint.of(system), arm.momentum(state)
    assert (root.name, root.turns) == ("upper", not slides)
    h = momentum.P if slides else momentum.L_0 - np.cross(root.origin, momentum.P)
    assert root.axis @ h == pytest.approx(arm.M(state)[0] @ state.qdot, rel=1e-12)


def test_an_undriven_root_joint_keeps_its_momentum_and_a_driven_one_promises_nothing():
    L_0 = np.tile([3.0, 0.0, 4.0], (5, 1))
    L_0[3] += [0.0, 0.0, 0.25]
    free = books(tau=np.array([[0.0, 1.0]] * 5), L_0=L_0, P=np.zeros((5, 3)))
    residual = FixedBase().contract(free)["root_joint_momentum"]
    assert residual.value == pytest.approx(0.25, rel=1e-12)
    assert residual.scale == pytest.approx(np.hypot(3.0, 4.25), rel=1e-12)
    assert "'shoulder', which nothing drives" in residual.meaning
    for push, kept in ((1e-14, True), (1e-9, False), (np.nan, False)):
        tau = free.tau.copy()
        tau[2, 0] = push
        assert ("root_joint_momentum" in FixedBase().contract(books(tau=tau, L_0=L_0, P=free.P))) == kept


def test_momentum_is_measured_against_the_whole_where_the_arm_has_none():
    lost = books().P.copy()
    lost[2] = 0.0
    residual = Floating().contract(books(P=lost, P_arm=np.zeros((5, 3))))["momentum"]
    assert residual.scale == pytest.approx(np.sqrt(10.0))


def test_a_sample_that_is_not_finite_shows_in_the_residual():
    broken = books().P.copy()
    broken[2, 0] = np.nan
    assert np.isnan(Floating().contract(books(P=broken))["momentum"].value)


def test_a_residual_without_scale_is_zero_or_infinite():
    assert Residual.of("r", "", "m", np.zeros(3), 0.0, "").relative == 0.0
    assert Residual.of("r", "", "m", np.ones(3), 0.0, "").relative == np.inf


def test_residuals_are_a_read_only_mapping_that_tells_its_story():
    residuals = Residuals(Residual.of("energy", "", "J", np.array([0.0, -0.25]), 2.0, ""))
    assert residuals.get("momentum") is None
    assert "energy=0.25 J" in repr(residuals)
    assert "relative=0.125" in repr(residuals["energy"])
    with pytest.raises(TypeError):
        residuals["energy"] = None
    with pytest.raises(ValueError, match="read-only"):
        residuals["energy"].series[0] = 1.0


def test_what_drives_only_the_joints_is_written_once():
    for name in ("actuated", "generalized_force", "commands_base"):
        assert getattr(Floating, name) is getattr(FixedBase, name)


@ALL_MODES
def test_the_repr_is_how_a_mode_is_made(mode, mine, other):
    del mine, other
    assert repr(mode) == f"{type(mode).__name__}()"
