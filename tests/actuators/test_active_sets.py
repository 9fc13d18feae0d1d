"""Active sets of thrusters: the allocation as a formula, where it holds, and what it is in every corner."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import linprog

from scmanip.actuators import Pushers
from scmanip.symbolic import record
from scmanip.system import Body, System, Thruster
from tests.modes.clusters import box, pairs, tug


def craft(*lines: tuple[list[float], list[float], float]) -> Pushers:
    """A body with thrusters at places along directions with a largest force."""
    thrusters = [Thruster(f"t{k}", *line, 200.0) for k, line in enumerate(lines)]
    return System("craft", Body("base", 10.0, np.ones(3)), actuators=thrusters).pushers


CLUSTERS = {
    "corners of a box": tug(box()).pushers,
    "pairs": tug(pairs()).pushers,
    "no way back": tug(box()[:11]).pushers,
    "two in a plane": craft(([1, 0, 0], [1, 0, 0], 5.0), ([0, 0, 0], [0.6, 0.8, 0], 5.0)),
}
EVERY_CLUSTER = pytest.mark.parametrize("name", CLUSTERS)
REACH = np.array([10.0, 10, 10, 5, 5, 5])


def demands(n: int, seed: int) -> list[np.ndarray]:
    """Wrenches of any size, some with parts that are nothing."""
    rng = np.random.default_rng(seed)
    sizes = 10 ** rng.uniform(-8, 1.5, size=n)
    return [size * REACH * rng.normal(size=6) * (rng.integers(0, 2, 6) if k % 4 == 0 else 1) for k, size in enumerate(sizes)]


def check_same(cluster: Pushers, numbers: np.ndarray, wrench: np.ndarray) -> None:
    """The formula of a set is the allocation of a wrench."""
    (formula, beyond), found = cluster.by_set(numbers, wrench), cluster.allocate(wrench)
    assert beyond <= 1e-11
    assert_allclose(formula.force_N, found.force_N, rtol=0, atol=1e-12 * cluster.largest_N.max())
    assert_allclose(formula.wrench, found.wrench, rtol=0, atol=1e-11)
    assert formula.propellant_kg_s == pytest.approx(found.propellant_kg_s, rel=1e-9, abs=1e-15)
    assert not found.force_N.any() or formula.scale == pytest.approx(found.scale, rel=1e-12)
    assert_allclose(formula.error, found.error, rtol=0, atol=1e-9 * max(np.abs(wrench).max(), 1e-3))


@EVERY_CLUSTER
def test_the_formula_of_a_set_is_the_allocation_of_the_demand_it_was_found_for(name: str) -> None:
    cluster, seen = CLUSTERS[name], 0
    for wrench in [np.zeros(6), *demands(40, 1)]:
        found = cluster.active_set(wrench)
        if found is not None:
            check_same(cluster, found.packed, wrench)
            seen += 1
    assert seen > 30


@EVERY_CLUSTER
def test_a_set_is_the_allocation_of_every_demand_that_is_not_beyond_it_and_of_no_other(name: str) -> None:
    """Along lines from one demand to another, up to where the set says that it ends."""
    cluster, inside, outside = CLUSTERS[name], 0, 0
    ends = [2.0 * REACH * row for row in np.random.default_rng(2).normal(size=(10, 2, 6))]
    for start, end in ends:
        numbers = cluster.active_set(start).packed
        for part in np.linspace(0.0, 1.0, 21):
            wrench = start + part * (end - start)
            formula, beyond = cluster.by_set(numbers, wrench)
            if beyond <= 0:
                check_same(cluster, numbers, wrench)
                inside += 1
            elif beyond > 1e-6:
                found = cluster.allocate(wrench)
                off = np.concatenate([formula.force_N - found.force_N, formula.wrench - found.wrench])
                assert np.abs(off).max() > 1e-7
                outside += 1
    assert inside > 20 and outside > 20


def test_of_answers_that_burn_the_same_the_one_with_the_earlier_thrusters_is_taken() -> None:
    """Two thrusters at each of two places, all alike: a pure force needs one at each place."""
    line = [1.0, 0, 0]
    twice = craft(([0, 1, 0], line, 5.0), ([0, 1, 0], line, 5.0), ([0, -1, 0], line, 5.0), ([0, -1, 0], line, 5.0))
    assert_allclose(twice.allocate(np.array([6.0, 0, 0, 0, 0, 0])).force_N, [3, 0, 3, 0], atol=1e-14)
    assert_allclose(twice.allocate(np.array([16.0, 0, 0, 0, 0, 0])).force_N, [5, 3, 5, 3], atol=1e-14)


@pytest.mark.battery(4)
@pytest.mark.parametrize("seed", range(40))
def test_ties_are_broken_alike_whatever_the_search_came_to(seed: int) -> None:
    """The answer is the least of the weighted sum of shares, by a linear program of that among all that burn the least."""
    cluster, rng = CLUSTERS["corners of a box"], np.random.default_rng([seed, 3])
    wrench = REACH * rng.normal(size=6) * 0.3
    found, n = cluster.allocate(wrench), len(cluster.each)
    rows, cost = cluster.wrench_map * cluster.largest_N, cluster.largest_N / cluster.exhaust_m_s
    weights, most = np.sqrt(np.arange(1.0, n + 1)), found.propellant_kg_s * (1 + 1e-10)
    least = linprog(weights, A_eq=rows, b_eq=wrench, A_ub=[cost], b_ub=most, bounds=(0, 1))
    assert least.status == 0
    assert_allclose(found.force_N / cluster.largest_N, least.x, rtol=0, atol=1e-5)


def test_the_formula_is_the_same_over_recorded_scalars() -> None:
    cluster, wrench = CLUSTERS["corners of a box"], np.array([60.0, 5, -3, 2, 1, 4])
    numbers = cluster.active_set(wrench).packed

    def program(*, numbers, wrench):
        thrust, beyond = cluster.by_set(numbers, wrench)
        told = {"force": thrust.force_N, "error": thrust.error, "beyond": np.array(beyond)}
        return {**told, "unmet": cluster.unmet(thrust.force_N)}

    recorded = record({"numbers": (cluster.set_size,), "wrench": (6,)}, program)
    force, error, beyond, unmet = recorded.evaluate(numbers[np.newaxis], wrench[np.newaxis])
    thrust = cluster.allocate(wrench)
    assert thrust.scale < 1 and unmet[0] > 0 and beyond[0] <= 1e-12
    assert_allclose(force[0], thrust.force_N, atol=1e-12)
    assert_allclose(error[0], thrust.error, atol=1e-11)


def test_a_set_says_by_how_much_a_demand_is_beyond_it() -> None:
    bar = craft(([0, 1, 0], [1, 0, 0], 5.0), ([0, -1, 0], [-1, 0, 0], 5.0))
    couple = np.array([0, 0, 0, 0, 0, -1.0])
    numbers = bar.active_set(6.0 * couple).packed
    assert bar.by_set(numbers, 9.0 * couple)[1] == pytest.approx(-0.0, abs=1e-15)
    assert bar.by_set(numbers, 12.0 * couple)[1] == pytest.approx(0.2, rel=1e-12)
    assert bar.by_set(numbers, -1.0 * couple)[1] == pytest.approx(0.1, rel=1e-12)
    full = bar.active_set(20.0 * couple).packed
    assert bar.by_set(full, 40.0 * couple)[1] <= 1e-15 and bar.by_set(full, 40.0 * couple)[0].scale == pytest.approx(0.25)
    assert bar.by_set(full, 8.0 * couple)[1] == pytest.approx(0.25, rel=1e-12)
