"""The pages that `scmanip report` writes, number by number, against run.nc and cases.csv as h5py and csv read them."""

from __future__ import annotations

import csv
import io
import re
import shlex
from hashlib import sha256
from pathlib import Path

import h5py
import numpy as np
import pytest
from scipy import stats
from typer.testing import CliRunner

from scmanip.command._application import application
from tests.mission.files import MISSION, SLIDER, written

from .pages import Tables, page, tables
from .test_study_tables import MISSION as SHORT
from .test_study_tables import STUDY

pytestmark = pytest.mark.slow
DEG = 180 / np.pi
DAMPED = SLIDER.replace("upper_rad = 2.0", "upper_rad = 2.0, damping_Nms_rad = 0.5")
START = "q_rad = { shoulder = 0.2 }\nq_m = { elbow = 0.1 }\nqdot_m_s = { elbow = 0.05 }"
LIMITED = "[limits]\nbase_rotation_deg = 2.0\nbase_displacement_m = 0.5\njoint_torque_Nm = 50.0\njoint_rate_deg_s = 30.0\n"
TEXT = MISSION[: MISSION.index("[limits]")].replace("q_rad = [0.2, -0.3]", START).replace("step_s = 0.1", "step_s = 0.01")
TEXT = TEXT.replace("rate_rad_s = 0.2", 'joints = ["shoulder"], rate_rad_s = 0.2') + LIMITED


def called(*words: object) -> str:
    result = CliRunner().invoke(application, [str(word) for word in words])
    assert result.exit_code in (0, 1), result.output
    return result.output


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("pages")
    out = path / "out"
    called("run", written(path, TEXT, DAMPED), "-o", out)
    called("report", out, "--no-verify", "--no-3d")
    return out


@pytest.fixture(scope="module")
def stored(folder: Path) -> dict[str, np.ndarray]:
    with h5py.File(folder / "run.nc", "r") as file:
        return {name: np.array(file[name]) for name in file}


@pytest.fixture(scope="module")
def shown(folder: Path) -> Tables:
    return page(folder)


def size(rows: np.ndarray) -> np.ndarray:
    return np.sqrt((rows**2).sum(axis=1))


def angle(attitudes: np.ndarray) -> np.ndarray:
    """From the first attitude: the scalar product of quaternions is the cosine of half of it."""
    return 2 * np.arccos(np.minimum(abs(attitudes @ attitudes[0]), 1.0))


def value_of(cell: str) -> tuple[float, str]:
    """The number of a cell, and its unit behind an error that may stand between."""
    number, _, rest = cell.partition(" ")
    return float(number), re.sub(r"^\+- \S+ ", "", rest)


LARGEST = {
    "base rotation from start": ("deg", lambda f: DEG * angle(f["attitude_xyzw"])),
    "base angular rate": ("deg/s", lambda f: DEG * size(f["omega_0"])),
    "base displacement": ("m", lambda f: size(f["r_0"] - f["r_0"][0])),
    "joint torque": ("N m", lambda f: abs(f["tau"][:, 0])),
    "joint force": ("N", lambda f: abs(f["tau"][:, 1])),
    "joint rate": ("deg/s", lambda f: DEG * abs(f["qdot"][:, 0])),
    "joint speed": ("m/s", lambda f: abs(f["qdot"][:, 1])),
    "joint power": ("W", lambda f: abs(f["tau"] * f["qdot"]).max(axis=1)),
}  # fmt: skip
LIMITS = {"base rotation from start": 2.0, "base displacement": 0.5, "joint torque": 50.0, "joint rate": 30.0}


@pytest.mark.parametrize("meaning", LARGEST)
def test_the_largest_values_of_the_page_are_those_of_the_file(
    meaning: str, shown: Tables, stored: dict[str, np.ndarray]
) -> None:
    """Peaks may lie between samples, which are 0.01 s apart here."""
    unit, of = LARGEST[meaning]
    row = dict(zip(shown.tables["verdicts"][0], next(r for r in shown.tables["verdicts"] if r[0] == meaning), strict=True))
    series = of(stored)
    value, its = value_of(row["largest"])
    assert its == unit
    assert value == pytest.approx(series.max(), rel=5e-3)
    at = float(re.findall(r"t = ([\d.]+) s", row["where"])[0])
    near = abs(stored["time"] - at) <= 0.011
    assert series[near].max() == pytest.approx(series.max(), rel=5e-3)
    if meaning in LIMITS:
        assert value_of(row["limit"]) == (LIMITS[meaning], unit)
        assert row["verdict"] == ("ok" if series.max() < LIMITS[meaning] else "FAILED")
        assert float(row["margin"].removesuffix(" %")) == pytest.approx(100 * (1 - series.max() / LIMITS[meaning]), abs=0.5)
    else:
        assert (row["limit"], row["margin"]) == ("", "")


def test_budgets_are_what_the_file_has_at_its_end(shown: Tables, stored: dict[str, np.ndarray]) -> None:
    rows = {(kind, by): value_of(energy) for kind, by, energy in shown.tables["work_by_actuator"][1:]}
    for k, joint in enumerate(("shoulder", "elbow")):
        assert rows["work", joint] == (pytest.approx(stored["work_by_joint"][-1, k], rel=1e-3, abs=1e-12), "J")
    assert rows["work", "all actuators"] == (pytest.approx(stored["work"][-1], rel=1e-3), "J")
    assert rows["dissipated", "shoulder"] == (pytest.approx(stored["dissipated_by_joint"][-1, 0], rel=1e-3), "J")
    assert rows["dissipated", "all dampers and friction"] == (pytest.approx(stored["dissipated"][-1], rel=1e-3), "J")


