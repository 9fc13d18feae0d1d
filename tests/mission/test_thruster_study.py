"""Cases whose thrusters push are flown together, each by sets of its own, and each is the case flown by itself."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from scipy import stats

from scmanip.campaign import Study
from scmanip.study import dispersed

SYSTEM = Path(__file__).parents[2] / "missions" / "systems" / "ets7_servicer.toml"
MISSION = f"""\
schema = "scmanip.mission/1"
name = "approach"
system = "{SYSTEM}"

[initial]
q_deg = [-30.0, -60.0, 30.0, -30.0, 30.0, -30.0]

[[phase]]
name = "approach"
mode = "flying"
guidance = {{ type = "cycloid", q_deg = {{ joint2 = -110.0 }}, duration_s = 30.0 }}

[phase.controller]
type = "coordinated"
K_P = 0.25
K_D = 1.0
base_K_P = 0.0036
base_K_D = 0.12
pose = {{ position_m = [1.0, 0.0, 0.0] }}

[integration]
rtol = 1e-8
"""


@pytest.mark.slow
def test_cases_flown_together_burn_what_they_burn_by_themselves(tmp_path: Path) -> None:
    path = tmp_path / "approach.toml"
    path.write_text(MISSION)
    given = {
        "initial.omega_0_deg_s": dispersed(stats.norm([0.0, 0.0, 0.0], 0.05)),
        "system.body.base.mass_kg": dispersed(stats.norm(1.0, 0.02), how="scale"),
    }
    metrics = {"burnt_kg": "final(propellant_kg)", "thrust_N": "max(thrust_N)", "work_J": "final(work_J)"}
    study = Study(path, seed=3, repeats=20, dispersion=given, metrics=metrics, output_step_s=1.0)
    evaluator, cases = study.evaluator, [study.case(number) for number in range(3)]
    assert evaluator.steps(cases[0]) is not None
    alone = replace(study.recipe, alone="asked for").evaluator()
    for one, other in zip(evaluator.rows(cases), alone.rows(cases), strict=True):
        assert one.metrics == pytest.approx(dict(other.metrics), rel=1e-5, abs=1e-6)
        assert one.metrics["burnt_kg"] > 0.01
    assert len({row.metrics["burnt_kg"] for row in evaluator.rows(cases)}) == 3
