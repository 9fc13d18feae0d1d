"""Missions of systems whose joints have several angles, or a quaternion."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import h5netcdf
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from typer.testing import CliRunner

from scmanip.command._application import application
from scmanip.command._verify import random_cases
from scmanip.errors import InvalidMission
from scmanip.mission import Run, load_mission
from scmanip.system import Body, Joint, System, load_system

from .files import TREE, TREE_MISSION, WITH_WHEELS, WORDS, written

DEG = np.pi / 180
START = TREE_MISSION[TREE_MISSION.index("[initial]") : TREE_MISSION.index("[[phase]]")]
FIXED_TREE = TREE.replace("[base]\n", "[base]\nfixed = true\n")
SEQUENCE = next(line for line in TREE_MISSION.splitlines() if line.startswith("guidance"))


@pytest.fixture(scope="module")
def flown(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Run, Path]]:
    folder = tmp_path_factory.mktemp("tree")
    run = load_mission(written(folder, TREE_MISSION, TREE)).run()
    run.save(folder / "out")
    yield run, folder / "out"


def started(folder: Path, initial: str, system: str = TREE) -> tuple[np.ndarray, np.ndarray]:
    """Return q and qdot of a mission that starts as `initial` says."""
    state = load_mission(written(folder, TREE_MISSION.replace(START, f"[initial]\n{initial}\n\n"), system)).initial
    return state.q, state.qdot


def test_joints_start_where_their_names_say(tmp_path: Path) -> None:
    state = load_mission(written(tmp_path, TREE_MISSION, TREE)).initial
    assert_allclose(state.q, [10 * DEG, -20 * DEG, 30 * DEG, 0.6, 0, 0, 0.8, 0.1], rtol=1e-15)
    assert_allclose(state.qdot, [0, 0, 2 * DEG, 0, 10 * DEG, 0, 0], rtol=1e-15)


def test_angles_may_be_named_one_by_one_and_spherical_joints_start_unturned(tmp_path: Path) -> None:
    one_by_one = '"shoulder.2" = 0.2, "shoulder.1" = 0.1'
    q, _ = started(tmp_path, f'q_rad = {{ {one_by_one} }}\nq_deg = {{ "shoulder.3" = 9 }}\nq_m = {{ slide = 0.4 }}')
    assert_allclose(q, [0.1, 0.2, 9 * DEG, 0, 0, 0, 1, 0.4], rtol=1e-15)


def test_a_list_has_a_number_per_angle_and_a_rate_per_freedom(tmp_path: Path) -> None:
    turning = TREE[: TREE.index('[[body]]\nname = "boom"')]
    mission = TREE_MISSION.replace("[4, 4, 4, 4, 4, 4, 4]", "4.0")
    text = mission.replace(START, "[initial]\nq_rad = [1, 0.2, 0.3]\nqdot_rad_s = [1, 2, 3, 4, 5, 6]\n\n")
    state = load_mission(written(tmp_path, text, turning)).initial
    assert_allclose(state.q, [1, 0.2, 0.3, 0, 0, 0, 1])
    assert_allclose(state.qdot, [1, 2, 3, 4, 5, 6])


def test_a_quaternion_nearly_of_norm_one_is_normalised(tmp_path: Path) -> None:
    q, _ = started(
        tmp_path, "q_rad = { shoulder = [0, 0, 0] }\nq_m = { slide = 0 }\nq_xyzw = { wrist = [0.6000003, 0, 0, 0.8] }"
    )
    assert np.linalg.norm(q[3:7]) == pytest.approx(1.0, abs=1e-15)


ANGLES, LENGTH = "q_rad = { shoulder = [0, 0.1, 0] }", "q_m = { slide = 0 }"
SOUND = f"{ANGLES}\n{LENGTH}\n"
MISTAKES = {
    "norm": (f"{SOUND}q_xyzw = {{ wrist = [1, 1, 0, 0] }}", "q_xyzw", "for joint 'wrist', found norm 1.41421356"),
    "zero": (f"{SOUND}q_xyzw = {{ wrist = [0, 0, 0, 0] }}", "q_xyzw", "for joint 'wrist', found norm 0"),
    "three numbers": (f"{SOUND}q_xyzw = {{ wrist = [0, 0, 1] }}", "q_xyzw", "= 4 numbers x, y, z, w"),
    "no table": (f"{SOUND}q_xyzw = [0, 0, 0, 1]", "q_xyzw", "a table of spherical joint = 4 numbers"),
    "quaternion of a gimbal": (
        f"{SOUND}q_xyzw = {{ shoulder = [0, 0, 0, 1] }}", "q_xyzw", "the spherical joints wrist, found 'shoulder'"),
    "misspelt": (f"{SOUND}q_xyzw = {{ wirst = [0, 0, 0, 1] }}", "q_xyzw", "did you mean 'wrist'"),
    "two angles of three": (f"q_rad = {{ shoulder = [0, 0] }}\n{LENGTH}", "q_rad", "3 numbers for 'shoulder', found 2"),
    "one number for a gimbal": (f"q_rad = {{ shoulder = 0.1 }}\n{LENGTH}", "q_rad", "3 numbers for 'shoulder', found 1"),
    "an angle left out": (f'q_rad = {{ "shoulder.1" = 0, "shoulder.3" = 0 }}\n{LENGTH}', "q_rad", "none for shoulder.2"),
    "an angle twice": (f'{ANGLES[:-2]}, "shoulder.2" = 0 }}\n{LENGTH}', "q_rad", "a second value for 'shoulder.2'"),
    "twice in two units": (f'{ANGLES}\nq_deg = {{ "shoulder.2" = 0 }}\n{LENGTH}', "q_deg", "value for 'shoulder.2'"),
    "an angle of a ball": (f"{ANGLES[:-2]}, wrist = [0, 0, 0] }}\n{LENGTH}", "q_rad", "'wrist', a spherical joint"),
    "a fourth angle": (f'{ANGLES[:-2]}, "shoulder.4" = 0 }}\n{LENGTH}', "q_rad", "did you mean 'shoulder.3'"),
    "a name without quotation marks": (f"q_rad = {{ shoulder.1 = 0 }}\n{LENGTH}", "q_rad", "in quotation marks"),
    "a length for an angle": (f"{ANGLES}\nq_m = {{ slide = 0, shoulder = [0, 0, 0] }}", "q_m", "'shoulder', which is in rad"),
    "two rates of three": (f"{SOUND}qdot_rad_s = {{ wrist = [0, 0] }}", "qdot_rad_s", "3 numbers for 'wrist', found 2"),
    "rate of a quaternion": (f'{SOUND}qdot_rad_s = {{ "wrist.w" = 0 }}', "qdot_rad_s", "one of the joints"),
}  # fmt: skip


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes_in_the_initial_joints_are_named_at_their_line(name: str, tmp_path: Path) -> None:
    initial, key, words = MISTAKES[name]
    text = TREE_MISSION.replace(START, f"[initial]\n{initial}\n\n")
    with pytest.raises(InvalidMission) as caught:
        load_mission(written(tmp_path, text, TREE))
    (problem,) = caught.value.problems
    assert words in str(problem)
    assert text.splitlines()[problem.line - 1].startswith(key)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('joints = ["shoulder"]', 'joints = ["wrist"]', "a spherical joint; q_xyzw turns it, a joint_sequence"),
        ('joints = ["shoulder"]', 'joints = ["wrist.y"]', "expected one of the joints shoulder, wrist, slide"),
        ('joints = ["shoulder"]', 'joints = ["shoulder.2", "slide"]', "'slide', which is in m"),
        ("[4, 4, 4, 4, 4, 4, 4]", "[4, 4, 4]", "7 of them"),
        ("[4, 4, 4, 4, 4, 4, 4]", '{ shoulder = 4, "wrist.y" = 4, slide = 4 }', "none for wrist.x, wrist.z"),
        ('"hold" }', '"hold", q_xyzw = { wrist = [0, 0, 0, 2] } }', "for joint 'wrist', found norm 2"),
        ('"hold" }', '"hold", q_rad = { wrist = [0, 0, 0] } }', "'wrist', a spherical joint"),
        ('"hold" }', '"hold", q_rad = { shoulder = [0, 0] } }', "3 numbers for 'shoulder', found 2"),
        ('"wrist.y" = 20.0', '"wrist.w" = 20.0', "expected one of the joints"),
        ('"wrist.y" = 20.0', "slide = 20.0", "a joint in rad, found 'slide'"),
    ],
)  # fmt: skip
def test_other_mistakes_about_such_joints_are_named(old: str, new: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidMission) as caught:
        load_mission(written(tmp_path, TREE_MISSION.replace(old, new), TREE))
    (problem,) = caught.value.problems
    assert words in str(problem)


def test_an_estimate_that_turns_otherwise_is_refused(tmp_path: Path) -> None:
    ball = TREE.replace('type = "gimbal", sequence = "xyz"', 'type = "spherical"').replace(
        ", lower_deg = -80, upper_deg = 80", ""
    )
    (tmp_path / "ball.toml").write_text(ball, encoding="utf-8")
    text = TREE_MISSION.replace("K_P = 4.0", 'estimate = "ball.toml", K_P = 4.0')
    with pytest.raises(InvalidMission, match=r"joints shoulder\.1, .*, found .* joints shoulder\.x, shoulder\.y"):
        load_mission(written(tmp_path, text, TREE))


@pytest.mark.slow
def test_the_run_keeps_its_laws_and_ends_where_the_guidance_ends(flown: tuple[Run, Path]) -> None:
    run, _ = flown
    assert run.passed
    assert_allclose(run.history.q[-1, :3], [10 * DEG, -20 * DEG, 30 * DEG], atol=1e-6)
    assert_allclose(run.history.q[-1, 3:7], [0.6, 0, 0, 0.8], atol=1e-6)
    moved = np.ptp(run.history.q[:, :3], axis=0)
    assert_allclose(moved, 0.2, rtol=0.05)  # each angle of the gimbal: 0.1 rad out, and as far to the other side


@pytest.mark.battery(0, judged=2)
@pytest.mark.parametrize("mode", [*(f'"{word}"' for word in WORDS), WITH_WHEELS])
def test_one_word_flies_them_in_every_mode_and_the_joints_do_the_same(
    mode: str, flown: tuple[Run, Path], tmp_path: Path
) -> None:
    text = TREE_MISSION.replace('mode = "floating"', f"mode = {mode}").replace("rtol = 1e-10", "rtol = 1e-11")
    run = load_mission(written(tmp_path, text, TREE)).run()
    assert run.passed, run.summary()
    assert len(run.history.residuals) >= 3
    assert_allclose(run.history.q, flown[0].history.q, rtol=0, atol=1e-9)


def test_without_names_a_sequence_moves_every_angle_and_no_spherical_joint(tmp_path: Path) -> None:
    turning = TREE[: TREE.index('[[body]]\nname = "boom"')]
    text = TREE_MISSION.replace(START, "[initial]\nq_rad = [0, 0.1, 0]\n\n").replace('joints = ["shoulder"], ', "")
    mission = load_mission(written(tmp_path, text.replace("[4, 4, 4, 4, 4, 4, 4]", "4.0"), turning))
    assert mission.resolved["phase"][0]["guidance"]["joints"] == ["shoulder.1", "shoulder.2", "shoulder.3"]


@pytest.mark.slow
def test_the_history_comes_back_with_a_column_per_coordinate_and_per_freedom(flown: tuple[Run, Path]) -> None:
    run, folder = flown
    with h5netcdf.File(folder / "run.nc", "r", decode_vlen_strings=True) as file:
        assert file["q"].dimensions == ("time", "coordinate")
        assert file["qdot"].dimensions == file["tau"].dimensions == ("time", "freedom")
        for name in ("q", "qdot", "tau"):
            assert_array_equal(file[name][...], getattr(run.history, name))
        angles = ["shoulder.1", "shoulder.2", "shoulder.3"]
        assert list(file["coordinate"][...]) == [*angles, *(f"wrist.{part}" for part in "xyzw"), "slide"]
        assert list(file["freedom"][...]) == [*angles, *(f"wrist.{part}" for part in "xyz"), "slide"]
        assert list(file["coordinate_unit"][...]) == ["rad"] * 3 + ["1"] * 4 + ["m"]
        assert list(file["freedom_unit"][...]) == ["rad"] * 6 + ["m"]
        assert file["q"].attrs["units"] == "rad or 1 or m"
        assert file["tau"].attrs["units"] == "N m or N"


@pytest.mark.slow
def test_the_resolved_mission_is_the_same_mission(flown: tuple[Run, Path], tmp_path: Path) -> None:
    run, folder = flown
    again = load_mission(folder / "mission.resolved.toml")
    assert {**again.resolved, "system": "arm.toml"} == run.mission.resolved
    assert_array_equal(again.initial.x, run.mission.initial.x)
    assert_array_equal(again.run().history.states.x, run.history.states.x)


@pytest.mark.slow
def test_a_mission_turns_a_spherical_joint_to_a_wanted_attitude(tmp_path: Path) -> None:
    """First along a cycloid with everything known, then by springs and dampers that are told another goal."""
    text = (
        TREE_MISSION[: TREE_MISSION.index("[[phase]]")]
        + """
