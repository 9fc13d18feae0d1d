"""Margins over configurations: against python-control's at single points, and loops whose margins are known."""

from __future__ import annotations

import warnings
from functools import cache
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.analysis import Margins, broken_loop, delay_map, linearise, margins, root_loci
from scmanip.control import ComputedTorque, Delayed, Filtered, Integral, JointRegulator, OutputFeedback, Sampled, Sum
from scmanip.dynamics import compile_model
from scmanip.errors import InvalidInput, UnknownName
from scmanip.guidance import Hold
from scmanip.modes import FixedBase, Floating
from scmanip.plant import Plant
from scmanip.simulation import simulate
from scmanip.system import Body, Joint, State, System, load_system

from ..simulation.arms import model, two_joints

SIX = ("model:spatial_six_link", [0.1, 0.2, -0.5, 0.4, 0.5, 0.6])


@cache
def six_joints() -> tuple[Plant, State, Any]:
    """A floating arm under a law of springs and dampers."""
    made = compile_model(load_system(SIX[0]))
    return Plant(made, Floating()), State([0, 0, 0], [0, 0, 0, 1], SIX[1]), JointRegulator(made, K_P=40.0, K_D=30.0)


def at_points(found: Margins, plant: Plant, state: State, law: Any, count: int, **options: Any) -> None:
    """Compare with python-control at points of a grid over joints; beyond 1 it gives a nearest approach that is none."""
    names, rng = list(found.axes), np.random.default_rng(5)
    for _ in range(count):
        place = tuple(int(rng.integers(len(found.axes[name]))) for name in names)
        q = np.array(state.q)
        for name, k in zip(names, place, strict=True):
            q[plant.layout.q_names.index(name)] = found.axes[name][k]
        loop = int(rng.integers(len(found.loops)))
        posed = State(q=q) if plant.layout.fixed else State([0, 0, 0], [0, 0, 0, 1], q)
        gain, phase, modulus = known(broken_loop(plant, posed, law, found.loops[loop], **options))
        mine = [getattr(found, kind)[(*place, loop)] for kind in ("gain", "phase_deg", "modulus")]
        gain = gain if gain > 1e-9 else np.inf  # where L is 1 / s^2 it crosses by rounding
        assert_allclose(mine, [gain, phase, min(modulus, 1.0)], rtol=1e-6)


def known(L: Any) -> tuple[float, float, float]:
    """Return gain, phase and modulus margins of python-control."""
    import control

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        gain, phase, modulus, *_ = control.stability_margins(L)
    return gain, phase, modulus


@pytest.mark.slow
@pytest.mark.parametrize("count", [2, pytest.param(100, marks=pytest.mark.exhaustive)])
def test_margins_over_a_grid_are_those_of_python_control(count: int) -> None:
    plant, state, law = six_joints()
    grid = {"joint2": np.linspace(-1, 1, 5), "joint3": np.linspace(-1.5, 1, 4)}
    found = margins(plant, state, law, grid=grid, momenta="remove")
    assert found.phase_deg.shape == (5, 4, 6) and found.stable.all()
    at_points(found, plant, state, law, count, momenta="remove")
    worst = found.worst["phase_deg"]
    assert worst.value == found.smallest("phase_deg").min()
    assert worst.at["joint2"] in grid["joint2"] and worst.loop in found.loops
    same = margins(plant, state, law, grid=grid, threads=2)
    assert_allclose(same.phase_deg, found.phase_deg, rtol=1e-6)


def test_an_arm_that_falls_has_a_gain_below_which_it_does() -> None:
    """Turned over, gravity is a negative spring: L comes to -1 with less gain."""
    plant = Plant(model(fixed=True, gravity=(-9.81, 0.0, 0.0)), FixedBase())
    law = JointRegulator(model(fixed=True), K_P=[900.0, 500.0], K_D=[90.0, 50.0])
    state = State(q=[0.3, 0.2])
    found = margins(plant, state, law, grid={"elbow": [0.2, 0.5], "shoulder": [0.1, 0.3]})
    assert found.stable.all() and (found.gain < 1).any()
    at_points(found, plant, state, law, 6)


