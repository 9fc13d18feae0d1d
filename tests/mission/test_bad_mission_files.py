"""A wrong mission file gets every mistake named with its line, and nothing is run."""

from __future__ import annotations

from pathlib import Path

import pytest

from scmanip.errors import InvalidMission, Problem
from scmanip.mission import load_mission

from .files import FIXED, MISSION, SLIDER, SYSTEM, written

REGULATOR = 'controller = { type = "joint_regulator", K_P = { shoulder = 2.0, elbow = 0.0 }, K_D = 1.0 }'
CYCLOID = 'guidance = { type = "cycloid", q_deg = { elbow = 10.0 }, duration_s = 3.0 }'
HOLD = 'guidance = { type = "hold" }\nuntil = { t_s = 1.0 }'
GUIDANCE = next(line for line in MISSION.splitlines() if line.startswith("guidance"))
CONTROL = next(line for line in MISSION.splitlines() if line.startswith("controller"))
PHASE = MISSION[MISSION.index("[[phase]]") : MISSION.index("[integration]")]

# what is replaced, by what, the start of the line that the message must point at, and words of the message
MISTAKES = {
    "unknown key at the top": ("title =", "titel =", "titel", "did you mean 'title'"),
    "unknown key in a phase": ("controller =", "controler =", "controler", "did you mean 'controller'"),
    "unknown key in a limit": ("energy_relative", "energy_relativ", "energy_relativ", "did you mean 'energy_relative'"),
    "missing name": ('name = "short"\n', "", "schema", "name: expected a text"),
    "missing initial state": ("[initial]\nq_rad = [0.2, -0.3]\n", "", "schema", "[initial] table"),
    "no phase": (PHASE, "", "schema", "[[phase]]"),
    "text for a number": ("rtol = 1e-10", 'rtol = "fine"', "rtol", "a number from 2.3e-14 to 0.01"),
    "tolerance below rounding": ("rtol = 1e-10", "rtol = 1e-16", "rtol", "found 1e-16"),
    "not a number": ("q_rad = [0.2, -0.3]", "q_rad = [0.2, nan]", "q_rad", "a list of numbers"),
    "too few joints": ("q_rad = [0.2, -0.3]", "q_rad = [0.2]", "q_rad", "2 numbers, for shoulder, elbow"),
    "unknown joint": ("q_rad = [0.2, -0.3]", "q_rad = { shoulder = 0.2, elbo = 1 }", "q_rad", "did you mean 'elbow'"),
    "joint left out": ("q_rad = [0.2, -0.3]", "q_rad = { shoulder = 0.2 }", "q_rad", "none for elbow"),
    "joint given twice": ("q_rad = [0.2, -0.3]", "q_rad = [0.2, 1]\nq_deg = { elbow = 3 }", "q_deg", "second value"),
    "joint in the wrong unit": ("q_rad = [0.2, -0.3]", "q_m = [0.2, 0.1]", "q_m", "joints in m only"),
    "two attitudes": ("[initial]", "[initial]\nrpy_deg = [0, 0, 9]\nrpy_rad = [0, 0, 0]", "rpy_deg", "one of"),
    "quaternion off one": ("[initial]", "[initial]\nattitude_xyzw = [0, 0, 0, 1.1]", "attitude_xyzw", "norm"),
    "unknown mode": ('mode = "floating"', 'mode = "floatin"', "mode", "did you mean 'floating'"),
    "controller that leaves the base alone": (
        f'mode = "floating"\n{CONTROL}',
        'mode = "rotation_flying"\ncontroller = { type = "joint_regulator", K_P = 4.0, K_D = 4.0 }',
        "controller",
        "'state_feedback' or 'output_feedback' in a mode that drives the base",
    ),
    "no mode": ('mode = "floating"', "", "[[phase]]", "modes = [...]"),
    "mode and modes": (
        'mode = "floating"',
        'mode = "floating"\nmodes = ["floating", "flying"]',
        "modes",
        "either mode or modes",
    ),
    "one mode in a list": ('mode = "floating"', 'modes = ["floating"]', "modes", "two modes or more"),
    "unknown mode in a list": ('mode = "floating"', 'modes = ["floating", "flyin"]', "modes", "did you mean 'flying'"),
    "a mode twice": ('mode = "floating"', 'modes = ["floating", "floating"]', "modes", "'floating' again"),
    "mode without a type": ('mode = "floating"', 'mode = { attitude = "rotation_floating" }', "mode", "found nothing"),
    "attitude of another mode": (
        'mode = "floating"',
        'mode = { type = "floating", attitude = "rotation_floating" }',
        "mode",
        "no attitude",
    ),
    "unknown attitude": (
        'mode = "floating"',
        'mode = { type = "translation_flying", attitude = "free" }',
        "mode",
        "'rotation_floating', or nothing",
    ),
    "unknown key of a mode": (
        'mode = "floating"',
        'mode = { type = "floating", wheels = "four" }',
        "mode",
        "the unknown key 'wheels'",
    ),
    "mode as a number": ('mode = "floating"', "mode = 3", "mode", "the name of a mode"),
    "wheels that are not there": ("[initial]", "[initial]\nwheel_rpm = [1, 2, 3]", "wheel_rpm", "no [[wheel]]"),
    "wheel speeds as words": ("[initial]", '[initial]\nwheel_rpm = ["fast"]', "wheel_rpm", "one per wheel"),
    "samples beyond memory": (
        "output_step_s = 0.1",
        "output_step_s = 1e-9",
        "output_step_s",
        "samples; their states alone would",
    ),
    "a controller that never rests": ("K_P = 4.0", "rate_Hz = 1e9, K_P = 4.0", "controller", "so at most 2.6"),
    "a stiffness below zero": (
        '"computed_torque", K_P = 4.0, K_D = [4.0, 4.0], feedforward = true',
        '"cartesian_impedance", K = [-1.0, 2.0, 2.0], D = 1.0, axes = ["x", "y", "z"]',
        "controller",
        "expected a number >= 0, or a list of them",
    ),
    "a tolerance that is none": ("rtol = 1e-10", "rtol = 0.9", "rtol", "a number from 2.3e-14 to 0.01, the error of a step"),
    "an integrator that is none": (
        "[integration]",
        '[integration]\nintegrator = "ode45"',
        "integrator",
        "expected one of dop853, fixed_dop853, rk4,",
    ),
    "a fixed step without one": (
        "rtol = 1e-10",
        'integrator = "rk4"',
        "[integration]",
        "a number > 0, the length [s] of the steps",
    ),
    "a tolerance of a fixed step": (
        "rtol = 1e-10",
        'integrator = "rk4"\nstep_s = 0.1\nrtol = 1e-10',
        "rtol",
        "one of the keys integrator, output_step_s, step_s, found the unknown key 'rtol'",
    ),
    "a step of a controlled one": (
        "rtol = 1e-10",
        "step_s = 0.1",
        "step_s",
        "one of the keys output_step_s, integrator, rtol, atol",
    ),
    "too many steps": ("rtol = 1e-10", 'integrator = "fixed_dop853"\nstep_s = 1e-9', "step_s", "steps"),
    "a cycloid that never ends": (
        GUIDANCE,
        CYCLOID.replace("3.0", "1e300"),
        "guidance",
        "duration_s: expected a number <= 1e+12",
    ),
    "a figure that is none": (
        "[limits]",
        '[output]\nfigures = ["wheel_trq"]\n[limits]',
        "figures",
        "did you mean 'wheel_torque'",
    ),
    "momentum reduced where something pushes": (
        'mode = "floating"',
        'mode = "flying"\ncoordinates = "momentum_reduced"',
        "coordinates",
        "expected 'full' in mode 'flying', found 'momentum_reduced'",
    ),
    "two sizes of an orbit": (
        "[limits]",
        '[environment]\norbit = { type = "circular", altitude_km = 500, radius_km = 7000 }\n[limits]',
        "orbit",
        "found altitude_km and radius_km",
    ),
    "an orbit out of all gravity": (
        "[limits]",
        '[environment]\norbit = { type = "circular", altitude_km = 1e300 }\n[limits]',
        "orbit",
        "one revolution in at most 1e+15 s",
    ),
    "a radius without its mass": (
        "[limits]",
        '[environment]\nbody_radius_km = 3390\norbit = { type = "circular", altitude_km = 500 }\n[limits]',
        "body_radius_km",
        "found body_radius_km alone",
    ),
    "mode of another base": ('mode = "floating"', 'mode = "fixed_base"', "mode", "mode 'fixed_base' needs a base that is held"),
    "unknown guidance": ('"joint_sequence"', '"joint_squence"', "guidance", "did you mean 'joint_sequence'"),
    "guidance of an unknown joint": ("ramp_s", 'joints = ["wrist"], ramp_s', "guidance", "'wrist'"),
    "negative ramp": ("ramp_s = 0.2", "ramp_s = -0.2", "guidance", "ramp_s: expected a number > 0"),
    "zero rate": ("rate_rad_s = 0.2", "rate_rad_s = 0", "guidance", "rate_rad_s: expected a number > 0"),
    "rate in two units": ("ramp_s", "rate_deg_s = 5.0, ramp_s", "guidance", "rate_rad_s and rate_deg_s"),
    "negative cruise": ("[0.1, 0.4, 0.1]", "[0.1, -0.4, 0.1]", "guidance", "cruise_s[1]: expected a number >= 0"),
    "two cruises": ("[0.1, 0.4, 0.1]", "[0.1, 0.4]", "guidance", "cruise_s: expected 3 numbers >= 0, found 2 entries"),
    "negative rest": ("rest_s = 0.0", "rest_s = -1.0", "guidance", "rest_s: expected a number >= 0"),
    "sequence of no joint": ("ramp_s", "joints = [], ramp_s", "[[phase]]", "the guidance has no end"),
    "hold without an end": (GUIDANCE, 'guidance = { type = "hold" }', "[[phase]]", "until"),
    "end before the start": (GUIDANCE, HOLD.replace("1.0", "-1.0"), "until", "a number > 0"),
    "unknown controller": ('"computed_torque"', '"computed_torq"', "controller", "'computed_torque'"),
    "gain for three joints": ("[4.0, 4.0]", "[4.0, 4.0, 4.0]", "controller", "K_D: expected one finite number"),
    "negative gain": ("K_P = 4.0", "K_P = -4.0", "controller", "K_P: expected a number >= 0"),
    "gains that leave a joint out": (
        CONTROL,
        REGULATOR.replace(", elbow = 0.0", ""),
        "controller",
        "K_P: expected a value for every",
    ),
    "gain of an unknown joint": (CONTROL, REGULATOR.replace("elbow", "elbw"), "controller", "did you mean 'elbow'"),
    "negative gain of a joint": (CONTROL, REGULATOR.replace("0.0", "-1.0"), "controller", "a table of joint = number >= 0"),
    "regulator without a gain": (CONTROL, REGULATOR.replace(", K_D = 1.0", ""), "controller", "K_D: expected a number >= 0"),
    "regulator with feedforward": (CONTROL, REGULATOR.replace("K_D", "feedforward = true, K_D"), "controller", "'feedforward'"),
    "goal of an unknown joint": (GUIDANCE, CYCLOID.replace("elbow", "elbw"), "guidance", "did you mean 'elbow'"),
    "goal in the wrong unit": (GUIDANCE, CYCLOID.replace("q_deg", "q_m"), "guidance", "'elbow', which is in rad"),
    "goal given twice": (GUIDANCE, CYCLOID.replace("}", "}, q_rad = { elbow = 1.0 }", 1), "guidance", "second value"),
    "goal that is a text": (GUIDANCE, CYCLOID.replace("10.0", '"up"'), "guidance", "q_deg: expected a list of numbers"),
    "cycloid without duration": (
        GUIDANCE,
        CYCLOID.replace(", duration_s = 3.0", ""),
        "guidance",
        "duration_s: expected a number > 0",
    ),
    "hold of an unknown joint": (GUIDANCE, HOLD.replace('"hold"', '"hold", q_rad = { elbw = 1.0 }'), "guidance", "'elbw'"),
    "estimate that does not exist": ("K_P", 'estimate = "other.toml", K_P', "controller", "other.toml"),
    "estimate with other joints": (
        "K_P",
        'estimate = "model:ets7", K_P',
        "controller",
        "estimate: expected a floating base and the joints shoulder, elbow, found",
    ),
    "two phases of one name": ("[integration]", PHASE + "[integration]", "name", "a name used once among phases"),
    "limit on a joint that turns": ("[limits]", "[limits]\njoint_force_N = 3", "joint_force_N", "joints in m"),
    "limit on an unknown joint": ("[limits]", "[limits]\njoint_torque_Nm = { elbw = 3 }", "joint_torque_Nm", "'elbow'"),
    "power of an unknown joint": ("[limits]", "[limits]\njoint_power_W = { elbw = 3 }", "joint_power_W", "'elbow'"),
    "figure of no thrusters": (
        "[limits]",
        '[output]\nfigures = ["propellant"]\n[limits]',
        "figures",
        "a system with thrusters",
    ),
    "figure of no wheels": ("[limits]", '[output]\nfigures = ["wheel_torque"]\n[limits]', "figures", "a system with wheels"),
    "figure of no wrench": (
        "[limits]",
        '[output]\nfigures = ["base_wrench"]\n[limits]',
        "figures",
        "a mode that drives the base",
    ),
    "propellant of no thrusters": ("[limits]", "[limits]\npropellant_kg = 3.0", "propellant_kg", "a system with thrusters"),
    "negative limit": ("system_com_drift_m = 1e-9", "system_com_drift_m = -1.0", "system_com_drift_m", "a number > 0"),
    "error of joints that slide": ("[limits]", "[limits]\nfinal_joint_error_m = 1.0", "final_joint_error_m", "joints in m"),
    "root joint of a free base": (
        "[limits]",
        "[limits]\nroot_joint_momentum_relative = 1e-9",
        "root_joint_momentum_relative",
        "a held base with one first joint",
    ),
    "unknown figure": ("[limits]", '[output]\nfigures = ["base"]\n[limits]', "figures", "one of tracking, joint_rates"),
    "figures in a list of their own": (
        "[limits]",
        '[output]\nfigures = [["joint_rates"]]\n[limits]',
        "figures",
        "one of tracking, joint_rates",
    ),
    "figures in a table": ("[limits]", "[output]\nfigures = [{ energy = 1 }]\n[limits]", "figures", "found a table"),
    "system that does not exist": ('"arm.toml"', '"leg.toml"', "system", "leg.toml"),
    "unknown model": ('"arm.toml"', '"model:ets8"', "system", "did you mean 'ets7'"),
    "half a file": (GUIDANCE, GUIDANCE[:40], GUIDANCE[:40], "syntax"),
}


