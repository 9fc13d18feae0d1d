"""Springs and dampers between two points in a run."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.dynamics import compile_model
from scmanip.modes import Floating
from scmanip.simulation import Outcome, simulate
from scmanip.system import Body, Frame, Joint, SpringDamper, State, System


def tethered() -> System:
    """Two arms on a free base, their tips joined by a damped cable, an undamped spring from the base to the first."""
    bodies, frames = [], []
    for name, y in (("left", 1.0), ("right", -1.0)):
        joint = Joint(name, "revolute", [0.0, 0.0, 1.0], origin_m=[0.0, y, 0.0])
        bodies.append(Body(name, 5.0, [0.1, 2.0, 2.0], [1.0, 0.0, 0.0], "base", joint))
        frames.append(Frame(f"{name} tip", name, [2.0, 0.0, 0.0]))
    springs = [
        SpringDamper("cable", ("left tip", "right tip"), 8.0, 3.0, 0.5),
        SpringDamper("strut", ("base", "left.com"), 5.0),
    ]
    return System("tethered", Body("base", 50.0, [10.0, 10.0, 10.0]), bodies, frames, springs=springs)


@pytest.mark.slow
def test_energy_and_momentum_balance_with_a_damped_cable_between_two_arms() -> None:
    model = compile_model(tethered())
    start = State(r_0=np.zeros(3), q=[0.3, 0.2], qdot=[0.5, -0.1], v_0=[0.1, 0.0, 0.0], omega_0=[0.02, 0.03, 0.1])
    history = simulate(model, Floating(), lambda t, state: np.zeros(2), start, t_end_s=5.0, rtol=1e-12, output_step_s=0.1)
    assert history.outcome is Outcome.COMPLETED
    assert history.dissipated[-1] > 0.1
    assert history.residuals["energy"].relative < 1e-9
    assert history.residuals["momentum"].relative < 1e-10
    assert history.residuals["angular_momentum"].relative < 1e-10
    tips = [
        [model.position(state, f"{side} tip") for side in ("left", "right")] for state in (history.states[0], history.final)
    ]
    lengths = [np.linalg.norm(a - b) for a, b in tips]
    strut = [
        np.linalg.norm(model.position(s, "left.com") - model.position(s, "base")) for s in (history.states[0], history.final)
    ]
    stored = [8.0 * (x - 0.5) ** 2 / 2 + 5.0 * y**2 / 2 for x, y in zip(lengths, strut, strict=True)]
    assert_allclose(history.stored_energy[[0, -1]], stored, rtol=1e-12)
