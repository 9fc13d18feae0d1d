"""What the commands of studies show, recomputed from cases.csv; and how commands exit."""

from __future__ import annotations

import csv
import io
import re
import shlex
from pathlib import Path

import numpy as np
import pytest
from scipy import stats
from typer.testing import CliRunner, Result

from scmanip.command._application import application
from scmanip.command._study_commands import _clock
from tests.mission.test_study import MISSION

STUDY = """
schema = "scmanip.study/1"
name = "scatter"
mission = "short.toml"
seed = 3
repeats = 9

[dispersion]
"system.body.*.mass_kg" = { distribution = "norm", loc = 1.0, scale = 0.05, how = "scale" }

[metrics]
base_rotation_deg = "max(degrees(base_rotation_rad))"
peak_torque_Nm = "max(abs(joint_torque_Nm))"
final_error_deg = "max(abs(final(degrees(joint_error_rad))))"

[limits]
base_rotation_deg = { max = 17.97, unit = "deg" }
peak_torque_Nm = { min = 0.2848, unit = "Nm" }
final_error_deg = { max = 1.0, unit = "deg", probability = 0.8, confidence = 0.8 }
"""
LIMITS = {
    "base_rotation_deg": ("<= 17.97", -1, 17.97, 0.9),
    "peak_torque_Nm": (">= 0.2848", 1, 0.2848, 0.9),
    "final_error_deg": ("<= 1", -1, 1.0, 0.8),
}


def called(*words: object) -> Result:
    return CliRunner().invoke(application, [str(word) for word in words])


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Result]:
    folder = tmp_path_factory.mktemp("tables")
    (folder / "short.toml").write_text(MISSION, encoding="utf-8")
    (folder / "study.toml").write_text(STUDY, encoding="utf-8")
    return folder / "out", called("study", "run", folder / "study.toml", "-o", folder / "out", "--executor", "serial")


@pytest.fixture(scope="module")
def rows(ran: tuple[Path, Result]) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO((ran[0] / "cases.csv").read_text(encoding="utf-8"))))


@pytest.fixture(scope="module")
def values(rows: list[dict[str, str]]) -> dict[str, np.ndarray]:
    return {name: np.array([float(row[name]) for row in rows]) for name in LIMITS}


def shown(output: str, first: str) -> dict[str, list[str]]:
    """The rows of the table whose headings begin with a word, by their first cells; columns are two blanks apart."""
    lines = output.splitlines()
    start = next(i for i, line in enumerate(lines) if line.split()[:1] == [first])
    cells = [re.split(r"\s{2,}", line.strip()) for line in lines[start + 1 :]]
    return {row[0]: row[1:] for row in cells if row[0] in LIMITS}


@pytest.mark.slow
def test_limits_are_shown_with_the_worst_case_and_exact_bounds(ran: tuple[Path, Result], values: dict[str, np.ndarray]) -> None:
    output = ran[1].output
    table = shown(output[: output.index("lowest")], "limit")
    assert set(table) == set(LIMITS)
    for name, (allowed, sign, limit, confidence) in LIMITS.items():
        margins = sign * (values[name] - limit)
        good, n = int(np.sum(margins >= 0)), len(margins)
        bounds = stats.binomtest(good, n).proportion_ci(confidence, method="exact")
        assert good > 0 and (name == "final_error_deg") == (good == n)
        worst, found_allowed, kept, word = table[name]
        assert worst == f"{values[name][np.argmin(margins)]:.6g}"
        assert found_allowed == allowed
        assert kept == f"{good} of {n}, {100 * bounds.low:.4g} to {100 * bounds.high:.4g} %"
        assert word == ("ok" if good == n else "FAILED")
    assert ran[1].exit_code == 1


@pytest.mark.slow
def test_metrics_are_shown_with_lowest_median_and_highest(ran: tuple[Path, Result], values: dict[str, np.ndarray]) -> None:
    table = shown(ran[1].output, "metric")
    for name, column in values.items():
        assert table[name] == [f"{column.min():.6g}", f"{np.median(column):.6g}", f"{column.max():.6g}"]
        assert np.median(column) != pytest.approx(column.mean(), rel=1e-6)


@pytest.mark.slow
def test_the_worst_case_of_each_limit_is_told_with_its_command(ran: tuple[Path, Result], values: dict[str, np.ndarray]) -> None:
    for name, (_, sign, _, _) in LIMITS.items():
        (line,) = (line for line in ran[1].output.splitlines() if line.startswith(f"worst {name}: "))
        words = shlex.split(line.partition(": ")[2])
        assert words[:2] == ["scmanip", "replay"]
        assert words[-2:] == ["--case", str(int(np.argmin(sign * values[name])))]


@pytest.mark.slow
def test_cases_have_numbers_inputs_status_reason_and_metrics_in_this_order(rows: list[dict[str, str]]) -> None:
    masses = [f"system.body.{name}.mass_kg" for name in ("base", "link1", "link2", "link3", "link4")]
    assert list(rows[0]) == ["case", *masses, "status", "reason", *LIMITS]
    assert [row["case"] for row in rows] == [str(i) for i in range(9)]
    assert all(row["status"] == "completed" and row["reason"] == "" for row in rows)
    assert all(repr(float(row[name])) == row[name] for row in rows for name in (*masses, *LIMITS))


@pytest.mark.slow
def test_a_replay_shows_the_row_of_its_case(ran: tuple[Path, Result], rows: list[dict[str, str]]) -> None:
    replayed = called("replay", ran[0], "--case", 4)
    assert replayed.exit_code == 0, replayed.output
    table = shown(replayed.output, "metric")
    for name in LIMITS:
        assert table[name] == [rows[4][name], rows[4][name]]
        assert rows[4][name] != rows[0][name]
    peak = next(line for line in replayed.output.splitlines() if line.startswith("joint torque"))
    assert float(re.split(r"\s{2,}", peak)[1].split()[0]) == pytest.approx(float(rows[4]["peak_torque_Nm"]), rel=1e-3)


@pytest.mark.slow
def test_a_study_within_its_limits_exits_with_0_and_a_replay_that_cannot_end_with_3(tmp_path: Path) -> None:
    (tmp_path / "short.toml").write_text(MISSION, encoding="utf-8")
    text = STUDY[: STUDY.index("[limits]")].replace("repeats = 9", "")
    text = (
        text[: text.index("[dispersion]")]
        + '[design]\n"phase.slew.controller.K_D" = [4.0, 1e9]\n\n'
        + text[text.index("[metrics]") :]
    )
    (tmp_path / "study.toml").write_text(text, encoding="utf-8")
    fine = text.replace("1e9", "5.0") + '[limits]\nbase_rotation_deg = { max = 90.0, unit = "deg" }\n'
    (tmp_path / "fine.toml").write_text(fine, encoding="utf-8")
    assert called("study", "run", tmp_path / "fine.toml", "-o", tmp_path / "fine", "--executor", "serial").exit_code == 0
    called("study", "run", tmp_path / "study.toml", "-o", tmp_path / "out", "--executor", "serial")
    status = called("study", "status", tmp_path / "out").output
    assert "1 completed" in status and "2 of 2 cases" in status
    assert called("replay", tmp_path / "out", "--case", 0).exit_code == 0
    assert called("replay", tmp_path / "out", "--case", 1).exit_code == 3


@pytest.mark.parametrize(("seconds", "words"), [(9.4, "0:09"), (75.0, "1:15"), (3723.0, "1:02:03"), (36000.0, "10:00:00")])
def test_time_left_is_told_in_hours_minutes_and_seconds(seconds: float, words: str) -> None:
    assert _clock(seconds) == words
