"""Metrics mean what arithmetic says, case by case; whatever is not arithmetic is refused where it stands."""

import math
import random
import re
import time

import numpy as np
import pytest

from scmanip.errors import InvalidInput
from scmanip.study import FUNCTIONS, Metric

TIMES = np.array([0.0, 0.1, 0.3, 0.35, 0.8, 1.0, 1.7, 2.0])
CASES = 6


class Series:
    """Some random series: `a` to `c` single, `v` and `w` with three components, and ones with units."""

    def __init__(self, cases=slice(None), times=TIMES):
        rng = np.random.default_rng(1)
        single = {name: rng.normal(size=(CASES, len(times))) for name in ("a", "b", "c", "angle_rad", "rate_rad_s")}
        several = {name: rng.normal(size=(CASES, len(times), 3)) for name in ("v", "w", "torque_Nm", "error_m")}
        tables = {"table": rng.normal(size=(CASES, len(times), 2, 4)), "clock": np.tile(times, (CASES, 1))}
        self.given = {name: values[cases] for name, values in {**single, **several, **tables}.items()}
        self.times, self.names, self.pieces = times, self.given.keys(), None

    def series(self, name):
        return self.given[name]


def values(expression, name="x_ratio", source=None):
    return Metric(name, expression).values(source or Series())


def alone(expression):
    """The values by Python's own arithmetic, case by case."""
    t = TIMES

    def area(x):
        return sum((t[k + 1] - t[k]) * (x[k] + x[k + 1]) / 2 for k in range(len(t) - 1))

    def largest(*x):
        return np.max(x[0]) if len(x) == 1 else np.maximum.reduce(np.broadcast_arrays(*x))

    def smallest(*x):
        return np.min(x[0]) if len(x) == 1 else np.minimum.reduce(np.broadcast_arrays(*x))

    functions = {
        "max": largest,
        "min": smallest,
        "final": lambda x: x[-1],
        "initial": lambda x: x[0],
        "mean": lambda x: area(x) / 2.0,
        "rms": lambda x: np.sqrt(area(x**2) / 2.0),
        "integral": area,
        "at": lambda x, s: np.interp(s, t, x),
        "abs": np.abs,
        "sqrt": np.sqrt,
        "sin": np.sin,
        "cos": np.cos,
        "degrees": np.degrees,
        "radians": np.radians,
    }
    rows = []
    for case in range(CASES):
        series = {name: given[case] for name, given in Series().given.items()}
        with np.errstate(all="ignore"):
            rows.append(eval(expression, {"__builtins__": {}}, {**functions, **series}))
    return np.array(rows)


def along_time(rng, depth):
    if depth == 0:
        return rng.choice(["a", "b", "c", "clock"])
    part = lambda: along_time(rng, depth - 1)  # noqa: E731
    number = rng.choice(["2", "0.5", "1e-1", ".25", "3.", "2.5E+0"])
    return rng.choice(
        [
            f"{part()} {rng.choice('+-*/')} {part()}",
            f"{rng.choice('+-')}{part()}",
            f"({part()})",
            f"{number} {rng.choice('+-*/')} ({part()})",
            f"({part()}) ** {rng.choice(['2', '-1', '3', '2 ** 2', '-2 ** 2'])}",
            f"{rng.choice(['abs', 'sin', 'cos'])}({part()})",
            f"{rng.choice(['max', 'min'])}({part()}, {number})",
            f"{per_case(rng, depth - 1)} * ({part()})",
        ]
    )


def per_case(rng, depth):
    x = along_time(rng, depth)
    return rng.choice(
        [f"{name}({x})" for name in ("max", "min", "final", "initial", "mean", "rms", "integral")] + [f"at({x}, 0.47)"]
    )


@pytest.mark.battery(2)
@pytest.mark.parametrize("seed", range(300))
def test_random_expressions_mean_what_python_says(seed):
    rng = random.Random(seed)
    expression = f"{per_case(rng, 3)} {rng.choice('+-*')} {per_case(rng, 2)}"
    with np.errstate(all="ignore"):
        expected = alone(expression)
    assert np.allclose(values(expression), expected, rtol=1e-9, atol=1e-12, equal_nan=True), expression


