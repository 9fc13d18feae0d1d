"""Systems as MJCF: MuJoCo compiles what is written and has the same inertia and places."""

from __future__ import annotations

import tomllib

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip import Body, Joint, System, compile_model, load_system
from scmanip.system import Box, Capsule, Motor, Plane, Sphere, Visual, Wheel
from tests.system.other_tools import InMujoco, random_state
from tests.system.test_urdf import BENCH, SERVICER, SIDE, loaded

FREE = ["general_6r", "bench_6r", "planar_four_link"]


@pytest.mark.parametrize("name", [*FREE, "servicer", "bench"])
def test_mujoco_has_the_same_inertia_and_places(name: str) -> None:
    files = {"servicer": lambda: loaded(SERVICER, side=SIDE), "bench": lambda: load_system(BENCH)}
    system = files.get(name, lambda: load_system(f"model:{name}"))()
    model, other, rng = compile_model(system), InMujoco.of_text(system.to_mjcf(), system), np.random.default_rng(11)
    for _ in range(3):
        state = random_state(system, rng)
        expected = model.M(state)
        assert_allclose(other.M(state), expected, rtol=0, atol=1e-12 * np.abs(expected).max())
        data = other.data(state)
        for body in system.bodies:
            assert_allclose(data.body(body.name).xpos, model.position(state, body.name), rtol=0, atol=1e-12)
        for frame in system.frames:
            assert_allclose(data.site(frame.name).xpos, model.position(state, frame.name), rtol=0, atol=1e-12)


def test_wheels_are_bodies_that_spin_and_take_nothing_from_the_whole() -> None:
    system = loaded(SERVICER, side=SIDE)
    other = InMujoco.of_text(system.to_mjcf(), system)
    wheel = other.model.joint("wx spin")
    assert_allclose(other.model.body_subtreemass[0], system.mass_kg, rtol=1e-14)
    assert other.model.actuator("wx").ctrlrange.tolist() == [-0.2, 0.2]
    state = random_state(system, np.random.default_rng(12))
    data, M = other.data(state), np.zeros(other.model.nv)
    other.mujoco.mj_mulM(other.model, data, M, np.eye(other.model.nv)[wheel.dofadr[0]])
    assert_allclose(M[wheel.dofadr[0]], 0.02, rtol=1e-12)


def test_shapes_and_visuals_are_geoms() -> None:
    shapes = [Box("b", "base", [2.0, 4.0, 6.0]), Sphere("s", "arm", 0.3), Capsule("c", "arm", 0.1, 0.8), Plane("p", "ground")]
    looks = [Visual("arm", "cylinder", (0.1, 0.5), rgba=(1.0, 0.0, 0.0, 1.0)), Visual("base", "ellipsoid", (1.0, 2.0, 3.0))]
    arm = Body("arm", 2.0, [0.1, 0.1, 0.1], [0.1, 0, 0], "base", Joint("elbow", "revolute", lower=-1.0, upper=1.0))
    motors = [Motor("elbow", torque_Nm=3.0, rotor_inertia_kg_m2=1e-4)]
    system = System("seen", Body("base", 9.0, [1, 1, 1]), [arm], shapes=shapes, visuals=looks, actuators=motors)
    text = system.to_mjcf()
    geoms = InMujoco.of_text(text, system).model
    assert [geoms.geom(name).size.tolist()[:n] for name, n in (("b", 3), ("s", 1), ("c", 2))] == [[1, 2, 3], [0.3], [0.1, 0.4]]
    assert geoms.ngeom == 6
    assert geoms.joint("elbow").range.tolist() == [-1.0, 1.0]
    assert [motor["joint"] for motor in tomllib.loads(text.side)["motor"]] == ["elbow"]


def test_what_a_wheel_is_beside_a_body_is_in_the_side_table() -> None:
    wheel = Wheel("w", [0, 0, 1], 0.1, speed_rad_s=100.0)
    text = System("one", Body("base", 9.0, [1, 1, 1]), actuators=[wheel]).to_mjcf()
    assert tomllib.loads(text.side)["wheel"][0]["speed_rad_s"] == 100.0
