"""What a cluster of thrusters gives for a wrench, what it burns, and what remains."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import linprog, lsq_linear

from scmanip.dynamics import compile_model
from scmanip.errors import ModeMismatch
from scmanip.modes import Flying, RotationFlying, TranslationFlying
from scmanip.simulation import simulate
from scmanip.spatial import dcm_from_quaternion
from scmanip.system import Body, System, Thruster
from tests.simulation.arms import moving_state

from .clusters import box, pairs, tug

G0 = 9.80665


def wrench_of(system: System, force_N: np.ndarray) -> np.ndarray:
    """Sum of the thrusters' forces and of their moments about the base CoM, in base axes, one by one."""
    f = [force * t.direction for t, force in zip(system.thrusters, force_N, strict=True)]
    n = [np.cross(t.position_m - system.base.com_m, one) for t, one in zip(system.thrusters, f, strict=True)]
    return np.concatenate([np.sum(f, axis=0), np.sum(n, axis=0)])


def cheapest(system: System, wrench: np.ndarray) -> float:
    """Least propellant [kg/s] by a linear program over forces within their limits; infinite where there are none."""
    columns = np.column_stack([wrench_of(system, row) for row in np.eye(len(system.thrusters))])
    cost = np.array([1 / (t.isp_s * G0) for t in system.thrusters])
    found = linprog(cost, A_eq=columns, b_eq=wrench, bounds=[(0, t.force_N) for t in system.thrusters])
    return float(found.fun) if found.status == 0 else np.inf


@pytest.mark.battery(3)
@pytest.mark.parametrize("seed", range(60))
def test_a_wrench_within_reach_is_given_exactly_by_the_least_propellant(seed: int) -> None:
    system, rng = tug(box()), np.random.default_rng(seed)
    wrench = rng.normal(size=6) * [8, 8, 8, 3, 3, 3] * rng.uniform(0.0, 0.8)
    thrust, least = system.pushers.allocate(wrench), cheapest(system, wrench)
    assert np.all(thrust.force_N >= 0) and np.all(thrust.force_N <= 10.0)
    assert_allclose(wrench_of(system, thrust.force_N), thrust.wrench, rtol=0, atol=1e-13)
    if np.isfinite(least):
        assert_allclose(thrust.wrench, wrench, rtol=0, atol=1e-13)
        assert thrust.scale == pytest.approx(1.0, abs=1e-9)
        assert thrust.propellant_kg_s == pytest.approx(least, rel=1e-9)
    else:
        assert thrust.scale < 1


@pytest.mark.battery(2)
@pytest.mark.parametrize("seed", range(20))
def test_a_wrench_too_large_keeps_its_direction_and_no_larger_part_of_it_is_within_reach(seed: int) -> None:
    system = tug(box())
    wrench = np.random.default_rng([seed, 1]).normal(size=6) * 80
    thrust = system.pushers.allocate(wrench)
    assert 0 < thrust.scale < 1
    assert_allclose(thrust.wrench, thrust.scale * wrench, rtol=0, atol=1e-11)
    assert_allclose(thrust.error, (1 - thrust.scale) * wrench, rtol=0, atol=1e-11)
    assert cheapest(system, 0.999 * thrust.wrench) < np.inf
    assert cheapest(system, 1.001 * thrust.wrench) == np.inf


def test_a_couple_of_two_opposite_thrusters_by_hand() -> None:
    thrusters = [Thruster("A", [0, 1, 0], [1, 0, 0], 5.0, 200.0), Thruster("B", [0, -1, 0], [-1, 0, 0], 5.0, 200.0)]
    system = System("bar", Body("base", 10.0, np.ones(3)), actuators=thrusters)
    thrust = system.pushers.allocate(np.array([0, 0, 0, 0, 0, -6.0]))
    assert_allclose(thrust.force_N, [3.0, 3.0], rtol=1e-14)
    assert thrust.propellant_kg_s == pytest.approx(6.0 / (200.0 * G0), rel=1e-14)
    wrong_way = system.pushers.allocate(np.array([0, 0, 0, 0, 0, 6.0]))
    assert not wrong_way.force_N.any() and wrong_way.error.tolist() == [0, 0, 0, 0, 0, 6.0]


