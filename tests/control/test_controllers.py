"""What may stand in for a controller."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.control import (
    ComputedTorque,
    Controller,
    Delayed,
    Function,
    JointRegulator,
    Sampled,
    Saturated,
    Sum,
    WithFeedforward,
    as_controller,
)
from scmanip.errors import InvalidInput
from scmanip.guidance import Hold
from scmanip.modes import Floating
from tests.simulation.arms import model, moving_state

MODEL = model()


class Stranger:
    """A controller that is no subclass of the library's."""

    def command(self, t, state, reference, memory):
        """Return joint rates as torques and count the calls."""
        del t, reference
        return -state.qdot, (memory or 0) + 1


CONTROLLERS = [
    ComputedTorque(MODEL),
    WithFeedforward(ComputedTorque(MODEL)),
    JointRegulator(MODEL, K_P=3.0, K_D=2.0),
    Function(lambda t, state: -t * state.qdot),
    as_controller(Stranger()),
    Saturated(ComputedTorque(MODEL), 1.0),
    Sum(ComputedTorque(MODEL), JointRegulator(MODEL, K_P=3.0, K_D=2.0)),
    Delayed(ComputedTorque(MODEL), delay_s=0.5),
]


@pytest.mark.parametrize("controller", CONTROLLERS, ids=lambda c: type(c).__name__)
def test_every_controller_commands_one_force_per_joint_and_never_changes(controller):
    state, reference = moving_state(), Hold([0.1, 0.2]).at(0.0)
    controller.check(MODEL, Floating())
    memory = controller.start(state)
    first, _ = controller.command(1.0, state, reference, memory)
    controller.command(2.0, state, reference, memory)
    again, _ = controller.command(1.0, state, reference, memory)
    assert np.shape(first) == (2,)
    assert np.array_equal(first, again)


def test_a_function_of_time_and_state_is_a_controller():
    def brake(t, state):
        return -3 * t * state.qdot

    controller = as_controller(brake)
    tau, memory = controller.command(2.0, moving_state(), None, "kept")
    assert np.allclose(tau, -6 * moving_state().qdot)
    assert memory == "kept"
    assert repr(controller) == "Function(brake)"


def test_an_object_with_a_command_is_a_controller_whose_memory_starts_empty():
    controller = as_controller(Stranger())
    assert isinstance(controller, Controller)
    assert controller.start(moving_state()) is None
    assert controller.command(0.0, moving_state(), None, None)[1] == 1


def test_a_controller_stays_itself():
    assert as_controller(CONTROLLERS[0]) is CONTROLLERS[0]


class Short:
    def command(self, t, state):
        return state.qdot


@pytest.mark.parametrize("law", [ComputedTorque, 3.0, None, [0.0, 0.0], lambda t: 0.0, lambda t, state, reference: 0.0])
def test_anything_else_is_refused_with_what_would_do(law):
    with pytest.raises(InvalidInput, match="controller: expected a controller object, an object with command"):
        as_controller(law)


def test_an_object_whose_command_is_told_something_else_is_refused_before_it_flies():
    expected = r"controller: expected command\(t, state, reference, memory\), found Short.command\(t, state\)"
    with pytest.raises(InvalidInput, match=expected):
        as_controller(Short())


@pytest.mark.parametrize("estimate", [MODEL.system, None, type(MODEL), "arm.toml"], ids=repr)
def test_computed_torque_believes_in_a_model(estimate):
    with pytest.raises(InvalidInput, match=r"estimate: expected a Model, made by compile_model\(system\)"):
        ComputedTorque(estimate)
    with pytest.raises(InvalidInput, match="estimate: expected a Model"):
        ComputedTorque.from_limits(estimate, moving_state(), tau_max=1.0, error_max=0.1)


NO_LAWS = {"nothing": None, "class": ComputedTorque, "model": MODEL, "function": Function(lambda t, state: [0.0, 0.0])}


@pytest.mark.parametrize("law", NO_LAWS.values(), ids=NO_LAWS.keys())
def test_feedforward_is_added_to_a_computed_torque_law_only(law):
    with pytest.raises(InvalidInput, match="law: expected a ComputedTorque object"):
        WithFeedforward(law)


@pytest.mark.parametrize("name", ["K_P", "K_D", "estimate", "other"])
def test_a_computed_torque_law_cannot_be_edited(name):
    law = ComputedTorque(MODEL, K_P=2.0)
    with pytest.raises(AttributeError):
        setattr(law, name, 1.0)
    with pytest.raises(ValueError, match="read-only"):
        law.K_P[0] = 1.0
    assert np.array_equal(law.K_P, [2.0, 2.0])


@pytest.mark.parametrize(
    ("t_end_s", "count"), [(1.0, 10), (0.91, 10), (0.9, 9), (0.9 + 1e-12, 9), (1.0 - 1e-12, 10), (1.01, 11), (0.05, 1)]
)
def test_a_sampled_law_is_asked_at_every_period_before_the_end_the_last_one_included(t_end_s, count):
    law = Sampled(lambda t, state: [0.0], rate_Hz=10.0)
    assert_allclose(law.sample_times(t_end_s), np.arange(count) / 10, atol=1e-15)
    assert all(map(law.is_sample, law.sample_times(t_end_s)))


def test_a_time_between_samples_is_none():
    law = Sampled(lambda t, state: [0.0], rate_Hz=10.0)
    assert [law.is_sample(t) for t in (0.0, 0.3, 0.1 * 3, 7.7 + 1e-12, 0.301, 0.34, 0.36, 0.4 - 1e-6)] == [True] * 4 + [
        False
    ] * 4
