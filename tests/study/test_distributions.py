"""Draws have the distribution that was asked for: against SciPy's distribution functions, and by geometry for the ball."""

import numpy as np
import pytest
from scipy import stats

from scmanip.errors import InvalidInput
from scmanip.study import Correlated, Dispersion, Distribution, Plan, UniformBall, dispersed, uniform_ball

CASES = 4000
LEVEL = 0.001  # a right distribution fails so often; there are some fifty tests, whose seed is fixed
FAMILIES = [
    *(stats.norm(3, 0.2), stats.uniform(-1, 4), stats.truncnorm(-2, 1.5, loc=4, scale=3), stats.triang(0.3, 1, 2)),
    *(stats.lognorm(0.4, scale=2), stats.beta(2, 5, loc=1), stats.expon(scale=3), stats.weibull_min(1.7), stats.t(4, 1, 2)),
    *(stats.gamma(a=2.5, scale=0.1), stats.laplace(1, 2), stats.cauchy(), stats.rayleigh(scale=0.3), stats.gumbel_r(1, 0.2)),
]


def draws(given, repeats=CASES, seed=17):
    made = Plan(seed=seed, dispersion={"x": given if isinstance(given, Dispersion) else dispersed(given)}, repeats=repeats)
    return np.array([case.values["x"] for case in made.cases_between(0, repeats)])


@pytest.mark.battery(3)
@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.dist.name)
def test_draws_follow_the_distribution_function(family):
    assert stats.kstest(draws(family), family.cdf).pvalue > LEVEL


@pytest.mark.parametrize("family", [stats.norm(3, 0.2), stats.uniform(-1, 4)], ids=lambda family: family.dist.name)
def test_those_that_are_drawn_without_scipy_stats_are_its_own_to_the_last_bit(family):
    u = np.random.default_rng(3).uniform(1e-12, 1, (1000, 1))
    (loc, scale), made = family.args, Distribution.frozen(family)
    assert np.array_equal(made.values(u), family.dist.ppf(u) * scale + loc)
    assert made == Distribution.named(family.dist.name, {"loc": loc, "scale": scale})


@pytest.mark.parametrize(
    "family",
    [stats.poisson(3.5), stats.binom(10, 0.3), stats.randint(2, 8), stats.geom(0.4, loc=-1)],
    ids=lambda f: f.dist.name,
)
def test_counts_of_discrete_draws_are_those_expected(family):
    found, counts = np.unique(draws(family), return_counts=True)
    expected = CASES * family.pmf(found)
    often = expected > 5
    rest = np.append(counts[often], counts[~often].sum()), np.append(expected[often], CASES - expected[often].sum())
    assert stats.chisquare(*rest).pvalue > LEVEL


def test_components_are_independent_and_each_follows_its_own():
    given = dispersed(stats.norm([1, 2, 3], [0.1, 1, 10]))
    assert given.size == 3
    drawn = draws(given)
    for k, (loc, scale) in enumerate([(1, 0.1), (2, 1), (3, 10)]):
        assert stats.kstest(drawn[:, k], stats.norm(loc, scale).cdf).pvalue > LEVEL
    assert np.abs(np.corrcoef(drawn.T) - np.eye(3)).max() < 4 / np.sqrt(CASES)


def test_a_ball_is_filled_evenly():
    points = draws(uniform_ball(2.0, how="set"))
    distance = np.linalg.norm(points, axis=1)
    assert stats.kstest((distance / 2) ** 3, "uniform").pvalue > LEVEL
    for axis in np.random.default_rng(0).normal(size=(5, 3)):
        height = points @ axis / np.linalg.norm(axis) / distance
        assert stats.kstest(height, stats.uniform(-1, 2).cdf).pvalue > LEVEL
    assert np.abs(np.cov(points.T) - np.eye(3) * 4 / 5).max() < 0.06  # R^2/5 along every axis
    assert distance.max() < 2


def test_correlated_draws_have_the_correlation_and_keep_their_own_distributions():
    C = np.array([[1, 0.8, -0.3, 0.1], [0.8, 1, 0.0, 0.2], [-0.3, 0.0, 1, 0.5], [0.1, 0.2, 0.5, 1]])
    families = {"a": stats.norm(5, 2), "b": stats.lognorm(0.7), "c": stats.uniform(1, 2), "d": stats.expon()}
    made = Plan(
        seed=23,
        dispersion={path: dispersed(family) for path, family in families.items()} | {"free": dispersed(stats.norm(0, 1))},
        correlated=[Correlated.of(list(families), C)],
        repeats=CASES,
    )
    table = np.array([list(case.values.values()) for case in made.cases_between(0, CASES)])
    scores = [stats.norm.ppf(family.cdf(table[:, k])) for k, family in enumerate(families.values())]
    assert np.abs(np.corrcoef(scores) - C).max() < 4 / np.sqrt(CASES)
    for k, family in enumerate(families.values()):
        assert stats.kstest(table[:, k], family.cdf).pvalue > LEVEL
        assert abs(np.corrcoef(table[:, k], table[:, 4])[0, 1]) < 4 / np.sqrt(CASES)