def problems_of(folder: Path, mission: str, system: str = SYSTEM) -> list[Problem]:
    with pytest.raises(InvalidMission) as caught:
        load_mission(written(folder, mission, system))
    return list(caught.value.problems)


def mentions(words: str, problems: list[Problem]) -> int:
    return sum(words in str(problem) for problem in problems)


@pytest.mark.battery(2)
@pytest.mark.parametrize(("old", "new", "start", "words"), MISTAKES.values(), ids=MISTAKES.keys())
def test_a_mistake_is_named_at_its_line(tmp_path: Path, old: str, new: str, start: str, words: str) -> None:
    assert old in MISSION
    bad = MISSION.replace(old, new, 1)
    problems = problems_of(tmp_path, bad)
    assert mentions(words, problems) == 1, problems
    pointed = next(problem for problem in problems if words in str(problem))
    assert Path(pointed.file) == tmp_path / "short.toml"
    assert bad.splitlines()[pointed.line - 1].startswith(start)


def test_mistakes_of_every_kind_are_reported_at_once(tmp_path: Path) -> None:
    bad = MISSION.replace("title", "titel").replace("[0.2, -0.3]", "[0.2]").replace("ramp_s = 0.2", "ramp_s = -1")
    bad = bad.replace("system_com_drift_m", "system_drift_m").replace('"computed_torque"', '"pid"')
    broken = SYSTEM.replace("mass_kg = 5.0", "mass_kg = -5.0")
    with_good_system = problems_of(tmp_path, bad)
    with_bad_system = problems_of(tmp_path, bad, broken)
    for words in ("titel", "q_rad", "system_drift_m", "pid"):
        assert mentions(words, with_good_system) == 1
    for words in ("titel", "system_drift_m", "pid"):
        assert mentions(words, with_bad_system) == 1
    line = broken.splitlines().index("mass_kg = -5.0") + 1
    assert mentions(f"arm.toml:{line}:1: body[0].mass_kg", with_bad_system) == 1


