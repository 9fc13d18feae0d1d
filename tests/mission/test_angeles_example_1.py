"""Example 1 of [Angeles1989] as its mission file flies it."""

from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.dynamics import Parameters, recursive_inverse_dynamics
from scmanip.mission import load_mission

FILE = Path(__file__).parents[2] / "missions" / "angeles_example1.toml"


@pytest.mark.slow
def test_the_closed_loop_applies_the_torques_of_the_papers_own_stages() -> None:
    run = load_mission(FILE).run()
    history, (phase,) = run.history, run.mission.phases
    assert run.passed and history.t[-1] == 10.0
    parameters = Parameters.of(run.mission.system)
    for i in range(0, len(history.t), 25):
        wanted = phase.reference.at(history.t[i])
        tau = recursive_inverse_dynamics(parameters, wanted.q, wanted.qdot, wanted.qddot).tau
        assert_allclose(history.tau[i], tau, rtol=0, atol=1e-9 * np.abs(history.tau).max())
