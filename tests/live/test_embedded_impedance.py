"""A hand that leads by inverse dynamics: what it leads follows it, and it feels what that needs, no more and no less."""

import numpy as np
import pytest

import scmanip
from scmanip.constraints import Lock
from scmanip.control import JointRegulator
from scmanip.errors import InvalidInput, NotRecordable
from scmanip.guidance import Hold
from scmanip.live import (
    Ahead,
    Device,
    EmbeddedImpedance,
    Firmness,
    Gizmo,
    GuidingHand,
    Handle,
    Impedance,
    Moved,
    Pose,
    Session,
    Way,
    heaviness,
)
from scmanip.live.devices._turning import product
from scmanip.modes import FixedBase
from scmanip.plant import Plant
from scmanip.spatial import dcm_from_axis_angle, quaternion_from_dcm
from scmanip.system import Body, Frame, Joint, State, System

from . import arms

AXIS = np.array([2.0, -1.0, 2.0]) / 3


class Known(Device):
    """A hand that feels nothing and moves as is told: a place (3,) and an angle about an axis, each with its rate."""

    feels = False

    def __init__(self, motion, axis=AXIS):
        self.motion, self.axis, self.there = motion, axis, True

    def at(self, t):
        if not self.there:
            return None
        place, angle, v, rate = self.motion(t)
        attitude = quaternion_from_dcm(dcm_from_axis_angle(self.axis, angle))
        return Pose([*map(float, place)], [*map(float, attitude)], [*map(float, v), *map(float, rate * self.axis)])

    def moved(self, t, step_s, wrench, added):
        return Moved((0.0,) * 6, 0.0, 0.0, (0.0,) * 6)

    def let_go(self):
        self.there = False


def swung(t):
    """Through a corner of space and back, turning; at rest at first."""
    place = np.array([0.1 * (1 - np.cos(3 * t)), 0.05 * (1 - np.cos(5 * t)), -0.04 * (1 - np.cos(4 * t))])
    v = np.array([0.3 * np.sin(3 * t), 0.25 * np.sin(5 * t), -0.16 * np.sin(4 * t)])
    return place, 0.4 * (1 - np.cos(2 * t)), v, 0.8 * np.sin(2 * t)


def pushed(t):
    """At a constant acceleration of 2 m/s^2 and 0.5 rad/s^2."""
    return np.array([t * t, 0, 0]), 0.25 * t * t, np.array([2 * t, 0, 0]), 0.5 * t


def cart():
    """A cart of 4 kg and 0.3 kg m^2 on a floor."""
    body = Body("cart", 4.0, [0.2, 0.2, 0.3], parent="base", joint=Joint("floor", "planar"))
    model = scmanip.compile_model(System("cart", Body("base", 0, [0, 0, 0]), [body], fixed=True))
    start = State(q=[0, 0, 0], qdot=[0, 0, 0])
    return Plant(model, FixedBase()), start


def cart_in(hand, display=None, **settings):
    plant, start = cart()
    way = Way(plant, JointRegulator(plant.model, K_P=0, K_D=0), Hold(start.q))
    return Session({"cart": way}, start, "cart", display or EmbeddedImpedance(), hand, **settings)


def own(live):
    """The states of the hand."""
    loop = live.flight.loop
    return loop.y[loop.places("hand")]


def flown(live, seconds):
    for _ in range(round(seconds / live.step_s)):
        assert live.step(), live.trouble


def test_the_hand_feels_mass_times_acceleration():
    live = cart_in(Known(pushed, np.array([0.0, 0, 1])))
    flown(live, 0.1)
    assert live.link.wrench == pytest.approx([8, 0, 0, 0, 0, 0.15], abs=1e-9)
    t = 0.099  # a step behind
    given, impulse = own(live)[25], own(live)[26:]
    assert impulse == pytest.approx([8 * t, 0, 0, 0, 0, 0.15 * t], abs=1e-12)
    assert given == pytest.approx(4 * (2 * t) ** 2 / 2 + 0.3 * (0.5 * t) ** 2 / 2, abs=1e-12)
    assert live.flight.loop.hardware.q == pytest.approx([t * t, 0, 0.25 * t * t], abs=1e-12)


