"""What cannot be run is refused at the door, all of it at once."""

import numpy as np
import pytest

from scmanip.control import ComputedTorque, Sampled
from scmanip.errors import InvalidInput, ModeMismatch
from scmanip.guidance import Hold, JointSequence
from scmanip.modes import FixedBase, Floating
from scmanip.simulation import DOP853, RK4, FullState, ensemble, simulate
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
        ("events", None),
        ("events", 3),
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


def test_a_state_whose_joints_and_rates_only_add_up_is_refused():
    (problem,) = refusal(state0=State(r_0=[0, 0, 0], q=[0.1, 0.2, 0.3], qdot=[0.1]))
    assert (problem.key, problem.expected) == ("state0", "2 joint coordinates q and 2 joint rates qdot")
    assert problem.found == "3 joint coordinates q and 1 joint rates qdot"


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
    with pytest.raises(ModeMismatch, match="mode 'fixed_base' needs a base that is held"):
        simulate(PLANT, FixedBase(), idle, moving_state(), t_end_s=1.0)
    grounded = model(fixed=True)
    with pytest.raises(ModeMismatch, match="estimate has a fixed base"):
        simulate(PLANT, Floating(), ComputedTorque(grounded), moving_state(), reference=Hold([0, 0]), t_end_s=1.0)


@pytest.mark.parametrize(
    ("options", "key", "words"),
    [
        ({"output_step_s": 1e-9}, "output_step_s", "found 1e-09, 1e+09 samples; their states alone would take 127 GiB"),
        ({"controller": Sampled(idle, rate_Hz=1e9)}, "controller rate_Hz", "so at most 1e+07 Hz, found 1e+09, 1e+09 samples"),
        ({"integrator": RK4(1e-12)}, "RK4 step_s", "so 1e-07 s or more, found 1e-12, 1e+12 steps"),
        ({"rtol": 0.9}, "rtol", "a number from 2.2e-14 to 0.01"),
    ],
)
def test_numbers_that_ask_for_more_than_memory_or_patience_are_refused_with_what_they_would_take(options, key, words):
    (problem,) = refusal(**options)
    assert problem.key == key
    assert words in str(problem)


def test_an_ensemble_refuses_the_same_and_more_states_than_memory_holds():
    law, motion = ComputedTorque(PLANT), Hold([0.0, 0.0])
    many = {"K_P": np.ones((2000, 2))}
    for options, key in (
        ({"step_s": 1e-12}, "step_s"),
        ({"step_s": 0.1, "output_step_s": 1e-9}, "output_step_s"),
        ({"step_s": 0.1, "output_step_s": 1e-6 * (1 + 1e-9), "parameters": many}, "ensemble"),
    ):
        with pytest.raises(InvalidInput) as caught:
            ensemble(PLANT, Floating(), law, moving_state(), reference=motion, t_end_s=1.0, **options)
        assert [problem.key for problem in caught.value.problems] == [key]


@pytest.mark.parametrize("value", [0, 1.5, None, True])
def test_steps_of_one_length_have_a_whole_number_of_them_allowed(value):
    with pytest.raises(InvalidInput, match="RK4 max_steps: expected a whole number > 0"):
        RK4(0.1, max_steps=value)


BAD_OPTIONS = [
    *({"max_step_s": value} for value in (0.0, -1.0, np.nan, "a", None, True)),
    *({"max_steps": value} for value in (0, 1.5, "a", None, True, np.inf)),
]


@pytest.mark.parametrize("options", BAD_OPTIONS, ids=str)
def test_an_integrator_needs_room_to_step(options):
    (key,) = options
    with pytest.raises(InvalidInput, match=f"DOP853 {key}: expected a .*number > 0"):
        DOP853(**options)


def test_an_integrator_names_both_its_mistakes():
    with pytest.raises(InvalidInput) as caught:
        DOP853(max_step_s="a", max_steps=1.5)
    assert [problem.key for problem in caught.value.problems] == ["DOP853 max_step_s", "DOP853 max_steps"]


class Returning:
    """A law that returns whatever it was made with."""

    def __init__(self, returned):
        self.returned = returned

    def command(self, t, state, reference, memory):
        """Return it."""
        del t, state, reference, memory
        return self.returned


@pytest.mark.parametrize("returned", [np.zeros(2), [0.0, 0.0], None, 0.0, (np.zeros(2),), (np.zeros(2), None, 1)], ids=repr)
def test_a_command_without_its_memory_is_refused(returned):
    with pytest.raises(InvalidInput, match=r"command of the controller at t = 0 s: expected a pair \(command, memory\)"):
        simulate(PLANT, Floating(), Returning(returned), moving_state(), t_end_s=1.0)
