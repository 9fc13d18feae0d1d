"""Every mode's contract holds in a run, and the books of a run add up."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.control import ComputedTorque, WithFeedforward
from scmanip.guidance import Hold, JointSequence
from scmanip.modes import FixedBase, Floating
from scmanip.simulation import History, Outcome, simulate
from scmanip.system import State
from tests.simulation.arms import model, moving_state

FREE = model(stiffness=4.0, damping=1.5)
HELD = model(fixed=True, gravity=(0.5, 0.0, -9.81), stiffness=4.0, damping=1.5)
STARTS = {
    "floating": (Floating(), FREE, moving_state()),
    "fixed_base": (FixedBase(), HELD, State(q=[0.4, -0.7], qdot=[0.3, -0.4])),
}


def push(t, state):
    """Joint torques that do work and know nothing of the state."""
    del state
    return np.array([3.0 * np.sin(2 * t), 1.5 * np.cos(3 * t)])


@pytest.fixture(scope="module", params=STARTS)
def run(request):
    """A run in each mode with momentum, springs, dampers and (on the ground) gravity; and its model."""
    mode, plant, state0 = STARTS[request.param]
    return plant, simulate(plant, mode, push, state0, t_end_s=3.0, rtol=1e-11, output_step_s=0.25)


@pytest.mark.battery(1)
def test_every_law_of_the_contract_holds_to_the_tolerance(run):
    _, history = run
    assert history.outcome is Outcome.COMPLETED
    for residual in history.residuals.values():
        assert residual.relative < 1e-8, residual
        assert residual.series.shape == history.t.shape


def test_energy_gained_is_work_less_what_the_dampers_took(run):
    plant, history = run
    assert history.dissipated[-1] > 0.01
    assert abs(history.work).max() > 0.1
    gained = history.kinetic_energy + history.stored_energy
    assert_allclose(gained - gained[0], history.work - history.dissipated, atol=1e-9)
    springs = 0.5 * np.array([4.0, 2.0]) @ history.q[-1] ** 2
    heights = [m.mass_kg * plant.position(history.final, f"{m.name}.com") for m in plant.system.bodies]
    potential = springs - sum(heights) @ plant.system.gravity_m_s2
    assert history.stored_energy[-1] == pytest.approx(potential, rel=1e-12)


def test_the_history_holds_what_the_model_says_at_every_sample(run):
    plant, history = run
    for i in (0, 5, len(history.t) - 1):
        state = history.states[i]
        momentum, bodies = plant.momentum(state), plant.momentum_by_body(state)
        assert_allclose(history.q[i], state.q)
        assert_allclose(history.qdot[i], state.qdot)
        assert_allclose(history.tau[i], push(history.t[i], state))
        for name in ("P", "L_0", "L_C"):
            assert_allclose(getattr(history, name)[i], getattr(momentum, name))
        assert_allclose(history.P_base[i], bodies.P[0])
        assert_allclose(history.P_base[i], plant.system.base.mass_kg * history.v_0[i], atol=1e-14)
        assert history.kinetic_energy[i] == plant.kinetic_energy(state)
        assert_allclose(history.r_C[i], history.r_0[i] + plant.r_0C(state))


def test_base_and_arm_share_the_momentum_of_the_whole(run):
    _, history = run
    assert_allclose(history.P_base + history.P_arm, history.P, atol=1e-12)
    assert_allclose(history.L_base + history.L_arm, history.L_C, atol=1e-12)


def test_every_array_is_time_first_and_read_only(run):
    _, history = run
    n = len(history.t)
    shapes = {"q": 2, "qdot": 2, "tau": 2, "r_0": 3, "attitude_xyzw": 4, "v_0": 3, "omega_0": 3, "wrench": 6, "P": 3, "L_C": 3}
    shapes |= dict.fromkeys(("L_0", "P_base", "L_base", "P_arm", "L_arm", "r_C"), 3)
    for name, columns in shapes.items():
        assert getattr(history, name).shape == (n, columns), name
    for name in (*shapes, "t", "work", "dissipated", "kinetic_energy", "stored_energy"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(history, name)[0] = 0.0
    assert history.joint_names == ("shoulder", "elbow")
    assert history.events == ()


def test_the_repr_tells_the_story_in_one_line(run):
    _, history = run
    assert repr(history).startswith("History('two joints', ")
    assert "13 samples to 3 s, completed, worst residual" in repr(history)


def test_the_ground_pushes_a_held_base_at_the_rate_of_the_momentum():
    mode, plant, state0 = STARTS["fixed_base"]
    history = simulate(plant, mode, push, state0, t_end_s=0.002, rtol=1e-12, output_step_s=0.001)
    rate = (history.P[2] - history.P[0]) / 0.002
    weight = plant.system.mass_kg * plant.system.gravity_m_s2
    assert_allclose(history.wrench[1, :3], rate - weight, rtol=0, atol=2e-4)  # central difference, O(h^2)
    assert not history.r_0.any()
    assert not history.omega_0.any()
    assert_allclose(history.attitude_xyzw, [[0, 0, 0, 1]] * 3)


@pytest.mark.slow
def test_nothing_pushes_a_floating_base():
    mode, plant, state0 = STARTS["floating"]
    assert not simulate(plant, mode, push, state0, t_end_s=0.1).wrench.any()


@pytest.fixture(scope="module")
def errand():
    """A short joint sequence, tracked perfectly, that starts at rest and goes home."""
    plant = model()
    sequence = JointSequence(2, ramp_s=0.3, cruise_s=(0.4, 1.1, 0.4), rest_s=0.1, settle_s=0.1)
    law = WithFeedforward(ComputedTorque(plant))
    start = State.at_rest(plant.system, [0.0, 0.0])
    return simulate(plant, Floating(), law, start, reference=sequence, t_end_s=sequence.t_end_s, rtol=1e-11)


def test_an_arm_that_starts_at_rest_keeps_the_system_without_momentum(errand):
    assert errand.residuals["momentum"].relative < 1e-9
    assert errand.residuals["angular_momentum"].relative < 1e-9
    assert errand.residuals["com_drift"].value < 1e-11
    assert_allclose(errand.P_base, -errand.P_arm, atol=1e-9)
    assert abs(errand.omega_0).max() > 1e-3


def test_the_base_returns_when_every_joint_in_turn_goes_out_and_home(errand):
    assert abs(errand.r_0).max() > 1e-4
    assert abs(errand.attitude_xyzw[:, :3]).max() > 1e-4
    assert_allclose(errand.q[-1], 0.0, atol=1e-10)
    assert_allclose(errand.r_0[-1], 0.0, atol=1e-10)
    assert_allclose(errand.attitude_xyzw[-1], [0, 0, 0, 1], atol=1e-10)


def test_a_wrong_force_cannot_hide_from_the_contract():
    plant = model()

    class Leaky(Floating):
        """A mode that pushes the base in secret."""

        def generalized_force(self, model, state, command):
            """Return the command and a small wrench."""
            force = super().generalized_force(model, state, command)
            return force._replace(wrench=np.array([1e-3, 0, 0, 0, 0, 1e-3]))

    history = simulate(plant, Leaky(), push, moving_state(), t_end_s=1.0, output_step_s=0.5)
    assert history.residuals["momentum"].value == pytest.approx(1e-3, rel=1e-6)
    assert history.residuals["angular_momentum"].value > 1e-4
    assert history.residuals["energy"].value < 1e-9  # the wrench's work is in the books


def test_holding_still_does_no_work():
    plant = model()
    state0 = State.at_rest(plant.system, [0.3, 0.1])
    history = simulate(plant, Floating(), ComputedTorque(plant), state0, reference=Hold([0.3, 0.1]), t_end_s=5.0)
    assert isinstance(history, History)
    assert abs(history.work).max() < 1e-15
    assert_allclose(history.q, np.tile([0.3, 0.1], (501, 1)), atol=1e-15)
    assert history.residuals["momentum"].relative == 0.0
