"""Programs of the methods of other papers: as exported they give what the model gives."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

import scmanip
from scmanip.dynamics import kane_program, recursive_kane_program

from ..oracles.random_systems import random_state
from .paper_tree import IN_ORDER, SWAPPED, five_bodies


@pytest.mark.slow
def test_coef_and_rhs_give_the_accelerations_of_the_model_whatever_the_labels() -> None:
    system = five_bodies(slides=True)
    model, state = scmanip.compile_model(system), random_state(system, 4)
    tau = np.linspace(-1.0, 1.0, system.layout.N)
    wanted = model.forward_dynamics(state, tau)
    R = model.equations(state).poses.R[0]
    for order in (IN_ORDER, SWAPPED):
        COEF, RHS = kane_program(system, order).only("COEF", "RHS").evaluate(state.x, tau)
        udot = np.linalg.solve(COEF, RHS)  # [omega_1 in B_1; sigma in the order of the labels; v_1]
        assert_allclose(udot[-3:], wanted[:3], atol=1e-12)
        assert_allclose(R @ udot[:3], wanted[3:6], atol=1e-12)
    assert_allclose(np.sort(udot[3:-3]), np.sort(wanted[6:]), atol=1e-11)


def test_the_recursion_gives_the_forces_of_the_model() -> None:
    system = scmanip.load_system("model:stanford_arm")
    model = scmanip.compile_model(system)
    q, qdot, udot = np.random.default_rng(1).normal(size=(3, 6))
    tau, wrench = recursive_kane_program(system).evaluate(q, qdot, udot)
    wanted = model.inverse_dynamics(scmanip.State(q=q, qdot=qdot), udot)
    assert_allclose(tau, wanted.tau, atol=1e-13)
    assert_allclose(wrench, wanted.wrench, atol=1e-12)
