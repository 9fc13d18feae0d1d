"""The paper's sums on floats beside the recursions, which Pinocchio and MuJoCo know, on trees with every kind of joint."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.dynamics import compile_model

from ..oracles.random_systems import FIRST_OF_ALL, FIRST_TREE, random_state, random_tree

SEEDS = [FIRST_TREE + 8, FIRST_TREE + 9, FIRST_OF_ALL, FIRST_OF_ALL + 2]


def pair(seed):
    """A model, whose programs are recursions, its sums in a state, and that state."""
    system = random_tree(seed, fixed=False, joints=3)
    model, state = compile_model(system), random_state(system, seed)
    return model, model.symbolic.derivation.at(state.x), state


@pytest.mark.parametrize("seed", SEEDS)
def test_inverse_dynamics_ask_for_the_same_forces(seed):
    model, sums, state = pair(seed)
    assert model.layout.quaternions or seed >= FIRST_OF_ALL  # a spherical joint is among them
    udot = np.random.default_rng(seed).normal(size=model.layout.n_u)
    theirs, ours = sums.inverse_dynamics(udot), model.inverse_dynamics(state, udot)
    size = max(abs(ours.wrench).max(), abs(ours.tau).max())
    assert_allclose(theirs.wrench, ours.wrench, atol=1e-11 * size)
    assert_allclose(theirs.tau, ours.tau, atol=1e-11 * size)


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_wrenches_at_points_reach_base_and_joints(seed):
    """By power: the generalized force of a wrench does on any speeds what the wrench does on its point."""
    model, sums, state = pair(seed)
    rng = np.random.default_rng(seed)
    tau, wrench, w = rng.normal(size=model.layout.N), rng.normal(size=6), rng.normal(size=6)
    found = sums.applied(tau, wrench, [(model.point("tip"), w)])
    whole = np.hstack([model.J0(state, "tip"), model.Jm(state, "tip")])
    assert_allclose(found, np.concatenate([wrench, tau]) + whole.T @ w, atol=1e-12)
    udot = sums.forward_dynamics(tau, wrench, [(model.point("tip"), w)])
    ours = model.forward_dynamics(state, tau, wrench, [("tip", w)])
    assert_allclose(udot, ours, atol=max(1e-12, 10 * np.linalg.cond(sums.M) * np.finfo(float).eps) * abs(ours).max())
