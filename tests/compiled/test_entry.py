"""The fast way in, and what happens where it or LLVM is missing."""

import builtins
import subprocess
import sys
import types
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from scmanip.compiled import compile_program
from scmanip.compiled.kernel import _compiled_program, _entry
from scmanip.errors import InvalidInput
from scmanip.symbolic import Input, Output, Program

from .programs import doubling, empty_outputs, random_inputs, random_program

ROOT = Path(__file__).parents[2]


@pytest.fixture
def forget():
    """Forget that the entry was tried, before the test and after it."""
    _entry._tried_entries.cache_clear()
    yield
    _entry._tried_entries.cache_clear()


def _assert_works(compiled):
    twice, total = np.empty(3), np.empty(2)
    compiled(np.array([1.0, 2.0, 3.0]), np.array(10.0), twice, total)
    assert_array_equal([*twice, *total], [2, 4, 6, 11, 10])
    with pytest.raises(InvalidInput, match="input 'a'"):
        compiled(np.ones(4), np.array(10.0), twice, total)


def test_this_interpreter_has_the_fast_entry():
    assert isinstance(compile_program(doubling(), cache=None).function, types.BuiltinFunctionType)


@pytest.mark.parametrize("reason", ["_interpreter_known", "_layout_as_known"])
def test_an_unknown_interpreter_goes_through_ctypes(monkeypatch, forget, reason):
    monkeypatch.setattr(_entry, reason, lambda: False)
    compiled = compile_program(doubling(), cache=None)
    assert not isinstance(compiled.function, types.BuiltinFunctionType)
    _assert_works(compiled)


@pytest.mark.parametrize("version", [(3, 10, 9), (3, 15, 0), (4, 0, 0)])
def test_a_version_that_was_not_examined_is_unknown(monkeypatch, version):
    monkeypatch.setattr(sys, "version_info", version)
    assert not _entry._interpreter_known()


def test_another_implementation_is_unknown(monkeypatch):
    monkeypatch.setattr(sys, "implementation", types.SimpleNamespace(name="pypy"))
    assert not _entry._interpreter_known()


@pytest.mark.parametrize("field", ["TYPE", "DATA", "RANK", "LENGTHS", "DTYPE", "FLAGS"])
def test_a_field_elsewhere_is_noticed_before_anything_runs(monkeypatch, field):
    assert _entry._layout_as_known()
    monkeypatch.setattr(_entry, field, {"DATA": 40, "LENGTHS": 16}.get(field, getattr(_entry, field) - 8))
    assert not _entry._layout_as_known()


@pytest.mark.parametrize(
    "wrong",
    [
        "%is.usable = icmp eq i32 %flags.both, %flags.wanted",
        "%same = icmp eq i64 %its.length, %length.wanted",
        "%same.cases = icmp eq i64 %its.cases, %cases",
        "%as.wide = icmp eq i64 %its.stride, %stride.wanted",
        "%is.each = icmp eq i32 %lead, 1",
    ],
)
def test_an_entry_that_accepts_too_much_fails_its_trial(monkeypatch, forget, wrong):
    name = wrong.split(" ")[0]
    assert wrong in _entry.SOURCE
    monkeypatch.setattr(_entry, "SOURCE", _entry.SOURCE.replace(wrong, f"{name} = icmp eq i32 0, 0"))
    assert _entry._tried_entries(None) is None
    _assert_works(compile_program(doubling(), cache=None))


MISJUDGEMENTS = {
    "%above = fcmp ogt": "%above = fcmp oge",
    "%below = fcmp olt": "%below = fcmp ole",
    "%within = and i1": "%within = or i1",
    "%judgement = select i1 %within, ptr %yes, ptr %no": "%judgement = select i1 %within, ptr %no, ptr %yes",
}


@pytest.mark.parametrize("right", MISJUDGEMENTS)
def test_an_entry_that_judges_wrongly_fails_its_trial(monkeypatch, forget, right):
    assert right in _entry.SOURCE
    monkeypatch.setattr(_entry, "SOURCE", _entry.SOURCE.replace(right, MISJUDGEMENTS[right]))
    assert _entry._tried_entries(None) is None
    _assert_judges(compile_program(doubling(), cache=None))


def _assert_judges(compiled):
    """The last output of `doubling` is [a_0 + b, b]."""
    judged, b, twice, total = compiled.within(2.0), np.array(0.0), np.empty(3), np.empty(2)
    for first, within in (
        (0.5, True),
        (-1.5, True),
        (2.0, False),
        (-2.0, False),
        (9.0, False),
        (np.inf, False),
        (np.nan, False),
    ):
        assert judged(np.array([first, 50.0, 60.0]), b, twice, total) is within
        assert_array_equal([*twice, *total], [2 * first, 100, 120, first, 0])
    assert judged(np.arange(6.0)[1::2], b, twice, total) is True  # not contiguous: by way of a copy
    with pytest.raises(InvalidInput, match="input 'a'"):
        judged(np.ones(4), b, twice, total)


def test_every_evaluator_tells_whether_the_first_number_of_the_last_output_is_small(build):
    _assert_judges(build(doubling()))


