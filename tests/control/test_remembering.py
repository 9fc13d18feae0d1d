"""Laws around laws with a memory of their own: filters, limits of rates, integrals that do not wind up."""

from __future__ import annotations

from typing import Any

import control
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from scmanip.analysis import linearise
from scmanip.control import (
    ComputedTorque,
    Controller,
    Delayed,
    Filtered,
    Integral,
    JointRegulator,
    PassivityAdaptive,
    RateLimited,
    ResolvedRate,
    Sampled,
    Saturated,
    Sum,
    program_of,
)
from scmanip.errors import InvalidInput, ModeMismatch
from scmanip.guidance import Hold
from scmanip.modes import Floating, Flying
from scmanip.plant import Plant
from scmanip.simulation import RK4, Outcome, ensemble, simulate
from scmanip.system import State

from .flown_systems import flown
from .test_every_law import InPython

CASE = flown("planar")
MODEL, N = CASE.model, 4
START, STILL = CASE.state(), CASE.state(pace=0.0)
OPTIONS: dict[str, Any] = {"reference": Hold(START.q + 0.2), "t_end_s": 0.4, "output_step_s": 0.4}
INNER = JointRegulator(MODEL, K_P=2.0, K_D=3.0)
I_OF = Integral(INNER, K_I=3.0, unwinding_1_s=2.0)
LOW = Filtered(INNER, bandwidth_rad_s=9.0, damping=0.7, notch_rad_s=20.0)
ADAPTIVE = PassivityAdaptive(MODEL, Floating(), K_D=20.0, base_K_D=20.0, gamma=0.05).begun(START)
ALWAYS = {
    "first order": Filtered(INNER, bandwidth_rad_s=20.0),
    "cut, filtered twice": Saturated(Filtered(Filtered(I_OF, bandwidth_rad_s=9.0), bandwidth_rad_s=20.0, damping=1.0), 0.3),
    "cut integral": Saturated(I_OF, 0.3),
    "cut sum": Saturated(Sum(INNER, I_OF, LOW), 0.3),
    "cut adaptation": Saturated(Integral(ADAPTIVE, K_I=1.0), 0.2),
}
SAMPLED = {
    "limited": RateLimited(I_OF, 2.0),
    "cut and limited": Saturated(RateLimited(Filtered(Integral(ADAPTIVE, K_I=1.0), bandwidth_rad_s=60.0), 2.0), 0.2),
    "cut sum of limited ones": Saturated(Sum(RateLimited(INNER, 2.0), I_OF), 0.3),
}


def flown_on_all_ways(law: Controller) -> None:
    steps = {"integrator": RK4(0.02), **OPTIONS}
    fast = simulate(MODEL, Floating(), law, START, **steps)
    assert_allclose(simulate(MODEL, Floating(), InPython(law), START, **steps).final.x, fast.final.x, atol=1e-10)
    lanes = ensemble(MODEL, Floating(), law, State.stack([START, START]), step_s=0.02, method="rk4", **OPTIONS)
    assert_allclose(lanes.x[:, -1], [fast.final.x] * 2, atol=1e-10)


@pytest.mark.battery(1)
@pytest.mark.parametrize("name", ALWAYS)
def test_it_is_the_same_in_python_in_machine_code_and_in_lanes(name: str) -> None:
    flown_on_all_ways(ALWAYS[name])


@pytest.mark.battery(2)
@pytest.mark.parametrize("name", [*SAMPLED, *ALWAYS])
def test_it_is_so_from_look_to_look(name: str) -> None:
    flown_on_all_ways(Sampled({**SAMPLED, **ALWAYS}[name], rate_Hz=20.0))


def linear(law: Filtered) -> Any:
    """The filter of one entry as python-control has it."""
    rows = law.own_numbers["filter"]
    n, period = len(rows), law.period_s
    return control.ss(rows[:, :n], rows[:, n:], np.eye(n)[:1], 0.0, *(() if period is None else (period,)))


def filters() -> list[tuple[Filtered, Any]]:
    """Filters with their transfer functions."""
    s, w, z, w_n = control.tf("s"), 9.0, 0.7, 20.0
    first, second = w / (s + w), w**2 / (s**2 + 2 * z * w * s + w**2)
    notch = (s**2 + w_n**2) / (s**2 + w_n * s + w_n**2)
    own = {"bandwidth_rad_s": w}
    laws = [Filtered(INNER, **own), Filtered(INNER, **own, damping=z), Filtered(INNER, **own, notch_rad_s=w_n), LOW]
    return list(zip(laws, [first, second, first * notch, second * notch], strict=True))


