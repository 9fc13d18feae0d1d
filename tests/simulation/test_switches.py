"""Runs whose constraints come and go."""

from __future__ import annotations

import numpy as np
import pytest

from scmanip.constraints import Lock, Weld
from scmanip.dynamics import compile_model
from scmanip.errors import InvalidInput, UnknownName
from scmanip.modes import Floating
from scmanip.plant import Plant
from scmanip.simulation import FullState, Switch, When, simulate
from scmanip.system import State, System, load_system


@pytest.fixture(scope="module")
def model():
    arm = load_system("model:bench_6r")
    constraints = [Lock("lock2", arm.joints[1].name), Lock("lock4", arm.joints[3].name)]
    base, *bodies = arm.bodies
    return compile_model(System(arm.name, base, bodies, arm.frames, constraints=constraints))


@pytest.fixture(scope="module")
def start(model):
    rng = np.random.default_rng(5)
    return State(q=rng.normal(size=6) * 0.3, qdot=rng.normal(size=6) * 0.2, r_0=np.zeros(3), v_0=[0.1, 0, 0], omega_0=[0, 0.02, 0])


def law(t, state):
    return 0.3 * np.sin(t + np.arange(6)) - 0.5 * state.qdot


def test_a_lock_holds_a_joint_and_lets_it_go(model, start):
    switches = [Switch(t_s=2.0, impose="lock2"), Switch(t_s=4.0, release=("lock2",))]
    history = simulate(model, Floating(), law, start, t_end_s=6.0, output_step_s=0.5, switches=switches)
    np.testing.assert_array_equal(history.t, np.arange(13) * 0.5)
    held = (history.t >= 2.0) & (history.t < 4.0)
    assert abs(history.qdot[held, 1]).max() < 1e-12
    assert np.ptp(history.q[held, 1]) < 1e-12
    assert abs(history.qdot[~held, 1]).min() > 1e-4
    for series in (history.P, history.L_C):
        assert abs(series - series[0]).max() < 1e-10
    first, second = history.switches
    assert (first.imposed, second.released, second.active) == (("lock2",), ("lock2",), ())
    lost = model.kinetic_energy(first.before) - model.kinetic_energy(first.after)
    assert first.energy_lost == pytest.approx(lost, rel=1e-9)
    assert not history.broken_laws
