"""run.nc against itself and against mechanics written out here: every column is what its name, unit and words say."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

import h5py
import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.mission import Run, load_mission
from scmanip.mission.phases._phase_account import phase_account

from .files import SLIDER, written

AXES = "xyz"
WHEELS = {"rx": ([1.0, 0, 0], 0.05), "ry": ([0.0, 1, 0], 0.04), "rz": ([0.6, 0, 0.8], 0.03)}
JETS = {
    f"{place}{axis}{sign:+d}": (spot, [sign * float(axis == each) for each in AXES])
    for place, spot in (("a", [0.6, 0.4, 0.3]), ("b", [-0.6, -0.4, -0.3]))
    for axis in AXES
    for sign in (1, -1)
}
ISP_S, BEARING = 220.0, 2e-3
HARDWARE = "".join(
    f'\n[[wheel]]\nname = "{name}"\naxis = {axis}\ninertia_kg_m2 = {inertia}\ndamping_Nms_rad = {BEARING}\n'
    for name, (axis, inertia) in WHEELS.items()
) + "".join(
    f'\n[[thruster]]\nname = "{name}"\nposition_m = {spot}\ndirection = {way}\nforce_N = 30.0\nisp_s = {ISP_S}\n'
    for name, (spot, way) in JETS.items()
)
DAMPED = SLIDER.replace("upper_rad = 2.0", "upper_rad = 2.0, damping_Nms_rad = 0.7").replace(
    "axis = [0, 1, 0]", "axis = [0, 1, 0], damping_Ns_m = 0.9, stiffness_N_m = 4.0"
)
LAW = 'controller = { type = "coordinated", K_P = 4.0, K_D = 4.0%s }'
PHASE = """
[[phase]]
name = "{name}"
mode = "{mode}"
{law}
guidance = {{ type = "cycloid", q_rad = {{ shoulder = {shoulder} }}, q_m = {{ elbow = {elbow} }}, duration_s = {t_s} }}
"""
FLOWN = (("push", "flying", 0.5, 0.25, 1.0), ("hold", "rotation_floating", 0.6, 0.2, 0.6), ("coast", "floating", 0.2, 0.1, 0.4))
MISSION = """\
schema = "scmanip.mission/1"
name = "short"
system = "arm.toml"

