"""Distances in closed form against minimisation, against another library, and against how fast places move apart."""

import itertools

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import minimize

from scmanip.errors import InvalidInput
from scmanip.shapes import Box, Capsule, Placed, Plane, Sphere, pair_of
from scmanip.spatial import dcm_from_axis_angle, dcm_from_euler
from scmanip.symbolic import record

BALL, ROD = Sphere("ball", "a", 0.3), Capsule("rod", "b", 0.2, 0.9)
BRICK, PLANK, FLOOR = Box("brick", "c", [0.8, 0.5, 1.1]), Box("plank", "d", [0.3, 1.2, 0.4]), Plane("floor", "ground")
PAIRS = [(BALL, BALL), (BALL, ROD), (ROD, ROD), (BRICK, BALL), (BRICK, ROD), (BRICK, PLANK),
         (FLOOR, BALL), (FLOOR, ROD), (FLOOR, BRICK)]  # fmt: skip
NAMES = [f"{one.kind} and {other.kind}" for one, other in PAIRS]


def placed(shape, rng, spread=1.2):
    return Placed(shape, spread * rng.normal(size=3), dcm_from_euler(*rng.uniform(-3, 3, size=3)))


def nearest(one, other):
    """Number of the pair of places with the smallest gap, and all of them."""
    found = pair_of(one.shape, other.shape).proximity(one, other)
    return int(np.argmin(found.gap)), found


def core(shape, given):
    """A point (3,) of what is within the radius of a shape, in its axes, from numbers in 0..1."""
    if isinstance(shape, Box):
        return (given - 0.5) * shape.size_m
    return np.array([0.0, 0.0, (given[2] - 0.5) * getattr(shape, "length_m", 0.0)])


def by_search(one, other):
    """The distance between two convex shapes whose cores are apart, by minimisation over points of the cores."""

    def apart(s):
        p, q = (each.r + each.R @ core(each.shape, part) for each, part in ((one, s[:3]), (other, s[3:])))
        d = p - q
        gradient = [
            g * w for each, way in ((one, d), (other, -d)) for g, w in zip(each.R.T @ way, widths(each.shape), strict=True)
        ]
        return d @ d / 2, np.array(gradient)

    bounds, options = [(0, 1)] * 6, {"maxiter": 500, "ftol": 1e-30, "gtol": 1e-14}
    found = min(
        minimize(apart, start, jac=True, bounds=bounds, method="L-BFGS-B", options=options).fun
        for start in (np.full(6, 0.5), np.zeros(6))
    )
    return np.sqrt(2 * found) - sum(getattr(each.shape, "radius_m", 0.0) for each in (one, other))


def widths(shape):
    return shape.size_m if isinstance(shape, Box) else np.array([0.0, 0.0, getattr(shape, "length_m", 0.0)])


@pytest.mark.parametrize(("a", "b"), PAIRS[:5], ids=NAMES[:5])
def test_a_distance_is_the_smallest_that_a_search_finds_and_one_does_not_depend_on_the_order(a, b):
    rng = np.random.default_rng(4)
    for _ in range(25):
        one, other = placed(a, rng), placed(b, rng)
        _, found = nearest(one, other)
        searched = by_search(one, other)
        if searched > -0.15:  # farther inside the cores meet, and a search has no way out
            assert found.gap[0] == pytest.approx(searched, abs=2e-7)
        back = pair_of(b, a).proximity(other, one)
        assert_allclose(back.gap, found.gap, atol=1e-12)
        assert_allclose(back.normal, -found.normal, atol=1e-9)
        assert_allclose(found.on_other - found.on_one, found.gap[:, None] * found.normal, atol=1e-12)
        assert_allclose(np.linalg.norm(found.normal, axis=1), 1.0, atol=1e-14)


@pytest.mark.parametrize(("a", "b"), PAIRS, ids=NAMES)
def test_distances_and_normals_are_those_of_coal(a, b):
    coal = pytest.importorskip("coal")
    rng = np.random.default_rng(11)
    solids = {Sphere: lambda s: coal.Sphere(s.radius_m), Capsule: lambda s: coal.Capsule(s.radius_m, s.length_m),
              Box: lambda s: coal.Box(*s.size_m), Plane: lambda s: coal.Halfspace(np.array([0, 0, 1.0]), 0.0)}  # fmt: skip
    for _ in range(60):
        one, other = placed(a, rng), placed(b, rng)
        k, found = nearest(one, other)
        result, request = coal.DistanceResult(), coal.DistanceRequest()
        poses = [coal.Transform3s(each.R, each.r) for each in (one, other)]
        theirs = coal.distance(solids[type(a)](a), poses[0], solids[type(b)](b), poses[1], request, result)
        if found.gap[k] < -0.19 and (a, b) == (BRICK, ROD):
            continue  # the line of a capsule is in the box, and theirs is the shortest way out of all of it
        assert found.gap[k] == pytest.approx(theirs, abs=1e-5)
        if abs(theirs) > 0.05:
            way = (result.getNearestPoint2() - result.getNearestPoint1()) / theirs
            assert_allclose(way, found.normal[k], atol=2e-4)


