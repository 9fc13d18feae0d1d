"""A session: a hand holds on while things are switched, and all of it is an ordinary history."""

import gc
import os
import time
from dataclasses import replace
from threading import Thread

import numpy as np
import pytest

from scmanip.control import JointRegulator
from scmanip.errors import InvalidInput, UnknownName
from scmanip.live import (
    DEVICES,
    Admittance,
    Ahead,
    Coupler,
    Firmness,
    Handle,
    Impedance,
    Pace,
    Session,
    real_time,
    session_of_mission,
    session_of_system,
)
from scmanip.mission import load_mission
from scmanip.system import load_system

from .arms import pull, session

pytestmark = pytest.mark.slow


def test_the_base_goes_the_other_way_and_momentum_is_the_impulse_of_the_hand():
    live = session(firmness=Firmness(wn_rad_s=20.0))
    base, tip = np.array(live.flight.loop.hardware.r_0), live.link.pose()[0]
    pull(live, [0.0, 0.3, 0.0], 0.4)
    impulse = live.flight.loop.y[live.flight.loop.places("hand")][Coupler.IMPULSES].copy()
    momentum = live.plant.model.momentum(live.flight.loop.hardware)
    assert np.allclose(momentum.P, impulse[:3], atol=1e-9, rtol=0)
    live.let_go()
    history, state = live.history(), live.flight.loop.hardware
    assert live.link.pose()[0][1] - tip[1] > 0.2
    shifted = np.array(state.r_0) - base - history.external_displacement[-1]
    assert shifted[1] < -0.01  # as seen by the system CoM
    assert np.allclose(history.P[-1], history.external_impulse[-1], atol=1e-9, rtol=0)
    relative = live.plant.model.momentum(live.flight.loop.hardware)
    for _ in range(200):
        live.step()
    drifting = live.plant.model.momentum(live.flight.loop.hardware)
    assert np.allclose(drifting.P, relative.P, atol=1e-12) and np.linalg.norm(drifting.P) > 0.1


def test_constraints_laws_and_frames_change_while_a_hand_holds_on():
    live = session()
    pull(live, [0.0, 0.1, 0.0], 0.2)
    live.impose("stiff")
    assert live.plant.constraints == ("stiff",)
    pull(live, [0.0, 0.1, 0.0], 0.2)
    assert abs(live.flight.loop.hardware.qdot[1]) < 1e-12
    live.release("stiff")
    live.then("firm")
    pull(live, [0.0, -0.1, 0.0], 0.2)
    live.by(JointRegulator(live.plant.model, K_P=100.0, K_D=20.0))
    pull(live, [0.0, -0.1, 0.0], 0.2)
    live.hold("base")
    pull(live, [0.05, 0.0, 0.0], 0.2)
    history = live.history()
    assert history.t[-1] == pytest.approx(live.t) and np.all(np.diff(history.t) >= 0)
    assert [(one.imposed, one.released) for one in history.switches] == [(("stiff",), ()), ((), ("stiff",))]
    assert history.broken_laws == ()
    assert np.allclose(history.P, history.external_impulse, atol=1e-9, rtol=0)
    assert abs(history.unaccounted["work"]).max() < 1e-9


def test_an_unknown_thing_is_refused_and_the_session_goes_on():
    live = session()
    for wrong in (lambda: live.impose("glue"), lambda: live.hold("nose"), lambda: live.engage("sun"), lambda: live.then("fly")):
        with pytest.raises(UnknownName):
            wrong()
    with pytest.raises(InvalidInput, match="wn_rad_s"):
        live.firm(Firmness(wn_rad_s=1e4))
    assert live.step() and live.t == pytest.approx(1e-3)


def test_a_touch_is_foreseen_and_comes_when_it_was():
    live = session(wall=True)
    pull(live, [0.6, 0.0, 0.0], 0.8)
    ahead = Ahead(live, horizon_s=0.5)
    while not (found := ahead.look()).touches:
        live.device.keep(live.t)
        for _ in range(10):
            assert live.step()
        assert live.t < 5.0
    (name,) = found.touches
    while live.plant.loading.switching(live.flight.loop.state, live.flight.loop.t)[0] > 0:
        live.device.keep(live.t)
        assert live.step()
    assert live.t == pytest.approx(found.touches[name], abs=2e-3)


def test_a_grasp_is_foreseen_with_its_impulse_and_corrected_when_it_is_there():
    live = session()
    pull(live, [0.0, 0.1, 0.0], 0.2)
    ahead = Ahead(live, horizon_s=0.1)
    ahead.armed = ("pinned",)
    when, foreseen, _ = ahead.look().grasps["pinned"]
    assert when <= live.t + 1e-12
    assert ahead.catch() == ("pinned",) and ahead.armed == ()
    (switched,) = live.history().switches
    assert np.allclose(switched.impulses["pinned"], foreseen, rtol=1e-2, atol=1e-2)
    pull(live, [0.0, 0.1, 0.0], 0.2)
    assert live.history().residuals["constraint_drift"].value < 1e-9
    off = live.flight.loop.y[: live.plant.layout.n_x] + 1e-6
    expected = live.plant.brought_back(off, np.array(live.t))[0]
    live.plant.brought_back_in(off)(live.t)
    assert np.array_equal(off, expected)


