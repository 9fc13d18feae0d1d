"""Recording scalars: what the graph simplifies, and what it refuses."""

import gc

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from scmanip.errors import InvalidInput, NotRecordable, ScmanipError, UnknownName
from scmanip.symbolic import Graph, Operations, Program, Scalar, arctan2, count, less, maximum, minimum, record, select


@pytest.fixture
def graph():
    return Graph()


@pytest.fixture
def scalars(graph):
    return graph.input("x", (5,))


def program(function, n=4):
    return record({"x": (n,)}, lambda x: {"y": function(*x)})


def total(function, n=4):
    return program(function, n).operations.total


def test_zero_and_one_vanish(scalars):
    a = scalars[0]
    assert a + 0 is a
    assert 0 + a is a
    assert a - 0 is a
    assert a * 1 is a
    assert a / 1 is a
    assert a * 0 == 0.0 and 0 / a == 0.0
    assert type(a * 0) is float


def test_equal_things_cancel(scalars):
    a, b = scalars[:2]
    assert a - a == 0.0
    assert a / a == 1.0
    assert a + (-a) == 0.0
    assert (a - b) + (b - a) == 0.0


def test_an_operation_is_made_once_whatever_the_order_of_its_arguments(scalars):
    a, b = scalars[:2]
    assert a * b is b * a
    assert a + b is b + a
    assert minimum(a, b) is minimum(b, a)
    assert np.sin(a) is a.sin()
    assert a - b is -(b - a)


def test_negations_travel_outwards(scalars):
    a, b = scalars[:2]
    negated = -a
    assert -negated is a
    assert (-a) * b is -(a * b)
    assert (-a) * (-b) is a * b
    assert (-a) / b is -(a / b)
    assert a + (-b) is a - b
    assert (-a) - b is -(a + b)
    assert (-2 * a) is -(2 * a)
    assert np.sin(-a) is -np.sin(a)
    assert np.cos(-a) is np.cos(a)
    assert abs(-a) is abs(a)


def test_numbers_collect(scalars):
    a, b = scalars[:2]
    assert 3 * (a * 2) is 6 * a
    assert (a + 2) + 3 is a + 5
    assert (2 - a) + 1 is 3 - a
    assert (a - 2) + 2 is a
    assert a / 4 is 0.25 * a
    assert a + a is 2 * a
    assert 3 * a + a is 4 * a
    assert 3 * a - 3 * a == 0.0
    assert 2 * a + 2 * b is 2 * (a + b)


def test_shared_factors_are_taken_out(scalars):
    a, b, c = scalars[:3]
    assert a * b + a * c is a * (b + c)
    assert b * a - c * a is a * (b - c)
    assert total(lambda a, b, c, d: a * b + c * b + b * d) == 3


def test_rotations_about_parallel_axes_merge(scalars):
    a, b = scalars[:2]
    ca, sa, cb, sb = np.cos(a), np.sin(a), np.cos(b), np.sin(b)
    assert ca * cb - sa * sb is np.cos(a + b)
    assert sa * sb - ca * cb is -np.cos(a + b)
    assert ca * cb + sa * sb is np.cos(a - b)
    assert sa * cb + ca * sb is np.sin(a + b)
    assert sa * cb - ca * sb is np.sin(a - b)
    assert ca * sb - sa * cb is np.sin(b - a)
    assert ca * ca + sa * sa == 1.0
    assert sa * ca - ca * sa == 0.0


def test_products_of_sines_and_cosines_that_fit_no_sum_stay(scalars):
    a, b, c = scalars[:3]
    p = record({"a": (), "b": (), "c": ()}, lambda a, b, c: {"y": np.cos(a) * np.cos(b) - np.sin(a) * np.sin(c)})
    assert_allclose(p.evaluate(0.3, 0.7, 1.1)[0], np.cos(0.3) * np.cos(0.7) - np.sin(0.3) * np.sin(1.1), rtol=1e-15)
    assert np.cos(a) * np.cos(b) - np.sin(a) * np.sin(c) is not np.cos(a + b)


