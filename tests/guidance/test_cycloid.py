"""A cycloid from rest to rest [Kane1983] eq. 127."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.errors import InvalidInput
from scmanip.guidance import Cycloid, ReferenceMotion
from scmanip.system import Body, Joint, System

START, END, T = np.array([0.0, 1.5, -0.2]), np.array([1.0, 1.0, -0.2]), 10.0
MOTION = Cycloid(START, END, duration_s=T)


def test_the_motion_is_eq_127():
    for t in np.linspace(0, T, 21):
        wanted = START + (END - START) / T * (t - T / (2 * np.pi) * np.sin(2 * np.pi * t / T))
        assert_allclose(MOTION.at(t).q, wanted, rtol=0, atol=1e-15)


def test_it_starts_and_ends_at_rest_without_acceleration():
    for t, place in ((0.0, START), (np.nextafter(T, 0.0), END), (T, END)):
        sample = MOTION.at(t)
        assert_allclose(sample.q, place, rtol=0, atol=1e-15)
        assert_allclose([sample.qdot, sample.qddot], 0.0, atol=1e-15)


def test_before_and_after_the_arm_rests_at_the_ends():
    for t, place in ((-3.0, START), (T + 3.0, END)):
        assert np.array_equal(MOTION.at(t).q, place)
        assert not MOTION.at(t).qdot.any()


def test_half_way_at_half_time_with_twice_the_mean_rate():
    middle = MOTION.at(T / 2)
    assert_allclose(middle.q, (START + END) / 2, rtol=0, atol=1e-15)
    assert_allclose(middle.qdot, 2 * (END - START) / T, rtol=1e-14)


def test_rate_and_acceleration_are_the_derivatives_of_position_and_rate():
    h = 1e-5
    for t in (0.3, 2.2, 5.0, 8.7):
        before, now, after = MOTION.at(t - h), MOTION.at(t), MOTION.at(t + h)
        assert_allclose((after.q - before.q) / (2 * h), now.qdot, rtol=0, atol=1e-10)
        assert_allclose((after.qdot - before.qdot) / (2 * h), now.qddot, rtol=0, atol=1e-10)


def test_the_integrator_stops_at_both_ends_where_the_acceleration_has_a_kink():
    assert MOTION.corners_s == (0.0, T)
    assert MOTION.t_end_s == T


def test_it_fits_the_interface_and_tells_its_story():
    assert isinstance(MOTION, ReferenceMotion)
    assert repr(Cycloid([0], [1.5], duration_s=2)) == "Cycloid([0.0], [1.5], duration_s=2)"


def test_all_mistakes_are_reported_at_once():
    with pytest.raises(InvalidInput) as caught:
        Cycloid([0.0, 1.0], [1.0], duration_s=0.0)
    assert [problem.key for problem in caught.value.problems] == ["duration_s", "q_end"]
    with pytest.raises(InvalidInput, match="q_start: expected a row of finite numbers"):
        Cycloid([np.nan], [1.0], duration_s=1.0)


@pytest.mark.parametrize("t", [-1.0, 0.0, 0.4, 1.99, 2.0, 5.0])
def test_its_form_says_of_its_numbers_what_it_says_itself(t):
    reference = Cycloid([0.1, -0.4], [0.7, 0.3], duration_s=2.0)
    mine, theirs = reference.at(t), reference.form.at(t, reference.numbers(t))
    for name in ("q", "qdot", "qddot"):
        assert_allclose(getattr(theirs, name), getattr(mine, name), atol=1e-14, err_msg=name)


def test_a_cycloid_beside_a_quaternion_that_stays_has_a_form():
    ball = Body("ball", 1.0, inertia_kg_m2=np.eye(3), parent="base", joint=Joint("ball", "spherical"))
    hinge = Body("hinge", 1.0, inertia_kg_m2=np.eye(3), parent="ball", joint=Joint("hinge", "revolute", [0, 0, 1]))
    layout = System("two", Body("base", 1.0, inertia_kg_m2=np.eye(3)), [ball, hinge]).layout
    start, end = np.array([0.6, 0.0, 0.0, 0.8, 0.1]), np.array([0.6, 0.0, 0.0, 0.8, 0.9])
    cycloid = Cycloid(start, end, duration_s=2.0, layout=layout)
    for t in (0.0, 0.7, 1.9, 2.5):
        recorded, said = cycloid.form.at(t, cycloid.numbers(t)), cycloid.at(t)
        for name in ("q", "qdot", "qddot"):
            np.testing.assert_allclose(getattr(recorded, name), getattr(said, name), atol=1e-15)
    assert Cycloid(start, [0.0, 0.6, 0.0, 0.8, 0.9], duration_s=2.0, layout=layout).form is None
