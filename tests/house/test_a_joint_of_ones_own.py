"""A joint kind of one's own: a universal joint whose second axis stands askew to the first."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from scmanip import Body, Floating, Joint, Plant, State, Study, System, compile_model, load_mission, load_system, simulate
from scmanip.command import command_line
from scmanip.control import ComputedTorque
from scmanip.errors import InvalidSystem
from scmanip.guidance import Hold
from scmanip.simulation import forces_are_recorded
from scmanip.spatial import positive_problems
from scmanip.study import dispersed
from scmanip.system import JointKey, JointKind, Turn
from tests.house.packages import installed


class Askew(JointKind):
    name, keys = "askew", {"skew_rad": JointKey(float, "a number > 0", positive_problems)}
    freedoms = (("first_", "rad"), ("second_", "rad"))

    def motions(self, joint):
        skew = joint.own["skew_rad"]
        return Turn.about([1.0, 0.0, 0.0]), Turn.about([np.cos(skew), np.sin(skew), 0.0])

    def parts(self, given):
        return "first", "second"


BASE, PLATE = Body("base", 40.0, [4.0, 5.0, 6.0]), {"mass_kg": 8.0, "inertia_kg_m2": [0.5, 0.6, 0.7], "com_m": [0.0, 0.3, 0.4]}
FILE = """schema = "scmanip.system/1"
base = { mass_kg = 40.0, inertia_kg_m2 = [4.0, 5.0, 6.0] }
[[body]]
name = "plate"
parent = "base"
joint = { name = "hip", type = "askew", skew_rad = 1.2, origin_m = [0.5, 0.0, 0.1], damping_second_Nms_rad = 0.7 }
"""
MISSION = """schema = "scmanip.mission/1"
name = "plate"
system = "plate.toml"
initial = { q_rad = { hip = [0.3, -0.4] } }
phase = [{ name = "back", mode = "floating", guidance = { type = "cycloid", q_rad = [0.0, 0.2], duration_s = 2.0 }, \
  controller = { type = "computed_torque", K_P = 1.0, K_D = 2.0 } }]
"""


def test_it_moves_as_two_hinges_and_flies_in_machine_code():
    hip = Joint("hip", Askew(), origin_m=[0.5, 0.0, 0.1], skew_rad=1.2, damping=[0.0, 0.7])
    model = compile_model(System("plate", BASE, [Body("plate", parent="base", joint=hip, **PLATE)]))
    first, axis = Joint("a", "revolute", [1, 0, 0], [0.5, 0, 0.1]), hip.motions[1].angular[0]
    cross, second = Body("cross", 0.0, [0, 0, 0], parent="base", joint=first), Joint("b", "revolute", axis, damping=0.7)
    other = compile_model(System("plate", BASE, [cross, Body("plate", parent="cross", joint=second, **PLATE)]))
    state = State([1, 2, 3], [0, 0.6, 0, 0.8], [0.3, -0.4], [0.1, 0, 0.2], [0.3, 0.1, -0.2], [0.5, 0.9])
    assert_allclose(*(each.forward_dynamics(state, [2.0, -3.0]) for each in (model, other)), rtol=1e-11)
    law, hold = ComputedTorque(model, K_P=1.0, K_D=2.0), Hold(np.zeros(2))
    assert forces_are_recorded(Plant(model, Floating()), law, hold)
    run = simulate(model, Floating(), law, State.at_rest(model.system, [0.3, -0.4]), reference=hold, t_end_s=12.0)
    assert abs(run.final.q).max() < 1e-3


@pytest.mark.slow
def test_files_missions_and_studies_name_it_where_its_package_is_installed(tmp_path, monkeypatch):
    (tmp_path / "plate.toml").write_text(FILE + "".join(f"{key} = {value}\n" for key, value in PLATE.items()))
    with pytest.raises(InvalidSystem, match="'askew'"):
        load_system(tmp_path / "plate.toml")
    points, code = "[scmanip.joints]\naskew = house_joints:Askew\n", f"from {__name__} import Askew\n"
    installed(tmp_path, monkeypatch, "house_joints", points, code)
    (tmp_path / "back.toml").write_text(MISSION)
    run = load_mission(tmp_path / "back.toml").run()
    assert_allclose(run.history.final.q, [0.0, 0.2], atol=0.05)
    chance = {"system.joint.hip.skew_rad": dispersed(stats.uniform(1.0, 0.4))}
    study = Study(tmp_path / "back.toml", seed=3, repeats=20, dispersion=chance, metrics={"work_J": "final(work_J)"})
    evaluator, case = study.recipe.evaluator(), study.case(5)
    assert study.mission(5).model.system.joints[0].own["skew_rad"] == case.values["system.joint.hip.skew_rad"]
    assert evaluator.rows([case])[0].metrics["work_J"] == pytest.approx(study.mission(5).run().history.work[-1], abs=1e-6)
    monkeypatch.setattr("sys.argv", ["scmanip", "verify", str(tmp_path / "plate.toml")])
    with pytest.raises(SystemExit, match="0"):
        command_line()