def test_powers_are_products(scalars):
    a = scalars[0]
    assert a**1 is a
    assert a**0 == 1.0
    assert a**2 is a * a
    assert a**0.5 is np.sqrt(a)
    assert a**-2 is 1 / (a * a)
    assert total(lambda a, *_: a**8) == 3
    with pytest.raises(NotRecordable, match="whole powers"):
        a**1.5


def test_numbers_stay_plain_numbers():
    def function(x):
        R = np.zeros((3, 3), dtype=object)
        R[0, 0] = x[0]
        return {"y": R @ np.eye(3)}

    p = record({"x": (1,)}, function)
    assert p.steps == ()
    assert_array_equal(p.evaluate([2.0])[0], np.diag([2.0, 0, 0]))


@pytest.mark.parametrize("misuse", [bool, float, int, complex, lambda a: [a, a][a], lambda a: 1 if a < 2 else 0])
def test_a_scalar_without_a_value_refuses_to_have_one_and_says_what_to_do(scalars, misuse):
    with pytest.raises(NotRecordable, match=r"select\(condition, if_true, if_false\)"):
        misuse(scalars[0])


def test_refusals_are_errors_of_scmanip_and_type_errors(scalars):
    for kind in (ScmanipError, TypeError):
        with pytest.raises(kind):
            bool(scalars[0])
    with pytest.raises(NotRecordable, match="b < a"):
        select(scalars[0] <= scalars[1], 1, 0)
    with pytest.raises(TypeError):
        scalars[0] + "1"


def test_a_scalar_cannot_leave_its_recording():
    kept = []
    record({"x": ()}, lambda x: kept.append(x) or {"y": x})
    with pytest.raises(NotRecordable, match="elsewhere"):
        record({"x": ()}, lambda x: {"y": x + 0 * kept[0], "z": kept[0]})


def test_an_output_must_be_numbers():
    with pytest.raises(NotRecordable, match="'y'"):
        record({"x": ()}, lambda x: {"y": np.array(["a"], dtype=object)})


def test_numpy_functions_and_arrays_carry_scalars():
    def function(A, b):
        c = A @ b - b.sum() * A[0] / 2
        angles = np.arctan2(c, 1 + b**2)
        return {"y": np.stack([np.sin(c), np.cos(c), np.tan(b), np.sqrt(1 + c * c), np.exp(b), np.tanh(c), abs(c), angles])}

    p = record({"A": (3, 3), "b": (3,)}, function)
    rng = np.random.default_rng(2)
    A, b = rng.normal(size=(3, 3)), rng.normal(size=3)
    assert_allclose(p.evaluate(A, b)[0], function(A, b)["y"], rtol=1e-14)


def test_numpy_floats_on_the_left_are_recorded(scalars):
    assert np.float64(2) * scalars[0] is 2 * scalars[0]
    assert np.float64(2) - scalars[0] is 2 - scalars[0]
    assert isinstance((np.array([1.0, 2.0]) * scalars[0])[1], Scalar)


def test_decisions_are_recorded_and_work_on_plain_numbers_too():
    def saturated(x):
        return {"y": minimum(maximum(x, -1), 1), "z": select(less(0, x), 2 * x, -x)}

    x = np.array([-3.0, 0.25, 7.0])
    p = record({"x": (3,)}, saturated)
    for recorded, direct in zip(p.evaluate(x), saturated(x).values(), strict=True):
        assert direct.dtype == float
        assert_array_equal(recorded, direct)


def test_decisions_on_known_numbers_are_taken_at_once(scalars):
    a, b = scalars[:2]
    assert select(1.0 < 2.0, a, b) is a
    assert select(a < b, a, a) is a
    assert select(a < a, a, b) is b


def test_arctan2_takes_numbers_and_scalars_in_either_place():
    p = record({"x": (2,)}, lambda x: {"y": np.array([arctan2(1, x[0]), arctan2(x[1], -2.0), np.arctan2(x[0], x[1])])})
    assert_array_equal(p.evaluate([-3.0, 0.5])[0], np.arctan2([1, 0.5, -3], [-3, -2, 0.5]))
    assert arctan2(1, [1, -1]).dtype == float
    with pytest.raises(NotRecordable, match="str"):
        arctan2("1", 2)


