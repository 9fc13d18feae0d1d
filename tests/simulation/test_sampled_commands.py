"""What a law that looks now and then says, by a program of its own, is what it says in Python."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip import control
from scmanip.control import (
    BaseAttitude,
    Carrying,
    CartesianAdmittance,
    CartesianImpedance,
    ComputedTorque,
    ConstraintForce,
    Controller,
    CoordinatedComputedTorque,
    Delayed,
    DisturbanceObserver,
    Filtered,
    Integral,
    JointRegulator,
    ModeDependent,
    MomentumDistribution,
    OutputFeedback,
    PassivityAdaptive,
    Posture,
    QuietBase,
    RateLimited,
    ResolvedRate,
    Sampled,
    Saturated,
    Scheduled,
    StateFeedback,
    Sum,
    TaskComputedTorque,
    TaskPriority,
    TransposedJacobian,
    WithFeedforward,
)
from scmanip.guidance import JointSequence, PoseReference, Reach, recorded_form
from scmanip.modes import Floating, Flying, RotationFlying
from scmanip.plant import Plant
from scmanip.simulation import simulate
from scmanip.simulation.equations._sampled_command import SampledCommand
from scmanip.system import State
from tests.simulation.arms import model, moving_state

PLANT, ESTIMATE = model(stiffness=2.0, damping=0.4), model(mass_2=5.0)
COMPUTED = ComputedTorque(ESTIMATE, K_P=[2.0, 3.0], K_D=[1.0, 1.5])
COORDINATED = CoordinatedComputedTorque(ESTIMATE, Flying(), K_P=2.0, K_D=1.0, base_K_P=0.3, base_K_D=0.9)
LED = TaskComputedTorque(ESTIMATE, Flying(), K_P=0.5, sigma_0=0.2)
NAMES = [coordinate.name for coordinate in PLANT.system.coordinates]
GAIN = StateFeedback(
    Plant(PLANT, Floating()),
    State.at_rest(PLANT.system, [0.1, -0.2]),
    [0.0, 0.0],
    [[2.0, 1.0], [0.3, 4.0]],
    states=[*NAMES],
    inputs=[f"tau[{name}]" for name in NAMES],
)
LAWS: list[Controller] = [
    COMPUTED,
    WithFeedforward(COMPUTED),
    Carrying(COMPUTED),
    JointRegulator(ESTIMATE, K_P=3.0, K_D=[1.0, 2.0]),
    COORDINATED,
    ResolvedRate(COMPUTED, K=0.7),
    ResolvedRate(COORDINATED, K=0.7),
    Saturated(COMPUTED, [0.4, 0.2]),
    Sum(COMPUTED, JointRegulator(ESTIMATE, K_P=1.0, K_D=0.1)),
    GAIN,
    LED,
    CartesianImpedance(ESTIMATE, Flying(), K=3.0, D=4.0, sigma_0=0.2),
    TransposedJacobian(ESTIMATE, K_P=3.0, K_D=2.0),
    QuietBase(ESTIMATE, Flying()),
    Posture(ESTIMATE, Flying()),
    TaskPriority(QuietBase(ESTIMATE, Flying()), LED),
    BaseAttitude(JointRegulator(ESTIMATE, K_P=1.0, K_D=0.1), RotationFlying()),
    MomentumDistribution(ESTIMATE, Flying()),
    Scheduled(COMPUTED, ComputedTorque(ESTIMATE, K_P=1.0, K_D=2.0), over={PLANT.layout.q_names[0]: [-0.5, 0.5]}),
    ModeDependent(COMPUTED, COORDINATED, modes=[Floating(), Flying()]),
]
ELSEWHERE = {  # in tests/control
    ConstraintForce,
    OutputFeedback,
    PassivityAdaptive,
    DisturbanceObserver,
    CartesianAdmittance,
    Filtered,
    Integral,
    RateLimited,
}
JOINTS = JointSequence(2, ramp_s=0.3, cruise_s=(0.4, 1.1, 0.4), rest_s=0.1, settle_s=0.1)


def reference_of(law: Controller, state: State) -> JointSequence | Reach:
    """Return something that a law can follow."""
    if PoseReference not in law.follows:
        return JOINTS
    goal = PLANT.position(state, "fore") + np.array([0.02, -0.03, 0.01])
    return Reach.from_state(PLANT, state, "fore", position_m=goal, duration_s=1.3)


def test_every_law_of_the_library_that_is_recorded_is_here() -> None:
    kinds = {kind for kind in vars(control).values() if isinstance(kind, type) and issubclass(kind, Controller)}
    assert {type(law) for law in LAWS} | ELSEWHERE == {kind for kind in kinds if "recorded" in vars(kind)} - {Controller}


@pytest.mark.battery(4)
@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.kind)
def test_programs_say_what_laws_say(law: Controller) -> None:
    start = moving_state()
    law, reference, rng = law.begun(start), reference_of(law, start), np.random.default_rng(3)
    parts = SampledCommand.of(PLANT, PLANT.layout, law, recorded_form(reference))
    assert parts is not None
    for t in (0.0, 0.3, 0.55, 1.0, 1.3, 4.0):  # corners too
        state = State.renormalised(start.x + rng.normal(0, 0.1, len(start.x)), PLANT.layout)
        wanted, _ = law.command(t, state, reference.at(t), None)
        told = np.empty(len(wanted))
        parts.compiled(np.array(t), state.x, reference.numbers(t), *parts.law.numbers.values(), told)
        assert_allclose(told, wanted, rtol=0, atol=1e-11 * np.abs(wanted).max())


@pytest.mark.parametrize("delay_s", [0.0, 0.13])
def test_runs_ask_the_program_and_no_law(delay_s: float, monkeypatch: pytest.MonkeyPatch) -> None:
    run = {"reference": JOINTS, "t_end_s": 1.0, "output_step_s": 0.1}

    def late(law: Controller) -> Sampled:
        return Sampled(Delayed(law, delay_s=delay_s) if delay_s else law, rate_Hz=10.0)

    law = late(COORDINATED)
    with monkeypatch.context() as patched:
        patched.setattr(CoordinatedComputedTorque, "command", None)
        told = simulate(PLANT, Flying(), law, moving_state(), **run)

    class InPython(CoordinatedComputedTorque):
        """The same law by another class, which is not recorded."""

    asked = InPython(ESTIMATE, Flying(), K_P=2.0, K_D=1.0, base_K_P=0.3, base_K_D=0.9)
    slow = simulate(PLANT, Flying(), late(asked), moving_state(), **run)
    assert_allclose(told.states.x, slow.states.x, rtol=0, atol=1e-11)
    assert_allclose(told.tau, slow.tau, rtol=0, atol=1e-10)