def test_the_frame_is_where_the_hand_was_sensed_and_momentum_is_its_impulse():
    live = arms.session(display=EmbeddedImpedance(), device=Known(swung))
    model, (begun, attitude) = live.plant.model, live.link.pose()
    off = turned = 0.0
    for _ in range(400):
        sensed = live.device.at(live.t)
        assert live.step(), live.trouble
        place, now = live.link.pose()
        off = max(off, abs(place - begun - sensed.position_m).max())
        turned = max(turned, abs(abs(product(sensed.attitude_xyzw, attitude) @ now) - 1))
    assert off < 1e-9 and turned < 1e-12
    momentum = model.momentum(live.flight.loop.hardware)
    assert np.linalg.norm(momentum.P) > 0.1
    assert pytest.approx(own(live)[26:29], abs=1e-9) == momentum.P
    history = live.history()
    assert np.allclose(history.P, history.external_impulse, atol=1e-9, rtol=0)
    assert history.kinetic_energy[-1] == pytest.approx(own(live)[25], abs=1e-9)
    assert abs(history.unaccounted["work"]).max() < 1e-9 and history.broken_laws == ()
    finely = history.finely
    at = np.searchsorted(finely.t, history.t)
    assert np.allclose(finely.q[at], history.q, atol=1e-13, rtol=0)
    assert np.array_equal(finely.load_states[at], history.load_states)


def test_its_force_given_by_another_hand_moves_the_system_alike():
    live = arms.session(display=EmbeddedImpedance(), device=Known(swung))
    flown(live, 0.2)
    live.link.before(live.t)
    loop, plant = live.flight.loop, live.plant
    state, hardware = loop.state, loop.hardware
    rates = plant.rates(state, np.zeros(2), loop.t)
    force = rates[plant.layout.actuators["hand"]][26:]
    assert np.linalg.norm(force) > 0.1
    told = plant.model.forward_dynamics(hardware, np.zeros(2), wrenches=[("tip", force)])
    assert told == pytest.approx(rates[plant.layout.x_u], abs=1e-9)


def test_a_hand_takes_hold_of_what_moves_without_a_blow_and_lets_go():
    hand = Known(swung)
    live = arms.session(display=EmbeddedImpedance(turns=False), device=hand)
    flown(live, 0.3)
    live.let_go()
    assert live.plant.leading == () and not live.link.holds
    before = live.plant.model.momentum(live.flight.loop.hardware).P
    flown(live, 0.1)
    after = live.plant.model.momentum(live.flight.loop.hardware).P
    assert after == pytest.approx(before, abs=1e-12) and not any(live.link.wrench)
    hand.there = True
    live.hold("base")
    hand.there = True
    flown(live, 0.1)
    live.impose("stiff")
    flown(live, 0.1)
    assert abs(live.flight.loop.hardware.qdot[1]) < 1e-12
    live.then("firm")
    flown(live, 0.1)
    history = live.history()
    taken = [one for one in history.switches if one.engaged == ("hand",)]
    assert len(taken) == 2 and all(abs(one.impulses["hand"]).max() < 1e-12 for one in taken)
    assert np.allclose(history.P, history.external_impulse, atol=1e-9, rtol=0)
    assert abs(history.unaccounted["work"]).max() < 1e-9


def test_who_looks_ahead_sees_the_hand_go_on_as_it_goes():
    live = cart_in(Known(pushed, np.array([0.0, 0, 1])))
    flown(live, 0.1)
    q = live.flight.loop.hardware.q
    ahead = Ahead(live, horizon_s=0.1).look()
    assert ahead.x[-1][:3] == pytest.approx([q[0] + 0.1 * 0.198, 0, q[2] + 0.1 * 0.0495], abs=1e-9)


def shaken(t, x, v):
    """A hand that wanders, a spring and a damper."""
    wanted = np.array([0.1 * np.sin(3 * t), 0.05 * np.sin(7 * t), 0.5 * np.sin(2 * t)])
    return np.array([60.0, 60.0, 0.2]) * (wanted - np.array(x)) - np.array([3.0, 3.0, 0.01]) * v


def test_a_device_heavier_than_what_it_leads_gets_no_energy_out_of_it():
    handle = Handle(shaken, mass_kg=6.0, inertia_kg_m2=0.5)
    live = cart_in(handle)
    flown(live, 2.0)
    assert live.link.observer.given > 0.01 and live.link.observer.least >= -1e-6
    assert live.flight.loop.hardware.q == pytest.approx(handle.x, abs=2e-3)


