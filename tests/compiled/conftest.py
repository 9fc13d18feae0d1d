"""Every way to evaluate a program, behind one name."""

from dataclasses import replace

import pytest

from scmanip.compiled import Cache, CompiledProgram, compile_program
from scmanip.compiled.kernel import _compiled_program
from scmanip.compiled.kernel._evaluators import MachineCode
from scmanip.compiled.kernel._host import host


def without_fused(features):
    """The features of a processor without fused multiply-add."""
    gone = ("fma", "fma4", "avx", "avx2")
    return ",".join("-" + f[1:] if f[1:] in gone or f[1:].startswith("avx512") else f for f in features.split(","))


def _on(**changes):
    def build(program):
        return CompiledProgram(program, MachineCode(program, replace(host(), **changes), None), None)

    return build


def _numpy(program):
    return CompiledProgram(program, _compiled_program.NumpyEvaluator(program), None)


WAYS = {
    "this processor": lambda program: compile_program(program, cache=None),
    "four lanes": _on(lanes=4),
    "eight lanes": _on(lanes=8),
    "two lanes, not fused": _on(lanes=2, fused=False, features=without_fused(host().features)),
    "NumPy": _numpy,
}


@pytest.fixture(params=list(WAYS))
def build(request):
    """A function from a program to a CompiledProgram."""
    return WAYS[request.param]


@pytest.fixture
def cache(tmp_path):
    return Cache(tmp_path / "objects")
