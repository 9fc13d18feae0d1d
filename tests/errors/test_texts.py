"""What errors say: place, key, expected, found, hint, and how many there are beyond those shown."""

import pytest

from scmanip.errors import InvalidInput, MissingExtra, Problem, UnknownName, UnsafePath, expect, nearest


def test_a_problem_is_told_by_file_line_and_column_then_key_expected_found_and_hint():
    problem = Problem("mass_kg", "a number > 0", "-2", file="a.toml", line=7, column=3, hint="leave it out")
    assert str(problem) == "a.toml:7:3: mass_kg: expected a number > 0, found -2; leave it out"
    assert str(Problem("k", "x", "y", file="a.toml")) == "a.toml: k: expected x, found y"
    assert str(Problem("k", "x", "y")) == "k: expected x, found y"


def test_twenty_problems_of_each_file_are_shown_and_the_others_are_counted():
    problems = [Problem(f"{file}{k}", "x", "y", file=file) for k in range(30) for file in ("a", "b")]
    error = InvalidInput([*problems, Problem("c", "x", "y", file="c")])
    assert len(error.problems) == 61
    lines = str(error).split("\n")
    assert [sum(line.startswith(f"{file}: ") for line in lines) for file in "abc"] == [20, 20, 1]
    assert lines[-1] == "... and 20 more" and len(lines) == 42
    assert "more" not in str(InvalidInput(problems[:40]))


def test_long_texts_are_cut_where_nobody_reads_on():
    assert str(Problem("k", "x", "y" * 2000)).endswith("found " + "y" * 2000)
    assert str(Problem("k", "x", "y" * 2001)).endswith("found " + "y" * 2000 + " ...")


def test_the_nearest_name_is_offered_only_where_one_is_near():
    assert nearest("gripprr", ["base", "gripper", "griper"]) == "did you mean 'gripper'?"
    assert nearest("xyz", ["base", "gripper"]) == ""
    error = UnknownName("body", "bse", "system 's'", ["base", "arm"])
    assert str(error) == "body of system 's': expected one of base, arm, found 'bse'; did you mean 'base'?"


def test_other_errors_say_what_they_are_about():
    assert str(UnsafePath("a/b", "a file", "a link")) == "'a/b': expected a file, found a link"
    assert str(MissingExtra("a twin", "mujoco")) == "a twin needs the 'mujoco' extra: pip install \"scmanip[mujoco]\""
    expect("n", 3, int, "a whole number")
    with pytest.raises(InvalidInput, match=r"^n: expected a whole number, found '3'$"):
        expect("n", "3", int, "a whole number")
