"""What the tables and figures of a study say is what NumPy and SciPy make of its cases, column by column."""

from __future__ import annotations

import math

import numpy as np
import pytest
from matplotlib.figure import Figure
from scipy import stats

from scmanip.report import ReportPage, StudyResults, distribution_figure, pareto_figure, sensitivity_figure, study_page
from scmanip.study import (
    Index,
    Interval,
    Metric,
    Pareto,
    Plan,
    Requirement,
    Row,
    Sense,
    Sensitivity,
    Side,
    Status,
    dispersed,
    levels,
)
from tests.study.toys import table_of

REPEATS = 120
LOST = (7, 64, 170)


def made() -> tuple[StudyResults, dict[str, np.ndarray]]:
    """Two designs with 120 draws each; a turn that must be small, a margin that must be large; three cases have no value."""
    plan = Plan(
        seed=3,
        design={"system.base.mass_kg": levels(500.0, 1000.0)},
        dispersion={"a.rate": dispersed(stats.uniform(0, 1)), "b.rate": dispersed(stats.uniform(0, 1))},
        repeats=REPEATS,
    )
    rows, columns = [], {"turn_deg": [], "margin_mm": []}
    for case in plan.cases_between(0, plan.cases):
        mass, a, b = (float(case.values[path]) for path in ("system.base.mass_kg", "a.rate", "b.rate"))  # type: ignore[arg-type]
        values = {"turn_deg": 1000 / mass + a + 4 * (a - 0.5) * (b - 0.5), "margin_mm": 3 + b - a * a + mass / 500}
        lost = case.number in LOST
        for name, value in values.items():
            columns[name].append(math.nan if lost else value)
        status = Status.DIVERGED if lost else Status.COMPLETED
        rows.append(Row(case, status, dict.fromkeys(values, math.nan) if lost else values, "too fast" if lost else ""))
    results = StudyResults(
        title="Two bases",
        plan=plan,
        metrics=[Metric("turn_deg", "max(degrees(base_rotation_rad))"), Metric("margin_mm", "1000 * min(tip_distance_m)")],
        requirements=[
            Requirement(metric="turn_deg", max=3.0, unit="deg", probability=0.8, confidence=0.95),
            Requirement(metric="margin_mm", min=4.0, unit="mm"),
        ],
        cases=table_of(rows, seed=3),
        nominal={"turn_deg": 1.25, "margin_mm": 5.5},
        replay="replay {}".format,
        trade={"turn_deg": Sense.MIN, "margin_mm": Sense.MAX},
    )
    return results, {name: np.array(values) for name, values in columns.items()}


@pytest.fixture(scope="module")
def page() -> ReportPage:
    return study_page(made()[0])


@pytest.fixture(scope="module")
def values() -> dict[str, np.ndarray]:
    return made()[1]


def rows(page: ReportPage, name: str) -> list[tuple[str, ...]]:
    return list(next(table for table in page.tables if table.name == name).rows)


def figure(page: ReportPage, name: str) -> Figure:
    return next(
        block.figure
        for section in page.sections
        for block in section.blocks
        if getattr(block, "name", "") == name and hasattr(block, "figure")
    )


def test_verdicts_show_nominal_worst_margin_and_exact_bounds(page: ReportPage, values: dict[str, np.ndarray]) -> None:
    wanted = {
        "turn_deg": (1.25, np.nanmin(3.0 - values["turn_deg"]), values["turn_deg"] <= 3.0, 0.95),
        "margin_mm": (5.5, np.nanmin(values["margin_mm"] - 4.0), values["margin_mm"] >= 4.0, 0.9),
    }
    for row in rows(page, "verdicts"):
        nominal, margin, kept, confidence = wanted[row[0]]
        good = int(kept.sum())
        bounds = stats.binomtest(good, 2 * REPEATS).proportion_ci(confidence, method="exact")
        assert [row[2], row[3]] == [f"{nominal:.5g}", f"{margin:.5g}"]
        assert row[4] == f"{good} of {2 * REPEATS}"
        assert row[5] == f"{100 * good / (2 * REPEATS):.4g} %"
        assert row[6] == f"{100 * bounds.low:.4g} to {100 * bounds.high:.4g} %"


