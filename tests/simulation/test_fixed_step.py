"""Steps of one length: their order, where they end, samples between them, and their ends."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.control import ComputedTorque, Controller, CoordinatedComputedTorque, WithFeedforward
from scmanip.errors import InvalidInput
from scmanip.guidance import Cycloid, Hold, JointSequence
from scmanip.modes import Floating, RotationFloating
from scmanip.simulation import RK4, FixedDOP853, FullState, Outcome, When, simulate
from scmanip.simulation.loop._native import NativeLoop
from tests.modes.flights import POSE
from tests.simulation.arms import model, moving_state

PLANT = model(stiffness=2.0, damping=0.4)
LAW = WithFeedforward(ComputedTorque(PLANT))
SEQUENCE = JointSequence(2, ramp_s=0.3, cruise_s=(0.4, 1.1, 0.4), rest_s=0.1, settle_s=0.1)
BOTH = pytest.mark.parametrize("method", [RK4, FixedDOP853])


class InPython(WithFeedforward):
    """The same law by another class, which is not recorded."""


def flown(integrator=None, law=LAW, **options):
    """A run of three seconds."""
    options = {"reference": Hold([0.1, 0.2]), "t_end_s": 3.2, "output_step_s": 0.05, "coordinates": FullState()} | options
    extra = {} if integrator is None else {"integrator": integrator}
    return simulate(PLANT, Floating(), law, moving_state(), **options, **extra)


TRUTH = flown(rtol=1e-13)


@pytest.mark.parametrize(("method", "order", "steps"), [(RK4, 4, (0.1, 0.05)), (FixedDOP853, 7, (0.8, 0.4))])
def test_errors_of_all_samples_fall_with_the_order_of_the_samples(method, order, steps):
    errors = [abs(flown(method(step)).states.x - TRUTH.states.x).max() for step in steps]
    assert errors[0] / errors[1] > 2 ** (order - 0.7)


LOOPS = {
    "floating": (WithFeedforward(ComputedTorque(PLANT, K_P=4.0)), Floating(), Hold([1.5, -1.2])),
    "rotation floating": (
        CoordinatedComputedTorque(PLANT, RotationFloating(), K_P=4.0, K_D=1.0, base_K_P=4.0, base_K_D=1.0, pose=POSE),
        RotationFloating(),
        Cycloid([0.4, -0.7], [1.9, 0.8], duration_s=8.0),
    ),
}


@pytest.mark.battery(1)
@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize(
    ("method", "order", "within", "steps"),
    [
        (RK4, 4, 0.1, (200, 400, 800, 1600, 3200, 6400, 12_800)),
        (FixedDOP853, 8, 0.3, (16, 20, 24, 28, 34, 40, 56, 80, 112, 160)),
    ],
)
def test_the_closed_loop_has_the_order_of_the_method(loop, method, order, within, steps):
    """The slope of a line through all errors at the end, on doubly logarithmic paper, between 1e-6 and 1e-12."""
    law, mode, reference = LOOPS[loop]

    def end(integrator):
        options = {"t_end_s": 8.0, "output_step_s": 8.0, "coordinates": FullState(), "reference": reference}
        return simulate(PLANT, mode, law, moving_state(), integrator=integrator, **options).final.x

    truth = end(FixedDOP853(8.0 / 500))
    errors = np.array([abs(end(method(8.0 / count)) - truth).max() for count in steps])
    kept = (errors < 1e-6) & (errors > 1e-12)
    assert kept.sum() >= 5
    slope, _ = np.polyfit(np.log(np.array(steps)[kept]), np.log(errors[kept]), 1)
    assert abs(-slope - order) < within


@BOTH
def test_steps_are_of_one_length_but_before_stops(method):
    reached = [0.0]
    history = flown(method(0.07), reference=SEQUENCE, t_end_s=1.0, progress=reached.append)
    lengths = np.diff(reached)
    assert history.steps == len(lengths)
    assert lengths.max() <= 0.07 + 1e-12
    assert {c for c in SEQUENCE.corners_s if 0 < c < 1.0} | {1.0} <= set(reached)
    whole = [a for a, b in zip(lengths, reached[1:], strict=True) if b not in (*SEQUENCE.corners_s, 1.0)]
    assert_allclose(whole, 0.07, rtol=1e-9)


@BOTH
@pytest.mark.parametrize("step", [0.1, 0.03])
def test_machine_code_takes_the_same_steps_as_python(method, step, monkeypatch):
    native, left = [], []
    judge = NativeLoop._judge

    def judged(loop, *args):
        done = judge(loop, *args)
        native.append(loop)
        left.append(loop.stuck)
        return done

    monkeypatch.setattr(NativeLoop, "_judge", judged)
    fast, slow = (flown(method(step), law, reference=SEQUENCE, output_step_s=0.037) for law in (LAW, InPython(LAW.law)))
    assert fast.steps == slow.steps
    assert_allclose(fast.t, slow.t)
    assert_allclose(fast.states.x, slow.states.x, atol=1e-12)
    assert_allclose(fast.work, slow.work, atol=1e-12)
    assert native and not any(left)


@BOTH
def test_events_are_found_at_the_same_times_in_machine_code(method):
    fast, slow = (
        flown(method(0.05), law, reference=SEQUENCE, events=[When("early", lambda t, s: s.q[0] - 0.45, ends=False)])
        for law in (LAW, InPython(LAW.law))
    )
    assert fast.steps == slow.steps
    assert fast.events == slow.events != ()
    assert_allclose(fast.states.x, slow.states.x, atol=1e-11)


def test_a_run_that_diverges_does_so_at_the_same_step_in_machine_code():
    law = WithFeedforward(ComputedTorque(PLANT, K_P=1.0, K_D=90.0))
    fast, slow = (flown(RK4(0.05), kind) for kind in (law, InPython(law.law)))
    assert fast.outcome is slow.outcome is Outcome.DIVERGED
    assert (fast.steps, fast.advice) == (slow.steps, slow.advice)


@pytest.mark.battery(1)
@BOTH
def test_a_law_with_memory_is_told_of_every_step(method):
    class Counter(Controller):
        """Counts."""

        def start(self, state):
            """Begin at zero."""
            del state
            return 0

        def command(self, t, state, reference, memory):
            """Return a brake that knows the number of the step."""
            del t, reference
            return -state.qdot / (1 + memory), memory + 1

    history = flown(method(0.1), Counter())
    assert history.steps == 32
    assert history.residuals["energy"].relative < 1e-3


@BOTH
def test_steps_that_are_too_long_end_the_run(method):
    stiff = WithFeedforward(ComputedTorque(PLANT, K_D=1e5))
    for law in (stiff, InPython(stiff.law)):
        assert flown(method(0.1), law).outcome in (Outcome.DIVERGED, Outcome.NOT_FINITE, Outcome.STALLED)


@BOTH
@pytest.mark.parametrize("step_s", [0.0, -1.0, np.inf, np.nan, "short", None, True])
def test_a_step_that_is_none_is_refused(method, step_s):
    with pytest.raises(InvalidInput, match=f"{method.__name__} step_s: expected a finite number > 0"):
        method(step_s)
