"""Runs in which shapes touch rigidly: they strike, stick, slide, turn round, roll and part."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.control import JointRegulator
from scmanip.dynamics import compile_model
from scmanip.errors import InvalidInput, UnknownName
from scmanip.guidance import Hold
from scmanip.impacts import Energetic, Newton, Poisson
from scmanip.modes import FixedBase, Floating
from scmanip.plant import Plant
from scmanip.shapes import Box, Plane, Sphere
from scmanip.simulation import Outcome, RigidContact, simulate
from scmanip.spatial import dcm_from_axis_angle
from scmanip.system import Body, Joint, State, System
from tests.simulation.machine_code import all_in_machine_code

G, PHI, M, R, J = 9.81, 0.4, 2.0, 0.3, 0.09
DOWN, PRESS = G * np.sin(PHI), G * np.cos(PHI)
SLOPE = dcm_from_axis_angle(np.array([0.0, 0, 1]), PHI)
UP_IS_Y = dcm_from_axis_angle(np.array([1.0, 0, 0]), -np.pi / 2)
BASE = Body("base", 10.0, np.diag([4.0, 5.0, 6.0]))


def system(bodies, shapes, **more):
    given = {"fixed": True, "gravity_m_s2": [0, -G, 0], **more}
    return compile_model(System("court", BASE, bodies, shapes=shapes, **given))


def flown(model, q, qdot, t_end_s, contacts, law=None, **more):
    given = {"output_step_s": t_end_s / 10, "rtol": 1e-12, **more}
    law = law or (lambda t, state: np.zeros(model.layout.N))
    return simulate(model, FixedBase(), law, State(q=q, qdot=qdot), t_end_s=t_end_s, contacts=contacts, **given)


def is_lawful(history):
    assert history.outcome is Outcome.COMPLETED, history.advice
    assert not history.broken_laws
    for quantity, left in history.unaccounted.items():
        assert abs(left).max() < 1e-9, quantity


@pytest.fixture(scope="module")
def block():
    """A block that can be lifted off a slope and moved along it, without turning."""
    lift = Body("lift", 0, [0, 0, 0], parent="base", joint=Joint("off", "prismatic", [0, 1, 0], dcm=SLOPE))
    moved = Body("block", M, [J, J, J], parent="lift", joint=Joint("along", "prismatic", [1, 0, 0]))
    return system([lift, moved], [Sphere("foot", "block", R), Plane("slope", "ground", dcm=SLOPE @ UP_IS_Y)])


@pytest.fixture(scope="module")
def disk():
    body = Body("disk", M, [J / 2, J / 2, J], parent="base", joint=Joint("way", "planar", dcm=SLOPE))
    return system([body], [Sphere("rim", "disk", R), Plane("slope", "ground", dcm=SLOPE @ UP_IS_Y)])


@pytest.mark.slow
@pytest.mark.parametrize("mu", [0.6, 0.2, 0.0])
def test_a_block_slides_up_a_slope_stops_and_stays_or_slides_back(block, mu):
    v, t_end = 2.0, 1.0
    history = flown(block, [R, 0], [0, v], t_end, [RigidContact("slope", "foot", Newton(0.0), mu)])
    is_lawful(history)
    slows, back = DOWN + mu * PRESS, max(0.0, DOWN - mu * PRESS)
    stops = v / slows
    assert_allclose(history.q[-1], [R, v * stops / 2 - back * (t_end - stops) ** 2 / 2], atol=1e-8)
    assert_allclose(history.qdot[-1], [0, -back * (t_end - stops)], atol=1e-8)
    if mu:
        first, then = history.switches
        assert first.contacts == {"slope foot": "slides"} and then.t == pytest.approx(stops, abs=1e-8)
        assert then.contacts == {"slope foot": "sticks" if mu > np.tan(PHI) else "slides"}
        path = v * stops / 2 + back * (t_end - stops) ** 2 / 2
        assert_allclose(history.dissipated[-1], mu * M * PRESS * path, rtol=1e-8)
        assert_allclose(history.dissipated_by_switches, history.dissipated, atol=1e-9)
    held = SLOPE.T @ history.contact_force[-1, 0]
    along = mu * PRESS if back else DOWN
    assert_allclose(held, [M * along * (mu > 0), M * PRESS, 0], atol=1e-8)


@pytest.mark.slow
def test_a_disk_slides_rolls_and_slides_again_in_one_run(disk):
    """[Gillespie2003] figure 1: friction turns the disk until it rolls; a torque that grows tears it off."""
    mu, v, rate = 0.3, -2.0, 3.6

    def law(t, state):
        return np.array([0, 0, rate * t])

    history = flown(disk, [0, R, 0], [v, 0, 0], 1.3, [RigidContact("slope", "rim", Newton(0.0), mu)], law)
    is_lawful(history)
    slides, rolls, again = history.switches
    assert [list(change.contacts.values()) for change in history.switches] == [["slides"], ["sticks"], ["slides"]]
    a, inertia = mu * PRESS - DOWN, M + J / R**2
    t_1 = max(np.roots([R * rate / (2 * J), a + mu * M * PRESS * R**2 / J, v]))  # v + a t + r omega = 0
    t_2 = R * (inertia * (DOWN + mu * PRESS) - M * DOWN) / rate  # friction of rolling is -mu N
    assert (slides.t, rolls.t, again.t) == pytest.approx((0, t_1, t_2), abs=1e-8)
    v_2 = v + a * t_1 - (M * DOWN * (t_2 - t_1) + rate * (t_2**2 - t_1**2) / (2 * R)) / inertia  # eq. 42 with a torque
    assert_allclose(again.before.qdot, [v_2, 0, -v_2 / R], atol=1e-8)
    assert_allclose(again.before.q @ [1, 0, R], rolls.after.q @ [1, 0, R], atol=1e-9)
    assert_allclose(history.qdot[-1, 0], v_2 - (mu * PRESS + DOWN) * (1.3 - t_2), atol=1e-8)


@pytest.mark.slow
@pytest.mark.parametrize("law", [Newton, *(pytest.param(law, marks=pytest.mark.slow) for law in (Poisson, Energetic))])
def test_a_ball_bounces_as_it_should_and_rolls_on(law):
    radius, height, v, e = 0.1, 0.4, 0.7, 0.5
    ball = Body("ball", M, np.full(3, 0.4 * M * radius**2), parent="ground", joint=Joint("flight", "free"))
    model = system([ball], [Sphere("ball", "ball", radius), Plane("floor", "ground")], gravity_m_s2=[0, 0, -G])
    contact = RigidContact("floor", "ball", law(e, plastic_below_m_s=0.3), 0.9)
    history = flown(model, [0, 0, radius + height, 0, 0, 0, 1], [v, 0, 0, 0, 0, 0], 1.2, [contact])
    is_lawful(history)
    first = np.sqrt(2 * height / G)
    times = first + 2 * first * np.concatenate([[0], np.cumsum(e ** np.arange(1, 5))])
    assert_allclose([change.t for change in history.switches], times[: len(history.switches)], atol=1e-8)
    assert history.switches[-1].contacts == {"floor ball": "sticks"}
    assert_allclose(history.qdot[-1], [5 / 7 * v, 0, 0, 0, 5 / 7 * v / radius, 0], atol=1e-8)
    assert_allclose(history.dissipated[-1], M * G * height + M * v**2 / 7, rtol=1e-8)


@pytest.mark.slow
def test_a_spun_ball_swerves_until_it_rolls():
    """Its slip keeps its direction, so that its way is a parabola: friction is not against the way."""
    radius, mu, v, spin = 0.1, 0.2, np.array([1.5, 0, 0]), np.array([9.0, -4.0, 3.0])
    ball = Body("ball", M, np.full(3, 0.4 * M * radius**2), parent="ground", joint=Joint("flight", "free"))
    model = system([ball], [Sphere("ball", "ball", radius), Plane("floor", "ground")], gravity_m_s2=[0, 0, -G])
    contact = RigidContact("floor", "ball", Newton(0.0), mu)
    history = flown(model, [0, 0, radius, 0, 0, 0, 1], [*v, *spin], 1.0, [contact])
    is_lawful(history)
    slip = v + np.cross(spin, [0, 0, -radius])
    way, t = slip / np.linalg.norm(slip), 2 * np.linalg.norm(slip) / (7 * mu * G)
    rolls = v - mu * G * t * way
    assert history.switches[-1].t == pytest.approx(t, abs=1e-8)
    assert_allclose(history.q[-1, :3], v * t - mu * G * t**2 / 2 * way + rolls * (1 - t) + [0, 0, radius], atol=1e-8)
    assert_allclose(history.qdot[-1], [*rolls, -rolls[1] / radius, rolls[0] / radius, spin[2]], atol=1e-7)


@pytest.mark.slow
def test_forces_along_a_run_are_those_of_multipliers(disk):
    """In all modes a run has the forces of the one motion that `contact_forces` finds."""

    def law(t, state):
        return np.array([0.1, 0.2, 3.6 * t])

    contact = RigidContact("slope", "rim", Newton(0.0), 0.3)
    history = flown(disk, [0, R + 0.01, 0], [-2.0, 0.0, 0.0], 1.3, [contact], law, output_step_s=0.1)
    is_lawful(history)
    assert {0, 1, 2} == {*history.contact_mode[:, 0]} and len(history.switches) == 3
    rows = zip(history.t, history.states, history.contact_force[:, 0], history.contact_mode[:, 0], strict=True)
    for t, state, force, mode in rows:
        if mode:
            touches = disk.touches(state, [("slope", "rim")], within_m=1e-6)
            motion = disk.constrained().contact_forces(state, touches, law(t, state), friction=0.3, rest_m_s=1e-7).motion
            assert_allclose(force, motion.forces["slope rim"], atol=1e-9 * M * G)


@pytest.mark.slow
def test_a_block_parts_from_a_lift_that_falls_faster():
    """It parts where the lift falls with g, as both are pushed so, and flies."""
    carriage, load = 3.0, 2.0
    joints = [Joint(name, "prismatic", [0, 1, 0]) for name in ("lift", "load")]
    bodies = [Body(j.name, mass, [1, 1, 1], parent="base", joint=j) for j, mass in zip(joints, (carriage, load), strict=True)]
    model = system(bodies, [Plane("floor", "lift", dcm=UP_IS_Y), Sphere("load", "load", 0.1)])
    size, turn = 20.0, 5.0

    def law(t, state):
        return np.array([(carriage + load) * (G + size * np.sin(turn * t)), 0.0])

    history = flown(model, [0, 0.1], [0, 0], 0.78, [RigidContact("floor", "load", Newton(0.0), 0.3)], law)
    is_lawful(history)
    _, parts = history.switches
    t = (np.pi + np.arcsin(G / size)) / turn
    assert parts.contacts == {"floor load": "open"} and parts.t == pytest.approx(t, abs=1e-8)
    after, v = 0.78 - t, size / turn * (1 - np.cos(turn * t))
    y = size / turn * t - size / turn**2 * np.sin(turn * t)
    assert_allclose(history.qdot[-1, 1], v - G * after, atol=1e-8)
    assert_allclose(history.q[-1, 1], 0.1 + y + v * after - G * after**2 / 2, atol=1e-8)
    assert_allclose(history.contact_force[-1], 0)


def test_what_sticks_slips_where_its_cone_is_left(block):
    mu, rate = 0.6, 8.0
    history = flown(
        block, [R, 0], [0, 0], 2.4, [RigidContact("slope", "foot", Newton(0.0), mu)], lambda t, state: np.array([0, rate * t])
    )
    is_lawful(history)
    t = M * (DOWN + mu * PRESS) / rate
    assert [change.t for change in history.switches] == pytest.approx([0, t], abs=1e-8)
    assert_allclose(history.q[-1, 1], rate * (2.4 - t) ** 3 / (6 * M), atol=1e-8)


@pytest.mark.slow
def test_a_block_that_rocks_loses_what_housner_says_and_comes_to_rest():
    """At each blow the turning rate falls by 1 - 3/2 sin^2 of the angle of a diagonal, until it is slow enough to lie."""
    half = np.array([0.1, 0.3])
    inertia = M * half @ half / 3
    body = Body("block", M, np.full(3, inertia), parent="base", joint=Joint("way", "planar"))
    corners = [Sphere(f"c{k}", "block", 1e-9, origin_m=[side * half[0], -half[1], 0]) for k, side in enumerate((-1, 1))]
    model = system([body], [*corners, Plane("floor", "ground", dcm=UP_IS_Y)])
    contacts = [RigidContact("floor", one.name, Newton(0.0, plastic_below_m_s=0.05), 3.0) for one in corners]
    tilt = 0.1  # about its right corner
    turned = dcm_from_axis_angle(np.array([0.0, 0, 1]), -tilt)[:2, :2]
    place = np.array([half[0], 0]) + turned @ [-half[0], half[1]] + [0, 1e-9]
    history = flown(model, [*place, -tilt], [0, 0, 0], 2.0, contacts)
    is_lawful(history)
    blows = [change for change in history.switches if change.struck]
    ratio = 1 - 1.5 * half[0] ** 2 / (half @ half)
    assert len(blows) > 3
    for blow in blows[:-1]:
        assert blow.after.qdot[2] / blow.before.qdot[2] == pytest.approx(ratio, abs=1e-7)
    assert_allclose(history.qdot[-1], 0, atol=1e-9)
    assert_allclose(history.contact_mode[-1], 2)
    assert_allclose(history.contact_force[-1, :, 1], M * G / 2, rtol=1e-6)


def rod(mu, angle, qdot, t_end_s, height=0.0):
    """Fly a uniform rod of half length 1 whose lower end touches a floor."""
    body = Body("rod", 1.0, [1e-3, 1 / 3, 1 / 3], parent="base", joint=Joint("way", "planar"))
    end = Sphere("end", "rod", 1e-6, origin_m=[-1, 0, 0])
    model = system([body], [end, Plane("floor", "ground", dcm=UP_IS_Y)])
    contact = RigidContact("floor", "end", Newton(0.0), mu)
    return flown(model, [0, np.sin(angle) + 1e-6 + height, angle], qdot, t_end_s, [contact], rtol=1e-9)


@pytest.mark.slow
def test_painleves_rod_ends_a_run_in_words():
    history = rod(2.0, 0.9, [-1.0, 0, 0], 0.3)
    assert history.outcome is Outcome.UNDECIDED and len(history.t) == 1
    assert "contacts at t = 0 s: no motion: rigid bodies and Coulomb friction contradict each other" in history.advice
    assert rod(1.2, 0.9, [-1.0, 0, 0], 0.1).outcome is Outcome.COMPLETED  # below 4/3


def test_a_rod_that_tips_into_painleves_paradox_keeps_what_it_flew():
    history = rod(2.0, 0.6, [-10.0, 0, 0], 0.5)
    assert history.outcome is Outcome.UNDECIDED and np.isfinite(history.q).all()
    assert "friction jams, and normal forces grow beyond all bounds" in history.advice
    angle = np.arctan(3 - np.sqrt(5))  # 1 + 3 cos^2 = 3 mu sin cos: no normal force slows the end's approach
    assert history.q[-1, 2] == pytest.approx(angle, abs=1e-5)


def test_contacts_that_cannot_be_are_refused(block):
    contact = RigidContact("slope", "foot", Newton(0.0))
    with pytest.raises(InvalidInput, match=r"'foot' inside 'slope' by at most 1e-06 m at the start, found 0.1 m"):
        flown(block, [R - 0.1, 0], [0, 0], 0.1, [contact])
    with pytest.raises(InvalidInput, match=r"friction: expected .* found -0.1"):
        RigidContact("slope", "foot", Newton(0.0), -0.1)
    with pytest.raises(UnknownName, match="wall"):
        flown(block, [R, 0], [0, 0], 0.1, [RigidContact("wall", "foot", Newton(0.0))])
    with pytest.raises(InvalidInput, match="every pair once"):
        flown(block, [R, 0], [0, 0], 0.1, [contact, RigidContact("foot", "slope", Newton(0.0))])
    shapes = [Sphere(name, "puck", 0.1) for name in ("b c", "c")] + [Plane(name, "base") for name in ("a", "a b")]
    puck = Body("puck", 1.5, np.full(3, 0.01), parent="ground", joint=Joint("flight", "free"))
    system = System("tray", BASE, [puck], shapes=shapes)
    alike = [RigidContact("a", "b c", Newton(0.0)), RigidContact("a b", "c", Newton(0.0))]
    with pytest.raises(
        InvalidInput, match=r"contacts\[1\].shapes: expected places with names of their own, found 'a b c' again"
    ):
        Plant(compile_model(system), Floating(), contacts=alike)
    with pytest.raises(InvalidInput, match=r"contacts\[1\].law: expected Newton as before"):
        Plant(compile_model(system), Floating(), contacts=[alike[0], RigidContact("a", "c", Poisson(0.0))])
    with pytest.raises(InvalidInput, match="a sequence of RigidContact"):
        flown(block, [R, 0], [0, 0], 0.1, [0.5])


@pytest.mark.slow
def test_contacts_of_a_free_flyer_keep_its_momenta():
    """A puck on a plate that the base carries: what friction gives the one it takes from the other."""
    puck = Body("puck", 1.5, np.full(3, 0.01), parent="ground", joint=Joint("flight", "free"))
    shapes = [Sphere("puck", "puck", 0.1), Plane("plate", "base", origin_m=[0, 0, 0.5])]
    model = compile_model(System("tray", BASE, [puck], shapes=shapes))
    start = State(
        q=[0.2, 0.1, 0.9, 0, 0, 0, 1], qdot=[0.1, 0.05, -0.5, 0.4, 0, 0.3], r_0=np.zeros(3), v_0=np.zeros(3),
        omega_0=[0.02, 0.03, 0.01],
    )  # fmt: skip
    contacts = [RigidContact("plate", "puck", Newton(0.0), 0.4)]
    history = simulate(
        model, Floating(), lambda t, state: np.zeros(6), start, t_end_s=1.5, output_step_s=0.25, rtol=1e-11, contacts=contacts
    )
    is_lawful(history)
    assert history.switches and history.external is None
    for series in (history.P, history.L_C):
        assert abs(series - series[0]).max() < 1e-11


@pytest.mark.slow
def test_machine_code_and_python_agree(block):
    contacts = [RigidContact("slope", "foot", Newton(0.3), 0.3)]
    regulator = JointRegulator(block, K_P=[90.0, 30.0], K_D=[0.0, 0.5])
    start, more = State(q=[R + 0.02, 0.0], qdot=[0, 1.0]), {"t_end_s": 1.0, "output_step_s": 0.1, "rtol": 1e-11}
    with all_in_machine_code():
        fast = simulate(block, FixedBase(), regulator, start, reference=Hold([R - 0.1, 0.1]), contacts=contacts, **more)

    def law(t, x):
        return [90, 30] * (np.array([R - 0.1, 0.1]) - x.q) - [0, 0.5] * x.qdot + block.gravity_force(x)

    slow = simulate(block, FixedBase(), law, start, contacts=contacts, **more)
    is_lawful(fast)
    assert [change.done for change in fast.switches] == [change.done for change in slow.switches]
    assert_allclose(fast.q, slow.q, atol=1e-9)
    assert_allclose(fast.contact_force, slow.contact_force, atol=1e-7)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 3])
def test_a_box_that_is_thrown_tumbles_and_comes_to_rest(seed):
    rng = np.random.default_rng(seed)
    box = Body("box", M, [0.05, 0.06, 0.07], parent="ground", joint=Joint("flight", "free"))
    model = system([box], [Box("box", "box", [0.4, 0.2, 0.3]), Plane("floor", "ground")], gravity_m_s2=[0, 0, -G])
    q = rng.normal(size=4) * [0.3, 0.3, 1, 1]
    start = [0, 0, 0.5, *q / np.linalg.norm(q)], [*rng.normal(size=3) * 0.5, *rng.normal(size=3)]
    history = flown(model, *start, 1.2, [RigidContact("floor", "box", Newton(0.0), 0.5)], rtol=1e-10)
    is_lawful(history)
    assert_allclose(history.qdot[-1], 0, atol=1e-9)
    assert np.count_nonzero(history.contact_mode[-1] == 2) == 4
    assert_allclose(history.contact_force[-1].sum(axis=0), [0, 0, M * G], atol=1e-8)
    normal = history.contact_force[..., 2]
    assert normal.min() > -1e-9 and (np.linalg.norm(history.contact_force[..., :2], axis=2) <= 0.5 * normal + 1e-8).all()


@pytest.mark.slow
def test_a_box_slides_on_its_corners_and_rests_on_them():
    box = Body("box", M, [0.05, 0.06, 0.07], parent="ground", joint=Joint("flight", "free"))
    tilt = dcm_from_axis_angle(np.array([0.0, 1, 0]), PHI)
    model = system([box], [Box("box", "box", [0.4, 0.2, 0.3]), Plane("floor", "ground")], gravity_m_s2=tilt.T @ [0, 0, -G])
    mu, v = 0.6, -2.0
    down = (tilt.T @ [0, 0, -G])[0]
    history = flown(model, [0, 0, 0.15, 0, 0, 0, 1], [v, 0, 0, 0, 0, 0], 0.6, [RigidContact("floor", "box", Newton(0.0), mu)])
    is_lawful(history)
    stops = abs(v) / (mu * PRESS + down)
    assert history.switches[-1].t == pytest.approx(stops, abs=1e-8)
    assert set(history.switches[-1].contacts.values()) == {"sticks"}
    assert_allclose(history.q[-1, 0], v * stops / 2, atol=1e-8)
    forces = history.contact_force[-1]
    assert_allclose(forces.sum(axis=0), -M * (tilt.T @ [0, 0, -G]), atol=1e-8)
    assert (np.hypot(forces[:, 0], forces[:, 1]) <= mu * forces[:, 2] + 1e-9).all()


def planks(length_m):
    """A plank over a bench, with the way of its CoM from the middle of the bench as first number."""
    w, h, sizes = 0.1, 0.04, np.array([length_m, 0.1, 0.04])
    inertia = M / 12 * (sizes @ sizes - sizes**2)
    plank = Body("plank", M, inertia, parent="ground", joint=Joint("flight", "free"))
    bench = Box("bench", "ground", [0.3, 1.0, 0.2], origin_m=[0, 0, -0.1])
    return system([plank], [Box("plank", "plank", [length_m, w, h]), bench], gravity_m_s2=[0, 0, -G])


@pytest.mark.slow
def test_a_plank_that_hangs_over_a_bench_tips_about_the_edge_that_its_sides_cross():
    model, (d, h, length) = planks(1.0), (0.1, 0.04, 1.0)
    start = [0.15 + d, 0, h / 2, 0, 0, 0, 1], np.zeros(6)
    history = flown(model, *start, 0.25, [RigidContact("bench", "plank", Newton(0.0), 2.0)])
    is_lawful(history)
    assert history.switches[-1].contacts == {"bench plank first2": "sticks", "bench plank second4": "sticks"}
    angle = 2 * np.arctan2(history.q[-1, 4], history.q[-1, 6])
    fell = h / 2 * (1 - np.cos(angle)) + d * np.sin(angle)
    inertia = (length**2 + h**2) / 12 + d**2 + h**2 / 4
    assert angle > 0.3 and history.qdot[-1, 4] == pytest.approx(np.sqrt(2 * G * fell / inertia), rel=1e-9)
    assert_allclose(history.dissipated, 0.0, atol=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("length", [0.2, 1.0])
def test_a_plank_that_slides_off_a_bench_tips_when_its_com_is_over_the_edge(length):
    """Its corners come over the bench and leave it, and where sides cross takes over from them."""
    start = [-0.05, 0.013, 0.02, 0, 0, 0, 1], [1.0, 0, 0, 0, 0, 0]
    history = flown(planks(length), *start, 0.25, [RigidContact("bench", "plank", Newton(0.0), 0.0)], output_step_s=0.05)
    is_lawful(history)
    assert history.switches[-1].t == pytest.approx(0.2, abs=1e-8)
    assert not any(change.struck for change in history.switches)
    assert_allclose(history.qdot[:5], np.tile([1.0, 0, 0, 0, 0, 0], (5, 1)), atol=1e-9)
    assert history.qdot[-1, 4] > 0.1
    assert_allclose(history.contact_force[:4].sum(axis=1), np.tile([0, 0, M * G], (4, 1)), atol=1e-8)


@pytest.mark.slow
def test_a_box_tumbles_on_a_box_as_on_a_plane():
    box, rng = Body("box", M, [0.05, 0.06, 0.07], parent="ground", joint=Joint("flight", "free")), np.random.default_rng(3)
    q, histories = rng.normal(size=4) * [0.3, 0.3, 1, 1], []
    start = [0, 0, 0.5, *q / np.linalg.norm(q)], [*rng.normal(size=3) * 0.5, *rng.normal(size=3)]
    for floor in (Plane("floor", "ground"), Box("floor", "ground", [3.0, 3.0, 1.0], origin_m=[0.11, 0.07, -0.5])):
        model = system([box], [Box("box", "box", [0.4, 0.2, 0.3]), floor], gravity_m_s2=[0, 0, -G])
        histories.append(flown(model, *start, 0.6, [RigidContact("floor", "box", Newton(0.0), 0.5)], rtol=1e-10))
        is_lawful(histories[-1])
    one, other = histories
    assert len(one.switches) > 5
    assert_allclose([change.t for change in one.switches], [change.t for change in other.switches], atol=1e-8)
    assert_allclose(one.q, other.q, atol=1e-8)
