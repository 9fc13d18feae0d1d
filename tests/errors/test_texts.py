"""What errors say: place, key, expected, found, hint, and how many there are beyond those shown."""

import math
from collections.abc import Callable

import pytest

from scmanip.errors import (
    InvalidInput,
    InvalidMission,
    InvalidSystem,
    MissingExtra,
    Problem,
    UnknownName,
    UnsafePath,
    checked,
    expect,
    likely_first,
    nearest,
)
from scmanip.mission import Mission, Phase
from scmanip.system import Body, Frame, System


def test_a_problem_is_told_by_file_line_and_column_then_key_expected_found_and_hint():
    problem = Problem("mass_kg", "a number > 0", "-2", file="a.toml", line=7, column=3, hint="leave it out")
    assert str(problem) == "a.toml:7:3: mass_kg: expected a number > 0, found -2; leave it out"
    assert str(Problem("k", "x", "y", file="a.toml")) == "a.toml: k: expected x, found y"
    assert str(Problem("k", "x", "y")) == "k: expected x, found y"


@checked
def thrice(function: Callable[[float, float], float]) -> float:
    return function(1.0, 2.0) + 3.0


@pytest.mark.parametrize("function", [max, math.atan2, lambda a, b, c=0.0: a, lambda *given: sum(given)])
def test_functions_that_take_as_many_arguments_as_they_are_called_with_are_used(function):
    assert thrice(function) == function(1.0, 2.0) + 3.0


@pytest.mark.parametrize("function", [math.sin, lambda a, b, c: a, lambda: 0.0, 3.0])
def test_functions_that_take_another_number_of_arguments_are_refused(function):
    with pytest.raises(InvalidInput, match=r"^thrice function: expected a function of 2 arguments, found "):
        thrice(function)


def test_twenty_problems_of_each_file_are_shown_and_the_others_are_counted():
    problems = [Problem(f"{file}{k}", "x", "y", file=file) for k in range(30) for file in ("a", "b")]
    error = InvalidInput([*problems, Problem("c", "x", "y", file="c")])
    assert len(error.problems) == 61
    lines = str(error).split("\n")
    assert [sum(line.startswith(f"{file}: ") for line in lines) for file in "abc"] == [20, 20, 1]
    assert lines[-1] == "... and 20 more" and len(lines) == 42
    assert "more" not in str(InvalidInput(problems[:40]))


def test_a_mistake_in_every_table_of_a_list_is_told_once_with_all_its_lines():
    twelve = [Problem(f"thruster[{k}].force_n", "a key", "'force_n'", "a.toml", 10 + k, 1) for k in range(12)]
    other = Problem("thruster[3].isp_s", "a number", "'much'", "a.toml", 99, 1)
    shown = InvalidInput([*twelve, other]).shown
    assert [problem.key for problem in shown] == ["thruster[0].force_n", "thruster[3].isp_s"]
    assert str(shown[0]).endswith("; the same mistake 11 more times, in lines 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21")
    assert len(InvalidInput([*twelve, other]).problems) == 13


def test_what_is_no_table_of_a_list_is_told_each_for_itself():
    assert len(InvalidInput([Problem("K_P", "x", "y", "a.toml", line, 1) for line in (1, 2)]).shown) == 2


def test_the_keys_that_are_meant_come_first():
    assert likely_first("force_n", ["name", "axis", "force_N"]) == ["force_N", "name", "axis"]
    assert likely_first("zzz", ["name", "axis"]) == ["name", "axis"]


def test_long_texts_are_cut_where_nobody_reads_on():
    assert str(Problem("k", "x", "y" * 2000)).endswith("found " + "y" * 2000)
    assert str(Problem("k", "x", "y" * 2001)).endswith("found " + "y" * 2000 + " ...")


def test_the_nearest_name_is_offered_only_where_one_is_near():
    assert nearest("gripprr", ["base", "gripper", "griper"]) == "did you mean 'gripper'?"
    assert nearest("xyz", ["base", "gripper"]) == ""
    error = UnknownName("body", "bse", "system 's'", ["base", "arm"])
    assert str(error) == "body of system 's': expected one of base, arm, found 'bse'; did you mean 'base'?"
    error = UnknownName("constraint", "latch", "system 's'", [])
    assert str(error) == "constraint of system 's': expected no constraint, as there is none, found 'latch'"


def test_other_errors_say_what_they_are_about():
    assert str(UnsafePath("a/b", "a file", "a link")) == "'a/b': expected a file, found a link"
    assert str(MissingExtra("a twin", "mujoco")) == "a twin needs the 'mujoco' extra: pip install \"scmanip[mujoco]\""
    expect("n", 3, int, "a whole number")
    with pytest.raises(InvalidInput, match=r"^n: expected a whole number, found '3'$"):
        expect("n", "3", int, "a whole number")


@pytest.mark.parametrize(
    ("make", "error"),
    [
        (lambda: Phase(3), InvalidMission),
        (lambda: Mission(name=3), InvalidMission),
        (lambda: Frame("tip", 3), InvalidSystem),
        (lambda: System("arm", 3, []), InvalidSystem),
        (lambda: System("arm", Body("base", 1.0, [1, 1, 1]), [3]), InvalidSystem),
        (lambda: System("arm", Body("base", 1.0, [1, 1, 1]), [], fixed=3), InvalidSystem),
    ],
)
def test_parts_of_files_refuse_other_kinds_by_the_error_of_those_files(make, error):
    with pytest.raises(error, match="found 3"):
        make()
