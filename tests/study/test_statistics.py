"""Bounds, draws and designs against SciPy, sums and closed forms, number by number."""

import math
from fractions import Fraction
from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import stats
from scipy.special import ndtr

from scmanip.errors import InvalidInput
from scmanip.study import (
    FailureLimit,
    Keep,
    KeptWorst,
    LatinHypercube,
    Missing,
    Plan,
    Progress,
    Requirement,
    Sense,
    Side,
    Sobol,
    UntilDecided,
    UntilInterval,
    bound_runs,
    demonstrated,
    demonstration,
    dispersed,
    grid,
    levels,
    mean,
    paired,
    paired_success,
    pareto,
    percentile,
    proportion,
    runs_needed,
    sensitivity,
    span,
    uniform_ball,
    within,
    worst,
)  # fmt: skip
from scmanip.study.definition._metric import Metric
from scmanip.study.definition._scatter import uniforms
from scmanip.study.execution._keep import kept_cases
from scmanip.study.execution._progress import Reporter
from scmanip.study.rows._block import block_of, cell
from scmanip.study.rows._case import Case, Row, Status
from scmanip.study.rows._table import Table

from .toys import table

# --- draws ----------------------------------------------------------------------------------------------------------------


def test_no_draw_is_exactly_0_or_1_not_even_one_that_a_generator_may_give(monkeypatch):
    """A generator's least number is 0, of which a normal variate would be infinite."""

    class Least:
        def random(self, out):
            out[:] = 0.0

    monkeypatch.setattr(np.random, "default_rng", lambda seed: Least())
    u = uniforms(1, 0, 3, 2)
    assert np.all(u > 0) and np.all(u < 1e-15)
    assert np.all(np.isfinite(stats.norm.ppf(u)))


def test_each_case_has_numbers_of_its_own_from_seed_and_case():
    u = uniforms(7, 0, 50, 3)
    for number in (0, 1, 49):
        own = np.random.default_rng(np.random.SeedSequence(7, spawn_key=(number,))).random(3)
        assert np.allclose(u[number], own, atol=2.0**-51)
    assert len(np.unique(u)) == u.size


def drawn(repeats=400, seed=5, **given):
    made = Plan(seed=seed, repeats=repeats, **given)
    return made, made.cases_between(0, made.cases)


def test_scale_is_a_standard_deviation_and_each_component_has_its_own_draw():
    """Values are quantiles of the case's uniform numbers: loc + scale times those of a standard normal."""
    given = {"x": dispersed(stats.norm([1.0, 2.0, 3.0], [0.25, 4.0, 16.0])), "y": dispersed(stats.norm(5.0, 9.0))}
    _, cases = drawn(dispersion=given)
    z = stats.norm.ppf(uniforms(5, 0, 400, 4))
    x = np.array([case.values["x"] for case in cases])
    assert np.allclose(x, np.array([1.0, 2.0, 3.0]) + np.array([0.25, 4.0, 16.0]) * z[:, :3], rtol=1e-12)
    assert np.allclose([case.values["y"] for case in cases], 5.0 + 9.0 * z[:, 3], rtol=1e-12)


def test_truncated_draws_stay_inside_and_have_the_moments_of_their_distribution():
    _, cases = drawn(2000, dispersion={"x": dispersed(stats.truncnorm(-1.0, 2.0, loc=4.0, scale=3.0))})
    x = np.array([case.values["x"] for case in cases])
    a, b = -1.0, 2.0  # mean and variance by their closed forms
    phi, mass = stats.norm.pdf, ndtr(b) - ndtr(a)
    mu = (phi(a) - phi(b)) / mass
    variance = 1 + (a * phi(a) - b * phi(b)) / mass - mu**2
    assert x.min() >= 1.0 and x.max() <= 10.0
    assert x.mean() == pytest.approx(4 + 3 * mu, abs=4 * 3 * math.sqrt(variance / 2000))
    assert x.std() == pytest.approx(3 * math.sqrt(variance), rel=0.05)


def test_correlated_draws_are_mixed_by_the_root_of_the_matrix_in_its_order():
    C = np.array([[1.0, 0.6, -0.3], [0.6, 1.0, 0.2], [-0.3, 0.2, 1.0]])
    given = {name: dispersed(stats.norm(0, 1)) for name in "abc"}
    _, cases = drawn(300, dispersion=given, correlated=[correlated("abc", C)])
    z = stats.norm.ppf(uniforms(5, 0, 300, 3))
    found = np.array([[case.values[name] for name in "abc"] for case in cases])
    assert np.allclose(found, z @ np.linalg.cholesky(C).T, atol=1e-9)
    assert np.corrcoef(found.T) == pytest.approx(C, abs=0.2)


