"""What a call accepts, copies and refuses; every test runs on every way to evaluate."""

import gc
import pickle
import sys
import weakref

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from scmanip.compiled import compile_program
from scmanip.errors import InvalidInput

from .programs import doubling

A = np.array([1.0, 2.0, 3.0])
B = np.array(10.0)


@pytest.fixture
def compiled(build):
    return build(doubling())


def _outputs():
    return np.empty(3), np.empty(2)


@pytest.mark.parametrize(
    ("arrays", "words"),
    [
        (
            (A.astype(int), B, *_outputs()),
            r"input 'a': expected float64 array of shape \(3,\), found int64 array of shape \(3,\)",
        ),
        ((A.astype("f4"), B, *_outputs()), r"input 'a': .* found float32 array"),
        ((A.astype(">f8"), B, *_outputs()), r"input 'a': .* found >f8 array|input 'a': .* found >float64|input 'a'"),
        ((np.ones(4), B, *_outputs()), r"found float64 array of shape \(4,\)"),
        ((np.ones((1, 3)), B, *_outputs()), r"found float64 array of shape \(1, 3\)"),
        (([1.0, 2.0, 3.0], B, *_outputs()), r"input 'a': .* found list"),
        ((A, 10.0, *_outputs()), r"input 'b': expected float64 array of shape \(\), found float"),
        ((A, B, None, np.empty(2)), r"output 'twice': .* found NoneType"),
        ((A, B, np.empty(3), np.empty(3)), r"output 'total': expected float64 array of shape \(2,\)"),
        ((A, B, np.empty(3)), r"expected 4 arrays \(input 'a', input 'b', output 'twice', output 'total'\), found 3"),
        ((), r"found 0"),
    ],
)
def test_a_wrong_array_is_refused_by_name(compiled, arrays, words):
    with pytest.raises(InvalidInput, match=words):
        compiled(*arrays)


def test_every_wrong_array_is_named_at_once(compiled):
    with pytest.raises(InvalidInput) as caught:
        compiled(np.ones(4), 1.0, np.empty(3), np.empty(1))
    assert [problem.key for problem in caught.value.problems] == ["input 'a'", "input 'b'", "output 'total'"]


def test_a_read_only_output_is_refused_and_left_alone(compiled):
    twice, total = np.zeros(3), np.zeros(2)
    twice.flags.writeable = False
    with pytest.raises(InvalidInput, match="output 'twice': expected writeable"):
        compiled(A, B, twice, total)
    with pytest.raises(InvalidInput, match="output 'twice': expected writeable"):
        compiled.batch(A[None], B, np.broadcast_to(twice, (1, 3)), np.zeros((1, 2)))
    assert_array_equal([*twice, *total], 0.0)


def test_a_read_only_input_is_welcome(compiled):
    a = A.copy()
    a.flags.writeable = False
    twice, total = _outputs()
    compiled(a, B, twice, total)
    assert_array_equal(twice, 2 * A)


def test_arrays_with_gaps_work_in_both_directions(compiled):
    twice, total = np.zeros(6)[::2], np.zeros(4)[::-2]
    compiled(np.repeat(A, 2)[::2], B, twice, total)
    assert_array_equal(twice, 2 * A)
    assert_array_equal(total, [11, 10])


def test_an_array_off_the_grid_of_eight_bytes_works(compiled):
    raw = np.zeros(25, np.uint8)
    a = raw[1:].view(np.float64)
    a[:] = A
    twice, total = _outputs()
    compiled(a, B, twice, total)
    assert_array_equal(twice, 2 * A)


def test_a_subclass_of_ndarray_works(compiled):
    class Named(np.ndarray):
        pass

    twice, total = _outputs()
    compiled(A.view(Named), B, twice.view(Named), total)
    assert_array_equal(twice, 2 * A)


def test_an_output_may_be_an_input(compiled):
    a, total = A.copy(), np.empty(2)
    compiled(a, B, a, total)
    assert_array_equal(a, 2 * A)
    assert_array_equal(total, [11, 10])


def test_an_output_may_lie_across_an_input(compiled):
    memory = np.array([1.0, 2.0, 3.0, 0.0])
    total = np.empty(2)
    compiled(memory[:3], B, memory[1:], total)
    assert_array_equal(memory, [1, 2, 4, 6])
    assert_array_equal(total, [11, 10])


