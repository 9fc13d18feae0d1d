"""Runs of an ensemble end where events happen, each at its own time, as runs by themselves do."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from scmanip.control import ComputedTorque, WithFeedforward
from scmanip.dynamics import RunTimeInertia, compile_model
from scmanip.errors import InvalidInput, UnknownName
from scmanip.guidance import Hold, JointSequence
from scmanip.modes import Floating
from scmanip.simulation import Approach, Lasting, Near, Outcome, When, ensemble, simulate
from scmanip.system import Frame, State, System
from tests.simulation.arms import Ramp, two_joints


def with_a_tip():
    """Two joints with a frame at the end of the arm."""
    own = two_joints(stiffness=2.0, damping=0.3)
    return System(own.name, own.bodies[0], own.bodies[1:], frames=[Frame("tip", "fore", [0.8, 0.0, 0.0])])


PLANT = compile_model(with_a_tip(), inertia=RunTimeInertia())
LAW = WithFeedforward(ComputedTorque(PLANT, K_P=2.0, K_D=1.0))
SEQUENCE = JointSequence(2, ramp_s=0.3, cruise_s=(0.4, 1.1, 0.4), rest_s=0.1, settle_s=0.1)
RUN = {"reference": SEQUENCE, "t_end_s": 3.0, "output_step_s": 0.25}


def starts(n):
    """Bases that drift along x, each at its own speed."""
    speeds = np.linspace(0.05, 0.4, n)
    return [
        State([0.3, -0.2, 0.1], [0.0, 0.0, 0.0, 1.0], [0.4, -0.7], [v, 0.02, -0.03], [0.1, -0.2, 0.15], [0.3, -0.4])
        for v in speeds
    ]


TIP = PLANT.position(starts(1)[0], "tip")
PLACE = TIP + np.array([-0.4, 0.75, 0.55])
CLOSE = Near("tip", PLACE, 0.195)


def both(event, n=7, **options):
    """Runs flown together, and each by itself."""
    options, states = RUN | options, starts(n)
    together = ensemble(PLANT, Floating(), LAW, State.stack(states), step_s=0.05, until=event, **options)
    return together, [simulate(PLANT, Floating(), LAW, x, rtol=1e-12, events=[event], **options) for x in states]


@pytest.mark.parametrize("event", [CLOSE, Lasting(Near("tip", PLACE, 0.31), 0.7)], ids=["at once", "lasting"])
def test_each_run_ends_where_it_does_by_itself(event):
    together, alone = both(event)
    assert {*together.outcomes} == {Outcome.EVENT, Outcome.COMPLETED}
    for case, history in enumerate(alone):
        assert together.outcomes[case] is history.outcome
        assert_allclose(together.last_good_s[case], history.t[-1], rtol=0, atol=1e-8)
        assert_allclose(together.final[case].x, history.final.x, rtol=0, atol=1e-8)
        shown = together.t < history.t[-1]
        assert_allclose(together.x[case, shown], history.states.x[: shown.sum()], rtol=0, atol=1e-8)
        after = together.t >= together.last_good_s[case]
        assert_array_equal(together.times[case, after], together.last_good_s[case])
        assert_allclose(together.x[case, after], np.tile(history.final.x, (after.sum(), 1)), rtol=0, atol=1e-8)
        assert_allclose(together.work[case, -1], history.work[-1], rtol=0, atol=1e-8)
    assert len(set(together.last_good_s // 0.05)) > 3  # they end in different steps


def test_company_changes_no_bit():
    whole, states = both(CLOSE)[0], starts(7)
    for some in ([4], [5, 2], [6, 5, 4, 3, 2, 1, 0]):
        parted = ensemble(PLANT, Floating(), LAW, State.stack([states[k] for k in some]), step_s=0.05, until=CLOSE, **RUN)
        assert_array_equal(parted.x, whole.x[some])
        assert_array_equal(parted.times, whole.times[some])
        assert_array_equal(parted.errors, whole.errors[some])


def test_what_comes_and_goes_between_two_steps_is_seen():
    start = starts(7)[2]
    history = simulate(PLANT, Floating(), LAW, start, rtol=1e-12, **RUN | {"output_step_s": 1e-3})
    away = np.array([np.linalg.norm(PLANT.position(state, "tip") - PLACE) for state in history.states])
    closest = int(away.argmin())
    limit = away[closest] + 2e-5
    together = ensemble(PLANT, Floating(), LAW, start, step_s=0.05, until=Near("tip", PLACE, limit), **RUN)
    assert (away[np.arange(0, 3001, 50)] > limit).all()  # the ends of all steps
    assert together.outcomes == (Outcome.EVENT,)
    assert_allclose(np.linalg.norm(PLANT.position(together.final[0], "tip") - PLACE), limit, rtol=0, atol=1e-10)
    assert history.t[closest] - 0.03 < together.last_good_s[0] < history.t[closest]


def test_what_is_there_from_the_start_has_to_go_first():
    together, alone = both(Near("tip", TIP, 0.3), n=3)
    assert together.outcomes == (Outcome.COMPLETED,) * 3
    assert [history.outcome for history in alone] == [Outcome.COMPLETED] * 3
    waited, _ = both(Lasting(Near("tip", TIP, 0.3), 0.1), n=3)
    assert_allclose(waited.last_good_s, 0.1, rtol=0, atol=1e-12)


def test_each_run_has_a_reference_of_its_own():
    places = [[0.4, -0.7], [0.9, -0.2], [0.1, 0.3]]
    references = [Hold(q) for q in places]
    together = ensemble(PLANT, Floating(), LAW, State.stack(starts(3)), step_s=0.05, **RUN | {"reference": references})
    for case, (state, reference) in enumerate(zip(starts(3), references, strict=True)):
        alone = simulate(PLANT, Floating(), LAW, state, rtol=1e-12, **RUN | {"reference": reference})
        assert_allclose(together.x[case], alone.states.x, rtol=0, atol=1e-8)


def test_what_cannot_be_followed_in_many_runs_is_refused():
    runs = {**RUN, "step_s": 0.05}
    with pytest.raises(InvalidInput, match=r"until.*known of many runs at once"):
        ensemble(PLANT, Floating(), LAW, starts(1)[0], until=When("then", lambda t, state: t - 1.0), **runs)
    with pytest.raises(InvalidInput, match=r"until.*an event such as"):
        ensemble(PLANT, Floating(), LAW, starts(1)[0], until="near", **runs)
    with pytest.raises(UnknownName, match="hand"):
        ensemble(PLANT, Floating(), LAW, starts(1)[0], until=Approach("hand", "tip", 0.1), **runs)
    with pytest.raises(InvalidInput, match="the same corners_s"):
        other = JointSequence(2, ramp_s=0.4, cruise_s=(0.4, 1.1, 0.4), rest_s=0.1, settle_s=0.1)
        ensemble(PLANT, Floating(), LAW, starts(1)[0], **runs | {"reference": [SEQUENCE, other]})
    with pytest.raises(InvalidInput, match="1 state or 2"):
        ensemble(PLANT, Floating(), LAW, State.stack(starts(3)), **runs | {"reference": [SEQUENCE] * 2})
    with pytest.raises(InvalidInput, match="all of one form"):
        ensemble(PLANT, Floating(), LAW, starts(1)[0], **runs | {"reference": [SEQUENCE, Ramp(1.0)]})