def correlated(paths, matrix):
    from scmanip.study import Correlated

    return Correlated.of(tuple(paths), matrix)


def test_a_ball_is_filled_evenly_by_volume_and_on_both_sides():
    _, cases = drawn(3000, dispersion={"x": uniform_ball(2.0, how="set")})
    x = np.array([case.values["x"] for case in cases])
    distance = np.linalg.norm(x, axis=1)
    assert stats.kstest((distance / 2.0) ** 3, "uniform").pvalue > 1e-3
    assert stats.kstest(x[:, 2] / distance, stats.uniform(-1, 2).cdf).pvalue > 1e-3
    assert np.abs(x.mean(axis=0)).max() < 4 * 2.0 / math.sqrt(5 * 3000)


def test_draws_are_added_to_or_multiply_the_nominal_value():
    given = {"a": dispersed(stats.norm(0, 1), how="add"), "b": dispersed(stats.norm(1, 0.1), how="scale")}
    _, cases = drawn(20, dispersion=given, nominal={"a": 100.0, "b": 50.0})
    z = stats.norm.ppf(uniforms(5, 0, 20, 2))
    assert np.allclose([case.values["a"] for case in cases], 100 + z[:, 0])
    assert np.allclose([case.values["b"] for case in cases], 50 * (1 + 0.1 * z[:, 1]))


def test_designs_run_through_all_levels_the_last_first_with_all_draws_of_each():
    made, cases = drawn(
        2, design={"a": levels(1.0, 2.0), "b": levels(10.0, 20.0, 30.0)}, dispersion={"x": dispersed(stats.norm())}
    )
    wanted = [pair for pair in product((1.0, 2.0), (10.0, 20.0, 30.0)) for _ in range(2)]
    assert [(case.values["a"], case.values["b"]) for case in cases] == wanted
    assert [(case.design, case.repeat) for case in cases] == [divmod(i, 2) for i in range(12)]
    assert made.cases == 12


def test_spans_grids_and_levels_share_their_range_evenly():
    assert grid(1.0, 3.0, 5).values == pytest.approx((1.0, 1.5, 2.0, 2.5, 3.0))
    assert grid(1.0, 100.0, 3, log=True).values == pytest.approx((1.0, 10.0, 100.0))
    assert span(2.0, 32.0, log=True).at(0.5) == pytest.approx(8.0)
    assert span(2.0, 32.0).at(0.5) == pytest.approx(17.0)
    three = levels(1.0, 2.0, 3.0)
    counts = np.unique([three.at(u) for u in (np.arange(300) + 0.5) / 300], return_counts=True)[1]
    assert counts.tolist() == [100, 100, 100]


@pytest.mark.parametrize("sampling", [LatinHypercube(16), Sobol(16)], ids=["latin", "sobol"])
def test_each_sixteenth_of_a_variable_has_one_point(sampling):
    _, cases = drawn(1, design={"a": span(0.0, 16.0), "b": span(-8.0, 8.0)}, sampling=sampling)
    for name, low in (("a", 0.0), ("b", -8.0)):
        assert sorted(int(case.values[name] - low) for case in cases) == list(range(16))


# --- probabilities, percentiles, means ------------------------------------------------------------------------------------


def exactly(k, n, p):
    """P(at most k of n), as a fraction."""
    p = Fraction(p)
    return sum(math.comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(k + 1))


@pytest.mark.parametrize(("good", "runs"), [(0, 5), (3, 10), (9, 10), (10, 10), (47, 50)])
@pytest.mark.parametrize("side", list(Side))
def test_clopper_and_pearsons_bounds_are_where_the_binomial_tail_is_the_error(good, runs, side):
    confidence = 0.8
    error = (1 - confidence) / (2 if side is Side.BOTH else 1)
    found = proportion(good, runs, confidence, side)
    low, high = found.interval.low, found.interval.high
    if side is not Side.UPPER and good:
        assert float(1 - exactly(good - 1, runs, low)) == pytest.approx(error, rel=1e-9)
    if side is not Side.LOWER and good < runs:
        assert float(exactly(good, runs, high)) == pytest.approx(error, rel=1e-9)
    assert found.interval.half_width == (high - low) / 2
    if side is Side.BOTH:
        known = stats.binomtest(good, runs).proportion_ci(confidence, method="exact")
        assert (low, high) == pytest.approx((known.low, known.high))


