"""A newcomer's drive: a servo that gives a share of what is asked of it and drags, of a package with one class in it."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import uniform

from scmanip import Plant, Study, load_mission, simulate
from scmanip.simulation import forces_are_recorded
from tests.house.packages import installed

CODE = """
from dataclasses import dataclass
from scmanip.actuators import Coefficient, Drive, Fitting, Name, Positive
from scmanip.symbolic import maximum, minimum
@dataclass(frozen=True, eq=False)
class Servo(Drive):
    kind = "servo"
    joint: Name
    share: Positive
    most_Nm: Positive
    drag_Nms_rad: Coefficient = 0.0
    fitting = property(lambda self: Fitting(damping=self.drag_Nms_rad))
    torque_limit = property(lambda self: self.most_Nm)
    def within(self, torque, rate): return maximum(minimum(self.share * torque, self.most_Nm), -self.most_Nm)
    def limit(self, torque, rate): return f"the servo of '{self.joint}' gives no more than {self.most_Nm:g} N m,"
"""
SYSTEM = """schema = "scmanip.system/1"
base = { mass_kg = 400, inertia_kg_m2 = [90, 110, 100] }
arm = [{ link = [{ type = "revolute", a_m = 0.5, b_m = 0.5, mass_kg = 12, inertia_kg_m2 = [0.1, 1, 1] }] }]
servo = [{ joint = "joint1", share = 0.9, most_Nm = 2.0, drag_Nms_rad = 0.1 }]
"""
MISSION = """schema = "scmanip.mission/1"
name = "turn"
system = "servo.toml"
initial = { q_rad = [0.2] }
integration = { rtol = 1e-10, output_step_s = 0.25 }
phase = [{ name = "turn", mode = "floating", guidance = { type = "cycloid", q_rad = [0.9], duration_s = 2.0 }, \
  controller = { type = "joint_regulator", K_P = 9.0, K_D = 6.0 } }]
"""


@pytest.fixture
def mission(tmp_path, monkeypatch):
    installed(tmp_path, monkeypatch, "house_servo", "[scmanip.actuators]\nservo = house_servo:Servo\n", CODE)
    for name, text in (("servo.toml", SYSTEM), ("turn.toml", MISSION)):
        (tmp_path / name).write_text(text)
    return load_mission(tmp_path / "turn.toml")


@pytest.mark.slow
def test_it_flies_in_machine_code_and_in_python(mission):
    run, phase = mission.run(), mission.phases[0]
    history, law, plant = run.history, phase.controller, Plant(mission.model, phase.mode)
    assert forces_are_recorded(plant, law, phase.reference) and not history.broken_laws
    wanted = [phase.reference.at(t) for t in history.t]
    q, qdot = (np.array([getattr(each, name)[0] for each in wanted]) for name in ("q", "qdot"))
    asked = 9.0 * (q - history.q[:, 0]) + 6.0 * (qdot - history.qdot[:, 0])
    assert_allclose(history.tau[:, 0], np.clip(0.9 * asked, -2.0, 2.0), atol=1e-12)
    assert abs(asked).max() > 2.2 and history.dissipated[-1] > 0
    unknown = lambda t, state: law.command(t, state, phase.reference.at(t), None)[0]  # noqa: E731
    slow = simulate(plant, unknown, mission.initial, t_end_s=2.0, rtol=1e-10, output_step_s=0.25)
    assert_allclose(slow.q, history.q, atol=1e-8)
    assert any("the servo of 'joint1' gives" in str(each) for each in history.occurrences)


@pytest.mark.slow
def test_a_study_varies_all_of_its_numbers(mission, tmp_path):
    least = {"share": 0.8, "most_Nm": 1.5, "drag_Nms_rad": 0.1}
    chance = {f"system.servo.joint1.{key}": uniform(low, 0.1) for key, low in least.items()}
    study = Study(mission.file, seed=2, repeats=2, dispersion=chance, metrics={"work_J": "final(work_J)"})
    flown = study.run(tmp_path / "cases", executor="serial")
    (servo,) = study.mission(1).system.actuators
    assert servo.share == study.case(1).values["system.servo.joint1.share"]
    assert flown.table.metric("work_J")[1] == pytest.approx(study.mission(1).run().history.work[-1], rel=1e-6)
