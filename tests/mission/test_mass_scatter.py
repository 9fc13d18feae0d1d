"""Studies that draw bodies by a CSV file of masses with standard deviations and correlations."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip import load_study
from scmanip.campaign import Study
from scmanip.errors import InvalidInput
from scmanip.study import Case
from tests.mission.test_side_tables import MISSION, SIDE

TABLE = """body,mass_kg,com_x_m,com_z_m,ixx_kg_m2,iyy_kg_m2,izz_kg_m2,ixy_kg_m2,\
sigma_mass_kg,sigma_com_x_m,sigma_ixx_kg_m2,sigma_iyy_kg_m2,sigma_izz_kg_m2,sigma_ixy_kg_m2,\
corr_mass_com_x,corr_mass_izz,corr_com_x_izz,corr_iyy_izz
column,5,0,0.3,0.2,0.2,0.02,0,0,0,0,0,0,0,0,0,0,0
beam,3,0.4,0,0.02,0.2,0.21,0,0.05,0.002,0.0005,0.004,0.003,0.001,0.6,0.8,0.5,-0.3
"""
STUDY = """
schema = "scmanip.study/1"
name = "weighed"
mission = "mission.toml"
seed = 1
repeats = 12

[dispersion]
"system.body.*" = { mass_table = "masses.csv" }

