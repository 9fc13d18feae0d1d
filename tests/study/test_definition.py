"""Limits with units, wildcards, groups of wildcards, and the refusal of all that does not go together."""

import re

import numpy as np
import pytest
from scipy import stats

from scmanip.errors import InvalidInput
from scmanip.study import (
    Keep,
    KeptWorst,
    Requirement,
    Sobol,
    UntilDecided,
    UntilInterval,
    define,
    dispersed,
    grid,
    levels,
    span,
    uniform_ball,
)

FOUND = {
    "body.*.mass_kg": ("body.arm.mass_kg", "body.base.mass_kg"),
    "body.*.com_m": ("body.base.com_m", "body.arm.com_m"),
    "wheel.?.speed": ("wheel.a.speed",),
    "phase.*.mode": ("phase.slew.mode", "phase.hold.mode"),
}


def matches(pattern):
    if "nothing" in pattern:
        raise InvalidInput([])
    return FOUND.get(pattern, (pattern,))


def nominal(path):
    if path.endswith("rate_deg_s"):
        raise ValueError("nominal values are for dispersions that need them")
    return (0.1, 0.2, 0.3) if path.endswith("com_m") else 10.0


def study(**changes):
    given = {
        "name": "slew",
        "mission": "slew.toml",
        "seed": 5,
        "repeats": 10,
        "design": {"phase.*.mode": ["floating", "flying"]},
        "dispersion": {"body.*.mass_kg": dispersed(stats.norm(1, 0.05), how="scale")},
        "metrics": {"turn_deg": "max(degrees(base_rotation_rad))", "peak_Nm": "max(abs(torque_Nm))"},
        "limits": {"turn_deg": {"max": 5.0, "unit": "deg"}},
    }
    return define(**{**given, **changes})


def refused(**changes):
    with pytest.raises(InvalidInput) as caught:
        study(**changes)
    return [str(problem) for problem in caught.value.problems]


def test_wildcards_of_dispersions_are_independent_draws_and_those_of_designs_one_choice():
    plan = study().resolved(matches, nominal)
    assert plan.cases == 20
    assert plan.columns == ("phase.slew.mode", "phase.hold.mode", "body.arm.mass_kg", "body.base.mass_kg")
    cases = plan.cases_between(0, 20)
    assert all(case.values["phase.slew.mode"] == case.values["phase.hold.mode"] for case in cases)
    assert len({case.values[path] for case in cases for path in FOUND["body.*.mass_kg"]}) == 40
    assert all(abs(case.values["body.arm.mass_kg"] - 10) < 3 for case in cases)


def test_a_dispersion_may_scatter_about_a_choice_of_the_design_that_only_a_wildcard_reaches():
    plan = study(design={"body.arm.mass_kg": levels(1, 1000)}).resolved(matches, nominal)
    for case in plan.cases_between(0, 20):
        assert abs(case.values["body.arm.mass_kg"] / (1, 1000)[case.design] - 1) < 0.3
        assert abs(case.values["body.base.mass_kg"] / 10 - 1) < 0.3


def test_groups_with_wildcards_correlate_within_each_match_and_not_between():
    scattered = study(
        design={},
        repeats=3000,
        dispersion={
            "body.*.mass_kg": dispersed(stats.norm(1, 0.05), how="scale"),
            "body.*.com_m": dispersed(stats.norm(0, 1), size=3, how="add"),
        },
        correlated=[(["body.*.mass_kg", "body.*.com_m[2]"], [[1, 0.9], [0.9, 1]])],
    )
    plan = scattered.resolved(matches, nominal)
    rows = [case.values for case in plan.cases_between(0, 3000)]
    names = [
        (f"body.{body}.{key}", k) for body in ("arm", "base") for key, k in (("mass_kg", None), ("com_m", 2), ("com_m", 0))
    ]
    table = [[row[path] if k is None else row[path][k] for row in rows] for path, k in names]
    expected = np.kron(np.eye(2), [[1, 0.9, 0], [0.9, 1, 0], [0, 0, 1]])
    assert np.abs(np.corrcoef(table) - expected).max() < 4 / np.sqrt(3000)


