"""Pareto sets and worst cases."""

import numpy as np
import pytest

from scmanip.errors import InvalidInput
from scmanip.study import Sense, pareto, worst

from .toys import table

BOTH = {"mass_kg": Sense.MIN, "margin_deg": Sense.MAX}


def beaten(values, signs):
    """By definition, pair by pair."""
    costs = values * signs
    return np.array([any(np.all(b <= a) and np.any(b < a) for b in costs) for a in costs])


@pytest.mark.parametrize("metrics", [1, 2, 3, 4])
def test_the_set_is_that_of_the_definition(metrics):
    rng = np.random.default_rng(metrics)
    for trial in range(20):
        values = rng.integers(0, 8, size=(40, metrics)).astype(float)
        senses = [Sense.MIN if choice else Sense.MAX for choice in rng.random(metrics) < 0.5]
        names = [f"m{i}" for i in range(metrics)]
        found = pareto(table(dict(zip(names, values.T, strict=True))), dict(zip(names, senses, strict=True)))
        signs = np.array([1 if sense is Sense.MIN else -1 for sense in senses])
        assert found.best.tolist() == (~beaten(values, signs)).tolist(), trial


def test_infeasible_and_failed_cases_are_marked_and_beat_nothing():
    made = table(
        {"mass_kg": [1.0, 2.0, 3.0, 0.5, np.nan], "margin_deg": [9.0, 8.0, 10.0, 20.0, 30.0]},
        status=["completed", "completed", "completed", "diverged", "completed"],
    )
    found = pareto(made, BOTH, {"mass_kg": (1.5, np.inf)})
    assert found.infeasible.tolist() == [0, 3, 4]
    assert found.front.tolist() == [1, 2]
    assert pareto(made, BOTH).front.tolist() == [0, 2]


def test_the_front_is_sorted_by_its_first_metric_the_better_first():
    made = table({"a": [1.0, 3.0, 2.0], "b": [1.0, 3.0, 2.0]})
    assert pareto(made, {"a": Sense.MAX, "b": Sense.MIN}).front.tolist() == [1, 2, 0]


def test_a_trade_without_metrics_is_refused():
    with pytest.raises(InvalidInput, match="at least one metric"):
        pareto(table({"a": [1.0]}), {})


def test_worst_cases_come_with_their_numbers_and_those_without_a_value():
    made = table({"error_m": [1.0, 5.0, 5.0, np.nan, 2.0]}, numbers=[3, 4, 7, 8, 9])
    found = worst(made, "error_m", 3)
    assert (found.numbers.tolist(), found.values.tolist(), found.missing.tolist()) == ([4, 7, 9], [5, 5, 2], [8])
    assert worst(made, "error_m", 2, Sense.MAX).numbers.tolist() == [3, 9]