def test_what_no_forces_give_is_replaced_by_the_nearest_that_some_do() -> None:
    thrusters = [Thruster("x", [1, 0, 0], [1, 0, 0], 5.0, 200.0), Thruster("y", [0, 0, 0], [0.6, 0.8, 0], 5.0, 200.0)]
    system = System("poor", Body("base", 10.0, np.ones(3)), actuators=thrusters)
    wrench = np.array([0.5, 2.0, -1.0, 0, 0, 0])
    thrust = system.pushers.allocate(wrench)
    nearest = lsq_linear(np.column_stack([thrusters[0].direction, thrusters[1].direction]), wrench[:3], bounds=(0, 5.0))
    assert_allclose(thrust.force_N, nearest.x, rtol=0, atol=1e-9)
    assert_allclose(thrust.wrench + thrust.error, wrench, rtol=0, atol=1e-14)


def test_nothing_wanted_burns_nothing() -> None:
    thrust = tug(box()).pushers.allocate(np.zeros(6))
    assert thrust.propellant_kg_s == 0 and not thrust.force_N.any() and thrust.scale == 1


@pytest.mark.slow
def test_the_wrench_given_follows_the_wrench_wanted_without_jumps() -> None:
    """Along a line through wrenches within reach, too large, and back."""
    cluster = tug(box()).pushers
    one, other = np.array([60.0, 5, -3, 2, 1, 4]), np.array([-20.0, 9, 60, -5, 3, -2])
    s = np.linspace(0, 1, 401)
    thrusts = [cluster.allocate((1 - x) * one + x * other) for x in s]
    given, burnt = np.array([t.wrench for t in thrusts]), np.array([t.propellant_kg_s for t in thrusts])
    assert min(t.scale for t in thrusts) < 0.9 and max(t.scale for t in thrusts) == 1
    assert abs(np.diff(given, axis=0)).max() < 5 * np.linalg.norm(other - one) / 400
    assert abs(np.diff(burnt)).max() < 0.02 * burnt.max()


WAYS = {
    "couples": (RotationFlying(), lambda t, s: np.array([0, 0, 0, np.sin(t), 0.5, -0.3 * t, 0.1, -0.2])),
    "forces through the CoM": (TranslationFlying(), lambda t, s: np.array([2 * np.sin(t), 1.0, -t, 0, 0, 0, 0.1, -0.2])),
    "wrenches": (Flying(), lambda t, s: np.array([2 * np.sin(t), 1.0, -t, 0.4, np.cos(t), 0, 0.1, -0.2])),
}
ALL_WAYS = pytest.mark.parametrize("way", WAYS)


@cache
def pushed(way: str, system: System):
    """Return 41 samples of one of `WAYS`: 2 s, or 4 s of couples, which are too large for weak thrusters later."""
    (mode, command), t_end_s = WAYS[way], 4.0 if way == "couples" else 2.0
    return simulate(compile_model(system), mode, command, moving_state(), t_end_s=t_end_s, output_step_s=t_end_s / 40)


IDEAL, STRONG, WEAK = tug(), tug(box()), tug(box(0.5))


@pytest.mark.battery(0, judged=1)
@ALL_WAYS
def test_real_thrusters_that_are_strong_enough_move_the_system_as_ideal_ones_do(way) -> None:
    real, ideal = pushed(way, STRONG), pushed(way, IDEAL)
    assert real.events == () and not real.missing_wrench.round(12).any()
    assert_allclose(real.states.x, ideal.states.x, rtol=0, atol=1e-8)
    assert all(residual.relative < 1e-8 for residual in real.residuals.values())
    assert not ideal.propellant_kg.any() and ideal.thrust_N.shape == (41, 0)