@pytest.mark.parametrize("case", range(4))
def test_a_filter_has_the_transfer_function_that_it_says_sampled_exactly(case: int) -> None:
    law, expected = filters()[case]
    points = 1j * np.geomspace(0.1, 200.0, 20)
    assert_allclose(linear(law)(points), expected(points), rtol=1e-11, atol=1e-13)
    made = law.stepped(20.0)
    assert isinstance(made, Filtered)
    held = control.sample_system(control.ss(expected), 0.05)  # what it makes of a command that is held
    on_the_circle = np.exp(points[points.imag < np.pi / 0.05] * 0.05)
    assert_allclose(linear(made)(on_the_circle), held(on_the_circle), rtol=1e-9, atol=1e-12)


def test_its_states_are_those_of_the_linear_system() -> None:
    plant = Plant(MODEL, Floating())
    inner = linearise(plant, STILL, np.zeros(N), controller=INNER, outputs=("command",))
    loop = linearise(plant, STILL, np.zeros(N), controller=LOW)
    names = [
        f"law_{row}_tau[joint{k}]" for row in ("filtered", "filtered_rate", "notch", "notch_rate") for k in range(1, N + 1)
    ]
    assert loop.state_labels[-4 * N :] == names
    rows = LOW.own_numbers["filter"]
    open_plant, m = linearise(plant, STILL, np.zeros(N)), 4 * N
    through = np.hstack([open_plant.B, np.zeros((open_plant.nstates, m - N))])
    expected = np.block([[open_plant.A, through], [np.kron(rows[:, 4:], inner.C), np.kron(rows[:, :4], np.eye(N))]])
    assert_allclose(loop.A, expected, atol=1e-11 * abs(expected).max())
    integral = linearise(plant, STILL, np.zeros(N), controller=I_OF)
    assert integral.state_labels[-N:] == [f"law_integral_tau[joint{k}]" for k in range(1, N + 1)]


def test_no_command_of_a_limited_law_is_further_from_the_last_one_than_it_may_be() -> None:
    limit = np.array([3.0, 1.0, 2.0, 1.5])
    law, options = Sampled(RateLimited(INNER, limit), rate_Hz=20.0), {**OPTIONS, "t_end_s": 2.0, "output_step_s": 0.05}
    history = simulate(MODEL, Floating(), law, START, **options)
    tau, wanted = history.tau[1:], history.tau[:1] * 0
    for given, state, t in zip(tau, history.states, history.t, strict=False):
        asked = INNER.command(t, state, OPTIONS["reference"].at(t), None)[0]
        wanted = wanted[-1] + np.clip(asked - wanted[-1], -limit / 20.0, limit / 20.0)[None]
        assert_allclose(given, wanted[-1], atol=1e-12)
    steps = abs(np.diff(tau, axis=0)).max(axis=0)
    assert (steps <= limit / 20.0 * (1 + 1e-12)).all() and (steps > 0.9 * limit / 20.0).any()


def settled(unwinding_1_s: float, around: Any, **options: Any) -> tuple[float, float]:
    """How far the first joint goes beyond a goal, and until when it is further off than 0.05 rad [s]."""
    law = around(Integral(ComputedTorque(MODEL, K_P=4.0, K_D=4.0), K_I=4.0, unwinding_1_s=unwinding_1_s))
    goal = STILL.q + 0.5 * np.eye(N)[0]
    history = simulate(MODEL, Floating(), law, STILL, reference=Hold(goal), t_end_s=40.0, output_step_s=0.1, **options)
    assert history.outcome is Outcome.COMPLETED
    off = history.q - goal
    return float(off[:, 0].max()), float(history.t[np.flatnonzero(abs(off).max(axis=1) > 0.05)[-1]])


@pytest.mark.parametrize("sampled", [False, True])
def test_an_integral_recovers_from_a_command_that_was_cut(sampled: bool) -> None:
    def around(law: Controller) -> Controller:
        cut = Saturated(law, 0.4)
        return Sampled(cut, rate_Hz=20.0) if sampled else cut

    beyond, at = settled(1.0, around)
    assert beyond < 0.05 and at < 10.0
    beyond, at = settled(0.0, around)  # wound up
    assert beyond > 1.0 and at > 30.0