def test_a_path_that_is_found_under_another_name_keeps_its_group():
    named = {"a": ("first",), "b": ("second",)}
    given = {
        "design": {},
        "dispersion": {name: stats.norm(0, 1) for name in named},
        "correlated": [(["b", "a"], [[1, 0.5], [0.5, 1]])],
    }
    plan = study(**given).resolved(lambda pattern: named[pattern])
    assert plan.columns == ("first", "second")
    assert plan.correlated[0].paths == ("second", "first")


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"correlated": [(["body.*.mass_kg", "wheel.a.speed"], np.eye(2))]}, "wildcards in all paths or in none"),
        ({"correlated": [(["body.*.mass_kg", "wheel.?.speed"], np.eye(2))]}, "wildcards that stand for the same names"),
        ({"correlated": [(["body.*.mass_kg", "body.*.rho_m"], np.eye(2))]}, "the paths of dispersions, letter by letter"),
        ({"correlated": [(["body.arm.mass_kg", "body.bse.mass_kg"], np.eye(2))]}, "did you mean 'body.base.mass_kg'?"),
        (
            {"dispersion": {"body.*.mass_kg": stats.norm(1, 1), "body.arm.mass_kg": stats.norm(1, 1)}},
            "'body.*.mass_kg', which sets it too",
        ),
        ({"dispersion": {"body.base.com_m": dispersed(stats.norm(0, 1), how="add")}}, "size = 3"),
        ({"dispersion": {"body.base.com_m": stats.norm(0, 1)}}, "size = 3"),
    ],
)
def test_what_only_a_mission_can_tell_is_refused_when_paths_are_resolved(changes, says):
    speed = {"wheel.?.speed": dispersed(stats.norm(0, 1))}
    given = {"dispersion": {"body.*.mass_kg": dispersed(stats.norm(1, 0.05), how="scale"), **speed}, **changes}
    with pytest.raises(InvalidInput, match=re.escape(says)):
        study(**given).resolved(matches, nominal)


def test_without_a_mission_there_are_no_wildcards_and_no_nominal_values():
    with pytest.raises(InvalidInput) as caught:
        study().resolved()
    assert [problem.key for problem in caught.value.problems] == ["design.phase.*.mode", "dispersion.body.*.mass_kg"]
    with pytest.raises(InvalidInput, match="a nominal value, which comes from a mission"):
        study(design={}, dispersion={"x": uniform_ball(1)}).resolved()


def test_limits_know_their_unit_their_margin_and_that_nan_keeps_nothing():
    limit = Requirement(metric="rate_deg_s", min=-1, max=2.0, unit="deg/s")
    assert (limit.unit, limit.allowed) == ("deg_s", (-1.0, 2.0))
    values = np.array([-2.0, -1.0, 0.0, 2.0, 3.0, np.nan])
    assert limit.margin(values)[:5].tolist() == [-1.0, 0.0, 1.0, 0.0, -1.0]
    assert np.isnan(limit.margin(values)[5])
    assert Requirement(metric="drift_relative", max=1e-6, unit="1").allowed == (-np.inf, 1e-6)
    assert Requirement(metric="use_percent", max=80, unit="%").unit == "percent"
    assert Requirement(metric="h_Nms", max=80, unit="N m s").unit == "Nms"


