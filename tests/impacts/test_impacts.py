"""Jumps of speeds by laws of restitution, against closed forms, and what every jump must keep."""

from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.errors import InconsistentConstraints, InvalidInput, SingularInertia
from scmanip.impacts import Bilateral, Contacts, Energetic, ImpactOutcome, Newton, Poisson, impact

from .rows import GRAVITY, Rod, random_impact

LAWS = (Newton, Poisson, Energetic)
NO_TANGENTS = np.zeros((0, 1))


@pytest.mark.parametrize("law", LAWS)
def test_a_ball_bounces_as_high_as_the_square_of_its_restitution_and_comes_to_rest(law):
    e, height = 0.8, 1.0
    speed, heights = -np.sqrt(2 * GRAVITY * height), []
    for _ in range(60):
        jump = impact(np.array([[0.3]]), np.array([speed]), Contacts(np.array([[1.0]]), NO_TANGENTS), law(e))
        heights.append(jump.u_plus[0] ** 2 / (2 * GRAVITY))
        speed = -jump.u_plus[0]  # it falls back
        if abs(speed) < 1e-12:
            break
    bounces = len(heights) - 1
    assert_allclose(heights[:-1], e ** (2 * np.arange(1, bounces + 1)) * height, rtol=1e-12)
    assert heights[-1] == pytest.approx(0, abs=1e-30)
    assert e**bounces * np.sqrt(2 * GRAVITY * height) <= 1e-3 < e ** (bounces - 1) * np.sqrt(2 * GRAVITY * height)


@pytest.mark.parametrize("e", [0.0, 0.4, 1.0])
def test_all_laws_agree_on_a_central_impact_without_friction(e):
    """Two bodies of a chain of three, the third of which is tied to the second."""
    M, u, held = np.diag([2.0, 1.0, 3.0]), np.array([3.0, -1, -1]), Bilateral(np.array([[0.0, 1, -1]]))
    contacts = Contacts(np.array([[-1.0, 1, 0]]), np.zeros((0, 3)))
    p = (1 + e) * 4 / (1 / 2 + 1 / 4)
    for law in LAWS:
        jump = impact(M, u, contacts, law(e), bilateral=held)
        assert_allclose(jump.normal, [p], rtol=1e-12)
        assert_allclose(jump.u_plus, [3 - p / 2, -1 + p / 4, -1 + p / 4], rtol=1e-12)
        assert_allclose(jump.bilateral, [-3 * p / 4], rtol=1e-12)
        assert_allclose(jump.energy_change, -(1 - e * e) * 16 / (1 / 2 + 1 / 4) / 2, atol=1e-12)


@pytest.mark.parametrize(("law", "k"), [*product(LAWS, (1, 2))])
@pytest.mark.parametrize("mu", [0.1, 5.0])
def test_a_spinning_ball_slides_through_or_leaves_rolling(law, k, mu):
    """Sphere of mass m, radius r: W_nn = 1/m, W_tt = 7/(2m); it rolls where mu (1 + e) v_n reaches 2/7 of the slip."""
    m, r, e, v_n, slip = 2.0, 0.1, 0.6, 1.5, np.array([2.0, -1.0])[:k]
    M = np.diag([m] * 3 + [0.4 * m * r * r] * 3)
    N, T = np.array([[0, 0, 1.0, 0, 0, 0]]), np.array([[1.0, 0, 0, 0, -r, 0], [0, 1, 0, r, 0, 0]])[:k]
    u = np.array([slip[0], slip[1] if k == 2 else 0.0, -v_n, 0, 0, 0])
    jump = impact(M, u, Contacts(N, T, mu), law(e))
    slides = mu * m * (1 + e) * v_n < 2 / 7 * m * np.linalg.norm(slip)
    friction = -slip / np.linalg.norm(slip) * mu * m * (1 + e) * v_n if slides else -2 / 7 * m * slip
    assert_allclose(jump.normal, [m * (1 + e) * v_n], rtol=1e-11)
    assert_allclose(jump.tangential[0], friction, rtol=1e-11)
    assert slides == (mu == 0.1)


@pytest.mark.parametrize(("law", "k"), [*product(LAWS, (0, 1, 2))])
def test_random_impacts_keep_constraints_momentum_and_books(law, k):
    rng, outcomes = np.random.default_rng(11), []
    for c in (1, 1, 2, 2) if k == 2 else (1, 2, 3, 5):
        M, u, contacts, held = random_impact(rng, c, k)
        jump = impact(M, u, contacts, law(rng.uniform()), bilateral=held)
        outcomes.append(jump.outcome)
        unit = np.sqrt(u @ M @ u)
        assert_allclose(held.A @ jump.u_plus, 0, atol=1e-11 * unit)
        pushed = contacts.N.T @ jump.normal + contacts.T.T @ jump.tangential.ravel() + held.A.T @ jump.bilateral
        assert_allclose(M @ (jump.u_plus - u), pushed, atol=1e-11 * unit * np.linalg.norm(M))
        assert_allclose((jump.u_plus @ M @ jump.u_plus - u @ M @ u) / 2, jump.energy_change, atol=1e-12 * unit**2)
        assert_allclose(jump.energy_bilateral, 0, atol=1e-12 * unit**2)
        assert np.all(jump.normal >= 0)
        assert np.all(np.linalg.norm(jump.tangential, axis=1) <= np.asarray(contacts.mu) * jump.normal * (1 + 1e-9))
        floor = -1e-9 * unit if law is not Newton else -np.inf  # what parts slower than -e v_n is no answer of Newton's
        assert np.all(contacts.N @ jump.u_plus >= floor)
    assert ImpactOutcome.JUMP in outcomes


