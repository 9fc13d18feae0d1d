"""What a mission file says arrives in what flies and in what judges it, in SI, each key at its place."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

from scmanip.control import JointRegulator
from scmanip.guidance import JointReference
from scmanip.loads import Gravity
from scmanip.mission import Mission, load_mission

from .files import SLIDER, SYSTEM, written

DEG = np.pi / 180
WHEELS = "".join(
    f'\n[[wheel]]\nname = "r{letter}"\naxis = {axis}\ninertia_kg_m2 = 0.05\n'
    for letter, axis in zip("xyz", np.eye(3).tolist(), strict=True)
)
FRAME = '\n[[frame]]\nname = "tip"\nbody = "lower"\norigin_m = [0.8, 0.0, 0.0]\n'
HEAD = 'schema = "scmanip.mission/1"\nname = "short"\nsystem = "arm.toml"\n'
MISSION = (
    HEAD
    + """
[initial]
r_0_m = [1.0, -2.0, 0.5]
rpy_deg = [30.0, -20.0, 50.0]
v_0_m_s = [0.01, 0.02, 0.03]
omega_0_deg_s = [1.0, 2.0, -3.0]
q_deg = { shoulder = 10.0 }
q_m = { elbow = 0.2 }
qdot_deg_s = { shoulder = 4.0 }
qdot_m_s = { elbow = 0.05 }
wheel_rpm = { rx = 60.0, rz = -120.0 }

[[phase]]
name = "turn"
mode = "floating"
controller = { type = "joint_regulator", K_P = [10.0, 20.0], K_D = { shoulder = 1.0, elbow = 2.0 } }
guidance = { type = "joint_sequence", joints = ["shoulder"], rate_deg_s = 6.0, ramp_s = 1.0, cruise_s = [2.0, 5.0, 2.0] }
events = [{ type = "saturation", torque_Nm = 5.0, force_N = 6.0, then = "log" }]

[[phase]]
name = "go"
mode = "floating"
controller = { type = "computed_torque" }
guidance = { type = "cycloid", q_deg = { shoulder = -30.0 }, duration_s = 8.0 }

[environment.orbit]
type = "circular"
altitude_km = 500.0
inclination_deg = 30.0
raan_deg = 40.0
argument_of_latitude_deg = 60.0

