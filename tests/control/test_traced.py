"""Functions of a user's as equations: the same run in machine code, and sentences that say why one is none."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.control import ComputedTorque, Saturated, Sum, program_of, recorded
from scmanip.dynamics import compile_model
from scmanip.errors import InvalidInput, ModeMismatch, NotRecordable
from scmanip.guidance import Cycloid
from scmanip.modes import Floating, Flying
from scmanip.simulation import ensemble, simulate
from scmanip.symbolic import minimum
from scmanip.system import State, load_system
from tests.simulation.arms import model, moving_state
from tests.simulation.machine_code import all_in_machine_code, without_machine_code

PLANT = model()
WAY = Cycloid([0.4, -0.7], [1.0, 0.2], duration_s=1.0)
K = np.array([[3.0, 0.5], [0.5, 2.0]])


def free(t, state):
    return -K @ (state.q - 0.2 * np.sin(2 * t)) - 1.5 * np.tanh(state.qdot) * state.omega_0[2]


def led(t, state, wanted):
    return K @ (wanted.q - state.q) + 2.0 * (wanted.qdot - state.qdot) + minimum(wanted.qddot, 0.3)


def flown(law, **options):
    return simulate(PLANT, Floating(), law, moving_state(), **{"t_end_s": 1.5, "rtol": 1e-10, "output_step_s": 0.25, **options})


@pytest.mark.battery(1)
@pytest.mark.parametrize(
    ("function", "wrapped", "options"),
    [
        (free, lambda law: law, {}),
        (free, lambda law: Saturated(law, 0.7), {}),
        (free, lambda law: law, {"reference": WAY}),
        (led, lambda law: law, {"reference": WAY}),
        (led, lambda law: Sum(law, ComputedTorque(PLANT)), {"reference": WAY}),
    ],
)
def test_a_recorded_function_flies_in_machine_code_as_it_does_in_python(function, wrapped, options):
    with all_in_machine_code():
        fast = flown(wrapped(recorded(function)), **options)
    with without_machine_code():
        slow = flown(wrapped(recorded(function)), **options)
    assert fast.demand is not None  # the coordinates of runs that Python does not look at
    for name in ("q", "qdot", "omega_0", "tau", "work"):
        assert_allclose(getattr(fast, name), getattr(slow, name), rtol=1e-7, atol=1e-8, err_msg=name)  # limits are kinks


def test_equal_functions_share_a_program_and_other_gains_do_not():
    plant = compile_model(PLANT.system)
    for gain in (1.0, 1.0, 2.0):
        simulate(plant, Floating(), recorded(lambda t, state, gain=gain: -gain * state.q), moving_state(), t_end_s=0.1)
    assert sum(key[0] == "closed loop" for key in plant.family.kept if isinstance(key, tuple)) == 2


def branching(t, state):
    if state.q[0] > 0.1:
        return -state.q
    return state.q


class Remembering:
    def __init__(self):
        self.total = 0.0

    def __call__(self, t, state):
        self.total = self.total + 1.0
        return -self.total * state.q


def noisy(t, state):
    return -state.q + np.random.default_rng().normal(size=2)


def arc(t, state):
    return np.arcsin(state.q)


def library(t, state):
    return PLANT.H(state) @ state.q


def typed(t, state):
    return -state.q if state.q.dtype == object else -2.0 * state.q


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (branching, r"branching is no equation: line \d+ of .*test_traced.py, `if state.q\[0\] > 0.1:`: .*branch on it"),
        (arc, r"`return np.arcsin\(state.q\)`: .*arcsin"),
        (library, r"`return PLANT.H\(state\) @ state.q`: "),
        (Remembering(), "asked twice the same it says"),
        (noisy, "asked twice the same it says"),
        (typed, "it remembers something, or decides on what it is given"),
        (lambda t, state: np.clip(state.q, -1, 1), "np.clip.*only < and > are recorded"),
    ],
)
def test_what_is_no_equation_is_refused_with_the_line(function, words):
    for ask in (lambda: recorded(function, PLANT), lambda: flown(recorded(function))):
        with pytest.raises(NotRecordable, match=words):
            ask()


def test_what_is_no_law_is_refused():
    for function in (lambda: 1.0, lambda t: t, 3.0, lambda t, state, wanted, more: t):
        with pytest.raises(InvalidInput, match="state"):
            recorded(function)
    with pytest.raises(ModeMismatch, match="only the joints"):
        recorded(lambda t, state: np.concatenate([np.zeros(6), -state.q]), PLANT)
    assert recorded(lambda t, state: np.concatenate([np.zeros(6), -state.q]), PLANT, Flying()) is not None
    with pytest.raises(InvalidInput, match="command"):
        recorded(lambda t, state: state.q[0], PLANT)


def test_lanes_fly_it_too():
    states = State.stack([moving_state(), moving_state()])
    runs = ensemble(PLANT, Floating(), recorded(free, PLANT), states, reference=WAY, t_end_s=1.5, step_s=0.05)
    assert_allclose(runs.x[1, -1, 7:9], flown(recorded(free)).q[-1], atol=1e-8)


def test_a_program_of_its_own_has_no_clock():
    with pytest.raises(InvalidInput, match="know no time"):
        program_of(recorded(lambda t, state: -np.cos(t) * state.q, PLANT), PLANT)
    assert program_of(recorded(lambda t, state: -2.0 * state.q, PLANT), PLANT).operations.total == 2
    assert [item.name for item in program_of(recorded(led, PLANT), PLANT).inputs] == ["x", "q_D", "qdot_D", "qddot_D"]


def test_spherical_joints_and_actuators_are_parts_of_states():
    for name in ("ets7", "stanford_arm"):
        system = load_system(f"model:{name}")
        recorded(lambda t, state: -state.qdot, compile_model(system))
