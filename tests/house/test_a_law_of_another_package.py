"""An installed package adds a controller: missions name it, studies vary its gain, all of it in machine code."""

import pytest
from scipy import stats

from scmanip import Study, load_mission
from scmanip.command import command_line
from scmanip.errors import InvalidMission
from scmanip.study import dispersed
from tests.house.packages import installed

LAW = """
from typing import ClassVar, Literal
import numpy as np
from scmanip.control import Controller, RecordedLaw
from scmanip.mission import ControllerTable, Positive

class Brake(Controller):
    def __init__(self, layout, C): self.layout, self.C = layout, C
    settings = property(lambda self: {"C_Nms": self.C})
    def command(self, t, state, reference, memory):
        return self.C * (reference.qdot - state.qdot), memory
    def recorded(self): return RecordedBrake(self)

class RecordedBrake(RecordedLaw):
    key, numbers = "brake", property(lambda self: {"C_Nms": np.array([self.law.C])})
    def __init__(self, law): self.law = law
    def force(self, x, wanted, numbers):
        return numbers["C_Nms"][0] * (wanted.qdot - x[self.law.layout.x_u][self.law.layout.joints])

class BrakeTable(ControllerTable):
    type: Literal["brake"]
    numbers: ClassVar = ("C_Nms",)
    C_Nms: Positive
    def law(self, believed, mode): return Brake(believed.layout, self.C_Nms)
"""
MISSION = """schema = "scmanip.mission/1"
name = "braked"
system = "model:planar_four_link"
initial = { q_rad = [0.1, 0.2, 0.3, 0.4], qdot_rad_s = [0.1, 0.0, -0.1, 0.0] }
output = { figures = [] }
[[phase]]
name = "stop"
mode = "floating"
controller = { type = "brake", C_Nms = 20.0 }
guidance = { type = "cycloid", duration_s = 2.0 }
"""


@pytest.fixture
def mission(tmp_path, monkeypatch):
    points = "[scmanip.controllers]\nbrake = house_laws:BrakeTable\nlost = house_laws:Lost\n"
    installed(tmp_path, monkeypatch, "house_laws", points, LAW)
    (tmp_path / "braked.toml").write_text(MISSION)
    return tmp_path / "braked.toml"


@pytest.mark.slow
def test_a_mission_and_a_study_use_it(mission, monkeypatch):
    run = load_mission(mission).run()
    assert run.completed and abs(run.history.final.qdot).max() < 0.5 * abs(run.history.qdot[0]).max()
    chance = {"phase.stop.controller.C_Nms": dispersed(stats.uniform(10, 20))}
    study = Study(mission, seed=1, repeats=20, dispersion=chance, metrics={"work_J": "final(work_J)"})
    assert study.recipe.evaluator().steps(study.case(0)) is not None  # cases are flown together, in machine code
    assert study.case(3).values["phase.stop.controller.C_Nms"] == study.mission(3).phases[0].controller.C
    for command in (["check", str(mission)], ["run", str(mission), "-o", str(mission.parent / "out")]):
        monkeypatch.setattr("sys.argv", ["scmanip", *command])
        with pytest.raises(SystemExit, match="0"):
            command_line()


def test_one_that_does_not_load_is_named(mission):
    mission.write_text(MISSION.replace('"brake"', '"lost"'))
    with pytest.raises(InvalidMission, match=r"controller\.type.*'lost' of house_laws 1\.0, house_laws:Lost: AttributeError"):
        load_mission(mission)
    mission.write_text(MISSION.replace('"brake"', '"brak"'))
    with pytest.raises(InvalidMission, match=r"expected one of .*resolved_rate, .*brake, found 'brak'; did you mean 'brake'"):
        load_mission(mission)
