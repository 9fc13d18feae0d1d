"""When a study stops: at the same case however it is run."""

import numpy as np
import pytest
from scipy.stats import norm

from scmanip.errors import InvalidInput
from scmanip.study import (
    UntilDecided,
    UntilInterval,
    percentile,
    runs_needed,
    unbroken,
)

from .toys import table

LIMIT = {"y": (-np.inf, 1.0)}
RULES = [
    UntilInterval("y.p90", 0.2),
    UntilInterval("y.mean", 0.08),
    UntilInterval("success", 0.03, allowed=LIMIT),
    UntilDecided(0.99, failures=3, allowed={"y": (-np.inf, 3.0)}),
    UntilDecided(0.99, failures=3, allowed={"y": (-np.inf, 2.5)}),
]


def draws(seed=11, n=3000):
    return np.random.default_rng(seed).normal(size=n)


@pytest.mark.parametrize("rule", RULES, ids=str)
def test_serial_blocks_disorder_and_resuming_stop_at_the_same_case(rule):
    y = draws()
    whole = rule.stopped(table({"y": y}))
    assert 100 < whole.cases < 3000
    for block in (37, 250, 1999):
        known, found = 0, None
        while found is None:
            ready = min(known + block, 3000)
            found = rule.stopped(table({"y": y[:ready]}), known)
            known = ready
        assert found == whole
    late = np.delete(np.arange(3000), whole.cases - 1)
    assert rule.stopped(table({"y": y[late]}, numbers=late)) is None
    early = np.delete(np.arange(3000), whole.cases)
    assert rule.stopped(table({"y": y[early]}, numbers=early)) == whole


def test_what_comes_after_the_stop_cannot_change_it():
    y = draws()
    whole = RULES[0].stopped(table({"y": y}))
    y[whole.cases :] = 1e9
    assert RULES[0].stopped(table({"y": y})) == whole


def test_the_interval_is_narrow_enough_where_it_stops_and_not_at_the_look_before():
    y, rule = draws(), RULES[0]
    stopped = rule.stopped(table({"y": y}))
    assert rule.interval(table({"y": y[: stopped.cases]})).half_width <= 0.2
    assert rule.stopped(table({"y": y[: stopped.cases - 1]})) is None


def test_rows_behind_a_gap_are_not_looked_at():
    assert unbroken(table({"y": np.ones(3)}, numbers=[0, 1, 3])).numbers.tolist() == [0, 1]
    assert len(unbroken(table({"y": np.ones(2)}, numbers=[1, 2]))) == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("of", "width", "truth", "share"),
    [("success", 0.03, norm.cdf(1), 0.92), (f"y.p{100 * norm.cdf(1)}", 0.18, 1.0, 0.88)],
    ids=["success", "percentile"],
)
def test_intervals_at_which_a_rule_stopped_hold_the_truth_as_often_as_it_says(of, width, truth, share):
    kept = []
    for seed in range(300):
        made = table({"y": draws(seed, 2000)})
        rule = UntilInterval(of, width, allowed=LIMIT)
        kept.append(truth in rule.interval(made.first(rule.stopped(made).cases)))
    assert np.mean(kept) == pytest.approx(share, abs=3 * np.sqrt(share * (1 - share) / len(kept)))


def test_a_plan_accepts_a_system_that_just_misses_its_requirement_once_in_ten():
    rule = UntilDecided(0.95, failures=2, allowed={"y": (-np.inf, 0.5)})
    assert rule.runs == runs_needed(0.95, 0.9, 2)
    rng, accepted = np.random.default_rng(5), 0
    for _ in range(400):
        made = table({"y": (rng.random(rule.runs) >= 0.95).astype(float)})
        accepted += rule.stopped(made).why.startswith(("0 ", "1 ", "2 "))
    assert accepted / 400 == pytest.approx(0.1, abs=3 * np.sqrt(0.1 * 0.9 / 400))


def test_one_failure_too_many_ends_a_plan_at_that_case():
    y = np.zeros(400)
    y[[5, 9, 20]] = 1
    stopped = UntilDecided(0.95, failures=1, allowed={"y": (-np.inf, 0.5)}).stopped(table({"y": y}))
    assert (stopped.cases, stopped.why) == (10, "2 failures, the plan allows 1")


def test_names_of_quantities():
    made = table({"error_mm": draws(n=1000)})
    share = percentile(made.metric("error_mm"), 0.9973, 0.9).interval
    assert UntilInterval("error_mm.p99.73", 1.0).interval(made) == share
    for wrong in ("error_mm", "error_mm.p100", "error_mm.p0", "error_mm.median"):
        with pytest.raises(InvalidInput, match=r"percentile such as \.p95"):
            UntilInterval(wrong, 1.0).interval(made)


def test_rules_that_never_stop_are_refused():
    with pytest.raises(InvalidInput, match="half_width"):
        UntilInterval("y.mean", 0.0)
    with pytest.raises(InvalidInput, match="probability"):
        UntilDecided(1.0, allowed=LIMIT)
