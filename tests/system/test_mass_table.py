"""Mass properties from a CSV file that a side table names."""

from __future__ import annotations

from pathlib import Path

import pytest
from numpy.testing import assert_allclose

from scmanip import System
from scmanip.errors import InvalidSystem
from scmanip.system import mass_scatter
from tests.system.test_urdf import SERVICER, loaded

TABLE = """body,mass_kg,com_x_m,com_y_m,com_z_m,ixx_kg_m2,iyy_kg_m2,izz_kg_m2,ixy_kg_m2
bus,400.5,0.01,0,-0.02,40,50,60,1.5
upper,11,0.5,0,0,0.05,1,1,0

"""


SPREAD = """body,mass_kg,ixx_kg_m2,iyy_kg_m2,izz_kg_m2,sigma_mass_kg,sigma_ixx_kg_m2,sigma_iyy_kg_m2,\
corr_mass_ixx,corr_mass_iyy,corr_ixx_iyy
bus,400.5,40,50,60,2,0.5,0.4,0.9,-0.9,-0.9
upper,11,0.05,1,1,0,0.5,0.4,0,0,1
"""


def weighed(folder: Path, table: str) -> System:
    (folder / "masses.csv").write_text(table)
    (folder / "side.toml").write_text('schema = "scmanip.side/1"\nmasses = "masses.csv"\n')
    return loaded(SERVICER, side=folder / "side.toml")


def test_a_table_says_masses_in_place_of_the_file(tmp_path: Path) -> None:
    system = weighed(tmp_path, TABLE)
    assert (system.base.mass_kg, system.bodies[1].mass_kg, system.bodies[2].mass_kg) == (400.5, 11.0, 8.0)
    assert_allclose(system.base.inertia_kg_m2, [[40, 1.5, 0], [1.5, 50, 0], [0, 0, 60]])
    assert system.base.com_m.tolist() == [0.01, 0.0, -0.02]


WRONG = {
    ("400.5", "heavy"): (2, 2, "'heavy'"),
    ("upper,", "uper,"): (3, 1, "'uper'"),
    ("mass_kg", "mas_kg"): (1, 2, "'mas_kg'"),
    ("com_x_m", "mass_sd_kg"): (1, 3, "'mass_sd_kg'"),
    (",1,1,0", ",1"): (3, 1, "7"),
    ("upper,11", "bus,11"): (3, 1, "a second one of 'bus'"),
    ("11,0.5", "-11,0.5"): (3, 1, "-11"),
}


@pytest.mark.parametrize("change", WRONG)
def test_what_is_wrong_is_told_with_line_and_column(change: tuple[str, str], tmp_path: Path) -> None:
    with pytest.raises(InvalidSystem) as refused:
        weighed(tmp_path, TABLE.replace(*change))
    problem = refused.value.problems[0]
    assert (problem.line, problem.column, problem.found) == WRONG[change]
    assert problem.file.endswith("masses.csv")


def test_a_side_table_takes_the_numbers_of_a_table_that_says_how_they_scatter(tmp_path: Path) -> None:
    assert weighed(tmp_path, SPREAD).base.mass_kg == 400.5


def test_scatter_is_read_by_body() -> None:
    bus, upper = mass_scatter(SPREAD, "masses.csv")
    assert bus.mean == (400.5, 0, 0, 0, 40, 50, 60, 0, 0, 0)
    assert (bus.sigma[0], bus.sigma[4:6], bus.correlation[0][4:6], bus.correlation[5][4]) == (2, (0.5, 0.4), (0.9, -0.9), -0.9)
    assert (upper.sigma[0], upper.correlation[4][5], upper.line) == (0, 1, 3)  # one that follows from another


WRONG_SPREAD = {
    ("sigma_mass_kg", "sigma_mass_g"): (1, 6, "'sigma_mass_g'"),
    ("sigma_mass_kg", "sigma_com_x_m"): (1, 6, "nothing"),
    ("sigma_iyy_kg_m2", "sigma_izz_kg_m2"): (1, 10, "nothing"),
    ("corr_ixx_iyy", "corr_ixx_mass"): (1, 11, "'corr_ixx_mass' beside 'corr_mass_ixx'"),
    ("corr_ixx_iyy", "corr_ixx_arm"): (1, 11, "'corr_ixx_arm'"),
    ("60,2", "60,-2"): (2, 6, "-2"),
    ("60,2", "60,"): (2, 6, "nothing"),
    ("0.9,-0.9,-0.9", "0.9,-0.9,-1.1"): (2, 11, "-1.1"),
    ("0.9,-0.9,-0.9", "0.9,-0.9,0.9"): (2, 9, "an eigenvalue of -0.8 of the correlations of 'bus'"),
    ("0.4,0,0,1", "0.4,0.5,0,1"): (3, 9, "0.5"),
}


@pytest.mark.parametrize("change", WRONG_SPREAD)
def test_what_is_wrong_with_scatter_is_told_with_line_and_column(change: tuple[str, str]) -> None:
    with pytest.raises(InvalidSystem) as refused:
        mass_scatter(SPREAD.replace(*change), "masses.csv")
    problem = refused.value.problems[0]
    assert (problem.file, problem.line, problem.column, problem.found) == ("masses.csv", *WRONG_SPREAD[change])


def test_a_table_without_scatter_draws_nothing_and_is_refused() -> None:
    with pytest.raises(InvalidSystem, match="expected a column such as sigma_mass_kg with a number > 0, found none"):
        mass_scatter(TABLE, "masses.csv")
