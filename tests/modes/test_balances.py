"""Momentum against impulse, and what either is measured against."""

import numpy as np
import pytest

from scmanip.modes import Floating, Flying, RotationFloating
from tests.modes.books import books

BALANCES = {"momentum_balance": ("P", slice(0, 3)), "angular_momentum_balance": ("L_C", slice(3, 6))}


def pushed_books(law, **changes):
    """Books in which momentum grows by the impulse from outside, with changes."""
    name, part = BALANCES[law]
    kept = books()
    impulse = np.zeros((5, 6))
    impulse[:, part] = np.outer(kept.t, [1.0, 0.0, 3.0])
    return books(**({"impulse": impulse, name: getattr(kept, name) + impulse[:, part]} | changes))


@pytest.mark.parametrize("law", BALANCES)
def test_a_balance_sees_momentum_that_no_impulse_gave_and_impulse_that_gave_no_momentum(law):
    name, part = BALANCES[law]
    kept = pushed_books(law)
    assert Flying().contract(kept)[law].value < 1e-15
    for what in (name, "impulse"):
        broken = np.array(getattr(kept, what))
        broken[3, part.start if what == "impulse" else 0] += 0.25
        residual = Flying().contract(pushed_books(law, **{what: broken}))[law]
        assert residual.value == pytest.approx(0.25, rel=1e-12)
        assert np.argmax(residual.series) == 3


@pytest.mark.parametrize("law", BALANCES)
def test_a_balance_is_measured_against_impulse_or_arm_and_without_both_against_the_whole(law):
    arm, part = {"P": "P_arm", "L_C": "L_arm"}[BALANCES[law][0]], BALANCES[law][1]
    scales = {
        2 * np.sqrt(10): pushed_books(law, **{arm: np.zeros((5, 3))}),
        50.0: pushed_books(law, **{arm: np.tile([0, 30.0, 40.0], (5, 1))}),
        np.linalg.norm(getattr(books(), BALANCES[law][0])[0]): books(impulse=np.zeros((5, 6)), **{arm: np.zeros((5, 3))}),
    }
    for scale, ledger in scales.items():
        assert not ledger.impulse[:, part].any() or scale > 5
        assert Flying().contract(ledger)[law].scale == pytest.approx(scale, rel=1e-12)


def test_angular_momentum_is_measured_against_what_wheels_took_where_that_is_more_and_not_against_what_they_had():
    spinning = np.tile([100.0, 0.0, 0.0], (5, 1))
    taken = spinning + np.outer(np.arange(5.0), [0.0, 3.0, 4.0])
    assert Floating().contract(books(h_wheels=spinning))["angular_momentum"].scale == pytest.approx(8.0)
    assert RotationFloating().contract(books(h_wheels=taken))["angular_momentum"].scale == pytest.approx(20.0)
