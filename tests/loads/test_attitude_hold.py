"""A client that keeps its attitude until somebody switches that off."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from scmanip import Floating, Plant, State, compile_model, simulate
from scmanip.constraints import Weld
from scmanip.control import JointRegulator
from scmanip.errors import InvalidInput, UnknownName
from scmanip.guidance import Hold
from scmanip.loads import AttitudeHold
from scmanip.simulation import Switch, ensemble
from scmanip.system import Body, Frame, Joint, System

from ..simulation.machine_code import all_in_machine_code

UPRIGHT = [0.0, 0.0, 0.0, 1.0]
AXIS = np.array([2.0, -1.0, 2.0]) / 3
ARM = Body("arm", 5.0, [0.1, 1.0, 1.0], parent="base", com_m=[0.5, 0, 0], joint=Joint("shoulder", "revolute", axis=[0, 0, 1]))


def servicer(inertia) -> System:
    """A servicer with one joint, and a client in front of its hand."""
    client = Body("client", 40.0, inertia, parent="ground", joint=Joint("client", "free"))
    frames = [Frame("hand", "arm", origin_m=[1.0, 0, 0]), Frame("knob", "client", origin_m=[-0.5, 0, 0])]
    grasp = [Weld("grasp", ("hand", "knob"))]
    return System("pair", Body("base", 100.0, [30.0, 40.0, 50.0]), [ARM, client], frames, constraints=grasp)


BALL, BRICK = compile_model(servicer([10.0] * 3)), compile_model(servicer([4.0, 7.0, 10.0]))


def turned(angle: float, rate: float) -> State:
    """The client beside its attitude, turning about the same axis."""
    q = [0.0, 1.5, 0, 0, *np.sin(angle / 2) * AXIS, np.cos(angle / 2)]
    return State([0, 0, 0], UPRIGHT, q, [0, 0, 0], [0, 0, 0], [0.0, 0, 0, 0, *(rate * AXIS)])


def run(model, load, start, t_end_s=20.0, **options):
    law, hold = JointRegulator(model, K_P=1.0, K_D=2.0), Hold(start.q, layout=model.layout)
    given = {"reference": hold, "t_end_s": t_end_s, "rtol": 1e-11, "output_step_s": 0.5, **options}
    return simulate(Plant(model, Floating(), [load]), law, start, **given)


@pytest.mark.slow
def test_it_is_a_pendulum_about_one_axis_and_its_momentum_comes_from_outside():
    load, start = AttitudeHold("client", 2.0, 0.0, name="its own"), turned(2.5, 0.1)
    with all_in_machine_code():
        history = run(BALL, load, start)
    angle, rate = 2 * np.arctan2(history.q[:, 4:7] @ AXIS, history.q[:, 7]), history.qdot[:, 4:7] @ AXIS
    assert np.ptp(angle) > 2.5
    energy = 5.0 * rate**2 + 2.0 * (1 - np.cos(angle))  # J theta'' = -k sin(theta)
    assert_allclose(energy, energy[0], rtol=1e-9)
    assert_allclose(history.load_outputs, -2.0 * np.sin(angle)[:, None] * AXIS, atol=1e-9)
    assert_allclose(history.L_C - history.L_C[0], history.external_angular_impulse, atol=1e-9)
    assert_allclose(history.external_work, 2.0 * (np.cos(angle) - np.cos(2.5)), atol=1e-8)
    assert_allclose(history.P, 0.0, atol=1e-12)
    assert not history.broken_laws


def test_it_comes_to_rest_in_the_wanted_attitude_below_its_limit():
    wanted = np.array([0.1, 0.2, -0.3, 0.9])
    load = AttitudeHold("client", 3.0, 8.0, tuple(wanted / np.linalg.norm(wanted)), torque_limit_Nm=0.5)
    history = run(BRICK, load, turned(1.0, -0.3), 120.0, rtol=1e-9)
    torque = np.linalg.norm(history.load_outputs, axis=1)
    assert 0.45 < torque.max() < 0.5
    assert_allclose(history.q[-1, 4:8], load.attitude_xyzw, atol=1e-4)
    assert abs(history.qdot[-1, 4:]).max() < 1e-4


def test_python_and_lanes_move_as_machine_code_does():
    load, start = AttitudeHold("client", 2.0, 1.0, torque_limit_Nm=0.2), turned(0.8, 0.3)
    law, hold = JointRegulator(BRICK, K_P=1.0, K_D=2.0), Hold(start.q, layout=BRICK.layout)
    fast = run(BRICK, load, start, 3.0)
    plain = simulate(
        Plant(BRICK, Floating(), [load]), lambda t, x: law.command(t, x, hold.at(t), None)[0], start, t_end_s=3.0, rtol=1e-11
    )
    many = ensemble(
        Plant(BRICK, Floating(), [load]),
        law,
        State.stack([start, turned(0.4, -0.2)]),
        reference=hold,
        t_end_s=3.0,
        step_s=0.05,
        output_step_s=3.0,
    )
    for x in (plain.states.x[-1], many.x[0, -1]):
        assert_allclose(x, fast.states.x[-1], atol=1e-9)


@pytest.mark.slow
def test_a_switch_inhibits_it_and_engages_it_again():
    load = AttitudeHold("client", 2.0, 3.0)
    switches = [Switch(t_s=2.25, inhibit="attitude_hold"), Switch(t_s=6.0, engage=["attitude_hold"])]
    with all_in_machine_code():
        history = run(BRICK, load, turned(1.0, 0.4), 10.0, switches=switches)
    free = (history.t >= 2.25) & (history.t < 6.0)
    assert_array_equal(history.load_outputs[free], 0.0)
    assert np.ptp(history.L_C[free], axis=0).max() < 1e-9 < np.ptp(history.L_C[~free], axis=0).max()
    assert abs(history.load_outputs[~free]).max(axis=1).min() > 1e-3
    inhibited, engaged = history.switches
    assert (inhibited.inhibited, engaged.engaged, history.inhibited) == (("attitude_hold",), ("attitude_hold",), ())
    assert str(inhibited) == "inhibited 'attitude_hold' at t = 2.25 s"
    same = run(BRICK, load, turned(1.0, 0.4), 2.25, output_step_s=2.25)
    assert_allclose(inhibited.before.x, same.states.x[-1], atol=1e-9)
    assert not history.broken_laws


@pytest.mark.slow
def test_one_that_is_inhibited_late_fights_the_stack():
    load, start = AttitudeHold("client", 20.0, 20.0), turned(0.3, 0.0)
    gained = []
    for late_s in (0.0, 4.0):
        at_once = Switch(t_s=2.0, impose="grasp", inhibit="attitude_hold" if not late_s else ())
        later = [Switch(t_s=2.0 + late_s, inhibit="attitude_hold")] if late_s else []
        history = run(BRICK, load, start, 8.0, switches=[at_once, *later])
        grasped = history.t >= 2.0
        gained.append(np.ptp(history.L_C[grasped], axis=0).max())
        assert history.inhibited == ("attitude_hold",)
    assert gained[0] < 1e-8 < 0.1 < gained[1]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"stiffness_Nm_rad": -1.0}, "stiffness_Nm_rad: expected a finite number >= 0, found -1"),
        ({"damping_Nms_rad": np.nan}, "damping_Nms_rad"),
        ({"torque_limit_Nm": 0.0}, "torque_limit_Nm: expected a finite number > 0"),
        ({"attitude_xyzw": (0.0, 0.0, 0.0, 0.0)}, "attitude"),
        ({"name": ""}, "attitude_hold name"),
        ({"body": 3}, "body"),
    ],
)
def test_numbers_that_are_none_are_refused(given, words):
    with pytest.raises(InvalidInput, match=words):
        AttitudeHold(**{"body": "client", "stiffness_Nm_rad": 1.0, "damping_Nms_rad": 1.0, **given})


def test_names_that_nothing_has_are_refused():
    with pytest.raises(UnknownName, match="clint"):
        Plant(BRICK, Floating(), [AttitudeHold("clint", 1.0, 1.0)])
    plain = AttitudeHold("client", 1.0, 1.0)
    with pytest.raises(UnknownName, match="load of this plant: expected one of attitude_hold, found"):
        Plant(BRICK, Floating(), [plain], inhibited=["control"])
    with pytest.raises(UnknownName, match="load of this run: expected one of attitude_hold, found"):
        run(BRICK, plain, turned(0.1, 0.0), switches=[Switch(t_s=1.0, inhibit="control")])
    with pytest.raises(InvalidInput, match="loads to engage that are not inhibited as well"):
        run(BRICK, plain, turned(0.1, 0.0), switches=[Switch(t_s=1.0, engage="attitude_hold", inhibit="attitude_hold")])