[initial]
r_0_m = [1.0, -2.0, 0.5]
rpy_deg = [20, -10, 30]
v_0_m_s = [0.01, 0.02, -0.03]
omega_0_deg_s = [1.0, -2.0, 3.0]
q_rad = { shoulder = 0.2 }
q_m = { elbow = 0.1 }
qdot_deg_s = { shoulder = 3.0 }
qdot_m_s = { elbow = 0.05 }
wheel_rpm = [100.0, -50.0, 30.0]
""" + "".join(
    PHASE.format(name=name, mode=mode, shoulder=shoulder, elbow=elbow, t_s=t_s,
                 law=LAW % (', estimate = "belief.toml"' if name == "hold" else ""))
    for name, mode, shoulder, elbow, t_s in FLOWN
) + "\n[integration]\nrtol = 1e-6\noutput_step_s = 0.01\n[output]\nfigures = []\n"  # fmt: skip


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("flight")
    (folder / "belief.toml").write_text(_heavier(DAMPED + HARDWARE), encoding="utf-8")
    return load_mission(written(folder, MISSION, DAMPED + HARDWARE)).run()


def _heavier(system: str) -> str:
    return system.replace("mass_kg = 4.0", "mass_kg = 4.5")


@pytest.fixture(scope="module")
def folder(run: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("stored") / "out"
    run.save(path, command="scmanip run short.toml -o out")
    return path


@pytest.fixture(scope="module")
def file(folder: Path) -> dict[str, np.ndarray]:
    """The columns of run.nc as h5py reads them."""
    with h5py.File(folder / "run.nc", "r") as stored:
        return {name: np.array(stored[name]) for name in stored}


@pytest.fixture(scope="module")
def by_hand(file: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    return mechanics(file)


def turned(xyzw: np.ndarray) -> np.ndarray:
    """Rotation matrices (n, 3, 3), body to inertial."""
    x, y, z, w = xyzw.T
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), -1, 0)


def mechanics(file: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Momenta and energies of three rigid bodies from places and speeds, the textbook way."""
    angle, slide = file["q"].T
    rate, speed = file["qdot"].T
    R = turned(file["attitude_xyzw"])
    c, s, none, one = np.cos(angle), np.sin(angle), 0 * angle, 1 + 0 * angle
    R1 = R @ np.moveaxis(np.array([[c, -s, none], [s, c, none], [none, none, one]]), -1, 0)
    omega_1 = file["omega_0"] + R[..., 2] * rate[:, None]
    hinge = R @ [0.4, 0.1, 0.0]
    upper, lower = R1 @ [0.5, 0.0, 0.0], R1 @ [1.4, 0.0, 0.0] + R1[..., 1] * slide[:, None]
    v_hinge = file["v_0"] + np.cross(file["omega_0"], hinge)
    places = np.stack([file["r_0"], file["r_0"] + hinge + upper, file["r_0"] + hinge + lower], axis=1)
    speeds = np.stack(
        [
            file["v_0"],
            v_hinge + np.cross(omega_1, upper),
            v_hinge + np.cross(omega_1, lower) + R1[..., 1] * speed[:, None],
        ],
        axis=1,
    )
    spins = [(R, file["omega_0"], [4, 5, 6]), (R1, omega_1, [0.01, 0.5, 0.5]), (R1, omega_1, [0.01, 0.3, 0.3])]
    masses = np.array([50.0, 5.0, 4.0])
    r_C = np.einsum("nbi,b->ni", places, masses) / masses.sum()
    P = speeds * masses[:, None]
    spin = np.stack([np.einsum("nij,j,nkj,nk->ni", A, I, A, w) for A, w, I in spins], axis=1)
    L = spin + np.cross(places - r_C[:, None], P)
    axes, inertias = (np.array(part) for part in zip(*WHEELS.values(), strict=True))
    along = R @ axes.T  # (n, 3, wheel)
    h = along @ (inertias * file["wheel_rad_s"])[..., None]
    carried = np.einsum("niw,ni->nw", along, file["omega_0"])
    energy = np.einsum("nbi,nbi->nb", speeds, P) / 2 + np.stack(
        [np.einsum("ni,ni->n", spin[:, b], spins[b][1]) / 2 for b in range(3)], axis=1
    )
    return {
        "r_C": r_C, "P_by_body": P, "L_C_by_body": L, "h_wheels": h[..., 0], "R": R,
        "kinetic_energy_by_body": energy,
        "kinetic_energy_by_wheel": inertias * (file["wheel_rad_s"] ** 2 / 2 + file["wheel_rad_s"] * carried),
        "stored_energy": 4.0 * slide**2 / 2,
    }  # fmt: skip


def summed(file: dict[str, np.ndarray], rate: np.ndarray) -> np.ndarray:
    """The integral of a series over time by trapezia, phase by phase: between phases no time goes by."""
    steps = np.diff(file["time"]).reshape(-1, *[1] * (rate.ndim - 1))
    return np.concatenate([0 * rate[:1], np.cumsum(steps * (rate[1:] + rate[:-1]) / 2, axis=0)])


def close(found: np.ndarray, wanted: np.ndarray, part: float) -> None:
    """Within a part of the largest size."""
    assert found.shape == wanted.shape
    assert abs(wanted).max() > 0
    assert_allclose(found, wanted, rtol=0, atol=part * abs(wanted).max())


HAND = ("r_C", "P_by_body", "L_C_by_body", "h_wheels", "kinetic_energy_by_body", "kinetic_energy_by_wheel", "stored_energy")


@pytest.mark.parametrize("name", HAND)
def test_momenta_and_energies_are_those_of_three_bodies_and_three_wheels(
    name: str, file: dict[str, np.ndarray], by_hand: dict[str, np.ndarray]
) -> None:
    close(file[name], by_hand[name], 1e-9)