[metrics]
angle_deg = "final(degrees(joint_angle_rad[1]))"
"""
MEAN = np.array([3.0, 0.4, 0.0, 0.0, 0.02, 0.2, 0.21, 0.0, 0.0, 0.0])
SIGMA = np.array([0.05, 0.002, 0, 0, 0.0005, 0.004, 0.003, 0.001, 0, 0])
CORRELATED = {(0, 1): 0.6, (0, 6): 0.8, (1, 6): 0.5, (5, 6): -0.3}


def study_file(folder: Path, table: str = TABLE, text: str = STUDY) -> Path:
    (folder / "mission.toml").write_text(MISSION)
    said = 'masses = "masses.csv"\ngravity_m_s2 = [0.0, 0.0, -9.81]\n'
    (folder / "bench.side.toml").write_text(SIDE.replace('/1"\n', f'/1"\n{said}'))
    (folder / "masses.csv").write_text(table)
    (folder / "study.toml").write_text(text)
    return folder / "study.toml"


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    return load_study(study_file(tmp_path_factory.mktemp("weighed")))


def beam(case: Case) -> list[float]:
    """Return what is drawn of the beam, in the order of the table."""
    return [
        float(each)
        for key in ("mass_kg", "com_m", "inertia_kg_m2")
        for each in np.ravel(case.values[f"system.body.beam.{key}"])  # type: ignore[arg-type]
    ]


def test_draws_have_the_mean_and_the_covariance_of_the_table(study: Study) -> None:
    n = 2000
    rows = np.array([beam(case) for case in replace(study.plan, repeats=n).cases_between(0, n)])
    some, C = np.flatnonzero(SIGMA), np.eye(10)
    for (one, other), r in CORRELATED.items():
        C[one, other] = C[other, one] = r
    assert np.all(rows[:, SIGMA == 0] == MEAN[SIGMA == 0])
    z = ((rows - MEAN) / np.where(SIGMA, SIGMA, 1))[:, some]
    assert np.abs(z.mean(axis=0)).max() < 4 / np.sqrt(n)
    expected = C[np.ix_(some, some)]
    deviation = np.sqrt((1 + expected**2) / n)  # of an entry of a sample covariance of normal numbers
    assert (np.abs(z.T @ z / n - expected) / deviation).max() < 4


def test_the_nominal_case_is_the_table_and_the_law_knows_no_more(study: Study) -> None:
    part = study.nominal.model.system.part("body", "beam")
    assert (part.mass_kg, part.com_m.tolist(), np.diag(part.inertia_kg_m2).tolist()) == (
        3.0,
        [0.4, 0.0, 0.0],
        [0.02, 0.2, 0.21],
    )
    flown = study.mission(3)
    drawn = flown.model.system.part("body", "beam")
    assert_allclose([drawn.mass_kg, *drawn.com_m], beam(study.case(3))[:4], rtol=1e-15)
    assert drawn.inertia_kg_m2[0, 1] == beam(study.case(3))[7] != 0
    believed = flown.phases[0].controller.believed
    assert believed is not None
    assert believed.system.part("body", "beam").mass_kg == 3.0


@pytest.mark.slow
def test_a_study_of_a_table_runs_in_workers_and_goes_on_and_is_replayed_from_its_folder(tmp_path: Path) -> None:
    file = study_file(tmp_path)
    whole = load_study(file).run(tmp_path / "whole", executor="serial")
    result = load_study(file).run(tmp_path / "workers", workers=2, block=4)
    assert result.hash == whole.hash
    for name in ("masses.csv", "bench.side.toml", "mission.toml", "study.toml"):
        (tmp_path / name).unlink()
    again = load_study(tmp_path / "workers")
    assert again.plan.key == load_study(tmp_path / "whole").plan.key
    assert again.replay(7).row.metrics["angle_deg"] == result.table.metric("angle_deg")[7]
    for chunk in list((tmp_path / "workers" / "chunks").iterdir())[1:]:
        chunk.unlink()
    (tmp_path / "workers" / "ended.json").unlink()
    assert again.run(tmp_path / "workers", executor="serial").hash == whole.hash


REFUSED = {
    "no bodies": (
        '"system.body.*" =',
        '"system.joint.*" =',
        "bodies, as in system.body.* or system.body.NAME, found 'system.joint.*'",
    ),
    "no such body": ('"system.body.*" =', '"system.body.beem" =', "did you mean 'system.body.beam'"),
    "another key": ('"masses.csv" }', '"masses.csv", how = "add" }', "how"),
    "no file": ('"masses.csv" }', '"mass.csv" }', "mass.csv: file: expected a file that can be read"),
    "a number": ('"masses.csv" }', "5 }", "expected the path of a file, found 5"),
    "twice": ("[metrics]", '"system.body.beam.mass_kg" = { distribution = "norm" }\n[metrics]', "set once"),
    "chosen as well": (
        "[metrics]",
        '[design]\n"system.body.beam.mass_kg" = [3, 4]\n[metrics]',
        "a design variable, which sets it too",
    ),
    "correlated twice": (
        "[metrics]",
        '[[correlated]]\npaths = ["system.body.beam.mass_kg", "system.body.beam.com_m[0]"]\n'
        "matrix = [[1, 0.1], [0.1, 1]]\n[metrics]",
        "every number in one group, once",
    ),
}


@pytest.mark.parametrize("which", REFUSED)
def test_what_a_study_cannot_draw_is_refused_with_its_line(which: str, tmp_path: Path) -> None:
    old, new, words = REFUSED[which]
    with pytest.raises(InvalidInput) as refused:
        load_study(study_file(tmp_path, text=STUDY.replace(old, new)))
    assert words in str(refused.value)
    assert all(problem.file and problem.line for problem in refused.value.problems) or which == "no file"


def test_a_table_of_which_another_system_flies_is_refused_with_the_line_of_its_row(tmp_path: Path) -> None:
    file = study_file(tmp_path)
    (tmp_path / "other.csv").write_text(TABLE.replace("beam,3,", "beam,3.5,"))
    file.write_text(STUDY.replace("masses.csv", "other.csv"))
    with pytest.raises(
        InvalidInput, match=r"other.csv:3:1: system.body.beam.mass_kg: expected 3.0, as .*bench.urdf' has, found 3.5"
    ):
        load_study(file)


def test_a_row_of_no_body_is_refused_with_its_line(tmp_path: Path) -> None:
    file = study_file(tmp_path)
    (tmp_path / "other.csv").write_text(TABLE.replace("beam", "bench"))
    file.write_text(STUDY.replace("masses.csv", "other.csv"))
    with pytest.raises(InvalidInput, match=r"other.csv:3:1: body: .*found 'bench'.*root of a robot's file is called base"):
        load_study(file)