def test_one_that_changes_too_slowly_tells_it_as_well() -> None:
    def around(law: Controller) -> Controller:
        return Sampled(RateLimited(law, 2.0), rate_Hz=20.0)

    beyond, at = settled(3.0, around)
    assert beyond < 0.05 and at < 10.0
    beyond, at = settled(0.0, around)  # swings ever further
    assert beyond > 1.0 and at > 30.0


def test_what_an_integral_is_for_is_taken_away() -> None:
    """A joint with a spring that the law does not know."""
    held = Hold(STILL.q)
    weak = JointRegulator(MODEL, K_P=2.0, K_D=6.0)
    pushed = Sum(weak, lambda t, state: 0.3 * np.eye(N)[0], Integral(weak, K_I=1.0))
    history = simulate(MODEL, Floating(), pushed, STILL, reference=held, t_end_s=60.0, output_step_s=20.0)
    assert abs(history.q - STILL.q).max(axis=1)[1] > 0 and abs(history.q[-1] - STILL.q).max() < 2e-3
    assert_allclose(history.law_states[-1], [-0.3, 0, 0, 0], atol=1e-2)


def test_adaptation_learns_less_the_more_is_cut() -> None:
    learnt = []
    for limit in (100.0, 0.2):
        law = Saturated(ADAPTIVE, limit)
        history = simulate(MODEL, Floating(), law, START, **{**OPTIONS, "t_end_s": 4.0})
        assert history.outcome is Outcome.COMPLETED
        learnt.append(abs(history.law_states[-1, :-6]).max())
    assert learnt[1] < 0.02 * learnt[0]


def test_it_leaves_as_a_program() -> None:
    program = program_of(Sampled(Saturated(RateLimited(I_OF, 2.0), 0.3), rate_Hz=20.0))
    assert [(item.name, item.shape) for item in program.outputs][:2] == [("command", (N,)), ("next_memory", (2 * N,))]
    block = LOW.to_nonlinear_io_system(reference=OPTIONS["reference"])
    assert block.nstates == 4 * N


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (lambda: Filtered(INNER, bandwidth_rad_s=0.0), "bandwidth_rad_s: expected a finite number > 0"),
        (lambda: Filtered(INNER, bandwidth_rad_s=1.0, damping=-1.0, notch_rad_s=np.inf), r"damping.*\n.*notch_rad_s"),
        (lambda: Filtered(lambda t, state: np.zeros(N), bandwidth_rad_s=1.0), "plant: .* which knows no model"),
        (lambda: RateLimited(INNER, [1.0, 2.0]), "limit: expected one finite number > 0 or 4 of them"),
        (lambda: Integral(INNER, K_I=-1.0), "K_I: expected one finite number >= 0"),
        (lambda: Integral(ResolvedRate(INNER, K=1.0), K_I=1.0), "a law that follows joints, found ResolvedRate"),
        (lambda: Sampled(Integral(INNER, K_I=1.0, unwinding_1_s=30.0), rate_Hz=20.0), "at most rate_Hz = 20, found 30"),
        (lambda: simulate(MODEL, Floating(), RateLimited(INNER, 1.0), START, **OPTIONS), r"sampled.*Sampled\(RateLimited"),
        (lambda: simulate(MODEL, Floating(), Delayed(LOW, delay_s=0.1), START, **OPTIONS), "one kind of memory"),
    ],
)
def test_what_is_none_is_refused_by_name(made: Any, words: str) -> None:
    with pytest.raises(InvalidInput, match=words):
        made()


def test_a_command_of_another_size_is_refused_before_the_run() -> None:
    law = Filtered(lambda t, state: np.zeros(6 + N), bandwidth_rad_s=9.0, plant=Plant(MODEL, Floating()))
    with pytest.raises(ModeMismatch, match="made for 4 entries of a command, which in flying has 10"):
        simulate(MODEL, Flying(), law, START, **OPTIONS)
    fits = Filtered(law.law, bandwidth_rad_s=9.0, plant=Plant(MODEL, Flying()))
    assert_array_equal(simulate(MODEL, Flying(), fits, START, **OPTIONS).law_states[-1], 0.0)
