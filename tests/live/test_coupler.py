"""The virtual coupler: what it gives and takes, and with which gains it gives no energy."""

from array import array

import numpy as np
import pytest

import scmanip
from scmanip.control import JointRegulator
from scmanip.errors import InvalidInput, ModeMismatch, SingularInertia
from scmanip.guidance import Hold
from scmanip.live import (
    Admittance,
    Coupler,
    Firmness,
    Gains,
    Gizmo,
    Handle,
    Impedance,
    Region,
    effective_inertia,
    session_of_system,
)
from scmanip.live.coupling._passivity import Tank
from scmanip.modes import FixedBase
from scmanip.plant import Plant
from scmanip.simulation import stepping
from scmanip.simulation.stepping._flown import FlownSamples
from scmanip.system import Body, Joint, State, System


@pytest.fixture(scope="module")
def model():
    ground = Body("base", 0, [0, 0, 0])
    body = Body("cart", 4.0, [0.2, 0.2, 0.3], parent="base", joint=Joint("floor", "planar"))
    return scmanip.compile_model(System("cart", ground, [body], fixed=True))


def begun(model, device, display=None, **firmness):
    display = display or Impedance()
    plant, start = display.plant(Plant(model, FixedBase()), "cart"), State(q=[0, 0, 0], qdot=[0, 0, 0])
    loop = stepping(plant, JointRegulator(model, K_P=0, K_D=0), start, reference=Hold(start.q))
    return loop, display.link(loop, "cart", device, Firmness(**firmness))


def flown(loop, link, seconds):
    for _ in range(round(seconds / loop.step_s)):
        t = loop.t
        link.before(t)
        loop.step()
        link.after(t)


@pytest.mark.slow
def test_the_coupler_of_a_body_that_is_dragged_keeps_books_to_rounding(model):
    hand = Gizmo()
    loop, link = begun(model, hand, wn_rad_s=20.0)
    hand.drag(0.0, np.zeros(3), np.array([0, 0, 0, 1.0]))
    hand.stale_s = 10.0
    for k in range(20):
        hand.drag(loop.t, np.array([0.02 * k, 0.01 * k, 0]), np.array([0, 0, np.sin(0.02 * k), np.cos(0.02 * k)]))
        flown(loop, link, 0.05)
    own, history = loop.y[loop.places("hand")], loop.history()
    given, taken, lost = own[Coupler.ENERGIES]
    stored = history.load_outputs[:, -1]
    assert given - taken - lost == pytest.approx(stored[-1], abs=1e-9 * stored.max())
    assert history.external_impulse[-1] == pytest.approx(own[Coupler.IMPULSES][:3], abs=1e-12)
    assert history.kinetic_energy[-1] == pytest.approx(taken, rel=1e-9)
    assert link.wrench[:3] == pytest.approx(history.load_outputs[-1, :3], rel=0.2)


def test_what_is_looked_at_between_the_samples_of_a_session_is_what_was_flown(model):
    hand = Gizmo()
    loop, link = begun(model, hand)
    for k in range(5):
        hand.drag(loop.t, np.array([0.1 * k, 0, 0]), np.array([0, 0, 0, 1.0]))
        flown(loop, link, 0.02)
    history = loop.history()
    again, at = history.finely, np.searchsorted(history.finely.t, history.t)
    assert len(again.t) > 5 * len(history.t)
    assert np.array_equal(again.q[at], history.q)
    assert abs(history.unaccounted["work"]).max() < 1e-12


def test_inputs_of_a_step_keep_their_order():
    flown, given = FlownSamples(), array("d", [1.0, 2.0, 3.0])
    flown.give(3, (1, 4, 1), given)
    given[:] = array("d", [9.0] * 3)
    flown.give(3, (0, 6, 2), given)
    flown.give(5, (0, 1, 1), given[:1])
    assert list(flown.inputs_of(4, 9)) == [5] and not flown.inputs_of(0, 3)
    (first, second) = flown.inputs_of(0, 4)[3]
    assert first[0] == slice(1, 4, 1) and np.array_equal(first[1], [1, 2, 3])
    assert np.array_equal(np.zeros(6)[second[0]], np.zeros(3)) and np.array_equal(second[1], [9, 9, 9])