def test_the_rank_correlation_is_that_of_the_copula():
    made = Plan(
        seed=3,
        dispersion={"v": dispersed(stats.uniform(0, 1), size=2)},
        correlated=[Correlated.of(["v"], [[1, -0.9], [-0.9, 1]])],
        repeats=CASES,
    )
    v = np.array([case.values["v"] for case in made.cases_between(0, CASES)])
    assert abs(stats.spearmanr(*v.T).statistic - 6 / np.pi * np.arcsin(-0.45)) < 0.01


def test_one_distribution_has_one_description_however_it_was_written():
    written = [stats.norm(0, 2), stats.norm(scale=2), stats.norm(loc=0.0, scale=2.0), stats.norm(0, scale=2)]
    assert len({str(dispersed(given).table) for given in written}) == 1
    assert dispersed(stats.truncnorm(-1, 1)).table == {
        "distribution": "truncnorm", "a": -1.0, "b": 1.0, "loc": 0.0, "scale": 1.0, "how": "set",
    }  # fmt: skip


class _Own(stats.rv_continuous):
    def _pdf(self, x):
        return 3 * x**2


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: Distribution.named("nrom", {}), "did you mean 'norm'"),
        (lambda: Distribution.named("norm", {"sclae": 1}), "did you mean 'scale'"),
        (lambda: Distribution.named("truncnorm", {"a": 1}), "b: expected a number, which 'truncnorm' needs, found nothing"),
        (lambda: Distribution.named("norm", {"scale": 0.0}), "scale: expected a number > 0, found 0"),
        (lambda: Distribution.named("norm", {"scale": [0.0, 0.0]}), "scale: expected a number > 0, found 0"),
        (lambda: Distribution.named("norm", {"scale": [1.0, -1.0]}), "scale: expected a number > 0, found -1"),
        (lambda: Distribution.named("norm", {"scale": float("nan")}), "scale: expected a finite number"),
        (lambda: Distribution.named("norm", {"loc": [1, [2]]}), "loc: expected a finite number"),
        (lambda: Distribution.named("norm", {"loc": [1, 2], "scale": [1, 2, 3]}), "lists of one length"),
        (lambda: Distribution.named("beta", {"a": -1, "b": 2}), "parameters that 'beta' takes, found a = -1.0, b = 2.0"),
        (lambda: Distribution.named(["norm"], {}), "the name of a distribution"),
        (lambda: Distribution.named("multivariate_normal", {}), "a distribution of scipy.stats"),
        (lambda: Distribution.named("kstest", {}), "a distribution of scipy.stats"),
        (lambda: Distribution.named("__class__", {}), "a distribution of scipy.stats"),
        (lambda: dispersed(_Own(a=0, b=1, name="own")()), "a distribution of scipy.stats"),
        (lambda: dispersed(_Own(a=0, b=1, name="norm")()), "one of your own"),
        (lambda: dispersed(stats.norm), "give its parameters: norm(0, 1)"),
        (lambda: dispersed(3.0), "a fixed value belongs in the mission"),
        (lambda: dispersed(stats.norm(0, 1), how="multiply"), "one of set, add, scale"),
        (lambda: dispersed(stats.norm(0, 1), size=0), "size: expected a whole number from 1 to 1000, found 0"),
        (lambda: dispersed(stats.norm([0, 1], 1), size=3), "size: expected 2, as many as the distribution has, found 3"),
        (lambda: UniformBall(-1.0), "a radius > 0"),
        (lambda: UniformBall("a"), "a radius > 0"),
        (lambda: Correlated.of(["a", "b"], [[1, 2], [2, 1]]), "positive definite matrix, found an eigenvalue of -1"),
        (lambda: Correlated.of(["a", "b"], [[1, 1], [1, 1]]), "positive definite"),
        (lambda: Correlated.of(["a", "b"], [[1, 0.5], [0.4, 1]]), "symmetric"),
        (lambda: Correlated.of(["a", "b"], [[2, 0.5], [0.5, 1]]), "ones on its diagonal"),
        (lambda: Correlated.of(["a", "b"], [[1, 0.5], [0.5]]), "square"),
        (lambda: Correlated.of(["a", "a"], np.eye(2)), "every path once"),
    ],
)
def test_what_is_no_distribution_is_refused_with_the_reason(make, says):
    with pytest.raises(InvalidInput) as caught:
        make()
    assert says in str(caught.value)
