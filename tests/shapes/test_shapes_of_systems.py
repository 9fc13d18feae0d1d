"""Shapes of systems: in Python and in files, on bodies, frames and the ground, and what is wrong with them."""

import pickle
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.actuators import Positive
from scmanip.errors import InvalidSystem, UnknownName
from scmanip.shapes import Box, Capsule, Pair, Placed, Plane, Proximity, Shape, Sphere, pair_of
from scmanip.spatial import dcm_from_axis_angle
from scmanip.system import Frame, System
from tests.house.packages import installed
from tests.system.mistakes import GOOD

SHAPES = """
[[shape]]
name = "knob"
frame = "tip"
type = "sphere"
radius_m = 0.1
origin_m = [0.0, 0.1, 0.0]

[[shape]]
name = "hull"
body = "base"
type = "box"
size_m = [1.0, 2.0, 3.0]
rpy_deg = [0, 0, 90]

[[shape]]
name = "boom"
body = "shoulder"
type = "capsule"
radius_m = 0.05
length_m = 1.0

[[shape]]
name = "wall"
frame = "ground"
type = "plane"
"""
TEXT = GOOD + SHAPES


def test_a_file_has_shapes_on_bodies_frames_and_the_ground():
    system = System.from_toml_text(TEXT)
    assert [type(shape) for shape in system.shapes] == [Sphere, Box, Capsule, Plane]
    knob = system.shape("knob")
    assert (knob.frame, knob.radius_m, knob.inner_radius_m) == ("slider", 0.1, 0.1)
    assert_allclose(knob.origin_m, [0.2, 0.1, 0.0])
    assert_allclose(system.shape("hull").dcm @ [1, 0, 0], [0, 1, 0], atol=1e-15)
    assert system.shape("wall").frame == "ground" and system.shape("hull").inner_radius_m == 0.5
    assert [body.mass_kg for body in system.bodies] == [body.mass_kg for body in System.from_toml_text(GOOD).bodies]
    again = pickle.loads(pickle.dumps(system)).shape("knob")
    assert again == knob and hash(again) == hash(knob) and not again.origin_m.flags.writeable
    assert system.with_actuators(()).shape("boom") == system.shape("boom")
    turn = dcm_from_axis_angle(np.array([0, 0, 1.0]), np.pi / 2)
    turned = System(
        "t", system.base, frames=[Frame("f", "base", [1.0, 0, 0], turn)], shapes=[Plane("p", "f", origin_m=[0.5, 0, 0])]
    )
    assert_allclose(turned.shape("p").origin_m, [1.0, 0.5, 0.0], atol=1e-15)
    assert_allclose(turned.shape("p").dcm, turn, atol=1e-15)
    with pytest.raises(UnknownName, match="knob"):
        system.shape("knb")


MISTAKES = {
    "no size": ("radius_m = 0.1\n", "", "shape[0].radius_m", "a finite number > 0"),
    "a negative size": ("radius_m = 0.1", "radius_m = -0.1", "shape[0].radius_m", "-0.1"),
    "a flat box": ("3.0]\nrpy", "0.0]\nrpy", "shape[1].size_m", "3 numbers > 0"),
    "an unknown type": ('"sphere"', '"spere"', "shape[0].type", "did you mean 'sphere'"),
    "a size of another": ("length_m = 1.0", "length_m = 1.0\nsize_m = 1.0", "shape[2].size_m", "length_m"),
    "on nothing": ('frame = "tip"\n', "", "shape[0].body", "one of body, frame"),
    "on two": ('frame = "tip"', 'frame = "tip"\nbody = "base"', "shape[0].body", "frame and body"),
    "on what is not there": ('body = "base"\ntype', 'body = "bas"\ntype', "shape[1].body", "did you mean 'base'"),
    "on no frame": ('frame = "tip"', 'frame = "tipp"', "shape[0].frame", "did you mean 'tip'"),
    "a name twice": ('name = "boom"', 'name = "hull"', "shape[2].name", "already a shape"),
    "turned twice": ("rpy_deg = [0, 0, 90]", "rpy_deg = [0, 0, 90]\nrpy_rad = [0, 0, 1]", "shape[1].rpy_rad", "one of"),
}


@pytest.mark.parametrize(("old", "new", "key", "words"), MISTAKES.values(), ids=MISTAKES)
def test_what_is_wrong_with_a_shape_is_said_with_line_and_key(old, new, key, words):
    assert SHAPES.count(old) == 1
    with pytest.raises(InvalidSystem) as caught:
        System.from_toml_text(GOOD + SHAPES.replace(old, new))
    (problem,) = caught.value.problems
    line = (GOOD + SHAPES.replace(old, new)).split("\n")[problem.line - 1]
    assert problem.key == key and words in str(problem)
    assert line.startswith((key.split(".")[-1], "[[shape]]"))


def test_shapes_in_python_are_checked_as_those_of_files_are():
    system = System.from_toml_text(GOOD)
    for make, words in (
        (lambda: Sphere("s", "base", 0.0), "radius_m"),
        (lambda: Box("s", "base", [1.0, -1.0, 1.0]), "size_m"),
        (lambda: Plane("s", "base", dcm=np.ones((3, 3))), "dcm"),
        (lambda: Plane("", "base"), "shape"),
        (lambda: System("s", system.base, shapes=[Plane("s", "nowhere")]), "nowhere"),
        (lambda: System("s", system.base, shapes=[Plane("s", "base"), Plane("s", "base")]), "used once"),
    ):
        with pytest.raises(InvalidSystem, match=words):
            make()


def floor_to_disk(one, other):
    """The distance from a plane to the lowest place of a disk that is not parallel to it."""
    n, axis = one.R[:, 2], other.R[:, 2]
    across = n - (n @ axis) * axis
    low = other.r - other.shape.radius_m * across / np.sqrt(across @ across)
    gap = (low - one.r) @ n
    return Proximity(np.array([gap]), n[np.newaxis], (low - gap * n)[np.newaxis], low[np.newaxis])


@dataclass(frozen=True, eq=False)
class Disk(Shape):
    """A kind of one's own, which knows how far it is from a plane."""

    kind: ClassVar[str] = "disk"
    meets: ClassVar = {"plane": Pair(lambda one, other: floor_to_disk(other, one).mirrored)}

    radius_m: Positive

    @property
    def inner_radius_m(self):
        """It is flat."""
        return 0.0


def test_a_kind_of_ones_own_is_named_by_files_and_meets_others(tmp_path, monkeypatch):
    code = "from tests.shapes.test_shapes_of_systems import Disk\n"
    installed(tmp_path, monkeypatch, "house_disk", "[scmanip.shapes]\ndisk = house_disk:Disk\n", code)
    system = System.from_toml_text(TEXT + '[[shape]]\nname = "coin"\nbody = "slider"\ntype = "disk"\nradius_m = 0.5\n')
    coin, wall = system.shape("coin"), system.shape("wall")
    upright = Placed(coin, np.array([0, 0, 2.0]), np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]]))
    floor = Placed(wall, np.zeros(3), np.eye(3))
    assert_allclose(pair_of(wall, coin).proximity(floor, upright).gap, [1.5])
    assert_allclose(pair_of(coin, wall).proximity(upright, floor).normal, [[0, 0, -1]])