def test_dead_code_is_removed():
    p = record({"x": (2,)}, lambda x: [np.sin(x[0] * 7), {"y": x[0] + x[1]}][1])
    assert p.operations == Operations(0, 1, 0, 0)


def test_an_output_may_be_an_input_or_a_number():
    p = record({"x": (2,)}, lambda x: {"y": x[::-1], "one": 1, "none": np.zeros((0, 3))})
    y, one, none = p.evaluate([3.0, 4.0])
    assert_array_equal(y, [4, 3])
    assert one == 1
    assert none.shape == (0, 3)
    assert p.steps == ()


def test_operations_are_counted_together_and_for_each_output():
    def function(x):
        shared = x[0] * x[1]
        return {"a": shared + x[2], "b": -np.sin(shared) / x[2], "c": shared}

    p = record({"x": (3,)}, function)
    assert p.operations == Operations(multiplications=1, additions=1, divisions=1, functions=1)
    assert p.operations.total == 4
    assert p.operations_of("a") == Operations(1, 1, 0, 0)
    assert p.operations_of("b") == Operations(1, 0, 1, 1)
    assert p.operations_of("c") == Operations(1, 0, 0, 0)
    with pytest.raises(UnknownName, match="did you mean"):
        p.operations_of("aa")


def test_a_batch_gives_the_single_cases():
    p = record({"A": (2, 2), "s": ()}, lambda A, s: {"y": A @ A * s + np.sin(A), "c": np.ones(2), "d": minimum(s, A[0, 0])})
    rng = np.random.default_rng(3)
    A, s = rng.normal(size=(1500, 2, 2)), rng.normal(size=1500)  # more than one block
    batch = p.evaluate(A, s)
    assert [x.shape for x in batch] == [(1500, 2, 2), (1500, 2), (1500,)]
    for k in (0, 1023, 1024, 1499):
        for many, one in zip(batch, p.evaluate(A[k], s[k]), strict=True):
            assert_array_equal(many[k], one)
    assert [x.shape for x in p.evaluate(A[:0], s[:0])] == [(0, 2, 2), (0, 2), (0,)]


def test_arrays_of_the_wrong_shape_are_refused():
    p = record({"A": (2, 2), "s": ()}, lambda A, s: {"y": A * s})
    for arrays in [(np.zeros((2, 2)),), (np.zeros(2), 1.0), (np.zeros((5, 2, 2)), np.zeros(4)), (np.zeros((5, 2, 2)), 1.0)]:
        with pytest.raises(InvalidInput, match=r"\(2, 2\), \(\)"):
            p.evaluate(*arrays)


def test_division_by_zero_gives_infinity_as_compiled_code_does():
    p = record({"x": ()}, lambda x: {"y": 1 / x, "z": np.sqrt(x - 1)})
    y, z = p.evaluate(0.0)
    assert np.isinf(y) and np.isnan(z)


@pytest.mark.slow
def test_long_chains_need_no_recursion():
    def function(x):
        y = x
        for k in range(100_000):
            y = np.sin(y) if k % 2 else y * x
        return {"y": y}

    p = record({"x": ()}, function)
    assert len(p.steps) == 100_000
    assert p.digest


def test_program_is_plain_data_that_compares_and_hashes():
    first, second = (record({"x": (2,)}, lambda x: {"y": x[0] * 3 + x[1]}) for _ in range(2))
    assert first == second and hash(first) == hash(second)
    assert Program(first.inputs, first.constants, first.steps, first.outputs).digest == first.digest
    assert first.text == "input 0 (2)\n2 = 0x1.8000000000000p+1\n3 = mul 2 0\n4 = add 1 3\noutput 0 () 4\n"


def test_names_are_not_part_of_the_text():
    hostile = "q'\"\n__import__('os').system('false')"
    plain = record({"x": (2,)}, lambda x: {"y": x[0] * x[1]})
    odd = record({hostile: (2,)}, lambda **arrays: {hostile + "!": arrays[hostile][0] * arrays[hostile][1]})
    assert odd.text == plain.text and odd.digest == plain.digest
    assert "import" not in odd.text


