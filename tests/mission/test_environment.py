"""Missions in orbit: the table, its mistakes, the clock over phases, and what is stored."""

from __future__ import annotations

from pathlib import Path

import h5netcdf
import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.errors import InvalidMission
from scmanip.loads import EARTH, CentralBody, Gravity, Orbit
from scmanip.mission import Run, load_mission
from scmanip.modes import Floating

from .files import FIXED, MISSION, SYSTEM, written

CIRCLE = '{ type = "circular", altitude_km = 500.0, inclination_deg = 90.0, argument_of_latitude_rad = 0.5 }'
ELLIPSE = '{ type = "elliptic", semi_major_axis_km = 8000.0, eccentricity = 0.15, true_anomaly_deg = 60.0 }'
SECOND = """
[[phase]]
name = "again"
mode = "floating"
controller = { type = "computed_torque", K_P = 4.0, K_D = 4.0, feedforward = true }
guidance = { type = "joint_sequence", rate_rad_s = 0.2, ramp_s = 0.2, cruise_s = [0.1, 0.4, 0.1], rest_s = 0.0, settle_s = 0.1 }
"""


def in_orbit(orbit: str, more: str = "", mission: str = MISSION) -> str:
    """Return a mission text with an environment."""
    return mission.replace("[integration]", f"[environment]\norbit = {orbit}\n{more}\n[integration]")


def test_an_environment_is_absent_unless_it_is_asked_for(tmp_path: Path) -> None:
    mission = load_mission(written(tmp_path))
    assert mission.loads == ()
    assert "environment" not in mission.resolved


def test_units_are_converted_and_angles_left_out_are_zero(tmp_path: Path) -> None:
    mission = load_mission(written(tmp_path, in_orbit(CIRCLE)))
    orbit = Orbit.circular(altitude_m=500e3, inclination_rad=np.pi / 2, argument_of_latitude_rad=0.5)
    assert mission.loads == (Gravity(orbit),)
    more = "mu_m3_s2 = 4.2828e13\nbody_radius_km = 3396.2"
    mission = load_mission(written(tmp_path, in_orbit(ELLIPSE, more)))
    mars = CentralBody("the central body", 4.2828e13, 3396.2e3)
    orbit = Orbit.elliptic(semi_major_axis_m=8e6, eccentricity=0.15, true_anomaly_rad=np.pi / 3, body=mars)
    assert mission.loads == (Gravity(orbit),)


# the table, the start of the line that the message must point at, and words of the message
MISTAKES = {
    "no size": (
        '{ type = "circular" }',
        "orbit",
        "orbit: expected one of altitude_m, altitude_km, radius_m, radius_km, found none",
    ),
    "two sizes": ('{ type = "circular", altitude_m = 5e5, radius_m = 7e6 }', "orbit", "found altitude_m and radius_m"),
    "two units": (
        '{ type = "circular", altitude_m = 5e5, altitude_km = 500 }',
        "orbit",
        "altitude_km: expected one of the two",
    ),
    "two units of an angle": (
        '{ type = "circular", altitude_m = 5e5, raan_rad = 1, raan_deg = 3 }',
        "orbit",
        "raan_deg: expected one of the two units",
    ),
    "below the ground": ('{ type = "circular", altitude_km = -5 }', "orbit", "a path outside 'earth'"),
    "too long": (
        '{ type = "elliptic", semi_major_axis_km = 9000, eccentricity = 1.2 }',
        "orbit",
        "eccentricity: expected a number",
    ),
    "unknown type": ('{ type = "circle", altitude_km = 500 }', "orbit", "one of circular, elliptic"),
    "unknown key": ('{ type = "circular", altitude_kn = 500 }', "orbit", "did you mean 'altitude_km'"),
    "text": ('{ type = "circular", altitude_km = "low" }', "orbit", "altitude_km: expected a number, found 'low'"),
    "half a body": (f"{CIRCLE}\nmu_m3_s2 = 4.2828e13", "mu_m3_s2", "body_radius_m beside it, or neither for the Earth"),
    "body in two units": (
        f"{CIRCLE}\nmu_m3_s2 = 4.2828e13\nbody_radius_m = 3.4e6\nbody_radius_km = 3400.0",
        "body_radius_km",
        "one of the two units",
    ),
}


@pytest.mark.parametrize(("orbit", "start", "words"), MISTAKES.values(), ids=MISTAKES.keys())
def test_a_mistake_is_named_at_its_line(tmp_path: Path, orbit: str, start: str, words: str) -> None:
    text = in_orbit(orbit)
    with pytest.raises(InvalidMission) as caught:
        load_mission(written(tmp_path, text))
    pointed = [problem for problem in caught.value.problems if words in str(problem)]
    assert len(pointed) == 1, caught.value.problems
    assert text.splitlines()[pointed[0].line - 1].startswith(start)


