"""Programs as formulas that a person reads, and as functions of NumPy arrays."""

import numpy as np
import pytest
import sympy
from numpy.testing import assert_allclose

from scmanip.errors import InvalidInput
from scmanip.symbolic import AngleSums, Letter, Notation, closed_form, maximum, minimum, record, select

from .expressions import random_expression

HOSTILE = "q'\"\n$^{}<b>__import__('os').system('false')"


def form_of(program, **notation):
    return closed_form(program, program.outputs, Notation(**notation))


def carts(m, l, q):
    """A free base, no gravity: H = A - L L' / S with A, L, S of masses and a length."""
    S = m[0] + m[1] + 2 * m[1] * l * np.cos(q[0])
    L = np.array([m[1] * l * (l + np.cos(q[0])), m[1] * l * (np.cos(q[1]) + np.cos(q[0] + q[1]))])
    return {"H": np.outer(L, L / S) + np.array([[m[1] * l * l, 0], [0, m[0]]]), "S": S}


@pytest.fixture(scope="module")
def program():
    return record({"m": (2,), "l": (), "q": (2,)}, carts)


def test_what_is_divided_and_what_divides_get_names(program):
    form = closed_form(program, [program.output("H")], Notation(constants=frozenset({"m", "l"}), known={"S_1": ("S", 0)}))
    p_1, p_2, S_1, l, m_2 = sympy.symbols("p_1 p_2 S_1 l m_2", real=True)
    assert {s for s, _ in form.parts} == {S_1, p_1, p_2}
    assert form.matrix[0, 1] == p_1 * p_2 / S_1
    assert (form.matrix[0, 0] - p_1**2 / S_1).subs(form.legend) == l**2 * m_2
    assert len(form.lines) == 6 and "H_12 = H_21" in str(form)


def test_a_closed_form_evaluates_as_the_program_does(program):
    rng = np.random.default_rng(1)
    arrays = [rng.uniform(1, 2, i.shape) for i in program.inputs]
    cases = [rng.uniform(1, 2, (7, *i.shape)) for i in program.inputs]
    function = form_of(program, constants=frozenset({"m", "l"})).function()
    for given in (arrays, cases):
        for found, wanted in zip(function(*given), program.evaluate(*given), strict=True):
            assert_allclose(found, wanted, rtol=1e-14)
    written = form_of(program, constants=frozenset({"m", "l"})).written_out()
    values = dict(zip(Notation().symbols(program), np.concatenate([np.ravel(a) for a in arrays]), strict=True))
    assert_allclose(np.array(written.subs(values), dtype=float), program.evaluate(*arrays)[0], rtol=1e-13)


@pytest.mark.battery(3)
@pytest.mark.parametrize("seed", range(20))
def test_closed_forms_of_random_programs_evaluate_as_they_do(seed):
    rng = np.random.default_rng(seed)
    p = record({"x": (3,), "k": (2,)}, lambda x, k: random_expression(rng, length=10)(np.concatenate([x, k])))
    x, k = rng.normal(size=3), rng.normal(size=2)
    found = form_of(p, constants=frozenset({"k"})).function()(x, k)
    assert_allclose(found, p.evaluate(x, k)[0], rtol=1e-12, atol=1e-12)


def test_equal_functions_of_angles_have_equal_forms():
    def zero(q):
        a, b = q
        return {"y": np.sin(a) ** 2 + np.cos(a) ** 2 - 1 + np.sin(a) * np.cos(b) + np.cos(a) * np.sin(b) - np.sin(a + b)}

    assert form_of(record({"q": (2,)}, zero)).matrix == 0


def test_a_part_is_not_told_by_another_that_has_it_by_rounding_alone():
    def function(x):
        q = (1 + x[0]) / (x[1] + x[2])
        a, b = x[0] + 1e-17 * q, x[2] + q
        return {"y": np.array([(a + x[1]) * (x[0] + x[1]), (b + x[1]) * (x[0] + x[1])]) * q}

    p, x = record({"x": (3,)}, function), np.array([0.3, 0.7, 1.1])
    assert_allclose(form_of(p).function()(x), p.evaluate(x)[0], rtol=1e-13)


def test_angles_of_different_groups_are_multiplied_as_they_stand():
    p = record({"q": (2,)}, lambda q: {"y": np.sin(q[0]) * np.cos(q[1])})
    q_1, q_2 = sympy.symbols("q_1 q_2", real=True)
    c_2, s_1 = sympy.symbols("c_2 s_1", real=True)
    assert form_of(p).matrix == s_1 * c_2
    added = form_of(p, groups={"q": [(0, 1)]})
    assert added.matrix == sympy.Symbol("s_12", real=True) / 2 + sympy.sin(q_1 - q_2) / 2


def test_sums_of_angles_of_different_groups_are_taken_apart():
    p = record({"q": (2,)}, lambda q: {"y": np.sin(q[0] + 2 * q[1] + 0.5)})
    form = form_of(p, groups={"q": [(0,), (1,)]})
    assert_allclose(form.function()(np.array([0.3, 0.4])), np.sin(1.6), rtol=1e-14)
    assert not any(len(e.free_symbols) > 1 for _, e in form.angles)


def test_longer_coefficients_are_told_by_shorter_ones():
    p = record({"k": (4,), "x": ()}, lambda k, x: {"y": np.array([k[0] * k[1] * x + x, (k[0] * k[1] + 1 + k[2] * k[3]) * x])})
    form = form_of(p, constants=frozenset({"k"}))
    (h_1, first), (_, second) = form.legend
    assert h_1 in second.free_symbols and h_1 not in first.free_symbols
    assert str(form.matrix.T) == "Matrix([[h_1*x, h_2*x]])"


