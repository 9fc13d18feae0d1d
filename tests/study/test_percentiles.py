"""Percentiles and means: bounds and how often they hold."""

import numpy as np
import pytest
from scipy import stats

from scmanip.errors import InvalidInput
from scmanip.study import Missing, Side, bound_runs, mean, percentile

from .toys import held

DISTRIBUTIONS = [
    stats.norm(3, 2),
    stats.expon(),
    stats.uniform(-1, 2),
    stats.lognorm(1.0),
    stats.t(2),
    stats.beta(0.5, 0.5),
    stats.poisson(3),
    stats.binom(10, 0.3),
]


def test_the_bounds_are_those_of_scipys_quantile_test():
    rng = np.random.default_rng(1)
    for runs in (1, 7, 50, 333):
        values = rng.normal(size=runs)
        for share in (0.01, 0.3, 0.5, 0.9, 0.9973):
            for side, name in ((Side.BOTH, "two-sided"), (Side.LOWER, "greater"), (Side.UPPER, "less")):
                found = percentile(values, share, 0.85, side).interval
                known = stats.quantile_test(values, p=share, alternative=name).confidence_interval(0.85)
                assert (found.low, found.high) == tuple(np.where(np.isnan(known), [-np.inf, np.inf], known))


@pytest.mark.slow
def test_bounds_of_percentiles_hold_in_1000_problems():
    rng, kept, total = np.random.default_rng(2), 0, 0
    for trial in range(1000):
        distribution = DISTRIBUTIONS[trial % len(DISTRIBUTIONS)]
        share = (0.05, 0.5, 0.9, 0.95, 0.99)[trial % 5]
        values = distribution.rvs(size=int(rng.integers(30, 800)), random_state=rng)
        sides = tuple(Side)
        intervals = [percentile(values, share, 0.9, side).interval for side in sides]
        kept += sum(held(intervals, [distribution.ppf(share)] * len(sides)))
        total += len(sides)
    assert kept / total >= 0.88


def test_student_intervals_of_means_hold_nine_times_in_ten():
    rng, kept = np.random.default_rng(3), []
    smooth = [stats.norm(3, 2), stats.uniform(-1, 2), stats.expon(), stats.poisson(3), stats.beta(0.5, 0.5)]
    for trial in range(1000):
        distribution = smooth[trial % len(smooth)]
        values = distribution.rvs(size=int(rng.integers(40, 400)), random_state=rng).astype(float)
        kept += held([mean(values).interval], [distribution.mean()])
    assert 0.86 <= np.mean(kept) <= 0.94


def test_too_few_runs_for_a_bound_are_said_with_how_many_are_needed():
    found = percentile(np.arange(500.0), 0.9973, 0.9, Side.UPPER)
    assert found.interval.high == np.inf
    assert not found.bounded
    assert found.note == "an upper bound of the 99.73th percentile at 90 % confidence: 852 runs are needed, there are 500"
    assert percentile(np.arange(852.0), 0.9973, 0.9, Side.UPPER).interval.high == 851


def test_the_fewest_runs_for_a_bound_are_those_of_wilks():
    assert bound_runs(0.95, 0.95, Side.UPPER) == 59
    assert bound_runs(0.05, 0.95, Side.LOWER) == 59
    assert bound_runs(0.5, 0.9, Side.BOTH) == 5
    for share in (0.1, 0.5, 0.97):
        for side in Side:
            enough = bound_runs(share, 0.9, side)
            assert percentile(np.arange(float(enough)), share, 0.9, side).bounded
            assert not percentile(np.arange(enough - 1.0), share, 0.9, side).bounded if enough > 1 else True


def test_the_estimate_lies_within_its_bounds():
    rng = np.random.default_rng(4)
    for runs in range(1, 60):
        found = percentile(rng.normal(size=runs), 0.9)
        assert found.value in found.interval


def test_failed_cases_are_refused_left_out_or_count_as_beyond_all():
    values = np.concatenate([np.arange(95.0), np.full(5, np.nan)])
    with pytest.raises(InvalidInput, match=r"none in 5 of 100 cases \(95, 96, 97, 98, 99\)"):
        percentile(values, 0.5)
    left = percentile(values, 0.97, missing=Missing.LEFT_OUT)
    assert (left.runs, left.missing, left.value) == (95, 5, 92)
    beyond = percentile(values, 0.97, missing=Missing.HIGH)
    assert (beyond.runs, beyond.missing, beyond.value) == (100, 5, np.inf)
    assert percentile(values, 0.9, missing=Missing.HIGH).value == 89
