"""A case is known from its number: alone, in a block, in any order, after pickling."""

import pickle
import tracemalloc

import numpy as np
import pytest
from scipy import stats
from scipy.stats._distr_params import distcont, distdiscrete

from scmanip.errors import InvalidInput
from scmanip.study import (
    Correlated,
    FullFactorial,
    LatinHypercube,
    MassTable,
    Plan,
    Sobol,
    dispersed,
    grid,
    levels,
    span,
    uniform_ball,
)

SLOW = {"levy_stable", "studentized_range", "norminvgauss", "vonmises", "genhyperbolic", "kstwo", "ksone", "poisson_binom"}
FAMILIES = [
    (name, tuple(map(float, shapes)))
    for name, shapes in (*distcont, *distdiscrete)
    if name not in SLOW and isinstance(name, str)
]


def plan(**changes):
    given = {
        "seed": 11,
        "design": {"a.mass_kg": levels(100.0, 200.0), "a.mode": levels("floating", "flying")},
        "dispersion": {
            "a.mass_kg": dispersed(stats.norm(1, 0.05), how="scale"),
            "b.com_m": uniform_ball(0.01),
            "b.rate": dispersed(stats.lognorm(0.5), size=3),
            "b.gain": stats_gain(),
        },
        "correlated": [Correlated.of(["a.mass_kg", "b.rate[1]"], [[1, 0.6], [0.6, 1]])],
        "repeats": 50,
        "nominal": {"b.com_m": (0.1, 0.2, 0.3)},
    }
    return Plan(**{**given, **changes})


def stats_gain():
    return dispersed(stats.uniform(2, 3))


@pytest.mark.slow
def test_a_case_alone_equals_the_same_case_in_any_company():
    whole = plan().cases_between(0, 200)
    rng = np.random.default_rng(5)
    for number in rng.permutation(200).tolist():
        assert plan().case(number) == whole[number]
    for first, last in np.sort(rng.integers(0, 201, (50, 2))).tolist():
        assert plan().cases_between(first, last) == whole[first:last]


def test_a_plan_that_was_pickled_gives_the_same_cases_and_carries_no_tables():
    sampled = Plan(seed=1, design={"x": span(0, 1)}, sampling=LatinHypercube(100_000))
    before = sampled.case(99_999)
    packed = pickle.dumps(sampled)
    assert len(packed) < 3000
    assert pickle.loads(packed).case(99_999) == before
    assert pickle.loads(pickle.dumps(plan())).case(7) == plan().case(7)


@pytest.mark.battery(3)
@pytest.mark.parametrize(("name", "shapes"), FAMILIES, ids=[name for name, _ in FAMILIES])
def test_every_family_gives_the_same_bits_alone_and_in_a_block(name, shapes):
    scatter = Plan(
        seed=2,
        dispersion={"x": dispersed(getattr(stats, name)(*shapes)), "y": dispersed(getattr(stats, name)(*shapes), size=2)},
        repeats=40,
    )
    block = scatter.cases_between(0, 40)
    assert [scatter.case(number) for number in range(40)] == block
    assert scatter.cases_between(13, 29) == block[13:29]


def test_numbers_of_design_and_repeat_follow_from_that_of_the_case():
    for case in plan().cases_between(0, 200):
        assert (case.design, case.repeat) == divmod(case.number, 50)
    modes = [case.values["a.mode"] for case in plan().cases_between(0, 200)]
    assert modes == ["floating"] * 50 + ["flying"] * 50 + ["floating"] * 50 + ["flying"] * 50


def test_another_dispersion_at_the_end_leaves_the_draws_of_the_others():
    short = Plan(seed=3, dispersion={"x": dispersed(stats.norm(0, 1)), "y": uniform_ball(1, how="set")}, repeats=20)
    long = Plan(seed=3, dispersion={**short.dispersion, "z": dispersed(stats.norm(0, 1))}, repeats=20)
    for one, other in zip(short.cases_between(0, 20), long.cases_between(0, 20), strict=True):
        assert {**one.values, "z": other.values["z"]} == other.values


def test_seeds_and_numbers_that_are_neighbours_share_no_draws():
    drawn = [
        case.values["x"]
        for seed in range(5)
        for case in Plan(seed=seed, dispersion={"x": dispersed(stats.norm(0, 1))}, repeats=200).cases_between(0, 200)
    ]
    assert len(set(drawn)) == 1000