EVERYWHERE = (
    ("title", "titel"),
    ("[0.2, -0.3]", "[0.2]"),
    ('"floating"', '"floatin"'),
    ("K_P = 4.0", 'estimate = "other.toml", K_P = -4.0'),
    ("ramp_s = 0.2", 'joints = ["wrist"], ramp_s = -0.2'),
    ("rtol = 1e-10", 'rtol = "fine"'),
    ("system_com_drift_m = 1e-9", "joint_torque_Nm = { elbw = 3 }"),
)
NEED_THE_SYSTEM = ("q_rad", "wrist", "elbw")
NEED_THE_FILE = ("titel", "'floatin'", "other.toml", "K_P", "ramp_s: expected", "'fine'")


def wrong_everywhere() -> str:
    bad = MISSION
    for old, new in EVERYWHERE:
        assert bad.count(old) == 1
        bad = bad.replace(old, new)
    return bad


def test_no_mistake_hides_another(tmp_path: Path) -> None:
    problems = problems_of(tmp_path, wrong_everywhere())
    for words in NEED_THE_SYSTEM + NEED_THE_FILE:
        assert mentions(words, problems) == 1, words
    assert len(problems) == len(NEED_THE_SYSTEM + NEED_THE_FILE) == 9


@pytest.mark.parametrize("system", ['"leg.toml"', '"model:ets8"'])
def test_a_wrong_name_of_the_system_hides_only_what_needs_the_system(tmp_path: Path, system: str) -> None:
    problems = problems_of(tmp_path, wrong_everywhere().replace('"arm.toml"', system))
    for words in (system.strip('"').removeprefix("model:"), *NEED_THE_FILE):
        assert mentions(words, problems) == 1, words
    assert len(problems) == len(NEED_THE_FILE) + 1


