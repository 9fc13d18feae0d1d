"""Cases whose phases and motions last differently long are flown together, and have the rows of cases flown alone."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from numpy.testing import assert_array_equal
from scipy import stats

from scmanip.campaign import Study
from scmanip.study import Status, dispersed

from .test_study_events import METRICS, MISSION, alone, assert_same, rows

AWAITED = MISSION.replace("timeout_s = 8.0", "timeout_s = 7.0")
FREE = "\n".join(line for line in MISSION.splitlines() if "there" not in line)
SEQUENCE = FREE.replace(
    'guidance = { type = "cycloid", q_deg = { joint1 = 60.0 }, duration_s = 6.0 }',
    'guidance = { type = "joint_sequence", joints = ["joint1", "joint2"], cruise_s = [1.0, 2.0, 1.0], rest_s = 0.5 }',
)
SAMPLED = "K_D = 4.0, rate_Hz = 4.0 }"
CASES = 8


def uniform(low: float, high: float) -> Any:
    return dispersed(stats.uniform(low, high - low))


LASTS = {
    "phase.go.guidance.duration_s": uniform(5.0, 6.5),
    "phase.stop.until.t_s": uniform(1.0, 2.5),
    "phase.go.controller.K_P": uniform(3.0, 5.0),
}
WAITS = LASTS | {"phase.go.until.timeout_s": uniform(6.6, 9.0)}
GOALS = LASTS | {"phase.go.guidance.q_deg.joint1": uniform(50.0, 70.0), "initial.q_deg": uniform(0.0, 10.0)}
RHYTHM = {
    "phase.go.guidance.ramp_s": uniform(0.8, 1.2),
    "phase.go.guidance.rate_rad_s": uniform(0.08, 0.12),
    "phase.go.guidance.settle_s": uniform(1.0, 3.0),
}


def made(folders: pytest.TempPathFactory, text: str, chance: dict[str, Any], repeats: int = CASES) -> Study:
    path = folders.mktemp("lasting") / "touch.toml"
    path.write_text(text, encoding="utf-8")
    chance = {key: replace(each, size=4) if key == "initial.q_deg" else each for key, each in chance.items()}
    return Study(path, seed=5, repeats=repeats, dispersion=chance, metrics=METRICS)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "chance"),
    [
        (FREE, GOALS),
        (FREE.replace("K_D = 4.0 }", SAMPLED), LASTS),
        (AWAITED.replace("K_D = 4.0 }", SAMPLED), WAITS),
        (AWAITED, WAITS),
        (SEQUENCE, RHYTHM),
    ],
    ids=["goals", "sampled", "awaited, sampled", "awaited", "a sequence"],
)
def test_rows_are_those_of_cases_flown_alone(
    text: str, chance: dict[str, Any], tmp_path_factory: pytest.TempPathFactory
) -> None:
    study = made(tmp_path_factory, text, chance)
    assert study.evaluator.steps(study.case(0)) is not None  # together
    found = rows(study, range(CASES))
    assert not any("by itself" in row.reason for row in found)
    assert_same(found[:3], alone(study, range(3)))
    done = [row.metrics["duration_s"] for row in found if row.status is Status.COMPLETED]
    assert len(set(done)) == len(done) > 1 and max(done) - min(done) > 0.5
    for some in ([3], [6, 0]):
        for row in rows(study, some):
            assert_array_equal([*row.metrics.values()], [*found[row.case.number].metrics.values()])


@pytest.mark.slow
def test_a_case_whose_motion_has_other_corners_is_flown_by_itself(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Where the phase ends before the motion does."""
    text = FREE.replace("duration_s = 6.0 }\n", "duration_s = 6.0 }\nuntil = { t_s = 6.2 }\n")
    study = made(tmp_path_factory, text, {"phase.go.guidance.duration_s": uniform(5.0, 7.0)})
    found = rows(study, range(CASES))
    late = [study.case(k).values["phase.go.guidance.duration_s"] > 6.2 for k in range(CASES)]
    assert 0 < sum(late) < CASES
    assert ["by itself: another number of corners" in row.reason for row in found] == late
