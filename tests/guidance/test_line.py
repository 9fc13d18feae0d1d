"""A frame of the arm on a straight line, judged by where the arm really is."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.dynamics import compile_model
from scmanip.errors import InvalidInput, UnknownName
from scmanip.guidance import Line, ReferenceMotion
from scmanip.guidance._smooth_step import SmoothStep
from scmanip.system import Body, Frame, Joint, State, System, load_system

from ..oracles.random_systems import random_system

ALONG = {"direction": [0.3, 0.9, -0.4], "distance_m": 0.1, "duration_s": 2.0}
HOME = np.array([0.4, -0.7, 1.1, 0.5, 0.8, -0.6])
TIMES = np.linspace(0, 2, 41)


@pytest.fixture(scope="module")
def model():
    return compile_model(load_system("model:general_6r"))


@pytest.fixture(scope="module")
def line(model):
    return Line(model, HOME, "tip", **ALONG)


def planar_arm(joints, *, fixed=True):
    """Links of 1 m in the plane of x and y."""
    bodies = [
        Body(f"link{i + 1}", 1.0, [0.1, 0.1, 0.1], [0.5, 0, 0], f"link{i}" if i else "base", _elbow(i)) for i in range(joints)
    ]
    base = Body("base", 0.0 if fixed else 9.0, np.zeros((3, 3)) if fixed else [1.0, 1.0, 1.0])
    return System("plane", base, bodies, [Frame("tip", f"link{joints}", [1, 0, 0])], fixed=fixed)


def _elbow(i):
    return Joint(f"joint{i + 1}", "revolute", origin_m=[1.0 if i else 0.0, 0, 0])


def test_the_frame_runs_along_the_line_and_does_not_turn(model, line):
    start = State(q=HOME)
    r_0, attitude = model.position(start, "tip"), model.attitude(start, "tip")
    unit = np.array(ALONG["direction"]) / np.linalg.norm(ALONG["direction"])
    for t in TIMES:
        state, x = State(q=line.at(t).q), t / 2
        wanted = r_0 + unit * 0.1 * (10 * x**3 - 15 * x**4 + 6 * x**5)
        assert_allclose(model.position(state, "tip"), wanted, atol=1e-14)
        assert abs(model.attitude(state, "tip") @ attitude) == pytest.approx(1, abs=1e-14)


def test_rates_and_accelerations_are_those_of_the_joints(line):
    h = 1e-4
    for t in TIMES[1:-1]:
        before, now, after = (line.at(t + k * h) for k in (-1, 0, 1))
        assert_allclose(now.qdot, (after.q - before.q) / (2 * h), atol=1e-7)
        assert_allclose(now.qddot, (after.qdot - before.qdot) / (2 * h), atol=1e-6)


def test_the_frame_is_at_rest_with_no_acceleration_at_both_ends(line):
    for t in (-1.0, 0.0, 2.0, 3.0):
        assert_allclose([line.at(t).qdot, line.at(t).qddot], 0, atol=1e-14)
    assert_allclose(line.at(-1.0).q, HOME, atol=1e-14)
    assert_allclose(line.at(5.0).q, line.at(2.0).q, atol=1e-15)
    assert (line.corners_s, line.t_end_s) == ((0.0, 2.0), 2.0) and isinstance(line, ReferenceMotion)


def test_what_comes_back_does_not_depend_on_what_was_asked_before(line):
    first = line.at(1.3).q
    for t in (0.1, 1.9, 0.7):
        line.at(t)
    assert np.array_equal(line.at(1.3).q, first)


def test_three_joints_in_a_plane_keep_a_line_and_an_orientation():
    model, home = compile_model(planar_arm(3)), [0.3, 0.9, -0.5]
    line = Line(model, home, "tip", direction=[-1, 0.5, 0], distance_m=0.6, duration_s=1.0)
    end = State(q=line.at(1.0).q)
    moved = model.position(end, "tip") - model.position(State(q=home), "tip")
    assert_allclose(moved, 0.6 * np.array([-1, 0.5, 0]) / np.hypot(1, 0.5), atol=1e-14)
    assert end.q.sum() == pytest.approx(sum(home), abs=1e-14)  # what turns the hand


def test_two_joints_in_a_plane_cannot_and_are_told_so():
    with pytest.raises(InvalidInput, match=r"distance_m: expected a line that the arm can follow, found 0 m .* too few joints"):
        Line(compile_model(planar_arm(2)), [0.3, 0.9], "tip", direction=[1, 0, 0], distance_m=0.1, duration_s=1.0)


def test_a_line_that_leaves_the_workspace_is_refused_with_the_place():
    """Three links of 1 m, the hand kept along x: it can go on until the two others are stretched to 2 m."""
    model, home = compile_model(planar_arm(3)), [0.9, -1.8, 0.9]
    reach = 2 - 2 * np.cos(0.9)
    with pytest.raises(InvalidInput) as refused:
        Line(model, home, "tip", direction=[1, 0, 0], distance_m=2.0, duration_s=1.0)
    found = refused.value.problems[0].found
    assert "singularity" in found
    assert float(found.split()[0]) == pytest.approx(reach, abs=0.02)


def test_what_the_line_cannot_use_is_refused_all_at_once(model):
    with pytest.raises(InvalidInput) as refused:
        Line(model, HOME[:5], "tip", direction=[0, 0, 0], distance_m=-1, duration_s=0)
    assert [p.key for p in refused.value.problems] == ["q_home", "direction", "distance_m", "duration_s"]
    with pytest.raises(UnknownName, match="did you mean 'tip'"):
        Line(model, HOME, "tipp", **ALONG)
    with pytest.raises(InvalidInput, match="a base that is held"):
        Line(compile_model(planar_arm(3, fixed=False)), [0.3, 0.9, -0.5], "tip", **ALONG)
    with pytest.raises(InvalidInput, match="one to six joints, found 7"):
        Line(compile_model(random_system(3, fixed=True, joints=7)), np.zeros(7), "tip", **ALONG)
    with pytest.raises(InvalidInput, match="frame: expected a frame that joints move, found 'base' on 'base', which none does"):
        Line(model, HOME, "base", **ALONG)


def test_a_smooth_step_goes_from_rest_to_rest():
    step, h = SmoothStep(duration=1.7, length=-0.9), 1e-5
    for t in (0.2, 0.85, 1.5):
        assert step.rate(t) == pytest.approx((step.distance(t + h) - step.distance(t - h)) / (2 * h), rel=1e-8)
        assert step.acceleration(t) == pytest.approx((step.rate(t + h) - step.rate(t - h)) / (2 * h), rel=1e-7, abs=1e-9)
    assert (step.distance(0), step.distance(-1), step.distance(9)) == (0, 0, step.distance(1.7))
    assert step.distance(1.7) == pytest.approx(-0.9, abs=1e-15)


@pytest.mark.parametrize("size", [1e-300, 5e-324, 1e300])
def test_a_direction_may_have_any_length(model, size):
    line, plain = (Line(model, HOME, "tip", **{**ALONG, "direction": [0, s, 0]}) for s in (size, 1.0))
    assert_allclose(line.at(1.0).q, plain.at(1.0).q, rtol=1e-12)