@pytest.mark.parametrize(("times", "lasts"), [(0.9, False), (1.1, True)])
def test_forces_grow_from_step_to_step_on_a_device_that_is_lighter_than_what_it_leads(monkeypatch, times, lasts):
    monkeypatch.setattr("scmanip.live.displays._embedded_impedance.heaviness", lambda *_: 0.0)
    live = cart_in(Handle(shaken, mass_kg=4.0 * times, inertia_kg_m2=0.3 * times))
    largest = 0.0
    while live.t < 0.5 and live.step():
        largest = max(largest, abs(live.link.wrench[0]))
    assert (largest < 10.0) is lasts


def test_a_hand_is_let_go_where_a_constraint_makes_the_frame_too_heavy():
    model, bent = arms.arm()
    free, stiff = (Plant(model, scmanip.Floating(), constraints=names) for names in ((), ("stiff",)))
    felt = [heaviness(plant, bent, "tip", (1.0, 1.0), False) for plant in (free, stiff)]
    handle = Handle(lambda t, x, v: (0.1, 0.0, 0.0), mass_kg=sum(felt) / 2)
    live = arms.session(display=EmbeddedImpedance(turns=False), device=handle)
    flown(live, 0.02)
    assert live.link.holds
    live.impose("stiff")
    assert not live.step() and "times the mass or inertia of the device is felt at 'tip'" in live.trouble
    assert not live.link.holds and live.plant.leading == ()
    live.release("stiff")
    flown(live, 0.02)
    assert live.link.holds


def test_a_gizmo_tells_how_fast_it_goes():
    hand = Gizmo()
    hand.drag(0.0, [0, 0, 0], [0, 0, 0, 1.0])
    assert not any(hand.at(0.0).velocity)
    hand.drag(0.1, [0.04, 0, 0], [0, 0, np.sin(0.02), np.cos(0.02)])
    first, then = hand.at(0.11), hand.at(0.12)
    assert first.velocity == pytest.approx([0.8, 0, 0, 0, 0, 0.8])  # 40 mm and 40 mrad in 50 ms
    assert (then.position_m[0] - first.position_m[0]) / 0.01 == pytest.approx(0.8)
    assert not any(hand.at(0.2).velocity)


def test_what_no_motion_follows_is_a_step_that_is_not_taken():
    live = cart_in(Known(lambda t: (np.array([0, 0, t * t]), 0.0, np.array([0, 0, 2 * t]), 0.0)))
    assert live.step() and not live.step() and "release the hand" in live.trouble
    assert live.plant.leading == () and live.step()


@pytest.mark.slow
def test_dependent_speeds_are_chosen_anew_while_a_hand_leads_far():
    def around(t):
        c, s, part, rate = np.cos(0.7 * t), np.sin(0.7 * t), 1 - np.exp(-t * t), 2 * t * np.exp(-t * t)
        place, v = np.array([c - 1, s, 0.3 * np.sin(2 * t)]), np.array([-0.7 * s, 0.7 * c, 0.6 * np.cos(2 * t)])
        return part * place, 0.0, part * v + rate * place, 0.0

    live = arms.session(display=EmbeddedImpedance(turns=False), device=Known(around))
    flown(live, 0.1)
    first = live.plant.dependent
    flown(live, 5.0)
    assert live.plant.dependent != first
    history = live.history()
    assert np.allclose(history.P, history.external_impulse, atol=1e-9, rtol=0)
    assert history.kinetic_energy[-1] == pytest.approx(own(live)[25], abs=1e-9)
    assert len(history.switches) == 1  # the hand came


def test_what_cannot_be_shown_is_refused_by_name():
    with pytest.raises(
        InvalidInput, match=r"Handle: expected a mass and an inertia beyond those felt at 'cart'.*300 of its own"
    ):
        cart_in(Handle(shaken))
    with pytest.raises(InvalidInput, match=r"delay_s of the device: expected 0 s, found 0\.02 s"):
        cart_in(Handle(shaken, mass_kg=6.0, inertia_kg_m2=0.5, delay_s=0.02))
    with pytest.raises(InvalidInput, match="firmness: expected none where no coupler is"):
        cart_in(Known(pushed), firmness=Firmness(wn_rad_s=20.0))


def test_a_hand_that_leads_is_told_to_hold_at_a_state_first():
    plant, start = cart()
    led = EmbeddedImpedance().plant(Impedance().plant(plant, "cart"), "cart")
    assert [load.called for load in led.loads] == ["hand"] and led.inhibited == ("hand",)
    assert [type(load).__name__ for load in Impedance().plant(led, "cart").loads] == ["Coupler"]
    assert Impedance().plant(led, "cart").inhibited == ()
    acting = Plant(led.model, led.mode, led.loads, inhibited=[])
    with pytest.raises(NotRecordable, match=r"Plant\.under"):
        acting.rates(start, np.zeros(3))
    assert acting.under((), start).plant.rates(start, np.zeros(3)).shape == (38,)


