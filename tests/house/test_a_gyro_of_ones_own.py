"""A newcomer's actuator: control moment gyros, constant-speed rotors on gimbals, of a package with one class in it."""

import h5netcdf
import numpy as np
import pytest
from scipy.stats import uniform

from scmanip import Plant, Study, load_mission
from scmanip.simulation import ensemble, simulate
from tests.house.packages import installed

CODE = """
from dataclasses import dataclass
import numpy as np
from scmanip.actuators import Axis, Name, Positive, StateEntry, Turner
from scmanip.spatial import cos, sin
@dataclass(frozen=True, eq=False)
class Gyro(Turner):
    kind = "gyro"
    states = (StateEntry("angle", "rad"),)
    name: Name
    gimbal: Axis
    spin: Axis  # of the rotor at angle 0
    momentum_Nms: Positive
    def to(self, angle): return cos(angle) * self.spin + sin(angle) * np.cross(self.gimbal, self.spin)
    def momentum(self, state): return self.momentum_Nms * self.to(state)
    def axes(self, state): return self.to(state + np.pi / 2)[np.newaxis]
    def gains(self, state): return np.array([self.momentum_Nms])
    def twice_energy(self, state): return 0.0 * state[..., 0]  # the same at all angles
    def efforts(self, state, rates, omega_0, omega_0_dot): return -self.momentum_Nms * (self.axes(state) @ omega_0)  # gimbal's
    def power(self, state, rates, omega_0, omega_0_dot): return omega_0_dot @ self.momentum(state)  # the rotor's motor too
"""
SYSTEM = """schema = "scmanip.system/1"
base = { mass_kg = 400, inertia_kg_m2 = [90, 110, 100] }
arm = [{ link = [{ type = "revolute", a_m = 0.5, b_m = 0.5, mass_kg = 12, inertia_kg_m2 = [0.1, 1, 1] }] }]
gyro = [{ name = "px", gimbal = [0.8, 0, 0.6], spin = [0, 1, 0], momentum_Nms = 20 }, { name = "py", gimbal = [0, 0.8, 0.6], \
  spin = [-1, 0, 0], momentum_Nms = 20 }, { name = "mx", gimbal = [-0.8, 0, 0.6], spin = [0, -1, 0], momentum_Nms = 20 }]
"""
MISSION = """schema = "scmanip.mission/1"
name = "slew"
system = "gyros.toml"
initial = { q_rad = [0.2], gyro_angle_rad = { px = 0.3 } }
integration = { rtol = 1e-11, output_step_s = 0.25 }
phase = [{ name = "slew", mode = "rotation_floating", guidance = { type = "cycloid", q_rad = [0.5], duration_s = 1.5 }, \
  controller = { type = "coordinated", K_P = 4.0, K_D = 4.0, base_K_P = 0.5, base_K_D = 1.0 } }]
"""


@pytest.fixture
def mission(tmp_path, monkeypatch):
    installed(tmp_path, monkeypatch, "house_gyro", "[scmanip.actuators]\ngyro = house_gyro:Gyro\n", CODE)
    for name, text in (("gyros.toml", SYSTEM), ("slew.toml", MISSION)):
        (tmp_path / name).write_text(text)
    return load_mission(tmp_path / "slew.toml")


@pytest.mark.slow
def test_momentum_is_exact_in_machine_code_and_in_python_and_stands_in_books_and_pages(mission, tmp_path):
    run, phase = mission.run(), mission.phases[0]
    history, law, plant = run.history, phase.controller.begun(mission.initial), Plant(mission.model, phase.mode)
    assert abs(history.L_C - history.L_C[0]).max() < 1e-10 * abs(history.L_C).max() and not history.broken_laws
    assert np.ptp(history.gyro_angle, axis=0).max() > 0.05 and abs(history.unaccounted["L_C"]).max() < 1e-12
    many = ensemble(plant, law, mission.initial, reference=phase.reference, t_end_s=1.5, step_s=0.02)
    np.testing.assert_allclose(many.x[0, -1], history.states.x[-1], atol=1e-8)  # by machine code, or refused
    unknown = lambda t, state: law.command(t, state, phase.reference.at(t), None)[0]  # noqa: E731
    slow = simulate(plant, unknown, mission.initial, t_end_s=0.5, rtol=1e-9, output_step_s=0.25)
    for name in ("gyro_angle", "gyro_torque", "h_gyros", "work_by_gyro", "kinetic_energy_by_gyro"):
        np.testing.assert_allclose(getattr(slow, name), getattr(history, name)[:3], atol=1e-7, err_msg=name)
    assert {path.stem for path in run.save(tmp_path / "out")} >= {"gyro_momentum", "gyro_torque"}
    with h5netcdf.File(tmp_path / "out" / "run.nc") as file:
        assert file["gyro_angle"].dimensions == ("time", "gyro") and file["h_gyros"].attrs["units"] == "N m s"
    assert all(word in str(run.summary()) for word in ("gyro angle", "gyro torque", "gyro momentum"))


@pytest.mark.slow
def test_a_study_varies_its_numbers(mission, tmp_path):
    chance = {"system.gyro.*.momentum_Nms": uniform(18, 4), "initial.gyro_angle_rad.px": uniform(0, 0.1)}
    study = Study(mission.file, seed=2, repeats=2, dispersion=chance, metrics={"most_Nms": "max(gyro_momentum_Nms)"})
    flown, gyros = study.run(tmp_path / "cases", executor="serial"), study.mission(1).system.turners.each
    assert gyros[0].momentum_Nms == study.case(1).values["system.gyro.px.momentum_Nms"] != 20.0
    assert flown.table.metric("most_Nms")[1] == pytest.approx(max(gyro.momentum_Nms for gyro in gyros))
