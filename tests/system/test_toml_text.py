"""What is written as TOML reads back as it was."""

from __future__ import annotations

import math
import tomllib

import pytest

from scmanip.system import toml_text


def test_every_kind_of_value_comes_back_with_every_digit() -> None:
    data = {
        "text": 'quotes " and \\ and \n and \t and \x1b and é and $',
        "whole": -7,
        "float": 0.1 + 0.2,
        "tiny": 5e-324,
        "large": 1.7976931348623157e308,
        "endless": [math.inf, -math.inf],
        "flag": True,
        "rows": [[1.0, 2.0], []],
        "none": {},
        "table": {"a key with spaces": 1.0, "inner": {"deep": [{"x": 1}, {"x": 2}]}},
        "list": [{"name": "a"}, {"name": "b", "more": {"y": 0.0}}],
    }
    assert tomllib.loads(toml_text(data)) == data


def test_a_whole_float_stays_a_float() -> None:
    assert isinstance(tomllib.loads(toml_text({"x": 1.0}))["x"], float)


def test_nan_is_written_as_toml_has_it() -> None:
    assert math.isnan(tomllib.loads(toml_text({"x": math.nan}))["x"])


def test_what_toml_cannot_say_is_refused() -> None:
    with pytest.raises(TypeError, match="TOML has no form for NoneType"):
        toml_text({"x": None})