@pytest.mark.parametrize(
    ("expression", "of_case"),
    [
        ("max(v)", lambda v, w, t: max(map(max, v))),
        ("max(abs(v))", lambda v, w, t: max(abs(number) for row in v for number in row)),
        ("max(norm(v))", lambda v, w, t: max(math.hypot(*row) for row in v)),
        ("norm(final(v))", lambda v, w, t: math.hypot(*v[-1])),
        ("norm(final(v) - initial(w))", lambda v, w, t: math.dist(v[-1], w[0])),
        ("min(v[1] * w[2])", lambda v, w, t: min(a[1] * b[2] for a, b in zip(v, w, strict=True))),
        ("final(sum(v * w))", lambda v, w, t: sum(a * b for a, b in zip(v[-1], w[-1], strict=True))),
        ("sum(integral(abs(v)))", lambda v, w, t: sum(np.trapezoid(np.abs(np.array(v)[:, k]), t) for k in range(3))),
        ("max(integral(v))", lambda v, w, t: max(np.trapezoid(np.array(v)[:, k], t) for k in range(3))),
        ("max(t_s * v[0])", lambda v, w, t: max(s * row[0] for s, row in zip(t, v, strict=True))),
        ("final(v)[2]", lambda v, w, t: v[-1][2]),
        ("max(v - final(v))", lambda v, w, t: max(a - b for row in v for a, b in zip(row, v[-1], strict=True))),
        ("at(norm(v), 0.35)", lambda v, w, t: math.hypot(*v[3])),
    ],
)
def test_functions_of_several_components(expression, of_case):
    series = Series()
    expected = [of_case(series.given["v"][i].tolist(), series.given["w"][i].tolist(), TIMES.tolist()) for i in range(CASES)]
    assert np.allclose(values(expression), expected, rtol=1e-13, atol=0)


def test_components_of_a_table_are_reached_one_by_one():
    assert (values("final(table[1][3])") == Series().given["table"][:, -1, 1, 3]).all()
    assert np.allclose(values("final(norm(table))"), np.linalg.norm(Series().given["table"][:, -1], axis=(1, 2)))


@pytest.mark.parametrize("count", [8, 400, 5000])
def test_a_case_has_the_same_bits_in_any_company(count):
    times = np.linspace(0, 3, count)
    texts = [
        "rms(a) + max(sin(b)**3)",
        "integral(a * b / (2 + cos(c)))",
        "sum(rms(v))",
        "max(norm(v))",
        "mean(sqrt(abs(a)) ** 0.3)",
        "final(table[0][2]) + at(a, 1.234)",
    ]
    for text in texts:
        together = values(text, source=Series(times=times))
        for part in (slice(0, 1), slice(3, 4), slice(2, 5), slice(5, None)):
            assert (values(text, source=Series(part, times)) == together[part]).all()


def test_undefined_numbers_are_not_finite_and_make_no_noise():
    assert np.isnan(values("final(sqrt(0 - abs(a)))")).all()
    assert np.isinf(values("1 / final(a - a)")).all()
    source = Series()
    source.given["a"][2, 3] = np.nan
    for name in ("max", "min", "mean", "rms", "integral"):
        assert np.isnan(values(f"{name}(a)", source=source)).tolist() == [False, False, True, False, False, False]


