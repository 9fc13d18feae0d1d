"""An arm on a free base, its right-hand side and the integrator in machine code, against `simulate` and conservation laws."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.compiled import OdeStatus, compile_ode
from scmanip.dynamics import compile_model, derive
from scmanip.modes import Floating
from scmanip.simulation import simulate
from scmanip.spatial import quaternion_rate
from scmanip.symbolic import record
from scmanip.system import State, load_system

SYSTEM = load_system("model:bench_6r")
LAYOUT = SYSTEM.layout
FIRST_SPEED = LAYOUT.n_x - LAYOUT.n_u
T_END = 8.0


def _rates(t, y, tau):
    u = y[FIRST_SPEED:]
    udot = derive(SYSTEM).derivation.packed_outputs(["forward_dynamics"], y, {"tau": tau})["forward_dynamics"]
    attitude = quaternion_rate(y[LAYOUT.x_attitude], u[LAYOUT.base_angular])
    return {"ydot": np.concatenate([u[LAYOUT.base_linear], attitude, u[LAYOUT.joints], udot])}


@pytest.fixture(scope="module")
def ode():
    return compile_ode(record({"t": (), "y": (LAYOUT.n_x,), "tau": (LAYOUT.N,)}, _rates))


@pytest.fixture(scope="module")
def state0():
    rng = np.random.default_rng(2)
    q, qdot = rng.uniform(-1, 1, LAYOUT.N), 0.1 * rng.normal(size=LAYOUT.N)
    return State([1.0, 0.0, -2.0], np.array([0.1, 0.7, -0.1, 0.7]), q, [0.01, 0.0, 0.02], [0.02, -0.01, 0.03], qdot)


def test_the_arm_moves_as_simulate_says(ode, state0):
    torque = np.array([0.5, -0.4, 0.3, 0.2, -0.1, 0.05])
    history = simulate(
        compile_model(SYSTEM), Floating(), lambda t, state: torque, state0, t_end_s=T_END, rtol=1e-11, output_step_s=0.5
    )
    result = ode.solve(0.0, np.array(state0.x), T_END, torque, rtol=1e-11, atol=1e-12, samples=history.t)
    assert result.status is OdeStatus.DONE
    assert_allclose(result.y, history.states.x, atol=1e-8)


def test_momentum_and_energy_stay_in_an_ensemble_of_free_motions(ode, state0):
    model, rng = compile_model(SYSTEM), np.random.default_rng(4)
    y_0 = np.tile(state0.x, (6, 1))
    y_0[:, FIRST_SPEED:] += 0.05 * rng.normal(size=(6, LAYOUT.n_u))
    ends = ode.ensemble(0.0, y_0, 0.05, 160, np.zeros(LAYOUT.N), method="dop853", every=160)[:, -1]
    for start, end in zip(y_0, ends, strict=True):
        before, after = (State.renormalised(x, LAYOUT) for x in (start, end))
        assert_allclose(model.momentum(after).P, model.momentum(before).P, rtol=1e-10, atol=1e-10)
        L_C = [model.momentum(x).L_C for x in (before, after)]
        assert_allclose(L_C[1], L_C[0], rtol=1e-9, atol=1e-9)
        assert_allclose(model.kinetic_energy(after), model.kinetic_energy(before), rtol=1e-10)
