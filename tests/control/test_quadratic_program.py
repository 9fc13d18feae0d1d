"""Tasks within the limits of the hardware: itself where none is met, and within all of them elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import linprog

from scmanip.control import ComputedTorque as Torque
from scmanip.control import (
    Posture,
    QuadraticProgram,
    QuietBase,
    Sampled,
    TaskComputedTorque,
    TaskPriority,
    WithFeedforward,
)
from scmanip.control.tasks._limits import AccelerationLimits, LimitUse
from scmanip.control.tasks._quadratic_solvers import solver_called
from scmanip.dynamics import Model, compile_model
from scmanip.errors import Infeasible, InvalidInput, MissingExtra
from scmanip.guidance import Hold, PoseReference
from scmanip.modes import Floating, Flying, ManoeuvreMode, RotationFloating, Situation
from scmanip.simulation import Outcome, simulate
from scmanip.system import State, load_system

from .flown_systems import Flown, flown

MODES = [Floating(), RotationFloating(), Flying()]
SMALL = 1e-9  # of singular values: nothing is damped
PERIOD_S = 0.05


def tasks_of(estimate: Model, mode: ManoeuvreMode, case: Flown) -> TaskPriority:
    tip = TaskComputedTorque(estimate, mode, axes=case.axes, sigma_0=SMALL)
    base = [] if isinstance(mode, Floating) else [QuietBase(estimate, mode, axes=case.quiet, sigma_0=SMALL)]
    return TaskPriority(*base, tip, Posture(estimate, mode))


def ahead(plant: Model, state: State, case: Flown, way: float = 0.1) -> PoseReference:
    place, attitude = plant.position(state, case.frame), plant.attitude(state, case.frame)
    return PoseReference(case.frame, place + way * np.array([1.0, 0.5, 0.0]), attitude, np.zeros(6), np.zeros(6))


@pytest.mark.parametrize("solver", ["daqp", "piqp"])
@pytest.mark.parametrize("mode", MODES, ids=repr)
@pytest.mark.parametrize("name", ["planar", "spatial"])
def test_where_no_limit_is_met_it_is_its_tasks(name: str, mode: ManoeuvreMode, solver: str) -> None:
    case = flown(name)
    law = tasks_of(case.sums, mode, case)
    state = case.state().of_layout(law.tasks[0].estimate.layout)
    law, wanted = law.begun(state), ahead(law.tasks[0].estimate, state, case)
    program = QuadraticProgram(law, horizon_s=PERIOD_S, solver=solver)
    plain = law.command(0.0, state, wanted, None)[0]
    assert_allclose(program.command(0.0, state, wanted, None)[0], plain, rtol=1e-9, atol=1e-9 * abs(plain).max())


def test_weighed_tasks_of_one_level_and_damped_ones_are_its_tasks_too() -> None:
    """Eight rows on four joints: least squares of what cannot be done together, of which one is damped."""
    case, mode = flown("planar"), Floating()
    tip = TaskComputedTorque(case.sums, mode, axes=("x", "y"), sigma_0=0.5)
    both = TaskPriority(tip, QuietBase(case.sums, mode, axes=("rz",)), levels=[1, 1], weights=[1.0, 3.0])
    state = case.state()
    law, wanted = both.begun(state), ahead(case.sums, state, case)
    assert_allclose(
        QuadraticProgram(law, horizon_s=PERIOD_S).command(0.0, state, wanted, None)[0],
        law.command(0.0, state, wanted, None)[0],
        rtol=1e-9,
    )


def test_a_posture_alone_is_computed_torque() -> None:
    case = flown("spatial")
    state, wanted = case.state(), Hold(np.array(case.q) + 0.2).at(0.0)
    law = QuadraticProgram(Posture(case.sums, Floating(), K_P=2.0, K_D=3.0), horizon_s=PERIOD_S)
    torque = WithFeedforward(Torque(case.sums, K_P=2.0, K_D=3.0)).command(0.0, state, wanted, None)[0]
    assert_allclose(law.command(0.0, state, wanted, None)[0], torque, rtol=1e-9, atol=1e-12)


LINK = """
[[arm.link]]
type = "revolute"
a_m = 0.5
b_m = 0.5
mass_kg = 10.0
inertia_kg_m2 = [0.004, 0.83, 0.83]
lower_rad = -1.5
upper_rad = 1.5
"""
WHEEL = """
[[wheel]]
name = "wheel {0}"
axis = {1}
inertia_kg_m2 = 0.02
torque_Nm = 0.4
speed_rad_s = 80.0
"""
MOTOR = """
[[motor]]
joint = "joint{0}"
torque_Nm = 2.0
rate_rad_s = 0.12
"""
WEAK = f"""
schema = "scmanip.system/1"
name = "weak"
[base]
mass_kg = 100.0
inertia_kg_m2 = [4.2, 4.2, 4.2]
[[arm]]
mount_m = [0.25, 0.0, 0.0]
{LINK * 4}
{"".join(WHEEL.format(k, axis.tolist()) for k, axis in enumerate(np.eye(3)))}
{"".join(MOTOR.format(k) for k in range(1, 5))}
"""
AT = np.array([0.4, -0.9, 0.8, 0.5])


@pytest.fixture(scope="module")
def weak(tmp_path_factory: pytest.TempPathFactory) -> Model:
    """Four links with ends of their ranges, weak motors, and three wheels on the base."""
    path: Path = tmp_path_factory.mktemp("weak") / "weak.toml"
    path.write_text(WEAK, encoding="utf-8")
    return compile_model(load_system(path))


def within_by(plant: Model, mode: ManoeuvreMode, state: State, command: np.ndarray) -> float:
    """How far inside its limits the plant is kept by a command at most; negative where it is beyond them."""
    force = mode.generalized_force(plant, state, command)
    assert force.missing is None or abs(force.missing).max() < 1e-9  # nothing was cut
    assert_allclose(force.tau, command[-4:], atol=1e-9)
    qddot = plant.forward_dynamics(state, force.tau, force.wrench)[-4:]
    rates = state.qdot + PERIOD_S * qddot
    ends = np.minimum(rates - (-1.5 - state.q), (1.5 - state.q) - rates)
    return min((2.0 - abs(force.tau)).min(), (0.12 - abs(rates)).min(), ends.min())


@pytest.mark.parametrize("mode", [Floating(), RotationFloating()], ids=repr)
def test_all_limits_are_kept_by_what_asks_for_more(weak: Model, mode: ManoeuvreMode) -> None:
    """In states with speeds, wheels that are half full, and a tip that shall go 2 m away at once."""
    rng, met = np.random.default_rng(7), 0
    for _ in range(12):
        q, qdot = rng.uniform(-1.3, 1.3, 4), rng.uniform(-0.1, 0.1, 4)
        state = State(q=q, qdot=qdot, omega_0=[0, 0, rng.normal() * 0.01], actuators={f"wheel {k}": [40.0] for k in range(3)})
        law = TaskPriority(
            *([] if isinstance(mode, Floating) else [QuietBase(weak, mode, axes=("rz",))]),
            TaskComputedTorque(weak, mode, K_P=4.0, K_D=3.0, axes=("x", "y")),
            Posture(weak, mode),
        ).begun(state)
        wanted = ahead(weak, state, Flown("", (), "tip", (), ()), way=2.0)
        try:
            both = [
                QuadraticProgram(law, horizon_s=PERIOD_S, solver=s).command(0.0, state, wanted, None)[0]
                for s in ("daqp", "piqp")
            ]
        except Infeasible as refused:  # a rate that no motor can take back in time
            assert "rate of" in str(refused) or "torque of" in str(refused)
            continue
        plain = law.command(0.0, state, wanted, None)[0]
        assert within_by(weak, mode, state, both[0]) > -1e-9
        assert_allclose(both[0], both[1], rtol=1e-6, atol=1e-6)
        met += not np.allclose(both[0], plain, rtol=1e-3)
    assert met > 6


def test_the_task_that_comes_first_is_done_while_a_limit_stops_the_second(weak: Model) -> None:
    mode = RotationFloating()
    base, tip = QuietBase(weak, mode, axes=("rz",), K_D=0.5), TaskComputedTorque(weak, mode, K_P=9.0, axes=("x", "y"))
    state = State(q=AT, qdot=np.zeros(4), omega_0=[0, 0, 0.01], actuators={f"wheel {k}": [0.0] for k in range(3)})
    law, wanted = TaskPriority(base, tip).begun(state), ahead(weak, state, Flown("", (), "tip", (), ()), way=1.0)
    command = QuadraticProgram(law, horizon_s=PERIOD_S).command(0.0, state, wanted, None)[0]
    assert abs(command).max() == pytest.approx(2.0, abs=1e-9)
    force = mode.generalized_force(weak, state, command)
    udot = weak.forward_dynamics(state, force.tau, force.wrench)
    assert udot[5] == pytest.approx(-0.5 * 0.01, abs=1e-10)


def at_rest(qdot: Sequence[float]) -> State:
    """The base floats without speed."""
    return State(
        np.zeros(3), [0, 0, 0, 1], AT, np.zeros(3), np.zeros(3), qdot, actuators={f"wheel {k}": [0.0] for k in range(3)}
    )


def flown_far(weak: Model, **use: float) -> QuadraticProgram:
    return QuadraticProgram(Posture(weak, Floating(), K_P=1.0, K_D=2.0), horizon_s=PERIOD_S, **use)


def test_a_flown_arm_keeps_rates_torques_and_the_ends_of_its_ranges(weak: Model) -> None:
    """It is to turn its first joint beyond the end: it comes to within a hundredth of it and not further."""
    law, state = Sampled(flown_far(weak, share=0.8), rate_Hz=1 / PERIOD_S), at_rest(np.zeros(4))
    wanted = Hold(AT + np.array([1.6, 0.0, 0.0, 0.0]))
    history = simulate(weak, Floating(), law, state, reference=wanted, t_end_s=18.0, output_step_s=0.25)
    assert history.outcome is Outcome.COMPLETED
    assert 1.49 < history.q[:, 0].max() < 1.5
    assert abs(history.tau).max() <= 1.6 + 1e-9
    assert 0.095 < abs(history.qdot).max() <= 0.096 * (1 + 1e-3)  # accelerations do not quite stay as they are for a period


def test_what_cannot_be_kept_together_ends_a_run_and_is_named(weak: Model) -> None:
    state = at_rest([0.5, 0.0, 0.0, 0.0])
    law = Sampled(flown_far(weak), rate_Hz=1 / PERIOD_S)
    history = simulate(weak, Floating(), law, state, reference=Hold(AT), t_end_s=1.0)
    assert history.outcome is Outcome.INFEASIBLE and str(history.outcome) == "infeasible"
    assert history.advice.startswith("at t = 0 s: no command keeps all of these together: ")
    named = history.advice.partition("together: ")[2].split("; ")
    assert "rate of 'joint1' [rad/s] from -0.12 to 0.12" in named and len(named) < 8
    assert all(words.startswith(("rate of", "torque of")) for words in named)
    assert_allclose([*history.tau.ravel(), *history.work], 0.0)  # nothing was said, and nothing done


def test_of_the_limits_that_are_named_each_is_needed(weak: Model) -> None:
    law, state = flown_far(weak).law, at_rest([0.5, 0.0, 0.0, 0.0])
    motion = law.stack.motion(Situation.of(weak, state), law.stack.numbers)
    limits = AccelerationLimits.at(motion, Floating(), LimitUse(PERIOD_S, 1.0, 1.0))

    def possible(rows: Sequence[int]) -> bool:
        A, lower, upper = limits.A[rows], limits.lower[rows], limits.upper[rows]
        sides = np.concatenate([upper, -lower])
        return bool(linprog(np.zeros(4), np.concatenate([A, -A]), sides, bounds=(None, None)).status == 0)

    named = [limits.names.index(name) for name in limits.in_conflict(solver_called("daqp"))]
    assert not possible(named)
    assert all(possible([other for other in named if other != one]) for one in named)


def test_a_law_that_cannot_be_is_refused(weak: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    posture = Posture(weak, Floating())
    for options, words in (
        ({"horizon_s": 0.0}, "horizon_s: expected a finite number > 0"),
        ({"horizon_s": 0.1, "share": 1.5}, "share: expected a number > 0 and at most 1"),
        ({"horizon_s": 0.5, "approach_1_s": 3.0}, "approach_1_s: expected at most 1 / horizon_s, 2"),
        ({"horizon_s": 0.1, "solver": "dapq"}, "solver: expected 'daqp' or 'piqp', found 'dapq'"),
    ):
        with pytest.raises(InvalidInput, match=words.replace("(", "\\(")):
            QuadraticProgram(posture, **options)
    with pytest.raises(InvalidInput, match="law: expected a task, or TaskPriority of several"):
        QuadraticProgram(Torque(weak), horizon_s=0.1)  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="controller: expected a sampled law"):
        simulate(weak, Floating(), flown_far(weak), at_rest(np.zeros(4)), reference=Hold(AT), t_end_s=1.0)
    monkeypatch.setitem(sys.modules, "piqp", None)
    with pytest.raises(MissingExtra, match=r'piqp needs the .qp. extra: pip install "scmanip\[qp\]"'):
        QuadraticProgram(posture, horizon_s=0.1, solver="piqp")
