"""Series of metrics: at any time they are the columns of the stored history of the same case, in the unit of their name."""

from __future__ import annotations

import io
from collections.abc import Mapping
from pathlib import Path

import h5py
import numpy as np
import pytest
from scipy import stats

from scmanip.campaign import Study
from scmanip.campaign.variation._target import inertia_numbers, tensor
from scmanip.channels import in_si
from scmanip.study import Case, Row, Status, dispersed, levels

from .files import FIXED, SLIDER, written
from .test_stored_columns import DAMPED, HARDWARE, mechanics

FRAME = '\n[[frame]]\nname = "tip"\nbody = "lower"\norigin_m = [0.8, 0.0, 0.0]\n'
DEG = np.pi / 180
MISSION = """\
schema = "scmanip.mission/1"
name = "short"
system = "arm.toml"

[initial]
r_0_m = [1.0, -2.0, 0.5]
v_0_m_s = [0.01, 0.02, -0.03]
omega_0_deg_s = [1.0, -2.0, 3.0]
q_rad = { shoulder = 0.2 }
q_m = { elbow = 0.1 }
wheel_rad_s = [10.0, -5.0, 3.0]

[[phase]]
name = "move"
mode = "rotation_floating"
controller = { type = "coordinated", K_P = 4.0, K_D = 4.0, feedforward = false }
guidance = { type = "cycloid", q_rad = { shoulder = 0.6 }, q_m = { elbow = 0.2 }, duration_s = 2.0 }

[integration]
rtol = 1e-9
"""
AT_S = 0.7
# series: column of run.nc, or what follows from several, its components
SAME = {
    "base_position_m": lambda f: f["r_0"],
    "base_velocity_m_s": lambda f: f["v_0"],
    "base_omega_rad_s": lambda f: f["omega_0"],
    "base_force_N": lambda f: f["wrench"][:, :3],
    "base_torque_Nm": lambda f: f["wrench"][:, 3:],
    "joint_angle_rad": lambda f: f["q"][:, :1],
    "joint_extension_m": lambda f: f["q"][:, 1:],
    "joint_rate_rad_s": lambda f: f["qdot"][:, :1],
    "joint_speed_m_s": lambda f: f["qdot"][:, 1:],
    "joint_torque_Nm": lambda f: f["tau"][:, :1],
    "joint_force_N": lambda f: f["tau"][:, 1:],
    "joint_power_W": lambda f: f["tau"] * f["qdot"],
    "linear_momentum_Ns": lambda f: f["P"],
    "angular_momentum_Nms": lambda f: f["L_C"],
    "centre_of_mass_m": lambda f: f["r_C"],
    "kinetic_energy_J": lambda f: f["kinetic_energy"],
    "stored_energy_J": lambda f: f["stored_energy"],
    "work_J": lambda f: f["work"],
    "dissipated_J": lambda f: f["dissipated"],
    "wheel_speed_rad_s": lambda f: f["wheel_rad_s"],
    "wheel_momentum_Nms": lambda f: f["wheel_rad_s"] * [0.05, 0.04, 0.03],
    "wheel_torque_Nm": lambda f: f["wheel_torque"],
    "impulse_Ns": lambda f: f["impulse"][:, :3],
    "angular_impulse_Nms": lambda f: f["impulse"][:, 3:],
    "base_rate_rad_s": lambda f: np.linalg.norm(f["omega_0"], axis=1),
    "base_displacement_m": lambda f: np.linalg.norm(f["r_0"] - f["r_0"][0], axis=1),
    "base_rotation_rad": lambda f: 2 * np.arccos(np.minimum(abs(f["attitude_xyzw"] @ f["attitude_xyzw"][0]), 1.0)),
    "tip_position_m": lambda f: tip(f),  # noqa: PLW0108 - defined below
    "tip_error_m": lambda f: np.linalg.norm(tip(f) - tip({**f, "q": wanted(f)}), axis=1),
    "joint_error_rad": lambda f: wanted(f)[:, :1] - f["q"][:, :1],
    "joint_error_m": lambda f: wanted(f)[:, 1:] - f["q"][:, 1:],
}


def tip(f: Mapping[str, np.ndarray]) -> np.ndarray:
    """Where the tip is: 0.4 m beyond the centre of mass of the last link, on its x axis."""
    ahead = {**f, "r_0": 0 * f["r_0"], "v_0": 0 * f["r_0"], "omega_0": 0 * f["r_0"], "qdot": 0 * f["qdot"]}
    made = mechanics(ahead)  # 59 kg r_C = 5 upper + 4 lower, with the base at 0
    c, s = np.cos(f["q"][:, 0]), np.sin(f["q"][:, 0])
    along = np.einsum("nij,nj->ni", made["R"], np.stack([c, s, 0 * c], axis=1))
    upper = np.einsum("nij,j->ni", made["R"], [0.4, 0.1, 0.0]) + 0.5 * along
    return f["r_0"] + (59.0 * made["r_C"] - 5.0 * upper) / 4.0 + 0.4 * along


