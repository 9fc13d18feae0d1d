"""Laws that remember something as part of the state of a run."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from scmanip.analysis import linearise, trim
from scmanip.constraints import Lock
from scmanip.control import (
    ComputedTorque,
    Controller,
    Delayed,
    RecordedLaw,
    RecordedWrapper,
    Sampled,
    Saturated,
    Sum,
    Wrapper,
    program_of,
    recorded_law,
)
from scmanip.dynamics import compile_model
from scmanip.errors import InvalidInput
from scmanip.guidance import Hold
from scmanip.mission import load_mission
from scmanip.modes import Floating
from scmanip.plant import Plant
from scmanip.simulation import RK4, Outcome, Switch, ensemble, loop_programs, simulate
from scmanip.system import State, System

from .flown_systems import flown

CASE = flown("planar")
MODEL, N = CASE.model, 4
START = CASE.state()
OPTIONS: dict[str, Any] = {"reference": Hold(START.q + 0.2), "t_end_s": 0.4, "output_step_s": 0.4}


class Lag(Wrapper):
    """The command c of `law` comes as m, T m' = c - m, which begins as the rates of the joints."""

    def __init__(self, law: Controller, T: float = 0.3) -> None:
        self.law, self.T = law, T

    @property
    def states(self) -> Mapping[str, str]:
        return {f"lag[{k}]": "N m" for k in range(N)}

    def state_0(self, state: State) -> np.ndarray:
        return state.qdot

    def state_rate(self, t: float, state: State, reference: Any, memory: np.ndarray) -> np.ndarray:
        return (self.law.command(t, state, reference, None)[0] - memory) / self.T

    def command(self, t: float, state: State, reference: Any, memory: Any) -> Any:
        return memory, memory

    def recorded(self) -> RecordedLaw | None:
        inner = recorded_law(self.law)
        return None if inner is None else RecordedLag(self, inner)


@dataclass(frozen=True, eq=False)
class RecordedLag(RecordedWrapper):
    law: Lag
    inner: RecordedLaw
    remembers = N
    flows = True

    @property
    def key(self) -> Hashable:
        return "lag", self.inner.key

    @property
    def numbers(self) -> Mapping[str, np.ndarray]:
        return {**self.inner.numbers, "T": np.array([self.law.T])}

    def begins(self, x: np.ndarray, numbers: Mapping[str, np.ndarray]) -> np.ndarray:
        return x[MODEL.layout.x_u][-N:]

    def said(self, x: np.ndarray, wanted: Any, numbers: Mapping[str, np.ndarray], memory: np.ndarray) -> Any:
        return memory, (self.inner.force(x, wanted, numbers) - memory) / numbers["T"][0]


class InPython(Wrapper):
    """The same law, without its equations."""

    def __init__(self, law: Controller) -> None:
        self.law = law


INNER = ComputedTorque(MODEL, K_P=1.0, K_D=2.0)


def made(T: float) -> list[Controller]:
    """Laws with a lag of their own, in another one, and beside others."""
    return [Lag(INNER, T), Saturated(Lag(INNER, T), 0.3), Sum(Lag(INNER, T), INNER, Lag(INNER, 0.1))]


LAWS = made(0.3)


@pytest.mark.battery(0, each=1)
@pytest.mark.parametrize("place", range(3))
@pytest.mark.parametrize("sampled", [False, True])
def test_it_is_the_same_in_python_in_machine_code_and_in_lanes(place: int, sampled: bool) -> None:
    law, other_law = ((Sampled(law, rate_Hz=20.0) if sampled else law) for law in (made(0.3)[place], made(0.2)[place]))
    steps = {"integrator": RK4(0.02), **OPTIONS}
    fast = simulate(MODEL, Floating(), law, START, **steps)
    slow = simulate(MODEL, Floating(), InPython(law), START, **steps)
    assert_allclose(fast.final.x, slow.final.x, atol=1e-12)
    assert not fast.broken_laws and not slow.broken_laws
    other = START.repacked(START.x + 0.01 * (np.arange(START.x.size) >= START.x.size - N))
    both = {"parameters": {"1.T" if place == 2 else "T": np.array([[0.3], [0.2]])}, "step_s": 0.02, "method": "rk4"}
    lanes = ensemble(MODEL, Floating(), law, State.stack([START, other]), **both, **OPTIONS)
    alone = simulate(MODEL, Floating(), other_law, other, **steps)
    assert_allclose(lanes.x[:, -1], [fast.final.x, alone.final.x], atol=1e-10)