@pytest.mark.parametrize("k", [0, 1, 2])
@pytest.mark.parametrize("c", [1, 2, 3])
def test_energy_never_rises_with_energetic_restitution(k, c):
    rng = np.random.default_rng(c)
    for _ in range(20 if c == 1 else 3 if c * k < 5 else 1):
        M, u, contacts, held = random_impact(rng, c, k)
        jump = impact(M, u, contacts, Energetic(1.0), bilateral=held)
        assert jump.energy_change <= 1e-12 * (u @ M @ u)
        assert jump.outcome in (ImpactOutcome.JUMP, ImpactOutcome.APART)


@pytest.mark.parametrize("e", [0.3, 1.0])
def test_contacts_in_a_row_give_back_the_share_of_their_work(e):
    """Three balls: without friction nothing but normal impulses takes and gives back energy."""
    rows = Contacts(np.array([[-1.0, 1, 0], [0, -1, 1]]), np.zeros((0, 3)))
    plastic = impact(np.eye(3), np.array([1.0, 0, 0]), rows, Energetic(0.0)).energy_change
    for law in (Poisson, Energetic):
        jump = impact(np.eye(3), np.array([1.0, 0, 0]), rows, law(e))
        assert_allclose(jump.energy_change, (1 - e * e) * plastic, atol=1e-14)
        assert_allclose(np.sum(jump.u_plus), 1, rtol=1e-14)


def test_newtons_law_with_friction_can_make_energy_and_says_so():
    """A rod whose slip is turned round by its restitution [Kane1985]; Stronge's law does not do that."""
    rod = Rod(0.8, slip=0.8, drop=-1.0)
    by_newton = impact(rod.M, rod.u, rod.contacts(0.3), Newton(1.0))
    assert by_newton.outcome is ImpactOutcome.ENERGY_RISES
    assert by_newton.energy_change > 0.01
    assert "J)" in by_newton.sentence
    by_stronge = impact(rod.M, rod.u, rod.contacts(0.3), Energetic(1.0))
    assert by_stronge.outcome is ImpactOutcome.JUMP
    assert by_stronge.energy_change < 0


def test_painleves_rod_that_has_no_motion_takes_an_impulse_that_stops_its_slip():
    rod = Rod(np.arctan(2.0), slip=-1.0)
    jump = impact(rod.M, rod.u, rod.contacts(2.0), Energetic(0.0))
    assert jump.normal[0] > 0
    assert_allclose(np.vstack([rod.N, rod.T]) @ jump.u_plus, 0, atol=1e-14)
    assert jump.energy_change < 0
    still = Rod(0.3, slip=-1.0)
    assert impact(still.M, still.u, still.contacts(0.2), Energetic(0.0)).outcome is ImpactOutcome.APART


def test_constraints_that_set_in_with_a_blow_are_plastic_and_book_what_moves_them():
    M, u = np.diag([1.0, 2.0]), np.array([3.0, 0.0])
    jump = impact(M, u, Contacts(np.zeros((0, 2)), np.zeros((0, 2))), Newton(0.5), bilateral=Bilateral(np.array([[1.0, -1]])))
    assert_allclose(jump.u_plus, [1, 1], rtol=1e-14)
    assert_allclose(jump.energy_bilateral, -3, rtol=1e-14)
    driven = impact(M, u, Contacts(np.zeros((0, 2)), np.zeros((0, 2))), Newton(0.5), bilateral=Bilateral(np.eye(2), [-4, -4]))
    assert_allclose(driven.energy_change, 24 - 4.5, rtol=1e-14)


def test_slow_contacts_give_nothing_back_and_fast_ones_do():
    N = np.eye(2)
    jump = impact(np.eye(2), np.array([-0.01, -1.0]), Contacts(N, np.zeros((0, 2))), Newton(0.5, plastic_below_m_s=0.02))
    assert_allclose(jump.u_plus, [0, 0.5], atol=1e-16)


@pytest.mark.parametrize("e", [-0.1, 1.1, np.nan, "x", None])
def test_a_coefficient_that_is_none_is_refused(e):
    with pytest.raises(InvalidInput, match="e: expected"):
        Poisson(e)


def test_what_cannot_be_is_told():
    contacts = Contacts(np.array([[1.0, 0]]), np.zeros((0, 2)))
    with pytest.raises(SingularInertia, match="moves no mass"):
        impact(np.diag([1.0, 0]), np.zeros(2), contacts, Newton(0.5))
    with pytest.raises(InconsistentConstraints, match="contradict"):
        impact(np.eye(2), np.zeros(2), contacts, Newton(0.5), bilateral=Bilateral(np.array([[1.0, 0], [1, 0]]), [0, 1]))
    with pytest.raises(InvalidInput, match="M: expected 2 x 2"):
        impact(np.eye(3), np.zeros(2), contacts, Newton(0.5))