HOSTILE = [
    ("__import__('os').system('ls')", 1),
    ("().__class__.__bases__[0]", 4),
    ("max(a).__class__", 8),
    ("a.real", 1),
    ("lambda x: x", 9),
    ("max(lambda: a)", 11),
    ("[x for x in a]", 1),
    ("max(x for x in a)", 4),
    ("(y := a)", 4),
    ("max(a) if 1 else 0", 1),
    ("not a", 1),
    ("a and b", 1),
    ("max('a')", 5),
    ('max("a")', 5),
    ("f'{a}'", 2),
    ("b'a'", 2),
    ("a == b", 3),
    ("a < b", 3),
    ("a % 2", 3),
    ("a // 2", 3),
    ("a @ b", 3),
    ("a ^ 2", 3),
    ("a | b", 3),
    ("~a", 1),
    ("{a: 1}", 1),
    ("a; b", 2),
    ("max(a, key=b)", 11),
    ("max(*a)", 5),
    ("max(**a)", 1),
    ("a[0:1]", 4),
    ("v[-1]", 2),
    ("v[a]", 2),
    ("v[1.0]", 2),
    ("v[0, 1]", 2),
    ("v[1e3]", 2),
    ("exec(a)", 1),
    ("eval(a)", 1),
    ("open(a)", 1),
    ("globals()", 1),
    ("getattr(a, b)", 1),
    ("_a", 1),
    ("a__b", 1),
    ("max(a", 1),
    ("max a", 1),
    ("max", 1),
    ("a b", 1),
    ("a +", 4),
    ("* a", 1),
    ("()", 1),
    ("", 1),
    ("a ** b", 6),
    ("a ** 17", 6),
    ("10 ** 10 ** 10 * final(a)", 7),
    ("9 ** 9 ** 9 ** 9", 11),
    ("1e999 * max(a)", 1),
    ("1 / 0 * max(a)", 1),
    ("(0 - 1) ** 0.5 * max(a)", 2),
    ("0x10 * max(a)", 1),
    ("1_000 * max(a)", 1),
    ("2a", 1),
    ("1..real", 1),
    ("1j * max(a)", 1),
    ("max(a)\n\x00", 8),
    ("máx(a)", 2),
    ("max(а)", 5),
    ("max(3, 4)", 1),
    ("at(a, b)", 7),
    ("at(a)", 1),
    ("final(a, b)", 1),
    ("max()", 1),
]


@pytest.mark.parametrize(("text", "character"), HOSTILE)
def test_what_is_no_arithmetic_is_refused_where_it_stands(text, character):
    with pytest.raises(InvalidInput) as caught:
        Metric("x_ratio", text)
    (problem,) = caught.value.problems
    assert problem.key == "x_ratio"
    assert f"at character {character} of " in problem.found, problem.found


@pytest.mark.parametrize(
    "text",
    [
        "(" * 400 + "a" + ")" * 400,
        "-" * 900 + "a",
        "max(" * 200 + "a" + ")" * 200,
        "a" + "+a" * 400,
        "a" + "[0]" * 300,
        "a" + "**2" * 300,
        "a" * 2000,
    ],
)
def test_depth_and_length_are_bounded(text):
    started = time.perf_counter()
    with pytest.raises(InvalidInput, match=r"at most (60 operations|1000 characters)"):
        Metric("x_ratio", text)
    assert time.perf_counter() - started < 1


@pytest.mark.parametrize("seed", range(40))
def test_random_texts_are_metrics_or_refused(seed):
    rng = random.Random(seed)
    words = [
        "a",
        "v",
        "max",
        "norm",
        "final",
        "at",
        "(",
        ")",
        "[",
        "]",
        "0",
        "1.5",
        "+",
        "-",
        "*",
        "/",
        "**",
        ",",
        ".",
        "__",
        "'",
        "x",
        " ",
        "1e308",
        "if",
    ]
    for _ in range(200):
        text = "".join(rng.choices(words, k=rng.randint(1, 12)))
        try:
            assert values(text).shape == (CASES,)
        except InvalidInput as error:
            assert str(error)


@pytest.mark.parametrize(
    ("expression", "says"),
    [
        ("a", "one number per case, found one number at each time; end with final(...)"),
        ("v", "one number per case, found 3 components at each time; end with final(...)"),
        ("final(v)", "one number per case, found 3 components per case; choose by [0] or join by norm(...)"),
        ("integral(table)", "one number per case, found 2 by 4 components per case"),
        ("final(max(a))", "a series along time, found one number per case"),
        ("max(max(a))", "a series along time, or several components, found one number per case"),
        ("sum(a)", "several components, found one number at each time; over time go integral"),
        ("max(a[0])", "components up to [0], found one number at each time"),
        ("max(v[3])", "components up to [3], found 3 components at each time"),
        ("max(v + table)", "as many components as 2 by 4 components at each time, found 3 components"),
        ("at(a, 2.5)", "a time from 0 to 2 s, found 2.5 s"),
        ("max(torqe_Nm)", "a series, found 'torqe_Nm' at character 5 of 'max(torqe_Nm)'; did you mean 'torque_Nm'?"),
        ("max(zzz)", "there are a, angle_rad, b, c"),
    ],
)
def test_a_metric_that_is_no_number_says_what_is_left(expression, says):
    name = "x_Nm" if "_Nm" in expression else "x_ratio"
    with pytest.raises(InvalidInput, match=re.escape(says)):
        values(expression, name)


