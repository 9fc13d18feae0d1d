"""Missions in the manoeuvre modes that drive the base, with wheels, and in several modes side by side."""

from __future__ import annotations

from pathlib import Path

import h5netcdf
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from typer.testing import CliRunner

from scmanip.command._application import application
from scmanip.control import ComputedTorque, CoordinatedComputedTorque
from scmanip.errors import InvalidMission, ModeMismatch
from scmanip.mission import Comparison, Mission, Run, load_mission
from scmanip.spatial import dcm_from_quaternion
from scmanip.system import toml_text

from .files import FIXED, MISSION, SYSTEM, WITH_WHEELS, WORDS, written

WHEELS = """
[[wheel]]
name = "rx"
axis = [1, 0, 0]
inertia_kg_m2 = 0.05
damping_Nms_rad = 1e-3

[[wheel]]
name = "ry"
axis = [0, 1, 0]
inertia_kg_m2 = 0.05

[[wheel]]
name = "rz"
axis = [0.6, 0, 0.8]
inertia_kg_m2 = 0.04
"""
CONTROL = 'controller = { type = "coordinated", K_P = 4.0, K_D = 4.0 }'
HOLD = CONTROL + '\nguidance = { type = "hold" }\nuntil = { t_s = 1.0 }\n'


def flown_as(mode: str, control: str = CONTROL) -> str:
    """Return the short mission in another mode, its base turned, away from the origin and drifting."""
    lines = [control if line.startswith("controller") else line for line in MISSION.splitlines()]
    text = "\n".join(lines).replace('mode = "floating"', f"mode = {mode}") + "\n"
    start = "r_0_m = [1.0, -2.0, 0.5]\nrpy_deg = [20, -10, 30]\nv_0_m_s = [0.01, 0.0, 0.0]\nomega_0_deg_s = [0.1, 0.0, 0.2]"
    return text.replace("[initial]", f"[initial]\n{start}").replace("rtol = 1e-10", "rtol = 1e-11")


def mission(folder: Path, text: str, system: str = SYSTEM) -> Mission:
    return load_mission(written(folder, text, system))


def complaint(folder: Path, text: str, system: str = SYSTEM) -> str:
    with pytest.raises(InvalidMission) as caught:
        mission(folder, text, system)
    return str(caught.value)


# --- words -------------------------------------------------------------------------------------------------------------


@pytest.mark.battery(1, each=1)
@pytest.mark.parametrize("mode", [*(f'"{word}"' for word in WORDS), WITH_WHEELS])
@pytest.mark.parametrize("system", [SYSTEM, SYSTEM + WHEELS], ids=["ideal", "real"])
def test_every_mode_flies_and_keeps_its_contract(mode: str, system: str, tmp_path: Path) -> None:
    run = mission(tmp_path, flown_as(mode), system).run()
    assert run.passed, run.summary()
    assert "energy" in run.history.residuals
    assert len(run.history.residuals) >= 3


def test_one_word_changes_the_mode_of_a_coordinated_mission(tmp_path: Path) -> None:
    for word in WORDS:
        (phase,) = mission(tmp_path, flown_as(f'"{word}"')).phases
        assert phase.mode.name == word


@pytest.mark.parametrize("mode", ["rotation_floating", "flying"])
def test_a_controller_of_joints_alone_is_refused_where_the_mode_drives_the_base(mode: str, tmp_path: Path) -> None:
    text = flown_as(f'"{mode}"', 'controller = { type = "joint_regulator", K_P = 1.0, K_D = 1.0 }')
    said = complaint(tmp_path, text)
    line = next(i for i, content in enumerate(text.splitlines(), 1) if content.startswith("controller"))
    assert f"short.toml:{line}" in said
    assert "expected 'computed_torque', 'coordinated', 'resolved_rate'" in said
    assert "in a mode that drives the base, found 'joint_regulator'" in said


