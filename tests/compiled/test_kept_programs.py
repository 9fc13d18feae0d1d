"""Programs are found again by what they were recorded from, where all that decides them is known."""

import os
import subprocess
import sys
from enum import Enum
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from scmanip.compiled import Described, Token, described, kept_program, lasting_key
from scmanip.compiled.kernel import _kept_programs, _lasting_key
from scmanip.compiled.kernel._lasting_key import expect_known, sources
from scmanip.spatial import skew
from scmanip.symbolic import Program, packed, record, unpacked

from .programs import random_program
from .test_cache import DAMAGE, ROOT


@pytest.fixture(autouse=True)
def known_sources(monkeypatch):
    """The sources are those of a package that nobody changes."""
    monkeypatch.setattr(_kept_programs, "sources", lambda: "these")


@pytest.fixture
def recordings():
    """What was recorded since the test began."""
    return []


def asked(cache, recordings, key=("product", 2), *within):
    """The program of a key, with a note where it is recorded."""

    def made():
        recordings.append(key)
        return record({"q": (2,), "gain": ()}, lambda q, gain: {"x": q[0] * q[1] * gain, "none": np.zeros((0, 3))})

    return kept_program(key, made, *within, cache=cache)


def test_the_second_time_nothing_is_recorded_and_the_program_is_the_same_with_its_names(cache, recordings):
    first, again = asked(cache, recordings), asked(cache, recordings)
    assert len(recordings) == 1
    assert again == first and again is not first
    assert vars(again)["digest"] == first.digest
    assert Program(*unpacked(packed(first))).digest == first.digest


@pytest.mark.parametrize("seed", range(3))
def test_a_program_of_all_operations_comes_back(seed):
    program = random_program(seed)
    strange = Program(program.inputs, (*program.constants[:3], -0.0), program.steps, program.outputs)
    for each in (program, strange, Program(program.inputs, (np.inf, 5e-324, 1.7, 0.1), program.steps, program.outputs)):
        assert Program(*unpacked(packed(each))).text == each.text


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_program_is_recorded_again(cache, recordings, damage):
    first = asked(cache, recordings)
    (path,) = cache.folder.glob("*")
    whole = path.read_bytes()
    path.write_bytes(DAMAGE[damage](whole))
    assert asked(cache, recordings) == first
    assert len(recordings) == 2
    assert path.read_bytes() == whole


@pytest.mark.parametrize(
    "content", [b"x", b"7" * 64 + b"{}\n", b"7" * 64 + b'{"inputs": 3, "kinds": [], "steps": 2}\n..', b"\xff" * 99]
)
def test_an_entry_that_is_whole_and_no_program_is_recorded_again(cache, recordings, content):
    first = asked(cache, recordings)
    (path,) = cache.folder.glob("*")
    cache.write(path.stem, content)
    assert asked(cache, recordings) == first == asked(cache, recordings)
    assert len(recordings) == 2


