"""Compliant joints of six freedoms: a grasp that gives, one that is pinned, a mount on the ground."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from scmanip import FixedBase, Floating, Plant, State, compile_model, simulate
from scmanip.control import JointRegulator
from scmanip.errors import InvalidInput, ModeMismatch, UnknownName
from scmanip.guidance import Hold
from scmanip.loads import Bushing
from scmanip.simulation import Switch, ensemble
from scmanip.spatial import dcm_from_quaternion
from scmanip.system import Body, Frame, Joint, System

from ..simulation.machine_code import all_in_machine_code

UPRIGHT = [0.0, 0.0, 0.0, 1.0]
CLIENT = Body("client", 20.0, [2.0, 3.0, 4.0], [0.1, 0.0, 0.05], "ground", Joint("client", "free"))
FRAMES = [Frame("hand", "base", [0.5, 0.1, 0.0]), Frame("knob", "client", [-0.4, 0.0, 0.1])]
MODEL = compile_model(System("pair", Body("base", 50.0, [6.0, 8.0, 9.0]), [CLIENT], FRAMES))
STIFF = {"stiffness_N_m": (30.0, 20.0, 40.0), "stiffness_Nm_rad": (3.0, 2.0, 4.0)}
PLACE = {"position_m": (0.05, -0.02, 0.03), "attitude_xyzw": (0.1, 0.2, -0.3, np.sqrt(1 - 0.14))}


def start(v=(0.05, -0.02, 0.03), omega=(0.1, -0.2, 0.15)):
    turn = np.array([0.2, -0.1, 0.3, np.sqrt(1 - 0.14)])
    return State([0, 0, 0], UPRIGHT, [1.0, 0.2, 0.1, *turn], [0, 0, 0], [0.02, 0, -0.01], [*v, *omega])


def run(load, state, t_end_s=4.0, model=MODEL, mode=None, **options):
    law, hold = JointRegulator(model, K_P=0.0, K_D=0.0), Hold(state.q, layout=model.layout)
    given = {"reference": hold, "t_end_s": t_end_s, "rtol": 1e-11, "output_step_s": 0.25, **options}
    return simulate(Plant(model, mode or Floating(), [load]), law, state, **given)


def stored(load, history):
    """What the springs store, from the poses alone."""
    found = []
    for state in history.states:
        R_a, R_b = (dcm_from_quaternion(MODEL.attitude(state, name)) for name in load.frames)
        d = R_a.T @ (MODEL.position(state, "knob") - MODEL.position(state, "hand")) - load.position_m
        K = np.array(load.stiffness_Nm_rad)
        Q = R_a.T @ R_b @ dcm_from_quaternion(np.array(load.attitude_xyzw)).T
        found.append(d @ (load.stiffness_N_m * d) / 2 + np.trace(np.diag(K.sum() / 2 - K) @ (np.eye(3) - Q)))
    return np.array(found)


@pytest.mark.slow
def test_springs_give_back_what_they_store_and_all_momentum_stays():
    load = Bushing(("hand", "knob"), **STIFF, **PLACE)
    with all_in_machine_code():
        history = run(load, start())
    energy = stored(load, history)
    assert np.ptp(energy) > 0.1
    assert_allclose(history.kinetic_energy + energy, history.kinetic_energy[0] + energy[0], rtol=1e-9)
    assert_allclose(history.external_work, energy[0] - energy, atol=1e-9)
    assert_allclose(history.P, history.P[0] + 0 * history.P, atol=1e-12)
    assert_allclose(history.L_C, history.L_C[0] + 0 * history.L_C, atol=1e-12)
    assert not history.broken_laws and not history.dissipated.any()


def test_dampers_take_what_is_lost_and_it_comes_to_rest_in_its_place():
    load = Bushing(("hand", "knob"), **STIFF, damping_Ns_m=40.0, damping_Nms_rad=(5.0, 6.0, 7.0), **PLACE)
    still = start().repacked(np.concatenate([start().x[: MODEL.layout.x_u.start], np.zeros(12)]))
    history = run(load, still, 30.0, rtol=1e-9)
    lost = history.kinetic_energy + stored(load, history)
    assert_allclose(history.dissipated, lost[0] - lost, atol=1e-7)
    last = history.final
    R_a, R_b = (dcm_from_quaternion(MODEL.attitude(last, name)) for name in load.frames)
    assert_allclose(R_a.T @ (MODEL.position(last, "knob") - MODEL.position(last, "hand")), load.position_m, atol=1e-3)
    assert_allclose(R_a.T @ R_b, dcm_from_quaternion(np.array(load.attitude_xyzw)), atol=1e-3)


def test_small_motions_are_those_of_a_mass_on_a_spring_and_of_a_torsion_pendulum():
    body = Body("client", 2.0, [0.5, 0.6, 0.7], parent="ground", joint=Joint("client", "free"))
    held = compile_model(System("one", Body("base", 0.0, np.zeros((3, 3))), [body], fixed=True))
    load = Bushing(("ground", "client"), (8.0, 2.0, 1.0), 0.0, (2.0, 5.4, 1.0))
    state = State(q=[1e-3, 0, 0, 0, np.sin(5e-4), 0, np.cos(5e-4)], qdot=np.zeros(6))
    history = run(load, state, 3.0, held, FixedBase())
    assert_allclose(history.q[:, 0], 1e-3 * np.cos(2.0 * history.t), atol=1e-12)  # sqrt(8 / 2) rad/s
    assert_allclose(2 * history.q[:, 4], 1e-3 * np.cos(3.0 * history.t), atol=1e-9)  # sqrt(5.4 / 0.6) rad/s
    assert_allclose(history.load_outputs[:, 0], -8.0 * history.q[:, 0], atol=1e-12)
    assert_allclose(history.push_force[:, 0], history.load_outputs[:, :3], atol=1e-15)
    assert_allclose(history.push_place[:, 0], history.q[:, :3], atol=1e-15)


@pytest.mark.slow
def test_python_and_lanes_move_as_machine_code_does():
    load = Bushing(("hand", "knob"), **STIFF, damping_Ns_m=4.0, **PLACE)
    fast = run(load, start(), 2.0)
    plain = simulate(Plant(MODEL, Floating(), [load]), lambda t, x: np.zeros(6), start(), t_end_s=2.0, rtol=1e-11)
    law, hold = JointRegulator(MODEL, K_P=0.0, K_D=0.0), Hold(start().q, layout=MODEL.layout)
    states = State.stack([start(), start(v=(0, 0, 0))])
    many = ensemble(Plant(MODEL, Floating(), [load]), law, states, reference=hold, t_end_s=2.0, step_s=0.02, output_step_s=2.0)
    for x in (plain.states.x[-1], many.x[0, -1]):
        assert_allclose(x, fast.states.x[-1], atol=1e-8)


def test_a_compliant_grasp_acts_from_when_it_is_engaged_and_a_pinned_one_lets_turn():
    load = Bushing(("hand", "knob"), 50.0, 20.0, name="latch", active=False)
    history = run(load, start(), 6.0, switches=[Switch(t_s=2.0, engage="latch")])
    free = history.t < 2.0
    assert_array_equal(history.load_outputs[free], 0.0)
    assert abs(history.load_outputs[~free, :3]).max() > 1.0 and not history.load_outputs[:, 3:].any()
    assert str(history.switches[0]) == "engaged 'latch' at t = 2 s"
    still = Plant(MODEL, Floating(), [load])
    assert still.inhibited == ("latch",)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"frames": ("hand", "hand")}, "the names of two different frames"),
        ({"stiffness_N_m": -1.0}, "stiffness_N_m: expected finite numbers >= 0"),
        ({"stiffness_N_m": (1.0, 2.0)}, "stiffness_N_m: expected 3 finite numbers"),
        ({"damping_Nms_rad": (1.0, -2.0, 0.0)}, "damping_Nms_rad: expected finite numbers >= 0"),
        ({"position_m": (1.0, np.inf, 0.0)}, "position_m"),
        ({"attitude_xyzw": (0.0, 0.0, 0.0, 2.0)}, "a unit quaternion"),
        ({"name": ""}, "bushing name"),
        ({"active": 1}, "True or False"),
    ],
)
def test_numbers_that_are_none_are_refused(given, words):
    with pytest.raises(InvalidInput, match=words):
        Bushing(**{"frames": ("hand", "knob"), **given})


def test_frames_that_cannot_be_joined_are_refused():
    with pytest.raises(UnknownName, match="knop"):
        Plant(MODEL, Floating(), [Bushing(("hand", "knop"))])
    with pytest.raises(ModeMismatch, match="both are on 'client'"):
        Plant(MODEL, Floating(), [Bushing(("client", "knob"))])
