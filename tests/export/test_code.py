"""Programs in other languages: the numbers of the library, whatever names come from outside."""

import re

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.errors import InvalidInput
from scmanip.export import LANGUAGES, _pieces, code
from scmanip.export._c99_sines import RESERVED
from scmanip.symbolic import arctan2, less, maximum, minimum, record, select

from ..symbolic.expressions import random_expression
from . import runs

HOSTILE = "*/ int evil(void);\n\\ ?" + '?/ """ %} `{}` ${x} # ä'
LANGUAGE = pytest.mark.parametrize(
    "language", [pytest.param(k, marks=[pytest.mark.slow] * (k in ("matlab", "rust"))) for k in LANGUAGES]
)


def every_kind(a, t, M, idle):
    """What programs can have: shapes, choices, functions, constants, inputs that come out, outputs without entries."""
    del idle
    y = [
        select(less(a[0], t), a[1] * a[1], np.sqrt(1 + a[2] ** 2) / t),
        minimum(a[0], -0.5) - maximum(0.25, t),
        arctan2(a[0], a[1]) + abs(a[2]),
        np.tanh(t) - M[1, 0] * np.tan(M[0, 1]),
        1e-5 * a[0] + 1.7e3 * t + 1 / 3,
        0.0,
        a[2],
        -a[0],
    ]
    return {
        "y": np.array(y),
        "s": np.asarray(-np.exp(a[0]) * np.cos(t)),
        "Z": np.array([[[a[0]], [a[0] + t]], [[t * t], [-2.5]]]),
        HOSTILE: np.zeros((0, 3)),
    }


PROGRAM = record({"a": (3,), "t": (), "M": (2, 2), "if": (2,)}, lambda **g: every_kind(g["a"], g["t"], g["M"], g["if"]))


def states(program, count, seed=0):
    rng = np.random.default_rng(seed)
    return [rng.normal(size=(count, *i.shape)) for i in program.inputs]


def agree(found, expected):
    assert len(found) == len(expected)
    for array, other in zip(found, expected, strict=True):
        assert_allclose(array, other, rtol=0, atol=1e-12 * np.abs(other).max(initial=0.0))


@LANGUAGE
def test_code_gives_the_numbers_of_its_program(language, tmp_path):
    written = code(PROGRAM, language, name="step")
    written.save(tmp_path)
    inputs = states(PROGRAM, 50)
    agree(runs.RUN[language](written, PROGRAM, inputs, tmp_path), PROGRAM.evaluate(*inputs))


@pytest.mark.battery(0, each=2)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("seed", range(5))
def test_random_programs_are_written_as_they_are(language, seed, tmp_path):
    program = record({"x": (4,)}, random_expression(np.random.default_rng(seed), length=80))
    written = code(program, language, name="expression")
    written.save(tmp_path)
    inputs = states(program, 30, seed)
    agree(runs.RUN[language](written, program, inputs, tmp_path), program.evaluate(*inputs))


@pytest.mark.parametrize("language", ["c", pytest.param("rust", marks=pytest.mark.slow)])
@pytest.mark.parametrize("seed", [pytest.param(k, marks=[pytest.mark.slow] * (k > 0)) for k in range(4)])
def test_a_long_program_is_several_functions_that_hand_numbers_on(language, seed, tmp_path, monkeypatch):
    monkeypatch.setattr(_pieces, "LONG", 30)
    monkeypatch.setattr(_pieces, "PIECE", 7)
    program = record({"x": (4,)}, random_expression(np.random.default_rng(seed), length=150))
    written = code(program, language, name="expression")
    assert f"z_part{-(-len(program.only('y').steps) // 7)}(" in written.text
    written.save(tmp_path)
    inputs = states(program, 30, seed)
    agree(runs.RUN[language](written, program, inputs, tmp_path), program.evaluate(*inputs))


def test_memory_of_pieces_is_used_again():
    x = record({"x": (40,)}, lambda x: {"y": sum_of_waves(x)})
    cut = _pieces.CodePieces.of(x, whole=False)
    assert len(cut.left) > 4
    assert cut.memory < sum(map(len, cut.left)) / 2


def sum_of_waves(x):
    for k in range(60):
        x = np.sin(x + (k + 1) * np.roll(x, 1))
    return x


ENDS = {"c": ("c", "y[6] = a[2];", "y[6] = {};"), "matlab": ("m", "y(7) = a(3);", "y(7) = {};")}
ENDS |= {"python": ("py", "y[..., 6] = a[..., 2]", "y[..., 6] = {}"), "rust": ("rs", "y[6] = a[2];", "y[6] = {};")}
NOT_A_NUMBER = {"c": "sqrt(-1.0 - a[2]*a[2])", "matlab": "NaN", "python": "numpy.nan", "rust": "f64::NAN"}


