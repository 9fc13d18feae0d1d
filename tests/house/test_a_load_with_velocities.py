"""A newcomer's load, which needs velocities: drag of a plate in the upper atmosphere, in public names and one file."""

from dataclasses import dataclass

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from scmanip import Floating, Plant, State, Study, compile_model, load_mission, load_system, simulate
from scmanip.control import JointRegulator
from scmanip.guidance import Hold
from scmanip.loads import Bodies, BodyWrenches, Gravity, Load, Orbit
from scmanip.simulation import ensemble
from scmanip.spatial import cross
from scmanip.study import dispersed
from tests.house.packages import installed


@dataclass(frozen=True)
class PlateDrag(Load):
    """Free molecules that stick to both sides of a plate on a body: f = -1/2 rho C_D A |n . v| v at its centre."""

    body: str
    area_m2: float
    rho_kg_m3: float = 4e-9
    normal: tuple[float, float, float] = (0.0, 1.0, 0.0)
    centre_m: tuple[float, float, float] = (0.0, 0.0, 0.1)

    def wrenches(self, bodies: Bodies, t: float) -> BodyWrenches:
        """Return drag by the velocity of the plate's centre through air that does not turn with the Earth."""
        k = bodies.number(self.body)
        arm, n = bodies.R[k] @ np.array(self.centre_m), bodies.R[k] @ np.array(self.normal)
        v = bodies.orbit_velocity + bodies.v[k] + cross(bodies.omega[k], arm)
        return bodies.on(self.body, -0.5 * self.rho_kg_m3 * 2.2 * self.area_m2 * abs(n @ v) * v, at=bodies.r[k] + arm)


CODE = """
from typing import Literal
from scmanip.mission import LoadTable, Name, Positive
from tests.house.test_a_load_with_velocities import PlateDrag

class PlateDragTable(LoadTable):
    type: Literal["plate_drag"]
    body: Name
    area_m2: Positive
    rho_kg_m3: Positive
    def load(self, resolved, system): return PlateDrag(self.body, self.area_m2, self.rho_kg_m3)
"""
MISSION = """schema = "scmanip.mission/1"
name = "plate"
system = "model:planar_four_link"
initial = { q_rad = [0.1, 0.2, 0.3, 0.4] }
phase = [{ name = "go", mode = "floating", guidance = { type = "hold" }, until = { t_s = 20.0 }, \
  controller = { type = "joint_regulator", K_P = 30.0, K_D = 20.0 } }]
load = [{ type = "gravity", orbit = { type = "circular", altitude_km = 300 } }, \
  { type = "plate_drag", name = "plate", body = "link4", area_m2 = 2.0, rho_kg_m3 = 4e-9 }]
"""
MODEL, Q = compile_model(load_system("model:planar_four_link")), np.array([0.1, 0.2, 0.3, 0.4])
PLANT = Plant(MODEL, Floating(), [Gravity(Orbit.circular(altitude_m=300e3)), PlateDrag("link4", 2.0)])
LAW, HOLD, START = JointRegulator(MODEL, K_P=30.0, K_D=20.0), Hold(Q), State.at_rest(MODEL.system, Q)


@pytest.mark.slow
def test_it_flies_in_machine_code_in_a_mission_and_in_a_study(tmp_path, monkeypatch):
    run = simulate(PLANT, LAW, START, reference=HOLD, t_end_s=20.0)
    python = simulate(PLANT, lambda t, state: LAW.command(t, state, HOLD.at(t), None)[0], START, t_end_s=20.0)
    many = ensemble(PLANT, LAW, START, reference=HOLD, t_end_s=20.0, step_s=0.1)  # machine code or refused
    assert_allclose([python.final.x, many.x[0, -1]], [run.final.x] * 2, atol=1e-8)
    assert run.external_impulse[-1, 1] < -1.0 < 0.0 < run.residuals["momentum"].broken and run.residuals["momentum"].kept
    v, still = PLANT.orbit.velocity(0.0), np.zeros(4)  # v along y; the plate is turned by 1 rad
    by_air = PLANT.accelerations(START, still) - Plant(MODEL, Floating(), PLANT.loads[:1]).accelerations(START, still)
    assert_allclose((MODEL.M(START) @ by_air)[:3], -0.5 * 4e-9 * 2.2 * 2.0 * v[1] * np.cos(1.0) * v, atol=1e-9)
    installed(tmp_path, monkeypatch, "house_air", "[scmanip.loads]\nplate_drag = house_air:PlateDragTable\n", CODE)
    (tmp_path / "plate.toml").write_text(MISSION)
    history = load_mission(tmp_path / "plate.toml").run().history
    assert_allclose(history.external_impulse[-1], run.external_impulse[-1], rtol=1e-6)
    study = Study(tmp_path / "plate.toml", seed=2, repeats=20, metrics={"speed_m_s": "final(norm(base_velocity_m_s))"},
                  dispersion={"load.plate.rho_kg_m3": dispersed(stats.uniform(0.5, 1.0), how="scale")})  # fmt: skip
    flown, found = study.mission(7).run().history, study.recipe.evaluator().rows([study.case(7)])[0].metrics["speed_m_s"]
    assert found == pytest.approx(np.linalg.norm(flown.v_0[-1]), rel=1e-6) != np.linalg.norm(history.v_0[-1])