def test_a_wrong_start_hides_nothing_of_the_phases(tmp_path: Path) -> None:
    start = MISSION.replace("[0.2, -0.3]", "[0.2]").replace("[initial]", "[initial]\nattitude_xyzw = [0, 0, 0, 2]")
    bad = start.replace('"floating"', '"floatin"').replace("ramp_s", 'joints = ["wrist"], ramp_s')
    bad = bad.replace("K_P", 'estimate = "model:ets7", K_P').replace("[4.0, 4.0]", "[4.0, 4.0, 4.0]")
    problems = problems_of(tmp_path, bad)
    for words in ("q_rad", "found norm 2", "'floatin'", "'wrist'", "estimate: expected", "K_D: expected one finite number"):
        assert mentions(words, problems) == 1, words
    assert len(problems) == 6


def test_a_system_that_cannot_move_hides_nothing_else(tmp_path: Path) -> None:
    massless = SYSTEM.replace("mass_kg = 4.0", "mass_kg = 0.0").replace("[0.01, 0.3, 0.3]", "[0.0, 0.0, 0.0]")
    bad = (
        MISSION.replace("[0.2, -0.3]", "[0.2]")
        .replace('"floating"', '"floatin"')
        .replace("ramp_s", 'joints = ["wrist"], ramp_s')
    )
    problems = problems_of(tmp_path, bad.replace("K_P", 'estimate = "model:ets7", K_P'), massless)
    for words in ("joint 'elbow' can move without moving mass", "q_rad", "'floatin'", "'wrist'", "estimate: expected"):
        assert mentions(words, problems) == 1, words
    assert len(problems) == 5