def test_the_matrix_shows_the_value_that_is_worst_for_its_limit(page: ReportPage, values: dict[str, np.ndarray]) -> None:
    turn, margin = rows(page, "compliance")
    assert turn[3] == f"{np.nanmax(values['turn_deg']):.5g}"
    assert margin[3] == f"{np.nanmin(values['margin_mm']):.5g}"
    assert turn[5] == f"{np.nanmin(3.0 - values['turn_deg']):.5g}"
    assert margin[5] == f"{np.nanmin(values['margin_mm'] - 4.0):.5g}"
    good = int(np.sum(values["margin_mm"] >= 4.0))
    low = stats.beta.ppf(0.1, good, 2 * REPEATS - good + 1)  # Clopper and Pearson's, one-sided at 90 %
    assert f"{good} of {2 * REPEATS} cases; {100 * low:.4g} % shown at 90 %" in margin[6]


def test_percentiles_lie_between_their_bounds_which_are_order_statistics(
    page: ReportPage, values: dict[str, np.ndarray]
) -> None:
    found = {(row[0], row[1]): row for row in rows(page, "percentiles")}
    assert {share for _, share in found} == {"5 %", "50 %", "95 %", "99.73 %"}
    for name, column in values.items():
        known = np.sort(column[np.isfinite(column)])
        for share in (0.05, 0.5, 0.95):
            row = found[name, f"{100 * share:g} %"]
            interval = stats.quantile_test(known, p=share).confidence_interval(0.9)
            assert row[2] == f"{np.quantile(known, share, method='inverted_cdf'):.5g}"
            assert row[3:5] == (f"{interval.low:.5g}", f"{interval.high:.5g}")
            assert float(row[3]) < float(row[2]) < float(row[4])
            assert row[5] == "3 cases without a value"
        assert found[name, "99.73 %"][4] == "none"


def test_sensitivities_have_first_and_total_indices_in_their_columns(page: ReportPage) -> None:
    """Of turn = m + a + 4 (a - 1/2)(b - 1/2): variances 1/4, 1/12 and 16/144; b counts only together with a."""
    whole = 1 / 4 + 1 / 12 + 1 / 9
    first = {"system.base.mass_kg": 1 / 4 / whole, "a.rate": 1 / 12 / whole, "b.rate": 0.0}
    total = {"system.base.mass_kg": 1 / 4 / whole, "a.rate": (1 / 12 + 1 / 9) / whole, "b.rate": 1 / 9 / whole}
    found = {row[1]: row for row in rows(page, "sensitivity") if row[0] == "turn_deg"}
    assert set(found) == set(first)
    for name, row in found.items():
        assert float(row[2]) == pytest.approx(first[name], abs=0.15)
        assert float(row[4]) == pytest.approx(total[name], abs=0.15)
        for value, bounds in ((row[2], row[3]), (row[4], row[5])):
            low, high = map(float, bounds.split(" to "))
            assert low <= max(float(value), 0.0) + 1e-3 and float(value) - 1e-3 <= high
    assert found["b.rate"][3] != found["b.rate"][5]
    order = [row[1] for row in rows(page, "sensitivity") if row[0] == "turn_deg"]
    assert order == sorted(order, key=lambda name: -float(found[name][4]))


def test_designs_have_means_of_the_cases_that_have_a_value(page: ReportPage, values: dict[str, np.ndarray]) -> None:
    table = next(table for table in page.tables if table.name == "trade")
    assert table.headings == ("design", "system.base.mass_kg", "turn_deg", "margin_mm", "within all limits")
    for number, row in enumerate(table.rows):
        part = slice(number * REPEATS, (number + 1) * REPEATS)
        within = (values["turn_deg"][part] <= 3.0) & (values["margin_mm"][part] >= 4.0)
        assert row[:2] == (str(number), f"{(500.0, 1000.0)[number]:g}")
        assert row[2:4] == tuple(f"{np.nanmean(values[name][part]):.5g}" for name in ("turn_deg", "margin_mm"))
        assert row[4] == f"{int(within.sum())} of {REPEATS}"


