"""Linear laws from sample to sample: observers and filters of python-control, flown."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.linalg import block_diag, expm

from scmanip.analysis import linearise, observer_feedback
from scmanip.compiled import compile_program
from scmanip.control import OutputFeedback, Sampled, Saturated, StateFeedback, Sum, program_of
from scmanip.errors import InvalidInput, UnknownName
from scmanip.guidance import Hold
from scmanip.modes import Floating, RotationFloating
from scmanip.plant import Plant
from scmanip.simulation import simulate
from scmanip.spatial import Array
from scmanip.system import State

from ..simulation.arms import model, moving_state

REST = State([0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0], [0.4, -0.7])


def designed(rate_Hz: float = 10.0, delay_s: float = 0.0) -> tuple[Plant, Any, Any, Array, Array]:
    """A floating arm of which angles alone are measured: plant, linear system, compensator, K and L."""
    import control

    plant = Plant(model(), Floating())
    linear = linearise(plant, REST, [0, 0], momenta="remove", outputs=("q",), rate_Hz=rate_Hz, delay_s=delay_s)
    n = linear.nstates
    K, _, _ = control.dlqr(linear, np.diag([*[10.0] * 2, *[1.0] * (n - 2)]), np.eye(2))
    L, _, _ = control.dlqe(linear.A, np.eye(n), linear.C, np.diag([0.01, 0.01, *[1.0] * (n - 2)]), 0.01 * np.eye(2))
    return plant, linear, observer_feedback(linear, K, L), K, L


@pytest.mark.parametrize("delay_s", [0.0, 0.04])
def test_an_observer_has_the_poles_of_both_designs(delay_s: float) -> None:
    import control

    _, linear, made, K, L = designed(delay_s=delay_s)
    poles = control.feedback(linear, made, sign=1).poles()
    wanted = np.concatenate([np.linalg.eigvals(linear.A - linear.B @ K), np.linalg.eigvals(linear.A - L @ linear.C)])
    assert_allclose(np.sort(abs(poles)), np.sort(abs(wanted)), atol=1e-6)
    assert abs(wanted).max() < 1


def test_a_flown_observer_moves_as_the_linear_loop_of_python_control_does() -> None:
    import control

    plant, linear, made, _, _ = designed()
    law, size = OutputFeedback(plant, REST, [0, 0], made), 1e-5
    start = State([0, 0, 0], [0, 0, 0, 1], REST.q + size * np.array([1.0, -0.5]))
    run = simulate(plant, law, start, t_end_s=2.0, rtol=1e-12, output_step_s=0.1)
    loop = control.feedback(linear, made, sign=1)
    z = np.concatenate([run.q[0] - REST.q, np.zeros(loop.nstates - 2)])
    for q in run.q:
        assert_allclose(q - REST.q, z[:2], rtol=0, atol=1e-4 * size)
        z = loop.A @ z
    assert abs(run.q[-1] - REST.q).max() < 0.5 * size


def test_without_states_it_is_state_feedback_and_says_so_as_a_program() -> None:
    import control

    plant = Plant(model(), RotationFloating())
    state, gain = moving_state(), np.random.default_rng(2).normal(size=(3, 4))
    state = plant.at_rest(state)
    names = {
        "inputs": ["n[x]", "tau[shoulder]", "tau[elbow]"],
        "states": ["attitude[x]", "shoulder", "elbow[rate]", "omega_0[y]"],
    }
    plain = StateFeedback(plant, REST, np.zeros(8), gain, **names)
    static = control.ss([], [], [], -gain, 0.1, inputs=names["states"], outputs=names["inputs"])
    law, hold = OutputFeedback(plant, REST, np.zeros(8), static), Hold([0.1, 0.3])
    told = plain.command(0.0, state, hold.at(0.0), None)[0]
    assert_allclose(law.command(0.0, state, hold.at(0.0), law.start(state))[0], told, rtol=1e-13)
    memory = control.ss(
        np.diag([0.5, 0.2]), np.ones((2, 4)), np.ones((3, 2)), -gain, 0.1, inputs=names["states"], outputs=names["inputs"]
    )
    law = OutputFeedback(plant, REST, np.zeros(8), memory)
    program = program_of(law, plant.model)
    assert program.outputs[1].shape == (2,)
    before = np.array([0.3, -0.4])
    given = {"x": state.x, "memory": before, "q_D": np.array([0.1, 0.3]), "qdot_D": np.zeros(2), "qddot_D": np.zeros(2)}
    out = np.empty(8), np.empty(2)
    compile_program(program)(*(given[each.name] for each in program.inputs), *out)
    expected = law.command(0.0, state, hold.at(0.0), before)
    for one, other in zip(out, expected, strict=True):
        assert_allclose(one, other, rtol=1e-12)


def test_it_looks_by_itself_as_often_as_it_has_samples_inside_others_too() -> None:
    plant, _, made, _, _ = designed()
    law = OutputFeedback(plant, REST, [0, 0], made)
    start = State([0, 0, 0], [0, 0, 0, 1], [0.5, -0.6])
    runs = [
        simulate(plant, each, start, t_end_s=0.5, output_step_s=0.5).final.x
        for each in (law, Sampled(law, rate_Hz=10.0), Saturated(law, 1e3), Saturated(Sampled(law, rate_Hz=10.0), 1e3))
    ]
    for other in runs[1:]:
        assert_allclose(other, runs[0], rtol=1e-14)
    with pytest.raises(InvalidInput, match="rate_Hz: expected that of the law, 10, found 20"):
        Sampled(law, rate_Hz=20.0)
    static = StateFeedback(plant, REST, [0, 0], [[1.0]], states=["elbow"], inputs=["tau[elbow]"])
    with pytest.raises(InvalidInput, match="laws that look at the same times, found 10 Hz and one that looks always"):
        simulate(plant, Sum(law, static), start, t_end_s=0.1)


def test_a_law_about_the_state_in_which_a_run_begins() -> None:
    plant, _, made, _, _ = designed()
    law = OutputFeedback(plant, None, [0, 0], made)
    run = simulate(plant, law, moving_state(), t_end_s=0.2, output_step_s=0.1)
    there = simulate(plant, OutputFeedback(plant, moving_state(), [0, 0], made), moving_state(), t_end_s=0.2, output_step_s=0.1)
    assert_allclose(run.final.x, there.final.x, rtol=1e-14)
    with pytest.raises(InvalidInput, match="state: expected one about which OutputFeedback acts"):
        law.command(0.0, REST, None, law.start(REST))


def test_in_continuous_time_its_states_are_part_of_a_run_and_of_its_linear_system() -> None:
    """Poles are those of both designs, and a small run is that of the linear system."""
    import control

    plant = Plant(model(), Floating())
    linear = linearise(plant, REST, [0, 0], momenta="remove", outputs=("q",))
    K, _, _ = control.lqr(linear, np.diag([100.0, 100, 1, 1]), np.eye(2))
    L, _, _ = control.lqe(linear.A, np.eye(4), linear.C, np.diag([0.01, 0.01, 1, 1]), 0.01 * np.eye(2))
    law = OutputFeedback(plant, REST, [0, 0], observer_feedback(linear, K, L))
    closed = linearise(plant, REST, [0, 0], controller=law, momenta="remove", outputs=("q",))
    wanted = np.concatenate([np.linalg.eigvals(linear.A - linear.B @ K), np.linalg.eigvals(linear.A - L @ linear.C)])
    assert_allclose(np.poly(closed.A), np.poly(wanted), rtol=1e-9)
    size = 1e-5
    start = State([0, 0, 0], [0, 0, 0, 1], REST.q + size * np.array([1.0, -0.5]))
    run = simulate(plant, law, start, t_end_s=2.0, rtol=1e-11, output_step_s=0.5)
    z = np.concatenate([run.q[0] - REST.q, np.zeros(6)])
    for t, q in zip(run.t, run.q, strict=True):
        assert_allclose(q - REST.q, (expm(closed.A * t) @ z)[:2], rtol=0, atol=1e-4 * size)
    fast = simulate(plant, Sampled(law, rate_Hz=200.0), start, t_end_s=2.0, rtol=1e-9, output_step_s=0.5)
    assert_allclose(fast.q, run.q, atol=2e-2 * size)


def test_what_is_no_compensator_is_refused() -> None:
    import control

    plant, linear, _, K, L = designed()
    names = {"inputs": ["elbow"], "outputs": ["tau[elbow]"]}
    for said, given in (
        ("a control.StateSpace", [[1.0]]),
        ("dt = True", control.ss(-1, 1, 1, 0, True, **names)),
    ):
        with pytest.raises(InvalidInput, match=said):
            OutputFeedback(plant, REST, [0, 0], given)
    with pytest.raises(UnknownName, match="knee"):
        OutputFeedback(plant, REST, [0, 0], control.ss(-1, 1, 1, 0, 0.1, inputs=["knee"], outputs=["tau[elbow]"]))
    with pytest.raises(InvalidInput, match="L: expected"):
        observer_feedback(linear, K, L.T)
    with pytest.raises(InvalidInput, match="linear: expected"):
        observer_feedback(block_diag(1.0), K, L)
