"""A tumbling body that is grasped, held and let go, in all modes."""

from __future__ import annotations

import numpy as np
import pytest

from scmanip.constraints import Weld
from scmanip.control import CoordinatedComputedTorque, JointRegulator
from scmanip.dynamics import compile_model
from scmanip.errors import InvalidState
from scmanip.guidance import Hold
from scmanip.loads import Gravity, Orbit
from scmanip.modes import Floating, Flying, RotationFloating, RotationFlying, TranslationFlying
from scmanip.simulation import Outcome, Switch, simulate
from scmanip.spatial import dcm_from_quaternion
from scmanip.system import Body, Frame, Joint, State, System, load_system

ARM = load_system("model:bench_6r")
TIP = ARM.bodies[-1].name
TUMBLE = np.array([0.02, -0.01, 0.005, 0.01, 0.02, -0.015])
Q = np.array([0.2, -0.6, 0.9, 0.3, 0.4, -0.2])


@pytest.fixture(scope="module")
def model():
    inertia = [[120.0, 2.0, -1.0], [2.0, 150.0, 3.0], [-1.0, 3.0, 90.0]]
    free = Joint("target", "free")
    target = Body("target", 400.0, com_m=[0.1, 0, 0], inertia_kg_m2=inertia, parent="ground", joint=free)
    grapple = Frame("grapple", "target", [-0.8, 0.0, 0.0])
    grasp = Weld("grasp", (TIP, "grapple"), tolerance_m=1e-6, tolerance_rad=1e-6)
    return compile_model(System("capture", ARM.base, [*ARM.bodies[1:], target], [*ARM.frames, grapple], constraints=[grasp]))


@pytest.fixture(scope="module")
def start(model):
    """The target lies with its grapple in the hand."""
    posed = State(q=[*Q, 0, 0, 0, 0, 0, 0, 1], qdot=np.zeros(12), r_0=np.zeros(3))
    attitude = model.attitude(posed, TIP)
    origin = model.position(posed, TIP) + dcm_from_quaternion(attitude) @ [0.8, 0.0, 0.0]
    return State(q=[*Q, *origin, *attitude], qdot=[*np.zeros(6), *TUMBLE], r_0=np.zeros(3))


SWITCHES = [Switch(t_s=0.0, impose="grasp"), Switch(t_s=6.0, release="grasp")]
MODES = [
    Floating(),
    RotationFloating(),
    *(pytest.param(m(), marks=pytest.mark.slow) for m in (Flying, RotationFlying, TranslationFlying)),
]


@pytest.mark.battery(0, judged=2)
@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.name)
def test_every_mode_keeps_its_contract_through_capture_and_release(model, start, mode):
    driven = {"K_P": 1.0, "K_D": 2.0, "base_K_P": 0.2, "base_K_D": 0.8}
    law = CoordinatedComputedTorque(model, mode, **driven) if mode.commands_base else JointRegulator(model, K_P=20.0, K_D=40.0)
    history = simulate(model, mode, law, start, reference=Hold(start.q, layout=model.layout), t_end_s=8.0, switches=SWITCHES)
    assert not history.broken_laws
    assert max(residual.relative for residual in history.residuals.values()) < 1e-7
    grasp, release = history.switches
    assert grasp.energy_lost > 0.0 == release.energy_lost
    between = history.t < 6.0
    flown = compile_model(history.system).batch  # with the wheels that the mode needs
    apart = flown.position(history.states, TIP) - flown.position(history.states, "grapple")
    assert abs(apart[between]).max() < 1e-12 < abs(apart[history.t > 6.0]).max()


@pytest.mark.slow
def test_a_grasp_keeps_all_momenta_and_wheels_run_on(model, start):
    law = CoordinatedComputedTorque(model, RotationFloating(), K_P=1.0, K_D=2.0, base_K_P=0.2, base_K_D=0.8)
    reference = Hold(start.q, layout=model.layout)
    history = simulate(model, RotationFloating(), law, start, reference=reference, t_end_s=1.5, switches=SWITCHES[:1])
    (grasp,) = history.switches
    equipped = compile_model(history.system)
    before, after = (equipped.momentum(state) for state in (grasp.before, grasp.after))
    largest = 400.0 * np.linalg.norm(TUMBLE[:3]), 150.0 * np.linalg.norm(TUMBLE[3:])
    assert np.linalg.norm(after.P - before.P) < 1e-12 * largest[0]
    assert np.linalg.norm(after.L_C - before.L_C) < 1e-12 * largest[1]
    spun = grasp.after.wheel_rad_s - grasp.before.wheel_rad_s
    turned = dcm_from_quaternion(grasp.after.attitude_xyzw).T @ (grasp.after.omega_0 - grasp.before.omega_0)
    np.testing.assert_allclose(spun, [-wheel.axis @ turned for wheel in history.system.wheels], atol=1e-15)
    lost = equipped.kinetic_energy(grasp.before) - equipped.kinetic_energy(grasp.after)
    assert abs(grasp.energy_lost - lost) < 1e-12


@pytest.mark.slow
def test_gravity_acts_on_both_while_they_are_apart_and_together(model, start):
    law, reference = JointRegulator(model, K_P=20.0, K_D=40.0), Hold(start.q, layout=model.layout)
    gravity = Gravity(Orbit.circular(altitude_m=500e3))
    history = simulate(model, Floating(), law, start, reference=reference, t_end_s=8.0, environment=gravity, switches=SWITCHES)
    assert np.linalg.norm(history.external_impulse[-1]) > 1e-3
    assert not history.broken_laws


@pytest.mark.slow
def test_a_hand_that_is_not_there_grasps_nothing(model, start):
    law, reference = JointRegulator(model, K_P=20.0, K_D=40.0), Hold(start.q, layout=model.layout)
    options = {"reference": reference, "t_end_s": 3.0}
    late = simulate(model, Floating(), law, start, switches=[Switch(t_s=1.5, impose="grasp")], **options)
    assert late.outcome is Outcome.UNMET
    assert "constraint 'grasp' tolerance_m: expected frames that meet within 1e-06 m, found 0.01" in late.advice
    assert late.t[-1] == 1.5 and len(late.t) == 251
    away = State(q=late.final.q, qdot=late.final.qdot, r_0=late.final.r_0, attitude_xyzw=late.final.attitude_xyzw)
    with pytest.raises(InvalidState, match="frames that meet within 1e-06 m"):
        simulate(model, Floating(), law, away, switches=SWITCHES[:1], **options)