def test_a_run_shows_what_is_remembered_and_another_one_begins_anew() -> None:
    history = simulate(MODEL, Floating(), LAWS[2], START, **OPTIONS)
    assert history.channels["law_states"].axes == "law_state"
    names = history.channels.dimensions["law_state"].labels
    assert names[0] == "law.1.lag[0]" and names[-1] == "law.3.lag[3]" and set(history.final.actuators) == set(names)
    assert_array_equal(history.law_states[0], [*START.qdot] * 2)
    assert_array_equal(history.law_states[-1], history.final.x[-2 * N :])
    assert_allclose(history.tau[-1], history.law_states[-1].reshape(2, N).sum(axis=0) + said(history.final), rtol=1e-12)
    on = simulate(MODEL, Floating(), LAWS[2], history.final, **OPTIONS)
    assert_array_equal(on.law_states[0], [*history.final.qdot] * 2)
    assert simulate(MODEL, Floating(), INNER, history.final, **OPTIONS).outcome is Outcome.COMPLETED


def said(state: State) -> np.ndarray:
    return INNER.command(0.0, state, OPTIONS["reference"].at(0.0), None)[0]


@pytest.mark.slow
def test_what_is_switched_on_the_way_leaves_it_alone() -> None:
    arm = CASE.system
    system = System("held", arm.base, arm.bodies[1:], arm.frames, constraints=[Lock("stop", arm.joints[1].name)])
    options = {**OPTIONS, "output_step_s": 0.1}
    switches = (Switch(t_s=0.2, impose=("stop",)), Switch(t_s=0.3, release=("stop",)))
    history = simulate(compile_model(system), Floating(), Lag(INNER), START, switches=switches, **options)
    assert history.outcome is Outcome.COMPLETED and len(history.switches) == 2
    for one in history.switches:
        assert_array_equal(one.after.x[-N:], one.before.x[-N:])
    assert abs(np.diff(history.law_states, axis=0)).max() > 1e-3


def test_its_states_are_further_states_of_the_linear_system() -> None:
    plant, rest = Plant(MODEL, Floating()), CASE.state(pace=0.0)
    inner = linearise(plant, rest, np.zeros(N), controller=INNER, outputs=("command",))
    loop = linearise(plant, rest, np.zeros(N), controller=Lag(INNER), outputs=("q", "law"))
    m = loop.nstates
    assert loop.state_labels[-N:] == [f"law_lag[{k}]" for k in range(N)] and m == inner.nstates + N
    assert loop.output_labels[-N:] == [f"law_lag[{k}] [N m]" for k in range(N)] or loop.noutputs == 2 * N
    open_plant = linearise(plant, rest, np.zeros(N))
    expected = np.block([[open_plant.A, open_plant.B], [inner.C / 0.3, -np.eye(N) / 0.3]])
    assert_allclose(loop.A, expected, atol=1e-11 * abs(expected).max())
    removed = linearise(plant, rest, np.zeros(N), controller=Lag(INNER), momenta="remove")
    assert removed.nstates == 3 * N and np.linalg.eigvals(removed.A).real.max() < 0
    found = trim(plant, rest, np.zeros(N), controller=Lag(INNER), vary=("q",))
    assert max(map(abs, found.rates.values())) < 1e-11


def test_its_block_is_that_of_its_equations() -> None:
    import control

    plant, law = Plant(MODEL, Floating()), Lag(INNER)
    block = law.to_nonlinear_io_system(reference=OPTIONS["reference"])
    assert block.state_labels == [f"law_lag[{k}]" for k in range(N)]
    body = plant.to_nonlinear_io_system()
    loop = control.interconnect([body, block], inputs=[], outputs=body.output_labels)
    times = np.linspace(0, 0.4, 3)
    found = control.input_output_response(
        loop, times, X0=[*START.x, *START.qdot], solve_ivp_kwargs={"rtol": 1e-9, "atol": 1e-9}
    )
    history = simulate(plant, law, START, **OPTIONS)
    assert_allclose(found.states[:, -1], history.final.x, atol=1e-7)


def test_it_leaves_as_a_program_and_in_a_unit() -> None:
    program = program_of(Lag(INNER))
    assert [item.name for item in program.outputs] == ["command", "memory_rate", "first_memory"]
    plant = Plant(MODEL, Floating())
    loop = loop_programs(plant, Lag(INNER), START, reference=OPTIONS["reference"], t_end_s=1.0)
    assert_array_equal(loop.y_0[START.x.size : START.x.size + N], START.qdot)
    sampled = loop_programs(plant, Sampled(Lag(INNER), rate_Hz=20.0), START, reference=OPTIONS["reference"], t_end_s=1.0)
    assert_array_equal(sampled.memory, START.qdot)


