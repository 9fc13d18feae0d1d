"""Shares of variance, against functions whose indices are known."""

import numpy as np
import pytest
from scipy.stats import norm, sobol_indices, uniform

from scmanip.errors import InvalidInput
from scmanip.study import Missing, sensitivity

from .toys import Ishigami, Linear, held, table

FUNCTIONS = [(Linear(), 4), (Ishigami(), 3)]


def rng(*seed):
    return np.random.default_rng(seed)


def sampled(function, inputs, runs, generator, noise=0.0):
    U = generator.random((runs, inputs))
    y = function(U) + noise * generator.normal(size=runs)
    return table({"y": y}, {f"x{i + 1}": column for i, column in enumerate(U.T)})


def errors(found, function):
    firsts = [index.first for index in found.indices] - function.first
    return np.abs([firsts, [index.total for index in found.indices] - function.total]).max(axis=1)


def kept(found, function):
    """Which bounds hold, of the indices that are not 0: bounds are cut there, and hold more often."""
    firsts = zip([index.first_interval for index in found.indices], function.first, strict=True)
    totals = zip([index.total_interval for index in found.indices], function.total, strict=True)
    return held(*zip(*[(interval, truth) for interval, truth in (*firsts, *totals) if truth > 0], strict=True))


@pytest.mark.slow
@pytest.mark.parametrize(("function", "inputs"), FUNCTIONS, ids=["linear", "ishigami"])
def test_monte_carlo_studies_tell_the_known_indices(function, inputs):
    found = sensitivity(sampled(function, inputs, 4000, rng(2)), "y", rng=rng(3))
    assert np.all(errors(found, function) < 0.04)
    assert found.unexplained < 1e-3
    assert found.note == ""


def test_indices_from_draws_are_those_that_scipy_finds_by_a_design():
    function = Ishigami()
    found = sensitivity(sampled(function, 3, 2000, rng(4)), "y", rng=rng(5))
    known = sobol_indices(func=lambda x: function(x.T), n=1024, dists=[uniform()] * 3, rng=rng(6))
    assert [index.first for index in found.indices] == pytest.approx(known.first_order.ravel().tolist(), abs=0.06)
    assert [index.total for index in found.indices] == pytest.approx(known.total_order.ravel().tolist(), abs=0.06)


def test_distributions_of_inputs_do_not_matter_to_given_data():
    generator = rng(7)
    x = np.column_stack([norm.rvs(size=3000, random_state=generator), uniform.rvs(size=3000, random_state=generator)])
    made = table({"y": x[:, 0] + np.sqrt(12) * x[:, 1]}, {"a": x[:, 0], "b": x[:, 1]})
    found = sensitivity(made, "y", rng=rng(8))
    assert [index.total for index in found.indices] == pytest.approx([0.5, 0.5], abs=0.04)


def test_texts_have_shares_too():
    generator = rng(9)
    mode, mass = generator.choice(["fixed", "floating", "flying"], size=3000), generator.normal(size=3000)
    y = np.where(mode == "flying", 3.0, 0.0) * (1 + mass)
    found = sensitivity(table({"y": y}, {"mode": mode, "mass": mass, "arm": np.full(3000, "short")}), "y", rng=rng(10))
    parts = np.array([2.0, 1.0, 2.0])  # mode alone, mass alone, both: 9 times 2/9, 1/9, 2/9
    assert found["mode"].first == pytest.approx(parts[0] / 5, abs=0.03)
    assert found["mode"].total == pytest.approx((parts[0] + parts[2]) / 5, abs=0.03)
    assert found["mass"].first == pytest.approx(parts[1] / 5, abs=0.03)
    assert found["mass"].total == pytest.approx((parts[1] + parts[2]) / 5, abs=0.03)
    assert found.constant == ("arm",)
    assert found.ranked[0].name == "mode"