def test_the_last_of_a_million_cases_is_there_at_once_and_memory_stays_flat():
    many = Plan(seed=4, dispersion={"x": dispersed(stats.norm(0, 1), size=10)}, repeats=1_000_000)
    many.case(0)
    tracemalloc.start()
    for first in range(0, 1_000_000, 100_000):
        many.cases_between(first, first + 100)
    many.case(999_999)
    assert tracemalloc.get_traced_memory()[1] < 2e6
    tracemalloc.stop()
    assert many.cases == 1_000_000


def test_columns_name_the_numbers_of_a_case_in_its_order():
    made = plan()
    assert made.columns == (
        *("a.mass_kg", "a.mode", "b.com_m[0]", "b.com_m[1]", "b.com_m[2]"),
        *("b.rate[0]", "b.rate[1]", "b.rate[2]", "b.gain"),
    )
    for number in (0, 199):
        values = made.case(number).values.values()
        assert sum(len(value) if isinstance(value, tuple) else 1 for value in values) == len(made.columns)


def test_a_dispersion_is_set_added_or_multiplied():
    u = plan(nominal={"b.com_m": (0.0, 0.0, 0.0)}).case(70).values["b.com_m"]
    assert np.allclose(np.subtract(plan().case(70).values["b.com_m"], (0.1, 0.2, 0.3)), u, rtol=0, atol=1e-16)
    factors = [case.values["a.mass_kg"] / (100, 200)[case.design // 2] for case in plan().cases_between(0, 200)]
    assert abs(np.mean(factors) - 1) < 4 * 0.05 / np.sqrt(200)
    assert 0.03 < np.std(factors) < 0.07


def test_one_factor_scales_a_value_of_several_numbers_as_a_whole():
    tensor = Plan(seed=1, dispersion={"J": dispersed(stats.norm(1, 0.1), how="scale")}, nominal={"J": (2.0, 3.0, 4.0)})
    assert tensor.columns == ("J[0]", "J[1]", "J[2]")
    value = tensor.case(0).values["J"]
    assert np.ptp(np.divide(value, (2.0, 3.0, 4.0))) < 1e-15


def test_a_design_variable_may_stand_for_several_paths():
    modes = Plan(seed=0, design={"phase.*.mode": levels("a", "b")}, targets={"phase.*.mode": ("phase.x.mode", "phase.y.mode")})
    assert modes.cases == 2
    assert modes.case(1).values == {"phase.x.mode": "b", "phase.y.mode": "b"}
    assert modes.columns == ("phase.x.mode", "phase.y.mode")


def test_the_key_changes_with_anything_that_changes_a_case():
    keys = {
        plan().key,
        plan(seed=12).key,
        plan(repeats=51).key,
        plan(correlated=()).key,
        plan(nominal={"b.com_m": (0.1, 0.2, 0.4)}).key,
        plan(design={"a.mass_kg": levels(100.0, 201.0), "a.mode": levels("floating", "flying")}).key,
        plan(sampling=Sobol(4)).key,
    }
    assert len(keys) == 7
    assert plan().key == plan().key


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"nominal": {}}, "b.com_m: expected a nominal value to add, found none"),
        (
            {"nominal": {"b.com_m": 0.1}},
            "b.com_m: expected a dispersion of one number, as its value has, found 3 numbers; leave out size",
        ),
        (
            {"nominal": {"b.com_m": (0.0,) * 3, "b.rate": (1.0, 2.0)}},
            "b.rate: expected a dispersion of 2 numbers, as its value has, found 3 numbers; size = 2",
        ),
        ({"nominal": {"b.com_m": (0.0,) * 3, "b.gain": "high"}}, "b.gain: expected a number to disperse, found 'high'"),
        (
            {"dispersion": {"a.mode": dispersed(stats.norm(1, 1), how="add")}, "correlated": ()},
            "a.mode: expected a number to disperse, found 'floating'",
        ),
        (
            {"dispersion": {"a.mass_kg": dispersed(stats.norm(1, 1))}, "correlated": ()},
            "a.mass_kg: expected a design variable or a dispersion that sets it, found both; "
            'how = "add" or "scale" disperses about the value of the design',
        ),
        (
            {"correlated": [Correlated.of(["b.rte[1]", "b.gain"], np.eye(2))]},
            "correlated[0].paths: expected paths of dispersions, found 'b.rte[1]'; did you mean 'b.rate[1]'?",
        ),
        (
            {"correlated": [Correlated.of(["b.rate", "b.gain"], np.eye(2))]},
            "correlated[0].matrix: expected 4 rows, one per number drawn, found 2",
        ),
        (
            {"correlated": [Correlated.of(["b.rate", "b.rate[0]"], np.eye(4))]},
            "correlated[0].paths: expected every number in one group, once, found 'b.rate[0]'",
        ),
    ],
)
def test_parts_that_do_not_go_together_are_refused(changes, says):
    with pytest.raises(InvalidInput) as caught:
        plan(**changes)
    assert str(caught.value) == says


