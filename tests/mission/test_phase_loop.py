"""Phases of missions as programs and numbers to leave with."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip import load_mission
from scmanip.errors import InvalidInput, UnknownName
from scmanip.mission import phase_loop

MISSION = load_mission("missions/planar_four_link.toml")


def test_a_phase_is_its_plant_law_and_reference():
    loop, phase = phase_loop(MISSION), MISSION.phases[0]
    assert loop.t_end_s == phase.t_end_s and loop.corners_s[0] == 0 and len(loop.corners_s) == len(loop.rows)
    assert_allclose(loop.y_0[: len(MISSION.initial.x)], MISSION.initial.x)
    state, t = MISSION.initial, 5.0
    stretch = int(np.searchsorted(loop.corners_s, t, side="right")) - 1
    given = {"t": t, "y": loop.y_0, "reference": loop.rows[stretch], **loop.numbers}
    ydot, alarm = loop.rate.evaluate(*(given[item.name] for item in loop.rate.inputs))
    tau, _ = phase.controller.command(t, state, phase.reference.at(t), None)
    own = MISSION.plant(phase, 0.0).rates(state, tau, t)
    assert_allclose(ydot[: len(own)], own, rtol=0, atol=1e-12 * abs(own).max()) and alarm.max() < 0


def test_a_later_phase_begins_where_the_one_before_ends():
    first = MISSION.phases[0]
    one, other = (replace(first, name=name, t_end_s=3.0) for name in ("one", "other"))
    both = replace(MISSION, phases=(one, other))
    loop, flown = phase_loop(both, "other"), both.run().flown
    assert_allclose(loop.y_0[: len(both.initial.x)], flown[0].history.final.x, rtol=0, atol=1e-15)
    assert loop.plant.clock_s == 3.0


@pytest.mark.parametrize(
    ("name", "phase", "words"),
    [
        ("debris_flying", "approach", "phase 'approach': expected no events that end it, found close"),
        ("dual_arm_berthing", "take", "phase 'take': expected nothing that is switched"),
        ("debris_flying", None, "phase: expected one of approach, reach, found none named"),
        ("capture_tumbling_target", None, "phase"),
    ],
)
def test_what_formulas_cannot_hold_is_refused(name, phase, words):
    with pytest.raises(InvalidInput, match=words):
        phase_loop(load_mission(f"missions/{name}.toml"), phase)


def test_names_of_phases_are_looked_up():
    with pytest.raises(UnknownName, match="did you mean 'joint_sequence'"):
        phase_loop(MISSION, "joint_sequenc")
