"""Two boxes: how far by search, by 15 axes and by another package; where their facing faces have vertices in common."""

import itertools
from types import SimpleNamespace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.compiled import compile_program
from scmanip.shapes import Box, Placed, pair_of
from scmanip.spatial import dcm_from_axis_angle
from scmanip.symbolic import record
from tests.shapes.test_distances import BRICK, PLANK, by_search, placed

UP = np.array([0.0, 0, 1])


def gap(one, other):
    return pair_of(one.shape, other.shape).proximity(one, other).gap.min()


def separation(one, other):
    """How far two boxes are apart along the axis on which they are so most: of what overlaps, the way out of it."""
    axes = [*one.R.T, *other.R.T, *(np.cross(a, b) for a in one.R.T for b in other.R.T)]
    units = [axis / size for axis in axes if (size := np.linalg.norm(axis)) > 1e-9]
    reach = [sum(abs(each.R.T @ n) @ each.shape.half_m for each in (one, other)) for n in units]
    return max(abs(n @ (other.r - one.r)) - most for n, most in zip(units, reach, strict=True))


def test_boxes_are_as_far_from_each_other_as_search_says_and_as_deep_as_15_axes_do():
    rng, deep = np.random.default_rng(5), 0
    for _ in range(40):
        places = placed(BRICK, rng, 0.6), placed(PLANK, rng, 0.6)
        found = gap(*places)
        deep += found < 0
        assert found == pytest.approx(gap(*places[::-1]), abs=1e-12)
        if found < 0:
            assert found == pytest.approx(separation(*places), abs=1e-12)
        else:
            assert found == pytest.approx(by_search(*places), abs=1e-8)
    assert 5 < deep < 35


def random_pair(rng):
    return [placed(Box("box", "a", rng.uniform(0.2, 1.5, size=3)), rng, 0.7) for _ in range(2)]


def test_distances_of_random_boxes_are_those_of_coal():
    pytest.importorskip("coal")
    from scmanip.shapes.pairs._of_meshes import beside

    rng, deep = np.random.default_rng(7), 0
    for _ in range(60):
        places = random_pair(rng)
        theirs = beside(*places)
        deep += theirs.gap[0] < 0
        assert gap(*places) == pytest.approx(theirs.gap[0], abs=1e-9)
    assert 12 < deep < 30


@pytest.mark.slow
@pytest.mark.parametrize("count", [1000, pytest.param(10_000, marks=pytest.mark.exhaustive)])
def test_distances_of_thousands_of_random_boxes_are_those_of_coal_in_machine_code(count):
    """One program of any two boxes, as it flies, asked about all of them at once."""
    pytest.importorskip("coal")
    from scmanip.shapes.pairs._of_meshes import beside

    def distance(*, half, r, R):
        one, other = (Placed(SimpleNamespace(half_m=half[k]), r[k], R[k]) for k in (0, 1))
        return {"gap": pair_of(BRICK, PLANK).proximity(one, other).gap}

    rng = np.random.default_rng(7)
    pairs = [random_pair(rng) for _ in range(count)]
    each = [[(at.shape.half_m, at.r, at.R) for at in pair] for pair in pairs]
    given = [np.array([[of_one[k], of_other[k]] for of_one, of_other in each]) for k in range(3)]
    theirs = np.array([beside(*pair).gap[0] for pair in pairs])
    found = compile_program(record({"half": (2, 3), "r": (2, 3), "R": (2, 3, 3)}, distance)).rows(len(pairs), *given)
    assert_allclose(found["gap"].min(axis=1), theirs, rtol=0, atol=1e-9)
    assert 0.2 < (theirs < 0).mean() < 0.5


def corners(box):
    """The four corners (4, 2) of an upright box round its lower face, from above."""
    return [(box.r + box.R @ (np.array([a, b, 0]) * box.shape.half_m))[:2] for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]


def clipped(polygon, half):
    """What of a convex polygon is in a rectangle |x_i| <= half_i, by cutting at one side after the other."""
    for axis, side in itertools.product((0, 1), (1, -1)):
        inside, kept = [half[axis] - side * point[axis] for point in polygon], []
        for k, point in enumerate(polygon):
            before, at = inside[k - 1], inside[k]
            if min(before, at) < -1e-9 and max(before, at) > 1e-9:
                kept.append(polygon[k - 1] + (point - polygon[k - 1]) * before / (before - at))
            if at >= -1e-9:
                kept.append(point)
        polygon = kept
    return [point for k, point in enumerate(polygon) if all(abs(point - other).max() > 1e-9 for other in polygon[:k])]


