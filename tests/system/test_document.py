"""Lines and columns of TOML, and pydantic's errors put there."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Literal

import numpy as np
import pytest
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from scmanip.errors import InvalidInput
from scmanip.system import TomlDocument, schema_problems

ODD = '''\
# a comment with [brackets] and "quotes"
a = 1 # trailing = comment
"quoted key" = 2
'literal.key' = 3
b . c = { d = [1, [2, "x]y", 3], { e = 4 }], f.g = "}" }
multi = """
# no comment
key = 1
say \\"hi\\" """""
literal = \'\'\'
[not.a.table]
\'\'\'
when = 1979-05-27 07:32:32Z
list = [
  1, # one
  # two
  2,
  [ 3,
    4 ],
]
[ t . "u v" ] # header
k = true
[[arr]]
x = 1
  [arr.sub]
  y = 2
  [[arr.nested]]
  z = 3
  [[arr.nested]]
  z = 4
[[arr]]
x = 5
[arr.sub]
"\\u0079" = 6
[a-1._x]
v = 0x_ff
'''.replace("0x_ff", "0xff")


def test_every_key_of_odd_toml_stands_where_it_was_written() -> None:
    document = TomlDocument.parse(ODD, "odd.toml")
    lines = ODD.splitlines()
    wanted = {
        ("a",): "a = 1",
        ("quoted key",): '"quoted key"',
        ("literal.key",): "'literal.key'",
        ("b",): "b . c",
        ("b", "c"): "c = {",
        ("b", "c", "d"): "d = [",
        ("b", "c", "d", 0): "1, [2",
        ("b", "c", "d", 1): '[2, "x]y"',
        ("b", "c", "d", 1, 2): "3], {",
        ("b", "c", "d", 2): "{ e = 4",
        ("b", "c", "d", 2, "e"): "e = 4",
        ("b", "c", "f", "g"): 'g = "}"',
        ("literal",): "literal = '''",
        ("when",): "when",
        ("list", 1): "2,",
        ("list", 2, 1): "4 ],",
        ("t",): "[ t .",
        ("t", "u v"): "[ t .",
        ("t", "u v", "k"): "k = true",
    }
    for path, text in wanted.items():
        line, column = document.place(path)
        assert lines[line - 1][column - 1 :].startswith(text), path
    assert document.place(("list", 0))[0] == ODD[: ODD.index("# one")].count("\n") + 1
    first, second = (ODD.index("[[arr]]"), ODD.index("[[arr]]", ODD.index("[[arr]]") + 1))
    assert document.place(("arr", 0))[0] == ODD[:first].count("\n") + 1
    assert document.place(("arr", 1))[0] == ODD[:second].count("\n") + 1
    assert document.place(("arr", 0, "sub", "y"))[0] == ODD[: ODD.index("y = 2")].count("\n") + 1
    assert document.place(("arr", 0, "nested", 1, "z"))[0] == ODD[: ODD.index("z = 4")].count("\n") + 1
    assert document.place(("arr", 1, "sub", "y"))[0] == ODD[: ODD.index('"\\u0079"')].count("\n") + 1
    assert document.place(("a-1", "_x", "v"))[0] == len(lines)


def test_every_path_of_the_data_has_a_place() -> None:
    document = TomlDocument.parse(ODD, "odd.toml")
    assert set(document.offsets) == set(paths(document.data, ()))


def paths(data: object, path: tuple[str | int, ...]) -> list[tuple[str | int, ...]]:
    pairs = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    return [place for key, value in pairs for place in [(*path, key), *paths(value, (*path, key))]]


def test_random_toml_has_a_place_for_every_path() -> None:
    rng = np.random.default_rng(5)
    for _ in range(100):
        text = random_toml(rng)
        document = TomlDocument.parse(text, "random.toml")
        assert set(document.offsets) == set(paths(document.data, ())), text


STRINGS = ['"a]}"', "'b#'", '"""c\n\\"" """', "'''d\n'e'\n'''", '""', "''", '"\\\\"', '"""x"""""', "''''''"]


def random_toml(rng: np.random.Generator) -> str:
    """Keys in random styles, random values, tables and arrays of tables, blanks and comments in between."""

    def blank() -> str:
        return str(rng.choice(["", " ", "\t"]))

    def line_end() -> str:
        return str(rng.choice(["\n", "\r\n", " # [x] = 'y'\n", "\n\n  "]))

    def value(depth: int) -> str:
        kind = rng.integers(0, 6 if depth else 4)
        if kind == 4:
            gaps = [str(rng.choice(["", " ", "\n", " # c ]\n"])) for _ in range(4)]
            return f"[{gaps[0]}{value(depth - 1)}{gaps[1]},{gaps[2]}{value(depth - 1)}{gaps[3]}{rng.choice(['', ','])}]"
        if kind == 5:
            return f"{{{blank()}p{blank()}={blank()}{value(depth - 1)}{blank()},{blank()}'q r'.s = {value(depth - 1)} }}"
        return [
            str(rng.normal()),
            str(rng.choice(STRINGS)),
            "1979-05-27 07:32:32.5-07:00",
            str(rng.choice(["true", "-inf", "0b1"])),
        ][kind]

    text, keys = "", itertools.count()
    for table in range(rng.integers(1, 6)):
        if table:
            names = ["list", "list . sub", f"t{table}", f't{table}."{{.}}"']
            name = "list" if table == 1 else str(rng.choice(names))
            text += f"[[{blank()}{name}{blank()}]]" if name.startswith("list") else f"[{name}]"
            text += line_end()
        for _ in range(rng.integers(0, 4)):
            key = str(rng.choice(["k{}", '"k {}"', "'k.{}'", "d{}.e", 'd{} . "f"'])).format(next(keys))
            text += f"{blank()}{key}{blank()}={blank()}{value(2)}{line_end()}"
    return text


def test_a_document_is_read_from_a_file_and_names_it(tmp_path: Path) -> None:
    file = tmp_path / "x.toml"
    file.write_text("a = 1\n[b]\nc = 2\n", encoding="utf-8")
    document = TomlDocument.read(file)
    assert document.data == {"a": 1, "b": {"c": 2}}
    assert document.file == str(file)
    assert document.place(("b", "missing")) == (2, 1)
    assert document.place(()) == (1, 1)
    assert (
        str(document.problem(("b", "c"), "three", "two", "add one")) == f"{file}:3:1: b.c: expected three, found two; add one"
    )
    with pytest.raises(InvalidInput, match="no such file"):
        TomlDocument.read(tmp_path / "y.toml")


def test_schema_problems_speak_for_any_pydantic_model() -> None:
    class Gains(BaseModel):
        model_config = ConfigDict(extra="forbid", strict=True)
        kind: Literal["pd"]
        K_P: float | list[float] = Field(1.0)

    class Off(BaseModel):
        model_config = ConfigDict(extra="forbid")
        kind: Literal["off"]

    class Phase(BaseModel):
        model_config = ConfigDict(extra="forbid", strict=True)
        law: Gains | Off = Field(discriminator="kind")
        rate_Hz: float = Field(gt=0)
        count: int = 1

    class Plan(BaseModel):
        phase: list[Phase]

    text = """[[phase]]
rate_Hz = -1
law = { kind = "pd", K_P = "much", K_PP = 2 }
[[phase]]
law = { kind = "pid" }
count = 1.5
"""
    document = TomlDocument.parse(text, "plan.toml")
    with pytest.raises(ValidationError) as caught:
        Plan.model_validate(document.data)
    assert [str(problem) for problem in schema_problems(document, caught.value, Plan)] == [
        "plan.toml:2:1: phase[0].rate_Hz: expected a number > 0, found -1",
        "plan.toml:3:22: phase[0].law.K_P: expected a number or a list, found 'much'",
        "plan.toml:3:36: phase[0].law.K_PP: expected one of the keys K_P, kind, "
        "found the unknown key 'K_PP'; did you mean 'K_P'?",
        "plan.toml:4:1: phase[1].rate_Hz: expected a value, found nothing",
        "plan.toml:5:9: phase[1].law.kind: expected one of pd, off, found 'pid'; did you mean 'pd'?",
        "plan.toml:6:1: phase[1].count: expected a whole number, found 1.5",
    ]
