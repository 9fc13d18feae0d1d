"""Laws, references and events in Python, asked by machine code: the same run as step by step in Python, and what they raise."""

import pickle
import signal
from contextlib import nullcontext

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.constraints import Lock
from scmanip.control import ComputedTorque, Sampled
from scmanip.dynamics import compile_model
from scmanip.errors import InvalidInput, NumericalFailure
from scmanip.guidance import Cycloid, JointReference
from scmanip.modes import Floating, Flying
from scmanip.simulation import RK4, FixedDOP853, MomentumReduced, Outcome, Switch, When, simulate
from scmanip.system import System
from tests.modes.clusters import box, tug
from tests.simulation.arms import model, moving_state, two_joints
from tests.simulation.machine_code import all_in_machine_code, without_machine_code

PLANT, FLOATING = model(), Floating()
NAMES = "t", "q", "qdot", "r_0", "attitude_xyzw", "omega_0", "work", "tau", "L_C"


def spring(t, state):
    return -2.0 * (state.q - 0.3 * np.sin(2 * t)) - 1.5 * state.qdot


class Integral:
    """Has the sum of the errors at the ends of steps for its memory."""

    def command(self, t, state, reference, memory):
        before, error = memory if memory is not None else (t, np.zeros(2))
        error = error + (t - before) * state.q
        return -2.0 * state.q - state.qdot - 0.5 * error, (t, error)

    def start(self, state):
        return 0.0, np.zeros(2)


class Circle:
    """A reference that is not recorded."""

    corners_s = (0.7,)
    t_end_s = 2.0

    def at(self, t):
        c, s = 0.2 * np.cos(t), 0.2 * np.sin(t)
        return JointReference(np.array([c, s]), np.array([-s, c]), np.array([-c, -s]) + 0.1 * (t >= 0.7))


def flown(law, plant=PLANT, mode=FLOATING, start=None, **options):
    options = {"t_end_s": 2.0, "rtol": 1e-9, "output_step_s": 0.25} | options
    return simulate(plant, mode, law, moving_state() if start is None else start, **options)


def both(law, *given, **options):
    """The run that asks, and the one in Python; each with a law of its own."""
    fast = flown(law, *given, **options)
    with without_machine_code():
        slow = flown(law, *given, **options)
    assert fast.in_machine_code
    assert not slow.in_machine_code
    return fast, slow


def check_equal(runs, atol=1e-12):
    fast, slow = runs
    assert (fast.outcome, fast.steps, len(fast.events)) == (slow.outcome, slow.steps, len(slow.events))
    for name in NAMES:
        assert_allclose(getattr(fast, name), getattr(slow, name), rtol=atol, atol=atol, err_msg=name)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"integrator": RK4(0.05)},
        {"integrator": FixedDOP853(0.1)},
        {"coordinates": MomentumReduced()},
        {"events": [When("low", lambda t, state: -0.5 - state.q[0], ends=True)]},
        {"progress": lambda t: None},
    ],
    ids=lambda options: next(iter(options), "nothing"),
)
@pytest.mark.parametrize("law", [spring, Integral()], ids=["function", "memory"])
def test_the_run_is_that_step_by_step_in_python(law, options):
    check_equal(both(law, **options), atol=1e-11 if law is spring else 1e-8)  # memory shows rounding of steps


def test_a_reference_in_python_is_asked_up_to_its_corners():
    check_equal(both(ComputedTorque(PLANT), reference=Circle()))
    with all_in_machine_code():
        flown(ComputedTorque(PLANT), reference=Circle())


class InOnePlace:
    """A spring and a damper that write every command where the one before stood."""

    def __init__(self):
        self.place = np.zeros(2)

    def __call__(self, t, state):
        self.place[:] = spring(t, state)
        return self.place


@pytest.mark.parametrize("around", [lambda law: law, lambda law: Sampled(law, rate_Hz=10.0)])
@pytest.mark.parametrize("in_python", [False, True])
def test_a_law_may_write_its_commands_in_one_place(around, in_python):
    with without_machine_code() if in_python else nullcontext():
        one, other = flown(around(InOnePlace())), flown(around(spring))
    assert abs(one.tau).max() > 0.1
    assert np.array_equal(one.tau, other.tau) and np.array_equal(one.work_by_joint, other.work_by_joint)


class CircleInLists(Circle):
    """The same, as lists."""

    def at(self, t):
        said = super().at(t)
        return JointReference(said.q.tolist(), said.qdot.tolist(), said.qddot.tolist())


@pytest.mark.parametrize("law", [ComputedTorque(PLANT), Sampled(ComputedTorque(PLANT), rate_Hz=10.0)])
def test_a_reference_in_python_may_say_lists(law):
    runs = [flown(law, reference=reference) for reference in (CircleInLists(), Circle())]
    assert abs(runs[0].q[-1]).max() > 0.01 and np.array_equal(runs[0].q, runs[1].q)


def test_a_short_command_of_a_mode_that_commands_the_base_leaves_it_alone():
    check_equal(both(spring, PLANT, Flying()))
    check_equal(both(lambda t, state: np.array([1.0, 0, 0, 0, 0.5, 0, *spring(t, state)]), PLANT, Flying()))


