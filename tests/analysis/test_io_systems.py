"""Plants and laws as blocks of python-control: Figure 4 of [Wilde2018] wired up there moves as it does here."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.analysis import linearise
from scmanip.control import ComputedTorque, Delayed, ResolvedRate, Sampled
from scmanip.dynamics import compile_model
from scmanip.errors import InvalidInput
from scmanip.guidance import Hold, JointSequence
from scmanip.modes import Floating, RotationFloating
from scmanip.plant import Plant
from scmanip.simulation import simulate
from scmanip.system import State, load_system

from ..simulation.arms import model, moving_state
from ..simulation.trees import moving_tree_state, two_balls_and_a_gimbal


@pytest.mark.slow
def test_figure_4_as_an_interconnection_moves_as_simulate_does() -> None:
    import control

    made = compile_model(load_system("model:planar_four_link"))
    law, plant = ComputedTorque(made, K_P=1.0, K_D=1.4), Plant(made, Floating())
    reference = JointSequence(4, ramp_s=0.25, cruise_s=(0.25, 0.25, 0.25), rest_s=0.25)
    blocks = [plant.to_nonlinear_io_system(), law.to_nonlinear_io_system(reference=reference)]
    loop = control.interconnect(blocks, inputs=[], outputs=blocks[0].output_labels)
    start = State([0.1, 0, 0], [0, 0, 0, 1], [0.1, -0.05, 0.0, 0.1], omega_0=[0.01, 0.02, 0.0])
    times = np.linspace(0.0, 1.0, 3)
    tight = {"solve_ivp_method": "DOP853", "solve_ivp_kwargs": {"rtol": 1e-11, "atol": 1e-12}}
    response = control.input_output_response(loop, times, 0, start.x, **tight)
    history = simulate(plant, law, start, reference=reference, t_end_s=1.0, rtol=1e-12, output_step_s=0.5)
    assert_allclose(response.outputs.T, history.states.x, rtol=0, atol=1e-8)


def test_a_block_of_a_plant_says_its_rates_of_quaternions_of_any_norm() -> None:
    plant, state = Plant(compile_model(two_balls_and_a_gimbal()), RotationFloating()), moving_tree_state()
    state = plant.at_rest(state)
    block, command = plant.to_nonlinear_io_system("craft"), np.array([0, 0, 0, 0.1, 0.2, 0.3, *np.linspace(-1, 1, 9)])
    assert block.name == "craft" and block.nstates == plant.layout.n_x == block.noutputs
    assert_allclose(block.dynamics(0.0, state.x, command), plant.rates(state, command), rtol=1e-12)
    x = np.array(state.x)
    for place in plant.layout.x_quaternions:
        x[place : place + 4] *= 1.1
    expected = plant.rates(state, command)
    for place in plant.layout.x_quaternions:
        expected[place : place + 4] *= 1.1
    assert_allclose(block.dynamics(0.0, x, command), expected, rtol=1e-12, atol=1e-14)
    assert tuple(block.state_labels[-3:]) == plant.layout.wheel_names


def test_blocks_and_linear_systems_call_speeds_and_commands_alike() -> None:
    plant = Plant(model(), Floating())
    block, linear = plant.to_nonlinear_io_system(), linearise(plant, moving_state(), [0, 0])
    assert block.input_labels == linear.input_labels
    assert block.state_labels[-8:] == linear.state_labels[-8:]


def test_a_block_of_a_law_takes_what_is_wanted_or_has_it() -> None:
    made, state = model(), moving_state()
    law, hold = ComputedTorque(made, K_P=2.0, K_D=1.0), Hold([0.1, 0.2])
    told, _ = law.command(0.0, state, hold.at(0.0), None)
    given = np.concatenate([state.x, [0.1, 0.2], np.zeros(4)])
    block = law.to_nonlinear_io_system()
    assert block.input_labels[-6::2] == ["q_D[shoulder]", "qdot_D[shoulder]", "qddot_D[shoulder]"]
    assert_allclose(block.output(0.0, [], given), told, rtol=1e-14)
    assert_allclose(law.to_nonlinear_io_system(reference=hold).output(0.0, [], state.x), told, rtol=1e-14)
    assert Sampled(law, rate_Hz=10.0).to_nonlinear_io_system().dt == pytest.approx(0.1)


def test_what_is_no_block_is_refused() -> None:
    made = model()
    law = ComputedTorque(made)
    with pytest.raises(InvalidInput, match="a law whose memory, if any, is part of the state"):
        Delayed(law, delay_s=0.1).to_nonlinear_io_system()
    with pytest.raises(InvalidInput, match="of 2 joint coordinates"):
        law.to_nonlinear_io_system(reference=Hold([0.0, 0.0, 0.0]))
    with pytest.raises(InvalidInput, match="which names a frame"):
        ResolvedRate(law).to_nonlinear_io_system()
    with pytest.raises(InvalidInput, match="name: expected a name"):
        law.to_nonlinear_io_system(name=3)  # type: ignore[arg-type]
