"""Rows of sums of products, and sines and cosines of neighbours, that are computed several at a time."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from scmanip.compiled import compile_program
from scmanip.compiled.kernel import _pieces, _rows
from scmanip.compiled.kernel._rows import Arrangement, blocks
from scmanip.symbolic import record

from .conftest import WAYS


@pytest.fixture(autouse=True)
def short(monkeypatch):
    """Let short programs have rows."""
    monkeypatch.setattr(_rows, "LEAST", 1)
    monkeypatch.setattr(_pieces, "PIECE", 13)


def products(entries):
    """A symmetric matrix, in some rows with signs that change from entry to entry, another with sines, and what is no row."""

    def function(q, w):
        s, c = np.sin(q), np.cos(q)
        a, b = np.array([s * w - c, c + w * w, s - w]), np.array([w - s * c, s * s, c - w])
        sign = [[-1 if i % 2 and l % 2 else 1 for l in range(entries)] for i in range(entries)]
        upper = [
            [a[:2, i] @ b[:2, l] + sign[i][l] * a[2, i] * b[2, l] - s[i] * w[l] for l in range(i, entries)]
            for i in range(entries)
        ]
        symmetric = np.array([[upper[min(i, l)][abs(i - l)] for l in range(entries)] for i in range(entries)])
        columns = np.array([[(s[k] + w[i]) * b[0, i] - (c[k] + w[i]) * b[1, i] for i in range(3)] for k in range(entries)])
        d = s - 3 * w
        plain = np.array([[b[0, i] * c[l] + (-1) ** (i * l) * b[1, i] * d[l] for l in range(entries)] for i in range(2)])
        return {"symmetric": symmetric, "plain": plain, "columns": columns, "rest": np.array([s[0] * c[1] - w[0], w[0]])}

    return record({"q": (entries,), "w": (entries,)}, function)


@pytest.mark.battery(2)
@pytest.mark.parametrize("way", ["this processor", "two lanes, not fused"])
@pytest.mark.parametrize("entries", [4, 7, 8, 11])
def test_rows_are_what_the_steps_say_and_one_state_has_the_bits_of_many(way, entries):
    program = products(entries)
    rows = Arrangement.of(program).rows
    assert {row.output for row in rows if len(row.entries) == entries} == {1, 2}
    compiled, rng = WAYS[way](program), np.random.default_rng(entries)
    inputs = [rng.normal(size=(11, entries)) for _ in range(2)]
    many, alone = ([np.empty((*lead, *o.shape)) for o in program.outputs] for lead in ((11,), ()))
    compiled.batch(*inputs, *many)
    for found, expected in zip(many, program.evaluate(*inputs), strict=True):
        assert_allclose(found, expected, rtol=1e-13, atol=1e-13)
    for case in range(11):
        compiled(*(np.ascontiguousarray(array[case]) for array in inputs), *alone)
        for one, found in zip(alone, many, strict=True):
            assert_array_equal(one, found[case])


def test_an_output_of_rows_may_lie_where_an_input_lies():
    program = products(6)
    q, w = np.random.default_rng(1).normal(size=(2, 6))
    expected = program.evaluate(q, w)
    outputs = [np.empty(o.shape) for o in program.outputs]
    shared = np.zeros((2, 6))
    shared[0] = q
    compile_program(program, cache=None)(shared[0], w, outputs[0], shared, *outputs[2:])
    assert_allclose(shared, expected[1], rtol=1e-13, atol=1e-13)


def test_sums_that_others_use_and_few_rows_are_left_as_they_are():
    def used(x):
        row = np.array([x[0] * x[k] + x[1] * x[k + 4] for k in range(2, 6)])
        return {"row": row, "again": row * 2}

    def few(x):
        rest = np.sin(np.cumsum(np.tanh(np.concatenate([x, 2 * x, 3 * x, 4 * x]))))
        return {"row": np.array([x[0] * x[k] + x[1] * x[k + 4] for k in range(2, 6)]), "rest": rest}

    for function in (used, few):
        assert Arrangement.of(record({"x": (10,)}, function)) is None


def test_an_entry_twice_in_a_row_is_one_sum():
    def function(x):
        a, b = (x[0] * x[k] - x[1] * x[k + 4] for k in (2, 3))
        return {"row": np.array([a, b, a])}

    program = record({"x": (8,)}, function)
    x, row = np.arange(8.0), np.empty(3)
    assert len(Arrangement.of(program).rows) == 1
    compile_program(program, cache=None)(x, row)
    assert_array_equal(row, program.evaluate(x)[0])


def test_terms_that_share_the_factor_of_a_row_are_all_counted():
    def function(x):
        return {"row": np.array([x[0] * x[k] + x[1] * x[k + 4] + x[0] * x[k + 8] for k in range(2, 6)])}

    program = record({"x": (14,)}, function)
    x, row = np.random.default_rng(3).normal(size=14), np.empty(4)
    compile_program(program, cache=None)(x, row)
    assert_allclose(row, program.evaluate(x)[0], rtol=1e-14)


@pytest.mark.parametrize("entries", range(2, 30))
def test_blocks_cover_a_row(entries):
    width, firsts = blocks(entries)
    assert width <= entries
    assert {first + k for first in firsts for k in range(width)} == set(range(entries))


def test_an_entry_of_two_rows_along_one_line_is_in_one_of_them():
    def function(x):
        d = x[5] - x[6]
        a, b, c = x[0] * x[4] - x[1] * d, x[0] * x[7] - x[1] * x[8], x[4] * x[2] - d * x[3]
        return {"line": np.array([c, a, np.tanh(x[9]), a, b])}

    program, x = record({"x": (10,)}, function), np.random.default_rng(1).normal(size=10)
    found = np.empty(5)
    compile_program(program, cache=None)(x, found)
    assert_allclose(found, program.evaluate(x)[0], rtol=1e-13)