@pytest.mark.slow
@pytest.mark.parametrize("mode", [*(f'"{word}"' for word in WORDS[1:]), WITH_WHEELS])
def test_computed_torque_is_the_coordinated_law_where_the_mode_drives_the_base(mode: str, tmp_path: Path) -> None:
    def flown(law: str, feedforward: str) -> np.ndarray:
        options = f"base_K_P = 2.0, feedforward = {feedforward}, pose = {{ position_m = [1.0, -2.0, 0.6] }}"
        text = flown_as(mode, f'controller = {{ type = "{law}", K_P = 4.0, K_D = 4.0, {options} }}')
        run = mission(tmp_path, text).run()
        assert run.passed, run.summary()
        return run.history.states.x

    fed, printed = (flown("computed_torque", word) for word in ("true", "false"))
    assert_array_equal(fed, flown("coordinated", "true"))
    assert_array_equal(printed, flown("coordinated", "false"))
    assert abs(fed - printed).max() > 1e-3


def test_computed_torque_holds_the_base_where_the_phase_finds_it_and_adds_no_acceleration_unless_told(tmp_path: Path) -> None:
    law = 'controller = { type = "computed_torque" }'
    given = mission(tmp_path, flown_as('"flying"', law))
    (phase,), table = given.phases, given.resolved["phase"][0]["controller"]
    begun = phase.controller.begun(given.initial)
    assert isinstance(begun, CoordinatedComputedTorque)
    assert not begun.feedforward
    assert_array_equal(begun.pose.position_m, given.initial.r_0)
    assert_array_equal(begun.pose.attitude_xyzw, given.initial.attitude_xyzw)
    assert table == {
        **{"type": "computed_torque", "K_P": 1.0, "K_D": 1.0, "feedforward": False},
        **{"base_K_P": 1.0, "base_K_D": 2.0, "pose": {}},
    }
    (floating,) = mission(tmp_path, flown_as('"floating"', law)).phases
    assert type(floating.controller) is ComputedTorque


@pytest.mark.slow
def test_computed_torque_flies_in_every_mode_of_a_list_and_comes_back_with_its_gains_of_the_base(tmp_path: Path) -> None:
    law = 'controller = { type = "computed_torque", K_P = 4.0, K_D = 4.0, base_K_P = 3.0, rate_Hz = 20.0 }'
    text = flown_as('"floating"', law).replace('mode = "floating"', f'modes = ["floating", "flying", {WITH_WHEELS}]')
    given = mission(tmp_path, text)
    table = given.compare().summary()
    assert [row[:3] for row in table.rows] == [
        ("mode", "commanded", "reacts freely"),
        ("floating", "qdot", "v_C, omega_0"),
        ("flying", "v_C, omega_0, qdot", "none"),
        ("translation_flying with wheels", "v_C, omega_0, qdot", "none"),
    ]
    (tmp_path / "again.toml").write_text(toml_text({**given.resolved, "system": "arm.toml"}), encoding="utf-8")
    again = load_mission(tmp_path / "again.toml")
    assert again.resolved == given.resolved
    assert {mission.resolved["phase"][0]["controller"]["base_K_P"] for mission in again.alternatives.values()} == {3.0}


def test_a_coordinated_controller_is_refused_on_a_base_that_is_held(tmp_path: Path) -> None:
    said = complaint(tmp_path, MISSION.replace('"floating"', '"fixed_base"').replace(_control_of(MISSION), CONTROL), FIXED)
    assert "'computed_torque', 'joint_regulator', 'resolved_rate'" in said and "on a base that is held" in said
    assert "mode 'floating'" not in said  # which the file does not mention


@pytest.mark.parametrize("mode", WORDS)
def test_no_mode_of_a_free_base_is_flown_on_a_held_one(mode: str, tmp_path: Path) -> None:
    said = complaint(tmp_path, MISSION.replace('"floating"', f'"{mode}"').replace(_control_of(MISSION), CONTROL), FIXED)
    assert "holds its base" in said


def _control_of(text: str) -> str:
    return next(line for line in text.splitlines() if line.startswith("controller"))


# --- the pose -----------------------------------------------------------------------------------------------------------