def test_gains_follow_what_the_hand_feels_and_are_clamped(model):
    state = State(q=[0, 0, 0], qdot=[0, 0, 0])
    assert effective_inertia(model, state, "cart") == pytest.approx((4.0, 0.3))
    gains = Firmness(wn_rad_s=10.0, zeta=0.5).gains(model, state, "cart", 1e-3)
    assert gains.row == pytest.approx([400, 40, 30, 3])
    clamped = gains.clamped(Gains(K=100.0, B=40.0, K_turn=60.0, B_turn=1.0))
    assert clamped.row == pytest.approx([100, 10, 30, 1])
    with pytest.raises(InvalidInput, match=r"at most 300 with steps of 0\.001 s"):
        Firmness(wn_rad_s=301.0).gains(model, state, "cart", 1e-3)


def test_gains_outside_the_region_are_refused_or_lowered(model):
    region = Region(damping_Ns_m=8.0, damping_Nms_rad=0.1, step_s=1e-3, round_trip_s=0.042)
    firm = Gains(K=300.0, B=2.0)
    assert not region.has(firm)
    with pytest.raises(InvalidInput, match="at most 8 N s/m, the damping of the device"):
        region.refuse(firm)
    lowered = region.within(firm)
    assert lowered.K * region.lag_s + lowered.B == pytest.approx(8.0) and region.has(lowered.clamped(lowered))
    assert pytest.approx(lowered.B / firm.B) == lowered.K / firm.K
    with pytest.raises(InvalidInput, match="damping of the device"):
        begun(model, Handle(lambda t, x, v: np.zeros(3), delay_s=0.02), Impedance(controlled=False), wn_rad_s=20.0)


def pushing(t, x, v):
    """A hand that wanders, a spring and a damper."""
    wanted = np.array([0.1 * np.sin(3 * t), 0.05 * np.sin(7 * t), 0.5 * np.sin(2 * t)])
    return np.array([60.0, 60.0, 0.2]) * (wanted - np.array(x)) - np.array([3.0, 3.0, 0.01]) * v


@pytest.mark.slow
@pytest.mark.parametrize("delay_s", [0.0, 0.02])
@pytest.mark.parametrize("display", [Impedance(), Admittance()])
def test_a_handle_gets_no_energy_out_of_what_it_is_coupled_to(model, display, delay_s):
    firmness = {"wn_rad_s": 20.0} if isinstance(display, Impedance) else {}
    loop, link = begun(model, Handle(pushing, delay_s=delay_s), display, **firmness)
    flown(loop, link, 6.0)
    history, ledger = loop.history(), link.observer
    springs = history.load_outputs[:, -1]
    stored = springs.max() if springs.any() else history.kinetic_energy.max()
    assert stored > 1e-3 and ledger.given > 0.1
    assert ledger.least >= -1e-6 * stored
    given, taken, lost = loop.y[loop.places("hand")][Coupler.ENERGIES]
    assert given - taken - lost == pytest.approx(springs[-1], abs=1e-6 * stored)
    if not springs.any():
        assert abs(np.array(link.device.x) - loop.state.q).max() < 0.06


def test_the_largest_share_for_which_there_is_energy():
    for held, work, square in ((1.0, 3.0, 1.0), (1e-3, 0.5, 40.0), (0.2, -1.0, 2.0), (0.5, 2.0, 0.0)):
        share = Tank(held).share(work, square)
        assert 0 < share < 1 and work * share + square * share**2 == pytest.approx(held)
    assert Tank(1.0).share(0.3, 0.5) == 1.0 and Tank(0.0).share(0.3, 0.5) == 0.0
    back = Tank(-1.0).share(-1.0, 2.0)  # what is lacking cannot all be taken back in a step: as much as can be
    assert back == pytest.approx(0.25)


