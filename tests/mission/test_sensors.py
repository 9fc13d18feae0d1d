"""`[[sensor]]`, `[[estimator]]` and `[observation]`: what laws of a mission see."""

from __future__ import annotations

import io
from pathlib import Path

import h5netcdf
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats

from scmanip.analysis import base_rotation
from scmanip.campaign import Study
from scmanip.errors import InvalidInput, InvalidMission
from scmanip.mission import MISSION as STORED
from scmanip.mission import load_mission, phase_loop
from scmanip.study import dispersed

from .files import MISSION, UNDRAWN, written

SENSORS = """
[[sensor]]
type = "encoders"
name = "q"
resolution = 1e-4
noise = 2e-4
joints = ["shoulder", "elbow"]

[[sensor]]
type = "gyro"
name = "imu"
angle_walk_rad_rt_s = 1e-4
bias_rad_s = [0.01, 0.02, -0.01]

[[sensor]]
type = "star_tracker"
name = "stars"
noise_rad = [1e-3, 1e-3, 2e-3]
rate_Hz = 5

[[estimator]]
type = "attitude"
name = "att"
gyro = "imu"
star_tracker = "stars"
sigma_rad = 0.02
sigma_rad_s = 0.02

[[estimator]]
type = "differentiator"
name = "rates"
encoders = "q"
bandwidth_rad_s = 5.0
"""
SAMPLED = MISSION.replace("feedforward = true", "feedforward = true, rate_Hz = 10.0")
PHASE = SAMPLED[SAMPLED.index("[[phase]]") : SAMPLED.index("[integration]")]
TWO = SAMPLED.replace(PHASE, PHASE + PHASE.replace('"move"', '"again"'))


def mission(folder: Path, text: str = SAMPLED, sensors: str = SENSORS):
    return load_mission(written(folder, text + sensors + UNDRAWN))


@pytest.mark.slow
def test_a_mission_flies_by_what_sensors_say_and_stores_it(tmp_path):
    made = mission(tmp_path, sensors=SENSORS + "[observation]\nseed = 5\n")
    assert not made.unsaid
    run, blind = made.run(), mission(tmp_path, sensors="").run()
    assert run.completed and abs(run.history.q - blind.history.q).max() > 1e-5
    run.save(tmp_path / "out")
    again = load_mission(tmp_path / "out" / STORED)
    assert repr(again.observation) == repr(made.observation) and again.observation.seed == 5
    assert_array_equal(again.run().history.states.x, run.history.states.x)
    with h5netcdf.File(io.BytesIO(run.netcdf()), "r") as stored:
        assert_array_equal(stored.variables["measured_q"][:], run.history.measured_q)
        assert stored.variables["measured_imu"].attrs["units"] == "rad/s"
        assert stored.variables["error_att"].shape == (len(run.history.t), 6)


def test_what_is_known_goes_on_from_phase_to_phase(tmp_path):
    history = mission(tmp_path, TWO).run().history
    sigma = history.sigma_att[:, 3]
    assert (np.diff(sigma) < 1e-6).all() and sigma[-1] < 0.3 * sigma[0]
    assert (abs(history.error_att) < 5 * history.sigma_att).all()
    noise = history.measured_q - history.q
    half = len(noise) // 2
    assert abs(noise[:half] - noise[half : 2 * half]).max() > 1e-4  # other draws than those of the first phase


@pytest.mark.slow
def test_a_study_disperses_numbers_of_sensors_and_gives_each_case_a_chance_of_its_own(tmp_path):
    metrics = {"turned_rad": "max(base_rotation_rad)"}
    chance = {"sensor.stars.noise_rad": dispersed(stats.uniform(0.5, 1.0), how="scale")}
    path = written(tmp_path, SAMPLED + SENSORS + UNDRAWN)
    study = Study(path, seed=3, repeats=3, dispersion=chance, metrics=metrics)
    first, second = study.mission(1), study.mission(2)
    assert (first.observation.case, second.observation.case) == (1, 2)
    noise = study.case(1).values["sensor.stars.noise_rad"]
    assert_allclose(first.observation.by_name["stars"].noise_rad, noise)
    rows = study.recipe.evaluator().rows([study.case(1), study.case(2)])
    found = [row.metrics["turned_rad"] for row in rows]
    many = Study(
        path,
        seed=3,
        repeats=3000,
        dispersion={"system.body.upper.mass_kg": dispersed(stats.norm(1, 0.1), how="scale")},
        metrics=metrics,
    )
    assert many.recipe.alone == "laws see what sensors say"
    assert found[0] == pytest.approx(base_rotation(first.run().history).max(), rel=1e-2) and found[0] != found[1]


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("noise = 2e-4", "noise = -1.0", "a finite number >= 0"),
        ("noise = 2e-4", "nose = 1.0", "nose"),
        ('type = "gyro"', 'type = "gyrro"', "gyro"),
        ('gyro = "imu"', 'gyro = "stars"', "a gyro called 'stars'"),
        ('name = "imu"', 'name = "q"', "'q' again"),
        ('["shoulder", "elbow"]', '["wrist"]', "wrist"),
        ("noise_rad = [1e-3, 1e-3, 2e-3]", "noise_rad = [1e-3, 1e-3]", "3 finite numbers"),
        ("rate_Hz = 5", "rate_Hz = 3", "10 Hz of the law"),
        ("sigma_rad = 0.02\n", "", "sigma_rad"),
    ],
)
def test_what_is_wrong_is_refused_with_its_place(tmp_path, old, new, words):
    with pytest.raises(InvalidMission, match=words) as refused:
        mission(tmp_path, sensors=SENSORS.replace(old, new))
    assert all(problem.line for problem in refused.value.problems)


def test_laws_that_cannot_see_so_are_refused(tmp_path):
    with pytest.raises(InvalidMission, match="a law that is sampled"):
        mission(tmp_path, MISSION)
    other = TWO.replace("rate_Hz = 10.0", "rate_Hz = 20.0", 1)
    with pytest.raises(InvalidMission, match="looks at 20 Hz as before"):
        mission(tmp_path, other)
    with pytest.raises(InvalidMission, match="tables that it is about"):
        mission(tmp_path, sensors="[observation]\nseed = 1\n")
    with pytest.raises(InvalidInput, match="laws that see the truth"):
        phase_loop(mission(tmp_path))
    assert_allclose(mission(tmp_path).observation.by_name["imu"].bias_rad_s, [0.01, 0.02, -0.01])