def test_what_is_felt_is_the_largest_in_any_direction_and_more_where_constraints_hold():
    plant, start = cart()
    assert heaviness(plant, start, "cart", (8.0, 0.3)) == pytest.approx(1.0)
    assert heaviness(plant, start, "cart", (8.0, 0.3), turns=False) == pytest.approx(0.5)
    assert heaviness(plant, start, "cart", (8.0, 0.0)) == heaviness(plant, start, "cart", (0.0, 0.3)) == np.inf
    model, bent = arms.arm()
    free, stiff = (Plant(model, scmanip.Floating(), constraints=names) for names in ((), ("stiff",)))
    sizes = 30.0, 2.0
    assert heaviness(stiff, bent, "tip", sizes, False) > heaviness(free, bent, "tip", sizes, False)


def test_a_hand_of_the_name_of_a_constraint_is_refused():
    body = Body("arm", 1.0, [0.1, 0.1, 0.1], parent="base", joint=Joint("elbow", "revolute", [0, 0, 1]))
    system = System(
        "one", Body("base", 2.0, [1, 1, 1]), [body], [Frame("tip", "arm", [1, 0, 0])], constraints=[Lock("hand", "elbow")]
    )
    with pytest.raises(InvalidInput, match="one that no constraint has"):
        Plant(scmanip.compile_model(system), scmanip.Floating(), [GuidingHand("tip")])


def jerked(display):
    """Accelerations (k, 3) of a cart whose hand is dragged to and fro by jerks, one each 0.1 s, and where it is then."""
    live = cart_in(Gizmo(), display)
    begun, accelerations = live.link.pose(), []
    for k in range(10):
        live.drag(begun[0] + [0.05 * (k % 2), 0.02 * (k % 3), 0.0], begun[1])
        for _ in range(100):
            assert live.step(), live.trouble
            accelerations.append(own(live)[13:16].copy())
    for _ in range(8):
        live.keep()
        flown(live, 0.1)
    return np.array(accelerations), live


def test_jerks_of_a_dragged_hand_do_not_kick():
    w, fastest = 20.0, 1.0
    most = 2 * fastest * w / np.e  # of all motions of the hand that are no faster: variation of w^2 t exp(-w t)
    accelerations, live = jerked(EmbeddedImpedance())
    assert 1.0 < np.linalg.norm(accelerations, axis=1).max() < most
    assert live.link.pose()[0] == pytest.approx([0.05, 0.0, 0.0], abs=1e-5)
    slow = jerked(EmbeddedImpedance(bandwidth_rad_s=5.0))[0]
    assert np.abs(slow).max() < np.abs(accelerations).max() / 2
    assert np.abs(jerked(EmbeddedImpedance(bandwidth_rad_s=1e4))[0]).max() > 10 * most


def test_the_filter_is_of_second_order_and_critically_damped():
    live = cart_in(Gizmo(settle_s=1e-6, fastest_m_s=1e9, fastest_rad_s=1e9), EmbeddedImpedance(bandwidth_rad_s=12.0))
    place, attitude = live.link.pose()
    live.drag(place, attitude)
    flown(live, 0.001)
    begun = live.t
    live.drag(place + np.array([0.1, 0.0, 0.0]), product([0.0, 0.0, np.sin(0.2), np.cos(0.2)], attitude))
    flown(live, 0.001)  # in which it hears of it
    flown(live, 0.15)
    w = 12.0 * (live.t - begun - 1e-3)
    assert live.flight.loop.hardware.q == pytest.approx(np.array([0.1, 0.0, 0.4]) * (1 - (1 + w) * np.exp(-w)), abs=1e-9)


def test_a_filter_is_refused_for_a_hand_that_feels_and_by_its_name():
    heavy = Handle(lambda t, x, v: (0.0, 0.0, 0.0), mass_kg=9.0, inertia_kg_m2=1.0)
    with pytest.raises(InvalidInput, match=r"bandwidth_rad_s: expected none for Handle, .*, found 9 rad/s"):
        cart_in(heavy, EmbeddedImpedance(bandwidth_rad_s=9.0))
    with pytest.raises(InvalidInput, match="bandwidth_rad_s"):
        EmbeddedImpedance(bandwidth_rad_s=0.0)
