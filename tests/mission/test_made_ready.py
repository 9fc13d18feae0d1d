"""Machine code of sets of constraints that a mission names is made by a thread before it is needed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from scmanip.compiled.kernel._ahead import AHEAD
from scmanip.compiled.ode import _ode_machine
from scmanip.errors import InvalidState, Problem
from scmanip.mission import Mission, Run, _mission, load_mission
from scmanip.simulation import Outcome, _simulate
from scmanip.simulation.loop import _ordered

from .test_switches import mission, phase

MISSIONS = Path(__file__).parents[2] / "missions"
LOCK = '[[switch]]\nname = "lock"\nt_s = 0.5\nimpose = "brake"\n'


def flown(folder: Path) -> tuple[Mission, Run]:
    """A lock that may come in any phase, and a grip in the third."""
    sampled = phase("two").replace("K_D = 4.0 }", "K_D = 4.0, rate_Hz = 10.0 }")
    made = mission(folder, phase("one"), sampled, phase("three", 'impose = ["grip"]\nrelease = "brake"', 0.3), LOCK)
    return made, made.run()


@pytest.mark.slow
def test_sets_that_phases_and_switches_name_are_ordered_and_the_run_is_the_same_to_the_last_bit(tmp_path, monkeypatch):
    monkeypatch.setenv("SCMANIP_CACHE", str(tmp_path / "cache"))
    asked = []

    def order(setup):
        asked.append((setup.plant.constraints, setup.sampled is not None))
        return _ordered.order(setup)

    taken, knows = [], type(AHEAD).taken
    monkeypatch.setattr(type(AHEAD), "taken", lambda ahead, key: taken.append(knows(ahead, key)) or taken[-1])
    monkeypatch.setattr(_simulate, "order", order)
    made, run = flown(tmp_path)
    assert run.outcome is Outcome.COMPLETED
    assert {*asked} == {
        *[((), sampled) for sampled in (False, True)],
        *[(("brake",), sampled) for sampled in (False, True)],
        (("grip",), False),
        (("grip", "brake"), False),
    }
    assert len(taken) >= 7 and None not in taken  # steps and ways back, and what the sampled law says
    assert not AHEAD._ordered and not AHEAD._made

    asked.clear(), taken.clear()
    made.run()
    assert asked == [((), False), (("brake",), False)] and not taken  # the first phase has its code

    monkeypatch.setattr(_mission, "make_ready", lambda *args, **options: False)
    monkeypatch.setenv("SCMANIP_CACHE", str(tmp_path / "another"))
    made.model.family.kept.clear()
    np.testing.assert_array_equal(made.run().history.states.x, run.history.states.x)


@pytest.mark.slow
def test_what_cannot_be_supposed_is_left_to_the_flight(tmp_path, monkeypatch):
    def fails(*args, **options):
        raise InvalidState(Problem("q", "a pose", "none"))

    monkeypatch.setattr(_mission, "make_ready", fails)
    _, run = flown(tmp_path)
    assert run.outcome is Outcome.COMPLETED


@pytest.mark.slow
def test_two_arms_fly_with_all_that_was_made_ahead_for_them(tmp_path, monkeypatch):
    monkeypatch.setenv("SCMANIP_CACHE", str(tmp_path))
    in_vain, give_up = [], type(AHEAD).give_up

    def told(ahead):
        in_vain.extend([*ahead._ordered, *ahead._made])
        give_up(ahead)

    monkeypatch.setattr(type(AHEAD), "give_up", told)
    _ode_machine._integrators.cache_clear()  # which are the same for all, and there already
    run = load_mission(MISSIONS / "dual_arm_berthing.toml").run()
    assert run.outcome is Outcome.COMPLETED and not in_vain