@pytest.mark.slow
def test_payloads_are_axes_of_the_grid() -> None:
    made = compile_model(two_joints(), symbols=("body.fore.mass_kg",))
    law, masses = ComputedTorque(model(), K_P=1.0, K_D=1.4), [2.0, 4.0, 40.0]
    state = State([0, 0, 0], [0, 0, 0, 1], [0.4, -0.7])
    found = margins(Plant(made, Floating()), state, law, grid={"body.fore.mass_kg": masses}, momenta="remove")
    for k, mass in enumerate(masses):
        other = Plant(model(mass_2=mass), Floating())
        alone = margins(other, state, law, momenta="remove")
        for kind in ("gain", "phase_deg", "modulus"):
            assert_allclose(getattr(found, kind)[k], getattr(alone, kind), rtol=1e-9)
    worst = found.worst["phase_deg"]
    L = broken_loop(Plant(made, Floating()), state, law, worst.loop, at=worst.at, momenta="remove")
    assert_allclose(known(L)[1], worst.value, rtol=1e-9)


def test_at_critical_damping_margins_are_those_of_the_formula() -> None:
    """With a perfect estimate a joint alone has L = (K_D s + K_P) / s^2; its closed pole is defective."""
    import control

    made = model()
    law = ComputedTorque(made, K_P=[1.0, 4.0], K_D=[2.0, 4.0])
    system = System("one", Body("base", 40.0, [6.0, 7.0, 5.0]), [Body("arm", 4.0, [0.3, 1.0, 1.0], [0.5, 0, 0], "base", HINGE)])
    one = compile_model(system)
    alone = ComputedTorque(one, K_P=1.0, K_D=2.0)
    found = margins(Plant(one, Floating()), State.at_rest(system, [0.3]), alone, momenta="remove")
    assert_allclose(found.phase_deg[0], control.margin(control.tf([2, 1], [1, 0, 0]))[1], rtol=1e-9)
    both = margins(Plant(made, Floating()), State([0, 0, 0], [0, 0, 0, 1], [0.4, -0.7]), law, momenta="remove")
    assert both.stable and np.isfinite(both.phase_deg).all()


HINGE = Joint("hinge", "revolute", [0, 0, 1], origin_m=[0.5, 0.1, 0.2])


@pytest.mark.slow
def test_all_loops_open_at_once_are_what_disk_margins_take() -> None:
    import control

    plant, state, law = six_joints()
    L = broken_loop(plant, state, law, momenta="remove")
    assert (L.ninputs, L.noutputs, L.nstates) == (6, 6, 12)
    single = broken_loop(plant, state, law, "tau[joint2]", momenta="remove")
    found = margins(plant, state, law, momenta="remove")
    omega = np.array([*np.geomspace(1e-2, 1e2, 50), found.modulus_rad_s[1]])
    disk, _, _ = control.disk_margins(single, omega, skew=1.0)
    assert disk == pytest.approx(found.modulus[1], rel=1e-9)
    closed = control.feedback(L, np.eye(6))
    assert closed.poles().real.max() < 0


def test_delays_and_gains_at_which_a_sampled_loop_is_no_longer_stable() -> None:
    """Five per cent of gain on both sides of the boundary runs die away and grow."""
    made = model()
    state, inner = State([0, 0, 0], [0, 0, 0, 1], [0.4, -0.7]), ComputedTorque(made, K_P=1.0, K_D=1.4)
    plant, law, gains = Plant(made, Floating()), Sampled(inner, rate_Hz=10.0), np.linspace(0.5, 16.0, 311)
    found = delay_map(plant, state, law, [0.0, 0.13, 0.3], gains, momenta="remove")
    edges = [gains[np.flatnonzero(~row)[0]] for row in found.stable]
    assert edges[0] > edges[1] > edges[2] > 1.0
    for factor, grows in ((0.95, False), (1.05, True)):
        sizes = abs(late_run(made, state, inner, edges[1] * factor) - state.q).max(axis=1)
        assert (sizes[-20:].max() > sizes[20:40].max()) == grows
    kept = delay_map(plant, state, law, [0.13], gains)
    assert np.array_equal(kept.stable[0], found.stable[1])


