"""Brakes in runs: what slips gives no impulse, drags until it rests, then holds, and slips again beyond its limit."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.constraints import Lock
from scmanip.control import JointRegulator, Sampled
from scmanip.dynamics import compile_model
from scmanip.guidance import Hold
from scmanip.modes import Floating
from scmanip.plant import Plant
from scmanip.simulation import Outcome, Switch, simulate
from scmanip.simulation.switching import _course
from scmanip.system import Body, Joint, State, System, load_system
from tests.oracles.random_systems import SEVERAL, random_joint

ARM = load_system("model:planar_four_link")
MOST, RATE, ROTOR, OFFSET = 0.5, 0.4, 2.0, 1.2
YIELDS = 1 / (8.0 + 10.0 * 3.0 / 13.0 * OFFSET**2) + 1 / ROTOR  # rate of the joint per torque and time, wherever it stands


@pytest.fixture(scope="module")
def turning():
    """A rotor on a free base, balanced about its joint, that a brake and a lock may hold."""
    joint = Joint("axle", "revolute", [0, 0, 1], origin_m=[OFFSET, 0, 0])
    rotor = Body("rotor", 3.0, [1.0, 1.0, ROTOR], parent="base", joint=joint)
    held = [Lock("brake", "axle", slip_Nm=MOST), Lock("lock", "axle")]
    return compile_model(System("turning", Body("base", 10.0, [5.0, 5.0, 8.0]), [rotor], constraints=held))


def start(rate: float = RATE) -> State:
    return State(q=[0.1], qdot=[rate], r_0=np.zeros(3), v_0=[0.02, 0.01, 0], omega_0=[0, 0, 0.03])


def flown(turning, torque, rate=RATE, t_s=0.5, **changes):
    """Fly under a torque of the time, with the brake on from a time on."""
    switches = [Switch(t_s=t_s, impose="brake")]
    given = {"t_end_s": 3.0, "output_step_s": 0.25, "rtol": 1e-12, "switches": switches, **changes}
    law = torque if isinstance(torque, Sampled) else lambda t, state: np.array([torque(t)])
    return simulate(turning, Floating(), law, start(rate), **given)


def is_lawful(history, alone=True):
    assert history.outcome is Outcome.COMPLETED
    assert not history.broken_laws
    for quantity, left in history.unaccounted.items():
        assert abs(left).max() < 1e-9, quantity
    for series in (history.P, history.L_C) if alone else ():
        assert abs(series - series[0]).max() < 1e-10


@pytest.mark.parametrize("rate", [-RATE, pytest.param(RATE, marks=pytest.mark.slow)])
def test_a_brake_drags_until_its_joint_rests_and_then_holds(turning, rate):
    history, sign = flown(turning, lambda t: 0.0, rate), np.sign(rate)
    put_on, rests = history.switches
    assert put_on.imposed == put_on.slipped == ("brake",) and put_on.active == ()
    np.testing.assert_array_equal(put_on.before.x, put_on.after.x)
    assert rests.t == pytest.approx(0.5 + RATE / (YIELDS * MOST), abs=1e-8)
    assert rests.rested == rests.active == ("brake",) and str(rests).startswith("stopped 'brake' at t = 1.8598")
    dragged = (history.t >= 0.5) & (history.t < rests.t)
    gone = sign * (RATE - YIELDS * MOST * (history.t[dragged] - 0.5))
    assert_allclose(history.qdot[dragged, 0], gone, atol=1e-10)
    assert_allclose(history.constraint_forces["brake"][dragged], -sign * MOST)
    after = history.t > rests.t
    assert abs(history.qdot[after]).max() < 1e-13 and np.ptp(history.q[after]) < 1e-13
    assert abs(history.constraint_forces["brake"][after]).max() < 1e-12
    np.testing.assert_array_equal(history.active[:, 0], after)
    assert history.dissipated_by_switches[-1] == pytest.approx(RATE**2 / YIELDS / 2, abs=1e-10)
    is_lawful(history)


def test_a_brake_that_holds_slips_where_a_torque_passes_its_limit(turning):
    history = flown(turning, lambda t: 0.4 * t, 0.0, t_s=0.0)
    put_on, slips = history.switches
    assert put_on.active == ("brake",) and not put_on.slipped
    assert slips.t == pytest.approx(MOST / 0.4, abs=1e-8) and slips.slipped == ("brake",)
    since = np.maximum(history.t - slips.t, 0.0)
    assert_allclose(history.qdot[:, 0], YIELDS * 0.4 * since**2 / 2, atol=1e-9)
    assert_allclose(history.constraint_forces["brake"][:, 0], -np.minimum(0.4 * history.t, MOST), atol=1e-9)
    is_lawful(history)


def test_a_torque_beyond_the_limit_turns_the_joint_back(turning):
    """The brake rests for no time at all: what holds there is too much for it at once."""
    history, torque = flown(turning, lambda t: -2 * MOST), 2 * MOST
    rate = RATE - YIELDS * torque * 0.5
    rests, turns = history.switches[-2:]
    assert rests.t == pytest.approx(0.5 + rate / (YIELDS * (torque + MOST)), abs=1e-8)
    assert turns.t == pytest.approx(rests.t, abs=1e-12) and turns.slipped == rests.rested == ("brake",)
    after = history.t > turns.t
    assert_allclose(history.qdot[after, 0], -YIELDS * (torque - MOST) * (history.t[after] - turns.t), atol=1e-9)
    is_lawful(history)


@pytest.mark.slow
def test_a_torque_to_and_fro_lets_a_brake_stick_and_slip(turning):
    history = flown(turning, lambda t: 1.5 * MOST * np.sin(4.0 * t), 0.0, t_s=0.0, t_end_s=2.5, output_step_s=0.05)
    assert [bool(change.slipped) for change in history.switches[1:5]] == [True, False, True, False]
    first, second = (np.searchsorted(history.t, change.t) for change in history.switches[1:5:2])
    forces = history.constraint_forces["brake"][:, 0]
    assert forces[first] == -MOST and forces[second] == MOST and abs(forces).max() <= MOST + 1e-9
    is_lawful(history)


def test_switches_without_an_end_end_the_run(turning, monkeypatch):
    monkeypatch.setattr(_course, "CHATTER", ((50, 1e-12), (4, 0.5)))
    history = flown(turning, lambda t: 1.5 * MOST * np.sin(4.0 * t), 0.0, t_s=0.0, t_end_s=4.0)
    assert history.outcome is Outcome.STALLED and len(history.switches) == 4
    assert history.advice.startswith(f"'brake' switch again and again at t = {history.t[-1]:.9g} s; the latest: ")
    assert not history.broken_laws


def test_a_lock_that_comes_on_while_a_brake_slips_takes_the_impulse(turning):
    history = flown(turning, lambda t: 0.0, switches=[Switch(t_s=0.5, impose="brake"), Switch(t_s=1.0, impose="lock")])
    locked = history.switches[-1]
    left = RATE - YIELDS * MOST * 0.5
    assert locked.impulses["lock"][0] == pytest.approx(-left / YIELDS, rel=1e-9)
    assert locked.active == ("brake", "lock")
    is_lawful(history)


def test_machine_code_and_python_brake_alike(turning):
    given = {"switches": [Switch(t_s=0.3, impose="brake"), Switch(t_s=2.5, release="brake")]}
    law = JointRegulator(turning, K_P=3.0, K_D=0.5)
    reference = Hold(np.array([0.8]))

    def same(t, state):
        return law.command(t, state, reference.at(t), None)[0]

    coded, plain = (
        simulate(turning, Floating(), one, start(), reference=reference, t_end_s=4.0, output_step_s=0.25, **given)
        for one in (law, same)
    )
    assert_allclose(coded.q, plain.q, atol=1e-9)
    assert [str(change) for change in coded.switches] == [str(change) for change in plain.switches]
    assert len(coded.switches) > 2
    assert_allclose(coded.dissipated, plain.dissipated, atol=1e-10)
    is_lawful(coded)


def test_what_a_sampled_law_asks_for_at_once_lets_a_brake_slip(turning):
    law = Sampled(JointRegulator(turning, K_P=2.0, K_D=0.0), rate_Hz=1.0)
    history = flown(turning, law, t_s=0.0, reference=Hold(np.array([0.1])), t_end_s=4.0)
    assert sum(bool(change.rested) for change in history.switches) >= 1
    is_lawful(history)


def test_a_sign_is_an_input_of_programs(turning):
    plant = Plant(turning, Floating())
    one, other = (plant.under(("brake",), start(rate)).plant for rate in (RATE, -RATE))
    assert one.slip_signs == {"brake": -1.0} and other.slip_signs == {"brake": 1.0}
    assert one.description == other.description and one.key is other.key
    assert plant.under(("brake",), start(0.0)).plant.holds == ("brake",)


LIMITS = {"rad": {"slip_Nm": 0.4}, "m": {"slip_N": 0.4}}


def several(kind, *, of=("rad", "m")):
    """Return a free base and a body on a joint of several freedoms that a brake may hold, and a state in which all move.

    of : units of the freedoms in which it slips
    """
    rng = np.random.default_rng(7)
    joint = random_joint(rng, "ball", kind)
    carrier = "ground" if joint.kind.grounded else "base"
    hand = Body("hand", 3.0, [1.0, 1.2, 1.8], com_m=[0.1, 0.05, -0.02], parent=carrier, joint=joint)
    limits = {key: most for unit in of for key, most in LIMITS[unit].items() if unit in {f.unit for f in joint.freedoms}}
    system = System("several", Body("base", 10.0, [5.0, 6.0, 8.0]), [hand], constraints=[Lock("brake", "ball", **limits)])
    q = np.concatenate([np.full(m.n_q, 0.2) if m.n_q == m.dof else _along_z(m.n_q) for m in joint.motions])
    rates = np.array([0.3, -0.2, 0.1, 0.25, -0.15, 0.2])[: joint.dof]
    pose = {"r_0": np.zeros(3), "v_0": [0.02, 0.01, 0], "omega_0": [0, 0.02, 0.03]}
    return compile_model(system), State(q=q, qdot=rates, **pose)


def _along_z(size):
    """Coordinates that end in a quaternion without a turn."""
    return np.array([*np.zeros(size - 1), 1.0])


def braked(model, begin, torque, **changes):
    given = {"t_end_s": 3.0, "output_step_s": 0.25, "rtol": 1e-11, "switches": [Switch(t_s=0.0, impose="brake")], **changes}
    return simulate(model, Floating(), lambda t, state: torque, begin, **given)


@pytest.mark.slow
@pytest.mark.parametrize("kind", sorted(SEVERAL))
def test_each_freedom_slips_until_it_rests_and_then_holds(kind):
    model, begin = several(kind)
    history = braked(model, begin, np.zeros(model.layout.N), t_end_s=12.0)
    assert history.switches[0].slipped == model.constrained("brake").stack.called
    assert len(history.switches) > model.layout.N, "each comes to rest at a time of its own"
    assert abs(history.qdot[-1]).max() < 1e-9 and history.active[-1, 0] == 1.0
    assert abs(history.constraint_forces["brake"]).max() <= 0.4 + 1e-9
    lost = history.kinetic_energy[0] - history.kinetic_energy[-1]
    assert history.dissipated_by_switches[-1] == pytest.approx(lost, abs=1e-9)
    is_lawful(history, alone=kind != "free")


@pytest.mark.slow
def test_a_torque_beyond_the_limit_turns_one_freedom_and_the_others_hold():
    model, begin = several("spherical")
    still = State(q=begin.q, qdot=np.zeros(3), r_0=np.zeros(3))
    history = braked(model, still, np.array([0.0, 0.7, 0.1]), t_end_s=1.0)
    first = history.switches[1]
    assert first.t < 1e-20 and first.slipped == ("brake.ball.y",) and not first.active
    turned = history.qdot[1:]
    assert turned[-1, 1] > 0.05 and abs(turned[:, [0, 2]]).max() < 1e-9
    assert_allclose(history.constraint_forces["brake"][1:, 1], -0.4)
    is_lawful(history)


@pytest.mark.slow
def test_freedoms_without_a_limit_hold_at_once():
    model, begin = several("planar", of=["rad"])
    history = braked(model, begin, np.zeros(3), t_end_s=1.0)
    put_on = history.switches[0]
    assert put_on.slipped == ("brake.ball.turn",) and put_on.energy_lost > 0
    assert abs(put_on.after.qdot[:2]).max() < 1e-15 and put_on.impulses["brake"].shape == (3,)
    assert put_on.impulses["brake"][2] == 0.0 and abs(put_on.impulses["brake"][:2]).min() > 0
    assert abs(history.q[:, :2] - begin.q[:2]).max() < 1e-12
    is_lawful(history)
