"""Every packaged mission has a scene, and runs have what acts in them where it acts."""

from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.mission import Mission, load_mission
from scmanip.scene import centre_of_mass, scene_of

FILES = sorted((Path(__file__).parents[2] / "missions").glob("*.toml"))
MISSIONS = [path for path in FILES if 'schema = "scmanip.mission/1"' in path.read_text(encoding="utf-8")]


def test_there_are_missions():
    assert len(MISSIONS) > 15


@pytest.mark.slow
@pytest.mark.parametrize("path", MISSIONS, ids=lambda path: path.stem)
def test_a_mission_begins_with_a_picture_that_holds_its_centre_of_mass(path):
    mission = load_mission(path)
    scene = scene_of(mission.system, state=mission.initial)
    assert all(np.isfinite(item.solid.triangles().vertices).all() for item in scene.items)
    assert len({item.name for item in scene.items}) == len(scene.items)
    low, high = scene.bounds
    at = centre_of_mass(mission.system, scene.poses)[0]
    assert ((low < at) & (at < high)).all()


def flown(name) -> tuple[Mission, object]:
    mission = load_mission(Path(__file__).parents[2] / "missions" / f"{name}.toml")
    return mission, mission.run()


@pytest.mark.slow
def test_a_run_of_phases_has_marks_and_forces_of_its_constraints_at_their_frames():
    _, run = flown("planar_wall")
    scene = run.scene
    assert [mark.text for mark in scene.marks if mark.kind == "phase"] == ["press", "lean", "free", "drift"]
    (force,) = (arrow for arrow in scene.arrows if arrow.name == "force of wall")
    tip = next(trail for trail in scene.trails if trail.name == "tip")
    assert force.vector.any()
    assert_allclose(force.origin, tip.points, atol=1e-12)
    (wall,) = (item for item in scene.items if item.name == "plane of wall")
    held = run.history.active[:, 0] > 0
    assert_allclose(wall.R[:, 2], [-1.0, 0.0, 0.0], atol=1e-12)
    assert_allclose(tip.points[held] @ wall.R[:, 2], wall.r @ wall.R[:, 2], atol=1e-6)


@pytest.mark.slow
def test_forces_of_contacts_act_where_shapes_touch():
    mission, run = flown("docking_bumper")
    scene = run.scene
    (contact,) = (arrow for arrow in scene.arrows if arrow.group == "contact forces")
    assert_allclose(contact.vector, run.history.contact_force[:, 0])
    (head,) = (item for item in scene.items if item.name == "head")
    radius = next(shape.radius_m for shape in mission.system.shapes if shape.name == "head")
    for k in np.flatnonzero(contact.vector.any(axis=1)):
        centre, _ = scene.placed(head, k)
        assert_allclose(np.linalg.norm(contact.origin[k] - centre), radius, rtol=1e-3)


@pytest.mark.slow
def test_plumes_leave_against_the_push_of_their_thrusters():
    _, run = flown("debris_flying")
    scene, history = run.scene, run.history
    plumes = [arrow for arrow in scene.arrows if arrow.is_plume]
    assert_allclose(np.stack([np.linalg.norm(p.vector, axis=1) for p in plumes], axis=1), history.thrust_N, atol=1e-12)
    pushed = -np.sum([plume.vector for plume in plumes], axis=0)
    (on_base,) = (arrow for arrow in scene.arrows if arrow.name == "force on the base")
    assert_allclose(pushed, on_base.vector, atol=1e-9 * abs(on_base.vector).max())


@pytest.mark.slow
def test_the_target_of_a_reach_stands_where_the_tip_arrives():
    _, run = flown("ets7_reach")
    scene = run.scene
    (target,) = (item for item in scene.items if item.name == "target of tip")
    (tip,) = (item for item in scene.items if item.name == "tip axes")
    assert target.body is None
    (r, R), (at, axes) = scene.placed(tip, len(scene.t_s) - 1), scene.placed(target, 0)
    assert_allclose(r, at, atol=1e-3)
    assert_allclose(R, axes, atol=1e-3)