def test_noise_is_unexplained_and_said():
    found = sensitivity(sampled(Linear(), 4, 2000, rng(11), noise=np.sqrt(14 / 12)), "y", rng=rng(12))
    assert found.unexplained == pytest.approx(0.5, abs=0.05)
    assert "% of the variance is not a smooth function of these inputs" in found.note
    assert found["x3"].total == pytest.approx(9 / 28, abs=0.06)


def test_correlated_inputs_are_refused_by_name():
    x = rng(13).normal(size=(500, 2))
    made = table({"y": x.sum(axis=1)}, {"a": x[:, 0], "b": x[:, 0] + x[:, 1]})
    with pytest.raises(InvalidInput, match=r"inputs 'a' and 'b': expected independent, found a rank correlation of 0\.\d\d"):
        sensitivity(made, "y", rng=rng(0))
    assert sensitivity(made, "y", ["a"], rng=rng(0))["a"].first == pytest.approx(0.5, abs=0.1)


def test_cases_without_a_value_are_refused_or_left_out_and_said():
    made = sampled(Linear(), 4, 300, rng(14))
    y = np.where(np.arange(300) < 7, np.nan, made.metric("y"))
    lossy = table({"y": y}, made.inputs)
    with pytest.raises(InvalidInput, match=r"y: .* none in 7 of 300 cases \(0, 1, 2, 3, 4, \.\.\.\)"):
        sensitivity(lossy, "y", rng=rng(0))
    left = sensitivity(lossy, "y", missing=Missing.LEFT_OUT, rng=rng(0))
    assert (left.runs, left.missing) == (293, 7)
    assert "7 cases without a value are left out" in left.note


def test_what_cannot_be_told_is_refused():
    made = sampled(Linear(), 4, 12, rng(15))
    with pytest.raises(InvalidInput, match=r"at least 15 runs.*12 runs, 4 inputs"):
        sensitivity(made, "y", rng=rng(0))
    with pytest.raises(InvalidInput, match=r"a metric that varies, found 1\.0 in all 12 cases"):
        sensitivity(table({"y": np.ones(12)}, {"a": np.arange(12.0)}), "y", rng=rng(0))
    with pytest.raises(InvalidInput, match="inputs that vary, found none"):
        sensitivity(table({"y": np.arange(12.0)}, {"a": np.ones(12)}), "y", rng=rng(0))


def test_the_same_seed_gives_the_same_bounds():
    made = sampled(Ishigami(), 3, 300, rng(16))
    assert sensitivity(made, "y", rng=rng(1)) == sensitivity(made, "y", rng=rng(1))


@pytest.mark.slow
def test_bounds_of_monte_carlo_studies_hold_nine_times_in_ten():
    found = []
    for i in range(40):
        for function, inputs in FUNCTIONS:
            found += kept(sensitivity(sampled(function, inputs, 1000, rng(18, i)), "y", rng=rng(19, i)), function)
    assert 0.86 <= np.mean(found) <= 0.94


def test_inputs_that_move_together_share_one_index():
    a, b = rng(20).random((2, 2000))
    inputs = {"inertia[0]": 6.0 + a, "inertia[1]": 3.0 * (6.0 + a), "inertia[2]": -(6.0 + a), "mass": b}
    found = sensitivity(table({"y": a + 2 * b}, inputs), "y", rng=rng(21))
    assert [index.name for index in found.indices] == ["inertia[0]", "mass"]
    assert found["inertia[0]"].total == pytest.approx(0.2, abs=0.05)
    assert found.together["inertia[0]"] == ("inertia[0]", "inertia[1]", "inertia[2]")
    assert "3 inputs that move together" in found.note


def test_texts_move_together_when_they_change_in_the_same_cases():
    at = rng(22).integers(3, size=900)
    words, others = np.array(["c", "a", "b"])[at], np.array(["x", "z", "y"])[at]
    alone = rng(23).integers(3, size=900)
    found = sensitivity(table({"y": 1.0 * at}, {"arm": words, "tool": others, "mode": words[alone]}), "y", rng=rng(24))
    assert found.together == {"arm": ("arm", "tool"), "mode": ("mode",)}
