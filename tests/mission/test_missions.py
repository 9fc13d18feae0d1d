"""The mission files that come with the project."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.integrate import solve_ivp
from typer.testing import CliRunner

from scmanip.analysis import base_rotation
from scmanip.command._application import application
from scmanip.control import ComputedTorque
from scmanip.mission import Run, load_mission

FOLDER = Path(__file__).parents[2] / "missions"
FILES = sorted(path for path in FOLDER.glob("*.toml") if "scmanip.mission/" in path.read_text(encoding="utf-8"))
MODES = {
    "floating": {"momentum", "angular_momentum", "com_drift", "energy"},
    "rotation_floating": {"momentum", "angular_momentum", "com_drift", "energy"},
    "rotation_flying": {"momentum", "angular_momentum_balance", "com_drift", "energy"},
    "translation_flying": {"momentum_balance", "angular_momentum", "energy"},
    "flying": {"momentum_balance", "angular_momentum_balance", "energy"},
}
STUDIES = [FOLDER / "planar_four_link.toml", FOLDER / "spatial_six_link.toml"]


@pytest.mark.battery(4)
@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_every_mission_file_is_valid_and_called_like_its_file(path: Path) -> None:
    assert load_mission(path).name == path.stem


@pytest.mark.parametrize("path", STUDIES, ids=[path.stem for path in STUDIES])
def test_a_case_study_flies_the_papers_manoeuvre_from_the_extended_arm(path: Path) -> None:
    mission = load_mission(path)
    (phase,) = mission.phases
    assert_array_equal(mission.initial.q, 0.0)
    assert_array_equal(mission.initial.u, 0.0)
    assert isinstance(phase.controller, ComputedTorque)
    assert_array_equal(phase.controller.K_P, 1.0)
    assert_array_equal(phase.controller.K_D, 1.0)
    assert mission.integration.rtol == 1e-12
    assert mission.limits.momentum_relative == mission.limits.system_com_drift_m == mission.limits.energy_relative == 1e-9
    for joint in range(mission.system.layout.N):
        for leg, angle in ((11.0, 1.0), (23.5, 0.0), (34.0, -1.0), (48.0, 0.0)):
            wanted = np.zeros(mission.system.layout.N)
            wanted[joint] = angle
            assert phase.reference.at(49.0 * joint + leg).q == pytest.approx(wanted, abs=1e-12)
    assert phase.t_end_s >= phase.reference.t_end_s == 49.0 * mission.system.layout.N


@pytest.mark.parametrize("path", STUDIES, ids=[path.stem for path in STUDIES])
def test_a_stand_in_says_so_and_claims_no_table_of_the_paper(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert "stand-in" in load_mission(path).title
    assert "A stand-in for the" in text
    assert "Wilde Table" not in text


@pytest.mark.slow
def test_a_mission_with_wheels_passes() -> None:
    run = load_mission(FOLDER / "ets7_wheels.toml").run()
    assert run.passed, run.summary()
    assert "wheel_momentum" in {verdict.name for verdict in run.verdicts}


@pytest.mark.battery(0, judged=1)
@pytest.mark.parametrize("output_step_s", [0.5, 10.0, 100.0])
def test_wheels_that_are_too_weak_fail_the_mission_however_far_apart_its_samples_are(output_step_s, tmp_path: Path) -> None:
    text = (FOLDER / "ets7_wheels.toml").read_text(encoding="utf-8").replace("duration_s = 90", "duration_s = 40")
    text = text.replace("output_step_s = 0.5", f"output_step_s = {output_step_s}").replace("systems/", f"{FOLDER}/systems/")
    file = tmp_path / "fast.toml"
    file.write_text(text, encoding="utf-8")
    run = load_mission(file).run()
    verdicts = {verdict.name: verdict for verdict in run.verdicts}
    assert not run.passed
    assert verdicts["wheel_torque"].saturated
    assert np.degrees(verdicts["base_rotation"].value) == pytest.approx(0.2625, rel=1e-3)
    limits = [occurrence for occurrence in run.history.occurrences if "largest torque" in occurrence.phrase]
    assert limits[0].first_s == pytest.approx(4.93451, abs=1e-5)
    assert limits[-1].last_s == pytest.approx(37.9008, abs=1e-4)
    assert [before.last_s for before in limits[:-1]] == pytest.approx([after.first_s for after in limits[1:]], abs=1e-6)


@pytest.mark.slow
def test_the_free_floating_reach_arrives_and_says_how_far_it_was_from_a_singularity() -> None:
    run = load_mission(FOLDER / "ets7_reach.toml").run()
    assert run.passed, run.summary()
    found = {verdict.name: verdict for verdict in run.verdicts}
    assert found["tip_error"].value < 1e-6 and found["tip_turn"].value < 1e-6
    assert found["base_rotation"].value > np.radians(1)  # for all that the base was free
    assert found["tip_damping"].value == 0.0 and "smallest singular value 0.3" in found["tip_damping"].where


@pytest.mark.slow
def test_the_reach_by_what_sensors_say_arrives_and_its_filter_knows_how_wrong_it_is() -> None:
    run = load_mission(FOLDER / "ets7_reach_measured.toml").run()
    assert run.passed, run.summary()
    assert 1e-5 < {verdict.name: verdict for verdict in run.verdicts}["tip_error"].value < 1e-3
    history = run.history
    assert (abs(history.error_att) < 4 * history.sigma_att).all() and 4.0 < history.nees_att.mean() < 8.0
    assert (history.sigma_att[-1, 3:] < 0.02 * 5e-4).all()  # the biases are found


@pytest.mark.slow
def test_the_debris_is_reached_from_where_the_approach_ends() -> None:
    run = load_mission(FOLDER / "debris_flying.toml").run()
    assert run.passed, run.summary()
    assert "wheel_momentum" in {verdict.name for verdict in run.verdicts}
    approach, reach = run.flown
    assert approach.ended_by == "close" and 100 < reach.start_s < 240
    burnt = run.history.propellant_kg[-1]
    assert burnt == approach.history.propellant_kg[-1] > 0
    pushed = np.abs(np.diff(run.history.impulse[:, 0])).sum()  # there and back
    assert burnt == pytest.approx(pushed / (220 * 9.80665), rel=0.2)  # couples take the rest
    assert not any("largest force" in event for event in run.history.events)


@pytest.mark.slow
def test_a_slew_that_is_too_fast_for_the_wheels_fails_and_says_which_and_when(tmp_path: Path) -> None:
    """As the file says it would: the wheels give all they have, and the base turns away."""
    text = (FOLDER / "ets7_wheels.toml").read_text(encoding="utf-8")
    fast = text.replace("duration_s = 90.0", "duration_s = 40.0").replace("t_s = 100.0", "t_s = 41.0")
    fast = fast.replace("systems/ets7_wheels.toml", str(FOLDER / "systems" / "ets7_wheels.toml"))
    (tmp_path / "fast.toml").write_text(fast, encoding="utf-8")
    run = load_mission(tmp_path / "fast.toml").run()
    assert [verdict.name for verdict in run.verdicts if not verdict.passed] == ["base_rotation", "wheel_torque"]
    assert "at its limit from t = " in str(run.summary())


@pytest.mark.slow
def test_the_slew_in_five_modes_shows_what_each_of_them_is_for() -> None:
    comparison = load_mission(FOLDER / "spatial_six_link_modes.toml").compare()
    assert comparison.passed
    history = {mode: run.history for mode, run in comparison.runs.items()}
    turned = {mode: base_rotation(h).max() for mode, h in history.items()}
    moved = {mode: np.linalg.norm(h.r_0[-1] - h.r_0[0]) for mode, h in history.items()}
    assert turned["floating"] > np.radians(1) < turned["translation_flying"]
    assert max(turned[mode] for mode in ("rotation_floating", "rotation_flying", "flying")) < 1e-9
    assert moved["flying"] < 1e-3 < moved["translation_flying"] < 0.5 * moved["rotation_floating"]
    stored, couple = history["rotation_floating"].h_wheels, history["rotation_flying"].impulse[:, 3:]
    assert np.abs(stored + couple).max() < 1e-6 * np.abs(stored).max()  # what the arm takes, from inside or from outside
    drift = history["floating"].P[0]
    assert np.abs(history["flying"].impulse[-1, :3] + drift).max() < 1e-2 * np.abs(drift).max()


@cache
def case_study(path: Path, mode: str, folder: Path) -> Run:
    """Return the whole flight of a case study in a mode, of which the file has that one word."""
    text = path.read_text(encoding="utf-8")
    assert text.count('mode = "floating"') == 1
    changed = folder / f"{path.stem}_{mode}.toml"
    changed.write_text(text.replace('mode = "floating"', f'mode = "{mode}"'), encoding="utf-8")
    return load_mission(changed).run()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("modes")


@pytest.mark.battery(0, each=1)
@pytest.mark.parametrize("path", STUDIES, ids=[path.stem for path in STUDIES])
@pytest.mark.parametrize("mode", MODES)
def test_one_word_flies_a_whole_case_study_in_another_mode(path: Path, mode: str, folder: Path) -> None:
    run = case_study(path, mode, folder)
    assert run.passed, run.summary()
    assert set(run.history.residuals) == {*MODES[mode], "joint_motion"}
    assert max(residual.relative for residual in run.history.residuals.values()) < 3e-10
    assert sum(verdict.limit is not None for verdict in run.verdicts) == len(MODES[mode])
    history = run.history
    turned, moved = base_rotation(history).max(), np.linalg.norm(history.r_0 - history.r_0[0], axis=1).max()
    shifted = np.linalg.norm(history.r_C - history.r_C[0], axis=1).max()
    assert (turned < 1e-10) == ("rotation" in mode or mode == "flying")
    assert (moved < 1e-10) == (mode == "flying")
    assert (shifted < 1e-10) == (mode != "flying")


@pytest.mark.battery(0, each=1)
@pytest.mark.parametrize("path", STUDIES, ids=[path.stem for path in STUDIES])
@pytest.mark.parametrize("mode", [mode for mode in MODES if mode != "floating"])
def test_the_joints_do_the_same_in_every_mode(path: Path, mode: str, folder: Path) -> None:
    """Eq. 112 says what their accelerations are, and the mode only what the base does."""
    here, floating = (case_study(path, word, folder).history for word in (mode, "floating"))
    assert_allclose(here.t, floating.t, rtol=0, atol=1e-12)
    assert_allclose(here.q, floating.q, rtol=0, atol=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("path", STUDIES, ids=[path.stem for path in STUDIES])
def test_in_flying_a_joint_lags_behind_as_a_law_without_desired_acceleration_does(path: Path, folder: Path) -> None:
    """q'' = (qdot_D - qdot) + (q_D - q) of the first joint on its way out, by SciPy."""
    history = case_study(path, "flying", folder).history
    (phase,) = load_mission(path).phases

    def rates(t: float, y: np.ndarray) -> list[float]:
        wanted = phase.reference.at(t)
        return [y[1], wanted.qdot[0] - y[1] + wanted.q[0] - y[0]]

    t = history.t[history.t < 11.0]
    truth = solve_ivp(rates, (0.0, t[-1]), [0.0, 0.0], "DOP853", t_eval=t, rtol=1e-12, atol=1e-14, max_step=0.25)
    assert_allclose(history.q[: len(t), 0], truth.y[0], rtol=0, atol=1e-9)
    assert abs(history.q[: len(t), 0] - [phase.reference.at(time).q[0] for time in t]).max() > 0.01


@pytest.mark.slow
def test_the_summary_and_the_check_say_what_a_mode_commands_and_what_reacts(folder: Path) -> None:
    for mode, commanded, reacting, held in (
        ("floating", "qdot", "v_C, omega_0", None),
        ("rotation_flying", "omega_0, qdot", "v_C", "the base's attitude"),
        ("translation_flying", "v_C, qdot", "omega_0", "the system CoM's position"),
        ("flying", "v_C, omega_0, qdot", "none", "the base's attitude and the base's position"),
    ):
        run = case_study(STUDIES[0], mode, folder)
        (line,) = [line for line in str(run.summary()).splitlines() if line.startswith("phase ")]
        words = f"phase 'joint_sequence' in {mode}: commanded: {commanded}; reacting freely: {reacting}"
        assert line == words + (f"; held as the phase finds it: {held} (base_K_P = 1, base_K_D = 2)" if held else "")
        checked = CliRunner().invoke(application, ["check", run.mission.file])
        assert re.search(rf"joint_sequence +{mode} +{commanded} +{reacting} +JointSequence", checked.stdout)


@pytest.mark.slow
def test_a_probe_is_led_into_a_drogue_and_the_two_exchange_momenta() -> None:
    run = load_mission(FOLDER / "probe_and_drogue.toml").run()
    assert run.completed and run.passed
    history = run.history
    met = [each.phrase for each in history.occurrences if "fell" in each.phrase]
    assert met[:2] == ["'gap of top' fell below zero", "'gap of back' fell below zero"]
    client = history.P_by_tree[:, 1]
    assert client[0] == pytest.approx([-2.5, 0.0, 0.0]) and client[-1][0] == pytest.approx(-0.326, rel=0.05)
    assert_allclose(history.P_by_tree.sum(axis=1), np.tile([-2.5, 0.0, 0.0], (len(history.t), 1)), atol=1e-7)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["planar_quiet_base", "planar_laws_of_laws", "ets7_wheels_limits", "payload_watched"])
def test_a_mission_of_laws_passes(name: str) -> None:
    run = load_mission(FOLDER / f"{name}.toml").run()
    assert run.passed, run.summary()


@pytest.mark.slow
def test_a_tip_is_pressed_on_a_wall_with_two_newtons_while_it_slides() -> None:
    run = load_mission(FOLDER / "planar_wall.toml").run()
    assert run.passed, run.summary()
    pressed = run.histories[0]
    assert_allclose(pressed.constraint_forces["wall"], 2.0, rtol=1e-8)
    assert run.summary()
