"""States and commands with which plants move evenly."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.analysis import linearisation, trim
from scmanip.control import JointRegulator
from scmanip.dynamics import compile_model
from scmanip.errors import InvalidInput, NumericalFailure, UnknownName
from scmanip.guidance import Hold
from scmanip.modes import FixedBase, Floating
from scmanip.plant import Plant
from scmanip.simulation import simulate
from scmanip.system import Body, Joint, State, System

from ..simulation.arms import model

FALLS = model(fixed=True, gravity=(0.0, 0.0, -9.81), stiffness=300.0)
POSED = State(q=[0.4, -0.7])


def test_a_command_holds_an_arm_against_gravity() -> None:
    found = trim(Plant(FALLS, FixedBase()), POSED, [0.0, 0.0])
    assert_allclose(found.command, FALLS.inverse_dynamics(POSED, np.zeros(2)).tau, rtol=1e-12)
    assert np.array_equal(found.state.q, POSED.q)
    assert list(found.rates) == ["shoulder[rate]", "elbow[rate]"]


def test_springs_and_a_law_give_way_until_they_hold() -> None:
    plant = Plant(FALLS, FixedBase())
    found = trim(plant, POSED, [0.0, 0.0], vary=("q",))
    assert not found.command.any()
    assert abs(plant.accelerations(found.state, [0.0, 0.0])).max() < 1e-9
    law, reference = JointRegulator(model(fixed=True), K_P=[50.0, 200.0], K_D=1.0), Hold([0.4, -0.7])
    held = trim(plant, POSED, [0.0, 0.0], vary=("q",), controller=law, reference=reference)
    said, _ = law.command(0.0, held.state, reference.at(0.0), None)
    assert abs(plant.accelerations(held.state, said)).max() < 1e-9
    assert trim(plant, POSED, [0.0, 0.0], vary=("q",), controller=law).state.q == pytest.approx(held.state.q)


def test_a_craft_spins_evenly_with_its_arm_bent_by_the_spin() -> None:
    joint = Joint("hinge", "revolute", [0, 0, 1], origin_m=[0.5, 0.2, 0.0], stiffness=30.0, damping=1.0)
    panel = Body("panel", 8.0, [0.3, 1.1, 1.2], [0.5, 0.1, 0.0], "base", joint)
    plant = Plant(compile_model(System("flat", Body("base", 40.0, [6.0, 7.0, 5.0]), [panel])), Floating())
    rest = State([0, 0, 0], [0, 0, 0, 1], [0.0])
    omega = np.array([0.0, 0.0, 0.8])
    start = State([0, 0, 0], [0, 0, 0, 1], [0.0], -np.cross(omega, plant.model.r_0C(rest)), omega)
    found = trim(plant, start, [0.0], vary=("q", "v_0"))
    assert abs(found.state.q).max() > 1e-3 and np.array_equal(found.state.omega_0, omega)
    later = simulate(plant, lambda t, state: np.zeros(1), found.state, t_end_s=5.0, rtol=1e-12, output_step_s=5.0).states[-1]
    assert_allclose(later.q, found.state.q, atol=1e-9)
    assert not abs(later.attitude_xyzw - found.state.attitude_xyzw).max() < 0.1
    one, other = (linearisation(plant, each, [0.0], axes="base").A for each in (found.state, later))
    assert_allclose(one, other, atol=1e-8)


def test_what_cannot_be_trimmed_is_said() -> None:
    plant = Plant(FALLS, FixedBase())
    with pytest.raises(NumericalFailure, match="elbow"):
        trim(plant, POSED, [0.0, 0.0], vary=("qdot",))
    with pytest.raises(UnknownName, match="r_0"):
        trim(plant, POSED, [0.0, 0.0], vary=("r_0",))
    with pytest.raises(InvalidInput, match="vary"):
        trim(plant, POSED, [0.0, 0.0], vary="q")
