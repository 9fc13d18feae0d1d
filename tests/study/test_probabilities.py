"""Probabilities: exact bounds, and the runs a requirement needs."""

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from scipy.stats import binomtest

from scmanip.errors import InvalidInput
from scmanip.study import (
    Judgement,
    Side,
    demonstrated,
    demonstration,
    failures_allowed,
    proportion,
    runs_needed,
    success,
    within,
)

from .toys import table


def at_most(failures, runs, failure_probability):
    """The chance of so many failures or fewer, summed in fractions."""
    p = Fraction(failure_probability)
    return sum(comb(runs, k) * p**k * (1 - p) ** (runs - k) for k in range(failures + 1))


@pytest.mark.parametrize(("failures", "runs"), [(0, 852), (1, 1440), (2, 1970)])
def test_a_requirement_of_99_73_percent_at_90_percent_needs_these_runs(failures, runs):
    assert runs_needed(0.9973, 0.9, failures) == runs
    assert at_most(failures, runs, Fraction(27, 10000)) <= Fraction(1, 10) < at_most(failures, runs - 1, Fraction(27, 10000))


def test_runs_needed_are_the_fewest_by_exact_sums():
    for probability, confidence in [("0.9", "0.9"), ("0.95", "0.5"), ("0.99", "0.95"), ("0.5", "0.75"), ("0.1", "0.9")]:
        for failures in range(4):
            runs = runs_needed(float(probability), float(confidence), failures)
            error, lost = 1 - Fraction(confidence), 1 - Fraction(probability)
            assert at_most(failures, runs, lost) <= error
            assert runs == failures + 1 or at_most(failures, runs - 1, lost) > error


def test_what_the_needed_runs_demonstrate_is_what_was_required():
    for failures in (0, 1, 5, 40):
        runs = runs_needed(0.97, 0.9, failures)
        assert demonstrated(runs, failures) >= 0.97 > demonstrated(runs - 1, failures)
        assert failures_allowed(0.97, 0.9, runs) == failures
    assert failures_allowed(0.97, 0.9, 10) == -1


def test_the_exact_bounds_are_where_the_binomial_tails_are_the_error():
    found = proportion(17, 20, 0.9)
    assert float(at_most(3, 20, Fraction(1 - found.interval.low))) == pytest.approx(0.05, rel=1e-9)
    assert float(1 - at_most(2, 20, Fraction(1 - found.interval.high))) == pytest.approx(0.05, rel=1e-9)
    one = proportion(17, 20, 0.9, Side.LOWER).interval
    assert float(at_most(3, 20, Fraction(1 - one.low))) == pytest.approx(0.1, rel=1e-9)
    assert one.high == 1


@pytest.mark.parametrize("side", Side)
def test_exact_intervals_hold_the_truth_of_1000_binomials(side):
    problems = held_least = 0
    coverage = []
    for runs in (1, 2, 3, 5, 8, 13, 20, 30, 50, 80, 120, 200, 300):
        known = [proportion(k, runs, 0.9, side).interval for k in range(runs + 1)]
        low, high = np.array([i.low for i in known]), np.array([i.high for i in known])
        for truth in np.concatenate([np.linspace(0.005, 0.995, 70), [0.001, 0.9973, 0.9999, 0.5]]):
            weights = binomial_weights(runs, truth)
            coverage.append(weights[(low <= truth) & (truth <= high)].sum())
            problems += 1
            held_least += coverage[-1] >= 0.9 - 1e-9
    assert problems >= 950
    assert held_least == problems
    assert np.mean(coverage) >= 0.9


def binomial_weights(runs, truth):
    """Chances of 0 ... runs successes by their recurrence, not by SciPy."""
    k = np.arange(1, runs + 1)
    logs = np.concatenate([[0.0], np.cumsum(np.log((runs - k + 1) / k))]) + np.arange(runs + 1) * np.log(truth)
    return np.exp(logs + np.arange(runs, -1, -1) * np.log1p(-truth))


def test_without_runs_nothing_is_known():
    found = proportion(0, 0)
    assert (found.interval.low, found.interval.high) == (0, 1)
    assert np.isnan(found.share)


def test_percent_where_a_share_belongs_is_refused():
    with pytest.raises(InvalidInput, match=r"confidence: expected a number between 0 and 1, found 90; write 90 % as 0\.9"):
        proportion(1, 2, 90)
    with pytest.raises(InvalidInput, match="probability"):
        runs_needed(1.0)
    with pytest.raises(InvalidInput, match="from 0 to 2 runs, found 3"):
        proportion(3, 2)


def test_verdicts():
    assert demonstration(852, 852, 0.9973).verdict is Judgement.SHOWN
    short = demonstration(851, 851, 0.9973)
    assert (short.verdict, short.runs_needed, short.failures_allowed) == (Judgement.OPEN, 852, -1)
    assert "with no further failure 852 runs would do" in short.note
    assert demonstration(90, 100, 0.9973).verdict is Judgement.REFUTED


def test_a_failed_case_and_one_without_a_value_are_no_success():
    made = table({"error_m": [0.1, 0.2, np.nan, 0.1]}, status=["completed", "completed", "completed", "diverged"])
    assert within(made, {"error_m": (-np.inf, 0.15)}).tolist() == [True, False, False, False]
    assert success(made, {"error_m": (-np.inf, 0.15)}).share == 0.25
    assert success(made, {}).share == 0.75


def test_bounds_are_those_of_scipys_binomial_test():
    for successes, runs in [(0, 5), (5, 5), (3, 20), (990, 1000)]:
        for side, name in ((Side.BOTH, "two-sided"), (Side.LOWER, "greater"), (Side.UPPER, "less")):
            found = proportion(successes, runs, 0.9, side).interval
            known = binomtest(successes, runs, alternative=name).proportion_ci(0.9, method="exact")
            assert (found.low, found.high) == pytest.approx((known.low, known.high), rel=1e-9)
