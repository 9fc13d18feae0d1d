"""What is called a file and is none, is too large, or asks for more than its length tells: refused before it costs anything."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from scmanip import load_mission, load_system
from scmanip.errors import InvalidInput, InvalidSystem, Problem, nearest
from scmanip.study import load_definition
from scmanip.system import Body, Frame, Joint, System, TomlDocument

HEAD = 'schema = "scmanip.system/1"\n[base]\nmass_kg = 10.0\ninertia_kg_m2 = [1.0, 1, 1]\n'
READERS: list[Callable[[str], object]] = [load_system, load_mission, load_definition]
each_reader = pytest.mark.parametrize("read", READERS, ids=lambda read: read.__name__)


def body(number: int, parent: str, joint: str = 'type = "revolute", axis = [0, 0, 1]') -> str:
    mass = "mass_kg = 1.0\ninertia_kg_m2 = [1, 1, 1]"
    return f'[[body]]\nname = "b{number}"\nparent = "{parent}"\n{mass}\njoint = {{ {joint} }}\n'


def refused(text: str) -> tuple[Problem, ...]:
    with pytest.raises(InvalidSystem) as caught:
        System.from_toml_text(text, file="large.toml")
    assert all(problem.file == "large.toml" and problem.line for problem in caught.value.problems)
    return caught.value.problems


@each_reader
def test_devices_and_pipes_are_no_files(tmp_path: Path, read: Callable[[str], object]) -> None:
    os.mkfifo(tmp_path / "pipe.toml")
    for path, kind in (("/dev/zero", "a device"), (str(tmp_path / "pipe.toml"), "a pipe"), (str(tmp_path), "a directory")):
        with pytest.raises(InvalidInput) as caught:
            read(path)
        (problem,) = caught.value.problems
        assert (problem.file, problem.expected, problem.found) == (path, "a regular file", kind)


def test_a_mission_that_names_a_pipe_is_refused_at_the_key(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    file = tmp_path / "m.toml"
    file.write_text('schema = "scmanip.mission/1"\nname = "m"\nsystem = "pipe"\n', encoding="utf-8")
    with pytest.raises(InvalidInput) as caught:
        load_mission(file)
    (problem,) = [p for p in caught.value.problems if p.key == "system"]
    assert (problem.line, problem.expected) == (3, "a regular file")
    assert problem.found.endswith("a pipe")


@each_reader
def test_a_file_that_nobody_wrote_is_refused_by_its_size(tmp_path: Path, read: Callable[[str], object]) -> None:
    file = tmp_path / "large.toml"
    with file.open("wb") as opened:
        opened.truncate(2**33)  # takes no room on the disk
    with pytest.raises(InvalidInput, match="at most 262,144 bytes, found more"):
        read(str(file))


DEEP = {
    "key": "x" + ".x" * 20_000 + " = 1",
    "header": "[" + "x." * 20_000 + "x]",
    "lists": "x = " + "[" * 40,
    "tables": "x = " + "{a = " * 40,
    "keys in tables": "x = " + "{a.b.c = " * 12,
}


@pytest.mark.parametrize("deep", DEEP.values(), ids=DEEP.keys())
def test_what_lies_too_deep_is_refused_where_it_does_before_it_is_parsed(deep: str) -> None:
    (problem,) = refused(f"{HEAD}{deep}\n")
    assert problem.line == 5
    assert 32 <= problem.column < 170
    assert problem.expected == "at most 32 tables, lists and keys in one another"


def test_depth_is_seen_in_keys_and_brackets_alone() -> None:
    dots = "a." * 50
    text = (
        f'x = "{dots}[[[[" # {dots}\ny = """\n{dots}\n{"{" * 50}"""\nz = \'{dots}\'\n'
        + "[t]\na.b = { c.d = [[1.5, 2.5]] }\n" * 1
    )
    assert TomlDocument.parse(text, "f").data["t"] == {"a": {"b": {"c": {"d": [[1.5, 2.5]]}}}}
    lists = "x = [\n" + "[1.5, [2.5]],\n" * 100 + "]"
    assert len(TomlDocument.parse(lists, "f").data["x"]) == 100
    with pytest.raises(InvalidInput, match="expected valid TOML"):
        TomlDocument.parse(f'x = "no end\n{dots}a = 1\n', "f")


GIMBAL = 'type = "gimbal", sequence = "zxz"'
TABLES = ("frame", "wheel", "thruster", "motor", "spring_damper")
MANY = {
    "bodies": ("".join(body(i, f"b{i - 1}" if i else "base") for i in range(1000)), "body[300]", "bodies"),
    "gimbals": ("".join(body(i, "base", GIMBAL) for i in range(101)), "body[100]", "freedoms of joints"),
    "links": ("[[arm]]\n" + '[[arm.link]]\ntype = "revolute"\n' * 301, "arm[0].link[300]", "bodies"),
    "hd_links": ('[[hd_link]]\ntype = "prismatic"\n' * 301, "hd_link[300]", "bodies"),
    **{kind: (f"[[{kind}]]\n" * 301, f"{kind}[300]", f"[[{kind}]]") for kind in TABLES},
}


@pytest.mark.parametrize(("text", "key", "kind"), MANY.values(), ids=MANY.keys())
def test_more_parts_than_a_model_is_made_of_are_refused_at_the_first_beyond(text: str, key: str, kind: str) -> None:
    problem = refused(HEAD + text)[0]
    assert (problem.key, problem.expected) == (key, f"at most 300 {kind}")
    assert int(problem.found.replace(",", "")) > 300


def test_a_system_from_python_has_no_more_parts_either() -> None:
    def link(i: int, sequence: str) -> Body:
        return Body(f"b{i}", 1.0, np.eye(3), parent="base", joint=Joint(f"j{i}", "gimbal", sequence=sequence))

    base = Body("base", 1.0, np.eye(3))
    with pytest.raises(InvalidSystem, match=r"freedoms of joints: expected at most 300, found 303"):
        System("many", base, [link(i, "xyz") for i in range(101)])
    with pytest.raises(InvalidSystem, match=r"frames: expected at most 300, found 1,000"):
        System("many", base, [link(0, "x")], [Frame(f"f{i}", "base") for i in range(1000)])


def test_a_file_says_its_first_twenty_problems_and_how_many_there_are() -> None:
    text = HEAD + "".join(body(i, f"bb{i}") for i in range(300))
    with pytest.raises(InvalidSystem) as caught:
        System.from_toml_text(text, file="f")
    assert len(caught.value.problems) == 300
    *lines, last = str(caught.value).split("\n")
    assert len(lines) == 20
    assert lines[0] == "f:7:1: body[0].parent: expected the name of a body, found 'bb0'; did you mean 'b0'?"
    assert last == "... and 280 more"


@pytest.mark.slow
def test_keys_beyond_number_are_refused_before_each_is_looked_at() -> None:
    (problem,) = refused(HEAD + "".join(f"mas{i} = 1\n" for i in range(20_000)))
    assert problem.expected == "at most 10,000 keys and entries of lists that are no numbers in a file"
    assert 9_990 < problem.line < 10_010
    assert len(refused(HEAD + "".join(f"mas{i} = 1\n" for i in range(9_000)))) == 9_000


def test_a_problem_does_not_repeat_a_whole_file() -> None:
    (problem,) = refused(f'{HEAD}[[frame]]\nname = "f"\nbody = "{"b" * 200_000}"\n')
    assert len(str(problem)) < 7_000


def test_nobody_misspells_a_name_of_a_thousand_letters() -> None:
    assert nearest("b" * 1000, ["b" * 999]) == ""
    assert nearest("gripppr", ["base", "gripper"]) == "did you mean 'gripper'?"
