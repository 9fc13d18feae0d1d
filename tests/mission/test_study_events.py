"""Cases whose phases end by events are flown together, each to its own times, and have the rows of cases flown alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest
from numpy.testing import assert_array_equal
from scipy import stats

from scmanip.campaign import Study
from scmanip.study import Row, Status, dispersed

HOLD = """{ type = "computed_torque", K_P = 4.0, K_D = 4.0 }
guidance = { type = "hold" }"""
TURN = """{ type = "computed_torque", K_P = 4.0, K_D = 4.0 }
guidance = { type = "cycloid", q_deg = { joint2 = 0.0 }, duration_s = 2.0 }"""
MISSION = """
schema = "scmanip.mission/1"
name = "touch"
system = "model:planar_four_link"
# around it
[initial]
q_deg = [10.0, -20.0, 30.0, 40.0]
omega_0_deg_s = [0.0, 0.0, 0.1]
[[phase]]
name = "go"
mode = "floating"
controller = { type = "computed_torque", K_P = 4.0, K_D = 4.0 }
guidance = { type = "cycloid", q_deg = { joint1 = 60.0 }, duration_s = 6.0 }
events = [{ name = "there", type = "approach", frame = "tip", point_m = [3.5, 1.34, 0.0], distance_m = 0.06 }]
until = { event = "there", timeout_s = 8.0 }
[[phase]]
name = "stop"
mode = "floating"
controller = { type = "computed_torque", K_P = 4.0, K_D = 4.0 }
guidance = { type = "hold" }
until = { t_s = 2.0 }
"""
METRICS = {
    "base_rotation_deg": "max(degrees(base_rotation_rad))",
    "peak_torque_Nm": "max(abs(joint_torque_Nm))",
    "error_deg": "max(abs(final(degrees(joint_error_rad))))",
    "lag_deg": "mean(norm(degrees(joint_error_rad)))",
    "duration_s": "integral(1 + 0 * base_rotation_rad)",
    "rate_rad": "integral(norm(joint_rate_rad_s))",
    "energy_J": "max(kinetic_energy_J)",
    "work_J": "final(work_J)",
}
CHANCE = {
    "phase.*.controller.K_P": dispersed(stats.uniform(3, 2)),
    "initial.v_0_m_s": dispersed(stats.norm(0, 0.003), size=3),
    "initial.omega_0_deg_s": dispersed(stats.norm(0, 0.06), size=3),
}
MASSES = {"system.body.*.mass_kg": dispersed(stats.norm(1, 0.02), how="scale")}
CASES = 12
NO_CHANGES: Mapping[str, str] = {}


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    return touching(tmp_path_factory)


def touching(folders: pytest.TempPathFactory, repeats: int = CASES, changes: Mapping[str, str] = NO_CHANGES) -> Study:
    """A study of the mission, some words of which are others."""
    path, text, chance = folders.mktemp("events") / "touch.toml", MISSION, {**CHANCE, **(MASSES if changes else {})}
    for old, new in changes.items():
        text = text.replace(old, new)
    path.write_text(text, encoding="utf-8")
    return Study(path, seed=5, repeats=repeats, dispersion=chance, metrics=METRICS)


def rows(study: Study, cases: Sequence[int]) -> list[Row]:
    return study.evaluator.rows([study.case(number) for number in cases])


def alone(study: Study, cases: Sequence[int]) -> list[Row]:
    evaluator = replace(study.recipe, alone="asked for").evaluator()
    return evaluator.rows([study.case(number) for number in cases])


def assert_same(together: Sequence[Row], single: Sequence[Row]) -> None:
    for row, other in zip(together, single, strict=True):
        assert (row.status, row.reason) == (other.status, other.reason)
        for name, value in other.metrics.items():
            assert row.metrics[name] == pytest.approx(value, rel=1e-5, abs=1e-9, nan_ok=True), (row.case.number, name)


@pytest.mark.slow
def test_rows_are_those_of_cases_flown_alone(study: Study) -> None:
    found = rows(study, range(CASES))
    assert_same(found[:7], alone(study, range(7)))
    assert study.evaluator.steps(study.case(0)) is not None  # together
    assert {row.status for row in found} == {Status.COMPLETED, Status.FAILED}
    late = [row for row in found if row.status is Status.FAILED]
    assert {row.reason for row in late} == {"timeout: phase 'go' waited 8 s for event 'there', which did not happen"}
    lasted = {row.metrics["duration_s"] for row in found if row.status is Status.COMPLETED}
    assert len(lasted) == CASES - len(late) and max(lasted) - min(lasted) > 1.0


@pytest.mark.slow
def test_a_row_does_not_depend_on_its_company(study: Study) -> None:
    whole = rows(study, range(CASES))
    for some in ([3], [7, 0], [5, 1, 10], list(reversed(range(CASES)))):
        for row in rows(study, some):
            same = whole[row.case.number]
            assert (row.status, row.reason) == (same.status, same.reason)
            assert_array_equal([*row.metrics.values()], [*same.metrics.values()])


@pytest.mark.slow
@pytest.mark.parametrize(
    "changes",
    [
        {"distance_m = 0.06": "distance_m = 0.07, dwell_s = 0.4"},
        {"# around it": '[environment]\norbit = { type = "circular", altitude_km = 500.0 }'},
        {HOLD: TURN},
    ],
    ids=["lasting", "in orbit", "another motion"],
)
def test_so_are_those_of_other_missions(tmp_path_factory: pytest.TempPathFactory, changes: dict[str, str]) -> None:
    other = touching(tmp_path_factory, 8, changes)
    assert other.evaluator.steps(other.case(0)) is not None  # together
    found = rows(other, range(8))
    assert_same(found, alone(other, range(8)))
    assert any(row.status is Status.COMPLETED for row in found)
