"""Two studies with the same draws."""

from math import comb

import numpy as np
import pytest

from scmanip.errors import InvalidInput
from scmanip.study import Missing, Sense, paired, paired_success

from .toys import held, table

LIMIT = {"y": (-np.inf, 0.5)}


def pair(n=200, gain=0.1, seed=0):
    rng = np.random.default_rng(seed)
    mass, y = rng.normal(size=n), rng.normal(size=n)
    return table({"y": y}, {"mass_kg": mass}), table({"y": y - gain + 0.2 * rng.normal(size=n)}, {"mass_kg": mass})


def test_pairs_tell_a_difference_much_smaller_than_the_spread():
    before, after = pair()
    found = paired(before, after, "y")
    assert found.difference.interval.high < 0
    assert found.difference.interval.half_width < 0.05 * np.ptp(before.metric("y"))
    assert found.improved.share > 0.5
    assert found.improved.successes == np.sum(after.metric("y") < before.metric("y"))
    assert paired(before, after, "y", Sense.MAX).improved.successes == 200 - found.improved.successes


@pytest.mark.slow
def test_intervals_of_differences_hold_nine_times_in_ten():
    kept = [held([paired(*pair(60, 0.1, seed), "y").difference.interval], [-0.1])[0] for seed in range(1000)]
    assert 0.86 <= np.mean(kept) <= 0.94


def test_equal_pairs_are_ties_and_no_improvement():
    before, _ = pair()
    found = paired(before, before, "y")
    assert (found.ties, found.improved.successes, found.difference.value) == (200, 0, 0)


def test_other_seeds_cases_and_inputs_are_refused_with_the_difference():
    made = table({"y": [1.0, 2.0]}, {"mass_kg": [3.0, 4.0], "mode": ["a", "b"]})
    with pytest.raises(InvalidInput, match="seed: expected that of the first study, 7, found 8"):
        paired(made, table({"y": [1.0, 2.0]}, made.inputs, seed=8), "y")
    with pytest.raises(InvalidInput, match="1 in one only, the first of them 2"):
        paired(made, table({"y": [1.0, 2.0, 3.0]}, {"mass_kg": [3.0, 4.0, 5.0], "mode": ["a", "b", "a"]}), "y")
    with pytest.raises(InvalidInput, match=r"'mass_kg': expected 4.0, .* found 9.0 in case 1, and 1 of 2") as caught:
        paired(made, table({"y": [1.0, 2.0]}, {"mass_kg": [3.0, 9.0], "mode": ["a", "c"]}), "y")
    assert len(caught.value.problems) == 2
    with pytest.raises(InvalidInput, match=r"'mode': expected in both studies, found in the first only"):
        paired(made, table({"y": [1.0, 2.0]}, {"mass_kg": [3.0, 4.0]}), "y")
    unknown = table({"y": [1.0, 2.0]}, seed=None)
    with pytest.raises(InvalidInput, match="seed"):
        paired(unknown, unknown, "y")


def test_what_is_compared_may_differ_when_it_is_named():
    before = table({"y": [1.0, 2.0]}, {"mode": ["floating"] * 2})
    after = table({"y": [0.5, 1.0]}, {"mode": np.array([1.0, 2.0])})
    assert paired(before, after, "y", changed=["mode"]).difference.value == -0.75
    with pytest.raises(InvalidInput, match=r"changed=\['mode'\]"):
        paired(before, after, "y")


def test_pairs_without_a_value_are_refused_or_left_out_by_number():
    before, after = table({"y": [1.0, 2.0, np.nan]}), table({"y": [0.0, np.nan, 1.0]})
    with pytest.raises(InvalidInput, match=r"none in 2 of 3 cases \(1, 2\)"):
        paired(before, after, "y")
    found = paired(before, after, "y", missing=Missing.LEFT_OUT)
    assert (found.numbers.tolist(), found.missing.tolist()) == ([0], [1, 2])
    with pytest.raises(InvalidInput, match="no side"):
        paired(before, after, "y", missing=Missing.HIGH)


def test_gained_and_lost_successes_are_tested_by_exact_sums():
    before = table({"y": np.array([0.0] * 50 + [1.0] * 9 + [0.0] * 2 + [1.0] * 4)})
    after = table({"y": np.array([0.0] * 50 + [0.0] * 9 + [1.0] * 2 + [1.0] * 4)})
    found = paired_success(before, after, LIMIT)
    assert (found.both, found.gained, found.lost, found.neither) == (50, 9, 2, 4)
    assert found.p_value == pytest.approx(2 * sum(comb(11, k) for k in range(3)) / 2**11, rel=1e-12)
    assert paired_success(before, before, LIMIT).p_value == 1