def test_a_bad_estimate_is_found_without_the_missions_own_system(tmp_path: Path) -> None:
    massless = SYSTEM.replace("mass_kg = 4.0", "mass_kg = 0.0").replace("[0.01, 0.3, 0.3]", "[0.0, 0.0, 0.0]")
    (tmp_path / "other.toml").write_text(massless, encoding="utf-8")
    problems = problems_of(tmp_path, MISSION.replace("K_P", 'estimate = "other.toml", K_P').replace("arm.toml", "leg.toml"))
    assert mentions("leg.toml", problems) == mentions("joint 'elbow' can move without moving mass", problems) == 1
    assert len(problems) == 2


def test_a_wrong_key_hides_no_other_of_its_table_and_is_blamed_once(tmp_path: Path) -> None:
    bad = MISSION.replace("q_rad = [0.2, -0.3]", "q_rda = [0.2, -0.3]\nqdot_rad_s = [0.1]\nr_0_m = [1.0]")
    bad = bad.replace("guidance =", "untl = { t_s = 3.0 }\nguidance =").replace("rest_s", 'joints = ["wrist"], rest')
    bad = bad.replace("energy_relative = 1e-7", "joint_force_N = 3.0\nenergy_relative = -1.0")
    problems = problems_of(tmp_path, bad)
    for words in (
        "'q_rda'",
        "initial.qdot_rad_s",
        "initial.r_0_m",
        "'untl'",
        "'wrist'",
        "'rest'",
        "limits.joint_force_N",
        "energy_relative: expected",
    ):
        assert mentions(words, problems) == 1, words
    assert len(problems) == 8


