"""Bodies that nothing holds: their place in files, layouts and trees, and what is refused of them."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from scmanip.errors import InvalidState, InvalidSystem
from scmanip.system import Body, Joint, State, System

FILE = """schema = "scmanip.system/1"
[base]
mass_kg = 100.0
inertia_kg_m2 = [10.0, 12.0, 13.0]
[[body]]
name = "target"
parent = "ground"
mass_kg = 20.0
com_m = [0.1, 0.2, 0.3]
inertia_kg_m2 = [1.0, 2.0, 2.5]
joint = { type = "free" }
[[body]]
name = "panel"
parent = "target"
mass_kg = 2.0
inertia_kg_m2 = [0.1, 0.2, 0.25]
joint = { type = "revolute", axis = [1.0, 0.0, 0.0], origin_m = [0.3, 0.0, 0.0] }
[[body]]
name = "link"
parent = "base"
mass_kg = 10.0
com_m = [0.3, 0.0, 0.0]
inertia_kg_m2 = [0.1, 0.2, 0.25]
joint = { type = "revolute", axis = [0.0, 0.0, 1.0], origin_m = [0.5, 0.0, 0.0] }
[[frame]]
name = "grapple"
body = "target"
origin_m = [0.6, 0.0, 0.0]
"""


def test_a_free_body_and_what_it_carries_come_behind_all_that_the_base_carries():
    system = System.from_toml_text(FILE)
    layout = system.layout
    assert [body.name for body in system.bodies] == ["base", "link", "target", "panel"]
    pose = ["target.x", "target.y", "target.z", "target.qx", "target.qy", "target.qz", "target.qw"]
    twist = ["target.vx", "target.vy", "target.vz", "target.wx", "target.wy", "target.wz"]
    assert list(layout.q_names) == ["link", *pose, "panel"] and list(layout.qdot_names) == ["link", *twist, "panel"]
    assert [freedom.unit for freedom in system.freedoms] == ["rad", "m", "m", "m", "rad", "rad", "rad", "rad"]
    assert_array_equal(layout.actuated, [True, *[False] * 7])
    assert_array_equal(system.tree.parent, [-1, 0, -1, 2])
    assert_array_equal(layout.neutral()[1:8], [0, 0, 0, 0, 0, 0, 1])


def test_every_tree_is_a_system_of_its_own():
    base, target = System.from_toml_text(FILE).trees
    assert base.system.layout.q_names == ("link",) and [body.name for body in target.system.bodies] == ["base", "panel"]
    assert target.system.bodies[1].parent == "base" and target.system.frame("grapple").body == "base"
    assert target.frame_name("target.com") == "base.com" and target.frame_name("grapple") == "grapple"
    assert target.pose == slice(1, 8) and target.twist == slice(1, 7) and target.q == slice(8, 9)


def test_all_joints_are_commanded_where_nothing_is_free():
    link = Body("link", 1.0, [1, 1, 1], parent="base", joint=Joint("link", "revolute"))
    system = System("arm", Body("base", 1.0, [1, 1, 1]), [link])
    assert system.layout.actuated.all() and len(system.trees) == 1 and system.trees[0].system is system


def test_a_quaternion_that_is_none_is_refused():
    system = System.from_toml_text(FILE)
    with pytest.raises(InvalidState, match="unit quaternion"):
        State.unpack(np.zeros(system.layout.n_x), system.layout)


MISTAKES = {
    "another parent": ('parent = "ground"', 'parent = "base"', "7:1: body[0].parent: expected 'ground' for a free joint"),
    "a frame called ground": (
        '"grapple"',
        '"ground"',
        "26:1: frame[0].name: expected another name than that of the inertial",
    ),
    "a body called ground": (
        '"panel"',
        '"ground"',
        "13:1: body[1].name: expected another name than that of the inertial",
    ),
    "limits": ('type = "free"', 'type = "free", lower_rad = 1.0', "joint.lower_rad: expected one of the keys"),
    "a spring": ('type = "free"', 'type = "free", stiffness_N_m = 1.0', "joint.stiffness_N_m: expected one of the keys"),
    "a damper": ('type = "free"', 'type = "free", damping_Ns_m = 1.0', "joint.damping_Ns_m: expected one of the keys"),
    "a place": ('type = "free"', 'type = "free", origin_m = [1, 0, 0]', "joint.origin_m: expected nothing for a free joint"),
    "no mass": ("mass_kg = 20.0", "mass_kg = 0.0", "8:1: body[0].mass_kg: expected a number > 0 for a body that is free"),
    "a hinge on the ground": ('"free"', '"revolute", axis = [0, 0, 1]', "only a body with a free joint is on the ground"),
    "a motor": (
        "[[frame]]",
        '[[motor]]\njoint = "target"\n[[frame]]',
        "motor[0].joint: expected a joint that the base carries",
    ),
    "a motor beyond": (
        "[[frame]]",
        '[[motor]]\njoint = "panel"\n[[frame]]',
        "expected a joint that the base carries, found 'panel'",
    ),
    "a spring between trees": (
        "[[frame]]",
        '[[spring_damper]]\nname = "s"\nbetween = ["link", "grapple"]\nstiffness_N_m = 1.0\n[[frame]]',
        "spring_damper[0].between: expected two frames that one body carries, found frames that 'base' and 'target' carry",
    ),
    "a joint called as a rate": ('"panel"', '"target.vx"', "already a part of joint 'target'"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_what_a_free_body_cannot_have_is_refused_by_name(mistake: str) -> None:
    right, wrong, sentence = MISTAKES[mistake]
    assert right in FILE
    with pytest.raises(InvalidSystem) as refused:
        System.from_toml_text(FILE.replace(right, wrong, 1))
    assert sentence in str(refused.value)


def test_a_body_called_ground_that_carries_by_a_hinge_is_as_any_other():
    link = Body("link", 1.0, [1, 1, 1], parent="ground", joint=Joint("link", "revolute"))
    ground = Body("ground", 1.0, [1, 1, 1], parent="base", joint=Joint("ground", "revolute"))
    assert System("arm", Body("base", 1.0, [1, 1, 1]), [ground, link]).layout.N == 2


def test_the_same_is_refused_of_parts_made_in_python():
    base, free = Body("base", 1.0, [1, 1, 1]), Joint("free", "free")
    with pytest.raises(InvalidSystem, match="body 'target' parent: expected 'ground' for a free joint, found 'base'"):
        System("pair", base, [Body("target", 1.0, [1, 1, 1], parent="base", joint=free)])
    with pytest.raises(InvalidSystem, match="body 'target' mass_kg: expected a number > 0"):
        System("pair", base, [Body("target", 0.0, [0, 0, 0], parent="ground", joint=free)])
    with pytest.raises(InvalidSystem, match="joint 'free' origin_m: expected nothing for a free joint"):
        Joint("free", "free", origin_m=[1, 0, 0])
    with pytest.raises(InvalidSystem, match="joint 'free' lower: expected nothing for a free joint"):
        Joint("free", "free", lower=-1.0)


def test_a_system_is_read_back_from_a_pickle_with_its_trees():
    system = System.from_toml_text(FILE)
    assert system.trees[1].root == "target"
    again = pickle.loads(pickle.dumps(system))
    assert again.trees[1].system.layout.q_names == ("panel",) and again.layout == system.layout
    alone = pickle.loads(pickle.dumps(again.trees[1].system))
    assert alone.trees[0].system is alone


def test_speeds_in_the_axes_before_have_the_quasi_forces_that_keep_momentum_there() -> None:
    """With them d(H omega)/dt is all that is left: they are dT/dtheta for small turns theta in these axes, by complex step."""
    rng = np.random.default_rng(4)
    root, omega = rng.normal(size=(3, 3)), rng.normal(size=3)
    inertia, slopes = root @ root.T, []
    for axis in np.eye(3):
        turned = np.eye(3) + 1e-30j * np.cross(np.eye(3), axis)
        slopes.append((omega @ turned @ inertia @ turned.T @ omega).imag / 2e-30)
    (tumble,) = Joint("target", "free").motions[3:]
    assert_allclose(tumble.quasi_forces(omega, inertia @ omega), slopes, rtol=1e-13)
