"""Rows of closed contacts are the rates of where shapes are, whatever their kinds; with friction they push as Coulomb says."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.dynamics import ClosedContact
from scmanip.dynamics.constraints._sight import Sight
from scmanip.shapes import Box, Capsule, Plane, Sphere, pair_of
from tests.constraints.held_systems import equations_at, rate
from tests.oracles.random_systems import FIRST_FOREST, random_rotation, random_state, random_tree

PAIRS = [
    (Plane("one", "base"), Sphere("other", "base", 0.1)),
    (Sphere("one", "base", 0.2), Plane("other", "base")),
    (Sphere("one", "base", 0.2), Sphere("other", "base", 0.3)),
    (Capsule("one", "base", 0.1, 3.0), Sphere("other", "base", 0.2)),
    (Capsule("one", "base", 0.1, 3.0), Capsule("other", "base", 0.1, 2.0)),
    (Box("one", "base", [0.5, 0.4, 0.6]), Sphere("other", "base", 0.2)),
    (Plane("one", "base"), Box("other", "base", [0.5, 0.4, 0.6])),
    (Plane("one", "base"), Capsule("other", "base", 0.1, 1.0)),
    (Box("one", "base", [0.5, 0.4, 0.6]), Box("other", "base", [0.3, 0.9, 0.4])),
]


def contact(seed, *, sticks):
    """Return a system in some state, with one of the pairs on two of its bodies, and what is kept of it."""
    rng = np.random.default_rng(seed)
    system = random_tree(FIRST_FOREST + seed, springs=False)
    state = random_state(system, seed)
    frames = [system.bodies[k].name for k in rng.permutation(len(system.bodies))[:2]]
    one, other = (
        shape.carried(frame, rng.normal(size=3), random_rotation(rng))
        for shape, frame in zip(PAIRS[seed % len(PAIRS)], frames, strict=True)
    )
    place = int(rng.integers(2)) if seed % len(PAIRS) > 5 else 0
    features = np.array([2.0, -1.0, rng.integers(3)])[: pair_of(one, other).n_features]
    closed = ClosedContact("touch", one, other, place, sticks, True, 0.3, 0.4, rng.normal(size=3), features=features)
    return system, state, closed, closed.found(Sight(system, equations_at(system, state)), 0.0)


@pytest.mark.parametrize("sticks", [True, False])
@pytest.mark.parametrize("seed", range(len(PAIRS)))
def test_positions_and_rows_change_as_rows_and_drifts_say(seed, sticks):
    system, state, closed, kept = contact(seed, sticks=sticks)
    rows = closed.rows(Sight(system, equations_at(system, state)), kept, 0.0)
    gap = rate(system, state, lambda e: closed.rows(Sight(system, e), kept, 0.0).position)
    speeds = rate(system, state, lambda e: closed.rows(Sight(system, e), kept, 0.0).A @ e.u)
    assert_allclose(gap[0], (rows.A @ state.u)[0], rtol=1e-11)
    assert_allclose(speeds, rows.drift, rtol=1e-10, atol=1e-11 * abs(rows.drift).max())


@pytest.mark.parametrize("seed", [0, 2, 5])
def test_friction_is_a_part_of_the_normal_force_against_the_slip(seed):
    system, state, sliding, kept = contact(seed, sticks=False)
    sight = Sight(system, equations_at(system, state))
    rows, normal, mu = sliding.rows(sight, kept, 0.0), 7.0, 0.4
    force, slide = sliding.force(sight, kept, np.array([normal])), sliding.slide(sight, kept)
    n = sliding.force(sight, np.array([0.3, 0.0, *kept[2:]]), np.ones(1))
    rub = force - (n @ force) * n
    assert_allclose([n @ force, np.linalg.norm(rub)], [normal, mu * normal], rtol=1e-9)
    power = (rows.push - rows.A)[0] @ state.u * normal
    ahead = np.sign(slide.along)
    assert_allclose(ahead * power, -mu * normal * np.hypot(slide.along, slide.across), rtol=1e-9)


def test_the_direction_of_friction_goes_on_smoothly_where_slip_turns_round():
    """What came to rest and is followed beyond that still has the direction that it had."""
    system, state, sliding, kept = contact(2, sticks=False)
    sight = Sight(system, equations_at(system, state))
    forward = sliding.rows(sight, kept, 0.0).push
    backward = sliding.rows(Sight(system, equations_at(system, state.repacked(_turned(system, state)))), kept, 0.0).push
    assert_allclose(forward, backward, rtol=1e-9)


def _turned(system, state):
    x = np.array(state.x)
    x[system.layout.x_u] *= -1
    return x
