"""Sine and cosine of exported C, which compilers can inline, against 200-bit arithmetic, with fused products and without."""

import ctypes

import mpmath
import numpy as np
import pytest

from scmanip.compiled.kernel import _sincos
from scmanip.export import code
from scmanip.export._c99_sines import BOTH
from scmanip.symbolic import record

from . import runs

RNG = np.random.default_rng(20)
ANGLES = [RNG.uniform(-10, 10, 150), RNG.uniform(-1e4, 1e4, 150), RNG.uniform(-1e7, 1e7, 150)]
ANGLES += [np.exp(RNG.uniform(-700, 0, 50)), RNG.integers(-3000, 3000, 300) * np.pi / 4, [0.0, 1e7, -1e7, 1.1e7, -1e9]]
LOOP = "for (int i = 0; i < n; i++) both(x[i], y + 2 * i);"
MANY = f'#include "both.h"\nvoid many(int n, const double *x, double *y) {{ {LOOP} }}\n'
BUILD = ["both.c", "many.c", "-shared", "-fPIC", "-lm", "-o"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("sines")
    code(record({"x": ()}, lambda x: {"y": np.array([np.sin(x), np.cos(x)])}), "c", name="both").save(made)
    (made / "many.c").write_text(MANY, encoding="utf-8")
    return made


@pytest.mark.parametrize("flags", [["-O1"], ["-O2", "-march=native", "-ffp-contract=fast"]], ids=["plain", "fused"])
def test_they_err_by_at_most_two_units_in_the_last_place(folder, flags):
    library = f"both{len(flags)}.so"
    runs.said(
        [runs.tool("gcc", "cc"), *runs.C_FLAGS, *flags, "-shared", "-fPIC", "both.c", "many.c", "-o", library, "-lm"], folder
    )
    x = np.concatenate(ANGLES)
    found = np.empty((len(x), 2))
    ctypes.CDLL(str(folder / library)).many(len(x), x.ctypes, found.ctypes)
    with mpmath.workprec(200):
        exact = [(mpmath.sin(a), mpmath.cos(a)) for a in map(mpmath.mpf, x.tolist())]
        off = [
            abs(float(mpmath.mpf(y) - e)) / np.spacing(abs(float(e))) for y, e in zip(found.flat, sum(exact, ()), strict=True)
        ]
    assert max(off) <= 2


def test_what_is_no_angle_has_no_sine(folder):
    runs.said([runs.tool("gcc", "cc"), *BUILD, "none.so"], folder)
    x, found = np.array([np.inf, -np.inf, np.nan]), np.empty((3, 2))
    ctypes.CDLL(str(folder / "none.so")).many(3, x.ctypes, found.ctypes)
    assert np.isnan(found).all()


def test_their_numbers_are_those_of_our_machine_code():
    ours = (
        *_sincos.SINE,
        *_sincos.COSINE,
        *_sincos.HALF_PI_FUSED,
        *_sincos.HALF_PI_SHORT,
        _sincos.TWO_OVER_PI,
        _sincos.ROUNDER,
    )
    assert all(repr(abs(number)) in BOTH for number in ours)
