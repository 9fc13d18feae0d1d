"""Objects of Python by the names that people give on the command line."""

import math

import pytest

from scmanip.errors import InvalidInput
from scmanip.plugins import objects_named


def test_objects_of_installed_modules_and_of_those_in_the_working_folder_are_found(tmp_path, monkeypatch):
    (tmp_path / "laws_of_a_test.py").write_text("class Laws:\n    first = 3.0\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    assert objects_named(["a=math:pi", "b=laws_of_a_test:Laws.first"]) == {"a": math.pi, "b": 3.0}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a", "PATH=MODULE:NAME"),
        ("a=math", "PATH=MODULE:NAME"),
        ("a=math:lew", "no attribute 'lew'"),
        ("a=no_such:x", "no_such"),
    ],
)
def test_what_is_none_or_not_there_is_named(text, words):
    with pytest.raises(InvalidInput, match=words):
        objects_named([text])
