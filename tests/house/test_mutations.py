"""The errors that `python -m tests.mutation` plants can be planted: each text still stands where the list says."""

import pytest

import scmanip
from tests.mutation.listing import planted_errors, problems, unreadable
from tests.mutation.planted import AnchorError, Planted

ERRORS = planted_errors()


def test_every_error_can_be_planted():
    assert not problems(ERRORS)


def test_there_are_errors_of_every_room_and_many_in_all():
    assert {error.room for error in ERRORS} == set(scmanip._ROOMS)
    assert len(ERRORS) >= 300


def test_an_error_is_planted_where_its_text_stands_once():
    error = Planted("a sum is a difference", "room/_file.py", "a + b", "a - b")
    assert error.planted_in("x = a + b\n") == "x = a - b\n"
    for text in ("x = a - b\n", "x = a + b\ny = a + b\n"):
        with pytest.raises(AnchorError, match="a sum is a difference"):
            error.planted_in(text)


def test_a_line_above_says_which_of_several_is_meant():
    error = Planted("a sum is a difference", "room/_file.py", "a + b", "a - b", after="y =")
    assert error.planted_in("x = a + b\ny = a + b\nz = a + b\n") == "x = a + b\ny = a - b\nz = a + b\n"
    with pytest.raises(AnchorError, match="behind"):
        error.planted_in("x = a + b\ny = b\n")


def test_what_leaves_no_python_behind_or_changes_nothing_is_no_error(tmp_path):
    for folder in ("scmanip", "tests"):
        (tmp_path / folder).mkdir()
    (tmp_path / "scmanip" / "_file.py").write_text("x = a + b\n", encoding="utf-8")
    torn = (Planted("a bracket is lost", "_file.py", "a + b", "(a + b", tests=(".",)),)
    assert not problems(torn, tmp_path)
    (said,) = unreadable(torn, tmp_path)
    assert "a bracket is lost" in said
    (said,) = problems((Planted("nothing is lost", "_file.py", "a + b", "a + b", tests=(".",)),), tmp_path)
    assert "nothing is lost" in said
