"""The mission files that come with the project."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from scmanip.control import ComputedTorque
from scmanip.mission import load_mission

FOLDER = Path(__file__).parents[2] / "missions"
FILES = sorted(FOLDER.glob("*.toml"))
STUDIES = [FOLDER / "planar_four_link.toml", FOLDER / "spatial_six_link.toml"]


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_every_mission_file_is_valid_and_called_like_its_file(path: Path) -> None:
    assert load_mission(path).name == path.stem


@pytest.mark.parametrize("path", STUDIES, ids=[path.stem for path in STUDIES])
def test_a_case_study_flies_the_papers_manoeuvre_from_the_extended_arm(path: Path) -> None:
    mission = load_mission(path)
    (phase,) = mission.phases
    assert_array_equal(mission.initial.q, 0.0)
    assert_array_equal(mission.initial.u, 0.0)
    assert isinstance(phase.controller, ComputedTorque)
    assert_array_equal(phase.controller.K_P, 1.0)
    assert_array_equal(phase.controller.K_D, 1.0)
    assert mission.integration.rtol == 1e-12
    assert mission.limits.momentum_relative == mission.limits.system_com_drift_m == mission.limits.energy_relative == 1e-9
    for joint in range(mission.system.layout.N):
        for leg, angle in ((11.0, 1.0), (23.5, 0.0), (34.0, -1.0), (48.0, 0.0)):
            wanted = np.zeros(mission.system.layout.N)
            wanted[joint] = angle
            assert phase.reference.at(49.0 * joint + leg).q == pytest.approx(wanted, abs=1e-12)
    assert phase.t_end_s >= phase.reference.t_end_s == 49.0 * mission.system.layout.N


@pytest.mark.parametrize("path", STUDIES, ids=[path.stem for path in STUDIES])
def test_a_stand_in_says_so_and_claims_no_table_of_the_paper(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert "stand-in" in load_mission(path).title
    assert "A stand-in for the" in text
    assert "Wilde Table" not in text
