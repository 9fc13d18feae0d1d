"""Kane's method for trees [Stoneking2008] against the sums of [Wilde2018]: two derivations of the same motion."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.dynamics import Reference, compile_model
from scmanip.dynamics._tree_kane import kane_system, partial_angular_velocities, partial_velocities, speeds_from_kane

from ..oracles.random_systems import FIRST_TREE, random_case, random_state

FLOATING = [seed for seed in [*range(80), *range(FIRST_TREE, FIRST_TREE + 20)] if not random_case(seed).fixed]
EPS = np.finfo(float).eps


def equations(seed):
    system = random_case(seed)
    return compile_model(system, implementation=Reference()).equations(random_state(system, seed))


@pytest.mark.parametrize("seed", FLOATING)
def test_both_methods_give_the_same_inertia_and_the_same_motion(seed):
    e = equations(seed)
    T, tau = speeds_from_kane(e.poses.R[0], len(e.qdot)), np.random.default_rng(seed).normal(size=len(e.qdot))
    applied = np.concatenate([np.zeros(6), tau + e.passive_force])
    kane = kane_system(e.parameters, e.poses, e.omega, e.qdot, T.T @ applied)
    assert_allclose(T.T @ e.M @ T, kane.COEF, rtol=0, atol=1e-12 * abs(kane.COEF).max())
    udot = T @ np.linalg.solve(kane.COEF, kane.RHS)  # T' omega_1 = omega_0 has no rate: omega x omega = 0
    tolerance = max(1e-12, 10 * np.linalg.cond(e.M) * EPS)
    assert_allclose(udot, e.forward_dynamics(tau), rtol=0, atol=tolerance * abs(udot).max())


@pytest.mark.parametrize("seed", FLOATING[:20])
def test_partial_velocities_give_the_velocities_of_all_bodies(seed):
    e = equations(seed)
    u = np.linalg.solve(speeds_from_kane(e.poses.R[0], len(e.qdot)), e.u)
    omega_B = (partial_angular_velocities(e.parameters, e.poses) @ u).reshape(-1, 3)
    assert_allclose((e.poses.R @ omega_B[:, :, None])[:, :, 0], e.omega, atol=1e-12 * abs(e.omega).max())
    assert_allclose((partial_velocities(e.parameters, e.poses) @ u).reshape(-1, 3), e.v, atol=1e-12 * abs(e.v).max())
