"""What constraints of every kind do to single bodies is what they do to the system, joint by joint."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.dynamics import BodySight, Stack
from scmanip.dynamics.constraints._sight import Sight

from .held_systems import equations_at, held_system


@pytest.mark.parametrize("seed", [2, 3, 5, 11, *(pytest.param(k, marks=pytest.mark.slow) for k in range(20, 60))])
def test_rows_over_twists_of_bodies_are_the_rows_over_speeds(seed):
    system, state = held_system(seed)
    equations = equations_at(system, state)
    sight, bodies = Sight(system, equations), BodySight(system, equations)
    places = [body.name if number else "base.com" for number, body in enumerate(system.bodies)]
    J = np.concatenate([bodies.motion(name).J for name in places])  # of the twists of all bodies
    between = [one.name for one in system.constraints if one.on]
    assert between
    stack = Stack.of(system, between)
    kept = stack.found(sight)
    assert_allclose(stack.rows(bodies, kept).A @ J, stack.rows(sight, kept).A, atol=1e-12)


@pytest.mark.parametrize("seed", [2, 3, 5])
def test_constraints_of_named_speeds_act_on_bodies_that_nothing_carries(seed):
    system, state = held_system(seed)
    bodies, free = BodySight(system, equations_at(system, state)), system.trees[1:]
    n = system.layout.n_base
    for k, place in [(k, k) for k in range(n)] + [
        (6 * tree.bodies.start + k, n + tree.twist.start + k) for tree in free for k in range(6)
    ]:
        assert bodies.speeds[k] == system.layout.u_names[place]
        assert bodies.motion("base.com" if k < 6 else system.bodies[k // 6].name).J[k % 6, place] == 1.0
    named = sum(map(bool, bodies.speeds))
    assert named == n + 6 * len(free)


def test_a_constraint_tells_its_load_on_its_second_frame_or_on_what_touches():
    system, _ = held_system(2)
    for one in system.constraints:
        if one.on:
            assert one.on == one.joined[0 if one.kind in ("plane", "rolling") else -1]
        else:
            assert one.kind in ("lock", "coupling", "speed")
