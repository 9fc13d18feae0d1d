"""What cannot be run is refused at the door, all of it at once."""

import numpy as np
import pytest

from scmanip.control import ComputedTorque
from scmanip.errors import InvalidInput, ModeMismatch
from scmanip.guidance import Hold, JointSequence
from scmanip.modes import FixedBase, Floating
from scmanip.simulation import DOP853, FullState, simulate
from scmanip.system import State
from tests.simulation.arms import model, moving_state

PLANT = model()


def idle(t, state):
    """No torque."""
    del t, state
    return [0.0, 0.0]


def refusal(**changes):
    """The problems of a good run with changes."""
    good = {"model": PLANT, "mode": Floating(), "controller": idle, "state0": moving_state(), "t_end_s": 1.0}
    with pytest.raises(InvalidInput) as caught:
        simulate(**(good | changes))
    return caught.value.problems


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("t_end_s", 0.0),
        ("t_end_s", np.nan),
        ("t_end_s", np.inf),
        ("t_end_s", "long"),
        ("rtol", 1e-15),
        ("rtol", 1.0),
        ("rtol", None),
        ("atol", 0.0),
        ("atol", [1e-9]),
        ("output_step_s", -0.1),
        ("output_step_s", np.nan),
        ("environment", "orbit"),
        ("events", ("impact",)),
        ("mode", Floating),
        ("mode", "floating"),
        ("model", "arm.toml"),
        ("integrator", DOP853),
        ("coordinates", FullState),
        ("state0", [0.0, 0.0]),
        ("state0", State(q=[0.0, 0.0])),
        ("state0", State(r_0=[0, 0, 0], q=[0.0])),
        ("state0", State.stack([moving_state(), moving_state()])),
        ("controller", ComputedTorque),
        ("reference", np.zeros(2)),
        ("reference", JointSequence),
    ],
)
def test_one_bad_argument_is_one_problem_with_its_name(key, value):
    problems = refusal(**{key: value})
    assert len(problems) == 1
    assert problems[0].key == key


def test_all_bad_arguments_are_reported_together():
    problems = refusal(t_end_s=-1.0, rtol=0.0, atol=-1.0, output_step_s=0.0, environment=1, mode=Floating)
    assert {p.key for p in problems} == {"t_end_s", "rtol", "atol", "output_step_s", "environment", "mode"}


def test_a_reference_for_another_arm_is_refused():
    assert [p.key.split(" at")[0] for p in refusal(reference=Hold([0.0, 0.0, 0.0]))] == [
        "reference q",
        "reference qdot",
        "reference qddot",
    ]


def test_a_law_that_follows_needs_a_reference():
    with pytest.raises(InvalidInput, match="reference: expected a motion for ComputedTorque to follow"):
        simulate(PLANT, Floating(), ComputedTorque(PLANT), moving_state(), t_end_s=1.0)


def test_a_mode_or_controller_that_does_not_suit_the_model_is_refused():
    with pytest.raises(ModeMismatch, match="FixedBase needs a base that is held"):
        simulate(PLANT, FixedBase(), idle, moving_state(), t_end_s=1.0)
    grounded = model(fixed=True)
    with pytest.raises(ModeMismatch, match="estimate has a fixed base"):
        simulate(PLANT, Floating(), ComputedTorque(grounded), moving_state(), reference=Hold([0, 0]), t_end_s=1.0)


@pytest.mark.parametrize("options", [{"max_step_s": 0.0}, {"max_step_s": np.nan}, {"max_steps": 0}])
def test_an_integrator_needs_room_to_step(options):
    with pytest.raises(InvalidInput, match="max_step_s > 0 and max_steps > 0"):
        DOP853(**options)