@pytest.mark.parametrize("cases", [2, 9, 50])
def test_outputs_of_a_batch_may_lie_across_its_inputs(compiled, cases):
    memory = np.random.default_rng(1).normal(size=(cases + 1, 3))
    before, total = memory.copy(), np.empty((cases, 2))
    compiled.batch(memory[:-1], B, memory[1:], total)
    assert_array_equal(memory[1:], 2 * before[:-1])
    assert_array_equal(total[:, 0], before[:-1, 0] + 10)


def test_a_shared_input_may_be_overwritten_by_the_batch(compiled):
    memory = np.tile(A, (20, 1))
    compiled.batch(memory[4], B, memory, np.empty((20, 2)))
    assert_array_equal(memory, np.tile(2 * A, (20, 1)))


def test_a_batch_takes_cases_at_any_distance(compiled):
    wide = np.random.default_rng(2).normal(size=(20, 8))
    out = np.zeros((20, 10))
    compiled.batch(wide[::-1, 2:5], B, out[:, 1:4], out[:, 6:8])
    assert_array_equal(out[:, 1:4], 2 * wide[::-1, 2:5])
    assert_array_equal(out[:, [0, 4, 5, 8, 9]], 0.0)
    turned, result = np.asfortranarray(wide[:, :3]), np.asfortranarray(np.zeros((20, 3)))
    compiled.batch(turned, B, result, np.empty((20, 2)))
    assert_array_equal(result, 2 * turned)


@pytest.mark.parametrize(
    ("a", "total", "words"),
    [
        (np.ones((5, 3)), np.empty((4, 2)), r"input 'a': expected float64 array of shape \(4, 3\)"),
        (np.ones((4, 3), int), np.empty((4, 2)), r"input 'a': .* found int64"),
        (np.ones((4, 3)), np.empty(2), r"output 'total': expected float64 array of shape \(4, 2\)"),
        (np.ones((4, 3)), None, r"output 'total': .* found NoneType"),
    ],
)
def test_a_batch_with_wrong_arrays_is_refused(compiled, a, total, words):
    with pytest.raises(InvalidInput, match=words):
        compiled.batch(a, B, np.empty((4, 3)), total)


@pytest.mark.parametrize("threads", [0, -1, 1.5, "two"])
def test_a_number_of_threads_that_makes_no_sense_is_refused(compiled, threads):
    with pytest.raises(InvalidInput, match="threads"):
        compiled.batch(A[None], B, np.empty((1, 3)), np.empty((1, 2)), threads=threads)


def test_the_bare_function_checks_as_the_object_does(compiled):
    twice, total = _outputs()
    assert compiled.function(A, B, twice, total) is None
    assert_array_equal(twice, 2 * A)
    with pytest.raises(InvalidInput, match="input 'a'"):
        compiled.function(A.astype(int), B, twice, total)


@pytest.mark.slow
def test_the_bare_function_outlives_its_object(build):
    function = build(doubling()).function
    gc.collect()
    twice, total = _outputs()
    function(A, B, twice, total)
    assert_array_equal(twice, 2 * A)


def test_a_compiled_program_leaves_with_its_last_user():
    compiled = compile_program(doubling(), cache=None)
    gone = weakref.ref(compiled.evaluator)
    del compiled
    assert gone() is None


def test_ten_thousand_calls_leave_the_counts_of_references_alone():
    compiled = compile_program(doubling(), cache=None)
    arrays = [A.copy(), B.copy(), *_outputs()]
    counted = [None, *arrays]
    before = [sys.getrefcount(x) for x in counted]
    for _ in range(10_000):
        compiled(*arrays)
        compiled.function(*arrays)
    after = [sys.getrefcount(x) for x in counted]
    assert max(abs(a - b) for a, b in zip(after, before, strict=True)) < 100


def test_a_compiled_program_travels_to_another_process_as_its_program():
    copy = pickle.loads(pickle.dumps(compile_program(doubling(), cache=None)))
    twice, total = _outputs()
    copy(A, B, twice, total)
    assert_array_equal(twice, 2 * A)


def test_names_are_never_part_of_generated_code():
    hostile = "x'); __import__('os') #\n\"}"
    program = doubling()
    renamed = type(program)(
        tuple(type(i)(hostile, i.shape) for i in program.inputs),
        program.constants,
        program.steps,
        tuple(type(o)(hostile, o.shape, o.values) for o in program.outputs),
    )
    plain, odd = compile_program(program, cache=None), compile_program(renamed, cache=None)
    odd, plain = odd.evaluator, plain.evaluator
    assert (odd.one_source(), odd.one_object) == (plain.one_source(), plain.one_object)
    assert (odd.many_source(), odd.many_object) == (plain.many_source(), plain.many_object)