@pytest.mark.parametrize(("a", "b"), PAIRS, ids=NAMES)
def test_a_gap_changes_as_fast_as_its_places_move_apart_along_the_normal(a, b):
    rng = np.random.default_rng(7)
    for _ in range(8):
        one, other = placed(a, rng), placed(b, rng)
        v, w, h = rng.normal(size=(2, 3)), rng.normal(size=(2, 3)), 1e-30j
        moved = [
            Placed(each.shape, each.r + h * v[k], each.R + h * np.cross(w[k], each.R.T).T)
            for k, each in enumerate((one, other))
        ]
        found, rate = nearest(one, other)[1], nearest(*moved)[1].gap.imag / abs(h)
        speeds = [v[k] + np.cross(w[k], place - each.r) for k, (each, place) in
                  enumerate(((one, found.on_one), (other, found.on_other)))]  # fmt: skip
        assert_allclose(rate, ((speeds[1] - speeds[0]) * found.normal).sum(axis=1), atol=1e-12)


@pytest.mark.parametrize(("a", "b"), PAIRS, ids=NAMES)
def test_recorded_distances_are_those_of_numbers(a, b):
    def distances(*, r, R):
        found = pair_of(a, b).proximity(Placed(a, r[0], R[0]), Placed(b, r[1], R[1]))
        return {"gap": found.gap, "normal": found.normal, "on_one": found.on_one, "on_other": found.on_other}

    program, rng = record({"r": (2, 3), "R": (2, 3, 3)}, distances), np.random.default_rng(2)
    for _ in range(5):
        poses = [placed(a, rng, 0.6), placed(b, rng, 0.6)]
        r, R = np.array([each.r for each in poses]), np.array([each.R for each in poses])
        for recorded, value in zip(program.evaluate(r, R), distances(r=r, R=R).values(), strict=True):
            assert_allclose(recorded, value, atol=1e-13)


@pytest.mark.parametrize(("a", "b"), PAIRS, ids=NAMES)
def test_recorded_gaps_are_differentiated_twice(a, b):
    rng = np.random.default_rng(13)
    one, other, w, v = placed(a, rng), placed(b, rng), rng.normal(size=3), rng.normal(size=3)

    def gap(*, t):
        moved = Placed(b, other.r + v * t, dcm_from_axis_angle(w / np.sqrt(w @ w), np.sqrt(w @ w) * t) @ other.R)
        return {"gap": pair_of(a, b).proximity(one, moved).gap}

    program, h = record({"t": ()}, gap), 1e-5
    first = program.jacobian("gap", "t")
    second = first.jacobian("dgap_dt", "t")
    rates = [gap(t=s + 1e-30j)["gap"].imag / 1e-30 for s in (-h, 0.0, h)]
    assert_allclose(first.evaluate(np.array(0.0))[0], rates[1], atol=1e-12)
    assert_allclose(second.evaluate(np.array(0.0))[0], (rates[2] - rates[0]) / (2 * h), atol=1e-6)


def test_a_ball_in_a_box_has_the_way_out_of_the_nearest_face():
    eye = np.eye(3)
    _, found = nearest(Placed(BRICK, np.zeros(3), eye), Placed(BALL, np.array([0.1, -0.2, 0.3]), eye))
    assert_allclose(found.gap, [-0.05 - 0.3], atol=1e-15)
    assert_allclose(found.normal, [[0, -1, 0]])
    _, through = nearest(Placed(BRICK, np.zeros(3), eye), Placed(ROD, np.array([0.3, 0, 0.1]), eye))
    assert_allclose(through.gap, [-0.1 - 0.2], atol=1e-12)
    assert_allclose(through.normal, [[1, 0, 0]], atol=1e-12)


def test_lines_that_are_parallel_or_meet_have_finite_places():
    eye, along = np.eye(3), np.array([0.0, 0.0, 0.5])
    _, beside = nearest(Placed(ROD, np.zeros(3), eye), Placed(ROD, np.array([0.6, 0, 0]) + along, eye))
    assert_allclose(beside.gap, [0.2], atol=1e-15)
    assert_allclose(beside.on_one, [[0.2, 0, 0.25]], atol=1e-12)  # the middle of what is side by side
    _, lying = nearest(Placed(BRICK, np.zeros(3), eye), Placed(ROD, np.array([0.7, 0, 0.3]), eye))
    assert_allclose(lying.on_one, [[0.4, 0, (0.55 - 0.15) / 2]], atol=1e-9)
    for one, other in itertools.pairwise([BALL, ROD, ROD]):
        _, same = nearest(Placed(one, np.zeros(3), eye), Placed(other, np.zeros(3), eye))
        assert np.isfinite(same.normal).all() and same.gap[0] == pytest.approx(-one.radius_m - other.radius_m)


def test_planes_have_no_distance():
    with pytest.raises(InvalidInput, match="sphere, capsule, box of a plane, found plane 'floor' and plane 'floor'"):
        pair_of(FLOOR, FLOOR)