def test_other_sources_find_nothing_of_these(cache, recordings, monkeypatch):
    asked(cache, recordings)
    monkeypatch.setattr(_kept_programs, "sources", lambda: "others")
    asked(cache, recordings)
    monkeypatch.setattr(_kept_programs, "sources", lambda: None)
    asked(cache, recordings)
    assert len(recordings) == 3
    assert len(list(cache.folder.glob("*"))) == 2


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package of two files that were there before this process began."""
    folder = tmp_path / "package"
    (folder / "room").mkdir(parents=True)
    for name in ("__init__.py", "room/_equation.py"):
        (folder / name).write_text("a = 1\n")
    monkeypatch.setattr(_lasting_key, "PACKAGE", folder)
    monkeypatch.setattr(_lasting_key, "LOADED_NS", (folder / "room" / "_equation.py").stat().st_ctime_ns)
    monkeypatch.setattr(_lasting_key, "AGAIN_S", 1e-9)
    return folder


def test_what_files_say_is_part_of_all_keys_and_younger_files_are_not_those_that_run(package, monkeypatch):
    before, file = sources(), package / "room" / "_equation.py"
    assert before == sources() is not None
    os.utime(file, ns=(1, file.stat().st_mtime_ns))  # its status is changed later than this process began
    assert sources() is None
    monkeypatch.setattr(_lasting_key, "LOADED_NS", file.stat().st_ctime_ns)
    assert sources() not in (before, None)
    before = sources()
    (package / "room" / "another.py").write_text("")
    monkeypatch.setattr(_lasting_key, "LOADED_NS", 2 * _lasting_key.LOADED_NS)
    assert sources() not in (before, None)


def test_files_that_cannot_be_seen_let_nothing_be_kept(monkeypatch, tmp_path):
    monkeypatch.setattr(_lasting_key, "PACKAGE", tmp_path)
    monkeypatch.setattr(_lasting_key, "AGAIN_S", 1e-9)
    assert sources() is None


class Word(Enum):
    """A class of another package."""

    ONE = 1


class Law(Described):
    """Another one, by a class of the package."""


ALIKE = [
    1,
    1.0,
    True,
    "1",
    b"1",
    None,
    (1,),
    [1],
    ((1,), ()),
    ((), (1,)),
    {1},
    -0.0,
    0.0,
    "a\nstr 'b'",
    ("a", "b"),
    ("a", ("b",)),
]


def test_keys_that_differ_have_other_lasting_ones():
    keys = [lasting_key(described(value)) for value in [*ALIKE, *([value] for value in ALIKE[:6])]]
    assert len({*keys}) == len(keys) - 1  # [1] is there twice
    assert lasting_key((skew, int, np.float64, Token(("a",)))) != lasting_key((skew, int, np.float64, Token(("b",))))


@pytest.mark.parametrize(
    "value",
    [Word.ONE, Law(), Law, lambda x: x, asked, partial(skew), object(), np.array([object()]), Path("a")],
    ids=["of an enumeration", "a law", "a class", "a lambda", "a function", "a part", "an object", "an array", "a path"],
)
def test_what_nothing_tells_has_no_lasting_key(cache, recordings, value):
    with pytest.raises(TypeError, match="may be another one"):
        lasting_key(described(("held", value)))
    asked(cache, recordings, ("held", value)), asked(cache, recordings, ("held", value))
    assert len(recordings) == 2
    assert not cache.folder.exists() or not list(cache.folder.glob("*"))


class Holder:
    """Holds what it is given."""

    def __init__(self, held):
        self.held = held


Holder.__module__ = "scmanip.spatial"


@pytest.mark.parametrize(
    "within",
    [Law(), (1.0, {"law": Law()}), [lambda x: x], partial(skew), Word.ONE, Holder(1.0)],
    ids=["a law", "a law in a table", "a lambda", "a part", "of an enumeration", "a holder"],
)
def test_with_a_part_of_another_package_inside_it_is_recorded(cache, recordings, within):
    with pytest.raises(TypeError):
        expect_known(within)
    asked(cache, recordings, ("law",), within), asked(cache, recordings, ("law",), within)
    assert len(recordings) == 2


def test_a_class_of_the_package_that_was_given_another_function_has_no_lasting_key(monkeypatch):
    before = lasting_key((Token,))
    monkeypatch.setattr(Token, "described", lambda self: 3, raising=False)
    with pytest.raises(TypeError, match="was given"):
        lasting_key((Token,))
    monkeypatch.undo()
    assert lasting_key((Token,)) == before


SCRIPT = """
from scmanip.compiled import described, lasting_key
print(lasting_key(described([{"a", "b", "c"}, {"x": 1.0, "y": {2, 3}, "z": frozenset("words")}])))
"""


@pytest.mark.slow
def test_lasting_keys_are_the_same_whatever_the_hash_seed():
    command, told = [sys.executable, "-c", SCRIPT], set()
    for seed in ("0", "1", "4242"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        told.add(subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=True).stdout)
    assert len(told) == 1
