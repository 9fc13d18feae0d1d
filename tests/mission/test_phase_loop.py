"""Phases of missions as programs and numbers to leave with."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip import load_mission, simulate
from scmanip.errors import InvalidInput, UnknownName
from scmanip.mission import beginning, phase_loop
from scmanip.simulation import FullState

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
    assert_allclose(ydot[: len(own)], own, rtol=0, atol=1e-12 * abs(own).max())
    assert alarm.max() < 0


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


@pytest.mark.slow
def test_what_is_shown_is_what_a_history_has():
    mission = load_mission("missions/ets7_wheels.toml")
    loop, (phase, start_s, state, before) = phase_loop(mission), beginning(mission)
    plant = mission.plant(phase, start_s, before)
    history = simulate(
        plant, phase.controller, state, reference=phase.reference, t_end_s=20.0, output_step_s=10.0, coordinates=FullState()
    )
    y = np.concatenate([history.states.x[1], np.zeros(plant.n_books)])
    stretch = int(np.searchsorted(loop.corners_s, 10.0, side="right")) - 1
    given = {"t": 10.0, "y": y, "reference": loop.rows[stretch], **loop.numbers}
    shown = dict(zip(loop.shown.outputs, loop.shown.evaluate(*(given[item.name] for item in loop.shown.inputs)), strict=True))
    for output, array in shown.items():
        if output.name not in ("work", "dissipated"):
            own = getattr(history, output.name)[1]
            assert_allclose(array, own, rtol=0, atol=1e-11 * max(1.0, abs(own).max()), err_msg=output.name)
