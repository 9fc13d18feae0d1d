"""An integral action beside another law leads joints where they shall be against a constant push."""

import numpy as np
from numpy.testing import assert_allclose

from scmanip.analysis import linearise
from scmanip.control import JointIntegral, JointRegulator, Sum
from scmanip.dynamics import compile_model
from scmanip.guidance import Hold
from scmanip.modes import FixedBase
from scmanip.plant import Plant
from scmanip.simulation import simulate
from scmanip.system import State, System, load_system

from .flown_systems import flown

FREE = load_system("model:bench_6r")
HELD = System("held", FREE.base, FREE.bodies[1:], FREE.frames, fixed=True, gravity_m_s2=(0.0, 0.0, -0.05))
BELIEVED = System("believed", FREE.base, FREE.bodies[1:], FREE.frames, fixed=True)
START = State(q=flown("spatial").q, qdot=np.zeros(6))


def test_joints_sag_without_it_and_come_back_with_it() -> None:
    """The estimate knows of no weight."""
    model, estimate = compile_model(HELD), compile_model(BELIEVED)
    inner = JointRegulator(estimate, K_P=300.0, K_D=400.0)
    off = []
    for law in (inner, Sum(inner, JointIntegral(estimate, K_I=15.0))):
        history = simulate(model, FixedBase(), law, START, reference=Hold(START.q), rtol=1e-7, t_end_s=120.0, output_step_s=1.0)
        off.append(abs(history.q[-1] - START.q).max())
    assert off[0] > 1e-2 and off[1] < 1e-2 * off[0]


def test_a_loop_has_the_poles_of_its_gains() -> None:
    """J s^3 + K_D s^2 + K_P s + K_I of every principal inertia J."""
    model = compile_model(BELIEVED)
    law = Sum(JointRegulator(model, K_P=3.0, K_D=2.0), JointIntegral(model, K_I=0.5))
    A = linearise(Plant(model, FixedBase()), START, np.zeros(6), controller=law).A
    expected = [np.roots([J, 2.0, 3.0, 0.5]) for J in np.linalg.eigvalsh(model.M(START))]
    found = np.linalg.eigvals(A)
    for pole in np.concatenate(expected):
        assert_allclose(abs(found - pole).min(), 0.0, atol=1e-9 * max(1.0, abs(pole)))