def test_the_base_is_held_where_the_phase_finds_it(tmp_path: Path) -> None:
    text = flown_as('"flying"').replace("v_0_m_s = [0.01, 0.0, 0.0]\nomega_0_deg_s = [0.1, 0.0, 0.2]", "")
    history = mission(tmp_path, text).run().history
    assert_allclose(history.r_0, np.tile([1.0, -2.0, 0.5], (len(history.t), 1)), atol=1e-8)
    assert_allclose(history.attitude_xyzw, np.tile(history.attitude_xyzw[0], (len(history.t), 1)), atol=1e-8)


def test_a_later_phase_holds_what_the_phase_before_left(tmp_path: Path) -> None:
    later = f'[[phase]]\nname = "stay"\nmode = "flying"\n{HOLD}\n[integration]'
    text = (
        flown_as('"floating"')
        .replace("[integration]", later)
        .replace(
            'K_D = 4.0 }\nguidance = { type = "hold"',
            'K_D = 4.0, base_K_P = 400.0, base_K_D = 40.0 }\nguidance = { type = "hold"',
        )
    )
    run = mission(tmp_path, text).run()
    first, second = run.histories
    assert np.linalg.norm(first.r_0[-1] - first.r_0[0]) > 5e-3
    assert_allclose(second.r_0[-1], first.r_0[-1], atol=1e-4)
    assert_allclose(second.v_0[-1], 0.0, atol=1e-5)


def test_the_centre_of_mass_is_held_where_only_it_is_pushed(tmp_path: Path) -> None:
    history = (
        mission(
            tmp_path,
            flown_as('"translation_flying"').replace("v_0_m_s = [0.01, 0.0, 0.0]\nomega_0_deg_s = [0.1, 0.0, 0.2]", ""),
        )
        .run()
        .history
    )
    assert_allclose(history.r_C - history.r_C[0], 0.0, atol=1e-8)
    assert np.abs(history.r_0 - history.r_0[0]).max() > 1e-5


def test_a_pose_in_degrees_is_reached(tmp_path: Path) -> None:
    pose = "pose = { position_m = [1.1, -2.0, 0.5], rpy_deg = [20, -10, 35] }"
    control = f'controller = {{ type = "coordinated", base_K_P = 4.0, base_K_D = 4.0, {pose} }}'
    text = flown_as('"flying"', control)
    guidance = next(line for line in text.splitlines() if line.startswith("guidance"))
    run = mission(tmp_path, text.replace(guidance, 'guidance = { type = "hold" }\nuntil = { t_s = 12.0 }')).run()
    assert_allclose(run.history.r_0[-1], [1.1, -2.0, 0.5], atol=1e-6)
    R = dcm_from_quaternion(run.history.attitude_xyzw[-1])
    yaw, pitch = np.arctan2(R[1, 0], R[0, 0]), -np.arcsin(R[2, 0])
    assert_allclose(np.degrees([yaw, pitch]), [35.0, -10.0], atol=1e-5)
    assert run.mission.resolved["phase"][0]["controller"]["pose"].keys() == {"position_m", "attitude_xyzw"}


@pytest.mark.parametrize(
    ("pose", "words"),
    [
        ("rpy_deg = [0, 0, 1], rpy_rad = [0, 0, 1]", "one of attitude_xyzw, rpy_rad, rpy_deg"),
        ("attitude_xyzw = [0, 0, 0, 2]", "norm"),
        ("position_m = [0, 0]", "at least 3 entries, found 2"),
        ("height_m = 1", "unknown key 'height_m'"),
    ],
)
def test_a_wrong_pose_is_refused_at_its_line(pose: str, words: str, tmp_path: Path) -> None:
    text = flown_as('"flying"', f'controller = {{ type = "coordinated", pose = {{ {pose} }} }}')
    said = complaint(tmp_path, text)
    assert words in said
    assert f"short.toml:{text.splitlines().index(next(x for x in text.splitlines() if 'pose' in x)) + 1}" in said


