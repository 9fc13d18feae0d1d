"""Contact in missions: a ball that bounces, numbers that studies vary, and what is refused with line and key."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from scmanip.campaign import Study
from scmanip.errors import InvalidMission
from scmanip.mission import load_mission
from scmanip.study import dispersed

SYSTEM = """schema = "scmanip.system/1"
name = "bounce"
base = { fixed = true }

[[body]]
name = "ball"
parent = "base"
mass_kg = 2.0
inertia_kg_m2 = [0.1, 0.1, 0.1]
joint = { name = "up", type = "prismatic", axis = [0, 0, 1] }

[[shape]]
name = "ball"
body = "ball"
type = "sphere"
radius_m = 0.2

[[shape]]
name = "floor"
frame = "ground"
type = "plane"
"""
MISSION = """schema = "scmanip.mission/1"
name = "bounce"
system = "bounce.toml"
initial = { q_m = { up = 0.5 }, qdot_m_s = { up = -0.5 } }

[[phase]]
name = "fall"
mode = "fixed_base"
controller = { type = "joint_regulator", K_P = 0.0, K_D = 0.0 }
guidance = { type = "hold" }
until = { t_s = 0.61 }

[[phase]]
name = "rise"
mode = "fixed_base"
controller = { type = "joint_regulator", K_P = 0.0, K_D = 0.0 }
guidance = { type = "hold" }
until = { t_s = 0.4 }

[[load]]
type = "contact"
name = "touch"
shapes = ["floor", "ball"]
law = { type = "hunt_crossley", stiffness = 1e6, restitution = 0.6, speed_m_s = 0.5 }
friction = { type = "coulomb", coefficient = 0.3 }
"""


def written(folder: Path, mission: str = MISSION, system: str = SYSTEM) -> Path:
    (folder / "bounce.toml").write_text(system)
    (folder / "mission.toml").write_text(mission)
    return folder / "mission.toml"


@pytest.mark.slow
def test_a_ball_bounces_in_a_mission_across_its_phases_and_from_its_results(tmp_path: Path) -> None:
    mission = load_mission(written(tmp_path))
    run = mission.run()  # the second phase begins with the ball in the floor
    assert run.history.q[run.history.t == 0.61].min() < 0.2
    assert run.history.qdot[-1, 0] == pytest.approx(0.3, rel=1e-6)
    assert run.history.dissipated[-1] == pytest.approx(0.25 * (1 - 0.36), rel=1e-6)
    run.save(tmp_path / "out")
    assert load_mission(tmp_path / "out" / "mission.resolved.toml").loads == mission.loads
    assert "contact 'touch' of 'ball' with 'floor'" in str(mission.loads[0])


@pytest.mark.slow
def test_studies_vary_laws_friction_and_shapes_one_by_one_or_together(tmp_path: Path) -> None:
    metrics = {"speed_m_s": "final(joint_speed_m_s[0])", "lowest_m": "min(joint_extension_m[0])"}
    metrics |= {"push_N": "max(load_output_N[0])", "deep_m": "max(load_output_m[0])"}
    chance = {
        "load.touch.law.stiffness": dispersed(stats.uniform(0.8e6, 0.4e6)),
        "load.touch.law.restitution": dispersed(stats.uniform(0.5, 0.3)),
        "system.shape.ball.radius_m": dispersed(stats.uniform(0.15, 0.1)),
    }
    mission = MISSION.replace("0.61", "0.8")
    for noted in ("", "noted = false\n"):
        study = Study(written(tmp_path, mission + noted), seed=3, repeats=3, dispersion=chance, metrics=metrics)
        row = study.recipe.evaluator().rows([study.case(k) for k in range(3)])[1]
        values = study.case(1).values
        assert row.metrics["speed_m_s"] == pytest.approx(0.5 * float(values["load.touch.law.restitution"]), rel=1e-3)  # type: ignore[arg-type]
        radius, stiffness = (float(values[key]) for key in ("system.shape.ball.radius_m", "load.touch.law.stiffness"))  # type: ignore[arg-type]
        assert row.metrics["deep_m"] == pytest.approx(radius - row.metrics["lowest_m"], rel=1e-3)
        assert stiffness * row.metrics["deep_m"] ** 1.5 < row.metrics["push_N"] < 2 * stiffness * row.metrics["deep_m"] ** 1.5


MISTAKES = {
    "friction below zero": ("coefficient = 0.3", "coefficient = -0.3", "load[0].friction.coefficient", ">= 0, found -0.3"),
    "no such shape": ('["floor", "ball"]', '["floor", "bal"]', "load[0].shapes", "did you mean 'ball'"),
    "one shape": ('["floor", "ball"]', '["floor"]', "load[0].shapes", "the names of two shapes"),
    "the same twice": ('["floor", "ball"]', '["floor", "floor"]', "load[0].shapes", "plane 'floor' and plane 'floor'"),
    "one body": ('["floor", "ball"]', '["ball", "ball"]', "load[0]", "both on 'ball'"),
    "half a restitution": (", speed_m_s = 0.5 }", " }", "load[0].law.restitution", "speed_m_s beside it"),
    "two losses": ("restitution = 0.6", "restitution = 0.6, damping_s_m = 1.0", "load[0].law.damping_s_m", "both"),
    "too much back": ("restitution = 0.6", "restitution = 1.6", "load[0].law.restitution", "at most 1"),
    "a wrong exponent": ("stiffness = 1e6", "stiffness = 1e6, exponent = 1.4", "load[0].law.exponent", "1, 1.5, 2"),
    "an unknown law": ('"hunt_crossley"', '"hunt_crosley"', "load[0].law.type", "did you mean 'hunt_crossley'"),
    "a key of another": ("restitution = 0.6", "damping_Ns_m = 1.0", "load[0].law.damping_Ns_m", "unknown key"),
    "inside at the start": (
        "{ up = 0.5 }",
        "{ up = 0.15 }",
        "initial",
        "contact 'touch': shape 'ball' inside 'floor' by at most 0.02 m at the start, found 0.05 m",
    ),
}


@pytest.mark.parametrize(("old", "new", "key", "words"), MISTAKES.values(), ids=MISTAKES)
def test_what_is_wrong_is_said_with_line_and_key(old: str, new: str, key: str, words: str, tmp_path: Path) -> None:
    assert MISSION.count(old) == 1
    with pytest.raises(InvalidMission) as caught:
        load_mission(written(tmp_path, MISSION.replace(old, new)))
    problem = next(each for each in caught.value.problems if words in str(each))
    assert problem.key == key and problem.line > 0


LAWS = {
    "kelvin_voigt": ("stiffness_N_m = 1e4, damping_Ns_m = 10.0", '"frictionless"'),
    "hunt_crossley": (
        "stiffness = 1e6, damping_s_m = 0.2",
        '"bristle", coefficient = 0.3, deflection_m = 1e-4, relaxation_s = 1e-3',
    ),
}


@pytest.mark.parametrize(("law", "numbers", "friction"), [(law, *rest) for law, rest in LAWS.items()], ids=LAWS)
def test_other_laws_and_bristles_fly(law: str, numbers: str, friction: str, tmp_path: Path) -> None:
    text = MISSION[: MISSION.index("law =")] + f'law = {{ type = "{law}", {numbers} }}\nfriction = {{ type = {friction} }}\n'
    run = load_mission(written(tmp_path, text)).run()
    assert run.completed and 0 < run.history.qdot[-1, 0] < 0.5
    assert run.history.dissipated[-1] == pytest.approx(0.25 - run.history.qdot[-1, 0] ** 2, rel=1e-5)
    assert np.isfinite(run.history.states.x).all()
