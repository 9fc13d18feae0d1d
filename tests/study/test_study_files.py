"""Study files: the same as a call in Python, and every mistake of one with its line and column."""

import random
import sys

import pytest
from scipy import stats

from scmanip.errors import InvalidInput
from scmanip.study import (
    Keep,
    KeptWorst,
    LatinHypercube,
    UntilDecided,
    UntilInterval,
    define,
    dispersed,
    grid,
    levels,
    load_definition,
    read_definition,
    span,
    uniform_ball,
)
from scmanip.system import TomlDocument

TEXT = """schema = "scmanip.study/1"
name = "slew"
title = "A slew with scatter"
mission = "slew.toml"
seed = 7
repeats = 20
sampling = { type = "latin_hypercube", count = 16 }

[design]
"system.body.arm.mass_kg" = [3, 4.5, 6]
"phase.slew.controller.K_P" = { span = [0.2, 1.5], log = true }
"phase.*.mode" = ["floating", "flying"]
"initial.r_0_m" = [[0, 0, 0], [1, 0, 0]]
system.wheel.x.momentum_Nms = { grid = [1, 8], count = 4, log = true }

[dispersion]
"initial.omega_0_deg_s" = { distribution = "norm", scale = 0.05, size = 3 }
"system.body.*.com_m" = { uniform_ball = 0.005 }
"system.body.*.mass_kg" = { distribution = "truncnorm", a = -3, b = 3, loc = 1, scale = 0.02, how = "scale" }
"initial.rpy_deg" = { distribution = "uniform", loc = [-1, -2, -3], scale = [2, 4, 6] }

[[correlated]]
paths = ["initial.omega_0_deg_s[0]", "initial.omega_0_deg_s[1]"]
matrix = [[1, 0.5], [0.5, 1]]

[metrics]
turn_deg = "max(degrees(base_rotation_rad))"
peak_Nm = "max(abs(joint_torque_Nm))"

[limits]
turn_deg = { max = 5, unit = "deg", probability = 0.9973 }
peak_Nm = { min = -40, max = 40, unit = "N m" }

[keep]
worst = { metric = "turn_deg", count = 20 }
failed = true

[stop]
type = "narrow"
of = "turn_deg.p95"
half_width = 0.2
unit = "deg"

[output]
folder = "results/slew"
"""


def read(text):
    return read_definition(TomlDocument.parse(text, "study.toml"))


def problems(text):
    with pytest.raises(InvalidInput) as caught:
        read(text)
    return [str(problem) for problem in caught.value.problems]


def in_python(**changes):
    given = {
        "name": "slew",
        "title": "A slew with scatter",
        "mission": "slew.toml",
        "seed": 7,
        "repeats": 20,
        "sampling": LatinHypercube(16),
        "design": {
            "system.body.arm.mass_kg": levels(3.0, 4.5, 6.0),
            "phase.slew.controller.K_P": span(0.2, 1.5, log=True),
            "phase.*.mode": ["floating", "flying"],
            "initial.r_0_m": levels((0, 0, 0), (1, 0, 0)),
            "system.wheel.x.momentum_Nms": grid(1, 8, 4, log=True),
        },
        "dispersion": {
            "initial.omega_0_deg_s": dispersed(stats.norm(0, 0.05), size=3),
            "system.body.*.com_m": uniform_ball(0.005),
            "system.body.*.mass_kg": dispersed(stats.truncnorm(-3, 3, 1, 0.02), how="scale"),
            "initial.rpy_deg": stats.uniform([-1, -2, -3], [2, 4, 6]),
        },
        "correlated": [(["initial.omega_0_deg_s[0]", "initial.omega_0_deg_s[1]"], [[1, 0.5], [0.5, 1]])],
        "metrics": {"turn_deg": "max(degrees(base_rotation_rad))", "peak_Nm": "max(abs(joint_torque_Nm))"},
        "limits": {
            "turn_deg": {"max": 5.0, "unit": "deg", "probability": 0.9973},
            "peak_Nm": {"min": -40.0, "max": 40.0, "unit": "Nm"},
        },
        "keep": Keep(worst=KeptWorst("turn_deg", 20), failed=True),
        "stop": UntilInterval(of="turn_deg.p95", half_width=0.2, unit="deg"),
        "output": "results/slew",
    }
    return define(**{**given, **changes})