def test_totals_are_sums_of_their_parts(file: dict[str, np.ndarray], by_hand: dict[str, np.ndarray]) -> None:
    P, L, h = by_hand["P_by_body"], by_hand["L_C_by_body"], by_hand["h_wheels"]
    close(file["P_base"], P[:, 0], 1e-9)
    close(file["P_arm"], P[:, 1:].sum(axis=1), 1e-9)
    close(file["P"], P.sum(axis=1), 1e-9)
    close(file["L_base"], L[:, 0], 1e-9)
    close(file["L_arm"], L[:, 1:].sum(axis=1), 1e-9)
    close(file["L_C"], L.sum(axis=1) + h, 1e-9)
    close(file["L_0"], L.sum(axis=1) + h + np.cross(by_hand["r_C"] - file["r_0"], P.sum(axis=1)), 1e-9)
    energy = by_hand["kinetic_energy_by_body"].sum(axis=1) + by_hand["kinetic_energy_by_wheel"].sum(axis=1)
    close(file["kinetic_energy"], energy, 1e-9)
    close(file["work"], file["work_by_joint"].sum(axis=1) + file["work_by_wheel"].sum(axis=1) + file["work_on_base"], 1e-4)
    close(file["dissipated"], file["dissipated_by_joint"].sum(axis=1) + file["dissipated_by_wheel"].sum(axis=1), 1e-4)
    close(file["work_on_base"], file["work_by_thruster"].sum(axis=1), 1e-4)


def test_work_and_losses_are_integrals_of_power_over_all_phases(
    file: dict[str, np.ndarray], by_hand: dict[str, np.ndarray]
) -> None:
    close(file["work_by_joint"], summed(file, file["tau"] * file["qdot"]), 5e-3)
    close(file["dissipated_by_joint"], summed(file, np.array([0.7, 0.9]) * file["qdot"] ** 2), 1e-3)
    close(file["dissipated_by_wheel"], summed(file, BEARING * file["wheel_rad_s"] ** 2), 1e-3)
    balance = file["kinetic_energy"] + file["stored_energy"] + file["dissipated"] - file["work"]
    assert_allclose(balance, balance[0], rtol=1e-4)


def test_impulse_and_propellant_are_integrals_of_thrust_over_all_phases(
    file: dict[str, np.ndarray], by_hand: dict[str, np.ndarray]
) -> None:
    spots, ways = (np.array(part) for part in zip(*JETS.values(), strict=True))
    forces = np.einsum("nij,tj->nti", by_hand["R"], ways) * file["thrust_N"][..., None]
    arms = np.einsum("nij,tj->nti", by_hand["R"], spots)
    f = forces.sum(axis=1)
    about_C = np.cross(arms + (file["r_0"] - file["r_C"])[:, None], forces).sum(axis=1)
    close(file["impulse"][:, :3], summed(file, f), 2e-3)
    close(file["impulse"][:, 3:], summed(file, about_C), 2e-3)
    close(file["impulse_by_thruster"], summed(file, file["thrust_N"]), 5e-3)
    close(file["propellant_kg"], file["impulse_by_thruster"].sum(axis=1) / (ISP_S * 9.80665), 5e-3)
    pushed = file["phase"] == 0
    close(file["wrench"][pushed, :3], f[pushed], 1e-6)
    n = np.cross(arms, forces).sum(axis=1)
    close(file["wrench"][pushed, 3:], n[pushed], 1e-6)
    close(file["P"] - file["P"][0], file["impulse"][:, :3], 1e-6)
    close(file["L_C"] - file["L_C"][0], file["impulse"][:, 3:], 1e-6)


def test_shares_of_the_bases_motion_add_up_to_it_over_all_phases(file: dict[str, np.ndarray]) -> None:
    moved = file["shift_by_joint"].sum(axis=2) + file["shift_by_momentum"]
    close(file["r_0"] - file["r_0"][0], moved, 2e-2)
    turned_by = file["turn_by_joint"].sum(axis=2) + file["turn_by_momentum"]
    close(turned_by, summed(file, file["omega_0"]), 2e-2)


def test_wheels_are_driven_by_their_motors_against_their_bearings(file: dict[str, np.ndarray]) -> None:
    """I (d/dt)(speed + what the base turns along the axis) is the torque of its motor less that of its bearing."""
    axes, inertias = (np.array(part) for part in zip(*WHEELS.values(), strict=True))
    R = turned(file["attitude_xyzw"])
    spin = file["wheel_rad_s"] + np.einsum("nij,wj,ni->nw", R, axes, file["omega_0"])
    for phase in range(3):
        at = file["phase"] == phase
        gained = inertias * (spin[at] - spin[at][0])
        steps = np.diff(file["time"][at])[:, None]
        torque = file["wheel_torque"][at] - BEARING * file["wheel_rad_s"][at]
        close(gained[1:], np.cumsum(steps * (torque[1:] + torque[:-1]) / 2, axis=0), 5e-3)