ROUGH = np.array([0.25, 0.5, 0.75])
LYING = {
    "anyhow": lambda rng: (rng.uniform(0.2, 1, (2, 3)), rng.uniform(-0.5, 0.5, 2), rng.uniform(-3, 3)),
    "side on side": lambda rng: (rng.choice(ROUGH, (2, 3)), rng.choice(ROUGH - 0.5, 2), rng.integers(4) * np.pi / 2),
    "crossed": lambda rng: (rng.choice(ROUGH, (2, 1)) * [1, 1, 0.6], rng.choice([0, 0.2], 2), np.pi / 4),
}


@pytest.mark.parametrize("lying", LYING.values(), ids=LYING)
def test_boxes_that_lie_on_each_other_touch_at_the_vertices_of_what_their_faces_have_in_common(lying):
    rng, seen = np.random.default_rng(3), set()
    for depth, noise in itertools.product((0.0, 1e-12, -1e-12, 1e-4, -1e-4), (0, 1e-13, 1e-11) * 3):
        (low, high), way, yaw = lying(rng)
        turned = dcm_from_axis_angle(UP, yaw)
        upper = Placed(Box("upper", "b", 2 * high), np.array([*way, low[2] + high[2] - depth]), turned)
        expected = clipped(corners(upper), low)
        if len(expected) < 3:
            continue
        axes, tilt = placed(BRICK, rng).R, dcm_from_axis_angle(np.array([0.6, 0.8, 0]), noise)
        places = (
            Placed(Box("lower", "a", 2 * low), np.zeros(3), axes),
            Placed(upper.shape, axes @ upper.r, axes @ tilt @ turned),
        )
        found = pair_of(*(each.shape for each in places)).proximity(*places)
        touching = abs(found.gap + depth) < 1e-7
        assert_allclose(found.normal[touching] @ axes, np.tile(UP, (touching.sum(), 1)), atol=1e-6)
        there = np.linalg.norm((found.on_one[touching] @ axes)[:, np.newaxis, :2] - np.array(expected), axis=2) < 1e-6
        assert (there.sum(axis=0) == 1).all() and (there.sum(axis=1) == 1).all()
        assert (found.gap[~touching] > 0).all()
        seen.add(len(expected))
    assert max(seen) >= 4


def test_a_place_that_is_held_is_that_of_its_features_where_it_was_found_and_goes_on_with_them():
    rng, pair, kinds = np.random.default_rng(4), pair_of(BRICK, PLANK), set()
    for _ in range(6):
        one, other = placed(BRICK, rng, 0.4), placed(PLANK, rng, 0.4)
        near, slid = pair.proximity(one, other), Placed(PLANK, other.r + 0.01 * one.R[:, 0], other.R)
        for k in np.flatnonzero(near.features[:, 2] < 3):
            held, later = pair.place(one, other, k, near.features[k]), pair.place(one, slid, k, near.features[k])
            for name in ("gap", "normal", "on_one", "on_other"):
                assert_allclose(getattr(held, name)[0], getattr(near, name)[k], atol=1e-14)
            assert_allclose(later.normal, held.normal, atol=1e-12)
            assert_allclose(later.gap - held.gap, 0.01 * held.normal @ one.R[:, 0], atol=1e-14)
            kinds.add(near.features[k, 2])
    assert kinds == {0, 1, 2}


def test_the_distance_of_boxes_goes_through_touch_without_a_jump():
    rng = np.random.default_rng(9)
    for _ in range(3):
        one, other = random_pair(rng)
        way = (one.r - other.r) / np.linalg.norm(one.r - other.r)
        start = 3.0 * np.linalg.norm(one.r - other.r)
        gaps = [gap(one, Placed(other.shape, one.r - s * way, other.R)) for s in np.linspace(start, 0.0, 40)]
        assert abs(np.diff(gaps)).max() < 1.001 * start / 39 and min(gaps) < 0 < max(gaps)


def test_two_boxes_are_a_short_program():
    def distance(*, r, R):
        return {"gap": pair_of(BRICK, PLANK).proximity(Placed(BRICK, r[0], R[0]), Placed(PLANK, r[1], R[1])).gap}

    assert record({"r": (2, 3), "R": (2, 3, 3)}, distance).operations.total < 4000