def test_a_metric_is_checked_before_any_case_is_run():
    shapes = {"torque_Nm": (3,), "angle_rad": ()}
    Metric("x_Nm", "max(norm(torque_Nm))").check(shapes)
    Metric("x_Nm", "at(norm(torque_Nm), 50)").check(shapes, t_end_s=60)
    with pytest.raises(InvalidInput, match="3 components"):
        Metric("x_Nm", "final(torque_Nm)").check(shapes)
    with pytest.raises(InvalidInput, match="a time from 0 to 60 s"):
        Metric("x_Nm", "at(norm(torque_Nm), 70)").check(shapes, t_end_s=60)


@pytest.mark.parametrize(
    ("name", "expression", "says"),
    [
        ("x_deg", "max(angle_rad)", "an expression in deg, found one in rad; write degrees(...)"),
        ("x_rad", "max(degrees(angle_rad))", "an expression in rad, found one in deg; write radians(...)"),
        ("x_deg", "max(degrees(torque_Nm))", "an angle in rad in degrees(...), found one in Nm at character 5"),
        ("x_deg", "final(degrees(degrees(angle_rad)))", "an angle in rad in degrees(...), found one in deg"),
        ("x_rad", "final(angle_rad + rate_rad_s)", "two quantities of one unit, found rad and rad_s at character 17"),
        ("x_m", "max(norm(error_m), max(angle_rad))", "two quantities of one unit, found m and rad"),
        ("x_Nm", "norm(integral(torque_Nm))", "an expression in Nm, found one in Nms"),
        ("x_rad_s", "final(radians(angle_rad))", "an angle in deg in radians(...), found one in rad"),
        ("x_m", "final(norm(error_m)) / max(norm(error_m))", "an expression in m, found one in 1"),
        ("x", "max(a)", "a name that ends in its unit, found 'x'; such as x_deg"),
        ("x_furlong", "max(a)", "a name that ends in its unit"),
        ("x y_m", "max(a)", "a name of letters, digits and _"),
        ("x_ratio", "3 * 4", "an expression with a series"),
        ("x_s", "max(t_s)", "an expression with a series"),
    ],
)
def test_mistakes_of_units_are_refused(name, expression, says):
    with pytest.raises(InvalidInput, match=re.escape(says)):
        Metric(name, expression)


@pytest.mark.parametrize(
    ("name", "expression"),
    [
        ("x_deg", "max(degrees(angle_rad))"),
        ("x_deg_s", "max(abs(degrees(rate_rad_s)))"),
        ("x_rad", "integral(rate_rad_s)"),
        ("x_mm", "1e3 * final(norm(error_m))"),
        ("x_Nms", "norm(integral(torque_Nm))"),
        ("x_W", "max(abs(sum(torque_Nm * rate_rad_s)))"),
        ("x_ratio", "final(norm(error_m)) / max(norm(error_m))"),
        ("x_rad", "max(abs(angle_rad)) - 0.1"),
        ("x_s", "final(t_s) + 0 * final(a)"),
    ],
)
def test_units_that_fit_or_that_products_hide_are_taken(name, expression):
    assert np.isfinite(values(expression, name)).all()


def test_every_function_is_in_the_table_of_this_test():
    tried = {
        "max",
        "min",
        "final",
        "initial",
        "at",
        "mean",
        "rms",
        "integral",
        "norm",
        "sum",
        "abs",
        "sqrt",
        "sin",
        "cos",
        "degrees",
        "radians",
    }
    assert set(FUNCTIONS) == tried
    for name in ("sqrt", "degrees", "radians"):
        assert np.allclose(values(f"final({name}(a ** 2))"), alone(f"final({name}(a ** 2))"))


def test_a_minus_turns_the_sign_of_a_zero_as_of_any_number():
    with np.errstate(divide="ignore"):
        assert np.all(values("1 / -(final(a) - final(a))") == -np.inf)
        assert np.all(values("1 / -(-(final(a) - final(a)))") == np.inf)