# --- wheels -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "given",
    [
        "wheel_rpm = [300, 0, -60]",
        "wheel_rpm = { rz = -60, rx = 300 }",
        "wheel_rpm = { rx = 300 }\nwheel_rad_s = { rz = -6.283185307179586 }",
    ],
)  # fmt: skip
def test_wheels_start_as_said_by_name_or_in_order(given: str, tmp_path: Path) -> None:
    text = flown_as('"rotation_floating"').replace("[initial]", f"[initial]\n{given}")
    loaded = mission(tmp_path, text, SYSTEM + WHEELS)
    assert_allclose(loaded.initial.wheel_rad_s, [10 * np.pi, 0.0, -2 * np.pi], rtol=1e-15)
    assert loaded.resolved["initial"]["wheel_rad_s"] == list(loaded.initial.wheel_rad_s)


def test_wheels_stand_unless_said_otherwise(tmp_path: Path) -> None:
    assert_array_equal(mission(tmp_path, MISSION, SYSTEM + WHEELS).initial.wheel_rad_s, 0.0)
    assert_array_equal(mission(tmp_path, flown_as('"rotation_floating"')).initial.wheel_rad_s, 0.0)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("wheel_rpm = [1, 2]", "3 numbers, for rx, ry, rz"),
        ("wheel_rpm = { rw = 1 }", "one of the wheels rx, ry, rz, found 'rw'"),
        ("wheel_rpm = { rx = 1 }\nwheel_rad_s = { rx = 2 }", "a second speed for 'rx'"),
    ],
)
def test_wrong_wheel_speeds_are_refused(given: str, words: str, tmp_path: Path) -> None:
    assert words in complaint(tmp_path, MISSION.replace("[initial]", f"[initial]\n{given}"), SYSTEM + WHEELS)


def test_wheels_that_start_beyond_their_largest_speed_are_refused_at_their_line(tmp_path: Path) -> None:
    fast = MISSION.replace("[initial]", "[initial]\nwheel_rpm = { ry = -300 }")
    slow = (SYSTEM + WHEELS).replace('name = "ry"', 'name = "ry"\nspeed_rpm = 200')
    said = complaint(tmp_path, fast, slow)
    line = fast.splitlines().index("wheel_rpm = { ry = -300 }") + 1
    assert f"short.toml:{line}:1: initial.wheel_rpm: expected at most 200 rpm" in said
    assert "the largest speed of wheel 'ry', found -300 rpm" in said
    assert mission(tmp_path, fast.replace("-300", "-200"), slow).initial.wheel_rad_s[1] == pytest.approx(-200 * np.pi / 30)


def test_samples_further_apart_than_the_mission_is_long_are_refused_at_their_line(tmp_path: Path) -> None:
    loaded = mission(tmp_path, MISSION)
    t_end_s = sum(phase.t_end_s for phase in loaded.phases)
    far = MISSION.replace("output_step_s = 0.1", "output_step_s = 1000")
    line = far.splitlines().index("output_step_s = 1000") + 1
    said = complaint(tmp_path, far)
    assert f"short.toml:{line}:1: integration.output_step_s: expected at most the duration of the mission, " in said
    assert f"{t_end_s:g} s, found 1000 s" in said
    whole = MISSION.replace("output_step_s = 0.1", f"output_step_s = {t_end_s}")
    assert len(mission(tmp_path, whole).run().history.t) == 2


@pytest.mark.slow
def test_motor_torque_is_the_rate_of_the_wheels_own_momentum_and_their_friction(tmp_path: Path) -> None:
    """d/dt I (Omega + a . omega_0), by differences, against what the run recorded."""
    text = flown_as('"rotation_floating"').replace("output_step_s = 0.1", "output_step_s = 0.001")
    run = mission(tmp_path, text.replace("[initial]", "[initial]\nwheel_rpm = [100, -50, 30]"), SYSTEM + WHEELS).run()
    history, wheels = run.history, run.history.system.wheels
    axes, inertia = np.array([w.axis for w in wheels]), np.array([w.inertia_kg_m2 for w in wheels])
    pairs = zip(history.attitude_xyzw, history.omega_0, strict=True)
    body_rates = np.array([dcm_from_quaternion(attitude).T @ omega for attitude, omega in pairs])
    momentum = inertia * (history.states.wheel_rad_s + body_rates @ axes.T)
    rate = (momentum[2:] - momentum[:-2]) / (history.t[2:] - history.t[:-2])[:, None]
    friction = np.array([1e-3, 0.0, 0.0]) * history.states.wheel_rad_s[1:-1]
    # the ramps of 0.2 s give the torque a second derivative of some (2 pi / 0.2 s)^2 of its size; a sixth of it times (1 ms)^2
    assert_allclose(history.wheel_torque[1:-1] - friction, rate, atol=(2 * np.pi / 0.2) ** 2 / 6 * 1e-6 * np.abs(rate).max())
    assert np.abs(rate).max() > 0.1


