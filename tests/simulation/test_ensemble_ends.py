"""Runs of an ensemble that last differently long, along references with corners of their own, are those of runs alone."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from scmanip.control import ComputedTorque, Sampled
from scmanip.dynamics import compile_model
from scmanip.errors import InvalidInput
from scmanip.guidance import Cycloid, JointSequence
from scmanip.modes import Floating
from scmanip.simulation import Lasting, Near, Outcome, ensemble, simulate
from scmanip.system import State
from tests.simulation.test_ensemble_events import PLACE, with_a_tip

PLANT = compile_model(with_a_tip())
LAW = ComputedTorque(PLANT, K_P=2.0, K_D=1.0)
START = State([0.3, -0.2, 0.1], [0.0, 0.0, 0.0, 1.0], [0.4, -0.7], [0.2, 0.02, -0.03], [0.1, -0.2, 0.15], [0.3, -0.4])
DURATIONS = [2.0, 2.6, 1.3]
CYCLOIDS = [Cycloid(START.q, START.q + np.array([0.5, 0.3]), duration_s=t) for t in DURATIONS]
SEQUENCES = [JointSequence(START.q, ramp_s=0.3, cruise_s=(0.4, 1.1, t / 5), rest_s=0.1, settle_s=0.1) for t in DURATIONS]
ENDS, LATER = np.array([3.0, 2.9, 2.55]), np.array([8.2, 8.5, 7.9])


def flown(law, references, ends, **options):
    """Runs flown together."""
    return ensemble(
        PLANT, Floating(), law, START, reference=references, t_end_s=ends, step_s=0.05, between_corners=7, **options
    )


@pytest.mark.battery(1)
@pytest.mark.parametrize(("references", "ends"), [(CYCLOIDS, ENDS), (SEQUENCES, LATER)], ids=["cycloids", "sequences"])
@pytest.mark.parametrize("law", [LAW, Sampled(LAW, rate_Hz=8.0)], ids=["always", "sampled"])
def test_each_run_is_that_by_itself(law, references, ends):
    together = flown(law, references, ends)
    assert set(together.outcomes) == {Outcome.COMPLETED}
    assert_array_equal(together.times[:, -1], ends)
    for case, reference in enumerate(references):
        alone = simulate(PLANT, Floating(), law, START, reference=reference, t_end_s=ends[case], rtol=1e-12)
        assert_allclose(together.final[case].x, alone.final.x, rtol=0, atol=1e-8)
        assert_allclose(together.work[case, -1], alone.work[-1], rtol=0, atol=1e-8)
        own, corners = together.times[case], reference.corners_s
        assert isinstance(law, Sampled) or set(corners[1:]) & set(own) == {t for t in corners[1:] if t <= ends[case]}


@pytest.mark.parametrize("law", [LAW, Sampled(LAW, rate_Hz=8.0)], ids=["always", "sampled"])
def test_a_run_does_not_depend_on_those_behind_the_first(law):
    together, pair = flown(law, CYCLOIDS, ENDS), flown(law, [CYCLOIDS[0], CYCLOIDS[2]], ENDS[[0, 2]])
    k = pair.x.shape[1]
    assert_array_equal(pair.x[1], together.x[2, :k])
    assert_array_equal(pair.errors[1], together.errors[2])


@pytest.mark.parametrize("event", [Near("tip", PLACE, 0.3), Lasting(Near("tip", PLACE, 0.4), 0.3)], ids=["at once", "lasting"])
@pytest.mark.parametrize("law", [LAW, Sampled(LAW, rate_Hz=8.0)], ids=["always", "sampled"])
def test_an_event_ends_it_earlier(law, event):
    together, ended = flown(law, CYCLOIDS, ENDS, until=event), []
    for case, reference in enumerate(CYCLOIDS):
        run = {"reference": reference, "t_end_s": ENDS[case]}
        alone = simulate(PLANT, Floating(), law, START, events=[event], rtol=1e-12, **run)
        ended.append(alone.outcome)
        assert together.outcomes[case] is alone.outcome
        assert_allclose(together.last_good_s[case], alone.t[-1], rtol=0, atol=1e-8)
        assert_allclose(together.final[case].x, alone.final.x, rtol=0, atol=1e-8)
    assert Outcome.EVENT in ended


def test_bad_ends_are_refused():
    for ends, words in ((np.array([1.0, -2.0, 3.0]), "t_end_s"), (np.ones((3, 1)), "t_end_s"), (np.ones(2), "reference")):
        with pytest.raises(InvalidInput, match=words):
            flown(LAW, CYCLOIDS, ends)
    with pytest.raises(InvalidInput, match="with 1 corners before their ends, found one with 0"):
        flown(LAW, CYCLOIDS, np.array([3.0, 2.0, 2.5]))