@pytest.mark.battery(0, judged=1)
@ALL_WAYS
def test_weak_thrusters_keep_the_contract_and_say_when_they_were_too_weak(way) -> None:
    history = pushed(way, WEAK)
    assert history.outcome == "completed"
    assert all(residual.relative < 1e-7 for residual in history.residuals.values())
    missing = abs(history.missing_wrench).max(axis=1) > 1e-9
    assert missing.any() and not missing.all()
    said = [event for event in history.events if event.startswith("the thrusters do not give the commanded wrench")]
    first = int(np.argmax(missing))
    began = float(said[0].split(" t = ")[1].split()[0])
    assert began == 0 if first == 0 else history.t[first - 1] <= began <= history.t[first]
    assert any("gives its largest force, 0.5 N, " in event for event in history.events)
    assert history.thrust_N.max() == pytest.approx(0.5, rel=1e-12) and history.thrust_N.min() >= 0


@pytest.mark.slow
def test_propellant_is_the_integral_of_what_every_thruster_burns() -> None:
    history = pushed("wrenches", STRONG)
    rates = history.thrust_N @ np.array([1 / (t.isp_s * G0) for t in STRONG.thrusters])
    assert history.propellant_kg[0] == 0 and np.all(np.diff(history.propellant_kg) > 0)
    trapezia = np.concatenate([[0], np.cumsum((rates[1:] + rates[:-1]) / 2 * np.diff(history.t))])
    assert_allclose(history.propellant_kg, trapezia, rtol=0, atol=2e-3 * trapezia[-1])


@pytest.mark.slow
def test_the_wrench_of_a_run_is_that_of_its_thrusters_turned_with_the_base() -> None:
    history = pushed("wrenches", WEAK)
    for attitude, thrust, wrench in zip(history.attitude_xyzw, history.thrust_N, history.wrench, strict=True):
        R, given = dcm_from_quaternion(attitude), wrench_of(WEAK, thrust)
        assert_allclose(wrench, [*(R @ given[:3]), *(R @ given[3:])], rtol=0, atol=1e-12)


def test_what_a_cluster_cannot_give_is_named() -> None:
    TranslationFlying().check(compile_model(tug(pairs())))
    RotationFlying().check(compile_model(tug(pairs())))
    with pytest.raises(
        ModeMismatch,
        match=r"mode 'translation_flying' needs .* strong: force along -x, force along \+y, force along -y, couple about -z of",
    ):
        TranslationFlying().check(compile_model(tug(pairs()[:-2])))


def test_couples_that_a_cluster_cannot_give_are_named_and_forces_are_not() -> None:
    one_sense = [t for t in pairs() if not t.name.startswith("z-1")]
    with pytest.raises(ModeMismatch, match=r"however strong: couple about -z of the base; add thrusters"):
        RotationFlying().check(compile_model(tug(one_sense)))


def test_thrusters_on_an_arm_are_refused_by_name() -> None:
    stray = Thruster("tip jet", [0, 0, 0], [1, 0, 0], 1.0, 200.0, "fore")
    for mode in (Flying(), RotationFlying(), TranslationFlying()):
        with pytest.raises(ModeMismatch, match="thruster 'tip jet' of system 'two joints' sits on 'fore'; move it to the base"):
            mode.check(compile_model(tug([*box(), stray])))


@pytest.mark.parametrize("size", [1e3, 1e10, 1e100, 1e300])
def test_a_wrench_of_any_size_beyond_reach_is_scaled_down_to_the_same_forces(size: float) -> None:
    system = tug(box())
    cluster = system.pushers
    direction = np.array([1.0, -2.0, 0.5, 0.3, 0.1, -0.4])
    thrust, nearer = cluster.allocate(size * direction), cluster.allocate(1e2 * direction)
    assert_allclose(thrust.wrench, nearer.wrench, rtol=1e-9, atol=1e-9)
    assert_allclose(thrust.scale * size, nearer.scale * 1e2, rtol=1e-9)
    assert not cluster.exact(thrust)