def test_a_device_without_a_loop_of_its_own_is_not_led(model):
    with pytest.raises(ModeMismatch, match="Gizmo is not led"):
        begun(model, Gizmo(), Admittance())


def test_what_has_no_coupler_takes_no_firmness(model):
    with pytest.raises(InvalidInput, match=r"firmness: expected none where no coupler is.*Firmness\(wn_rad_s=20"):
        begun(model, Handle(pushing), Admittance(), wn_rad_s=20.0)


def test_energy_that_a_hand_had_too_much_is_damped_away_at_the_device(model):
    loop, link = begun(model, Handle(pushing, damping_Ns_m=10.0), wn_rad_s=20.0)
    flown(loop, link, 0.3)
    ledger, before = link.observer, link.observer.controlled
    ledger.note(-ledger.balance - 0.02, 0.0)
    assert before == 0.0 and ledger.balance == pytest.approx(-0.02)
    flown(loop, link, 1.0)
    assert ledger.controlled > 0.01 and ledger.balance > -1e-3


def test_a_device_without_mass_is_not_led(model):
    class Led(Gizmo):
        """One with a loop, whose mass nobody said."""

        servo = Gains(K=100.0, B=5.0, K_turn=1.0, B_turn=0.1)

    weightless = Led()
    with pytest.raises(InvalidInput, match=r"(?s)mass_kg: expected a finite number > 0.*inertia_kg_m2"):
        begun(model, weightless, Admittance())


def test_a_hand_that_is_not_heard_of_is_let_go(model):
    hand = Gizmo(stale_s=0.1)
    loop, link = begun(model, hand)
    hand.drag(0.0, np.zeros(3), np.array([0, 0, 0, 1.0]))
    flown(loop, link, 0.05)
    hand.drag(loop.t, np.array([0.2, 0, 0]), np.array([0, 0, 0, 1.0]))
    flown(loop, link, 0.09)
    assert link.holds and link.wrench[0] > 0
    flown(loop, link, 0.1)
    assert not link.holds and not any(link.wrench)
    drifting = loop.state.qdot.copy()
    flown(loop, link, 0.1)
    assert np.array_equal(loop.state.qdot, drifting) and drifting[0] > 0


@pytest.mark.parametrize("wrong", [[np.nan, 0, 0], [np.inf, 0, 0], [0, 0]])
def test_a_hand_that_is_nowhere_is_refused(wrong):
    with pytest.raises(InvalidInput, match="3 finite numbers"):
        Gizmo().drag(0.0, np.array(wrong), np.array([0, 0, 0, 1.0]))
    with pytest.raises(InvalidInput, match="unit quaternion"):
        Gizmo().drag(0.0, np.zeros(3), np.array([np.nan, 0, 0, 1.0]))


def test_what_nothing_can_move_has_no_springs_and_what_nothing_moves_by_is_refused():
    held, wheel = Body("base", 0.0, np.zeros((3, 3))), Joint("axle", "revolute", [0, 0, 1])
    model = scmanip.compile_model(
        System("wheel", held, [Body("wheel", 2.0, [0.1] * 3, parent="base", joint=wheel)], fixed=True)
    )
    state = State(q=[0.3], qdot=[0.0])
    assert effective_inertia(model, state, "wheel") == (np.inf, pytest.approx(0.1))
    gains = Firmness(wn_rad_s=10.0, zeta=0.5).gains(model, state, "wheel", 1e-3)
    assert gains.row == pytest.approx([0.0, 0.0, 10.0, 1.0])
    locked = Body("hand", 2.0, [0.1] * 3, parent="base", joint=Joint("wrist", "gimbal", sequence="zxz"))
    with pytest.raises(SingularInertia, match="'wrist' is in gimbal lock"):
        session_of_system(System("servicer", Body("base", 100.0, [20.0] * 3), [locked]))
