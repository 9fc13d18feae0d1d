"""A law of one's own that sums two tasks: follow a way, and stay in the middle of the joints' ranges."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from scmanip import Floating, Plant, State, Study, compile_model, load_mission, load_system, simulate
from scmanip.control import Controller, JointRegulator, RecordedLaw, Saturated, Sum
from scmanip.guidance import Hold
from scmanip.simulation import forces_are_recorded
from scmanip.study import dispersed
from tests.house.packages import installed


class Middle(Controller):
    """tau = -K_mid q."""

    def __init__(self, layout, K_mid):
        self.layout, self.K_mid = layout, K_mid

    settings = property(lambda self: {"K_mid": self.K_mid})

    def command(self, t, state, reference, memory):
        return -self.K_mid * state.q, memory

    def recorded(self):
        return RecordedMiddle(self)


class RecordedMiddle(RecordedLaw):
    key, numbers = "middle", property(lambda self: {"K_mid": np.array([self.law.K_mid])})

    def __init__(self, law):
        self.law = law

    def force(self, x, wanted, numbers):
        return -numbers["K_mid"][0] * x[self.law.layout.x_q]


def two_tasks(model, K_P, K_mid):
    return Saturated(Sum(JointRegulator(model, K_P=K_P, K_D=20.0), Middle(model.layout, K_mid)), 50.0)


CODE = """
from typing import ClassVar, Literal
from scmanip.mission import ControllerTable, Gain, Positive
from tests.house.test_a_law_of_two_tasks import two_tasks

class TwoTasks(ControllerTable):
    type: Literal["two_tasks"]
    numbers: ClassVar = ("K_P", "K_mid")
    K_P: Gain
    K_mid: Positive
    def law(self, believed, mode): return two_tasks(believed, self.gains(believed.system)["K_P"], self.K_mid)
"""
MISSION = """schema = "scmanip.mission/1"
name = "two-tasks"
system = "model:planar_four_link"
initial = { q_rad = [0.1, 0.2, 0.3, 0.4] }
phase = [{ name = "go", mode = "floating", guidance = { type = "hold" }, until = { t_s = 3.0 }, \
  controller = { type = "two_tasks", K_P = 30.0, K_mid = 10.0 } }]
"""


@pytest.mark.slow
def test_it_flies_in_machine_code_in_a_mission_and_in_a_study(tmp_path, monkeypatch):
    model, q = compile_model(load_system("model:planar_four_link")), np.array([0.1, 0.2, 0.3, 0.4])
    law, hold, start = two_tasks(model, 30.0, 10.0), Hold(q), State.at_rest(model.system, q)
    assert forces_are_recorded(Plant(model, Floating()), law, hold)
    flown = simulate(model, Floating(), law, start, reference=hold, t_end_s=3.0).final
    installed(tmp_path, monkeypatch, "house_tasks", "[scmanip.controllers]\ntwo_tasks = house_tasks:TwoTasks\n", CODE)
    (tmp_path / "tasks.toml").write_text(MISSION)
    assert_allclose(load_mission(tmp_path / "tasks.toml").run().history.final.x, flown.x, atol=1e-9)
    chance = {f"phase.go.controller.{key}": dispersed(stats.uniform(0.5, 1.0), how="scale") for key in ("K_P", "K_mid")}
    study = Study(tmp_path / "tasks.toml", seed=2, repeats=20, dispersion=chance, metrics={"work_J": "final(work_J)"})
    evaluator, case = study.recipe.evaluator(), study.case(7)
    assert evaluator.steps(case) is not None  # cases are flown together
    assert evaluator.rows([case])[0].metrics["work_J"] == pytest.approx(study.mission(7).run().history.work[-1], abs=1e-5)
    assert study.mission(7).phases[0].controller.settings["K_mid"] == case.values["phase.go.controller.K_mid"]