@pytest.mark.parametrize("delay_s", [0.0, 0.13])
def test_margins_of_a_sampled_loop_are_those_of_its_delay_map_and_of_python_control(delay_s: float) -> None:
    """Of one joint: the gain at which the loop of the map is no longer stable."""
    system = System("one", Body("base", 40.0, [6.0, 7.0, 5.0]), [Body("arm", 4.0, [0.3, 1.0, 1.0], [0.5, 0, 0], "base", HINGE)])
    one = compile_model(system)
    plant, state = Plant(one, Floating()), State.at_rest(system, [0.3])
    law = Sampled(ComputedTorque(one, K_P=1.0, K_D=1.4), rate_Hz=10.0)
    found = margins(plant, state, law, delay_s=delay_s, momenta="remove")
    gain = float(found.gain[0])
    around = delay_map(plant, state, law, [delay_s], gain * np.array([1 - 1e-7, 1 + 1e-5]), momenta="remove")
    assert 1 < gain < 20 and around.stable.tolist() == [[True, False]]
    if not delay_s:
        _, phase, modulus = known(broken_loop(plant, state, law, "tau[hinge]", momenta="remove"))
        assert_allclose([found.phase_deg[0], found.modulus[0]], [phase, modulus], rtol=1e-6)
        assert gain == pytest.approx(20 / 1.4)  # at half the sampling rate, where python-control does not look
    continuous = margins(plant, state, law.law, momenta="remove")
    lag = np.degrees(found.phase_rad_s[0] * (delay_s + 0.05))  # a command is held, so half a period late
    assert found.phase_deg[0] == pytest.approx(continuous.phase_deg[0] - lag, rel=1e-2)


def wrapped(plant: Plant, state: State, law: Any, word: str) -> Any:
    """Return a law with a memory around or beside another one."""
    import control

    names = {"inputs": ["shoulder", "elbow"], "outputs": ["tau[shoulder]", "tau[elbow]"]}
    beside = control.ss(
        [[-5.0, 1.0], [0.0, -6.0]], [[1.0, 0.0], [0.0, 2.0]], -np.diag([2.0, 3.0]), -np.diag([9.0, 8.0]), **names
    )
    return {
        "integral": Integral(law, K_I=0.2),
        "filtered": Filtered(Integral(law, K_I=0.1), bandwidth_rad_s=30.0, notch_rad_s=60.0),
        "beside": Sum(law, OutputFeedback(plant, state, [0.0, 0.0], beside)),
    }[word]


