"""Runs in generalized speeds [Kane1983]: the motion is that of base and joint rates."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

import scmanip
from scmanip.control import ComputedTorque, JointRegulator
from scmanip.dynamics import (
    BodyAngularVelocity,
    DecouplingSpeeds,
    RatesFromSpeeds,
    SpeedsFromRates,
    change_speeds,
    compile_model,
)
from scmanip.errors import InvalidInput, ModeMismatch, NumericalFailure
from scmanip.guidance import Hold
from scmanip.modes import FixedBase, Floating
from scmanip.simulation import ChosenSpeeds, FullState, simulate
from scmanip.spatial import sin

from ..dynamics.test_generalized_speeds import mixed_speeds
from . import arms
from .machine_code import all_in_machine_code

STANFORD = compile_model(scmanip.load_system("model:stanford_arm"))
OF_D = BodyAngularVelocity("D", ("q1", "q2", "q3"))
RATES = [0.2, -0.1, 0.3, 0.1, -0.2, 0.05]
TIGHT = {"rtol": 1e-11, "atol": 1e-13}


@pytest.mark.slow
def test_the_stanford_arm_is_regulated_in_the_papers_speeds() -> None:
    start = scmanip.State(q=[0.0, np.pi / 2, 0.1, 0.2, -0.1, 0.0], qdot=RATES)
    law = JointRegulator(STANFORD, K_P=[3, 1, 0.3, 0.3, 0.25, 30], K_D=[5, 3, 0.6, 0.6, 0.25, 41])
    goal = Hold([*[np.radians(60.0)] * 5, 0.1])
    wanted = simulate(STANFORD, FixedBase(), law, start, reference=goal, t_end_s=4.0, **TIGHT)
    with all_in_machine_code():
        history = simulate(change_speeds(STANFORD, OF_D), FixedBase(), law, start, reference=goal, t_end_s=4.0, **TIGHT)
    assert_allclose(history.q, wanted.q, atol=1e-9)
    assert_allclose(history.qdot, wanted.qdot, atol=1e-9)
    assert history.residuals["energy"].relative < 1e-9


@pytest.mark.slow
@pytest.mark.parametrize("speeds", ["decoupling", "mixed"])
def test_a_floating_base_moves_alike_in_every_choice(speeds: str) -> None:
    model, start = arms.model(), arms.moving_state()
    chosen = DecouplingSpeeds() if speeds == "decoupling" else mixed_speeds(model.system, 3)
    law = ComputedTorque(model, K_P=1.0, K_D=2.0)
    goal = Hold([0.6, -0.2])
    wanted = simulate(model, Floating(), law, start, reference=goal, t_end_s=3.0, coordinates=FullState(), **TIGHT)
    with all_in_machine_code():
        history = simulate(change_speeds(model, chosen), Floating(), law, start, reference=goal, t_end_s=3.0, **TIGHT)
    assert_allclose(history.states.x, wanted.states.x, atol=1e-9)
    assert history.residuals["momentum"].relative < 1e-9


def test_python_flies_them_as_machine_code_does() -> None:
    model, start = arms.model(), arms.moving_state()
    changed = change_speeds(model, mixed_speeds(model.system, 3))
    python = simulate(changed, Floating(), lambda t, state: np.array([sin(3 * t), 0.1]), start, t_end_s=0.5, **TIGHT)
    other = simulate(model, Floating(), lambda t, state: np.array([sin(3 * t), 0.1]), start, t_end_s=0.5, **TIGHT)
    assert_allclose(python.states.x, other.states.x, atol=1e-10)


def test_speeds_without_their_inverse_are_flown_too() -> None:
    def W(at: object) -> np.ndarray:
        return np.array([[1.0, 0.5], [0.25, 2.0]])

    model = arms.model(fixed=True)
    start = scmanip.State(q=[0.4, -0.7], qdot=[0.3, -0.4])
    changed = change_speeds(model, RatesFromSpeeds(("a", "b"), W))
    history = simulate(changed, FixedBase(), lambda t, state: np.zeros(2), start, t_end_s=1.0, **TIGHT)
    wanted = simulate(model, FixedBase(), lambda t, state: np.zeros(2), start, t_end_s=1.0, **TIGHT)
    assert_allclose(history.q, wanted.q, atol=1e-10)


def test_what_does_not_fit_is_refused() -> None:
    model, start = arms.model(), arms.moving_state()
    changed = change_speeds(model, DecouplingSpeeds())
    with pytest.raises(InvalidInput, match=r"coordinates.*generalized speeds"):
        simulate(changed, Floating(), lambda t, s: np.zeros(2), start, t_end_s=1.0, coordinates=FullState())
    other = arms.model(stiffness=3.0)
    with pytest.raises(ModeMismatch, match="the system of these speeds"):
        simulate(other, Floating(), lambda t, s: np.zeros(2), start, t_end_s=1.0, coordinates=ChosenSpeeds(changed))


def test_speeds_that_hold_a_constraint_are_refused_and_told_where_constraints_go() -> None:
    model = arms.model(fixed=True)
    tall = change_speeds(model, RatesFromSpeeds(("a",), lambda at: np.array([[1.0], [0.5]])))
    start = scmanip.State(q=[0.4, -0.7], qdot=[0.2, 0.1])
    with pytest.raises(ModeMismatch, match=r"\[\[constraint\]\]"):
        simulate(tall, FixedBase(), lambda t, s: np.zeros(2), start, t_end_s=1.0)


def test_a_start_at_which_the_speeds_depend_on_each_other_is_refused_by_their_names() -> None:
    model = arms.model(fixed=True)
    speeds = SpeedsFromRates(("a", "b"), lambda at: np.array([[at.q[0] - 0.5, 0.0], [0.0, 1.0]], dtype=at.q.dtype))
    start = scmanip.State(q=[0.5, -0.7], qdot=[0.3, 0.0])
    with pytest.raises(NumericalFailure, match="'a'"):
        simulate(change_speeds(model, speeds), FixedBase(), lambda t, s: np.zeros(2), start, t_end_s=1.0)
