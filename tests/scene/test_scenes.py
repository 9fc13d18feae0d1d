"""What pictures show is where the model has it, and as large as its inertia says."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip import FixedBase, Floating, Plant, State, compile_model, load_system, simulate
from scmanip import shapes as shapes_of
from scmanip.constraints import PointOnPlane
from scmanip.control import JointRegulator
from scmanip.errors import InvalidInput
from scmanip.guidance import Hold
from scmanip.loads import Contact, KelvinVoigt, Orbit
from scmanip.scene import (
    COLOURS,
    GROUPS,
    DrawnAxes,
    DrawnBox,
    DrawnCapsule,
    DrawnCone,
    DrawnCylinder,
    DrawnEllipsoid,
    DrawnLine,
    DrawnSphere,
    body_poses,
    centre_of_mass,
    equal_box,
    scene_of,
    scene_of_history,
)
from scmanip.scene.things._looks import SOLIDS
from scmanip.spatial import dcm_from_axis_angle
from scmanip.system import VISUAL_SIZES, Body, Joint, System, Visual, model_names
from tests.oracles.random_systems import random_state

VOLUMES = [
    (DrawnBox(np.array([1.0, 2.0, 3.0])), 6.0),
    (DrawnCylinder(0.5, 2.0), np.pi / 2),
    (DrawnCone(0.5, 2.0), np.pi / 6),
    (DrawnCapsule(0.5, 2.0), np.pi / 2 + np.pi / 6),
    (DrawnSphere(0.5), np.pi / 6),
    (DrawnEllipsoid(np.array([1.0, 2.0, 3.0])), 8 * np.pi),
]


@pytest.fixture(scope="module")
def ets7():
    return load_system("model:ets7")


@pytest.mark.parametrize(("solid", "volume"), VOLUMES)
def test_the_triangles_of_a_solid_enclose_its_volume(solid, volume):
    vertices, faces = solid.triangles()
    a, b, c = np.moveaxis(vertices[faces], 1, 0)
    found = (a * np.cross(b, c)).sum() / 6  # positive where faces are seen from outside
    assert 0.93 * volume < found <= volume * (1 + 1e-12)
    assert len(solid.lines()) == 0


def test_a_compliant_contact_pushes_where_shapes_touch_and_a_sphere_rolls_above_its_plane():
    ball = Body("ball", 2.0, [0.1] * 3, parent="base", joint=Joint("up", "prismatic", [0, 0, 1]))
    shapes = [shapes_of.Sphere("ball", "ball", 0.2), shapes_of.Plane("floor", "ground")]
    rail = PointOnPlane("rail", ("ball", "ground"), np.array([1.0, 0, 0]), radius_m=0.2, tolerance_m=1.0, active=True)
    held = Body("base", 0.0, np.zeros((3, 3)))
    model = compile_model(System("bounce", held, [ball], fixed=True, shapes=shapes, constraints=[rail]))
    touch = Contact(*map(model.system.shape, ("floor", "ball")), KelvinVoigt(1e4, 0.0), name="touch")
    law, still = JointRegulator(model, K_P=0.0, K_D=0.0), Hold([0.0])
    run = simulate(Plant(model, FixedBase(), [touch]), law, State(q=[0.19], qdot=[0.0]), reference=still, t_end_s=0.01)
    scene = scene_of_history(run)
    (push,) = (arrow for arrow in scene.arrows if arrow.name == "contact touch")
    assert_allclose(push.vector[0], [0.0, 0.0, 1e4 * 0.01])
    assert_allclose(push.origin[0], [0.0, 0.0, -0.005], atol=1e-12)
    (plane,) = (item for item in scene.items if item.name == "plane of rail")
    assert_allclose(plane.r, [-0.2, 0.0, 0.19], atol=1e-12)


def test_axes_and_lines_have_lines_alone():
    assert DrawnAxes(2.0).lines().shape == (3, 2, 3)
    assert DrawnLine(np.eye(3)).lines().shape == (2, 2, 3)
    assert len(DrawnLine(np.eye(3)).triangles().faces) == 0


def test_the_box_of_a_body_has_its_inertia():
    tensor = np.array([[3.0, 0.2, -0.1], [0.2, 4.0, 0.3], [-0.1, 0.3, 2.5]])
    for body in (Body("base", 7.0, tensor), Body("base", 2.0, [1.0, 2.0, 2.5])):
        size, R = equal_box(body)
        moments = body.mass_kg * ((size**2).sum() - size**2) / 12
        assert_allclose(R @ np.diag(moments) @ R.T, body.inertia_kg_m2, atol=1e-9 * abs(body.inertia_kg_m2).max())


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"phases": ["push"]}, "phases: expected times"),
        ({"phases": [(np.nan, "push")]}, "phases: expected times"),
        ({"sun": [1.0, 0.0]}, "sun: expected 3 finite numbers"),
        ({"sun": np.zeros(3)}, "sun: expected a direction"),
    ],
)
def test_phases_without_times_and_a_sun_without_a_direction_are_refused(run, given, said):
    with pytest.raises(InvalidInput, match=said):
        scene_of_history(run, **given)


@pytest.mark.parametrize("name", model_names())
def test_poses_are_those_of_the_model(name):
    system = load_system(f"model:{name}")
    q = random_state(system, 3).q
    scene, state, model = scene_of(system, q), State.at_rest(system, q), compile_model(system)
    equations = model.equations(state)
    for number, body in enumerate(system.bodies):
        point = model.point(body.name)
        assert_allclose(scene.poses[0, number, :3], equations.position(point), atol=1e-12)
        attitude = equations.attitude_of(point)
        assert_allclose(abs(scene.poses[0, number, 3:] @ attitude), 1.0, atol=1e-12)


def test_the_frame_of_a_link_is_where_it_lies_in_its_moved_joint_frame():
    turned = dcm_from_axis_angle(np.array([0.6, 0.0, 0.8]), 0.7)
    joint = Joint("elbow", "revolute", origin_m=[0.5, 0, 0], child_origin_m=[0.3, 0.1, 0.2], child_dcm=turned)
    link = Body("link", 2.0, [0.1, 0.2, 0.2], com_m=[0.1, 0, 0], parent="base", joint=joint)
    system = System("bent", Body("base", 10.0, [1.0, 1, 1]), [link])
    scene, equations = scene_of(system, [0.4]), compile_model(system).equations(State.at_rest(system, [0.4]))
    point = compile_model(system).point("link")
    assert_allclose(scene.poses[0, 1, :3], equations.position(point), atol=1e-12)
    assert_allclose(abs(scene.poses[0, 1, 3:] @ equations.attitude_of(point)), 1.0, atol=1e-12)


def test_between_two_times_a_body_is_between_its_places(ets7):
    one, other = (scene_of(ets7, np.full(6, angle)) for angle in (0.0, 0.2))
    moved = replace(one, t_s=np.array([0.0, 2.0]), poses=np.concatenate([one.poses, other.poses]))
    middle = moved.at([1.0, 5.0])
    assert_allclose(middle.poses[0, :, :3], moved.poses[:, :, :3].mean(axis=0))
    assert_allclose(np.linalg.norm(middle.poses[..., 3:], axis=-1), 1.0)
    assert_allclose(middle.poses[1], moved.poses[1])


@pytest.fixture(scope="module")
def run():
    """A planar arm that is pushed at its first joint and drifts."""
    model = compile_model(load_system("model:planar_four_link"))
    state = State(r_0=[0.1, 0.2, 0.0], v_0=[0.01, 0, 0], q=[0.3, -0.4, 0.5, 0.2], qdot=[0.1, 0.2, 0, 0])
    return simulate(model, Floating(), lambda t, x: np.array([1.0, 0, 0, 0]), state, t_end_s=2.0, output_step_s=0.01)


def test_the_ways_of_a_run_are_its_series(run):
    scene = scene_of_history(run, phases=[(0.0, "push")])
    trails = {trail.name: trail.points for trail in scene.trails}
    assert_allclose(trails["centre of mass"], run.r_C, atol=1e-12)
    assert_allclose(trails["base"], run.r_0, atol=1e-12)
    model = compile_model(run.system)
    assert_allclose(trails["tip"], model.batch.position(run.states, "tip"), atol=1e-12)
    assert [mark.text for mark in scene.marks] == ["push"]


def test_a_program_and_the_sums_have_bodies_at_the_same_places(run):
    some = State.stack([run.states[k] for k in range(0, 201, 10)])
    assert_allclose(body_poses(run.system, some), body_poses(run.system, run.states)[::10], atol=1e-12)


def test_arrows_are_the_series_of_a_run_where_these_act(run):
    arrows = {arrow.name: arrow for arrow in scene_of_history(run).arrows}
    assert_allclose(arrows["torque of joint1"].vector, run.tau[:, :1] * [0, 0, 1], atol=1e-12)
    assert_allclose(arrows["linear momentum"].vector, run.P)
    assert_allclose(arrows["linear momentum"].origin, run.r_C, atol=1e-12)
    assert not arrows["force on the base"].vector.any()


def test_directions_outside_turn_with_the_orbit_and_not_with_the_sun(run):
    orbit = Orbit.circular(altitude_m=500e3)
    arrows = {arrow.name: arrow.vector for arrow in scene_of_history(run, orbit=orbit, sun=[0, 3.0, 0]).arrows}
    assert_allclose(arrows["to the sun"], np.tile([0.0, 1.0, 0.0], (len(run.t), 1)))
    assert_allclose((arrows["to the earth"] * arrows["along the orbit"]).sum(axis=1), 0.0, atol=1e-12)
    assert_allclose(np.linalg.norm(arrows["to the earth"], axis=1), 1.0)


@pytest.mark.parametrize("name", model_names())
def test_every_packaged_model_has_a_picture_that_reaches_its_bodies(name):
    system = load_system(f"model:{name}")
    scene = scene_of(system)
    assert {"bodies", "frames", "mass", "inertia"} <= set(scene.groups) and ("joint axes" in scene.groups) == bool(
        system.joints
    )
    for item in scene.items:
        surface = item.solid.triangles()
        assert np.isfinite(surface.vertices).all()
        assert np.isfinite(item.solid.lines()).all()
        assert item.colour in COLOURS
        assert item.group in GROUPS
    low, high = scene.bounds
    assert ((low <= centre_of_mass(system, scene.poses)) & (centre_of_mass(system, scene.poses) <= high)).all()
    for frame in system.frames:
        reached = scene.poses[0, system.body_number(frame.body), :3]
        assert ((low - 1e-9 <= reached) & (reached <= high + 1e-9)).all()
    assert len({item.name for item in scene.items}) == len(scene.items)


def test_balls_of_masses_have_one_density_and_ellipsoids_the_inertia(ets7):
    masses = {item.name: item for item in scene_of(ets7).items if item.group == "mass"}
    volumes = [4 / 3 * np.pi * masses[f"{body.name} mass"].solid.radius_m ** 3 for body in ets7.bodies]
    assert_allclose(np.array([body.mass_kg for body in ets7.bodies]) / volumes, 1000.0)
    body = Body("base", 2.0, [1.0, 2.0, 2.5])
    (base,) = (item for item in scene_of(System("one", body)).items if item.group == "inertia")
    squares = base.solid.semi_axes_m**2
    assert_allclose(body.mass_kg / 5 * (squares.sum() - squares), [1.0, 2.0, 2.5])


LOOKS = [
    Visual("base", "box", (2.0, 1.0, 1.0), rgba=(1.0, 0.5, 0.0, 0.5), origin_m=[0.1, 0, 0]),
    Visual("tip", "sphere", (0.2,)),
    Visual("base", "cylinder", (0.2, 1.0), collides=True),
]


def looking(visuals):
    arm = load_system("model:planar_four_link")
    return System(arm.name, arm.base, arm.bodies[1:], arm.frames, visuals=visuals)


def test_what_a_file_says_of_looks_stands_in_place_of_guesses():
    items = {item.name: item for item in scene_of(looking(LOOKS)).items}
    box, ball, other = (items[name] for name in ("look 1 of base", "look 2 of tip", "look 3 of base"))
    assert (box.rgb, box.opacity, box.group, box.shown) == ((255, 128, 0), 0.5, "bodies", True)
    assert_allclose(box.r, [0.1, 0, 0])
    assert ball.body == 4
    assert_allclose(ball.r, looking(LOOKS).frame("tip").origin_m)
    assert (other.group, other.shown) == ("contact shapes", False)
    assert "base" not in items
    assert "link4" not in items
    assert "link3" in items


def test_every_kind_of_look_has_a_solid():
    assert {*SOLIDS, "mesh"} == {*VISUAL_SIZES}


def test_a_mesh_is_read_and_scaled_and_one_that_is_not_there_is_told(tmp_path):
    pytest.importorskip("trimesh")
    corners = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
    lines = [*(f"v {x} {y} {z}" for x, y, z in corners), "f 1 3 2", "f 1 2 4", "f 1 4 3", "f 2 3 4"]
    (tmp_path / "part.obj").write_text("\n".join(lines), encoding="utf-8")
    there = Visual("link1", "mesh", file=str(tmp_path / "part.obj"), scale=(0.1, 0.2, -0.3))
    gone = Visual("link2", "mesh", file=str(tmp_path / "gone.stl"))
    scene = scene_of(looking([there, gone]))
    items = {item.name: item for item in scene.items}
    vertices, faces = items["look 1 of link1"].solid.triangles()
    a, b, c = np.moveaxis(vertices[faces], 1, 0)
    assert_allclose((a * np.cross(b, c)).sum() / 6, 0.1 * 0.2 * 0.3 / 6)
    assert "link1" not in items
    assert "link2" in items
    (note,) = scene.notes
    assert "gone.stl" in note
    (tmp_path / "gone.stl").write_text("no mesh", encoding="utf-8")
    with pytest.raises(InvalidInput, match="gone"):
        scene_of(looking([gone]))


@pytest.mark.parametrize(
    "joint",
    [
        Joint("j", "fixed", origin_m=[0, 2.0, 0]),
        Joint("j", "revolute", [0, 0, 1], origin_m=[0, 2.0, 0]),
        Joint("j", "spherical", origin_m=[0, 2.0, 0]),
        Joint("j", "prismatic", [1, 0, 0], origin_m=[0, 2.0, 0]),
    ],
)
def test_a_body_about_its_own_joint_is_the_box_of_its_inertia_beside_a_base_of_any_kind(joint):
    panel = Body("panel", 15.0, [4.0, 0.5, 4.5], com_m=[0.001, 0, 0], parent="base", joint=joint)
    for base, fixed in ((Body("base", 100.0, [10.0] * 3), False), (Body("base", 0.0, np.zeros((3, 3))), True)):
        scene = scene_of(System("panels", base, [panel], fixed=fixed))
        (box,) = (item for item in scene.items if item.name == "panel" and item.group == "bodies")
        assert_allclose(box.solid.size_m, equal_box(panel)[0])
        assert_allclose(box.r, panel.com_m)
        assert all(np.isfinite(item.solid.triangles().vertices).all() for item in scene.items)
        joints = [item.solid.triangles().vertices for item in scene.items if item.group == "joint axes"]
        assert all(np.ptp(vertices, axis=0).min() > 0.01 for vertices in joints)


def test_a_body_that_slides_in_a_plane_has_no_rod_along_an_axis():
    sled = Body(
        "sled", 5.0, [0.1, 0.3, 0.3], com_m=[0.5, 0, 0], parent="base", joint=Joint("j", "planar", origin_m=[1.0, 0, 0])
    )
    scene = scene_of(System("sled", Body("base", 100.0, [10.0] * 3), [sled]), q=[0.3, -0.4, 0.5])
    assert all(np.isfinite(item.R).all() for item in scene.items)
    assert "sled slide" not in {item.name for item in scene.items}


def test_joints_and_a_state_are_not_both_taken(ets7):
    q = np.zeros(6)
    with pytest.raises(InvalidInput, match="q or a state, not both"):
        scene_of(ets7, q, State.at_rest(ets7, q))