def matches(pattern):
    return [pattern.replace("*", name) for name in ("arm", "base")] if "*" in pattern else [pattern]


def nominal(path):
    return (0.0, 0.0, 0.0) if path.endswith(("com_m", "deg_s", "rpy_deg")) else 1.0


def test_whole_numbers_of_any_size_are_the_nearest_floats_and_a_seed_stays_whole():
    far = 10**30 + 1
    changed = (
        TEXT.replace("seed = 7", f"seed = {far}").replace("[3, 4.5, 6]", f"[3, {far}]").replace("[0.2, 1.5]", f"[1, {far}]")
    )
    changed = (
        changed.replace("[2, 4, 6]", f"[2, 4, {far}]").replace("max = 5", f"max = {far}").replace("[1, 0, 0]", f"[1, 0, {far}]")
    )
    made = read_definition(TomlDocument.parse(changed, "far.toml"))
    table, design = made.table, made.table["design"]
    assert made.seed == far
    found = table["dispersion"]["initial.rpy_deg"]["scale"][2], table["limits"]["turn_deg"]["max"]
    found += design["system.body.arm.mass_kg"]["levels"][1], design["phase.slew.controller.K_P"]["span"][1]
    assert set(map(repr, (*found, design["initial.r_0_m"]["levels"][1][2]))) == {"1e+30"}


def test_a_file_and_a_call_in_python_are_the_same_study(tmp_path):
    path = tmp_path / "study.toml"
    path.write_text(TEXT, encoding="utf-8")
    assert load_definition(path).table == in_python().table
    one, other = (given.resolved(matches, nominal) for given in (load_definition(path), in_python()))
    assert one.key == other.key
    assert one.cases_between(0, one.cases) == other.cases_between(0, other.cases)


def test_what_a_file_leaves_out_is_what_python_leaves_out():
    short = 'schema = "scmanip.study/1"\nname = "s"\nmission = "m.toml"\nseed = 0\n'
    short += '[design]\nx = [1, 2]\n[metrics]\nx_m = "max(y_m)"\n'
    assert (
        read(short).table == define(name="s", mission="m.toml", seed=0, design={"x": [1, 2]}, metrics={"x_m": "max(y_m)"}).table
    )
    decided = '[stop]\ntype = "decided"\nprobability = 0.9\n'
    stop = UntilDecided(probability=0.9)
    assert read(short + decided).stop == stop