@pytest.mark.parametrize("reason", ["_interpreter_known", "_layout_as_known"])
def test_an_unknown_interpreter_judges_as_well(monkeypatch, forget, reason):
    monkeypatch.setattr(_entry, reason, lambda: False)
    compiled = compile_program(doubling(), cache=None)
    assert not isinstance(compiled.within(1.0), types.BuiltinFunctionType)
    _assert_judges(compiled)


def test_this_interpreter_judges_by_the_fast_entry():
    assert isinstance(compile_program(doubling(), cache=None).within(1.0), types.BuiltinFunctionType)


def test_an_output_without_numbers_is_within_any_bound(build):
    program = Program((Input("x", ()),), (), (), (Output("y", (0, 3), ()),))
    assert build(program).within(0.0)(np.array(5.0), np.empty((0, 3))) is True


def test_what_calls_return_keeps_its_count_of_references():
    compiled = compile_program(doubling(), cache=None)
    plain, judged, before = compiled.function, compiled.within(2.0), [sys.getrefcount(x) for x in (None, True, False)]
    arrays = [np.array(0.0), np.empty(3), np.empty(2)]
    for _ in range(5000):
        for first in (1.0, 3.0):
            judged(np.array([first, 0.0, 0.0]), *arrays)
            plain(np.array([first, 0.0, 0.0]), *arrays)
    assert_allclose([sys.getrefcount(x) for x in (None, True, False)], before, atol=100)


def test_more_arrays_than_the_entry_has_room_for_still_work():
    count = _entry.MOST_ARRAYS
    inputs = tuple(Input(f"x{k}", ()) for k in range(count))
    program = Program(inputs, (), (), (Output("y", (count,), tuple(range(count))),))
    y = np.empty(count)
    compile_program(program, cache=None)(*(np.array(float(k)) for k in range(count)), y)
    assert_array_equal(y, np.arange(count))


def test_rows_go_by_the_fast_entry():
    compiled = compile_program(doubling(), cache=None)
    for cases in (1, 40):
        compiled.rows(cases, np.ones((cases, 3)), np.array(1.0))
    assert set(compiled._entries) == {True, False}
    assert all(isinstance(function, types.BuiltinFunctionType) for function in compiled._entries.values())


@pytest.mark.parametrize("cases", [0, 1, 3, 40, 5000])
def test_rows_are_those_of_a_batch(build, cases):
    compiled, wide = build(doubling()), np.random.default_rng(cases).normal(size=(cases, 7))
    twice, total = np.empty((cases, 3)), np.empty((cases, 2))
    numbers = {"of each": np.ascontiguousarray(wide[:, 6]), "far apart": wide[:, 6], "of all": np.array(0.5)}
    places = {
        "side by side": np.ascontiguousarray(wide[:, :3]),
        "among others": wide[:, 2:5],
        "apart": wide[:, ::3],
        "backwards": wide[::-1, :3],
        "of all": np.arange(3.0),
    }
    for a in places.values():
        for b in numbers.values():
            compiled.batch(a, b, twice, total)
            found = compiled.rows(cases, a, b)
            assert_array_equal(found["twice"], twice)
            assert_array_equal(found["total"], total)


@pytest.mark.parametrize("cases", [2, 40])
def test_rows_that_are_none_are_refused(build, cases):
    compiled, right = build(doubling()), np.ones((cases, 3))
    for wrong in (
        np.ones((cases, 4)),
        np.ones((cases + 1, 3)),
        np.ones((cases, 3), dtype=int),
        np.ones((1, cases, 3)),
        [1, 2, 3],
    ):
        with pytest.raises(InvalidInput, match="input 'a'"):
            compiled.rows(cases, wrong, np.array(1.0))
    with pytest.raises(InvalidInput, match="arguments"):
        compiled.rows(cases, right)


def test_without_llvmlite_numpy_gives_the_same_answers(monkeypatch):
    program = random_program(11)
    inputs, with_llvm, without = random_inputs(5, 30), empty_outputs(program, 30), empty_outputs(program, 30)
    compile_program(program, cache=None).batch(*inputs, *with_llvm)
    _compiled_program.host.cache_clear()
    original = builtins.__import__

    def refusing(name, *arguments, **keywords):
        if name.startswith("llvmlite"):
            raise ImportError("no llvmlite here")
        return original(name, *arguments, **keywords)

    monkeypatch.setattr(builtins, "__import__", refusing)
    compiled = compile_program(program, cache=None)
    compiled.batch(*inputs, *without)
    assert (compiled.evaluator.one_source(), compiled.evaluator.one_object) == ("", b"")
    assert (compiled.evaluator.many_source(), compiled.evaluator.many_object) == ("", b"")
    assert compiled.program is program
    for a, b in zip(with_llvm, without, strict=True):
        assert_allclose(a, b, rtol=1e-11, atol=1e-12)
    _assert_works(compile_program(doubling(), cache=None))


def test_importing_the_room_does_not_import_llvm():
    command = "import scmanip.compiled, sys; sys.exit('llvmlite' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", command], cwd=ROOT, check=False).returncode == 0


def test_keywords_are_refused():
    with pytest.raises(TypeError, match="keyword"):
        compile_program(doubling(), cache=None)(a=np.ones(3))
