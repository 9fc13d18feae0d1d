"""What pictures show is where the model has it, and as large as its inertia says."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip import State, compile_model, load_system
from scmanip.scene import Axes, Box, Capsule, Cone, Cylinder, Ellipsoid, Line, Sphere, equal_box, scene_of
from scmanip.system import Body, model_names

SOLIDS = [
    (Box(np.array([1.0, 2.0, 3.0])), 6.0),
    (Cylinder(0.5, 2.0), np.pi / 2),
    (Cone(0.5, 2.0), np.pi / 6),
    (Capsule(0.5, 2.0), np.pi / 2 + np.pi / 6),
    (Sphere(0.5), np.pi / 6),
    (Ellipsoid(np.array([1.0, 2.0, 3.0])), 8 * np.pi),
]


@pytest.fixture(scope="module")
def ets7():
    return load_system("model:ets7")


@pytest.mark.parametrize(("solid", "volume"), SOLIDS)
def test_the_triangles_of_a_solid_enclose_its_volume(solid, volume):
    vertices, faces = solid.triangles()
    a, b, c = np.moveaxis(vertices[faces], 1, 0)
    found = (a * np.cross(b, c)).sum() / 6  # positive where faces are seen from outside
    assert 0.93 * volume < found <= volume * (1 + 1e-12)
    assert len(solid.lines()) == 0


def test_axes_and_lines_have_lines_alone():
    assert Axes(2.0).lines().shape == (3, 2, 3)
    assert Line(np.eye(3)).lines().shape == (2, 2, 3)
    assert len(Line(np.eye(3)).triangles().faces) == 0


def test_the_box_of_a_body_has_its_inertia():
    tensor = np.array([[3.0, 0.2, -0.1], [0.2, 4.0, 0.3], [-0.1, 0.3, 2.5]])
    for body in (Body("base", 7.0, tensor), Body("base", 2.0, [1.0, 2.0, 2.5])):
        size, R = equal_box(body)
        moments = body.mass_kg * ((size**2).sum() - size**2) / 12
        assert_allclose(R @ np.diag(moments) @ R.T, body.inertia_kg_m2, atol=1e-9 * abs(body.inertia_kg_m2).max())


@pytest.mark.parametrize("name", model_names())
def test_poses_are_those_of_the_model(name):
    system = load_system(f"model:{name}")
    q = np.linspace(0.3, 0.9, system.layout.n_q)
    scene, state, model = scene_of(system, q), State.at_rest(system, q), compile_model(system)
    equations = model.equations(state)
    for number, body in enumerate(system.bodies):
        point = model.point(body.name)
        assert_allclose(scene.poses[0, number, :3], equations.position(point), atol=1e-12)
        attitude = equations.attitude_of(point)
        assert_allclose(abs(scene.poses[0, number, 3:] @ attitude), 1.0, atol=1e-12)


def test_between_two_times_a_body_is_between_its_places(ets7):
    one, other = (scene_of(ets7, np.full(6, angle)) for angle in (0.0, 0.2))
    moved = replace(one, t_s=np.array([0.0, 2.0]), poses=np.concatenate([one.poses, other.poses]))
    middle = moved.at([1.0, 5.0])
    assert_allclose(middle.poses[0, :, :3], moved.poses[:, :, :3].mean(axis=0))
    assert_allclose(np.linalg.norm(middle.poses[..., 3:], axis=-1), 1.0)
    assert_allclose(middle.poses[1], moved.poses[1])