CHANGES = [
    ("seed = 7", "sed = 7", "5:1: sed: expected one of the keys", "did you mean 'seed'?"),
    ("seed = 7", "seed = -7", "5:1: seed: expected a whole number of 0 or more", "found -7"),
    ("seed = 7", 'seed = "7"', "5:1: seed", "found '7'"),
    ("seed = 7\n", "", "1:1: seed: expected", "found nothing"),
    ("repeats = 20", "repeats = 0", "6:1: repeats: expected a whole number of 1 or more", "found 0"),
    ("count = 16", "cont = 16", "7:40: sampling.cont", "did you mean 'count'?"),
    ('"latin_hypercube"', '"full_factorial"', "7:39: sampling.count", "expected no key here"),
    ('"latin_hypercube"', '"latin_hypercub"', "7:14: sampling.type", "latin_hypercube"),
    ("[3, 4.5, 6]", "[3, true]", "10:1: design.'system.body.arm.mass_kg'", "found [3.0, True]"),
    ("[3, 4.5, 6]", "4.5", "10:1: design.'system.body.arm.mass_kg'", "one value is no choice"),
    ("[0.2, 1.5], log", "[1.5, 0.2], log", "11:", "the lower one first"),
    ("[0.2, 1.5], log", "[0, 1.5], log", "11:", "numbers > 0, because log is set"),
    ("[0.2, 1.5], log", "[0.2], log", "11:", "a list [low, high]"),
    ('log = true }\n"phase.*', 'lg = true }\n"phase.*', "11:", "did you mean 'log'?"),
    ("span = [", "spn = [", "11:", "did you mean 'span'?"),
    ("count = 4,", "count = 1,", "14:", "a whole number from 2 to 100000, found 1"),
    ('"norm"', '"nrom"', "17:29: dispersion.'initial.omega_0_deg_s'.distribution", "did you mean 'norm'?"),
    ("scale = 0.05", "sale = 0.05", "17:52: dispersion.'initial.omega_0_deg_s'.sale", "did you mean 'scale'?"),
    ("scale = 0.05", "scale = -0.05", "17:52: dispersion.'initial.omega_0_deg_s'.scale", "a number > 0, found -0.05"),
    ("size = 3", "size = 0", "17:66: dispersion.'initial.omega_0_deg_s'.size", "found 0"),
    ("size = 3", "sise = 3", "17:66: dispersion.'initial.omega_0_deg_s'.sise", "did you mean 'size'?"),
    ("0.005", "-0.005", "18:27: dispersion.'system.body.*.com_m'.uniform_ball", "a radius > 0"),
    ("0.005", '"a"', "18:27: dispersion.'system.body.*.com_m'.uniform_ball", "a radius > 0"),
    ("uniform_ball =", "uniform_bal =", "18:", "did you mean 'uniform_ball'?"),
    ('how = "scale"', 'how = "multiply"', "19:", "one of set, add, scale"),
    ("b = 3, ", "", "19:1: dispersion.'system.body.*.mass_kg'.b", "a number, which 'truncnorm' needs, found nothing"),
    ("[2, 4, 6]", "[2, 4]", "20:", "lists of one length"),
    ("[[1, 0.5], [0.5, 1]]", "[[1, 0.5], [0.4, 1]]", "24:1: correlated[0].matrix", "symmetric"),
    ("[[1, 0.5], [0.5, 1]]", "[[1, 2], [2, 1]]", "24:1: correlated[0].matrix", "positive definite"),
    ("matrix =", "matrx =", "24:1: correlated[0].matrx", "did you mean 'matrix'?"),
    ("max(degrees(", "max(degres(", "27:1: metrics.turn_deg", "at character 5 of 'max(degres(base_rotation_rad))'; did you"),
    ('"max(abs(joint_torque_Nm))"', "\"__import__('os')\"", "28:1: metrics.peak_Nm", "nothing of Python can be reached"),
    ('"max(abs(joint_torque_Nm))"', "3", "28:1: metrics.peak_Nm", "found 3"),
    ("max(degrees(base_rotation_rad))", "max(base_rotation_rad)", "27:1: metrics.turn_deg", "write degrees(...)"),
    ('unit = "deg", prob', "prob", "31:1: limits.turn_deg.unit", 'write unit = "deg"'),
    ('unit = "deg", prob', 'unit = "rad", prob', "31:23: limits.turn_deg.unit", "convert the limit to deg"),
    ("max = 5,", "mx = 5,", "31:14: limits.turn_deg.mx", "did you mean 'max'?"),
    ("max = 5,", "", "31:1: limits.turn_deg", "max, min or both"),
    ("turn_deg = {", "trn_deg = {", "31:1: limits.trn_deg", "did you mean 'turn_deg'?"),
    ("probability = 0.9973", "probability = 99.73", "31:37: limits.turn_deg.probability", "found 99.73"),
    ('metric = "turn_deg"', 'metric = "trn_deg"', "35:11: keep.worst.metric", "did you mean 'turn_deg'?"),
    ("count = 20 }", "count = 0 }", "35:32: keep.worst.count", "found 0"),
    ("failed = true", "faild = true", "36:1: keep.faild", "did you mean 'failed'?"),
    ('type = "narrow"', 'type = "narow"', "39:1: stop.type", "did you mean 'narrow'?"),
    ('"turn_deg.p95"', '"turn.p95"', "40:1: stop.of", "one of the metrics"),
    ("half_width = 0.2", "half_width = 0", "41:1: stop.half_width", "found 0"),
    ('unit = "deg"\n\n[out', 'unit = "rad"\n\n[out', "42:1: stop.unit", "'deg', the unit of turn_deg.p95"),
    ("folder =", "foldr =", "45:1: output.foldr", "did you mean 'folder'?"),
    ("[keep]", "[kep]", "34:1: kep", "did you mean 'keep'?"),
    ("count = 4,", f"count = 1{'0' * 30},", "14:", "a whole number from 2 to"),
    ("size = 3", f"size = 1{'0' * 30}", "17:66:", "a whole number from 1 to"),
    ("count = 16", f"count = 1{'0' * 30}", "7:40:", "a whole number from 1 to"),
    ("[1, 8], count", f"[1, 1{'0' * 400}], count", "14:", "two finite numbers"),
    ("0.005", f"1{'0' * 400}", "18:", "a radius > 0"),
    ("scale = 0.05", f"scale = 1{'0' * 400}", "17:", "a finite number"),
    ("max = 5,", f"max = 1{'0' * 400},", "31:", "a finite number"),
    ("[output]", "[output", "44:", "valid TOML"),
]