@pytest.mark.parametrize(
    ("limit", "says"),
    [
        ({"max": 5.0}, "unit: expected 'deg', the unit of turn_deg, found nothing; write unit = \"deg\""),
        ({"max": 5.0, "unit": "rad"}, "expected 'deg', the unit of turn_deg, found 'rad'; convert the limit to deg"),
        ({"max": 5.0, "unit": "Nm"}, "expected 'deg', the unit of turn_deg, found 'Nm'"),
        ({"unit": "deg"}, "max, min or both, found neither"),
        ({"max": float("nan"), "unit": "deg"}, "a finite number"),
        ({"max": "5", "unit": "deg"}, "a finite number"),
        ({"min": 6.0, "max": 5.0, "unit": "deg"}, "a number up to max = 5, found 6"),
        ({"max": 5.0, "unit": "deg", "probability": 99.73}, "probability: expected a number between 0 and 1, found 99.73"),
        ({"max": 5.0, "unit": "deg", "confidence": 1.0}, "confidence: expected a number between 0 and 1"),
        ({"maxx": 5.0, "unit": "deg"}, "did you mean 'max'"),
        (5.0, 'a table with min or max, and unit, found 5.0; such as { max = 5.0, unit = "deg" }'),
    ],
)
def test_a_limit_without_unit_or_sense_is_refused(limit, says):
    (problem,) = refused(limits={"turn_deg": limit})
    assert says in problem
    assert problem.startswith("limits.turn_deg")


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        (
            {"limits": {"trn_deg": {"max": 1.0, "unit": "deg"}}},
            "limits.trn_deg: expected one of the metrics turn_deg, peak_Nm, found 'trn_deg'; did you mean 'turn_deg'?",
        ),
        (
            {"limits": [Requirement(metric="turn_deg", max=k, unit="deg") for k in (1, 2)]},
            "limits.turn_deg: expected one limit per metric, with min and max, found 2",
        ),
        ({"keep": Keep(worst=KeptWorst("peak_N", 3))}, "keep.worst.metric: peak_N: expected one of the metrics"),
        (
            {"stop": UntilInterval(of="turn_deg.p95", half_width=1, unit="rad")},
            "stop.unit: expected 'deg', the unit of turn_deg.p95, found 'rad'",
        ),
        ({"stop": UntilInterval(of="turn_deg.q95", half_width=1, unit="deg")}, "stop.of: expected success, or a metric"),
        ({"stop": UntilInterval(of="turn_deg.p100", half_width=1, unit="deg")}, "stop.of: expected success, or a metric"),
        ({"stop": UntilInterval(of="turns_deg.mean", half_width=1, unit="deg")}, "did you mean 'turn_deg'?"),
        ({"stop": UntilInterval(of="success", half_width=0.1, unit="deg")}, "stop.unit: expected '1'"),
        ({"seed": -1}, "seed: expected a whole number of 0 or more, found -1"),
        ({"seed": 1.5}, "seed: expected a whole number of 0 or more, found 1.5"),
        ({"repeats": 0}, "repeats: expected a whole number of 1 or more, found 0"),
        ({"dispersion": {}}, "repeats: expected 1, because nothing is left to chance, found 10; add a [dispersion]"),
        (
            {"dispersion": {}, "design": {}, "repeats": 1},
            "design: expected something to vary in [design] or [dispersion], found nothing",
        ),
        ({"design": {"x": span(0, 1)}}, "sampling: expected levels or a grid for every variable, found a span"),
        ({"design": {}, "sampling": Sobol(8)}, "chance alone needs repeats"),
        ({"seed": 7, "sampling": None, "design": {"x": grid(0, 1, 3)}, "repeats": True}, "repeats: expected a whole number"),
        ({"design": {"x": 3.0}}, "one value is no choice"),
        ({"design": {"x": [1.0, 1.0]}}, "values that differ"),
        ({"design": {"x": [1.0, "a"]}}, "values of one kind"),
        ({"design": {"x": []}}, "at least one value"),
        ({"design": {"x": [None]}}, "finite numbers, texts, true and false, or lists of finite numbers, found None"),
        ({"design": {"x": [True, 1.0]}}, "values that differ"),
        ({"design": {"x": [False, 1.0]}}, "values of one kind"),
        ({"design": {"x": [float("inf")]}}, "finite numbers, texts"),
        ({"dispersion": {"x": stats.norm}}, "give its parameters"),
        ({"metrics": {}, "limits": ()}, "metrics: expected one metric or more, found none"),
    ],
)
def test_parts_that_do_not_go_together_are_refused(changes, says):
    (problem,) = refused(**changes)
    assert says in problem


def test_everything_wrong_is_said_at_once():
    problems = refused(
        design={"x": [], "y": 3.0},
        dispersion={"z": stats.norm},
        metrics={"turn_deg": "max(", "peak": "max(a)"},
        limits={"turn_deg": {"max": 1.0}, "other_m": {"max": 1.0, "unit": "m"}},
        seed=-1,
    )
    keys = [
        "design.x",
        "design.y",
        "dispersion.z",
        "metrics.turn_deg",
        "metrics.peak",
        "limits.turn_deg",
        "seed",
        "limits.other_m",
    ]
    assert [problem.split(":")[0] for problem in problems] == keys


def test_the_table_of_a_definition_says_all_of_it():
    changed = [
        {},
        {"name": "other"},
        {"seed": 6},
        {"keep": Keep(failed=True)},
        {"stop": UntilDecided(probability=0.99)},
        {"limits": {"turn_deg": {"max": 6.0, "unit": "deg"}}},
        {"metrics": {"turn_deg": "final(degrees(base_rotation_rad))"}},
        {"dispersion": {"body.*.mass_kg": dispersed(stats.norm(1, 0.06), how="scale")}},
        {"output": "elsewhere"},
    ]
    tables = [study(**changes).table for changes in changed]
    assert all(tables.count(table) == 1 for table in tables)
    assert study().allowed == {"turn_deg": (-np.inf, 5.0)}
