"""Passes over a finished program: the same answers in fewer operations, the same text on every run."""

import subprocess
import sys

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.symbolic import optimised, record

from .expressions import random_expression

PRIMES = np.array([2.0, 3, 5, 7, 11, 13])


@pytest.mark.parametrize("seed", range(40))
def test_random_expressions_keep_their_values_through_recording_and_passes(seed):
    rng = np.random.default_rng(seed)
    function = random_expression(rng, length=int(rng.integers(5, 120)))
    recorded = record({"x": (4,)}, function)
    better = optimised(recorded)
    assert better.operations.total <= recorded.operations.total + recorded.operations.divisions  # see reciprocals
    for x in rng.normal(size=(5, 4)):
        direct = function([float(v) for v in x])["y"].astype(float)
        scale = 1e-12 * max(1, abs(direct).max())
        assert_allclose(recorded.evaluate(x)[0], direct, atol=scale)
        assert_allclose(better.evaluate(x)[0], direct, atol=scale)


def test_common_factors_leave_long_sums():
    def function(x):
        a, b, c, d, e, f = x
        return {"y": a * b * c + d + a * e * c - a * f + b}

    p = optimised(record({"x": (6,)}, function))
    assert p.operations.multiplications == 2  # a (c (b + e) - f) + d + b
    assert p.operations.additions == 4


def test_common_pairs_of_sums_are_computed_once():
    p = record({"x": (6,)}, lambda x: {"y": x[0] + x[1] + x[2], "z": x[3] - x[0] - x[2], "w": x[4] + x[2] + x[5] + x[0]})
    assert p.operations.total == 7
    assert optimised(p).operations.total == 5
    for better, plain in zip(optimised(p).evaluate(PRIMES[:6]), p.evaluate(PRIMES[:6]), strict=True):
        assert better == plain


def test_common_pairs_of_products_are_computed_once():
    p = record({"x": (5,)}, lambda x: {"y": x[0] * x[1] * x[2], "z": x[3] * x[0] * x[2], "w": x[4] * x[2] * x[0]})
    assert p.operations.total == 6
    assert optimised(p).operations.total == 4
    for better, plain in zip(optimised(p).evaluate(PRIMES[:5]), p.evaluate(PRIMES[:5]), strict=True):
        assert better == plain


def test_a_product_used_twice_is_not_torn_apart():
    def function(x):
        a, b, c, d, e = x
        shared, gain = a * b, d * e + c + d * a + b + d * b  # the second has something to gain, so that the pass is kept
        return {"p": shared, "y": a * c + e + shared, "g": gain}

    p = optimised(record({"x": (5,)}, function))
    assert p.operations_of("y").multiplications == 2
    assert p.operations.multiplications == 3


def test_a_common_divisor_is_inverted_once():
    p = optimised(record({"x": (3,), "d": ()}, lambda x, d: {"y": x / d}))
    assert p.operations.divisions == 1
    assert p.operations.multiplications == 3


def test_negations_are_absorbed_where_they_cost_nothing():
    p = record({"x": (2,)}, lambda x: {"y": np.array([x[1] - x[0], -3 * x[0], -x[1] - 2])})
    assert [s.op for s in optimised(p).steps] == ["sub", "mul", "sub"]
    assert_allclose(optimised(p).evaluate([2.0, 5.0])[0], [3, -6, -7])


def test_passes_are_idempotent_on_what_they_cannot_better():
    p = optimised(record({"x": (3,)}, lambda x: {"y": x[0] * x[1] + np.sin(x[2])}))
    assert optimised(p) == p


def test_sums_of_nearly_equal_terms_keep_their_digits():
    p = optimised(record({"x": (4,)}, lambda x: {"y": (x[0] - x[1]) * (x[2] - x[3])}))
    assert p.operations.total == 3  # never multiplied out
    x = np.array([1 + 1e-8, 1, 1e8 + 1, 1e8])
    assert p.evaluate(x)[0] == (x[0] - x[1]) * (x[2] - x[3])


def test_long_sums_and_products_need_no_recursion():
    p = record({"x": (3000,)}, lambda x: {"y": x.sum(), "z": x.sum() * 2 + x[0], "w": np.prod(x)})
    assert optimised(p).operations.total <= p.operations.total


SCRIPT = """
import numpy as np
from scmanip.symbolic import optimised, record
from tests.symbolic.expressions import random_expression
p = record({"x": (4,)}, random_expression(np.random.default_rng(5), 150))
print(optimised(p).text, optimised(p.jacobian("y", "x")).digest, p.latex())
"""


@pytest.mark.slow
def test_text_is_the_same_under_every_hash_seed():
    runs = [
        subprocess.run(
            [sys.executable, "-c", SCRIPT], env={"PYTHONHASHSEED": seed, "PATH": ""}, capture_output=True, check=True
        ).stdout
        for seed in ("0", "1", "12345")
    ]
    assert len(runs[0]) > 1000
    assert runs[0] == runs[1] == runs[2]
