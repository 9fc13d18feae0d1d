"""A mission is computed by the integrator that its file names."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.mission import MISSION as STORED
from scmanip.mission import Mission, load_mission
from scmanip.simulation import DOP853, RK4, FixedDOP853, Radau
from scmanip.spatial import Array

from .files import MISSION, SYSTEM, UNDRAWN, written


def mission(folder: Path, said: str) -> Mission:
    return load_mission(written(folder, MISSION.replace("rtol = 1e-10", said) + UNDRAWN))


@pytest.fixture(scope="module")
def fine(tmp_path_factory: pytest.TempPathFactory) -> Array:
    """The last state, to thirteen digits."""
    return mission(tmp_path_factory.mktemp("fine"), "rtol = 1e-13").run().history.final.x


@pytest.mark.slow
@pytest.mark.parametrize(
    ("said", "method"),
    [
        ('integrator = "rk4"\nstep_s = 0.05', RK4(0.05)),
        ('integrator = "fixed_dop853"\nstep_s = 0.25', FixedDOP853(0.25)),
        ('integrator = "dop853"', DOP853()),
        ('integrator = "radau"\nrtol = 1e-6', Radau()),
    ],
)
def test_the_integrator_of_the_file_flies_and_is_stored(tmp_path: Path, said: str, method: object, fine: Array) -> None:
    made = mission(tmp_path, said)
    assert made.integration.integrator == method
    assert not made.unsaid
    run = made.run()
    run.save(tmp_path / "out")
    again = load_mission(tmp_path / "out" / STORED)
    assert again.integration == made.integration
    assert_allclose(run.history.final.x, fine, atol=1e-3)


def test_the_error_of_runge_kutta_falls_by_sixteen_with_half_the_step(tmp_path: Path, fine: Array) -> None:
    runs = [mission(tmp_path, f'integrator = "rk4"\nstep_s = {step_s}').run() for step_s in (0.1, 0.05)]
    coarse, half = (float(np.abs(run.history.final.x - fine).max()) for run in runs)
    assert np.log2(coarse / half) == pytest.approx(4, abs=0.5)


def test_a_second_flight_takes_half_the_step(tmp_path: Path) -> None:
    finer = mission(tmp_path, 'integrator = "rk4"\nstep_s = 0.1').integration.finer(1.0)
    assert finer.integrator == RK4(0.05, max_steps=20_000_000)


@pytest.mark.parametrize("stiffness", [1e5, pytest.param(1e7, marks=pytest.mark.slow)])
def test_the_energy_of_a_stiff_spring_is_accounted_for(tmp_path: Path, stiffness: float) -> None:
    sprung = SYSTEM.replace("axis = [0, 1, 0] }", f"axis = [0, 1, 0], stiffness_Nm_rad = {stiffness} }}")
    run = load_mission(written(tmp_path, MISSION + UNDRAWN, sprung)).run()
    energy, stored = run.history.residuals["energy"], run.history.stored_energy
    assert energy.scale == abs(stored - stored[0]).max() > 1e4 * run.history.kinetic_energy.max()
    assert energy.relative < 1e-10
    assert next(verdict for verdict in run.verdicts if verdict.name == "energy_relative").passed