@pytest.mark.battery(1)
@LANGUAGE
def test_code_tests_itself_on_twenty_states(language, tmp_path):
    end, right, wrong = ENDS[language]
    written = code(PROGRAM, language, name="step")
    assert {f"step.{end}", f"step_test.{end}"} <= written.files.keys()
    written.save(tmp_path)
    assert runs.self_test(language, written, tmp_path) == "step: 20 states, 0 wrong numbers\n"
    for value in ("1e-4 + 0.5", NOT_A_NUMBER[language]):
        text = written.text.replace(right, wrong.format(value))
        assert text != written.text
        (tmp_path / f"step.{end}").write_text(text, encoding="utf-8")
        with pytest.raises(AssertionError, match="20 states, 20 wrong numbers"):
            runs.self_test(language, written, tmp_path)


def test_c_is_one_function_that_keeps_and_prints_nothing():
    text = code(PROGRAM, "c", name="step").files["step.c"]
    assert re.findall(r"#include (.*)", text) == ["<math.h>", '"step.h"']
    called = set(re.findall(r"\b(\w+)\(", text)) - {"step", "sizeof", *RESERVED}
    assert called <= {"sqrt", "atan2", "fabs", "tanh", "tan", "exp", "cos", "fma", "fmin", "fmax"}
    assert not re.search(r"\bstatic (?!inline)", text)


@LANGUAGE
def test_hostile_names_never_reach_the_code(language, tmp_path):
    program = record({HOSTILE: (2,), "q": ()}, lambda **given: {HOSTILE + "2": given[HOSTILE] * given["q"], "q2": given["q"]})
    assert not any("evil" in text for text in code(program, language, name="step").files.values())
    written = code(program, language, name="step", title=HOSTILE, words={HOSTILE: HOSTILE, "q": HOSTILE})
    for text in written.files.values():  # words of the caller are shown, but cannot end a comment
        assert not re.search(r"\*/ int|\?\?|ä", text)
    written.save(tmp_path)
    inputs = states(program, 3)
    agree(runs.RUN[language](written, program, inputs, tmp_path), program.evaluate(*inputs))


@pytest.mark.parametrize("language", LANGUAGES)
def test_arguments_have_names_of_their_own(language):
    given = [
        "body.link2.mass_kg",
        "body_link2_mass_kg",
        "z1",
        "sin",
        "while",
        "def",
        "fn",
        "end",
        "step",
        "numpy",
        "x" * 80,
        "1a",
        "",
    ]
    program = record({name: () for name in given}, lambda **values: {"s": np.asarray(sum(values.values()))})
    text = code(program, language, name="step").text
    head = re.search(r"step\(([^)]*)\)", text)[1]
    names = [re.sub(r": .*|.*\bdouble \*?", "", word.strip()) for word in head.split(",")][: len(given)]
    assert len(set(names)) == len(given)
    assert names[0] == "body_link2_mass_kg"
    assert not {"z1", "step", "", "1a"} & set(names)
    assert all(len(name) <= 64 for name in names)


@pytest.mark.parametrize("name", ["", "1a", "a b", "sin", "z3", "x" * 59, "found1", "a;b", "int", "ä", "../up"])
def test_a_function_is_called_as_the_language_can_call_it(name):
    with pytest.raises(InvalidInput, match="name: expected a letter"):
        code(PROGRAM, "c", name=name)


def test_what_is_not_there_is_refused_in_words():
    with pytest.raises(InvalidInput, match="language of code: expected one of c, matlab, python, rust, found 'fortran'"):
        code(PROGRAM, "fortran")
    with pytest.raises(InvalidInput, match=r"examples of 'b': .*an input of the program"):
        code(PROGRAM, "c", examples={"b": np.zeros((20, 3))})
    with pytest.raises(InvalidInput, match=r"examples: expected 20 states with finite results, found 0 of 30"):
        code(PROGRAM, "c", examples={"a": np.full((30, 3), np.nan)})


@LANGUAGE
def test_a_program_without_inputs_is_code_too(language, tmp_path):
    program = record({}, lambda: {"y": np.array([[1.0, -2.5e-7], [np.inf, -np.inf]])})
    with np.errstate(invalid="ignore"), pytest.raises(InvalidInput, match="finite"):
        code(program, language)
    program = record({}, lambda: {"y": np.array([[1.0, -2.5e-7]])})
    assert "2.5e-07" in code(program, language).text


def test_numbers_that_are_not_finite_are_written_too(tmp_path):
    program = record({"x": ()}, lambda x: {"y": np.asarray(minimum(x, np.inf) + select(x < -np.inf, np.inf, 1.0))})
    for language, run in runs.RUN.items():
        if language in ("c", "python"):
            written = code(program, language, name="step")
            written.save(tmp_path)
            inputs = states(program, 5)
            agree(run(written, program, inputs, tmp_path), program.evaluate(*inputs))
