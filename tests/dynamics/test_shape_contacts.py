"""Rigid contacts between shapes of a model, flat and curved, against closed forms."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.dynamics import Reference, compile_model
from scmanip.errors import InvalidInput, UnknownName
from scmanip.impacts import ContactMode, Energetic, ImpactOutcome, Newton
from scmanip.shapes import Box, Plane, Sphere
from scmanip.spatial import dcm_from_axis_angle
from scmanip.system import Body, Joint, State, System

from ..impacts.rows import GRAVITY

M, R, HILL = 3.0, 0.2, 1.5
WEIGHT = [0, 0, -M * GRAVITY, 0, 0, 0]
UPRIGHT = [0, 0, 0, 1]


def ball(*ground):
    """A solid ball in the place of a base, on what the ground has."""
    body = Body("base", M, np.full(3, 0.4 * M * R * R))
    return compile_model(System("ball", body, shapes=[Sphere("ball", "base", R), *ground]), implementation=Reference())


def forces(model, state, pairs, friction, rest_m_s=1e-9):
    touches = model.touches(state, pairs, within_m=1e-9)
    return model.constrained().contact_forces(state, touches, [], WEIGHT, friction=friction, rest_m_s=rest_m_s).motion


def test_a_ball_bounces_on_a_plane_at_its_nearest_place():
    model = ball(Plane("floor", "ground"))
    state = State([0.3, 0.1, R], UPRIGHT, [], [0, 0, -2.0], [0, 0, 0], [])
    (touch,) = model.touches(state, [("floor", "ball")], within_m=1e-9)
    assert touch.name == "floor ball" and touch.frames == ("ground", "base")
    jump = model.impact(state, [touch], Newton(0.7), 0.5)
    assert jump.outcome is ImpactOutcome.JUMP
    assert_allclose(jump.state.v_0, [0, 0, 1.4], atol=1e-12)
    assert_allclose(jump.impulses["floor ball"], [0, 0, 3.4 * M], atol=1e-12)
    assert not model.touches(State([0, 0, R + 1e-6], UPRIGHT, []), [("floor", "ball")], within_m=1e-9)


@pytest.mark.parametrize(("mu", "rolls"), [(0.3, True), (0.1, False)])
def test_a_ball_on_a_slope_rolls_with_five_sevenths_of_gravity_or_slides(mu, rolls):
    angle = 0.6  # rolls where mu reaches 2/7 tan(angle) = 0.195
    slope = dcm_from_axis_angle([0, 1, 0], angle)  # down is along its x
    model = ball(Plane("slope", "ground", dcm=slope))
    motion = forces(model, State(slope @ [0, 0, R], UPRIGHT, []), [("slope", "ball")], mu)
    s, c = GRAVITY * np.sin(angle), GRAVITY * np.cos(angle)
    a = 5 / 7 * s if rolls else s - mu * c
    friction = 2 / 7 * M * s if rolls else mu * M * c
    assert_allclose(slope.T @ motion.udot[:3], [a, 0, 0], atol=1e-12 * s)
    assert_allclose(slope.T @ motion.forces["slope ball"], [-friction, 0, M * c], atol=1e-9)
    assert motion.modes == {"slope ball": ContactMode.STICKS if rolls else ContactMode.SLIDES}


@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize("angle", [0.3, 0.8])
def test_a_ball_that_slides_over_a_ball_presses_less_by_the_curvature_of_both_and_parts_in_time(angle, swapped):
    model = ball(Sphere("hill", "ground", HILL))
    up, ahead = np.array([np.sin(angle), 0, np.cos(angle)]), np.array([np.cos(angle), 0, -np.sin(angle)])
    pair = [("ball", "hill") if swapped else ("hill", "ball")]
    for speed in (0.0, 1.0, 3.0):
        state = State((HILL + R) * up, UPRIGHT, [], speed * ahead, [0, 0, 0], [])
        motion = forces(model, state, pair, 0.0)
        press = max(0.0, M * (GRAVITY * np.cos(angle) - speed**2 / (HILL + R)))
        (force,) = motion.forces.values()
        assert_allclose(force, (-1 if swapped else 1) * press * up, atol=1e-11)
        assert_allclose(motion.udot[:3], np.array([0, 0, -GRAVITY]) + press / M * up, atol=1e-11)
        assert next(iter(motion.modes.values())) is (ContactMode.SLIDES if press else ContactMode.OPEN)


def test_a_ball_that_rolls_over_a_ball_keeps_rolling():
    model, angle, speed = ball(Sphere("hill", "ground", HILL)), 0.3, 1.0
    up, ahead = np.array([np.sin(angle), 0, np.cos(angle)]), np.array([np.cos(angle), 0, -np.sin(angle)])
    state = State((HILL + R) * up, UPRIGHT, [], speed * ahead, [0, speed / R, 0], [])
    motion = forces(model, state, [("hill", "ball")], 0.5)
    assert motion.modes == {"hill ball": ContactMode.STICKS}
    assert_allclose(ahead @ motion.udot[:3], 5 / 7 * GRAVITY * np.sin(angle), rtol=1e-12)
    assert_allclose(motion.udot[4], 5 / 7 * GRAVITY * np.sin(angle) / R, rtol=1e-12)
    assert_allclose(up @ motion.udot[:3], -(speed**2) / (HILL + R), rtol=1e-12)


def test_a_box_that_falls_flat_is_struck_at_four_corners():
    body = Body("base", M, [0.3, 0.4, 0.5])
    system = System("box", body, shapes=[Box("box", "base", [1.0, 0.8, 0.6]), Plane("floor", "ground")])
    model = compile_model(system, implementation=Reference())
    state = State([0, 0, 0.3], UPRIGHT, [], [0, 0, -1.0], [0, 0, 0], [])
    touches = model.touches(state, [("floor", "box")], within_m=1e-9)
    assert len(touches) == 4
    jump = model.impact(state, touches, Energetic(0.5), 0.3)
    assert_allclose(jump.state.u, [0, 0, 0.5, 0, 0, 0], atol=1e-9)
    assert_allclose(sum(jump.impulses.values()), [0, 0, 1.5 * M], atol=1e-9)


def test_a_plank_that_falls_flat_across_another_one_is_struck_where_their_sides_cross():
    body = Body("base", M, [0.3, 0.4, 0.5])
    shapes = [Box("plank", "base", [2.0, 0.2, 0.1]), Box("sleeper", "ground", [0.3, 3.0, 0.2], origin_m=[0.1, 0, -0.1])]
    model = compile_model(System("stack", body, shapes=shapes), implementation=Reference())
    state = State([0.1, 0, 0.05], UPRIGHT, [], [0, 0, -1.0], [0, 0, 0], [])
    touches = model.touches(state, [("sleeper", "plank")], within_m=1e-9)
    places = sorted(tuple(touch.place_m.round(12)) for touch in touches)
    assert_allclose(places, [[x, y, 0] for x in (-0.05, 0.25) for y in (-0.1, 0.1)], atol=1e-12)
    jump = model.impact(state, touches, Energetic(0.5), 0.3)
    assert_allclose(jump.state.u, [0, 0, 0.5, 0, 0, 0], atol=1e-9)


def test_two_free_bodies_that_meet_exchange_momentum():
    inertia = np.full(3, 0.4 * R * R)
    other = Body("other", 1.0, inertia, parent="ground", joint=Joint("flight", "free"))
    shapes = [Sphere("ball", "base", R), Sphere("target", "other", R)]
    model = compile_model(System("pair", Body("base", M, M * inertia), [other], shapes=shapes), implementation=Reference())
    way, side = np.array([0.6, 0, 0.8]), np.array([0, 1.0, 0])
    q = [*(2 * R * way), *UPRIGHT]
    state = State([0, 0, 0], UPRIGHT, q, 2.0 * way + 0.1 * side, [0, 0, 0], np.zeros(6))
    touches = model.touches(state, [("ball", "target")], within_m=1e-9)
    jump = model.impact(state, touches, Energetic(0.5), 1.0)
    p = 1.5 * 2.0 / (1 / M + 1)
    rub = 0.1 * 2 / 7 / (1 / M + 1)  # both leave rolling on each other
    assert_allclose(jump.impulses["ball target"], p * way + rub * side, atol=1e-10)
    assert_allclose(jump.state.qdot[:3], p * way + rub * side, atol=1e-10)
    assert_allclose(jump.state.v_0, 2.0 * way + 0.1 * side - (p * way + rub * side) / M, atol=1e-10)
    assert_allclose(jump.energy_lost, 0.75 * 0.5 * 4 / (1 / M + 1) + rub * 0.1 / 2, rtol=1e-9)


def test_what_is_no_closed_contact_of_shapes_is_refused():
    model = ball(Plane("floor", "ground"))
    falling = State([0, 0, R], UPRIGHT, [], [0, 0, -2.0], [0, 0, 0], [])
    with pytest.raises(InvalidInput, match=r"contact 0: expected a closed contact.*-2 m/s; an impact"):
        forces(model, falling, [("floor", "ball")], 0.1)
    with pytest.raises(UnknownName, match="flor"):
        model.touches(falling, [("flor", "ball")], within_m=1e-9)
    with pytest.raises(InvalidInput, match="pairs of names"):
        model.touches(falling, ["floor"], within_m=1e-9)