def test_the_worst_are_the_highest_or_the_lowest_where_the_limit_is_one_from_below(
    page: ReportPage, values: dict[str, np.ndarray]
) -> None:
    table = rows(page, "worst")
    highest = np.argsort(np.where(np.isnan(values["turn_deg"]), -np.inf, values["turn_deg"]))[::-1][:5]
    lowest = np.argsort(np.where(np.isnan(values["margin_mm"]), np.inf, values["margin_mm"]))[:5]
    for name, numbers in (("turn_deg", highest), ("margin_mm", lowest)):
        found = [row[1:] for row in table if row[0] == name]
        assert found == [
            (str(rank), str(case), f"{values[name][case]:.5g}", f"replay {case}") for rank, case in enumerate(numbers, 1)
        ]


def test_the_trade_draws_means_of_designs_under_their_names(page: ReportPage, values: dict[str, np.ndarray]) -> None:
    (axis,) = figure(page, "pareto").axes
    assert (axis.get_xlabel(), axis.get_ylabel()) == ("turn [deg]", "margin [mm]")
    means = {name: [np.nanmean(column[:REPEATS]), np.nanmean(column[REPEATS:])] for name, column in values.items()}
    drawn = np.vstack([*(np.asarray(part.get_offsets()) for part in axis.collections), axis.get_lines()[0].get_xydata()])
    assert sorted(drawn[:, 0].tolist()) == pytest.approx(sorted(means["turn_deg"]), rel=1e-9)
    assert sorted(drawn[:, 1].tolist()) == pytest.approx(sorted(means["margin_mm"]), rel=1e-9)


def test_a_trade_tells_broken_fine_and_best_cases_apart() -> None:
    points = np.array([[1.0, 9.0], [2.0, 8.0], [0.5, 7.0], [3.0, 1.0]])
    senses = {"a": Sense.MIN, "b": Sense.MAX}
    feasible, best = np.array([True, True, False, True]), np.array([True, False, False, False])
    (axis,) = pareto_figure(Pareto(np.arange(4), points, feasible, best, senses)).axes
    drawn = {str(part.get_label()): np.asarray(part.get_offsets()).tolist() for part in axis.collections}
    assert drawn == {"breaks a limit": [[0.5, 7.0]], "keeps all limits": [[2.0, 8.0], [3.0, 1.0]]}
    (front,) = axis.get_lines()
    assert (front.get_label(), np.asarray(front.get_xydata()).tolist()) == ("no other beats it", [[1.0, 9.0]])


def index(name: str, first: float, total: float) -> Index:
    return Index(
        name,
        first,
        Interval(first - 0.05, first + 0.1, 0.9, Side.BOTH, ""),
        total,
        Interval(total - 0.02, total + 0.04, 0.9, Side.BOTH, ""),
    )


def test_bars_of_sensitivities_are_called_what_they_are() -> None:
    found = Sensitivity("y", (index("small", 0.1, 0.15), index("large", 0.3, 0.8)), (), 0.0, 100, 0, "")
    (axis,) = sensitivity_figure(found).axes
    assert [label.get_text() for label in axis.get_yticklabels()] == ["small", "large"]  # the largest at the top
    bars = {str(bars.get_label()): [bar.get_width() for bar in bars] for bars in axis.containers if bars.get_label()[0] != "_"}
    assert bars == {"by itself": [0.1, 0.3], "with all others": [0.15, 0.8]}


def test_a_distribution_is_drawn_with_its_bounds_of_both_sides() -> None:
    values = np.random.default_rng(8).normal(size=60)
    _, shares = distribution_figure(values, "y_m", [1.0]).axes
    (curve, *_) = shares.get_lines()
    assert np.asarray(curve.get_ydata())[99] == 0.5
    assert np.asarray(curve.get_xdata())[99] == np.quantile(values, 0.5, method="inverted_cdf")
    (band,) = shares.collections
    corners = band.get_paths()[0].vertices
    low, high = stats.quantile_test(values, p=0.5).confidence_interval(0.9)
    assert sorted(set(corners[np.isclose(corners[:, 1], 0.5), 0].tolist())) == pytest.approx([low, high])