[integration]
rtol = 1e-8
"""
)


def load(folder: Path, text: str, system: str = SLIDER + WHEELS + FRAME) -> Mission:
    return load_mission(written(folder, text, system))


@pytest.fixture(scope="module")
def mission(tmp_path_factory: pytest.TempPathFactory) -> Mission:
    return load(tmp_path_factory.mktemp("file"), MISSION)


def test_the_base_starts_as_the_file_says(mission: Mission) -> None:
    """Roll, pitch and yaw turn about x, then y, then z of the axes as they are: yaw first in the product."""
    start = mission.initial
    assert_allclose(start.r_0, [1.0, -2.0, 0.5])
    assert_allclose(start.v_0, [0.01, 0.02, 0.03])
    assert_allclose(start.omega_0, np.array([1.0, 2.0, -3.0]) * DEG, rtol=1e-14)
    wanted = Rotation.from_euler("xyz", [30.0, -20.0, 50.0], degrees=True)
    assert (Rotation.from_quat(start.attitude_xyzw) * wanted.inv()).magnitude() < 1e-12


def test_joints_and_wheels_start_as_the_file_says(mission: Mission) -> None:
    start = mission.initial
    assert_allclose(start.q, [10.0 * DEG, 0.2], rtol=1e-14)
    assert_allclose(start.qdot, [4.0 * DEG, 0.05], rtol=1e-14)
    assert_allclose(start.wheel_rad_s, [2 * np.pi, 0.0, -4 * np.pi], rtol=1e-14)


def test_gains_keep_their_order(mission: Mission) -> None:
    law = mission.phases[0].controller
    assert isinstance(law, JointRegulator)
    assert_allclose(law.K_P, [10.0, 20.0])
    assert_allclose(law.K_D, [1.0, 2.0])


def test_saturations_are_of_the_joints_of_their_unit(mission: Mission) -> None:
    (event,) = mission.phases[0].events.all
    assert_allclose(event.tau_max, [5.0, 6.0])  # type: ignore[attr-defined]


def sample(mission: Mission, phase: int, t: float) -> JointReference:
    planned = mission.phases[phase].begun(mission.initial, mission.initial.q)
    found = planned.reference.at(t)
    assert isinstance(found, JointReference)
    return found


def test_a_sequence_runs_at_the_rate_of_the_file(mission: Mission) -> None:
    """A ramp of 1 s covers half of what a cruise does; two seconds at 6 deg/s and two ramps are 18 deg."""
    cruise = sample(mission, 0, 2.0)
    assert_allclose(cruise.qdot, [6.0 * DEG, 0.0], rtol=1e-12)
    assert_allclose(sample(mission, 0, 4.0).q, [(10.0 + 18.0) * DEG, 0.2], rtol=1e-12)


def test_joints_that_a_goal_leaves_out_stay(mission: Mission) -> None:
    assert_allclose(sample(mission, 1, 8.0).q, [-30.0 * DEG, 0.2], rtol=1e-12)
    assert mission.phases[1].t_end_s == 8.0


def test_the_orbit_is_that_of_the_file(mission: Mission) -> None:
    """On a circle of 500 km above the Earth, 60 degrees beyond a node at 40 degrees, 30 degrees inclined."""
    (load,) = mission.loads
    assert isinstance(load, Gravity)
    orbit = load.orbit
    along, node, tilt = 60 * DEG, 40 * DEG, 30 * DEG
    out = [
        np.cos(node) * np.cos(along) - np.sin(node) * np.sin(along) * np.cos(tilt),
        np.sin(node) * np.cos(along) + np.cos(node) * np.sin(along) * np.cos(tilt),
        np.sin(along) * np.sin(tilt),
    ]
    assert_allclose(orbit.position(0.0), (orbit.body.radius_m + 500e3) * np.array(out), rtol=1e-9)


def test_tolerances_and_samples_that_are_left_out_follow_from_the_rest(mission: Mission) -> None:
    settings, t_end_s = mission.integration, mission.t_end_s
    assert (settings.rtol, settings.output_step_s) == (1e-8, pytest.approx(t_end_s / 500, rel=1e-12))
    assert settings.atol == pytest.approx(1e-8, rel=1e-12)
    assert mission.resolved["integration"]["output_step_s"] == settings.output_step_s


LIMITS = {
    "momentum_relative": (1e-3, "momentum_relative", 1e-3),
    "system_com_drift_m": (2e-3, "system_com_drift_m", 2e-3),
    "energy_relative": (3e-3, "energy_relative", 3e-3),
    "base_rotation_deg": (4.0, "base_rotation_rad", 4.0 * DEG),
    "base_displacement_m": (0.5, "base_displacement_m", 0.5),
    "base_rate_deg_s": (6.0, "base_rate_rad_s", 6.0 * DEG),
    "final_joint_error_deg": (7.0, "final_joint_error_rad", 7.0 * DEG),
    "final_joint_error_m": (0.08, "final_joint_error_m", 0.08),
    "base_force_N": (9.0, "base_force_N", 9.0),
    "base_torque_Nm": (10.0, "base_torque_Nm", 10.0),
    "impulse_Ns": (11.0, "impulse_Ns", 11.0),
    "angular_impulse_Nms": (12.0, "angular_impulse_Nms", 12.0),
    "joint_power_W": (13.0, "joint_power", {"shoulder": 13.0, "elbow": 13.0}),
    "joint_torque_Nm": (14.0, "joint_effort", {"shoulder": 14.0}),
    "joint_force_N": (15.0, "joint_effort", {"elbow": 15.0}),
    "joint_rate_deg_s": (16.0, "joint_rate", {"shoulder": 16.0 * DEG}),
    "joint_rate_m_s": (0.17, "joint_rate", {"elbow": 0.17}),
}
SECOND_UNITS = {
    "base_rotation_rad": (0.4, "base_rotation_rad", 0.4),
    "base_rate_rad_s": (0.6, "base_rate_rad_s", 0.6),
    "final_joint_error_rad": (0.7, "final_joint_error_rad", 0.7),
    "joint_rate_rad_s": (0.16, "joint_rate", {"shoulder": 0.16}),
}
PLAIN = MISSION[: MISSION.index("[environment.orbit]")] + "[integration]\nrtol = 1e-8\n"


@pytest.mark.parametrize("keys", [LIMITS, SECOND_UNITS], ids=["degrees", "radians"])
def test_every_limit_arrives_at_its_place_in_its_unit(
    keys: dict[str, tuple[float, str, float | dict[str, float]]], tmp_path: Path
) -> None:
    lines = "".join(f"{key} = {given}\n" for key, (given, _, _) in keys.items())
    found = asdict(load(tmp_path, PLAIN + "[limits]\n" + lines).limits)
    wanted = {key: value for _, name, given in keys.values() for key, value in flat(name, given).items()}
    assert {key: value for name, given in found.items() for key, value in flat(name, given).items()} == pytest.approx(wanted)


def flat(name: str, given: float | dict[str, float] | None) -> dict[str, float]:
    """One number a name, also of limits that are given joint by joint."""
    if isinstance(given, dict):
        return {f"{name} of {joint}": value for joint, value in given.items()}
    return {} if given is None else {name: given}


def test_limits_of_a_frame_are_in_millimetres_and_degrees(tmp_path: Path) -> None:
    text = HEAD + "\n[initial]\nq_rad = [0.2, -0.3]\n" + (
        '[[phase]]\nname = "lead"\nmode = "floating"\ncontroller = { type = "resolved_rate" }\n'
        "guidance = { type = \"reach\", displacement_m = [0.1, 0, 0], rpy_deg = [0, 0, 90], duration_s = 5.0 }\n"
        "[limits]\ntip_error_mm = 3.0\ntip_error_deg = 2.0\n"
    )  # fmt: skip
    mission = load(tmp_path, text, SYSTEM + FRAME)
    assert mission.limits.tip_error_m == pytest.approx(3e-3, rel=1e-14)
    assert mission.limits.tip_error_rad == pytest.approx(2.0 * DEG, rel=1e-14)
    goal = mission.phases[0].begun(mission.initial, mission.initial.q).reference.at(5.0)
    wanted = mission.model.position(mission.initial, "tip") + np.array([0.1, 0, 0])
    assert_allclose(goal.position_m, wanted, atol=1e-12)  # type: ignore[union-attr]
    assert_allclose(abs(goal.attitude_xyzw), [0, 0, np.sqrt(0.5), np.sqrt(0.5)], atol=1e-12)  # type: ignore[union-attr]