def test_constraints_are_switched_under_a_law_in_python():
    free = two_joints()
    system = System("braked", free.base, free.bodies[1:], constraints=[Lock("brake", "elbow")])
    switches = (Switch(t_s=0.5, impose=("brake",)), Switch(t_s=1.4, release=("brake",)))
    fast, slow = both(Integral(), compile_model(system), switches=switches)
    assert abs(fast.qdot[3:5, 1]).max() < 1e-12
    for name in NAMES:
        assert_allclose(getattr(fast, name), getattr(slow, name), rtol=1e-6, atol=1e-7, err_msg=name)


@pytest.mark.slow
def test_thrusters_whose_sets_are_looked_for_fly_in_python():
    history = flown(lambda t, state: np.array([0.1, 0, 0, 0, 0, 0, *spring(t, state)]), compile_model(tug(box(1.0))), Flying())
    assert not history.in_machine_code
    assert history.outcome is Outcome.COMPLETED


@pytest.mark.parametrize("error", [ZeroDivisionError("mine"), KeyboardInterrupt()])
def test_what_a_law_raises_reaches_the_user_as_it_is(error):
    def law(t, state):
        if t > 0.6:
            raise error
        return spring(t, state)

    with pytest.raises(type(error)) as raised:
        flown(law)
    assert raised.value is error
    assert raised.traceback[-1].name == "law"


@pytest.mark.parametrize("value", [[1.0], "torque", None, [1.0, 2.0, 3.0]])
def test_what_is_no_command_is_refused_in_the_midst_of_a_run(value):
    told = []
    for run in (flown, both):
        with pytest.raises(InvalidInput) as raised:
            run(lambda t, state: value if t > 0.6 else spring(t, state))
        told.append(str(raised.value).partition(" at t")[0])
    assert told[0] == told[1]


def test_a_law_without_an_answer_ends_the_run_at_its_last_good_state():
    def law(t, state):
        if t > 0.6:
            raise NumericalFailure("nothing comes of it")
        return spring(t, state)

    for answer in (law, lambda t, state: spring(t, state) * (np.nan if t > 0.6 else 1.0)):
        fast = flown(answer)
        with without_machine_code():
            slow = flown(answer)
        assert fast.outcome is slow.outcome is not Outcome.COMPLETED
        assert not fast.in_machine_code
        assert slow.t[-1] - 1e-3 < fast.t[-1] <= 0.6
        assert slow.t[-1] > 0.3
        assert np.isfinite(fast.tau).all()


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs a timer")
def test_an_interrupt_stops_a_run_in_machine_code():
    class Stopped(Exception):
        pass

    def stop(number, frame):
        raise Stopped

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    try:
        with pytest.raises(Stopped):
            flown(lambda t, state: -1e-3 * np.sin(50 * t) * state.q, t_end_s=1e5, output_step_s=1e4)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)


def test_states_that_a_law_keeps_stay_as_they_were():
    kept = []

    def law(t, state):
        kept.append((state, state.x.copy()))
        return spring(t, state)

    flown(law, t_end_s=0.3)
    assert len(kept) > 20
    for state, x in kept:
        assert_allclose(state.x, x, atol=0)
        assert not state.x.flags.writeable


def test_numbers_of_a_law_in_python_are_no_directions():
    with pytest.raises(InvalidInput, match="machine code"):
        flown(spring, sensitivities=("body.upper.mass_kg",))


def test_a_history_of_a_law_that_cannot_be_pickled_can_be():
    history = flown(lambda t, state: 0.5 * spring(t, state), t_end_s=0.5)
    again = pickle.loads(pickle.dumps(history))
    assert again.in_machine_code
    assert_allclose(again.tau, history.tau, atol=0)


def test_the_library_s_own_laws_are_asked_nothing():
    assert flown(ComputedTorque(PLANT), reference=Cycloid([0.4, -0.7], [1.0, 0.2], duration_s=1.0)).in_machine_code


def test_a_sampled_law_is_asked_once_a_sample_without_a_return_to_python():
    asked = []

    def law(t, state):
        asked.append(t)
        return spring(t, state)

    with all_in_machine_code():
        fast = flown(Sampled(law, rate_Hz=20.0))
    assert asked == [k / 20.0 for k in range(40)]
    watched = flown(Sampled(spring, rate_Hz=20.0), progress=lambda t: None)  # stretch by stretch
    assert (fast.steps, fast.in_machine_code) == (watched.steps, True)
    for name in NAMES:
        np.testing.assert_array_equal(getattr(fast, name), getattr(watched, name), err_msg=name)


@pytest.mark.parametrize("error", [ZeroDivisionError("mine"), KeyboardInterrupt()])
def test_what_a_sampled_law_raises_reaches_the_user_too(error):
    def law(t, state):
        if t > 0.6:
            raise error
        return spring(t, state)

    with pytest.raises(type(error)) as raised:
        flown(Sampled(law, rate_Hz=20.0))
    assert raised.value is error


def test_a_sampled_law_without_an_answer_ends_the_run_at_its_sample():
    history = flown(Sampled(lambda t, state: spring(t, state) * (np.nan if t > 0.6 else 1.0), rate_Hz=20.0))
    assert history.outcome is Outcome.NOT_FINITE
    assert history.t[-1] == pytest.approx(0.65)
