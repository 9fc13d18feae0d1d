"""Laws that look now and then: closed forms, machine code against Python, ends, and what is refused."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.control import ComputedTorque, Controller, Sampled, WithFeedforward
from scmanip.dynamics import compile_model
from scmanip.errors import InvalidInput, ModeMismatch
from scmanip.guidance import Hold, JointSequence
from scmanip.modes import Floating, Flying
from scmanip.simulation import DOP853, MomentumReduced, Outcome, simulate
from scmanip.system import Body, Joint, State, System
from tests.simulation.arms import model, moving_state

PLANT = model(stiffness=2.0, damping=0.4)
SEQUENCE = JointSequence(2, ramp_s=0.3, cruise_s=(0.4, 1.1, 0.4), rest_s=0.1, settle_s=0.1)


class InPython(DOP853):
    """The same integrator by another class, with which a run is in Python."""


class Brake(Controller):
    """Brakes, and counts how often it was asked."""

    def start(self, state):
        """Begin at zero."""
        del state
        return 0

    def command(self, t, state, reference, memory):
        """Return a brake, weaker every time."""
        del t, reference
        return -state.qdot / (1 + memory), memory + 1


def flown(law, integrator=None, **options):
    """A floating run of two seconds."""
    options = {"t_end_s": 2.0, "rtol": 1e-10, "output_step_s": 0.05} | options
    return simulate(PLANT, Floating(), law, moving_state(), integrator=integrator or DOP853(), **options)


def test_a_held_brake_on_a_wheel_slows_it_by_the_same_factor_at_every_sample():
    joint = Joint("wheel", "revolute", [0, 0, 1])
    link = Body("flywheel", 3.0, [1.0, 1.0, 2.0], parent="base", joint=joint)
    plant = compile_model(System("balanced", Body("base", 10.0, [5.0, 5.0, 8.0]), [link]))
    start = State(attitude_xyzw=[0, 0, 0, 1], q=[0.0], qdot=[1.0])
    law = Sampled(lambda t, state: -state.qdot, rate_Hz=5.0)
    history = simulate(plant, Floating(), law, start, t_end_s=2.0, output_step_s=0.2, rtol=1e-12)
    factor = 1 - 0.2 / (2.0 * 8.0 / 10.0)  # reduced inertia I0 I1 / (I0 + I1)
    assert_allclose(history.qdot[:, 0], factor ** np.arange(11), rtol=1e-12)
    assert_allclose(history.tau[1:, 0], -(factor ** np.arange(10)), rtol=1e-12)  # held until the instant of the sample
    assert history.residuals["energy"].relative < 1e-12


@pytest.mark.battery(2, each=1)
@pytest.mark.parametrize(
    "law", [lambda t, state: [np.sin(3 * t), -state.qdot[1]], Brake(), WithFeedforward(ComputedTorque(PLANT))]
)
@pytest.mark.parametrize("rate_Hz", [7.0, 50.0])
def test_machine_code_between_samples_is_python_between_samples(law, rate_Hz):
    sampled = Sampled(law, rate_Hz=rate_Hz)
    fast, slow = (flown(sampled, integrator, reference=SEQUENCE) for integrator in (DOP853(), InPython()))
    for name in ("states", "tau", "work", "dissipated", "t"):
        values = [getattr(getattr(run, name), "x", getattr(run, name)) for run in (fast, slow)]
        assert_allclose(*values, atol=1e-9, err_msg=name)
    assert fast.residuals["energy"].relative < 1e-8
    assert fast.residuals["momentum"].relative < 1e-8


@pytest.mark.parametrize("integrator", [DOP853(), InPython()])
def test_states_that_a_law_keeps_remain_those_of_their_samples(integrator):
    seen = []

    def law(t, state):
        seen.append(state)
        return -state.qdot

    history = flown(Sampled(law, rate_Hz=20.0), integrator)
    assert_allclose([state.x for state in seen], history.states.x[:-1], rtol=0, atol=1e-12)
    assert_allclose([np.linalg.norm(state.attitude_xyzw) for state in seen], 1.0, rtol=0, atol=3e-16)
    assert not any(state.x.flags.writeable for state in seen)


def test_the_law_is_asked_once_per_sample_in_order_with_its_memory():
    asked = []

    class Watched(Brake):
        """Notes when it was asked."""

        def command(self, t, state, reference, memory):
            """Return the brake."""
            asked.append((t, memory))
            return super().command(t, state, reference, memory)

    flown(Sampled(Watched(), rate_Hz=10.0))
    assert_allclose([t for t, _ in asked], np.arange(20) / 10.0)
    assert [memory for _, memory in asked] == list(range(20))


def test_the_faster_the_samples_the_closer_to_the_continuous_law():
    law = ComputedTorque(PLANT)
    continuous = flown(law, reference=Hold([0.1, 0.2])).q
    sampled = [flown(Sampled(law, rate_Hz=rate), reference=Hold([0.1, 0.2])).q for rate in (10.0, 20.0, 40.0)]
    errors = [abs(q - continuous).max() for q in sampled]
    assert_allclose(np.array(errors[:-1]) / errors[1:], 2.0, rtol=0.2)  # a hold is a delay of half a period


def test_corners_between_samples_stop_the_plant_too_and_samples_near_corners_are_one():
    sampled = Sampled(ComputedTorque(PLANT), rate_Hz=10.0)
    reached = []
    flown(sampled, reference=SEQUENCE, progress=reached.append, t_end_s=1.0)
    assert np.diff(reached).min() > 1e-6
    assert {0.3, 0.7} <= {round(t, 12) for t in reached}


def test_the_momentum_reduced_state_can_be_sampled():
    runs = [flown(Sampled(Brake(), rate_Hz=20.0), coordinates=c) for c in (None, MomentumReduced())]
    assert_allclose(runs[0].states.x, runs[1].states.x, atol=1e-8)


def test_a_mode_that_pushes_the_base_can_be_sampled():
    law = Sampled(lambda t, state: [0.1, 0, 0, 0, 0, 0.2, 0, 0], rate_Hz=10.0)
    history = simulate(PLANT, Flying(), law, moving_state(), t_end_s=1.0, output_step_s=0.5)
    assert_allclose(history.impulse[-1, :3], [0.1, 0, 0], atol=1e-9)


def test_a_sample_that_is_not_finite_ends_the_run_there():
    history = flown(Sampled(lambda t, state: [np.nan if t > 1.23 else 0.1, 0.0], rate_Hz=10.0))
    assert history.outcome is Outcome.NOT_FINITE
    assert "the controller returned tau = [nan, 0.0] at t = 1.3 s" in history.advice
    assert history.t[-1] == pytest.approx(1.3)
    assert np.isfinite(history.tau).all()
    with pytest.raises(InvalidInput, match="at t = 0 s: expected finite numbers"):
        flown(Sampled(lambda t, state: [np.inf, 0.0], rate_Hz=10.0))


def test_a_sampled_law_that_explodes_ends_diverged():
    history = flown(Sampled(lambda t, state: 1000.0 * state.qdot, rate_Hz=100.0), rtol=1e-6)
    assert history.outcome is Outcome.DIVERGED


def test_many_samples_are_no_reason_to_stall():
    history = flown(Sampled(lambda t, state: [0.0, 0.0], rate_Hz=200.0), DOP853(max_steps=100))
    assert history.outcome is Outcome.COMPLETED
    assert history.steps >= 400


@pytest.mark.parametrize("rate_Hz", [0.0, -1.0, np.nan, np.inf, "fast", None, True])
def test_a_rate_that_is_none_is_refused(rate_Hz):
    with pytest.raises(InvalidInput, match="rate_Hz: expected a finite number > 0"):
        Sampled(Brake(), rate_Hz=rate_Hz)


def test_what_cannot_be_sampled_is_refused():
    with pytest.raises(InvalidInput, match="law: expected a law that is not sampled itself"):
        Sampled(Sampled(Brake(), rate_Hz=1.0), rate_Hz=2.0)
    with pytest.raises(InvalidInput, match="controller: expected a controller object"):
        Sampled(3.0, rate_Hz=2.0)
    with pytest.raises(ModeMismatch):
        flown(Sampled(ComputedTorque(model(fixed=True)), rate_Hz=2.0), reference=SEQUENCE)
