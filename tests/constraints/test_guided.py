"""A frame that moves as a hand does: the hand's motion is in what its rows say and in their rates."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.constraints import Guided
from scmanip.dynamics.constraints._sight import Sight
from scmanip.errors import InvalidSystem
from scmanip.spatial import quaternion_rate
from tests.constraints.held_systems import equations_at, held_system, rate
from tests.oracles.complex_step import STEP


@pytest.mark.parametrize("turns", [True, False])
@pytest.mark.parametrize("seed", range(4))
def test_rows_follow_a_hand_that_moves_and_turns(seed, turns):
    system, state = held_system(seed)
    one, sight = Guided("hand", "port0", turns=turns), Sight(system, equations_at(system, state))
    rng = np.random.default_rng(seed)
    found = one.found(sight, 0.0)
    as_found = one.rows(sight, found, 0.0)
    assert_allclose(as_found.A @ state.u + as_found.speed, 0.0, atol=1e-12)  # it goes on as it was found
    hand = np.concatenate([found[:3], rng.normal(size=3), found[6:10], rng.normal(size=9)])
    jerks = rng.normal(size=6)
    moves = np.concatenate([hand[3:6], hand[13:16], quaternion_rate(hand[6:10], hand[10:13]), hand[16:19], jerks])
    rows = one.rows(sight, hand, 0.0)
    assert_allclose(rows.position, 0.0, atol=1e-12)
    udot = rng.normal(size=len(state.u))

    def said(e):
        return one.rows(Sight(system, e), hand + 1j * STEP * moves, 0.0)

    def speeds(e):
        now = said(e)
        return now.A @ e.u + now.speed

    assert_allclose(rate(system, state, lambda e: said(e).position), rows.A @ state.u + rows.speed, atol=1e-11)
    assert_allclose(rate(system, state, speeds), rows.drift, atol=1e-11 * max(1.0, abs(rows.drift).max()))
    assert_allclose(rate(system, state, speeds, udot), rows.A @ udot + rows.drift, rtol=1e-11, atol=1e-11)


def test_what_it_says_of_itself():
    one = Guided("hand", "tip", turns=False)
    assert one.kept(None) == 19 and one.drives and one.units(None) == ("N",) * 3
    assert Guided("hand", "tip").units(None) == ("N",) * 3 + ("N m",) * 3
    with pytest.raises(InvalidSystem, match="turns"):
        Guided("hand", "tip", turns="yes")
