"""Runs with thrusters in machine code, set after set, are the runs in Python, which look for the forces at every stage."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.actuators import Pushers
from scmanip.constraints import Lock
from scmanip.control import CoordinatedComputedTorque, Sampled
from scmanip.dynamics import compile_model
from scmanip.guidance import Hold
from scmanip.modes import Flying, ManoeuvreMode, RotationFloating, RotationFlying, TranslationFlying
from scmanip.simulation import FixedDOP853, History, JointLimits, Switch, simulate
from scmanip.simulation.loop._advance import advance
from scmanip.simulation.loop._native import NativeLoop
from scmanip.simulation.loop._replay import step_ends
from scmanip.system import System, Thruster
from tests.modes.clusters import box, pairs, tug
from tests.simulation.arms import moving_state
from tests.simulation.machine_code import all_in_machine_code

SERIES = ("q", "qdot", "r_0", "attitude_xyzw", "v_0", "omega_0", "work", "impulse", "propellant_kg", "tau", "wrench")
SERIES += ("missing_wrench", "thrust_N")
MODES = {
    "flying": Flying(),
    "rotation flying": RotationFlying(),
    "translation flying": TranslationFlying(),
    "translation flying with wheels": TranslationFlying(attitude=RotationFloating()),
}


class InPython(CoordinatedComputedTorque):
    """The same law by another class, which is not recorded."""


def flown(thrusters: list[Thruster], mode: ManoeuvreMode, kind=CoordinatedComputedTorque, rate_Hz=None, **options) -> History:
    model = compile_model(tug(thrusters))
    law = kind(model, mode, K_P=1.0, K_D=2.0, base_K_P=0.2, base_K_D=0.8)
    law = law if rate_Hz is None else Sampled(law, rate_Hz=rate_Hz)
    options = {"t_end_s": 2.0, "rtol": 1e-9, "output_step_s": 0.1, **options}
    return simulate(model, mode, law, moving_state(), reference=Hold([0.1, 0.2]), **options)


def check_equal(fast: History, slow: History, tolerance: float = 3e-8, *, told: bool = True) -> None:
    """Everything in both histories agrees, events too where they are asked for.

    In Python steps go over the corners of the forces, where dense output is off by more than the step is.
    """
    assert fast.outcome == slow.outcome == "completed"
    for name in SERIES:
        one, other = getattr(fast, name), getattr(slow, name)
        assert_allclose(one, other, rtol=0, atol=tolerance * max(1e-3, np.abs(other).max()), err_msg=name)
    if told:
        assert [event.split(" t = ")[0] for event in fast.events] == [event.split(" t = ")[0] for event in slow.events]


@pytest.mark.slow
def test_forces_that_are_shared_out_set_after_set_in_machine_code() -> None:
    with all_in_machine_code():
        fast = flown(box(0.5), Flying(), t_end_s=0.3)
    check_equal(fast, flown(box(0.5), Flying(), InPython, t_end_s=0.3), told=False)
    assert fast.thrust_N.max() == 0.5 and fast.thrust_N.min() == 0


CLUSTERS = {"strong": box(), "weak": box(0.5), "pairs": pairs(0.3), "no way back": box()[:11]}
PUSHED = [  # a mode says which wrench is wanted, a cluster who gives it
    pytest.param(thrusters, mode, id=f"{name}-{word}")
    for name, thrusters in CLUSTERS.items()
    for word, mode in MODES.items()
    if name != "no way back" or word == "flying"  # the others need every direction
]


@pytest.mark.battery(0, each=1)
@pytest.mark.parametrize(("thrusters", "mode"), PUSHED)
def test_every_mode_that_pushes(thrusters: list[Thruster], mode: ManoeuvreMode) -> None:
    with all_in_machine_code():
        fast = flown(thrusters, mode, t_end_s=2.5)
    check_equal(fast, flown(thrusters, mode, InPython, t_end_s=2.5, rtol=1e-12))
    assert all(residual.relative < 1e-7 for residual in fast.residuals.values())


@pytest.mark.slow
@pytest.mark.parametrize("force_N", [10.0, 0.5])
def test_a_sampled_law_finds_a_set_at_every_sample_and_where_it_changes_between(force_N: float) -> None:
    with all_in_machine_code():
        fast = flown(box(force_N), Flying(), rate_Hz=2.0, t_end_s=2.0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(NativeLoop, "carries", staticmethod(lambda setup: False))
        slow = flown(box(force_N), Flying(), rate_Hz=2.0, t_end_s=2.0, rtol=1e-11)
        check_equal(fast, slow)


@pytest.mark.slow
def test_steps_of_one_length_and_events_meet_changes_of_the_set_as_well() -> None:
    with all_in_machine_code():
        fixed = flown(box(0.5), Flying(), integrator=FixedDOP853(0.02))
    check_equal(fixed, flown(box(0.5), Flying()), 1e-6)
    watched = flown(box(0.5), Flying(), events=[JointLimits()])
    assert_allclose(watched.states.x, flown(box(0.5), Flying()).states.x, rtol=0, atol=1e-7)


def test_corners_of_the_forces_are_ends_of_steps() -> None:
    setups = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("scmanip.simulation._simulate.advance", lambda setup: setups.append(setup) or advance(setup))
        flown(box(0.5), Flying(), t_end_s=1.0)
    track = advance(setups[0])
    assert len(track.sets) > 3 and not track.left
    assert {t for t, _ in track.sets[1:]} <= set(step_ends(setups[0], track).tolist())
    pushers = setups[0].model.system.pushers
    for (_, old), (_, new) in zip(track.sets, track.sets[1:], strict=False):
        assert not np.array_equal(old, new) and len(new) == 1 + pushers.set_size


@pytest.mark.slow
def test_where_no_set_is_found_the_run_goes_on_in_python() -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Pushers, "active_set", lambda self, wrench, last=None: None)
        slow = flown(box(0.5), Flying(), t_end_s=0.1)
        slow.thrust_N  # noqa: B018 - looked for in Python as well
    check_equal(flown(box(0.5), Flying(), t_end_s=0.1), slow, told=False)


@pytest.mark.slow
def test_the_error_falls_with_the_tolerance_whatever_sets_come_and_go() -> None:
    true = flown(box(0.5), Flying(), rtol=1e-12).final.x
    errors = [np.abs(flown(box(0.5), Flying(), rtol=rtol).final.x - true).max() for rtol in (1e-5, 1e-7, 1e-9)]
    assert errors[0] > 10 * errors[1] > 100 * errors[2]


@pytest.mark.slow
def test_thrusters_push_on_where_constraints_come_and_go() -> None:
    plain = tug(box(0.5))
    lock = Lock("hold", plain.joints[0].name)
    system = System(plain.name, plain.base, plain.bodies[1:], plain.frames, actuators=plain.actuators, constraints=[lock])
    model, given = compile_model(system), {"reference": Hold([0.1, 0.2]), "t_end_s": 2.0, "output_step_s": 0.25}
    given["switches"] = [Switch(t_s=0.7, impose="hold"), Switch(t_s=1.4, release="hold")]
    laws = [
        kind(model, Flying(), K_P=1.0, K_D=2.0, base_K_P=0.2, base_K_D=0.8) for kind in (CoordinatedComputedTorque, InPython)
    ]
    with all_in_machine_code():
        fast = simulate(model, Flying(), laws[0], moving_state(), rtol=1e-9, **given)
    check_equal(fast, simulate(model, Flying(), laws[1], moving_state(), rtol=1e-11, **given), 1e-7, told=False)
    assert not fast.broken_laws


def cluster(seed: int) -> list[Thruster]:
    """Thrusters anywhere and any way, or along axes, or in a plane; some of them alike."""
    rng = np.random.default_rng(seed)
    n, force_N, kind, made = int(rng.integers(1, 16)), 10 ** rng.uniform(-1.5, 1.5), rng.integers(3), []
    for k in range(n):
        along = (rng.normal(size=3), np.sign(rng.normal()) * np.eye(3)[rng.integers(3)], [*rng.normal(size=2), 0.0])[kind]
        place = np.round(rng.normal(size=3)) / 2
        made.append(Thruster(f"t{k}", place, along / np.linalg.norm(along), force_N, 200.0 + 20 * rng.integers(3)))
    return made


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_sets_of_any_cluster_are_seen_where_steps_are_long(seed: int) -> None:
    """What comes and goes within a step too: a coarse run is a fine one to its tolerance."""
    coarse, fine = (flown(cluster(seed), Flying(), t_end_s=3.0, rtol=rtol) for rtol in (1e-8, 1e-11))
    assert_allclose(coarse.final.x, fine.final.x, rtol=0, atol=1e-7)
    assert_allclose(coarse.propellant_kg[-1], fine.propellant_kg[-1], rtol=1e-6, atol=1e-12)