def test_a_held_base_is_refused_an_orbit(tmp_path: Path) -> None:
    text = in_orbit(CIRCLE).replace('"floating"', '"fixed_base"').replace("momentum_relative = 1e-8\n", "")
    text = text.replace("system_com_drift_m = 1e-9\n", "")
    with pytest.raises(InvalidMission, match=r"environment: expected parts that fit together.*needs a base that is free"):
        load_mission(written(tmp_path, text, FIXED))


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A mission of two phases on an ellipse, some metres from the reference, at fine tolerance."""
    text = in_orbit(ELLIPSE, mission=MISSION.replace("[integration]", SECOND + "\n[integration]"))
    text = text.replace("[initial]\n", "[initial]\nr_0_m = [5.0, -4.0, 3.0]\n").replace("rtol = 1e-10", "rtol = 1e-12")
    return load_mission(written(tmp_path_factory.mktemp("orbit"), text, SYSTEM)).run()


def test_the_clock_of_the_orbit_and_its_books_run_on_over_phases(run: Run) -> None:
    second = run.histories[1]
    assert run.passed, str(run.summary())
    assert second.external is not None
    for residual in Floating().contract(run.history).values():
        assert residual.broken > 1e3 * residual.value, residual
    g = EARTH.mu_m3_s2
    orbit = Orbit.elliptic(semi_major_axis_m=8e6, eccentricity=0.15, true_anomaly_rad=np.pi / 3)
    R = orbit.position(run.histories[0].t[-1])
    r, size = second.r_C[0], np.linalg.norm(R)
    pull = -g / size**3 * (r - 3 * R * (R @ r) / size**2) * second.mass_kg  # to first order in r
    assert_allclose(second.external.impulse[1] / second.t[1], pull, rtol=0.02, atol=0.02 * np.linalg.norm(pull))


HOLD = """
[[phase]]
name = "{name}"
mode = "floating"
controller = {{ type = "computed_torque", K_P = 1.0, K_D = 2.0 }}
guidance = {{ type = "hold" }}
until = {{ t_s = {t_s} }}
"""


@pytest.mark.slow
def test_a_phase_after_a_quarter_of_an_orbit_is_pulled_as_there(tmp_path: Path) -> None:
    """A place beside the orbit is pulled towards it along the orbit's normal, and away from it along the radius."""
    head = MISSION[: MISSION.index("[initial]")] + "[initial]\nr_0_m = [100.0, 0.0, 0.0]\nq_rad = [0.2, -0.3]\n"
    circle = (
        '\n[environment.orbit]\ntype = "circular"\nradius_km = 7000.0\n\n[integration]\nrtol = 1e-9\noutput_step_s = 10.0\n'
    )
    quarter = np.pi / 2 / np.sqrt(EARTH.mu_m3_s2 / 7e6**3)
    long, short = HOLD.format(name="wait", t_s=quarter), HOLD.format(name="then", t_s=10.0)
    run = load_mission(written(tmp_path, head + long + short + circle)).run()
    second = run.histories[1]
    assert second.external is not None
    n = EARTH.mu_m3_s2 / 7e6**3  # now the radius is along y: x and z are pulled back, y is pushed away twice as much
    pull = -n * second.r_C[0] * [1.0, -2.0, 1.0] * second.mass_kg
    assert_allclose(second.external.impulse[1] / second.t[1], pull, atol=0.02 * np.linalg.norm(pull))


def test_the_summary_says_what_the_environment_broke(run: Run) -> None:
    lines = [line for line in str(run.summary()).splitlines() if "broken by environment" in line]
    assert [line.split(" broken")[0] for line in lines] == [
        "linear momentum",
        "angular momentum",
        "CoM's straight path",
        "energy",
    ]
    broken = run.history.residuals["momentum"].broken
    assert f"{broken:.4g} N s" in lines[0]


@pytest.mark.slow
def test_the_results_folder_keeps_the_books_and_a_mission_that_loads_again(run: Run, tmp_path: Path) -> None:
    run.save(tmp_path / "results")
    again = load_mission(tmp_path / "results" / "mission.resolved.toml")
    assert again.loads == run.mission.loads
    assert again.resolved["environment"]["orbit"]["semi_major_axis_m"] == 8e6
    with h5netcdf.File(tmp_path / "results" / "run.nc", "r") as file:
        assert_allclose(file["external_impulse"][...], run.history.external.impulse, rtol=0)
        assert file["external_work"].attrs["units"] == "J"
        assert file.attrs["residual_momentum_broken_by_environment"] == run.history.residuals["momentum"].broken
