"""An event of one's own: the arm is stretched out; it ends runs, phases of missions, and cases of studies."""

from dataclasses import dataclass

import numpy as np
import pytest
from scipy import stats

from scmanip import Floating, State, Study, compile_model, load_mission, load_system, simulate
from scmanip.control import JointRegulator
from scmanip.guidance import Cycloid
from scmanip.simulation import Event, Outcome
from scmanip.study import dispersed
from tests.house.packages import installed

Q = np.array([0.5, 0.4, 0.3, 0.2])


@dataclass(frozen=True)
class Stretched(Event):
    """The tip passes a distance from the inertial origin, outwards."""

    most_m: float
    ends: bool = True

    def names(self, model):
        return ("stretched",)

    def values(self, model, t, state, tau):
        return np.array([np.linalg.norm(model.position(state, "tip")) - self.most_m])


CODE = """
from typing import Literal
from scmanip.mission import EventTable, Positive
from tests.house.test_an_event_of_ones_own import Stretched

class StretchedTable(EventTable):
    type: Literal["stretched"]
    most_m: Positive
    def own(self, system): return {"most_m": self.most_m}
    def event(self, resolved, system, *, ends): return Stretched(self.most_m, ends)
"""
MISSION = """schema = "scmanip.mission/1"
name = "stretch"
system = "model:planar_four_link"
initial = { q_rad = [0.5, 0.4, 0.3, 0.2] }
phase = [{ name = "out", mode = "floating", guidance = { type = "cycloid", q_rad = [0, 0, 0, 0], duration_s = 9.0 }, \
  controller = { type = "joint_regulator", K_P = 30.0, K_D = 40.0 }, events = [{ type = "stretched", most_m = 4.1 }], \
  until = { event = "stretched", timeout_s = 9.0 } }]
"""


@pytest.mark.slow
def test_it_ends_a_run_a_phase_and_the_cases_of_a_study(tmp_path, monkeypatch):
    model = compile_model(load_system("model:planar_four_link"))
    law, way = JointRegulator(model, K_P=30.0, K_D=40.0), Cycloid(Q, 0 * Q, duration_s=9.0, layout=model.layout)
    run = simulate(model, Floating(), law, State.at_rest(model.system, Q), reference=way, t_end_s=9.0, events=[Stretched(4.1)])
    assert run.outcome is Outcome.EVENT
    assert np.linalg.norm(model.position(run.final, "tip")) == pytest.approx(4.1, abs=1e-6)
    installed(tmp_path, monkeypatch, "house_event", "[scmanip.events]\nstretched = house_event:StretchedTable\n", CODE)
    (tmp_path / "stretch.toml").write_text(MISSION)
    flown = load_mission(tmp_path / "stretch.toml").run()
    assert flown.completed and flown.flown[0].ended_by == "stretched"
    assert flown.history.t[-1] == pytest.approx(run.t[-1], abs=1e-6)
    chance = {"phase.out.events.stretched.most_m": dispersed(stats.uniform(4.0, 0.15))}
    study = Study(tmp_path / "stretch.toml", seed=5, repeats=8, dispersion=chance, metrics={"w_J": "final(work_J)"})
    rows = study.recipe.evaluator().rows([study.case(k) for k in range(2)])
    for k, row in enumerate(rows):
        last = study.mission(k).run().history
        reach = study.case(k).values["phase.out.events.stretched.most_m"]
        assert np.linalg.norm(model.position(last.final, "tip")) == pytest.approx(reach, abs=1e-6)
        assert row.metrics["w_J"] == pytest.approx(last.work[-1], rel=1e-6)