def test_runs_that_show_a_probability_are_the_fewest_that_do():
    """Without a failure p^n must be within the error; with failures the binomial sum."""
    assert runs_needed(0.9973, 0.9) == math.ceil(math.log(0.1) / math.log(0.9973)) == 852
    for failures in (0, 1, 3):
        n = runs_needed(0.95, 0.9, failures)
        assert exactly(failures, n, Fraction(1, 20)) <= Fraction(1, 10) < exactly(failures, n - 1, Fraction(1, 20))
    assert demonstrated(30, 0, 0.9) == pytest.approx(0.1 ** (1 / 30))


@pytest.mark.parametrize(("good", "runs", "word"), [(59, 59, "shown"), (50, 59, "refuted"), (44, 45, "open"), (56, 59, "open")])
def test_a_requirement_is_shown_refuted_or_open_by_one_sided_bounds(good, runs, word):
    found = demonstration(good, runs, 0.95, 0.9)
    low = stats.beta.ppf(0.1, good, runs - good + 1)
    high = stats.beta.ppf(0.9, good + 1, runs - good) if good < runs else 1.0
    assert (found.demonstrated, found.at_most) == pytest.approx((low, high))
    assert str(found.verdict) == ("shown" if low >= 0.95 else "refuted" if high < 0.95 else "open") == word


@pytest.mark.parametrize("share", [0.05, 0.5, 0.9])
@pytest.mark.parametrize("runs", [40, 200])
def test_percentiles_and_their_bounds_are_order_statistics_with_binomial_chances(share, runs):
    values = np.random.default_rng(runs).normal(size=runs)
    ordered, p = np.sort(values), Fraction(share).limit_denominator(100)
    found = percentile(values, share, 0.9)
    assert found.value == ordered[math.ceil(p * runs) - 1]
    low, high = found.low_rank, found.high_rank
    error = Fraction(1, 20)
    if low:
        assert exactly(low - 1, runs, p) <= error < exactly(low, runs, p)
        assert found.interval.low == ordered[low - 1]
    else:
        assert exactly(0, runs, p) > error
    if high:
        assert 1 - exactly(high - 1, runs, p) <= error < 1 - exactly(high - 2, runs, p)
        assert found.interval.high == ordered[high - 1]


def test_a_bound_whose_chance_is_just_the_error_is_one():
    """Four runs are all above their median, or all below it, with a chance of 1/16 each: together 1/8."""
    found = percentile(np.array([3.0, 1.0, 4.0, 2.0]), 0.5, 7 / 8)
    assert (found.interval.low, found.interval.high, found.low_rank, found.high_rank) == (1.0, 4.0, 1, 4)
    five = percentile(np.arange(5.0), 0.5, 1 - 2 * 6 / 32)
    assert (five.low_rank, five.high_rank) == (2, 4)


def test_wilks_counts_are_those_of_his_formula():
    """n runs have their greatest above the 95th percentile with 1 - 0.95^n: 59 at 95 %; both ends take more."""
    assert bound_runs(0.95, 0.95, Side.UPPER) == 59
    assert bound_runs(0.05, 0.95, Side.LOWER) == 59
    assert bound_runs(0.95, 0.95, Side.LOWER) == 1
    assert bound_runs(0.95, 0.95, Side.BOTH) == math.ceil(math.log(0.025) / math.log(0.95))


def test_means_have_students_bounds_by_scipy():
    values = np.array([1.0, 2.0, 4.0, 8.0, np.nan])
    found = mean(values, 0.8, Missing.LEFT_OUT)
    known = values[:4]
    interval = stats.t.interval(0.8, 3, loc=known.mean(), scale=stats.sem(known))
    assert (found.interval.low, found.interval.high) == pytest.approx(interval)
    assert (found.value, found.deviation) == (pytest.approx(3.75), pytest.approx(np.std(known, ddof=1)))
    assert (found.runs, found.missing) == (4, 1)


# --- what cases say together ----------------------------------------------------------------------------------------------


def test_differences_are_after_less_before_and_ties_are_no_gain():
    before, after = table({"y": [5.0, 5.0, 5.0, 5.0]}), table({"y": [4.0, 5.0, 7.0, 2.0]})
    found = paired(before, after, "y", Sense.MIN)
    assert found.differences.tolist() == [-1.0, 0.0, 2.0, -3.0]
    assert (found.improved.successes, found.ties, found.difference.value) == (2, 1, -0.5)
    assert paired(before, after, "y", Sense.MAX).improved.successes == 1