def test_phases_follow_one_another_at_the_times_of_the_file(file: dict[str, np.ndarray], run: Run) -> None:
    ends = np.cumsum([t_s for *_, t_s in FLOWN])
    for phase, (start, end) in enumerate(zip([0.0, *ends[:-1]], ends, strict=True)):
        times = file["time"][file["phase"] == phase]
        assert (times[0], times[-1]) == (pytest.approx(start), pytest.approx(end))
    assert [part.start_s for part in run.flown] == pytest.approx([0.0, 1.0, 1.6])
    assert np.array_equal(file["time"], file["t"])
    commanded = np.array([any(file["wrench"][file["phase"] == phase].any(axis=0)) for phase in range(3)])
    assert commanded.tolist() == [True, True, False]


def test_pages_tell_when_each_phase_began_and_ended_in_mission_time(run: Run) -> None:
    told = [phase_account(planned, part) for planned, part in zip(run.mission.phases, run.flown, strict=True)]
    assert [(account.start_s, account.end_s) for account in told] == [
        (pytest.approx(start), pytest.approx(end)) for start, end in ((0.0, 1.0), (1.0, 1.6), (1.6, 2.0))
    ]
    assert [account.mode for account in told] == ["flying", "rotation-floating", "floating"]


# unit, dimensions, and what must stand in the words
COLUMNS = {
    "q": ("rad or m", "time coordinate", "coordinates"),
    "qdot": ("rad/s or m/s", "time freedom", "rates"),
    "tau": ("N m or N", "time freedom", "forces"),
    "r_0": ("m", "time xyz", "base centre of mass"),
    "attitude_xyzw": ("1", "time xyzw", "base to inertial"),
    "v_0": ("m/s", "time xyz", "velocity of the base"),
    "omega_0": ("rad/s", "time xyz", "angular velocity of the base"),
    "r_C": ("m", "time xyz", "system centre of mass"),
    "wrench": ("N and N m", "time wrench_part", "force and moment on the base"),
    "P": ("N s", "time xyz", "linear momentum of the system"),
    "P_base": ("N s", "time xyz", "linear momentum of the base"),
    "P_arm": ("N s", "time xyz", "linear momentum of the arm"),
    "L_C": ("N m s", "time xyz", "angular momentum of the system about the system"),
    "L_base": ("N m s", "time xyz", "angular momentum of the base about the system"),
    "L_arm": ("N m s", "time xyz", "angular momentum of the arm about the system"),
    "L_0": ("N m s", "time xyz", "about the base"),
    "impulse": ("N s and N m s", "time wrench_part", "about the system"),
    "wheel_rad_s": ("rad/s", "time wheel", "speeds of the wheels"),
    "wheel_torque": ("N m", "time wheel", "torques of the wheels"),
    "h_wheels": ("N m s", "time xyz", "wheels relative to the base"),
    "thrust_N": ("N", "time thruster", "forces of the thrusters"),
    "propellant_kg": ("kg", "time", "propellant"),
    "missing_wrench": ("N and N m", "time wrench_part", "not applied"),
    "kinetic_energy": ("J", "time", "kinetic"),
    "stored_energy": ("J", "time", "potential"),
    "work": ("J", "time", "work of the actuators"),
    "dissipated": ("J", "time", "dampers"),
    "P_by_body": ("N s", "time body xyz", "linear momentum of each body"),
    "L_C_by_body": ("N m s", "time body xyz", "angular momentum of each body"),
    "kinetic_energy_by_body": ("J", "time body", "each body"),
    "kinetic_energy_by_wheel": ("J", "time wheel", "spin of each wheel"),
    "work_by_joint": ("J", "time freedom", "work of the joints"),
    "work_by_wheel": ("J", "time wheel", "work of the wheels"),
    "work_by_thruster": ("J", "time thruster", "work of each thruster"),
    "dissipated_by_joint": ("J", "time freedom", "each joint"),
    "dissipated_by_wheel": ("J", "time wheel", "bearings"),
    "impulse_by_thruster": ("N s", "time thruster", "impulse of each thruster"),
    "shift_by_joint": ("m", "time xyz freedom", "displacement of the base since the start by each joint"),
    "turn_by_joint": ("rad", "time xyz freedom", "each joint's motion makes of the base's angular velocity"),
    "shift_by_momentum": ("m", "time xyz", "displacement of the base since the start by momentum"),
    "turn_by_momentum": ("rad", "time xyz", "momentum makes of the base's angular velocity"),
}


