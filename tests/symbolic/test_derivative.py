"""Derivatives of programs against complex steps, finite differences and hand calculation."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.errors import UnknownName
from scmanip.symbolic import Operations, maximum, minimum, record, select

from .expressions import random_expression

STEP = 1e-30


def functions(x):
    a, b = x
    return {"y": np.array([a * b - b, a / b, np.sqrt(b), np.sin(a), np.cos(a * b), np.tan(a), np.exp(-a), np.tanh(b), a**3])}


def complex_step(program, x, name="y"):
    columns = [program.evaluate(x + STEP * 1j * e)[0].imag / STEP for e in np.eye(len(x))]
    return np.stack(columns, axis=-1)


def test_jacobian_agrees_with_the_complex_step_for_every_smooth_function():
    p = record({"x": (2,)}, functions)
    x = np.array([0.4, 1.7])
    assert_allclose(p.jacobian("y", "x").evaluate(x)[0], complex_step(p, x), rtol=1e-14)


@pytest.mark.parametrize("seed", range(15))
def test_jacobian_of_random_expressions_agrees_with_central_differences(seed):
    rng = np.random.default_rng(seed)
    p = record({"x": (4,)}, random_expression(rng, length=40, smooth=True))
    x, h = rng.normal(size=4), 1e-6
    columns = [(p.evaluate(x + h * e)[0] - p.evaluate(x - h * e)[0]) / (2 * h) for e in np.eye(4)]
    exact = p.jacobian("y", "x").evaluate(x)[0]
    assert_allclose(exact, np.stack(columns, axis=-1), atol=1e-7 * max(1, abs(exact).max()))


def test_arctan2_turns_with_its_point():
    p = record({"x": (2,)}, lambda x: {"angle": np.arctan2(x[1], x[0])})
    x = np.array([-0.6, 0.8])  # on the unit circle, second quadrant: the gradient is the tangent
    assert_allclose(p.jacobian("angle", "x").evaluate(x)[0], [-0.8, -0.6], rtol=1e-15)


def test_decisions_differentiate_the_branch_that_is_taken():
    p = record(
        {"x": (2,)}, lambda x: {"y": np.array([abs(x[0]), minimum(*x), maximum(*x), select(x[0] < x[1], 3 * x[0], x[1])])}
    )
    J = p.jacobian("y", "x")
    assert_allclose(J.evaluate([-2.0, 5.0])[0], [[-1, 0], [1, 0], [0, 1], [3, 0]])
    assert_allclose(J.evaluate([2.0, 1.0])[0], [[1, 0], [0, 1], [1, 0], [0, 1]])


def test_sizes_of_complex_numbers_are_those_of_their_derivative():
    program = record({"x": (2,)}, lambda x: {"y": abs(x)})
    (y,) = program.evaluate(np.array([-2.0 + 1e-30j, 3.0 + 2e-30j]))
    assert y.tolist() == [2.0 - 1e-30j, 3.0 + 2e-30j]


def test_jacobian_has_the_shape_of_the_output_then_of_the_input():
    p = record({"A": (2, 3), "t": ()}, lambda A, t: {"Y": A.T * t, "s": t})
    J = p.jacobian("Y", "A")
    assert J.outputs[0].shape == (3, 2, 2, 3)
    assert J.inputs == p.inputs
    dY = J.evaluate(np.ones((2, 3)), 2.5)[0]
    assert dY[1, 0, 0, 1] == 2.5 and dY.sum() == 15
    assert p.jacobian("s", "t").outputs[0].shape == ()


def test_zero_derivatives_cost_nothing():
    p = record({"x": (3,)}, lambda x: {"y": np.array([np.sin(x[0]), 2 * x[1], 5.0])})
    assert p.jacobian("y", "x").operations == Operations(0, 0, 0, 1)


def test_tangent_is_the_jacobian_along_a_direction():
    p = record({"x": (2,), "c": ()}, lambda x, c: {"y": functions(x)["y"] * c})
    T = p.tangent("y", ["x"])
    assert [(i.name, i.shape) for i in T.inputs] == [("x", (2,)), ("c", ()), ("d_x", (2,))]
    x, d = np.array([0.4, 1.7]), np.array([-1.2, 0.3])
    assert_allclose(T.evaluate(x, 0.7, d)[0], p.jacobian("y", "x").evaluate(x, 0.7)[0] @ d, rtol=1e-14)
    everything = p.tangent("y")
    assert [i.name for i in everything.inputs][2:] == ["d_x", "d_c"]
    assert_allclose(everything.evaluate(x, 0.7, 0 * d, 1.0)[0], functions(x)["y"], rtol=1e-14)


def test_second_derivatives_are_symmetric():
    p = record({"x": (3,)}, lambda x: {"f": np.sin(x[0] * x[1]) / (2 + x[2]) + x[2] ** 2 * x[0]})
    hessian = p.jacobian("f", "x").jacobian("df_dx", "x").evaluate([0.3, -0.8, 1.1])[0]
    assert_allclose(hessian, hessian.T, rtol=1e-14)


def test_unknown_names_are_refused():
    p = record({"speed": (2,)}, lambda speed: {"y": speed})
    with pytest.raises(UnknownName, match="did you mean 'speed'"):
        p.jacobian("y", "sped")
    with pytest.raises(UnknownName):
        p.tangent("z")
