"""A grasp whose mismatch is closed over a time: led from rest to rest, with its work in the books."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.constraints import FramePose, PointOnPoint, Speed, Weld
from scmanip.control import JointRegulator
from scmanip.dynamics import compile_model
from scmanip.guidance import Hold
from scmanip.modes import Floating
from scmanip.plant import Plant
from scmanip.simulation import Outcome, Switch, simulate
from scmanip.spatial import dcm_from_axis_angle, dcm_from_quaternion, quaternion_from_dcm
from scmanip.system import Body, Frame, Joint, State, System

BASE = Body("base", 40.0, [5.0, 6.0, 7.0])
ARM = Body("arm", 6.0, [0.2, 0.9, 1.0], [0.3, 0, 0], "base", Joint("elbow", "revolute", [0, 0, 1], [0.5, 0, 0.1]))
TARGET = Body("target", 25.0, [2.0, 3.0, 2.5], [0.05, 0, 0], "ground", Joint("target", "free"))
POSE = FramePose([0.1, 0.0, 0.02], dcm_from_axis_angle(np.array([0, 0.6, 0.8]), 0.5))
CLOSES, MISSED = 2.0, np.array([0.04, -0.03, 0.05])
HELD = [
    Weld("grasp", ("palm", "grapple"), POSE, 0.1, 0.4, closing_s=CLOSES),
    PointOnPoint("pin", ("palm", "grapple"), 0.2, closing_s=CLOSES),
    Speed("turns", {"elbow": 1.0}, 0.2),
]
SYSTEM = System(
    "closing", BASE, [ARM, TARGET], [Frame("palm", "arm", [0.6, 0, 0]), Frame("grapple", "target")], constraints=HELD
)


@pytest.fixture(scope="module")
def model():
    return compile_model(SYSTEM)


@pytest.fixture(scope="module")
def start(model):
    """The grapple is off its place by a little, and drifts."""
    posed = State(q=[0.3, 0, 0, 0, 0, 0, 0, 1], qdot=np.zeros(7), r_0=np.zeros(3))
    R = dcm_from_quaternion(model.attitude(posed, "palm"))
    place = model.position(posed, "palm") + R @ (POSE.origin_m + MISSED)
    off = dcm_from_axis_angle(np.array([0.0, 0.0, 1.0]), 0.3)
    turn = off @ dcm_from_axis_angle(np.array([1.0, 0, 0]), 0.2) @ R @ POSE.dcm
    rates = [0.05, 0.01, -0.02, 0.015, 0.02, 0.01, -0.03]
    return State(
        q=[0.3, *place, *quaternion_from_dcm(turn)],
        qdot=rates,
        r_0=np.zeros(3),
        v_0=[0.01, 0, 0.005],
        omega_0=[0.01, -0.02, 0.01],
    )


def nothing(t, state):
    return np.zeros(7)


def flown(model, start, name="grasp", **changes):
    given = {"t_end_s": 3.5, "output_step_s": 0.25, "rtol": 1e-12, "switches": [Switch(t_s=0.5, impose=name)], **changes}
    return simulate(model, Floating(), nothing, start, **given)


def mismatch(model, states, k):
    """How far the grapple is from its place in the palm (3,), and its axes as they should be seen from there (3, 3)."""
    state = states[k]
    R = dcm_from_quaternion(model.attitude(state, "palm"))
    away = R.T @ (model.position(state, "grapple") - model.position(state, "palm")) - POSE.origin_m
    return away, R.T @ dcm_from_quaternion(model.attitude(state, "grapple")) @ POSE.dcm.T


@pytest.fixture(scope="module")
def closed(model, start):
    return flown(model, start)


def is_lawful(history):
    assert history.outcome is Outcome.COMPLETED and not history.broken_laws
    assert max(residual.relative for residual in history.residuals.values()) < 1e-9
    for quantity, left in history.unaccounted.items():
        assert abs(left).max() < 1e-9, quantity


@pytest.mark.slow
def test_a_grasp_is_led_to_its_place_in_the_time_that_it_is_given(model, closed):
    first = int(np.searchsorted(closed.t, 0.5))
    away_0, turned_0 = mismatch(model, closed.states, first)
    for k in range(first, len(closed.t)):
        x = min(1.0, (closed.t[k] - 0.5) / CLOSES)
        left = 1 - x**3 * (10 - 15 * x + 6 * x**2)
        away, turned = mismatch(model, closed.states, k)
        assert_allclose(away, left * away_0, atol=1e-10)
        angle = np.arccos((np.trace(turned_0) - 1) / 2)
        axis = np.array([turned_0[2, 1] - turned_0[1, 2], turned_0[0, 2] - turned_0[2, 0], turned_0[1, 0] - turned_0[0, 1]])
        assert_allclose(turned, dcm_from_axis_angle(axis / np.linalg.norm(axis), left * angle), atol=1e-10)
    is_lawful(closed)


@pytest.mark.slow
def test_what_closes_it_does_work_and_gives_no_momentum(closed):
    for series in (closed.P, closed.L_C):
        assert abs(series - series[0]).max() < 1e-11
    (grasp,) = closed.switches
    gained = closed.kinetic_energy - closed.kinetic_energy[0] + np.where(closed.t >= 0.5, grasp.energy_lost, 0.0)
    assert_allclose(closed.work_by_constraints, gained, atol=1e-9 * closed.kinetic_energy.max())
    assert_allclose(closed.work, closed.work_by_constraints, atol=1e-12)
    assert abs(closed.work).max() > 1e-3 * closed.kinetic_energy.max()


def test_another_phase_goes_on_closing(model, start, closed):
    """The second part starts on a clock of its own, as phases of missions do."""
    first = flown(model, start, t_end_s=1.5)
    plant = replace(Plant(model, Floating(), clock_s=1.5), constraints=first.constraints, holding=first.holding)
    second = simulate(plant, nothing, first.final, t_end_s=2.0, output_step_s=0.25, rtol=1e-12)
    assert_allclose(second.states.x[-1], closed.states.x[-1], atol=1e-10)


@pytest.mark.slow
def test_machine_code_and_python_close_alike(model, start):
    """Constraints of a plant as it stands, state by state, and in a recorded loop."""
    law, reference = JointRegulator(model, K_P=2.0, K_D=1.0), Hold(start.q, layout=model.layout)
    options = {"t_end_s": 1.5, "output_step_s": 0.25, "rtol": 1e-11, "switches": [Switch(t_s=0.5, impose="grasp")]}
    coded = simulate(model, Floating(), law, start, reference=reference, **options)

    def same(t, state):
        return law.command(t, state, reference.at(t), None)[0]

    plain = simulate(model, Floating(), same, start, **options)
    assert_allclose(coded.states.x, plain.states.x, atol=1e-9)
    assert_allclose(coded.work_by_constraints, plain.work_by_constraints, atol=1e-9)
    assert_allclose(coded.constraint_forces["grasp"], plain.constraint_forces["grasp"], atol=1e-6)


@pytest.mark.slow
def test_points_are_led_together(model, start):
    history = flown(model, start, "pin", t_end_s=3.0)
    apart = model.position(history.final, "grapple") - model.position(history.final, "palm")
    assert abs(apart).max() < 1e-10
    is_lawful(history)


@pytest.mark.slow
def test_a_speed_that_is_prescribed_does_work_inside(model, start):
    history = flown(model, start, "turns", t_end_s=2.0)
    assert_allclose(history.qdot[history.t >= 0.5, 0], 0.2, atol=1e-12)
    is_lawful(history)
    assert abs(history.work_by_constraints).max() > 0