def test_gained_pairs_are_those_that_succeed_after_only():
    before, after = table({"y": [0.0, 1.0, 1.0, 1.0]}), table({"y": [1.0, 0.0, 0.0, 1.0]})
    found = paired_success(before, after, {"y": (-np.inf, 0.5)})
    assert (found.gained, found.lost, found.both, found.neither) == (2, 1, 0, 1)
    assert found.gained_share.successes == 2


def test_pareto_sets_go_the_way_each_metric_is_better():
    made = table({"mass_kg": [1.0, 2.0, 3.0, 2.5], "margin_m": [1.0, 3.0, 4.0, 2.0]})
    found = pareto(made, {"mass_kg": Sense.MIN, "margin_m": Sense.MAX})
    assert found.front.tolist() == [0, 1, 2]
    assert pareto(made, {"mass_kg": Sense.MAX, "margin_m": Sense.MAX}).front.tolist() == [2]
    assert pareto(made, {"margin_m": Sense.MAX, "mass_kg": Sense.MIN}).front.tolist() == [2, 1, 0]


def test_bounds_of_shares_are_as_wide_as_the_confidence_asks():
    """Bootstrap intervals scale with the normal quantile; at 90 % that is 1.645 standard deviations."""
    u = np.random.default_rng(2).random((300, 2))
    made = table({"y": u @ [1.0, 2.0]}, {"a": u[:, 0], "b": u[:, 1]})
    wide, narrow = (sensitivity(made, "y", confidence=c, rng=np.random.default_rng(1))["a"] for c in (0.9, 0.5))
    ratio = (wide.first_interval.high - wide.first) / (narrow.first_interval.high - narrow.first)
    assert ratio == pytest.approx(stats.norm.ppf(0.95) / stats.norm.ppf(0.75), rel=1e-6)
    ranked = sensitivity(made, "y", rng=np.random.default_rng(1)).ranked
    assert [index.name for index in ranked] == ["b", "a"]


def test_a_study_stops_at_the_half_width_asked_for():
    y = np.random.default_rng(4).normal(size=4000)
    stopped = (rule := UntilInterval("y.mean", 0.05)).stopped(table({"y": y}))
    assert rule.interval(table({"y": y[: stopped.cases]})).half_width <= 0.05
    before = int(stopped.cases / 1.06)
    assert rule.interval(table({"y": y[:before]})).half_width > 0.05


def test_a_plan_ends_with_the_failure_that_is_one_too_many():
    y = np.zeros(300)
    y[[4, 30, 60]] = 1.0
    for failures, cases in ((0, 5), (1, 31), (2, 61)):
        stopped = UntilDecided(0.95, failures=failures, allowed={"y": (-np.inf, 0.5)}).stopped(table({"y": y}))
        assert stopped.cases == cases


def test_cases_that_did_not_complete_keep_no_limit_and_have_no_value():
    made = table({"y": [1.0, 2.0, 3.0, 0.5]}, status=["completed", "completed", "failed", "diverged"])
    assert within(made, {"y": (0.0, 10.0)}).tolist() == [True, True, False, False]
    assert within(made, {"y": (1.5, 10.0)}).tolist() == [False, True, False, False]
    assert within(made, {}).tolist() == [True, True, False, False]
    assert np.isnan(made.metric("y")[2:]).all()
    assert worst(made, "y", 3).numbers.tolist() == [1, 0]
    assert worst(made, "y", 1, Sense.MAX).numbers.tolist() == [0]
    assert Requirement(metric="y_m", min=1.0, max=4.0, unit="m").margin(np.array([1.5, 3.0, 5.0, 0.0])).tolist() == [
        0.5,
        1,
        -1,
        -1,
    ]


def test_designs_have_all_of_their_rows():
    made = Table(np.arange(7), np.array(["completed"] * 7), np.array([""] * 7), {}, {"y": np.arange(7.0)})
    assert [(number, part.numbers.tolist()) for number, part in made.by_design(3)] == [(0, [0, 1, 2]), (1, [3, 4, 5]), (2, [6])]


# --- metrics over time ----------------------------------------------------------------------------------------------------