def test_a_coefficient_that_is_taken_away_is_told_with_its_sign():
    p = record(
        {"k": (5,), "x": ()}, lambda k, x: {"y": np.array([1.0, -1.0]) * (k[0] * k[1] + k[2] * k[3]) * x + [0, k[4] * x]}
    )
    form, k = form_of(p, constants=frozenset({"k"})), np.arange(2.0, 7.0)
    (h_1, _), (_, second) = form.legend
    assert second == sympy.Symbol("k_5", real=True) - h_1
    assert_allclose(form.function()(k, 1.5), p.evaluate(k, 1.5)[0], rtol=1e-15)


def test_powers_are_divided_by_as_powers():
    p = record({"x": (), "y": ()}, lambda x, y: {"z": np.array([y / (x * x), y / (x * x * np.cos(y))])})
    assert_allclose(form_of(p).function()(3.0, 2.0), p.evaluate(3.0, 2.0)[0], rtol=1e-15)


def test_masses_over_the_whole_mass_are_multiplied_out():
    p = record({"m": (2,), "x": ()}, lambda m, x: {"y": (1 - m[1] / (m[0] + m[1])) * x})
    ((name, whole), (_, share)) = form_of(p, constants=frozenset({"m"})).legend
    m_1, m_2 = sympy.symbols("m_1 m_2", real=True)
    assert whole == m_1 + m_2 and share == m_1 / name


def test_what_rounding_leaves_is_left_out():
    p = record({"x": ()}, lambda x: {"y": (0.1 * x + 0.2) * (x + 1) - 0.1 * x * x - 0.3 * x - 0.2})
    assert form_of(p).matrix == 0


def test_formulas_that_are_too_long_are_refused_with_what_to_do():
    p = record({"q": (12,)}, lambda q: {"y": np.prod([1 + np.sin(x) * np.cos(x) + x for x in q])})
    with pytest.raises(InvalidInput, match=r"read \.z and \.matrix"):
        p.sympy().expanded(simplify=AngleSums())
    with pytest.raises(InvalidInput, match=r"simplify.*AngleSums"):
        p.sympy().expanded(simplify=True)
    inverse = record({"x": (), "y": ()}, lambda x, y: {"z": 1 / ((x + y) * (x - y) - x * x + y * y)})
    with pytest.raises(InvalidInput, match="denominators"):
        inverse.sympy().expanded(simplify=AngleSums())


def test_programs_that_are_long_only_because_parts_occur_often_are_written_out():
    def chain(q):
        w = np.sin(q[0]) + q[1]
        for _ in range(12):
            w = w * q[1] - w * np.sin(q[0]) + w
        return {"y": w / (1 + q[1])}

    p = record({"q": (2,)}, chain)
    q_1, q_2 = sympy.symbols("q_1 q_2", real=True)
    written = p.sympy().expanded()
    assert_allclose(float(written.subs({q_1: 0.3, q_2: 0.7})), p.evaluate(np.array([0.3, 0.7]))[0], rtol=1e-12)


def test_papers_letters_and_places_stand_in_latex(program):
    letters = {"H": Letter(r"\mathbf{H}", "[Wilde2018] eq. 45")}
    form = form_of(program, constants=frozenset({"m", "l"}), letters=letters, paths={"m_1": "body.cart$.mass_kg"})
    assert r"\mathbf{H}_{12} = \mathbf{H}_{21} &= " in form.latex()
    assert form.latex().count("[Wilde2018] eq. 45") == 1
    assert r"m_{1} &:\; \mathtt{body.cart[24].mass\_kg}" in form.latex()
    assert form._repr_latex_().startswith("$$") and "m_1: body.cart$.mass_kg" in str(form)
    assert repr(form).startswith("ClosedForm(H, S: 6 lines, 3")


def test_functions_of_programs_take_one_case_or_many():
    def decide(x, y):
        return {"y": np.array([select(x[0] < y, minimum(x[1], 2.0), maximum(x[1], y) - 1), x[0] / y, 3.0])}

    p = record({"x": (2,), "y": ()}, decide)
    function, rng = p.sympy().function(), np.random.default_rng(2)
    x, y = rng.normal(size=(9, 2)), rng.normal(size=9)
    assert_allclose(function(x, y), p.evaluate(x, y)[0], rtol=1e-15)
    assert_allclose(function(x[0], y[0]), p.evaluate(x[0], y[0])[0], rtol=1e-15)
    assert repr(function) == "NumpyFunction(x (2,), y () -> (3,))"
    with pytest.raises(InvalidInput, match=r"x \(2,\), y \(\)"):
        function(x[0], y)


def test_no_name_reaches_the_text_of_a_function():
    p = record({HOSTILE: (2,), "z1": (), "x0": ()}, lambda **a: {HOSTILE: np.sin(a[HOSTILE]) * a["z1"] + a["x0"]})
    for function in (p.sympy().function(), form_of(p).function()):
        assert_allclose(function(np.array([1.0, 2.0]), 3.0, 4.0), np.sin([1.0, 2.0]) * 3 + 4, rtol=1e-15)
        assert "import" not in function.source and "'" not in function.source
    with pytest.raises(InvalidInput, match="names that differ"):
        form_of(p, names={"z1": ["a"], "x0": ["a"]}).function()