def wanted(f: Mapping[str, np.ndarray]) -> np.ndarray:
    """A cycloid of 2 s from the start: x - sin(2 pi x) / (2 pi)."""
    x = f["time"] / 2.0
    share = x - np.sin(2 * np.pi * x) / (2 * np.pi)
    return np.stack([0.2 + 0.4 * share, 0.1 + 0.1 * share], axis=1)


def places(series: str) -> list[str]:
    count = {"wheel": 3, "base": 3, "linea": 3, "angul": 3, "centr": 3, "impul": 3, "tip_p": 3}.get(series[:5].rstrip("_"), 1)
    if series in ("base_rate_rad_s", "base_displacement_m", "base_rotation_rad"):
        return [""]
    if series.startswith("joint"):
        return ["[0]", "[1]"] if series == "joint_power_W" else ["[0]"]
    return [f"[{k}]" for k in range(count)] if count > 1 else [""]


def metric(series: str, place: str) -> tuple[str, str]:
    """A metric of a series at a time: its name ends in the unit of the series."""
    return f"m{place.strip('[]')}_{series}", f"at({series}{place}, {AT_S})"


METRICS = dict(metric(series, place) for series in SAME for place in places(series))


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    path = written(tmp_path_factory.mktemp("series"), MISSION, DAMPED + HARDWARE + FRAME)
    given = {"phase.move.controller.K_P": levels(3.0, 4.0, 5.0)}
    return Study(path, seed=1, metrics=METRICS, design=given, output_step_s=0.05)


@pytest.fixture(scope="module")
def stored(study: Study) -> dict[str, np.ndarray]:
    with h5py.File(io.BytesIO(study.evaluator.run(study.case(1)).netcdf()), "r") as file:
        return {name: np.array(file[name]) for name in file}


@pytest.fixture(scope="module")
def row(study: Study) -> Row:
    (found,) = study.evaluator.rows([study.case(1)])
    assert found.status is Status.COMPLETED, found.reason
    return found


@pytest.mark.parametrize("series", SAME)
def test_a_series_is_its_column_of_the_stored_history(
    series: str, study: Study, row: Row, stored: dict[str, np.ndarray]
) -> None:
    column = np.asarray(SAME[series](stored), dtype=float)
    at = int(np.argmin(abs(stored["time"] - AT_S)))
    assert stored["time"][at] == pytest.approx(AT_S)
    size = abs(column).max()
    for place in places(series):
        name, _ = metric(series, place)
        value = column[at] if place == "" else column[at, int(place.strip("[]"))]
        assert row.metrics[name] == pytest.approx(float(value), abs=1e-6 * size + 1e-9), name


@pytest.mark.slow
def test_impulses_of_a_base_that_is_pushed_are_those_of_the_stored_history(tmp_path: Path) -> None:
    path = written(tmp_path, MISSION.replace("rotation_floating", "flying").replace("wheel_rad_s", "# "), SLIDER)
    series = ("impulse_Ns", "angular_impulse_Nms", "base_force_N", "base_torque_Nm")
    metrics = dict(metric(name, place) for name in series for place in places(name))
    gains = {"phase.move.controller.K_P": levels(3.0, 4.0)}
    study = Study(path, seed=1, metrics=metrics, design=gains, output_step_s=0.1)
    (row,) = study.evaluator.rows([study.case(0)])
    with h5py.File(io.BytesIO(study.evaluator.run(study.case(0)).netcdf()), "r") as file:
        at = int(np.argmin(abs(np.array(file["time"]) - AT_S)))
        for name in series:
            for place in places(name):
                column = np.asarray(SAME[name](file))[:, int(place.strip("[]"))]
                size = abs(np.asarray(SAME[name](file))).max()
                assert size > 1e-3
                assert row.metrics[metric(name, place)[0]] == pytest.approx(float(column[at]), abs=1e-5 * size)


FALL = (
    MISSION[: MISSION.index("[initial]")]
    + """[initial]
q_rad = [0.2, 0.4]

[[phase]]
name = "move"
mode = "fixed_base"
controller = { type = "computed_torque", K_P = 4.0, K_D = 4.0 }
guidance = { type = "cycloid", q_rad = [0.6, -0.3], duration_s = 1.0 }
"""
)


