"""Forces of rigid contacts with Coulomb friction."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.errors import InconsistentConstraints, InvalidInput, NumericalFailure
from scmanip.impacts import (
    Answers,
    Bilateral,
    ContactMode,
    ContactProblem,
    Contacts,
    contact_forces,
    enumerated,
    firmest,
    swept,
)

from .rows import CORNERS, GRAVITY, Rod, block_on_a_slope, random_problem, table

SLOPE = 0.3
STEEPEST = np.arctan(2.0)  # where the least friction makes the rod's paradox, 4/3


@pytest.mark.parametrize("mu", [0.1, 0.25, 0.5])
@pytest.mark.parametrize("speed", [-1.0, 0.0, 1.0])
def test_a_block_on_a_slope_slides_or_sticks_as_the_angle_of_friction_says(mu, speed):
    motion = contact_forces(*block_on_a_slope(SLOPE, mu, speed)).motion
    down, hold = np.sin(SLOPE), mu * np.cos(SLOPE)
    sticks = speed == 0 and mu > np.tan(SLOPE)
    a = 0.0 if sticks else GRAVITY * (down - hold * (np.sign(speed) or 1))
    assert_allclose(motion.udot, [a, 0], atol=1e-12 * GRAVITY)
    assert_allclose(motion.normal, [3 * GRAVITY * np.cos(SLOPE)], rtol=1e-12)
    assert motion.modes == (ContactMode.STICKS if sticks else ContactMode.SLIDES,)


def test_constraints_press_on_contacts_and_contacts_on_constraints():
    M, force, contacts, u = block_on_a_slope(SLOPE, 0.5, 0.0)
    pushed = Bilateral(np.array([[1.0, 0], [2, 0]]), drift=np.array([-0.5, -1]))  # one row twice
    motion = contact_forces(M, force, contacts, u, bilateral=pushed).motion
    friction = -0.5 * 3 * GRAVITY * np.cos(SLOPE)
    assert_allclose(motion.udot, [0.5, 0], atol=1e-12)
    assert_allclose(motion.tangential, [[friction]], rtol=1e-12)
    assert_allclose(motion.bilateral, (1.5 - force[0] - friction) * np.array([0.2, 0.4]), rtol=1e-12)


def test_rows_that_contradict_each_other_are_told():
    M, force, contacts, u = block_on_a_slope(SLOPE, 0.5, 0.0)
    with pytest.raises(InconsistentConstraints, match="contradict"):
        contact_forces(M, force, contacts, u, bilateral=Bilateral(np.array([[1.0, 0], [2, 0]]), drift=np.array([0.0, 1])))


@pytest.mark.parametrize(("lifted", "answers"), [(0.0, Answers.ONE), (1e-3, Answers.ONE), (-1e-3, Answers.NONE)])
@pytest.mark.parametrize("seed", range(4))
def test_a_contact_that_constraints_hold_gives_nothing_and_rounding_is_no_motion_of_it(seed, lifted, answers):
    """Rows that together hold all speeds, as a weld does, and how they lead the block off the slope, or into it."""
    M, force, contacts, u = block_on_a_slope(SLOPE, 0.5, 0.0)
    rows = np.random.default_rng(seed).normal(size=(2, 2))
    found = contact_forces(M, force, contacts, u, bilateral=Bilateral(rows, drift=-rows @ [0.0, lifted]))
    assert found.answers is answers
    if answers is Answers.ONE:
        assert found.motion.modes == (ContactMode.OPEN,) and not found.motion.normal.any()
        assert_allclose(rows.T @ found.motion.bilateral, [0, 3 * lifted] - force, rtol=1e-12)


@pytest.mark.parametrize(("mu", "turn", "answers"), [
    (1.34, 0.0, Answers.NONE), (1.34, 5.0, Answers.SEVERAL), (2.0, 3.0, Answers.NONE), (2.0, 5.0, Answers.SEVERAL),
    (1.33, 0.0, Answers.ONE), (1.33, 5.0, Answers.ONE), (0.2, 3.0, Answers.ONE),
])  # fmt: skip
def test_painleves_rod_has_no_motion_or_several_where_friction_is_above_four_thirds(mu, turn, answers):
    rod = Rod(STEEPEST, turn, slip=-1.0)
    forces = contact_forces(rod.M, rod.weight, rod.contacts(mu), rod.u)
    assert forces.answers is answers
    assert forces.sentence.startswith(answers.value)
    if answers is not Answers.ONE:
        with pytest.raises(NumericalFailure, match="motion"):
            forces.motion  # noqa: B018


def test_painleves_rod_that_slides_the_other_way_has_one_motion():
    rod = Rod(STEEPEST, 0.0, slip=1.0)
    assert contact_forces(rod.M, rod.weight, rod.contacts(2.0), rod.u).answers is Answers.ONE


def test_several_motions_say_what_every_contact_does():
    rod = Rod(STEEPEST, 5.0, slip=-1.0)
    forces = contact_forces(rod.M, rod.weight, rod.contacts(2.0), rod.u)
    assert forces.sentence.endswith("(open) or (slides)")
    for motion in forces.motions:
        assert (rod.N @ motion.udot + rod.drift[0])[0] > -1e-12


def test_a_table_on_four_legs_stands_although_its_forces_are_not_all_determined():
    M, contacts = table()
    forces = contact_forces(M, np.array([0, 0, -2 * GRAVITY, 0, 0, 0]), contacts, np.zeros(6))
    assert forces.answers is Answers.ONE_MOTION
    assert_allclose(forces.motion.udot, 0, atol=1e-12)
    assert_allclose(forces.motion.normal, 2 * GRAVITY / 4, rtol=1e-12)


def test_a_table_on_three_legs_knows_what_they_carry_and_not_how_they_push_each_other():
    M, contacts = table(CORNERS[:3], height=0.0)
    forces = contact_forces(M, np.array([0, 0, -2 * GRAVITY, GRAVITY * 0.1, -GRAVITY * 0.1, 0]), contacts, np.zeros(6))
    assert forces.answers is Answers.ONE_MOTION
    assert_allclose(forces.motion.udot, 0, atol=1e-12)
    assert_allclose(forces.motion.tangential, 0, atol=1e-12)


def test_a_table_on_five_legs_stands_too():
    M, contacts = table((*CORNERS, (0, 0)))
    forces = contact_forces(M, np.array([0, 0, -2 * GRAVITY, 0, 0, 0]), contacts, np.zeros(6))
    assert forces.answers is Answers.FOUND
    assert_allclose(forces.motion.udot, 0, atol=1e-12)
    assert forces.motion.modes == (ContactMode.STICKS,) * 5
    assert_allclose(np.sum(forces.motion.normal), 2 * GRAVITY, rtol=1e-12)


@pytest.mark.slow
def test_a_table_that_is_pushed_sticks_slides_or_tips():
    M, contacts = table(mu=0.3)
    outcomes = []
    for push, turn in ((4.0, 0.0), (8.0, 0.0), (4.0, 12.0)):
        weight = np.array([push, 0, -2 * GRAVITY, 0, turn - push, 0])  # pushed at the height of its feet
        outcomes.append(contact_forces(M, weight, contacts, np.zeros(6)).motion)
    assert outcomes[0].modes == (ContactMode.STICKS,) * 4
    assert outcomes[1].modes == (ContactMode.SLIDES,) * 4
    assert_allclose(outcomes[1].udot[0], (8 - 0.3 * 2 * GRAVITY) / 2, rtol=1e-9)
    assert [mode is ContactMode.OPEN for mode in outcomes[2].modes] == [False, False, True, True]


def test_what_is_wedged_may_stay_or_leave():
    """A disk that does not turn is pulled out of a groove of two walls at 45 degrees."""
    r = np.sqrt(0.5)
    walls = np.array([[r, r], [-r, r]]), np.array([[r, -r], [r, r]])
    pulled = contact_forces(np.eye(2), np.array([0, 1.0]), Contacts(*walls, 1.2), np.zeros(2))
    assert pulled.answers is Answers.SEVERAL
    assert_allclose(sorted(motion.udot[1] for motion in pulled.motions), [0, 1], atol=1e-12)
    loose = contact_forces(np.eye(2), np.array([0, 1.0]), Contacts(*walls, 0.9), np.zeros(2))
    assert loose.answers is Answers.ONE
    assert_allclose(loose.motion.udot, [0, 1], atol=1e-12)


@pytest.mark.parametrize("k", [0, 1, 2])
@pytest.mark.parametrize("slides", [False, True])
def test_random_contacts_satisfy_every_condition_and_sweeps_find_what_enumeration_finds(k, slides):
    rng = np.random.default_rng(7)
    for c in (1, 2, 2, 3):
        problem = random_problem(rng, c, k, slides)
        all_of_them, one = enumerated(problem), swept(problem)
        assert np.all(problem.misses(all_of_them.f) < 1e-12)
        assert all_of_them.answers is Answers.ONE
        assert_allclose(one.f, all_of_them.f, atol=1e-11)


def test_conditions_are_what_they_say():
    problem = ContactProblem.at_rest(np.eye(3), np.array([-1.0, 0.3, 0.4]), np.array([0.2]))
    exact = np.array([1.0, -0.2 * 0.6, -0.2 * 0.8])
    off = np.array([exact, [0, 0, 0], [1, -0.3, -0.4], [1, 0, 0], [1, -0.16, -0.12], [2, -0.24, -0.32], [-1, 0, 0]])
    assert_allclose(problem.misses(off)[0], 0, atol=1e-15)
    assert np.all(problem.misses(off)[1:] > 0.01)
    assert_allclose(enumerated(problem).f, exact[None], rtol=1e-14)


@pytest.mark.parametrize("k", [1, 2])
def test_many_contacts_are_solved_by_sweeps(k):
    rng = np.random.default_rng(3)
    for c in (5, 8):
        problem = random_problem(rng, c, k)
        assert problem.misses(swept(problem).f)[0] < 1e-12


def test_a_contact_without_friction_needs_no_tangents():
    N = np.array([[0.0, 1]])
    with_none = contact_forces(np.eye(2), np.array([1.0, -1]), Contacts(N, np.zeros((0, 2))), np.zeros(2)).motion
    with_two = contact_forces(np.eye(2), np.array([1.0, -1]), Contacts(N, np.array([[1.0, 0]]), 0.0), np.zeros(2)).motion
    assert_allclose(with_none.udot, [1, 0], atol=1e-15)
    assert_allclose(with_two.udot, [1, 0], atol=1e-15)


@pytest.mark.parametrize(("wrong", "words"), [
    ({"N": np.zeros((2, 3))}, "as N has them"), ({"T": np.zeros((3, 2))}, "one or two for each"), ({"mu": -0.1}, ">= 0"),
    ({"mu": [0.1, 0.2, 0.3]}, "mu"), ({"drift_N": [1.0]}, "drift_N"), ({"N": [[np.nan, 0], [0, 1]]}, "finite"),
])  # fmt: skip
def test_contacts_that_fit_nothing_are_refused(wrong, words):
    good = {"N": np.eye(2), "T": np.eye(2), "mu": 0.1}
    with pytest.raises(InvalidInput, match=words):
        Contacts(**{**good, **wrong})


def test_the_firmest_forces_of_places_that_slide_are_no_worse_than_those_given():
    """Four corners of a box that carry almost the same: what linear programmes leave out is not cut away among them."""
    inner = np.array([[1.0, -1.0, 1.0, -1.0]]).T / 2
    given = 4.905 + 2e-8 * np.array([-1.0, 1, 1, -1])
    firm = firmest(given, inner, [1] * 4, np.zeros(4))
    assert firm.margins.min() >= given.min() - 1e-5
    assert_allclose(firm.forces, given, atol=1e-5)