@pytest.mark.slow
def test_a_wheel_beyond_its_torque_fails_the_run_with_wheel_and_time(tmp_path: Path) -> None:
    free = mission(tmp_path, flown_as('"rotation_floating"'), SYSTEM + WHEELS).run()
    torque = np.abs(free.history.wheel_torque[:, 1])
    limit = 0.5 * torque.max()
    first = free.history.t[np.flatnonzero(torque > limit)[0]]
    limited = WHEELS.replace('name = "ry"', f'name = "ry"\ntorque_Nm = {limit}\nspeed_rpm = 1e6\nmomentum_Nms = 1e6')
    run = mission(tmp_path, flown_as('"rotation_floating"'), SYSTEM + limited).run()
    assert run.completed and not run.passed
    (failed,) = [verdict for verdict in run.verdicts if not verdict.passed]
    assert (failed.name, failed.limit, failed.unit) == ("wheel_torque", limit, "N m")
    fine = run.history.finely
    held = fine.t[np.flatnonzero(np.abs(fine.wheel_torque[:, 1]) > limit * (1 - 1e-9))[0]]
    assert held == pytest.approx(first, abs=0.3)  # it asks for more as soon as it gets less than it wants
    assert failed.value == pytest.approx(limit, rel=1e-9)
    assert failed.where.startswith("ry, 100 % at t = ") and failed.where.endswith(f", at its limit from t = {held:g} s")
    row = next(row for row in run.summary().rows if row.quantity == "wheel torque")
    assert row.cells[3] == "FAILED"
    speed = next(row for row in run.summary().rows if row.quantity == "wheel speed")
    assert speed.limit == "1e+06 rpm" and speed.passed


def test_an_estimate_with_other_wheels_is_refused(tmp_path: Path) -> None:
    (tmp_path / "other.toml").write_text(SYSTEM, encoding="utf-8")
    control = CONTROL.replace("K_P", 'estimate = "other.toml", K_P')
    said = complaint(tmp_path, flown_as('"rotation_floating"', control), SYSTEM + WHEELS)
    assert "and the actuators rx, ry, rz" in said


@pytest.mark.slow
def test_results_carry_wheels_and_impulse(tmp_path: Path) -> None:
    run = mission(tmp_path, flown_as(WITH_WHEELS), SYSTEM + WHEELS).run()
    run.save(tmp_path / "out")
    history = run.history
    with h5netcdf.File(tmp_path / "out" / "run.nc", "r", decode_vlen_strings=True) as file:
        assert list(file["wheel"][...]) == ["rx", "ry", "rz"]
        for name in ("impulse", "h_wheels", "wheel_torque"):
            assert_array_equal(file[name][...], getattr(history, name))
        assert_array_equal(file["wheel_rad_s"][...], history.states.wheel_rad_s)
        assert file["wheel_torque"].dimensions == ("time", "wheel")
        assert "translation_flying with wheels" in np.atleast_1d(file.attrs["modes"])
    assert {path.stem for path in (tmp_path / "out" / "figures").iterdir()} >= {"wheel_momentum", "wheel_torque", "base_wrench"}
    again = load_mission(tmp_path / "out" / "mission.resolved.toml")
    assert {**again.resolved, "system": "arm.toml"} == run.mission.resolved
    assert_array_equal(again.run().history.states.x, history.states.x)


@pytest.mark.slow
def test_results_without_wheels_have_no_wheel_axis(tmp_path: Path) -> None:
    mission(tmp_path, flown_as('"rotation_flying"')).run().save(tmp_path / "out")
    with h5netcdf.File(tmp_path / "out" / "run.nc", "r") as file:
        assert "wheel" not in file.dimensions
        assert np.abs(file["impulse"][...]).max() > 0


