"""Recorded programs: the same answers as the function, the same text on every run."""

import subprocess
import sys

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.symbolic import record

from .expressions import random_expression


@pytest.mark.parametrize("seed", range(40))
def test_random_expressions_keep_their_values_through_recording(seed):
    rng = np.random.default_rng(seed)
    function = random_expression(rng, length=int(rng.integers(5, 120)))
    recorded = record({"x": (4,)}, function)
    for x in rng.normal(size=(5, 4)):
        direct = function([float(v) for v in x])["y"].astype(float)
        assert_allclose(recorded.evaluate(x)[0], direct, atol=1e-12 * max(1, abs(direct).max()))


def test_sums_of_nearly_equal_terms_keep_their_digits():
    p = record({"x": (4,)}, lambda x: {"y": (x[0] - x[1]) * (x[2] - x[3])})
    assert p.operations.total == 3  # never multiplied out
    x = np.array([1 + 1e-8, 1, 1e8 + 1, 1e8])
    assert p.evaluate(x)[0] == (x[0] - x[1]) * (x[2] - x[3])


def test_long_sums_and_products_need_no_recursion():
    p = record({"x": (3000,)}, lambda x: {"y": x.sum(), "z": x.sum() * 2 + x[0], "w": np.prod(x)})
    assert p.tangent("w", ["x"]).operations.total > 3000


SCRIPT = """
import numpy as np
from scmanip.symbolic import record
from tests.symbolic.expressions import random_expression
p = record({"x": (4,)}, random_expression(np.random.default_rng(5), 150))
print(p.text, p.jacobian("y", "x").digest, p.latex())
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