def test_units_dimensions_and_words_are_those_of_the_columns(folder: Path) -> None:
    with h5py.File(folder / "run.nc", "r") as stored:
        for name, (unit, dimensions, words) in COLUMNS.items():
            column = stored[name]
            assert column.attrs["units"] == unit, name
            assert words in column.attrs["long_name"], name
            sizes = [len(stored[dimension]) for dimension in dimensions.split()]
            assert column.shape == tuple(sizes), name
        labels = {name: [word.decode() for word in stored[name]] for name in ("xyz", "xyzw", "wrench_part", "body", "wheel")}
        assert labels["wrench_part"] == ["f_x", "f_y", "f_z", "n_x", "n_y", "n_z"]
        assert (labels["xyz"], labels["xyzw"]) == (list("xyz"), list("xyzw"))
        assert (labels["body"], labels["wheel"]) == (["base", "upper", "lower"], list(WHEELS))
        assert [word.decode() for word in stored["thruster"]] == list(JETS)
        assert [word.decode() for word in stored["freedom_unit"]] == ["rad", "m"]


def test_residuals_are_stored_in_their_units_and_in_parts(run: Run, folder: Path) -> None:
    with h5py.File(folder / "run.nc", "r") as stored:
        for name, residual in run.history.residuals.items():
            assert stored.attrs[f"residual_{name}"] == residual.value == pytest.approx(np.max(residual.series), rel=1e-12)
            assert stored.attrs[f"residual_{name}_relative"] == residual.relative
            assert residual.relative != residual.value


def test_digests_are_those_of_the_texts_as_they_were(folder: Path, run: Run) -> None:
    provenance = json.loads((folder / "provenance.json").read_text(encoding="utf-8"))
    system = DAMPED + HARDWARE
    assert provenance["mission"]["sha256"] == sha256(MISSION.encode()).hexdigest()
    digests = {entry["file"]: (entry["given"], entry["sha256"]) for entry in provenance["systems"]}
    assert digests == {
        "system.toml": ("arm.toml", sha256(system.encode()).hexdigest()),
        "estimate.1.toml": ("belief.toml", sha256(_heavier(system).encode()).hexdigest()),
    }
    for name, (_, digest) in digests.items():
        assert sha256((folder / name).read_bytes()).hexdigest() == digest
    assert provenance["command_line"] == "scmanip run short.toml -o out"


@pytest.mark.slow
def test_a_comparison_passes_when_all_of_its_runs_do_and_says_what_each_mode_commands(tmp_path: Path) -> None:
    text = (
        MISSION[: MISSION.index("[initial]")]
        + "[initial]\nq_rad = { shoulder = 0.2 }\nq_m = { elbow = 0.1 }\n"
        + PHASE.format(name="one", mode="floating", law=LAW % "", shoulder=0.4, elbow=0.1, t_s=1.0)
        + "\n[integration]\nrtol = 1e-8\noutput_step_s = 0.1\n[limits]\nbase_rotation_deg = 0.1\n"
    )
    text = text.replace('mode = "floating"', 'modes = ["floating", "flying"]')
    made = load_mission(written(tmp_path, text, DAMPED)).compare()
    passed = {name: run.passed for name, run in made.runs.items()}
    assert passed == {"floating": False, "flying": True}
    assert not made.passed
    headings, *rows = made.summary().rows
    assert headings[1:3] == ("commanded", "reacts freely")
    speeds = {row[0]: row[1:3] for row in rows}
    assert "omega_0" in speeds["floating"][1] and "omega_0" not in speeds["floating"][0]
    assert "omega_0" in speeds["flying"][0] and "omega_0" not in speeds["flying"][1]