# --- phases in different modes --------------------------------------------------------------------------------------------

PHASES = ("floating", "rotation_floating", "flying", "floating")


@pytest.fixture(scope="module")
def in_turn(tmp_path_factory: pytest.TempPathFactory) -> Run:
    text = flown_as('"floating"')
    at = text.index("[[phase]]"), text.index("[integration]")
    phase = text[at[0] : at[1]]
    phases = [phase.replace('"move"', f'"move{i}"').replace('"floating"', f'"{word}"') for i, word in enumerate(PHASES)]
    return mission(tmp_path_factory.mktemp("in_turn"), text[: at[0]] + "".join(phases) + text[at[1] :]).run()


@pytest.mark.slow
def test_the_state_is_carried_from_mode_to_mode_wheels_too(in_turn: Run) -> None:
    run = in_turn
    assert run.passed, run.summary()
    for before, after in zip(run.histories, run.histories[1:], strict=False):
        assert_array_equal(before.final.x, after.states[0].x)
    assert in_turn.mission.initial.wheel_rad_s.shape == (3,)
    speeds = [history.states.wheel_rad_s for history in run.histories]
    assert_array_equal(speeds[0], 0.0)
    assert np.abs(speeds[1][-1]).max() > 1e-3
    assert_array_equal(speeds[3], np.tile(speeds[1][-1], (len(speeds[3]), 1)))


@pytest.mark.slow
def test_momentum_and_impulse_balance_over_all_phases(in_turn: Run) -> None:
    history = in_turn.history
    assert_allclose(history.P - history.P[0], history.impulse[:, :3], atol=1e-9)
    assert_allclose(history.L_C - history.L_C[0], history.impulse[:, 3:], atol=1e-8)
    assert np.abs(history.impulse[-1]).max() > 1e-2
    assert history.residuals["energy"].relative < 1e-7


@pytest.mark.slow
def test_each_phase_is_judged_by_the_laws_of_its_own_mode(in_turn: Run) -> None:
    judged = {verdict.name: verdict for verdict in in_turn.verdicts}
    assert {"linear_momentum_relative", "linear_momentum_balance_relative", "system_com_drift"} <= set(judged)
    assert all(judged[name].passed for name in judged)


# --- several modes side by side -------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def compared(tmp_path_factory: pytest.TempPathFactory) -> Mission:
    listed = "[" + ", ".join(f'"{word}"' for word in WORDS) + f", {WITH_WHEELS}]"
    text = flown_as('"floating"').replace('mode = "floating"', f"modes = {listed}")
    text += '\n[output]\nfigures = ["joint_rates"]\n'
    return mission(tmp_path_factory.mktemp("compared"), text)


@pytest.fixture(scope="module")
def comparison(compared: Mission) -> Comparison:
    return compared.compare()


@pytest.mark.slow
def test_a_mission_with_several_modes_is_flown_in_each(compared: Mission, comparison: Comparison, tmp_path: Path) -> None:
    assert list(compared.alternatives) == [*WORDS, "translation_flying with wheels"]
    assert comparison.completed and comparison.passed
    alone = mission(tmp_path, flown_as('"rotation_flying"')).run()
    assert_array_equal(comparison.runs["rotation_flying"].history.states.x, alone.history.states.x)
    assert_array_equal(compared.run().history.states.x, comparison.runs["floating"].history.states.x)


@pytest.mark.slow
def test_the_table_has_what_each_mode_did_and_took(compared: Mission, comparison: Comparison) -> None:
    headings, *rows = comparison.summary().rows
    cells = {row[0]: dict(zip(headings, row, strict=True)) for row in rows}
    assert list(cells) == list(compared.alternatives)
    for word, wheels, pushed in (("floating", False, False), ("rotation_floating", True, False), ("flying", False, True)):
        assert (cells[word]["stored momentum"] != "-") == wheels
        assert (cells[word]["impulse"] != "-") == pushed
    assert cells["rotation_flying"]["impulse"] == "0 N s"
    stored = comparison.runs["rotation_floating"].history.h_wheels
    assert cells["rotation_floating"]["stored momentum"] == f"{np.linalg.norm(stored, axis=1).max():.4g} N m s"
    assert str(comparison.summary()).splitlines()[0] == "Two joints, a few seconds"
    assert ">flying</td>" in comparison.summary()._repr_html_()


