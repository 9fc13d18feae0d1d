"""What pushes and nobody commanded is observed as a filter of it, and taken out of the command."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.control import (
    ComputedTorque,
    CoordinatedComputedTorque,
    DisturbanceObserver,
    JointRegulator,
    Sampled,
    Saturated,
    WithFeedforward,
    Wrapper,
)
from scmanip.errors import InvalidInput, ModeMismatch
from scmanip.guidance import Hold
from scmanip.loads import Bodies, BodyWrenches, Load
from scmanip.modes import Floating, Flying, ManoeuvreMode, RotationFloating, RotationFlying
from scmanip.plant import Plant
from scmanip.simulation import RK4, ensemble, simulate
from scmanip.spatial import dcm_from_quaternion
from scmanip.system import State

from .flown_systems import flown

CASE = flown("planar")
START = CASE.state()
REFERENCE = Hold(START.q + 0.2)
K = 8.0


@dataclass(frozen=True)
class Push(Load):
    """A constant wrench on the last body, in N."""

    f: float = 0.6
    n: float = 0.4

    def wrenches(self, bodies: Bodies, t: Any) -> BodyWrenches:
        f, n = np.zeros((2, len(bodies.system.bodies), 3))
        f[-1, 0], n[-1, 2] = self.f, self.n
        return BodyWrenches(f, n)


def laws(mode: ManoeuvreMode) -> tuple[Any, DisturbanceObserver]:
    inner: Any = CoordinatedComputedTorque(CASE.model, mode, K_P=1.0, K_D=2.0).begun(START)
    return inner, DisturbanceObserver(inner, mode, bandwidth_rad_s=K)


@pytest.mark.parametrize("mode", [Floating(), RotationFlying(), Flying()], ids=repr)
def test_the_residual_is_what_pushes_through_a_filter(mode: ManoeuvreMode) -> None:
    _, law = laws(mode)
    plant = Plant(CASE.model, mode, [Push()])
    history = simulate(plant, law, START, reference=REFERENCE, t_end_s=2.0, rtol=1e-10, output_step_s=0.005)
    r = np.array([law.observed(state, own) for state, own in zip(history.states, history.law_states, strict=True)])
    w = np.array([pushed(state) for state in history.states])
    slope = K * (w - r)
    gained = (slope[:-2:2] + 4 * slope[1:-1:2] + slope[2::2]) * 0.005 / 3
    assert_allclose(r[::2], np.concatenate([[0 * r[0]], np.cumsum(gained, axis=0)]), atol=1e-6)
    assert abs(r[-1] - w[-1]).max() < 0.05 * abs(w[-1]).max()


def pushed(state: State) -> np.ndarray:
    """The generalized forces of the load, by the Jacobian of the centre of the body."""
    model = CASE.model
    body = CASE.system.bodies[-1]
    J = np.hstack([model.J0(state.of_hardware, body.name), model.Jm(state.of_hardware, body.name)])
    arm = dcm_from_quaternion(model.attitude(state.of_hardware, body.name)) @ body.com_m
    f, n = np.array([0.6, 0.0, 0.0]), np.array([0.0, 0.0, 0.4])
    return J.T @ np.concatenate([f, n + np.cross(arm, f)])


@pytest.mark.parametrize("mode", [Floating(), Flying()], ids=repr)
def test_joints_go_where_they_are_wanted_against_what_pushes(mode: ManoeuvreMode) -> None:
    inner, law = laws(mode)
    plant = Plant(CASE.model, mode, [Push()])
    off = []
    for each in (inner, law):
        history = simulate(plant, each, START, reference=REFERENCE, t_end_s=12.0, output_step_s=1.0)
        off.append(abs(history.q[-1] - REFERENCE.at(0.0).q).max())
    assert off[0] > 0.05 and off[1] < 0.03 * off[0]


def test_nothing_is_observed_where_nothing_pushes() -> None:
    inner, law = laws(Floating())
    one, other = (simulate(CASE.model, Floating(), each, START, reference=REFERENCE, t_end_s=2.0) for each in (inner, law))
    assert_allclose(one.final.q, other.final.q, atol=1e-8)


def test_each_case_in_lanes_observes_as_fast_as_it_says() -> None:
    mode, options = Floating(), {"reference": REFERENCE, "t_end_s": 0.4}
    plant, inner = Plant(CASE.model, mode, [Push()]), WithFeedforward(ComputedTorque(CASE.model, K_P=1.0, K_D=2.0))
    kinds = [DisturbanceObserver(inner, mode, bandwidth_rad_s=each) for each in (2.0, 9.0)]
    rows = np.array([kind.bandwidth_rad_s for kind in kinds])
    lanes = ensemble(plant, kinds[0], START, step_s=0.02, method="rk4", parameters={"bandwidth_rad_s": rows}, **options)
    for x, kind in zip(lanes.x[:, -1], kinds, strict=True):
        alone = simulate(plant, kind, START, integrator=RK4(0.02), **options)
        assert_allclose(x, alone.final.x, atol=1e-10)


@pytest.mark.parametrize("sampled", [False, True])
def test_what_is_cut_of_its_command_is_no_disturbance(sampled: bool) -> None:
    """Nothing pushes: in Python and in machine code it observes nothing, however much is cut."""
    cut = Saturated(laws(Floating())[1], 0.05)
    law: Any = Sampled(cut, rate_Hz=50.0) if sampled else cut
    fast, slow = (
        simulate(CASE.model, Floating(), each, START, reference=REFERENCE, t_end_s=0.4, integrator=RK4(0.02), output_step_s=0.2)
        for each in (law, InPython(law))
    )
    assert_allclose(fast.final.x, slow.final.x, atol=1e-10)
    assert abs(fast.tau).max() <= 0.05 + 1e-12
    if not sampled:
        r = [laws(Floating())[1].observed(*each) for each in zip(fast.states, fast.law_states, strict=True)]
        assert_allclose(r, 0.0, atol=1e-6)


class InPython(Wrapper):
    """The same law, without its equations."""

    def __init__(self, law: Any) -> None:
        self.law = law


def test_what_it_cannot_do_is_refused_by_a_sentence() -> None:
    law = JointRegulator(CASE.model, K_P=1.0, K_D=1.0)
    with pytest.raises(ModeMismatch, match=r"DisturbanceObserver knows forces .* RotationFloating"):
        DisturbanceObserver(law, RotationFloating(), bandwidth_rad_s=1.0)
    with pytest.raises(InvalidInput, match=r"law.*a law with an estimate"):
        DisturbanceObserver(lambda t, state: 0.0, Floating(), bandwidth_rad_s=1.0)  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="bandwidth_rad_s"):
        DisturbanceObserver(law, Floating(), bandwidth_rad_s=[1.0, 2.0])