@pytest.mark.slow
def test_stored_energy_is_of_the_masses_of_each_case(tmp_path: Path) -> None:
    """Weights along -y with a shoulder about z and an elbow about y: heights by hand, masses as each case has them."""
    heavy = FIXED.replace("fixed = true", "fixed = true\n").replace("[base]", "gravity_m_s2 = [0.0, -9.81, 0.0]\n\n[base]")
    path = written(tmp_path, FALL, heavy)
    metrics = {"begin_J": "initial(stored_energy_J)", "end_J": "final(stored_energy_J)"}
    chance = dispersed(stats.uniform(0.5, 1.0), how="scale")
    masses = {"system.body.upper.mass_kg": chance, "system.body.lower.mass_kg": chance}
    metrics |= {f"angle{k}_rad": f"final(joint_angle_rad[{k}])" for k in range(2)}
    study = Study(path, seed=4, repeats=12, dispersion=masses, metrics=metrics, output_step_s=0.1)
    assert study.recipe.together
    for row in study.evaluator.rows([study.case(number) for number in range(3)]):
        upper, lower = (float(row.case.values[f"system.body.{body}.mass_kg"]) for body in ("upper", "lower"))  # type: ignore[arg-type]
        ends = (0.2, 0.4), (row.metrics["angle0_rad"], row.metrics["angle1_rad"])
        energy = []
        for shoulder, elbow in ends:
            height = np.array([0.1 + 0.5 * np.sin(shoulder), 0.1 + np.sin(shoulder) * (1.0 + 0.4 * np.cos(elbow))])
            energy.append(9.81 * float(height @ [upper, lower]))
        change = row.metrics["end_J"] - row.metrics["begin_J"]
        assert change == pytest.approx(energy[1] - energy[0], rel=1e-9)


@pytest.mark.slow
def test_what_is_dispersed_of_the_start_arrives_in_its_unit(tmp_path: Path) -> None:
    """The base turns at degrees a second and moves at metres a second, in cases flown together, each as drawn."""
    path = written(tmp_path, MISSION.replace("rotation_floating", "floating").replace("wheel_rad_s", "# "), SLIDER)
    given = {
        "initial.omega_0_deg_s": dispersed(stats.norm([3.0, 5.0, -7.0], [1.0, 2.0, 3.0])),
        "initial.v_0_m_s": dispersed(stats.norm([0.1, 0.2, 0.3], 0.01)),
        "system.body.upper.mass_kg": dispersed(stats.norm(1.0, 0.02), how="scale"),
    }
    metrics = {f"turn{k}_deg_s": f"initial(degrees(base_omega_rad_s[{k}]))" for k in range(3)}
    metrics |= {f"move{k}_m_s": f"initial(base_velocity_m_s[{k}])" for k in range(3)}
    study = Study(path, seed=2, repeats=20, dispersion=given, metrics=metrics, output_step_s=0.1)
    assert study.recipe.together
    for row in study.evaluator.rows([study.case(number) for number in range(2)]):
        turn, move = (row.case.values[name] for name in ("initial.omega_0_deg_s", "initial.v_0_m_s"))
        assert [row.metrics[f"turn{k}_deg_s"] for k in range(3)] == pytest.approx(list(turn), rel=1e-9)  # type: ignore[arg-type]
        assert [row.metrics[f"move{k}_m_s"] for k in range(3)] == pytest.approx(list(move), rel=1e-9)  # type: ignore[arg-type]


@pytest.mark.slow
def test_controllers_of_cases_flown_together_believe_in_nominal_masses(tmp_path: Path) -> None:
    path = written(tmp_path, MISSION.replace("rotation_floating", "floating").replace("wheel_rad_s", "# "), SLIDER)
    masses = {"system.body.lower.mass_kg": dispersed(stats.uniform(2.0, 4.0))}
    study = Study(path, seed=2, repeats=20, dispersion=masses, metrics={"x_J": "final(work_J)"}, output_step_s=0.1)
    case = study.case(0)
    group, _ = study.evaluator._group(case)
    numbers = group.numbers(case.values, study.recipe.design(case))
    assert numbers.flies["inertia"][2, 0] == case.values["system.body.lower.mass_kg"] != 4.0
    assert numbers.believed["inertia"][:, 0].tolist() == [50.0, 5.0, 4.0]


def test_numbers_of_an_inertia_are_diagonal_first_and_then_xy_xz_yz() -> None:
    rows = tensor("body.inertia_kg_m2", (1.0, 2.0, 3.0, 0.1, 0.2, 0.3))
    assert rows == [[1.0, 0.1, 0.2], [0.1, 2.0, 0.3], [0.2, 0.3, 3.0]]
    assert inertia_numbers(rows) == (1.0, 2.0, 3.0, 0.1, 0.2, 0.3)


@pytest.mark.parametrize(
    ("key", "si", "size"),
    [
        ("q_deg", "q_rad", DEG), ("omega_0_deg_s", "omega_0_rad_s", DEG), ("wheel_rpm", "wheel_rad_s", 2 * np.pi / 60),
        ("altitude_km", "altitude_m", 1000.0), ("stiffness_Nm_deg", "stiffness_Nm_rad", 1 / DEG),
        ("damping_Nms_deg", "damping_Nms_rad", 1 / DEG), ("mass_kg", "mass_kg", 1.0),
    ],
)  # fmt: skip
def test_keys_in_other_units_have_their_size_in_si(key: str, si: str, size: float) -> None:
    assert in_si(key) == (si, pytest.approx(size, rel=1e-14))


def test_the_nominal_case_varies_nothing(study: Study) -> None:
    (nominal,) = study.evaluator.rows([Case(-1, -1, 0, {})])
    (middle,) = study.evaluator.rows([study.case(1)])
    assert nominal.metrics == pytest.approx(dict(middle.metrics), rel=1e-6, abs=1e-9)