@pytest.mark.slow
@pytest.mark.parametrize("word", ["integral", "filtered", "beside"])
def test_laws_with_a_memory_have_margins_poles_and_maps(word: str) -> None:
    """Continuous ones by python-control, from look to look by what it says of the exported loop over frequency: its polynomials
    of poles at 1 are no measure there.
    """
    made = model()
    plant, state = Plant(made, Floating()), State([0, 0, 0], [0, 0, 0, 1], [0.4, -0.7])
    law = wrapped(plant, state, ComputedTorque(made, K_P=1.0, K_D=1.4), word)
    found = margins(plant, state, law, grid={"elbow": [-0.7, 0.5]}, momenta="remove")
    at_points(found, plant, state, law, 2, momenta="remove")
    poles = root_loci(plant, state, law, grid={"elbow": [-0.7]}, momenta="remove").poles[0]
    closed = linearise(plant, state, [0, 0], controller=law, momenta="remove")
    assert_allclose(np.sort_complex(poles), np.sort_complex(closed.poles()), rtol=0, atol=1e-9)
    looks = Sampled(law, rate_Hz=20.0)
    sampled = margins(plant, state, looks, momenta="remove")
    for k, name in enumerate(sampled.loops):
        L = broken_loop(plant, state, looks, name, momenta="remove")
        at_phase, at_modulus = (getattr(sampled, f"{kind}_rad_s")[k] for kind in ("phase", "modulus"))
        turned, near = L(np.exp(1j * np.array([at_phase, at_modulus]) / 20.0))
        assert_allclose(turned, -np.exp(1j * np.radians(sampled.phase_deg[k])), rtol=0, atol=1e-8)
        assert_allclose(abs(1 + near), sampled.modulus[k], rtol=1e-8)
        over = abs(1 + L(np.exp(1j * np.geomspace(1e-3, 20 * np.pi, 4000) / 20.0)))
        assert over.min() >= sampled.modulus[k] - 1e-6
    radius = delay_map(plant, state, looks, [0.0], [1.0], momenta="remove").radius[0, 0]
    from_look_to_look = linearise(plant, state, [0, 0], controller=looks, momenta="remove")
    assert radius == pytest.approx(abs(from_look_to_look.poles()).max(), rel=1e-12)


def test_a_delay_as_a_law_is_one_of_the_map() -> None:
    made = model()
    plant, state, law = (
        Plant(made, Floating()),
        State([0, 0, 0], [0, 0, 0, 1], [0.4, -0.7]),
        ComputedTorque(made, K_P=1.0, K_D=1.4),
    )
    told = margins(plant, state, Sampled(law, rate_Hz=10.0), delay_s=0.2, momenta="remove")
    flown = margins(plant, state, Sampled(Delayed(law, delay_s=0.2), rate_Hz=10.0), momenta="remove")
    assert_allclose(flown.phase_deg, told.phase_deg, rtol=1e-9)
    assert_allclose(flown.gain, told.gain, rtol=1e-9)


def late_run(made: Any, state: State, law: Any, gain: float) -> np.ndarray:
    """Return the joints of a run whose law looks every 0.1 s, and whose commands come 0.13 s later."""
    hold, asked = Hold(state.q), []

    def late(t: float, now: State) -> np.ndarray:
        if abs(round(10 * t) / 10 - t) < 1e-9:
            asked.append(gain * law.command(t, now, hold.at(t), None)[0])
        k = int(np.floor((t - 0.13) * 10 + 1e-9))
        return asked[k] if k >= 0 else np.zeros(2)

    start = State([0, 0, 0], [0, 0, 0, 1], state.q + 1e-5)
    run = {"t_end_s": 10.0, "rtol": 1e-10, "output_step_s": 0.1}
    return simulate(made, Floating(), Sampled(late, rate_Hz=100.0), start, **run).q


def test_what_has_no_margins_is_refused() -> None:
    plant, state, law = six_joints()
    for said, error, options in (
        ("axis of the grid", UnknownName, {"grid": {"joint9": [0.0]}}),
        ("grid joint2", InvalidInput, {"grid": {"joint2": "all"}}),
        ("momenta", InvalidInput, {"momenta": 3}),
        ("none without rate_Hz", InvalidInput, {"delay_s": 0.1}),
        ("threads", InvalidInput, {"threads": 0}),
    ):
        with pytest.raises(error, match=said):
            margins(**{"plant": plant, "state": state, "controller": law, **options})
    with pytest.raises(UnknownName, match="loop of the plant"):
        broken_loop(plant, state, law, "joint1")
    with pytest.raises(InvalidInput, match="a Sampled law"):
        delay_map(plant, state, law, [0.1], [1.0])
    with pytest.raises(InvalidInput, match="gains"):
        delay_map(plant, state, Sampled(law, rate_Hz=10.0), [0.1], [-1.0])
    with pytest.raises(UnknownName, match="margin of Margins"):
        margins(plant, state, law).smallest("delay")
