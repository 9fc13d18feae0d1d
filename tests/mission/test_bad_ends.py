"""A mission that goes wrong is told as such, shown and stored."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from scmanip.command._application import application
from scmanip.mission import load_mission
from scmanip.simulation import Outcome

from .files import MISSION, SYSTEM, written

WHEELS = """
[[wheel]]
name = "x"
axis = [1, 0, 0]
inertia_kg_m2 = 0.1
torque_Nm = 0.4

[[wheel]]
name = "y"
axis = [0, 1, 0]
inertia_kg_m2 = 0.1
torque_Nm = 0.4

[[wheel]]
name = "z"
axis = [0, 0, 1]
inertia_kg_m2 = 0.1
torque_Nm = 0.4
"""
CONTROL = next(line for line in MISSION.splitlines() if line.startswith("controller"))
UNSTABLE = MISSION.replace('"floating"', '"rotation_floating"').replace(
    CONTROL, 'controller = { type = "coordinated", K_P = 1e6, K_D = 1e3, base_K_P = 1.0, base_K_D = 2.0, rate_Hz = 5.0 }'
)


@pytest.fixture(scope="module")
def unstable(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a mission whose controller looks too seldom for its gains, with wheels."""
    return written(tmp_path_factory.mktemp("unstable"), UNSTABLE, SYSTEM + WHEELS)


@pytest.mark.slow
def test_a_diverged_mission_has_a_history_a_summary_and_figures(unstable: Path) -> None:
    run = load_mission(unstable).run()
    assert run.outcome is Outcome.DIVERGED
    assert f"(last good state at t = {run.history.t[-1]:.9g} s)" in run.history.advice
    for series in (run.history.states.x, run.history.tau, run.history.wheel_torque, run.history.work_by_joint):
        assert np.all(np.isfinite(series))
    assert abs(run.history.states.u).max() <= 2000
    assert "diverged" in str(run.summary())
    assert run.plot()


@pytest.mark.slow
def test_a_diverged_mission_is_stored_and_exits_with_3(unstable: Path, tmp_path: Path) -> None:
    result = CliRunner().invoke(application, ["run", str(unstable), "-o", str(tmp_path / "results")])
    assert result.exit_code == 3, result.output
    assert (tmp_path / "results" / "run.nc").exists()
