"""A history travels: to another process, to a file, into a copy."""

import copy
import pickle

import pytest
from numpy.testing import assert_array_equal

from scmanip.modes import FixedBase, Floating
from scmanip.simulation import simulate
from scmanip.system import State
from tests.simulation.arms import model, moving_state


def flown(*, fixed):
    """A short run."""
    start = State(q=[0.4, -0.7], qdot=[0.3, -0.4]) if fixed else moving_state()
    mode = FixedBase() if fixed else Floating()
    return simulate(model(fixed=fixed), mode, lambda t, state: [0.1, -0.1], start, t_end_s=0.2, output_step_s=0.05, rtol=1e-8)


@pytest.mark.battery(2)
@pytest.mark.parametrize("fixed", [False, True])
@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda history: pickle.loads(pickle.dumps(history))])
def test_a_history_can_be_copied_and_pickled_and_still_not_edited(fixed, again):
    history = flown(fixed=fixed)
    residuals = {name: residual.value for name, residual in history.residuals.items()}
    other = again(history)
    assert len(history.channels) > 15
    for name in (*history.channels, "step_s"):
        assert_array_equal(getattr(other, name), getattr(history, name))
        assert not getattr(other, name).flags.writeable
    assert_array_equal(other.states.x, history.states.x)
    assert_array_equal(other.final.q, history.final.q)
    assert (other.outcome, other.advice, other.steps, other.events) == (history.outcome, "", history.steps, ())
    assert repr(other) == repr(history)
    assert {name: residual.value for name, residual in other.residuals.items()} == residuals