def test_two_rates_do_not_hide_an_unknown_joint(tmp_path: Path) -> None:
    bad = MISSION.replace("ramp_s", 'rate_deg_s = 5.0, joints = ["wrist", "elbow"], ramp_s')
    problems = problems_of(tmp_path, bad)
    assert mentions("rate_rad_s and rate_deg_s", problems) == mentions("'wrist'", problems) == 1
    assert len(problems) == 2


def test_phases_of_one_name_are_found_though_neither_can_be_flown(tmp_path: Path) -> None:
    twice = MISSION.replace("[integration]", PHASE + "[integration]").replace('"floating"', '"floatin"')
    problems = problems_of(tmp_path, twice)
    assert mentions("a name used once among phases", problems) == 1
    assert mentions("'floatin'", problems) == 2
    assert len(problems) == 3


def test_mistakes_of_the_system_file_carry_its_own_lines(tmp_path: Path) -> None:
    broken = SYSTEM.replace("axis = [0, 1, 0]", "axis = [0, 2, 0]").replace('parent = "upper"', 'parent = "uper"')
    problems = problems_of(tmp_path, MISSION, broken)
    assert len(problems) == 2
    assert all(Path(problem.file) == tmp_path / "arm.toml" and problem.line for problem in problems)


def test_a_base_that_is_held_has_neither_motion_nor_limits(tmp_path: Path) -> None:
    bad = MISSION.replace('"floating"', '"fixed_base"').replace("[initial]", "[initial]\nr_0_m = [0.0, 0.0, 0.0]")
    problems = problems_of(tmp_path, bad, FIXED)
    assert [problem.key for problem in problems] == [
        "initial.r_0_m",
        "limits.momentum_relative",
        "limits.system_com_drift_m",
    ]


def test_one_sequence_does_not_move_joints_of_two_units(tmp_path: Path) -> None:
    bad = MISSION.replace("q_rad = [0.2, -0.3]", "q_rad = { shoulder = 0.2 }\nq_m = { elbow = 0.1 }")
    (problem,) = problems_of(tmp_path, bad.replace(CONTROL, 'controller = { type = "computed_torque" }'), SLIDER)
    assert problem.key == "phase[0].guidance"
    assert "'elbow', which is in m" in problem.found


def test_a_system_file_is_not_taken_for_a_mission(tmp_path: Path) -> None:
    path = tmp_path / "arm.toml"
    path.write_text(SYSTEM, encoding="utf-8")
    with pytest.raises(InvalidMission, match="this is a system file") as caught:
        load_mission(path)
    assert len(caught.value.problems) == 1


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidMission, match=r"nowhere\.toml.*no such file"):
        load_mission(tmp_path / "nowhere.toml")


def test_doubtful_hardware_is_refused_only_when_strict(tmp_path: Path) -> None:
    doubtful = SYSTEM.replace("inertia_kg_m2 = [0.01, 0.3, 0.3]", "inertia_kg_m2 = [0.01, 0.3, 0.9]")
    path = written(tmp_path, MISSION, doubtful)
    assert load_mission(path).system.warnings()
    with pytest.raises(InvalidMission, match="principal moments"):
        load_mission(path, strict=True)


@pytest.mark.parametrize(
    ("line", "doubted"),
    [("q_rad = [30.0, -0.3]", ["initial.q_rad[0]"]), ("q_rad = { shoulder = 0.2, elbow = -45.0 }", ["initial.q_rad.elbow"])],
)
def test_angles_in_radians_that_look_like_degrees_are_asked_about(tmp_path: Path, line: str, doubted: list[str]) -> None:
    path = written(tmp_path, MISSION.replace("q_rad = [0.2, -0.3]", line))
    found = load_mission(path).warnings()
    assert [problem.key for problem in found] == doubted
    assert found[0].line == 7 and "then write q_deg" in found[0].hint
    with pytest.raises(InvalidMission, match="are these degrees"):
        load_mission(path, strict=True)
