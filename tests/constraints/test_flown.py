"""Constraints that a system file has active, in missions and studies."""

import pytest

from scmanip import Study, load_mission

SYSTEM = """schema = "scmanip.system/1"
base = { mass_kg = 400, inertia_kg_m2 = [90, 110, 100] }
[[arm]]
[[arm.link]]
type = "revolute"
a_m = 0.5
b_m = 0.5
mass_kg = 12
inertia_kg_m2 = [0.1, 1, 1]
[[arm.link]]
type = "revolute"
a_m = 0.5
b_m = 0.5
mass_kg = 8
inertia_kg_m2 = [0.1, 1, 1]
[[constraint]]
name = "belt"
type = "coupling"
joint = "joint2"
of = "joint1"
ratio = -1.5
active = true
"""
MISSION = """schema = "scmanip.mission/1"
name = "belt"
system = "belt.toml"
initial = { q_rad = [0.0, 0.0] }
integration = { rtol = 1e-9, output_step_s = 0.5 }
[[phase]]
name = "slew"
mode = "floating"
guidance = { type = "cycloid", q_rad = [0.5, 0.5], duration_s = 1.0 }
controller = { type = "computed_torque", K_P = 1.0, K_D = 2.0 }
"""


@pytest.fixture
def mission(tmp_path):
    for name, text in (("belt.toml", SYSTEM), ("belt_mission.toml", MISSION)):
        (tmp_path / name).write_text(text)
    return tmp_path / "belt_mission.toml"


def test_an_active_coupling_holds_against_a_reference_that_asks_for_something_else(mission):
    history = load_mission(mission).run().history
    q = history.states.q
    assert abs(q[:, 1] + 1.5 * q[:, 0]).max() < 1e-9 and abs(q[-1, 0]) > 0.01


def test_a_study_varies_the_numbers_of_a_constraint(mission):
    metrics = {"turn_rad": "max(joint_angle_rad[0])"}
    study = Study(mission, design={"system.constraint.belt.ratio": [-1.5, -2.5]}, metrics=metrics, seed=1)
    assert [study.mission(k).system.constraint("belt").ratio for k in (0, 1)] == [-1.5, -2.5]
