"""Compliant contact: bounces, a block on a slope, power and books, what a contact refuses."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import brentq

from scmanip import FixedBase, Floating, Plant, State, compile_model
from scmanip.control import JointRegulator
from scmanip.errors import InvalidInput, ModeMismatch, UnknownName
from scmanip.guidance import Hold
from scmanip.loads import Bodies, Bristle, Contact, Coulomb, Frictionless, HuntCrossley, KelvinVoigt
from scmanip.shapes import Box, Capsule, Plane, Sphere
from scmanip.simulation import Outcome, ensemble, simulate
from scmanip.spatial import dcm_from_axis_angle
from scmanip.system import Body, Joint, System

X, Z = np.array([1.0, 0, 0]), np.array([0, 0, 1.0])
m, SPEED, e = 2.0, 0.5, 0.6
HELD = Body("base", 0.0, np.zeros((3, 3)))
BALL = Body("ball", m, [0.1] * 3, parent="base", joint=Joint("up", "prismatic", Z))
SHAPES = [Sphere("ball", "ball", 0.2), Plane("floor", "ground")]
BOUNCE = compile_model(System("bounce", HELD, [BALL], fixed=True, shapes=SHAPES))
ABOVE = State(q=[0.5], qdot=[-SPEED])


def touching(model, one, other, law, *more, **options) -> Contact:
    system = model.system
    return Contact(system.shape(one), system.shape(other), law, *more, **{"name": "touch", **options})


def idle(model) -> JointRegulator:
    """A law in machine code that does nothing, and nothing against gravity either."""
    own = model.system
    light = System(own.name, own.base, own.bodies[1:], own.frames, fixed=own.fixed)
    return JointRegulator(compile_model(light), K_P=0.0, K_D=0.0)


@pytest.mark.parametrize("exponent", [1, 1.5, 2])
def test_a_ball_leaves_with_the_restitution_of_its_law_and_the_books_have_what_is_lost(exponent):
    law = HuntCrossley.bouncing(1e6, exponent, restitution=e, speed_m_s=SPEED)
    plant = Plant(BOUNCE, FixedBase(), [touching(BOUNCE, "floor", "ball", law)])
    run = simulate(plant, idle(BOUNCE), ABOVE, reference=Hold([0.0]), t_end_s=1.0, rtol=1e-12)
    assert [each.phrase for each in run.occurrences] == ["'gap of touch' fell below zero", "'gap of touch' rose above zero"]
    assert run.occurrences[0].first_s == pytest.approx(0.3 / SPEED, abs=1e-10)
    assert run.qdot[-1, 0] == pytest.approx(e * SPEED, rel=1e-8)
    assert run.dissipated[-1] == pytest.approx(m * SPEED**2 / 2 * (1 - e**2), rel=1e-8)
    assert run.external.work[-1] == pytest.approx(0.0, abs=1e-9)  # what the surface stored came back
    assert run.external.impulse[-1, 2] == pytest.approx(m * SPEED * (1 + e), rel=1e-8)
    fine, (push, rub, depth) = run.finely, run.finely.load_outputs.T
    assert run.channels.dimensions["load_output"].labels == ("touch.push", "touch.rub", "touch.depth")
    assert np.trapezoid(push, fine.t) == pytest.approx(m * SPEED * (1 + e), rel=1e-3)
    assert_allclose(depth, 0.2 - fine.q[:, 0], atol=1e-12)
    assert not rub.any()
    assert_allclose(fine.push_force[:, 0], push[:, None] * Z, atol=1e-9 * push.max())
    touching_now = push > 0
    assert_allclose(fine.push_place[touching_now, 0, 2], -depth[touching_now] / 2, atol=1e-12)  # between the two surfaces
    assert all(residual.kept for residual in run.residuals.values())


def test_it_is_the_same_in_python_and_in_many_runs_at_once():
    law = HuntCrossley.bouncing(1e5, restitution=e, speed_m_s=SPEED)
    plant = Plant(BOUNCE, FixedBase(), [touching(BOUNCE, "floor", "ball", law)])
    run = simulate(plant, lambda t, state: np.zeros(1), ABOVE, t_end_s=1.0, rtol=1e-12)
    assert run.qdot[-1, 0] == pytest.approx(e * SPEED, rel=1e-8)
    faster = State.stack([ABOVE, State(q=[0.5], qdot=[-2 * SPEED])])
    options = {"reference": Hold([0.0]), "t_end_s": 1.0, "step_s": 2e-4}
    with pytest.raises(InvalidInput, match="switching functions"):
        ensemble(plant, idle(BOUNCE), faster, **options)
    smooth = Plant(BOUNCE, FixedBase(), [touching(BOUNCE, "floor", "ball", law, noted=False)])
    many = ensemble(smooth, idle(BOUNCE), faster, **options)
    assert_allclose(many.x[0, -1], run.final.x, atol=1e-6)
    assert e * SPEED < many.x[1, -1, 1] < 2 * e * SPEED  # what comes faster loses a larger part


def test_at_one_restitution_a_harder_floor_comes_close_to_a_rigid_one_as_the_root_of_its_stiffness():
    def late(stiffness):
        law = HuntCrossley.bouncing(stiffness, 1, restitution=e, speed_m_s=SPEED)
        plant = Plant(BOUNCE, FixedBase(), [touching(BOUNCE, "floor", "ball", law)])
        run = simulate(plant, idle(BOUNCE), ABOVE, reference=Hold([0.0]), t_end_s=1.0, rtol=1e-12)
        return 0.2 + e * SPEED * (1.0 - 0.3 / SPEED) - run.q[-1, 0]

    assert late(1e4) / late(1e8) == pytest.approx(100.0, rel=1e-3)


def test_gravity_makes_a_ball_bounce_again_and_again_to_a_height_that_shrinks():
    system = System("drop", HELD, [BALL], fixed=True, shapes=SHAPES, gravity_m_s2=[0, 0, -9.81])
    model, h = compile_model(system), 0.3
    stiff = HuntCrossley.bouncing(1e8, restitution=0.9, speed_m_s=np.sqrt(2 * 9.81 * h))
    plant = Plant(model, FixedBase(), [touching(model, "floor", "ball", stiff)])
    run = simulate(plant, idle(model), State(q=[0.2 + h], qdot=[0.0]), reference=Hold([0.0]), t_end_s=0.9, rtol=1e-10)
    fell, (touched, *_) = np.sqrt(2 * h / 9.81), [each.first_s for each in run.occurrences if "fell" in each.phrase]
    assert touched == pytest.approx(fell, abs=1e-9)
    top = run.finely.q[run.finely.t > fell, 0].max() - 0.2
    assert top == pytest.approx(0.81 * h, rel=2e-3)
    assert all(residual.kept for residual in run.residuals.values())


def test_a_spring_with_a_damper_lets_go_where_it_would_pull():
    k, c = 4000.0, 60.0
    plant = Plant(BOUNCE, FixedBase(), [touching(BOUNCE, "floor", "ball", KelvinVoigt(k, c))])
    run = simulate(plant, idle(BOUNCE), ABOVE, reference=Hold([0.0]), t_end_s=1.0, rtol=1e-12)
    half, omega = c / m / 2, np.sqrt(k / m - (c / m / 2) ** 2)

    def depth(t):
        return SPEED / omega * np.exp(-half * t) * np.sin(omega * t)

    def rate(t):
        return SPEED * np.exp(-half * t) * (np.cos(omega * t) - half / omega * np.sin(omega * t))

    left = brentq(lambda t: k * depth(t) + c * rate(t), 0.5 * np.pi / omega, np.pi / omega, xtol=1e-14)
    touched, gone = (each.first_s for each in run.occurrences)
    assert gone - touched == pytest.approx(left, abs=1e-9)
    assert depth(left) > 1e-3
    assert run.qdot[-1, 0] == pytest.approx(-rate(left), rel=1e-8)
    assert run.dissipated[-1] == pytest.approx(m * (SPEED**2 - rate(left) ** 2) / 2, rel=1e-8)
    assert all(residual.kept for residual in run.residuals.values())


@pytest.mark.slow
def test_two_bodies_in_free_space_bounce_off_each_other():
    M, slide = 6.0, Joint("slide", "prismatic", X, origin_m=[0.3, 0, 0])
    bodies = [Body("cart", m, [0.1] * 3, parent="base", joint=slide)]
    shapes = [Box("bumper", "base", [0.4, 0.4, 0.4]), Sphere("nose", "cart", 0.1)]
    model = compile_model(System("two", Body("base", M, [1.0, 2.0, 3.0]), bodies, shapes=shapes))
    law = HuntCrossley.bouncing(1e5, restitution=e, speed_m_s=SPEED)
    plant = Plant(model, Floating(), [touching(model, "bumper", "nose", law, Coulomb(0.3))])
    start = State([0, 0, 0], [0, 0, 0, 1.0], [0.3], [0.1, 0, 0], [0, 0, 0], [-SPEED])
    run = simulate(plant, idle(model), start, reference=Hold([0.0]), t_end_s=1.5, rtol=1e-12)
    assert run.qdot[-1, 0] == pytest.approx(e * SPEED, rel=1e-8)
    assert_allclose(run.external.impulse, 0.0, atol=1e-12)
    assert run.dissipated[-1] == pytest.approx(M * m / (M + m) * SPEED**2 / 2 * (1 - e**2), rel=1e-8)
    assert all(residual.kept for residual in run.residuals.values())


THETA, g = np.radians(25.0), 9.81
DOWN = dcm_from_axis_angle(Z, -THETA)  # x down the slope, y away from it
BLOCK = Body("block", m, [0.02, 0.03, 0.04], parent="base", joint=Joint("slide", "planar", dcm=DOWN))
SLOPE = compile_model(
    System("slope", HELD, [BLOCK], fixed=True, gravity_m_s2=[0, -g, 0], shapes=[Box("block", "block", [0.4, 0.2, 0.3]),
           Plane("slope", "ground", dcm=DOWN @ dcm_from_axis_angle(X, -np.pi / 2))])
)  # fmt: skip
STIFF = KelvinVoigt(1e5, 300.0)
LYING = State(q=[0.0, 0.1 - m * g * np.cos(THETA) / 4e5, 0.0], qdot=[0.0, 0.0, 0.0])


def slid(friction, t_end_s):
    """What a block on a slope does from rest, where its four corners carry it."""
    plant = Plant(SLOPE, FixedBase(), [touching(SLOPE, "slope", "block", STIFF, friction)])
    return simulate(plant, idle(SLOPE), LYING, reference=Hold([0.0] * 3), t_end_s=t_end_s, rtol=1e-8, output_step_s=0.01)


@pytest.mark.battery(1)
@pytest.mark.parametrize("friction", [Coulomb(0.3, 1e-4), Bristle(0.3, 1e-3, 1e-3)], ids=["smooth", "bristle"])
def test_a_block_slides_down_a_slope_as_coulomb_says(friction):
    run = slid(friction, 0.5)
    late = run.t > 0.2
    slope = np.polyfit(run.t[late], run.qdot[late, 0], 1)[0]
    assert slope == pytest.approx(g * (np.sin(THETA) - 0.3 * np.cos(THETA)), rel=1e-3)
    assert run.residuals["energy"].kept
    weight = m * g * np.sin(THETA) * run.q[-1, 0]
    lost = weight - m * run.qdot[-1, 0] ** 2 / 2
    assert run.dissipated[-1] == pytest.approx(lost, rel=1e-3)
    assert_allclose(run.load_outputs[-1, :2], m * g * np.cos(THETA) * np.array([1.0, 0.3]), rtol=1e-3)


def test_a_block_holds_on_a_slope_and_smooth_friction_creeps_as_it_says():
    part = np.tan(THETA) / 0.6
    smooth, bristle = slid(Coulomb(0.6, 1e-4), 0.1), slid(Bristle(0.6, 1e-4, 1e-3), 0.5)
    assert smooth.qdot[-1, 0] == pytest.approx(1e-4 * part / np.sqrt(1 - part**2), rel=1e-3)
    assert abs(bristle.qdot[-1]).max() < 1e-5 < 1e-4 * part
    stretch = bristle.load_states[-1].reshape(8, 3)
    pushed = stretch[abs(stretch).max(axis=1) > 1e-6]
    assert len(pushed) == 4  # the corners that touch
    assert_allclose(np.linalg.norm(pushed, axis=1), 1e-4 * part, rtol=0.2)
    labels = bristle.channels.dimensions["load_state"].labels
    assert labels[:3] == ("touch.---.x", "touch.---.y", "touch.---.z") and len(labels) == 24


ARM = [
    Body("upper", 3.0, [0.1, 0.3, 0.3], [0.3, 0, 0], "base", Joint("a", "spherical", origin_m=[0.5, 0, 0])),
    Body("lower", 2.0, [0.1, 0.2, 0.2], [0.2, 0, 0], "base", Joint("b", "spherical", origin_m=[0.2, 0.4, 0.1])),
]
PARTS = [Box("hull", "base", [0.5, 0.6, 0.4]), Capsule("rod", "upper", 0.2, 0.7, origin_m=[0.3, 0, 0]),
         Capsule("bar", "lower", 0.3, 0.6, origin_m=[0.2, 0, 0]), Plane("wall", "ground"),
         Box("brick", "lower", [0.4, 0.6, 0.5])]  # fmt: skip
PAIRS = [("hull", "rod"), ("rod", "bar"), ("wall", "rod"), ("wall", "brick"), ("brick", "rod"), ("hull", "brick")]


@pytest.mark.battery(4, each=1)
@pytest.mark.parametrize("pair", PAIRS, ids=[" and ".join(pair) for pair in PAIRS])
@pytest.mark.parametrize("friction", [Frictionless(), Coulomb(0.4, 0.1), Bristle(0.4, 1e-2, 1e-2, 0.5)], ids=str)
def test_power_of_a_contact_is_what_it_stores_and_loses_and_its_forces_cancel(pair, friction):
    system = System("arms", Body("base", 10.0, [1.0, 2.0, 3.0]), ARM, shapes=PARTS)
    model, law, rng = compile_model(system), HuntCrossley(1e4, 1.5, 0.2), np.random.default_rng(3)
    contact = touching(model, *pair, law, friction)
    plant, deep = Plant(model, Floating(), [contact]), 0
    for _ in range(12):
        turn = rng.normal(size=(3, 4))
        turn /= np.linalg.norm(turn, axis=1)[:, None]
        stretch = 1e-3 * rng.normal(size=len(contact.states))
        own = {} if not len(stretch) else {"actuators": {"touch": stretch}}
        state = State([0, 0, 0.2], turn[0], turn[1:].ravel(), *rng.normal(size=(2, 3)), rng.normal(size=6), **own)
        x = plant.at_rest(state).x
        ((_, bodies),) = plant.loading.seen(x, 0.0, plant.clock, None)
        acting = plant.loading.given([(contact, bodies)], 0.0)
        touches = contact.touches(bodies)
        stored = sum(law.elastic(touch.depth) * touch.rate for touch in touches)
        if "rod" in pair and max(touch.depth for touch in touches) >= 0.2:
            continue  # its line is in the other, where its place is no longer the nearest
        deep += max(touch.depth for touch in touches) > 0
        scale = abs(stored) + abs(acting.lost) + 1.0
        assert acting.force @ state.u + acting.lost == pytest.approx(-stored, abs=1e-11 * scale)
        if "wall" not in pair:
            assert_allclose(acting.resultant, 0.0, atol=1e-11 * scale)
        if not contact.states:
            assert acting.lost >= -1e-12 * scale
        step = 1e-30j
        for k, touch in enumerate(contact.touches(bodies_at(model, x + step * coordinate_rates(model, state)))):
            assert -touch.depth.imag / 1e-30 == pytest.approx(-touches[k].rate, abs=1e-10 * (1 + abs(touches[k].rate)))
    assert deep


def test_a_contact_does_the_same_however_the_whole_is_turned():
    model = compile_model(System("arms", Body("base", 10.0, [1.0, 2.0, 3.0]), ARM, shapes=PARTS))
    plant = Plant(model, Floating(), [touching(model, "hull", "rod", HuntCrossley(1e4, 1.5, 0.2), Bristle(0.4, 1e-2, 1e-2))])
    rng, turn = np.random.default_rng(5), dcm_from_axis_angle(Z, 0.7)
    v, omega, own = rng.normal(size=(3, 3))

    def rates(R, attitude):
        parts = [0, 0, 0], attitude, [0.2, 0.1, 0.3, np.sqrt(0.86), 0, 0, 0, 1.0], R @ v, R @ omega, np.arange(6) / 10
        state = State(*parts, actuators={"touch": 1e-3 * own})
        found = plant.rates(state, np.zeros(6))
        return found[plant.layout.x_loads], found[plant.layout.x_u][plant.layout.joints]

    straight, turned = rates(np.eye(3), [0.0, 0.0, 0.0, 1.0]), rates(turn, [0.0, 0.0, np.sin(0.35), np.cos(0.35)])
    assert abs(straight[0]).max() > 0.01
    for one, other in zip(straight, turned, strict=True):
        assert_allclose(other, one, atol=1e-10 * (1 + abs(one).max()))


def bodies_at(model, x):
    return Bodies(model.system, model.symbolic.derivation.at(x))


def coordinate_rates(model, state):
    rates = np.zeros(len(state.x))
    full = Plant(model, Floating()).rates(State.of_unit(state.x[: model.layout.n_x], model.layout), np.zeros(6))
    rates[: model.layout.x_u.start] = full[: model.layout.x_u.start]
    return rates


def test_what_cannot_be_is_refused_by_name():
    law, system = HuntCrossley(1e5), BOUNCE.system
    floor, ball = system.shape("floor"), system.shape("ball")
    for make, words in (
        (lambda: Coulomb(-0.1), r"friction coefficient: .*>= 0, found -0\.1"),
        (lambda: Bristle(-0.1, 1e-3, 1e-3), "friction coefficient"),
        (lambda: Bristle(0.3, 1e-3, 1e-3, 0.2), r"static_coefficient: expected at least the coefficient 0\.3"),
        (lambda: Coulomb(0.1, 0.0), "stick_m_s"),
        (lambda: HuntCrossley(0.0), "stiffness"),
        (lambda: HuntCrossley(1.0, 1.3), "exponent"),
        (lambda: HuntCrossley.bouncing(1.0, restitution=1.2, speed_m_s=1.0), "restitution"),
        (lambda: KelvinVoigt(1.0, -1.0), "damping_Ns_m"),
        (lambda: Contact(floor, floor, law), "plane 'floor' and plane 'floor'"),
        (lambda: Contact("floor", ball, law), "a Shape"),
        (lambda: Contact(floor, ball, law, deepest_m=0.0), "deepest_m"),
    ):
        with pytest.raises(InvalidInput, match=words):
            make()
    with pytest.raises(ModeMismatch, match="both on 'ball'"):
        Plant(BOUNCE, FixedBase(), [Contact(ball, Sphere("other", "ball", 1.0), law)])
    with pytest.raises(UnknownName, match="nose"):
        Plant(BOUNCE, FixedBase(), [Contact(floor, Sphere("other", "nose", 1.0), law)])


def test_a_shape_inside_another_at_the_start_is_refused_by_how_much():
    law = HuntCrossley(1e5)
    plant, deep = Plant(BOUNCE, FixedBase(), [touching(BOUNCE, "floor", "ball", law)]), State(q=[0.15], qdot=[0.0])
    options = {"reference": Hold([0.0]), "t_end_s": 0.1}
    words = r"'touch': shape 'ball' inside 'floor' by at most 0\.02 m at the start, found 0\.05 m"
    with pytest.raises(InvalidInput, match=rf"state0: .*{words}"):
        simulate(plant, idle(BOUNCE), deep, **options)
    smooth = Plant(BOUNCE, FixedBase(), [touching(BOUNCE, "floor", "ball", law, noted=False)])
    with pytest.raises(InvalidInput, match=rf"state0\[1\]: .*{words}"):
        ensemble(smooth, idle(BOUNCE), State.stack([ABOVE, deep]), step_s=1e-3, **options)
    allowed = Plant(BOUNCE, FixedBase(), [touching(BOUNCE, "floor", "ball", law, deepest_m=0.06)])
    later = Plant(BOUNCE, FixedBase(), [touching(BOUNCE, "floor", "ball", law)], clock_s=1.0)
    for plant in (allowed, later):
        assert simulate(plant, idle(BOUNCE), deep, **options).outcome is Outcome.COMPLETED


def test_a_restitution_near_one_has_the_small_loss_that_it_must_have():
    for restitution in (0.2, 0.5, 0.99, 1 - 1e-5):
        d = HuntCrossley.bouncing(1.0, restitution=restitution, speed_m_s=2.0).damping_s_m * 2.0
        assert np.log1p(d) - np.log1p(-restitution * d) == pytest.approx((1 + restitution) * d, rel=1e-12)
        assert d > 0
    assert HuntCrossley.bouncing(1.0, restitution=1, speed_m_s=2.0).damping_s_m == 0
