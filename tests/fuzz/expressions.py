"""Expressions of metrics: their values, and those of the same tree by NumPy, case by case."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np

from scmanip.study import Metric

from .trials import Disagreement

TIMES = np.array([0.0, 0.1, 0.3, 0.35, 0.8, 1.0, 1.7, 2.0])
CASES = 3
SERIES = [
    *("a", "b", "v[0]", "w[2]", "norm(v)", "sum(w)", "abs(a)", "a*b", "a - 2*b"),
    *("max(a, b)", "min(v[1], 0.5)", "sqrt(abs(a))"),
]
PIECES = [
    *("", "(", ")", "[0]", "[9]", ",", "**", "**99", "--", ".", "1e400", "_", "__class__"),
    *("nan", "\0", "é", "max(", "t_s", "lambda", " "),
]
Values = Callable[[dict[str, Any]], Any]


class Source:
    """Random series: numbers over time, and vectors over time."""

    def __init__(self) -> None:
        rng = np.random.default_rng(1)
        shapes = {"a": (), "b": (), "v": (3,), "w": (3,)}
        self.given = {name: rng.normal(size=(CASES, len(TIMES), *shape)) for name, shape in shapes.items()}
        self.times, self.names, self.pieces = TIMES, self.given.keys(), None

    def series(self, name: str) -> Any:
        """One of them."""
        return self.given[name]


def seeds() -> dict[str, str]:
    """None: the text of a trial is an expression, not a file."""
    return {"expression": "max(a)"}


def expression(rng: random.Random, depth: int = 4) -> tuple[str, Values]:
    """A random expression that comes to one number, and how that number is made."""
    if depth == 0:
        return _reduced(rng, "final", "a", lambda x: x[-1])
    kind = rng.randrange(6)
    if kind == 0:
        number = rng.choice([0, 1, 2.5, 1e-3, 1e3, 7])
        return repr(number), lambda given: float(number)
    if kind == 1:
        text, inner = expression(rng, depth - 1)
        return f"-({text})", lambda given: -inner(given)
    if kind in (2, 3):
        (one, a), (other, b) = expression(rng, depth - 1), expression(rng, depth - 1)
        mark, act = rng.choice([("+", np.add), ("-", np.subtract), ("*", np.multiply), ("/", np.divide)])
        return f"({one}) {mark} ({other})", lambda given: act(a(given), b(given))
    if kind == 4:
        text, inner = expression(rng, depth - 1)
        power = rng.choice([0, 1, 2, 3, -1, -2])
        return f"({text})**{power}", lambda given: np.power(np.float64(inner(given)), float(power))
    return _of_series(rng)


def _area(x: Any) -> Any:
    return np.sum(np.diff(TIMES) * (x[1:] + x[:-1]) / 2)


def _of_series(rng: random.Random) -> tuple[str, Values]:
    name = rng.choice(SERIES)
    function, act = rng.choice(
        [
            ("max", np.max),
            ("min", np.min),
            ("final", lambda x: x[-1]),
            ("initial", lambda x: x[0]),
            ("mean", lambda x: _area(x) / TIMES[-1]),
            ("rms", lambda x: np.sqrt(_area(x**2) / TIMES[-1])),
            ("integral", _area),
        ]
    )
    return _reduced(rng, function, name, act)


def _reduced(rng: random.Random, function: str, name: str, act: Callable[[Any], Any]) -> tuple[str, Values]:
    series: dict[str, Values] = {
        "a": lambda g: g["a"],
        "b": lambda g: g["b"],
        "v[0]": lambda g: g["v"][:, 0],
        "w[2]": lambda g: g["w"][:, 2],
        "norm(v)": lambda g: np.linalg.norm(g["v"], axis=1),
        "sum(w)": lambda g: g["w"].sum(axis=1),
        "abs(a)": lambda g: abs(g["a"]),
        "a*b": lambda g: g["a"] * g["b"],
        "a - 2*b": lambda g: g["a"] - 2 * g["b"],
        "max(a, b)": lambda g: np.maximum(g["a"], g["b"]),
        "min(v[1], 0.5)": lambda g: np.minimum(g["v"][:, 1], 0.5),
        "sqrt(abs(a))": lambda g: np.sqrt(abs(g["a"])),
    }
    return f"{function}({name})", lambda given: act(series[name](given))


def mutated(rng: random.Random, text: str) -> str:
    """An expression with a few characters others."""
    for _ in range(rng.choice([1, 1, 2, 5])):
        at = rng.randrange(len(text) + 1)
        new = rng.choice(PIECES)
        text = text[:at] + new + text[at + rng.randrange(3) :]
    return text if rng.random() < 0.95 else text * rng.choice([2, 50])


def check_values(text: str, values: Values | None) -> None:
    """Compare a metric with how it is made, where that is known; raises `Disagreement` and what a metric raises."""
    source = Source()
    with np.errstate(all="ignore"):
        ours = Metric("x_ratio", text).values(source)
        if ours.shape != (CASES,):
            raise Disagreement(f"{text!r}: one number per case was expected, there is {ours!r}")
        if values is None:
            return
        theirs = np.array(
            [values({name: series[case] for name, series in source.given.items()}) for case in range(CASES)], float
        )
    if not np.allclose(ours, theirs, rtol=1e-9, atol=1e-12, equal_nan=True):
        raise Disagreement(f"{text!r}: scmanip has {ours!r}, NumPy {theirs!r}")