def test_a_session_in_the_time_of_day_hears_plays_steps_and_stands_still():
    pace = Pace(session())
    pace.start()
    try:
        assert gc.get_freeze_count() > 0 and not gc.isenabled()
        pace.advance(5)
        _until(lambda: pace.seen.t == pytest.approx(5e-3))
        pace.play()
        _until(lambda: pace.seen.t > 0.1)
        pace.ask(lambda live: live.impose("glue"))
        _until(lambda: "glue" in pace.problem)
        pace.ask(lambda live: live.device.drag(live.t, [np.nan, 0, 0], [0, 0, 0, 1]))
        _until(lambda: "finite" in pace.problem)
        pace.pause()
        time.sleep(0.05)
        t = pace.session.t
        time.sleep(0.05)
        assert pace.session.t == t
    finally:
        pace.end()
    assert len(pace.timing.thread_s) >= 100
    assert gc.get_freeze_count() == 0 and gc.isenabled()


def test_a_firmness_is_kept_while_a_display_without_a_coupler_shows():
    live = session(firmness=Firmness(wn_rad_s=20.0))
    live.take(DEVICES["simulated handle"]())
    live.show_by(Admittance())
    with pytest.raises(InvalidInput, match="none where no coupler is"):
        live.firm(Firmness(wn_rad_s=9.0))
    live.show_by(Impedance())
    assert live.firmness == live.link.firmness == Firmness(wn_rad_s=20.0)


def test_a_session_goes_before_other_threads_where_that_is_granted_and_what_it_starts_does_not():
    own, others, before = [], [], os.sched_getscheduler(0)
    with real_time() as granted:
        own.append(os.sched_getscheduler(0))
        thread = Thread(target=lambda: others.append(os.sched_getscheduler(0)))
        thread.start()
        thread.join()
    assert own == [os.SCHED_FIFO | os.SCHED_RESET_ON_FORK if granted else before]
    assert others == [os.SCHED_OTHER] and os.sched_getscheduler(0) == before
    pace = Pace(session())
    pace.start()
    pace.ask(lambda live: own.append(os.sched_getscheduler(0)))
    _until(lambda: len(own) == 2)
    pace.end()
    assert pace.timing.real_time == granted and own[1] == own[0]


@pytest.mark.parametrize("lacking", [PermissionError(1, "not permitted"), AttributeError("sched_setscheduler")])
def test_a_session_goes_like_any_other_thread_where_that_is_not_granted(monkeypatch, lacking):
    def refuses(*_):
        raise lacking

    monkeypatch.setattr(os, "sched_setscheduler", refuses)
    with real_time() as granted:
        assert not granted


def test_what_is_armed_is_imposed_at_the_step_for_which_it_is_foreseen():
    live = session()
    ahead = Ahead(live)
    looked = ahead.look()
    ahead.armed, ahead.latest = ("pinned",), replace(looked, grasps={"pinned": (0.05, np.zeros(3), 0.0)})
    called = []

    def between():
        called.append(live.t)
        ahead.catch()
        return ahead.due_s

    pace = Pace(live, between)
    pace._look()
    for _ in range(100):
        pace._met(live.step())
    assert called == [0.0, pytest.approx(0.05)] and ahead.armed == () and ahead.due_s == np.inf
    assert [(one.t, one.imposed) for one in live.history().switches] == [(pytest.approx(0.05, abs=1e-12), ("pinned",))]


def _until(done, seconds=20.0):
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end
        time.sleep(0.005)


def test_a_packaged_system_and_a_mission_have_a_session():
    live = session_of_system(load_system("model:planar_four_link"))
    assert live.step() and set(live.ways) == {"free joints", "damped joints", "held joints"}
    live.then("held joints")
    live.scale_gains(2.0)
    assert live.step()
    live, lacking = session_of_mission(load_mission("missions/ets7_wheels.toml"))
    assert live.step() and isinstance(lacking, dict)


@pytest.mark.parametrize(
    ("act", "given", "said"),
    [
        ("show_by", "impedance", "show_by display: expected a Display"),
        ("take", "gizmo", "take device: expected a Device"),
        ("firm", 5.0, "firm firmness: expected a Firmness"),
        ("by", "law", "by controller: expected a Controller"),
        ("scale_gains", np.nan, "scale_gains factor: expected a number"),
        ("release", "pined", "did you mean 'pinned'"),
    ],
)
def test_what_a_session_cannot_do_is_refused_by_name_and_it_goes_on(act, given, said):
    live = session()
    with pytest.raises(InvalidInput, match=said):
        getattr(live, act)(given)
    assert live.step()


def test_sessions_are_refused_without_ways_without_steps_between_samples_and_without_steps():
    with pytest.raises(InvalidInput, match="way slew: expected a Way, found 'floating'"):
        Session({"slew": "floating"}, session().state0, "tip")
    with pytest.raises(InvalidInput, match="every: expected a finite number > 0, found 0"):
        session(every=0)
    with pytest.raises(InvalidInput, match="history: expected a flight of one step or more, found none"):
        session().history()


def test_gains_are_those_of_the_law_that_was_given_last_times_a_factor():
    live = session()
    live.by(JointRegulator(live.plant.model, K_P=7.0, K_D=1.0))
    live.scale_gains(2.0)
    assert live.flight.loop.setup.controller.K_P.max() == 14.0


@pytest.mark.parametrize("given", [(np.nan, 0.0, 0.0), (0.0, 0.0), None])
def test_a_hand_that_gives_no_three_numbers_is_refused(given):
    live = session(device=Handle(lambda t, x, v: given))
    with pytest.raises(InvalidInput, match=r"hand: expected two forces \[N\] and a moment \[N m\] at t = 0 s"):
        live.step()