@pytest.mark.parametrize("enabled", [True, False])
def test_recording_leaves_the_garbage_collector_as_it_was(enabled):
    was = gc.isenabled()
    try:
        (gc.enable if enabled else gc.disable)()
        record({"x": ()}, lambda x: {"y": x * x})
        with pytest.raises(NotRecordable):
            record({"x": ()}, lambda x: {"y": 1.0 if x else 0.0})
        assert gc.isenabled() == enabled
    finally:
        (gc.enable if was else gc.disable)()


# Counting


def matrices(x):
    """Products of stacked matrices, then differences."""
    A = np.array([[x[:2], x[2:]], [x[2:], x[1:3]]])
    for _ in range(6):
        A = A @ A + x[0]
    return {"y": A - np.swapaxes(A, -1, -2)}


def test_counting_gives_the_operations_of_the_program_if_they_are_few_enough():
    whole = record({"x": (4,)}, matrices).operations
    assert count({"x": (4,)}, matrices) == whole
    made = 4 + whole.total + 1000
    assert count({"x": (4,)}, matrices, made) == whole
    assert all(count({"x": (4,)}, matrices, most) is None for most in range(whole.total))


@pytest.mark.parametrize("operation", [np.add, np.multiply, np.subtract, np.divide])
def test_counting_ends_soon_after_it_is_full(operation):
    met = []

    def function(x):
        for k in range(1000):
            met.append(k)
            x = operation(x, np.roll(x, 1))
        return {"y": x}

    assert count({"x": (4,)}, function, 100) is None
    assert len(met) < 50 or operation in (np.add, np.multiply)


def test_a_full_count_leaves_other_errors_alone():
    def function(x):
        y = x * x[::-1] + x
        raise ValueError(f"of its own, with {len(y)}")

    with pytest.raises(ValueError, match="of its own"):
        count({"x": (40,)}, function, 5)


def test_a_function_that_never_subtracts_is_given_up_at_its_end():
    assert count({"x": (3,)}, lambda x: {"y": x * x[::-1] + 1.5}, 4) is None


@pytest.mark.parametrize("c", [-2.5, -1.0, 0.5, 1.0, 2.0, 3.0])
def test_multiples_of_one_scalar_collect_to_what_floats_give(c):
    def function(x):
        return np.array([c * x - x, x - c * x, c * x + x, x + c * x, c - (2 + x), (2 - x) - c, c - (x - 2)])

    recorded = record({"x": ()}, lambda x: {"y": function(x)})
    assert_allclose(recorded.evaluate(0.7)[0], function(0.7), rtol=1e-15, atol=1e-15)


def test_a_size_that_is_known_to_be_positive_costs_nothing():
    assert [total(lambda x, f=f: [abs(f(x))], 1) for f in (np.exp, np.sqrt, abs)] == [1, 1, 1]
    assert_allclose(
        program(lambda x: [abs(np.tanh(x)), abs(np.sin(x))], 1).evaluate([-0.3])[0], np.abs([np.tanh(-0.3), np.sin(-0.3)])
    )


def test_some_outputs_alone_are_what_they_are_beside_the_others():
    def function(x):
        a = np.sin(x[0]) * x[1]
        return {"first": a, "second": np.exp(a) + x[2], "third": np.array([x[2] ** 3, a])}

    whole, x = record({"x": (3,)}, function), np.array([0.3, -1.2, 0.8])
    for names in (("second", "third"), ("third", "first"), ("third",)):
        for found, name in zip(whole.only(*names).evaluate(x), names, strict=True):
            assert_allclose(found, np.asarray(function(x)[name], dtype=float), rtol=1e-15)


@pytest.mark.parametrize("cases", [1, 2, 1023, 1024, 1025, 2049])
def test_every_case_of_a_batch_is_evaluated(cases):
    x = np.linspace(-1, 1, cases * 2).reshape(cases, 2)
    recorded = record({"x": (2,)}, lambda x: {"y": np.array([x[0] * x[1], x[0] + 2.0])})
    assert_allclose(recorded.evaluate(x)[0], np.stack([x[:, 0] * x[:, 1], x[:, 0] + 2], axis=1), rtol=1e-15)
