"""Largest values, means and integrals of metrics are those of the series, not of its samples, and say how sure they are."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from scmanip.study import Grid, Metric

CORNER, END, CASES = 3.37, 12.0, 12


class Smooth:
    """Sines that jump in value and slope at a corner; the samples are about `step` apart, the corner is there twice."""

    def __init__(self, step: float, cases: slice = slice(None)) -> None:
        before, after = (np.linspace(a, b, max(7, round((b - a) / step)) + 1) for a, b in ((0.0, CORNER), (CORNER, END)))
        self.times = np.concatenate([before, after])
        self.pieces = np.repeat([0, 1], [len(before), len(after)])
        self.names = ("x_m", "v_m")
        self._cases = range(CASES)[cases]

    def series(self, name: str) -> np.ndarray:
        one = np.array([x(case, self.times, self.pieces == 1) for case in self._cases])
        return one if name == "x_m" else np.stack([one, np.cos(one), -one], axis=-1)


def x(case: int, t: np.ndarray | float, after: np.ndarray | bool) -> np.ndarray:
    phase = 0.6 * case
    return np.asarray(np.sin(t + phase) + 0.2 * np.cos(1.7 * t) + np.where(after, 0.3 * np.sin(2 * t + phase) - 0.4, 0.0))


def peak(function: object, case: int) -> float:
    """The largest value by a search around the best of many places in each piece."""
    best = -np.inf
    for a, b, after in ((0.0, CORNER, False), (CORNER, END, True)):
        t = np.linspace(a, b, 4001)
        values = function(x(case, t, after))  # type: ignore[operator]
        k = int(np.argmax(values))
        low, high = t[max(k - 1, 0)], t[min(k + 1, 4000)]
        found = minimize_scalar(
            lambda s, after=after: -float(function(x(case, s, after))),
            bounds=(low, high),
            method="bounded",
            options={"xatol": 1e-12},  # type: ignore[operator]
        )
        best = max(best, float(values[k]), -found.fun)
    return best


def area(function: object, case: int) -> float:
    total = 0.0
    for a, b, after in ((0.0, CORNER, False), (CORNER, END, True)):
        t = np.linspace(a, b, 100_001)
        total += float(np.trapezoid(function(x(case, t, after)), t))  # type: ignore[operator]
    return total


@cache
def mean(case: int) -> float:
    return area(lambda v: v, case) / END


TRUE = {
    "max(x_m)": lambda case: peak(lambda v: v, case),
    "min(x_m)": lambda case: -peak(lambda v: -v, case),
    "max(abs(x_m))": lambda case: peak(np.abs, case),
    "max(norm(v_m))": lambda case: peak(lambda v: np.sqrt(2 * v**2 + np.cos(v) ** 2), case),
    "max(v_m)": lambda case: peak(lambda v: np.maximum(np.abs(v), np.cos(v)), case),
    "max(x_m - final(x_m))": lambda case: peak(lambda v: v, case) - float(x(case, END, True)),
    "max(abs(x_m - mean(x_m)))": lambda case: peak(lambda v: np.abs(v - mean(case)), case),
    "mean(x_m)": mean,
    "rms(x_m)": lambda case: np.sqrt(area(np.square, case) / END),
    "mean(abs(x_m))": lambda case: area(np.abs, case) / END,
    "sum(mean(max(v_m, 0.3)))": lambda case: (
        area(lambda v: np.maximum(v, 0.3) + np.maximum(np.cos(v), 0.3) + np.maximum(-v, 0.3), case) / END
    ),
    "at(x_m, 7.77)": lambda case: float(x(case, 7.77, True)),
    "final(x_m) - initial(x_m)": lambda case: float(x(case, END, True) - x(case, 0.0, False)),
    "max(at(v_m, 1.0))": lambda case: max(abs(float(x(case, 1.0, False))), np.cos(float(x(case, 1.0, False)))),
}


@pytest.mark.parametrize("expression", TRUE)
@pytest.mark.parametrize(("step", "close"), [(0.1, 1e-5), (0.3, 3e-4), (0.6, 5e-3)])
def test_metrics_are_those_of_the_series_between_its_samples(expression: str, step: float, close: float) -> None:
    source = Smooth(step)
    found = Metric("x_m", expression).estimated(source, Grid(source.times, source.pieces))
    cases = range(0, CASES, 3)
    true = np.array([TRUE[expression](case) for case in cases])
    assert np.abs(found.values[::3] - true).max() < close
    assert (np.abs(found.values[::3] - true) < 4 * found.errors[::3] + 1e-6).all()


def test_samples_alone_would_miss_peaks() -> None:
    source = Smooth(0.6)
    sampled = source.series("x_m").max(axis=1)
    found = Metric("x_m", "max(x_m)").values(source)
    assert (found >= sampled).all()
    assert (found - sampled).max() > 0.02


def test_a_case_has_the_same_bits_in_any_company() -> None:
    for expression in TRUE:
        metric = Metric("x_m", expression)
        together = metric.values(Smooth(0.3))
        for part in (slice(0, 1), slice(5, 9), slice(11, 12)):
            assert (metric.values(Smooth(0.3, part)) == together[part]).all(), expression


def test_pieces_with_few_samples_have_errors_that_say_so() -> None:
    source = Smooth(0.3)
    keep = np.array([0, 5, 11, *range(12, len(source.times))])
    source.times, source.pieces = source.times[keep], source.pieces[keep]
    found = Metric("x_m", "mean(x_m)").estimated(source, Grid(source.times, source.pieces))
    true = np.array([mean(case) for case in range(CASES)])
    assert (np.abs(found.values - true) < found.errors).all() and found.errors.max() > 1e-3


def test_a_single_sample_in_a_piece_is_taken_as_it_is() -> None:
    source = Smooth(0.3)
    keep = np.array([0, *range(12, len(source.times))])
    source.times, source.pieces = source.times[keep], source.pieces[keep]
    for expression in ("max(x_m)", "mean(x_m)", "at(x_m, 2.0)"):
        assert np.isfinite(Metric("x_m", expression).values(source)).all()


def test_what_is_no_number_stays_none() -> None:
    source = Smooth(0.3)
    for expression in ("max(sqrt(x_m))", "mean(sqrt(0 - abs(x_m)))"):
        assert np.isnan(Metric("x_m", expression).values(source)).all()


class Held(Smooth):
    """The same, held at a limit as motors are."""

    def series(self, name: str) -> np.ndarray:
        return np.clip(super().series(name), -0.6, 0.9)


@pytest.mark.parametrize("step", [0.1, 0.2])
def test_polynomials_do_not_go_beyond_a_limit_that_holds_a_series(step: float) -> None:
    """Or it is told, where a limit holds it for too short."""
    source = Held(step)
    for expression, limit in (("max(x_m)", 0.9), ("0 - min(x_m)", 0.6)):
        found, errors = Metric("x_m", expression).estimated(source, Grid(source.times, source.pieces))
        assert ((found <= limit * (1 + 1e-12)) | (errors > 1e-3 * limit)).all()
        assert np.isclose(found, limit).any()
