"""Programs as SymPy expressions, LaTeX and notebook cards."""

import numpy as np
import pytest
import sympy
from numpy.testing import assert_allclose

from scmanip.errors import InvalidInput
from scmanip.symbolic import Graph, minimum, record, select

from .expressions import random_expression

HOSTILE = "q'\"\n$^{}<b>__import__('os').system('false')"


def planar_arm(q):
    x = 3 * np.cos(q[0]) + 2 * np.cos(q[0] + q[1])
    y = 3 * np.sin(q[0]) + 2 * np.sin(q[0] + q[1])
    return {"p": np.array([x, y]), "J": np.array([[-y, -2 * np.sin(q[0] + q[1])], [x, 2 * np.cos(q[0] + q[1])]])}


def test_the_list_of_zs_has_one_entry_per_operation_in_earlier_symbols_only():
    p = record({"q": (2,)}, planar_arm)
    form = p.sympy("J")
    assert len(form.z) == p.operations_of("J").total
    known = {sympy.Symbol("q_1", real=True), sympy.Symbol("q_2", real=True)}
    for symbol, expression in form.z:
        assert expression.free_symbols <= known
        known.add(symbol)
    assert form.matrix.shape == (2, 2)
    assert form.matrix.free_symbols <= known


def test_zs_put_back_one_by_one_give_the_expanded_matrix():
    form = record({"q": (2,)}, planar_arm).sympy("J")
    matrix = form.matrix
    for symbol, expression in reversed(form.z):
        matrix = matrix.subs(symbol, expression)
    assert sympy.simplify(matrix - form.expanded()) == sympy.zeros(2, 2)


def test_expanded_is_what_the_function_gives_on_symbols():
    q = sympy.symbols("q_1:3", real=True)
    direct = sympy.Matrix([3 * sympy.cos(q[0]) + 2 * sympy.cos(q[0] + q[1]), 3 * sympy.sin(q[0]) + 2 * sympy.sin(q[0] + q[1])])
    p = record({"q": (2,)}, planar_arm)
    assert sympy.simplify(p.sympy().expanded() - direct) == sympy.zeros(2, 1)
    assert sympy.simplify(p.sympy().simplified() - direct) == sympy.zeros(2, 1)


@pytest.mark.battery(3)
@pytest.mark.parametrize("seed", range(6))
def test_expanded_evaluates_as_the_program_does(seed):
    rng = np.random.default_rng(seed)
    p = record({"x": (3,)}, random_expression(rng, length=12))
    x = rng.normal(size=3)
    symbols = sympy.symbols("x_1:4", real=True)
    value = sympy.lambdify(symbols, p.sympy().expanded())(*x)
    assert_allclose(np.array(value, dtype=float)[:, 0], p.evaluate(x)[0], rtol=1e-12, atol=1e-12)


def test_decisions_are_shown_as_pieces_and_extremes():
    form = record({"a": (), "b": ()}, lambda a, b: {"y": select(a < b, a, minimum(2 * a, b))}).sympy()
    a, b = sympy.symbols("a b", real=True)
    assert form.expanded().subs({a: 1, b: 3}) == 1
    assert form.expanded().subs({a: 3, b: 1}) == 1


def test_numbers_are_shown_exactly():
    form = record({"x": ()}, lambda x: {"y": np.array([x * 0.375 + 0.1, 0.0])}).sympy()
    numbers = form.expanded().atoms(sympy.Number)
    assert sympy.Rational(3, 8) in numbers
    assert any(float(n) == 0.1 for n in numbers)
    assert form.matrix[1] is sympy.S.Zero


def test_arrays_take_their_shape():
    p = record({"x": (2,)}, lambda x: {"s": x[0], "T": np.multiply.outer(np.multiply.outer(x, x), x)})
    assert p.sympy("s").matrix == sympy.Symbol("x_1", real=True)
    assert p.sympy("T").matrix.shape == (2, 2, 2)


def test_users_may_name_the_symbols():
    own = sympy.symbols("theta_1 theta_2")
    p = record({"q": (2,)}, planar_arm)
    assert p.sympy("p", {"q": own}).expanded().free_symbols == set(own)
    assert r"\theta_{1}" in p.latex("p", {"q": ["theta_1", "theta_2"]})
    with pytest.raises(InvalidInput, match="2 names"):
        p.sympy("p", {"q": ["a"]})


def test_an_input_called_z1_is_not_taken_for_the_first_z():
    form = record({"z1": ()}, lambda z1: {"y": np.sin(z1) * z1}).sympy()
    assert str(form.z[0][0]) == "zz1"


def test_hostile_names_stay_data():
    p = record({HOSTILE: (1,)}, lambda **a: {HOSTILE: np.sin(a[HOSTILE]) * a[HOSTILE]})
    assert str(next(iter(p.sympy().expanded().free_symbols))) == HOSTILE + "_1"
    assert "<b>_" not in p._repr_html_() and "&lt;b&gt;_" in p._repr_html_()
    assert not set("$^'<>\"") & set(p.latex())
    assert r"\mathtt{J\_star:tip} = " in record({"x": ()}, lambda x: {"J_star:tip": x}).latex()


def test_latex_lists_the_zs_and_then_the_array():
    text = record({"q": (2,)}, planar_arm).latex("p")
    assert text.startswith(r"\begin{aligned}")
    assert "z_{1} &= " in text
    assert r"\mathtt{p} = \left[\begin{matrix}" in text
    assert record({"q": (2,)}, planar_arm).sympy("p")._repr_latex_().startswith("$$")


def test_the_card_counts_each_output_and_all_together():
    p = record({"q": (2,)}, planar_arm)
    card = p._repr_html_()
    assert ">p<" in card and ">J<" in card and ">together<" in card
    assert f">{p.operations.total}<" in card


def test_repr_tells_the_story_in_one_line():
    p = record({"q": (2,)}, planar_arm)
    assert repr(p) == f"Program(q -> p, J; {p.operations})"
    assert repr(Graph()) == "Graph(nodes=0)"


def test_large_programs_are_not_written_out():
    def function(x):
        for _ in range(20):
            x = x * np.sin(x)
        return {"y": x}

    with pytest.raises(InvalidInput, match=r"\.z and \.matrix"):
        record({"x": ()}, function).sympy().expanded()