class Late:
    """A series that begins at 10 s, with uneven steps: x = t, and its square."""

    def __init__(self):
        self.times, self.pieces = np.array([10.0, 11.0, 13.0, 14.0]), None
        self.given = {"x_m": self.times[None, :], "rate_rad_s": self.times[None, :] ** 2}
        self.names = self.given.keys()

    def series(self, name):
        return self.given[name]


@pytest.mark.parametrize(
    ("name", "expression", "value"),
    [
        ("y_m", "mean(x_m)", 12.0), ("y_m", "final(x_m)", 14.0), ("y_m", "initial(x_m)", 10.0), ("y_m", "at(x_m, 12)", 12.0),
        ("y_m", "rms(x_m)", math.sqrt((110.5 + 290.0 + 182.5) / 4)),
        ("y_rad", "integral(rate_rad_s)", 110.5 + 290.0 + 182.5),
        ("y_deg_s", "final(degrees(rate_rad_s))", 196 * 180 / math.pi),
        ("y_m", "max(x_m) - 2 - 3", 9.0), ("y_m", "max(x_m) / 2 / 2 * 4", 14.0),
        ("y_ratio", "2 ** 3 * max(x_m) / max(x_m)", 8.0),
    ],
)  # fmt: skip
def test_means_and_integrals_are_over_the_time_that_there_is(name, expression, value):
    assert Metric(name, expression).values(Late())[0] == pytest.approx(value, rel=1e-12)


# --- rows, and when a study ends ------------------------------------------------------------------------------------------


class Rows:
    """The rows of a study without its folder."""

    def __init__(self, statuses, y=None):
        values = range(len(statuses)) if y is None else y
        made = [
            Row(Case(i, i, 0, {"x": float(i)}), Status(status), {"y": float(v)}, "" if status == "completed" else "why")
            for i, (status, v) in enumerate(zip(statuses, values, strict=True))
        ]
        self.block = block_of(made, ["x"])
        self.codes, self.done = self.block.codes, len(statuses)

    def blocks(self):
        return iter([self.block])

    def failures(self, first=None):
        return sum(status is not Status.COMPLETED for status in self.block.statuses[:first])


def test_rows_in_columns_keep_status_and_reason_and_are_cut_where_asked():
    statuses = ["completed", "diverged", "failed", "refused", "quarantined"]
    block = Rows(statuses).block
    assert [str(status) for status in block.statuses] == statuses
    assert block.until(3).inputs["x"].tolist() == [0.0, 1.0, 2.0]
    assert len(block.until(3)) == len(block.until(3).codes) == 3
    assert (len(block.until(99)), len(block.until(0))) == (5, 0)
    assert [float(cell(x)) for x in (0.1, 1 / 3, 1e-300)] == [0.1, 1 / 3, 1e-300]


def test_a_study_that_mostly_fails_is_stopped_by_its_first_cases():
    def ends(failed, of, **limit):
        return FailureLimit(**limit).exceeded(Rows(["failed"] * failed + ["completed"] * (of - failed)))

    assert ends(4, 20) is None  # of the first 8 no more than half
    assert ends(5, 20).startswith("5 of the first 8")
    assert ends(4, 300, smoke=250) is None
    assert ends(41, 300, smoke=250).startswith("41 of the first 200")
    assert ends(40, 300, smoke=250) is None
    assert ends(5, 8) is None


@pytest.mark.parametrize(("lowest", "numbers"), [(False, [2, 4]), (True, [0, 3])])
def test_the_worst_that_are_kept_are_the_highest_or_the_lowest(lowest, numbers):
    rows = Rows(["completed"] * 5 + ["failed"], y=[1.0, 5.0, 9.0, 2.0, 8.0, 99.0])
    assert kept_cases(rows, 6, Keep(nominal=False, worst=KeptWorst("y", 2, lowest))) == numbers


def test_a_number_of_failed_cases_to_keep_that_is_none_is_refused():
    with pytest.raises(InvalidInput, match="failed: expected a whole number of 0 or more, found -3"):
        Keep(failed=-3)


def test_time_left_is_that_of_what_is_not_done_yet(monkeypatch):
    told: list[Progress] = []
    folder = SimpleNamespace(done=10, codes=np.zeros(100), failures=lambda: 3)
    clock = iter([100.0, 105.0])
    monkeypatch.setattr("scmanip.study.execution._progress.time.perf_counter", lambda: next(clock))
    reporter = Reporter(folder, told.append)
    folder.done = 30
    reporter.now()
    assert (told[0].rate_per_s, told[0].left_s, told[0].failed) == (4.0, 17.5, 3)