class Own:
    """A law that is no `Controller`."""

    states = {"integral": "rad s"}  # noqa: RUF012

    def state_0(self, state: State) -> list[float]:
        return [0.0]

    def state_rate(self, t: float, state: State, reference: Any, memory: np.ndarray) -> list[float]:
        return [float(state.q[0] - 0.4)]

    def command(self, t: float, state: State, reference: Any, memory: np.ndarray) -> Any:
        return -state.qdot - memory[0] * np.eye(N)[0], memory


def test_any_object_may_have_it() -> None:
    history = simulate(MODEL, Floating(), Own(), START, t_end_s=0.5, output_step_s=0.01)
    areas = (history.q[1:, 0] + history.q[:-1, 0] - 0.8) / 2 * np.diff(history.t)
    assert_allclose(history.law_states[-1, 0], areas.sum(), atol=1e-6)


class Both(Lag):
    def start(self, state: State) -> Any:
        return ()


class Short(Lag):
    def state_0(self, state: State) -> np.ndarray:
        return np.zeros(2)


class Rateless(Lag):
    def state_rate(self, t: float, state: State, reference: Any, memory: np.ndarray) -> np.ndarray:
        return np.zeros(3)


class Half(Own):
    state_0 = property()  # type: ignore[assignment]


@pytest.mark.parametrize(
    ("law", "words"),
    [
        (Both(INNER), "one kind of memory, found both kinds in Both"),
        (Delayed(Lag(INNER), delay_s=0.1), r"one kind of memory.*Sampled\(Delayed"),
        (Short(INNER), r"state_0 of Short.*4 finite numbers, one per state lag\[0\]"),
        (Sampled(Short(INNER), rate_Hz=10.0), r"state_0 of Short.*4 finite numbers, one per state lag\[0\]"),
        (Sampled(Rateless(INNER), rate_Hz=10.0), r"state_rate of Rateless.*expected 4, one per state lag\[0\].*shape \(3,\)"),
        (InPython(Rateless(INNER)), r"state_rate of .*expected 4, one per state lag\[0\].*shape \(3,\)"),
        (Half(), "states, state_0, state_rate, or none of them"),
    ],
)
def test_what_is_no_such_memory_is_refused_by_name(law: Any, words: str) -> None:
    with pytest.raises(InvalidInput, match=words):
        simulate(MODEL, Floating(), law, START, **OPTIONS)


def test_what_does_not_go_with_it_is_refused_by_name() -> None:
    with pytest.raises(InvalidInput, match="law whose memory is no part of the state"):
        simulate(MODEL, Floating(), Lag(INNER), START, sensitivities=("body.link2.mass_kg",), **OPTIONS)


def test_a_loop_that_looks_and_remembers_is_linear_from_look_to_look() -> None:
    linear = linearise(Plant(MODEL, Floating()), START, np.zeros(N), controller=Sampled(Lag(INNER), rate_Hz=10.0))
    assert linear.dt == pytest.approx(0.1)
    assert [name for name in linear.state_labels if name.startswith("law_")]


def test_a_delay_goes_around_it_where_it_is_sampled() -> None:
    law = Sampled(Delayed(Lag(INNER), delay_s=0.1), rate_Hz=20.0)
    history = simulate(MODEL, Floating(), law, START, **{**OPTIONS, "output_step_s": 0.05})
    assert_array_equal(history.tau[:3], 0.0)
    assert_allclose(history.tau[3], START.qdot, rtol=1e-12)  # what it said first


@pytest.mark.slow
def test_phases_with_other_laws_have_one_history_that_is_stored() -> None:
    """What a phase does not remember is no number there."""
    run = load_mission(Path(__file__).parents[2] / "missions" / "planar_wall.toml")
    run = replace(run, phases=run.phases[2:], switches=()).run()
    history = run.history
    labels = history.channels.dimensions["law_state"].labels
    own = [each.channels.dimensions["law_state"].labels for each in run.histories]
    assert set(labels) == {*own[0], *own[1]} and history.law_states.shape == (len(history.t), len(labels))
    first = len(run.histories[0].t)
    assert_array_equal(history.law_states[:first, : len(own[0])], run.histories[0].law_states)
    assert np.isnan(history.law_states[:first, len(own[0]) :]).all() and np.isnan(history.law_states[first:, 0]).all()
    assert b"law_states" in run.netcdf()