@pytest.mark.parametrize(("old", "new", "place", "says"), CHANGES)
def test_a_mistake_is_told_once_with_its_place_and_how_to_mend_it(old, new, place, says):
    assert old in TEXT
    (problem,) = problems(TEXT.replace(old, new, 1))
    assert problem.startswith(f"study.toml:{place}"), problem
    assert says in problem


def test_all_mistakes_of_a_file_are_told_at_once():
    text = TEXT
    chosen = [
        change
        for change in CHANGES
        if change[0] in ("seed = 7\n", '"norm"', "0.005", "count = 4,", "max(degrees(", "failed = true", "folder =")
    ]
    for old, new, _, _ in {change[0]: change for change in chosen}.values():
        text = text.replace(old, new, 1)
    assert len(problems(text)) == 7


def test_what_a_mission_tells_later_still_has_the_lines_of_the_file():
    def found(pattern):
        if "wheel" in pattern or "omega" in pattern:
            raise InvalidInput(problem_of(pattern))
        return matches(pattern)

    with pytest.raises(InvalidInput) as caught:
        read(TEXT).resolved(found, nominal)
    assert [str(problem).split(" ")[0] for problem in caught.value.problems] == [
        "study.toml:14:16:",
        "study.toml:17:1:",
    ]
    with pytest.raises(InvalidInput, match=r"study.toml:18:1: .*a dispersion of one number"):
        read(TEXT).resolved(matches, lambda path: 1.0)


def problem_of(pattern):
    from scmanip.errors import Problem

    return Problem(pattern, "a path of the mission", repr(pattern))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('schema = "scmanip.mission/1"', "this is a mission file"),
        ('schema = "scmanip.system/1"', "this is a system file"),
        ('schema = "scmanip.study/2"', "found 'scmanip.study/2'"),
        ("x = 1", "found nothing"),
    ],
)
def test_files_of_another_kind_get_one_sentence(text, says):
    (problem,) = problems(text)
    assert says in problem


@pytest.mark.battery(3)
@pytest.mark.parametrize("seed", range(60))
def test_damaged_files_are_refused_or_read_and_nothing_else(seed):
    rng = random.Random(seed)
    lines = TEXT.splitlines()
    for _ in range(15):
        damaged = list(lines)
        for _ in range(rng.randint(1, 3)):
            k = rng.randrange(len(damaged))
            change = rng.randrange(5)
            if change == 0:
                del damaged[k]
            elif change == 1:
                damaged.insert(k, rng.choice(lines))
            elif change == 2 and damaged[k]:
                i = rng.randrange(len(damaged[k]))
                damaged[k] = damaged[k][:i] + rng.choice("[]{}\"'=,.0-ex#") + damaged[k][i + 1 :]
            elif change == 3:
                damaged[k] = (
                    damaged[k].partition("=")[0]
                    + "= "
                    + rng.choice(["1979-05-27", "[]", "{}", "true", "nan", "inf", '""', "[[1]]", "-1", '"x"', "{ a = 1 }"])
                )
            else:
                damaged[k] = damaged[k].partition("=")[0]
        try:
            made = read("\n".join(damaged))
            made.resolved(matches, nominal).case(0)
        except InvalidInput as error:
            assert str(error)


@pytest.mark.slow
def test_reading_the_room_loads_neither_scipy_stats_nor_pydantic():
    import subprocess

    code = "import sys, scmanip.study; print([name for name in ('scipy.stats', 'pydantic') if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "[]"