def test_laws_are_the_residuals_of_the_file(shown: Tables, folder: Path) -> None:
    with h5py.File(folder / "run.nc", "r") as file:
        attributes = dict(file.attrs)
    laws = {row[0]: row for row in shown.tables["laws"][1:]}
    told = [name.removesuffix("_meaning") for name in attributes if re.fullmatch(r"residual_.*_meaning", name)]
    assert len(told) == len(laws)
    for name in told:
        meaning = str(attributes[f"{name}_meaning"]).partition("; relative to ")[0]
        value, unit = value_of(laws[meaning][1])
        assert value == pytest.approx(float(np.ravel(attributes[name])[0]), rel=1e-3)
        assert unit == str(attributes[f"{name}_unit"]).strip()
        assert float(laws[meaning][2]) == pytest.approx(float(np.ravel(attributes[f"{name}_relative"])[0]), rel=1e-3)


def test_the_base_is_turned_by_the_joints_as_far_as_the_file_says(shown: Tables, stored: dict[str, np.ndarray]) -> None:
    """What the joints do together and what momentum does is the rate of the base along that axis."""
    rows = {row[0]: row for row in shown.tables["base_rate_by_joint"][1:]}
    parts = [value_of(rows[joint][1])[0] for joint in ("shoulder", "elbow")]
    together, unit = value_of(rows["all joints"][1])
    rest = value_of(rows["initial momentum and base actuators"][1])[0]
    own = value_of(rows["the base's own rate along that axis"][1])[0]
    assert unit == "deg/s"
    assert sum(parts) == pytest.approx(together, rel=2e-3)
    assert together + rest == pytest.approx(own, rel=2e-3, abs=1e-3)
    assert abs(own) <= DEG * size(stored["omega_0"]).max() * 1.002
    assert together >= DEG * size(stored["omega_0"]).max() - abs(rest) - 2e-3


def test_page_and_csv_agree_cell_by_cell(folder: Path, shown: Tables) -> None:
    assert shown.tables == tables(folder)


def test_provenance_has_the_digest_of_the_mission_as_it_was(shown: Tables) -> None:
    lines = dict(row for row in shown.tables["provenance"][1:])
    assert sha256(TEXT.encode()).hexdigest() in lines["mission"]
    assert sha256(DAMPED.encode()).hexdigest() in " ".join(lines[name] for name in lines if name.startswith("systems"))


# --- a study --------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Tables, dict[str, np.ndarray]]:
    path = tmp_path_factory.mktemp("study")
    (path / "short.toml").write_text(SHORT, encoding="utf-8")
    (path / "study.toml").write_text(STUDY.replace("repeats = 9", "repeats = 40"), encoding="utf-8")
    out = path / "out"
    called("study", "run", path / "study.toml", "-o", out, "--executor", "serial")
    called("report", out, "--no-verify", "--no-3d")
    rows = list(csv.DictReader(io.StringIO((out / "cases.csv").read_text(encoding="utf-8"))))
    names = ("base_rotation_deg", "peak_torque_Nm", "final_error_deg")
    return out, page(out), {name: np.array([float(row[name]) for row in rows]) for name in names}


ASKED = {"base_rotation_deg": (-1, 17.97, 0.9), "peak_torque_Nm": (1, 0.2848, 0.9), "final_error_deg": (-1, 1.0, 0.8)}


def test_verdicts_of_a_study_are_what_its_rows_say(study: tuple[Path, Tables, dict[str, np.ndarray]]) -> None:
    _, shown, values = study
    for row in shown.tables["verdicts"][1:]:
        sign, limit, confidence = ASKED[row[0]]
        margins = sign * (values[row[0]] - limit)
        bounds = stats.binomtest(int(np.sum(margins >= 0)), 40).proportion_ci(confidence, method="exact")
        assert row[3] == f"{margins.min():.5g}"
        assert row[4] == f"{int(np.sum(margins >= 0))} of 40"
        assert row[6] == f"{100 * bounds.low:.4g} to {100 * bounds.high:.4g} %"


def test_percentiles_and_worst_cases_of_a_study_are_those_of_its_rows(
    study: tuple[Path, Tables, dict[str, np.ndarray]],
) -> None:
    folder, shown, values = study
    found = {(row[0], row[1]): row for row in shown.tables["percentiles"][1:]}
    for name, column in values.items():
        interval = stats.quantile_test(column, p=0.5).confidence_interval(0.9)
        row = found[name, "50 %"]
        assert row[2:5] == [f"{value:.5g}" for value in (np.quantile(column, 0.5, method="inverted_cdf"), *interval)]
        order = np.argsort(-column if ASKED[name][0] < 0 else column, kind="stable")[:5]
        worst = [row for row in shown.tables["worst"][1:] if row[0] == name]
        assert [row[2] for row in worst] == [str(case) for case in order]
        assert [row[3] for row in worst] == [f"{column[case]:.5g}" for case in order]
        assert [shlex.split(row[4])[-2:] for row in worst] == [["--case", str(case)] for case in order]
    provenance = dict(row for row in shown.tables["provenance"][1:])
    assert provenance["sha256 of cases.csv"] == sha256((folder / "cases.csv").read_bytes()).hexdigest()
    assert shown.tables == tables(folder)
