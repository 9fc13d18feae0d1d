"""One battery for every manoeuvre mode, and what is special to each."""

from types import SimpleNamespace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.errors import InvalidInput, ModeMismatch
from scmanip.modes import FixedBase, Floating, GeneralizedForce, Residual, Residuals
from scmanip.system import State
from tests.simulation.arms import model, moving_state

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
    with pytest.raises(ModeMismatch, match=f"{type(mode).__name__} needs a base that is .* system 'two joints'.* use "):
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
    wrench = Floating().base_wrench(FREE, moving_state(), GeneralizedForce(np.ones(2), None))
    assert_allclose(wrench, np.zeros(6))


def test_the_ground_carries_the_weight_of_an_arm_at_rest():
    state = State(q=[0.4, -0.7])
    hold = GeneralizedForce(HELD.gravity_force(state), None)
    weight = HELD.system.mass_kg * 9.81
    wrench = FixedBase().base_wrench(HELD, state, hold)
    assert_allclose(wrench[:3], [0, 0, weight], atol=1e-9)
    assert_allclose(wrench[3:], np.cross(HELD.r_0C(state), [0, 0, weight]), atol=1e-9)


def books(**changes):
    """A ledger of a run that keeps every law of every mode, with changes."""
    t = np.linspace(0.0, 2.0, 5)
    P = np.tile([3.0, 0.0, -1.0], (5, 1))
    still = {
        "r_0": np.outer(np.sin(t), [1.0, 0, 0]),
        "r_C": np.outer(t, P[0] / 10.0),
        "P": P,
        "L_C": np.tile([0, 1.0, 0], (5, 1)),
    }
    arm = {"P_arm": np.outer(t, [0, 2.0, 0]), "L_arm": np.outer(t, [0, 0, 4.0])}
    energy = {"kinetic_energy": 1 + 3 * t, "stored_energy": -t, "work": 2.5 * t, "dissipated": 0.5 * t}
    return SimpleNamespace(t=t, mass_kg=10.0, **(still | arm | energy | changes))


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