@pytest.mark.slow
def test_a_comparison_is_kept_with_a_folder_per_mode(compared: Mission, comparison: Comparison, tmp_path: Path) -> None:
    comparison.save(tmp_path / "out")
    assert "rotation_floating" in (tmp_path / "out" / "comparison.txt").read_text(encoding="utf-8")
    assert (tmp_path / "out" / "figures" / "comparison.png").stat().st_size > 10_000
    assert (tmp_path / "out" / "flying" / "run.nc").is_file()
    again = load_mission(tmp_path / "out" / "mission.resolved.toml")
    assert list(again.alternatives) == list(compared.alternatives)
    one = load_mission(tmp_path / "out" / "translation_flying_with_wheels" / "mission.resolved.toml")
    assert {**one.resolved, "system": "arm.toml"} == compared.alternatives["translation_flying with wheels"].resolved
    assert not one.alternatives


@pytest.mark.slow
def test_the_command_line_flies_all_modes(compared: Mission, tmp_path: Path) -> None:
    text = flown_as('"floating"').replace('mode = "floating"', 'modes = ["floating", "rotation_flying"]')
    path = written(tmp_path, text + "\n[output]\nfigures = []\n")
    result = CliRunner().invoke(application, ["run", str(path), "-o", str(tmp_path / "out")])
    assert result.exit_code == 0, result.output
    assert "rotation_flying" in result.stdout
    assert (tmp_path / "out" / "rotation_flying" / "run.nc").is_file()
    checked = CliRunner().invoke(application, ["check", compared.file])
    assert "flown in turn in the modes floating, rotation_floating" in checked.stdout


def test_a_limit_that_one_mode_breaks_fails_that_mode_and_the_comparison(tmp_path: Path) -> None:
    text = flown_as('"floating"').replace('mode = "floating"', 'modes = ["floating", "flying"]')
    text = text.replace("[limits]", "[limits]\nbase_displacement_m = 0.01")
    path = written(tmp_path, text)
    result = CliRunner().invoke(application, ["run", str(path)])
    assert result.exit_code == 1
    assert "floating: base displacement beyond its limit, t = " in result.stderr


def test_a_mission_in_one_mode_has_nothing_to_compare(tmp_path: Path) -> None:
    with pytest.raises(ModeMismatch, match=r"give its phases modes = \[...\]"):
        mission(tmp_path, MISSION).compare()


def test_two_phases_with_different_lists_are_refused(tmp_path: Path) -> None:
    text = flown_as('"floating"').replace('mode = "floating"', 'modes = ["floating", "flying"]')
    other = f'[[phase]]\nname = "more"\nmodes = ["flying", "floating"]\n{HOLD}\n[integration]'
    assert "the same list in every phase" in complaint(tmp_path, text.replace("[integration]", other))


def test_a_phase_with_one_mode_keeps_it_in_every_run(tmp_path: Path) -> None:
    text = flown_as('"floating"').replace('mode = "floating"', 'modes = ["floating", "rotation_floating"]')
    other = f'[[phase]]\nname = "more"\nmode = "flying"\n{HOLD}\n[integration]'
    loaded = mission(tmp_path, text.replace("[integration]", other))
    modes = [[phase.mode.name for phase in alternative.phases] for alternative in loaded.alternatives.values()]
    assert modes == [["floating", "flying"], ["rotation_floating", "flying"]]


def test_a_mistake_in_a_mission_with_several_modes_is_reported_once(tmp_path: Path) -> None:
    text = flown_as('"floating"', CONTROL.replace("4.0 }", "4.0, estimate = 'none.toml' }"))
    said = complaint(tmp_path, text.replace('mode = "floating"', 'modes = ["floating", "flying"]'))
    assert said.count("none.toml") == 1