[[phase]]
name = "turn"
mode = "floating"
controller = { type = "computed_torque", K_P = { shoulder = 9.0, wrist = 9.0, slide = 9.0 }, K_D = 6.0, feedforward = true }
guidance = { type = "cycloid", q_xyzw = { wrist = [0, 0, 0.8, 0.6] }, q_rad = { "shoulder.3" = 0.2 }, duration_s = 6.0 }

[[phase]]
name = "pull"
mode = "floating"
controller = { type = "joint_regulator", K_P = 8.0, K_D = 8.0 }
guidance = { type = "hold", q_xyzw = { wrist = [0, 0, 0, 1] } }
until = { t_s = 40.0 }

[limits]
momentum_relative = 1e-8
final_joint_error_deg = 0.01
"""
    )
    mission = load_mission(written(tmp_path, text, TREE))
    run = mission.run()
    assert run.passed, str(run.summary())
    turned = run.histories[0].final.q
    assert_allclose(turned[:3], [10 * DEG, -20 * DEG, 0.2], atol=1e-4)
    assert abs(turned[3:7] @ [0, 0, 0.8, 0.6]) == pytest.approx(1.0, abs=1e-8)
    assert abs(run.history.final.q[6]) == pytest.approx(1.0, abs=1e-8)
    (error,) = (v for v in run.verdicts if v.name == "final_joint_error")
    assert 0 < error.value < 1e-4
    run.save(tmp_path / "out")
    again = load_mission(tmp_path / "out" / "mission.resolved.toml")
    assert {**again.resolved, "system": "arm.toml"} == mission.resolved


@pytest.mark.battery(0, each=1)
@pytest.mark.parametrize("text", [TREE, FIXED_TREE], ids=["floating", "fixed"])
@pytest.mark.parametrize(
    ("command", "words"),
    [("check", ["shoulder (gimbal xyz)", "wrist (spherical)", "ok"]),
     ("verify", ["every check passed", "articulated bodies", "MuJoCo", "C does the work of Hdot"]),
     ("derive", ["H", "dH_dq", "forward dynamics alone"])],
)  # fmt: skip
def test_every_command_takes_such_systems(command: str, words: list[str], text: str, tmp_path: Path) -> None:
    (tmp_path / "arm.toml").write_text(text, encoding="utf-8")
    result = CliRunner().invoke(application, [command, str(tmp_path / "arm.toml")])
    assert result.exit_code == 0, result.output
    for word in words:
        assert word in result.stdout
    assert "FAILED" not in result.stdout


@pytest.mark.parametrize("sequence", ["zxz", "xyz", "yxy"])
def test_random_states_are_states_and_lock_no_gimbal(sequence: str) -> None:
    """The first and the last axis, by the rotation of the middle angle, stay apart."""
    joints = [
        Joint("gimbal", "gimbal", sequence=sequence, lower=-3.0, upper=3.0),
        Joint("ball", "spherical"),
    ]
    bodies = [Body(j.name, 1.0, np.full(3, 0.1), parent="base", joint=j) for j in joints]
    q = random_cases(System("two", Body("base", 5.0, np.ones(3)), bodies), 4).states.q
    assert_allclose(np.linalg.norm(q[:, 3:], axis=1), 1.0, atol=1e-15)
    assert abs(q[:, :3]).max() <= 3.0
    first, middle, last = (np.eye(3)["xyz".index(letter)] for letter in sequence)
    for angle in q[:, 1]:
        seen = last * np.cos(angle) + np.cross(middle, last) * np.sin(angle)
        assert np.linalg.norm(np.cross(first, seen)) >= 0.3


def test_a_gimbal_that_its_limits_keep_in_lock_is_left_there() -> None:
    joint = Joint("gimbal", "gimbal", sequence="zxz", lower=-0.1, upper=0.1)
    body = Body("dish", 1.0, np.full(3, 0.1), parent="base", joint=joint)
    q = random_cases(System("one", Body("base", 5.0, np.ones(3)), [body]), 4).states.q
    assert abs(q).max() <= 0.1


def test_random_states_of_systems_without_such_joints_are_what_they_were() -> None:
    """The numbers that seeds have always stood for: uniform in the limits, first of all."""
    states = random_cases(load_system("model:planar_four_link"), 7).states
    assert_array_equal(states.q, np.random.default_rng(7).uniform(-np.pi, np.pi, (20, 4)))
