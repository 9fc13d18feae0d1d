"""What constraints say of the speeds is what becomes of their places: every kind, in random systems, on every base."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.constraints import CONSTRAINT_KINDS, GROUND
from scmanip.dynamics import Equations, Parameters
from scmanip.dynamics.constraints._sight import Sight
from scmanip.dynamics.constraints._stack import Stack, stacked_rows
from scmanip.errors import UnknownName
from scmanip.spatial import DCM, Quaternion
from tests.constraints.held_systems import held_system, with_parts
from tests.oracles.complex_step import rate
from tests.oracles.pinocchio_oracle import PinocchioOracle
from tests.oracles.random_systems import random_state

SEEDS = range(12)


def equations_at(system, state, form=None):
    zero = np.zeros(3)
    return Equations(
        Parameters.of(system),
        form or DCM(),
        q=state.q,
        qdot=state.qdot,
        attitude=np.array([0.0, 0.0, 0.0, 1.0]) if state.fixed else state.attitude_xyzw,
        r_0=zero if state.fixed else state.r_0,
        v_0=zero if state.fixed else state.v_0,
        omega_0=zero if state.fixed else state.omega_0,
    )


def case(seed):
    system = held_system(seed)
    return system, random_state(system, seed), Stack(system, system.constraints)


def close(actual, expected, message=""):
    assert_allclose(
        actual, expected, rtol=0, atol=1e-12 * max(1.0, abs(np.asarray(expected)).max(initial=0.0)), err_msg=message
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_the_rate_of_a_position_form_is_that_of_its_rows(seed):
    system, state, stack = case(seed)
    sight = Sight(system, equations_at(system, state))
    kept = stack.found(sight)
    for one in stack.constraints:
        mine = kept[stack.kept_of[one.name]]
        rows = one.rows(sight, mine, 0.0)
        assert len(rows.A) == len(rows.speed) == len(rows.drift) == len(one.labels(sight)), one.kind
        assert (rows.position is None) == (not one.holonomic), one.kind
        if one.holonomic:
            moved = rate(system, state, lambda e, one=one, mine=mine: one.rows(Sight(system, e), mine, 0.0).position)
            close(moved, rows.A @ state.u + rows.speed, one.kind)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_drift_is_the_rate_of_the_rows_where_the_speeds_are_held(seed):
    system, state, stack = case(seed)
    sight = Sight(system, equations_at(system, state))
    kept, udot = stack.found(sight), np.random.default_rng(seed).normal(size=len(state.u))
    rows = stack.rows(sight, kept)

    def motion(e):
        rows = stack.rows(Sight(system, e), kept)
        return rows.A @ e.u + rows.speed

    close(rows.drift, rate(system, state, motion), stack.labels)
    close(rows.A @ udot + rows.drift, rate(system, state, motion, udot), stack.labels)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_weld_to_the_ground_moves_as_pinocchio_says(seed):
    system = held_system(seed)
    state, frame = random_state(system, seed), system.frame("port0")
    motion = Sight(system, equations_at(system, state)).relative(GROUND, "port0")
    close(motion.J, PinocchioOracle(system).jacobian(state, frame.body, frame.origin_m))
    close(motion.twist, motion.J @ state.u)


def test_rows_are_the_same_in_quaternions_and_one_below_the_other():
    system, state, stack = case(3)
    names = [one.name for one in system.constraints]
    kept = stack.found(Sight(system, equations_at(system, state)))
    rows = stacked_rows(system, equations_at(system, state), names, kept)
    close(stacked_rows(system, equations_at(system, state, Quaternion()), names, kept).A, rows.A)
    assert len(stack.labels) == len(rows.A) == len(stack.holonomic) and len(set(stack.labels)) == len(rows.A)
    for one in system.constraints:
        alone = Stack.of(system, [one.name])
        close(
            rows.A[stack.rows_of[one.name]],
            alone.rows(Sight(system, equations_at(system, state)), kept[stack.kept_of[one.name]]).A,
        )
    with pytest.raises(UnknownName, match="graps"):
        Stack.of(system, ["graps"])


def test_every_kind_is_among_the_random_systems():
    seen = {one.kind for seed in SEEDS for one in held_system(seed).constraints}
    assert seen == set(CONSTRAINT_KINDS)


def test_no_constraints_have_no_rows():
    system = with_parts(held_system(0), constraints=[])
    rows = Stack(system, ()).rows(Sight(system, equations_at(system, random_state(system, 0))), np.zeros(0))
    assert rows.A.shape == (0, system.layout.n_u) and len(rows.drift) == 0