@pytest.mark.parametrize("number", [-1, 200])
def test_a_case_that_does_not_exist_is_refused(number):
    with pytest.raises(InvalidInput, match="from 0 to 199"):
        plan().case(number)


def test_full_factorial_has_every_combination_once():
    factorial = Plan(seed=0, design={"x": grid(0, 1, 3), "y": levels("a", "b"), "z": levels(1, 2, 3, 4)})
    combinations = {tuple(case.values.values()) for case in factorial.cases_between(0, factorial.cases)}
    assert factorial.cases == len(combinations) == 24


@pytest.mark.parametrize("seed", range(5))
def test_a_latin_hypercube_has_each_part_of_every_variable_once(seed):
    cube = Plan(
        seed=seed,
        design={"x": span(-1, 1), "y": span(1, 1000, log=True), "z": levels("a", "b", "c", "d")},
        sampling=LatinHypercube(40),
    )
    x, y, z = zip(*(case.values.values() for case in cube.cases_between(0, 40)), strict=True)
    assert sorted(np.floor((np.array(x) + 1) / 2 * 40).astype(int)) == list(range(40))
    assert sorted(np.floor(np.log10(y) / 3 * 40).astype(int)) == list(range(40))
    assert all(z.count(level) == 10 for level in "abcd")


@pytest.mark.parametrize("seed", range(5))
def test_sobol_points_are_balanced_in_every_pair_of_variables(seed):
    cube = Plan(seed=seed, design={"x": span(0, 1), "y": span(0, 1), "z": levels(*range(8))}, sampling=Sobol(64))
    points = np.array([list(case.values.values()) for case in cube.cases_between(0, 64)])
    assert (np.histogram2d(points[:, 0], points[:, 1], 8, [[0, 1], [0, 1]])[0] == 1).all()
    for k in (0, 1):
        assert (np.histogram(points[:, k], 64, (0, 1))[0] == 1).all()
    assert (np.bincount(points[:, 2].astype(int)) == 8).all()


def test_points_of_the_design_do_not_depend_on_repeats_or_dispersions():
    design = {"x": span(0, 1)}
    plain = Plan(seed=9, design=design, sampling=Sobol(16))
    scattered = Plan(seed=9, design=design, sampling=Sobol(16), dispersion={"y": dispersed(stats.norm(0, 1))}, repeats=3)
    assert [scattered.case(3 * d).values["x"] for d in range(16)] == [case.values["x"] for case in plain.cases_between(0, 16)]


def test_samplings_say_what_they_cannot_do():
    with pytest.raises(InvalidInput, match=r"found a span; grid\(0, 1, count\)"):
        FullFactorial().points([span(0, 1)], 0)
    with pytest.raises(InvalidInput, match="8 or 16"):
        Sobol(10)
    with pytest.raises(InvalidInput, match="chance alone needs repeats"):
        LatinHypercube(10).points([], 0)


def test_a_study_has_no_more_cases_than_can_be_counted_through():
    with pytest.raises(InvalidInput, match="at most 100000000 cases in all, found 8 points with 1000000000000 each, 8e\\+12"):
        Plan(seed=1, design={"z": levels(*range(8))}, dispersion={"y": dispersed(stats.norm(0, 1))}, repeats=10**12)


def test_numbers_of_a_table_of_masses_may_follow_from_others() -> None:
    head = "body,mass_kg,ixx_kg_m2,iyy_kg_m2,izz_kg_m2,sigma_mass_kg,sigma_ixx_kg_m2,sigma_izz_kg_m2"
    table = f"{head},corr_mass_ixx,corr_mass_izz,corr_ixx_izz\narm,4,1,1,1,0.2,0.1,0.1,1,-1,-1\n"
    given = MassTable("masses.csv", table, "masses.csv")
    drawn = given.drawn("system.body.arm", lambda path: [path])
    given_plan = Plan(seed=3, dispersion=drawn.dispersion, correlated=drawn.correlated, repeats=50)
    rows = [case.values for case in given_plan.cases_between(0, 50)]
    mass = np.array([row["system.body.arm.mass_kg"] for row in rows])
    inertia = np.array([row["system.body.arm.inertia_kg_m2"] for row in rows])
    np.testing.assert_allclose(inertia[:, 0] - 1, (mass - 4) / 2, atol=1e-9)
    np.testing.assert_allclose(inertia[:, 2] - 1, (4 - mass) / 2, atol=1e-9)
    assert np.all(inertia[:, 1] == 1)
