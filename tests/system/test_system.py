"""Systems made in Python: tree, layout, frames, and the checks at the door."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from collections.abc import Callable

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from scmanip.errors import InvalidSystem, UnknownName
from scmanip.spatial import dcm_from_euler
from scmanip.system import KINDS, Body, Frame, Joint, System

BASE = Body("base", 100.0, np.array([10.0, 11.0, 12.0]))


def body(name: str, parent: str, kind: str = "revolute", **changes: object) -> Body:
    usual = {"name": name, "mass_kg": 1.0, "inertia_kg_m2": np.ones(3), "parent": parent, "joint": Joint(name, kind)}
    return Body(**usual | changes)


def branched() -> System:
    """Two arms and a welded panel, given in an order that is not depth-first.

    base 0 - a 1 - b 2 - c 3
         |       - d 4 (weld) - e 5
         - panel 6 (weld)
         - f 7
    """
    given = [
        body("e", "d"),
        body("a", "base"),
        body("panel", "base", "fixed"),
        body("b", "a", "prismatic"),
        body("d", "a", "fixed"),
        body("f", "base"),
        body("c", "b"),
    ]
    return System("branched", BASE, given, [Frame("tip", "e", np.array([1.0, 0, 0]))])


# --- tree -------------------------------------------------------------------------------------------------------------


def test_bodies_are_numbered_depth_first_with_siblings_in_the_order_given() -> None:
    system = branched()
    assert [b.name for b in system.bodies] == ["base", "a", "b", "c", "d", "e", "panel", "f"]
    assert_array_equal(system.tree.parent, [-1, 0, 1, 2, 1, 4, 0, 0])


def test_welds_are_bodies_without_a_joint_number() -> None:
    system = branched()
    assert system.layout.joint_names == ("a", "b", "c", "e", "f")
    assert_array_equal(system.tree.body_joint, [-1, 0, 1, 2, -1, 3, -1, 4])


def test_path_tables_say_who_moves_whom() -> None:
    tree = branched().tree
    bodies = {row: set(np.flatnonzero(tree.body_path[row])) for row in range(8)}
    assert bodies == {0: {0}, 1: {0, 1}, 2: {0, 1, 2}, 3: {0, 1, 2, 3}, 4: {0, 1, 4}, 5: {0, 1, 4, 5}, 6: {0, 6}, 7: {0, 7}}
    joints = {row: set(np.flatnonzero(tree.joint_path[row])) for row in range(8)}
    assert joints == {0: set(), 1: {0}, 2: {0, 1}, 3: {0, 1, 2}, 4: {0}, 5: {0, 3}, 6: set(), 7: {4}}


def test_path_tables_of_random_trees_follow_the_parents() -> None:
    rng = np.random.default_rng(11)
    for _ in range(20):
        parents = ["base", *(f"b{rng.integers(0, i)}" if rng.random() < 0.8 else "base" for i in range(1, 12))]
        bodies = [body(f"b{i}", parent, str(rng.choice(["revolute", "fixed"]))) for i, parent in enumerate(parents)]
        system = System("random", BASE, [bodies[i] for i in rng.permutation(12)])
        number = {b.name: i for i, b in enumerate(system.bodies)}
        for i, b in enumerate(system.bodies):
            path, walker = {i}, b
            while walker.parent is not None:
                walker = system.bodies[number[walker.parent]]
                path.add(number[walker.name])
            assert set(np.flatnonzero(system.tree.body_path[i])) == path
            assert max(path) == i  # parents come first


def test_a_long_chain_is_no_trouble() -> None:
    links = [body(f"b{i}", f"b{i - 1}" if i else "base") for i in range(300)]
    system = System("chain", BASE, reversed(links))
    assert system.tree.joint_path[-1].all()


def test_tables_cannot_be_edited() -> None:
    system = branched()
    with pytest.raises(ValueError, match="read-only"):
        system.tree.joint_path[0, 0] = True
    with pytest.raises(ValueError, match="read-only"):
        system.base.inertia_kg_m2[0, 0] = 1
    with pytest.raises(dataclasses.FrozenInstanceError):
        system.base.mass_kg = 2.0  # type: ignore[misc]


# --- layout -----------------------------------------------------------------------------------------------------------


def test_the_layout_of_a_floating_base_is_base_then_joints() -> None:
    layout = branched().layout
    assert (layout.n_q, layout.N, layout.n_base, layout.n_u, layout.n_x, layout.n_b) == (5, 5, 6, 11, 23, 8)
    order = np.arange(layout.n_u)
    assert_array_equal(np.concatenate([order[layout.base_linear], order[layout.base_angular], order[layout.joints]]), order)
    packed = np.arange(layout.n_x)
    parts = [packed[part] for part in (layout.x_r_0, layout.x_attitude, layout.x_q, layout.x_u)]
    assert [len(part) for part in parts] == [3, 4, 5, 11]
    assert_array_equal(np.concatenate(parts), packed)
    assert layout.q_names == layout.qdot_names == layout.joint_names


def test_the_layout_of_a_fixed_base_has_joints_alone() -> None:
    layout = System("held", BASE, branched().bodies[1:], fixed=True).layout
    assert (layout.n_q, layout.n_base, layout.n_u, layout.n_x) == (5, 0, 5, 10)
    assert (layout.base.stop, layout.x_r_0.stop, layout.x_attitude.stop) == (0, 0, 0)
    assert (layout.joints, layout.x_q, layout.x_u) == (slice(0, 5), slice(0, 5), slice(5, 10))


def test_a_system_without_joints_is_a_rigid_spacecraft() -> None:
    system = System("lump", BASE, [body("panel", "base", "fixed")])
    assert (system.layout.N, system.layout.n_u, system.layout.n_x) == (0, 6, 13)
    assert system.tree.joint_path.shape == (2, 0)
    assert system.mass_kg == 101


# --- frames -----------------------------------------------------------------------------------------------------------


def test_frames_bodies_and_centres_of_mass_answer_to_their_names() -> None:
    system = System("s", BASE, [body("a", "base", com_m=np.array([0.1, 0.2, 0.3]))], [Frame("tip", "a", np.array([1.0, 2, 3]))])
    assert system.frame_names == ("base", "a", "base.com", "a.com", "tip")
    assert_allclose(system.frame("tip").origin_m, [1, 2, 3], atol=0)
    assert_allclose(system.frame("a.com").origin_m, [0.1, 0.2, 0.3], atol=0)
    assert_allclose(system.frame("a").origin_m, 0, atol=0)
    assert [system.frame(name).body for name in system.frame_names] == ["base", "a", "base", "a", "a"]
    assert system.body_number("a") == 1


def test_an_unknown_frame_is_answered_with_the_nearest_name() -> None:
    with pytest.raises(UnknownName, match=r"frame of system 'branched'.*found 'tipp'; did you mean 'tip'"):
        branched().frame("tipp")
    with pytest.raises(UnknownName, match=r"one of base, a, b, c, d, e, panel, f"):
        branched().body_number("gripper")


# --- checks -----------------------------------------------------------------------------------------------------------

# what is wrong: (how it is made, part of the key, part of the message)
WRONG: dict[str, tuple[Callable[[], object], str, str]] = {
    "negative mass": (lambda: body("a", "base", mass_kg=-1), "body 'a' mass_kg", "a number >= 0, found -1"),
    "mass that is no number": (lambda: body("a", "base", mass_kg=np.nan), "mass_kg", "a finite number, found nan"),
    "mass in words": (lambda: body("a", "base", mass_kg="1"), "mass_kg", "a finite number, found '1'"),
    "mass that is true": (lambda: body("a", "base", mass_kg=True), "mass_kg", "found True"),
    "two centres of mass": (lambda: body("a", "base", com_m=np.zeros((2, 3))), "com_m", r"shape \(2, 3\)"),
    "infinite centre of mass": (lambda: body("a", "base", com_m=[0, np.inf, 0]), "com_m", "3 finite numbers"),
    "complex centre of mass": (lambda: body("a", "base", com_m=[0, 1j, 0]), "com_m", "finite numbers"),
    "inertia of a wrong shape": (lambda: body("a", "base", inertia_kg_m2=np.ones(4)), "inertia_kg_m2", "3 x 3"),
    "ragged inertia": (lambda: body("a", "base", inertia_kg_m2=[[1, 0], [0, 1, 0], [0, 0, 1]]), "inertia_kg_m2", "3 x 3"),
    "asymmetric inertia": (
        lambda: body("a", "base", inertia_kg_m2=np.eye(3) + np.triu(np.ones((3, 3)), 1) * 0.1),
        "inertia_kg_m2",
        "symmetric",
    ),
    "negative moment": (lambda: body("a", "base", inertia_kg_m2=[1, 1, -1e-3]), "inertia_kg_m2", "semi-definite.*-0.001"),
    "a nameless body": (lambda: body("", "base", joint=Joint("j", "fixed")), "name", "not empty"),
    "a body without a joint": (lambda: body("a", "base", joint=None), "body 'a'", "both parent and joint"),
    "an axis of length 2": (
        lambda: Joint("j", "revolute", np.array([0, 0, 2.0])),
        "joint 'j' axis",
        "a unit vector.*length 2",
    ),
    "an axis of length 0": (lambda: Joint("j", "revolute", np.zeros(3)), "joint 'j' axis", "a unit vector.*length 0"),
    "an unknown type": (
        lambda: Joint("j", "hinge"),
        "joint 'j' type",
        f"one of {', '.join(KINDS)}, found 'hinge'",
    ),
    "a scaled rotation": (lambda: Joint("j", "fixed", dcm=2 * np.eye(3)), "joint 'j' dcm", "right-handed rotation"),
    "a mirror": (lambda: Joint("j", "fixed", child_dcm=np.diag([1, 1, -1.0])), "child_dcm", "right-handed rotation"),
    "limits the wrong way round": (
        lambda: Joint("j", "revolute", lower=1, upper=-1),
        "limits",
        "lower < upper, found 1 and -1",
    ),
    "a limit that is no number": (lambda: Joint("j", "revolute", lower=np.nan), "limits", "lower < upper, found nan"),
    "a limit in words": (lambda: Joint("j", "revolute", upper="far"), "limits", "two numbers"),
    "a negative damping": (lambda: Joint("j", "revolute", damping=-1), "damping", ">= 0"),
    "a stiffness in words": (lambda: Joint("j", "revolute", stiffness="soft"), "stiffness", "a finite number"),
    "a frame turned by no rotation": (lambda: Frame("f", "base", dcm=np.ones((3, 3))), "frame 'f' dcm", "rotation"),
    "a frame at no place": (lambda: Frame("f", "base", np.array([0, 0, np.nan])), "frame 'f' origin_m", "finite"),
    "an unknown parent": (lambda: System("s", BASE, [body("a", "bas")]), "body 'a' parent", "'bas'; did you mean 'base'"),
    "a second root": (lambda: System("s", BASE, [Body("a", 1, np.ones(3))]), "body 'a' parent", "only the base has none"),
    "a cycle": (lambda: System("s", BASE, [body("a", "b"), body("b", "a")]), "body 'a' parent", "a cycle 'a' -> 'b' -> 'a'"),
    "a body that carries itself": (lambda: System("s", BASE, [body("a", "a")]), "body 'a' parent", "'a' -> 'a'"),
    "a frame on nothing": (lambda: System("s", BASE, [], [Frame("f", "a")]), "frame 'f' body", "'a'"),
    "two bodies of one name": (lambda: System("s", BASE, [body("a", "base"), body("a", "base")]), "body 'a' name", "used once"),
    "a second base": (lambda: System("s", BASE, [body("base", "base")]), "body 'base' name", "used once"),
    "a frame named as a body": (
        lambda: System("s", BASE, [body("a", "base")], [Frame("a", "a")]),
        "frame 'a' name",
        "already the name of a body",
    ),
    "a body named as a centre of mass": (
        lambda: System("s", BASE, [body("a", "base"), body("a.com", "a")]),
        "body 'a.com' name",
        "centre of mass of 'a'",
    ),
    "a centre of mass named as a body": (
        lambda: System("s", BASE, [body("a.com", "base"), body("a", "base")]),
        "body 'a' name",
        "'a.com' is free",
    ),
    "two joints of one name": (
        lambda: System("s", BASE, [body("a", "base"), body("b", "a", joint=Joint("a", "fixed"))]),
        "joint.name",
        "'a', already a joint",
    ),
    "a massless floating base": (lambda: System("s", Body("base", 0, np.ones(3))), "base.mass_kg", "> 0"),
    "gravity without a hold": (lambda: System("s", BASE, gravity_m_s2=[0, 0, -9.81]), "gravity_m_s2", "fixed = true"),
    "gravity of two numbers": (lambda: System("s", BASE, gravity_m_s2=[0, 1], fixed=True), "gravity_m_s2", "3 finite numbers"),
    "a base of another name": (lambda: System("s", Body("bus", 1, np.ones(3))), "base name", "'base', found 'bus'"),
    "a base on a joint": (lambda: System("s", body("base", "base")), "base", "without parent"),
}


@pytest.mark.parametrize("what", WRONG)
def test_hardware_that_cannot_be_is_refused(what: str) -> None:
    make, key, message = WRONG[what]
    with pytest.raises(InvalidSystem, match=message) as caught:
        make()
    assert any(key in problem.key for problem in caught.value.problems)


def test_every_problem_of_a_system_is_reported_at_once() -> None:
    bodies = [body("a", "b"), body("b", "a"), body("c", "nobody"), body("c", "base")]
    with pytest.raises(InvalidSystem) as caught:
        System("s", Body("base", 0, np.ones(3)), bodies, [Frame("f", "g")], gravity_m_s2=[1, 0, 0])
    found = {problem.key for problem in caught.value.problems}
    assert found == {"base.mass_kg", "gravity_m_s2", "body 'c' name", "body 'c' parent", "frame 'f' body", "body 'a' parent"}


def test_two_cycles_are_two_problems_and_what_hangs_on_them_is_none() -> None:
    bodies = [body("x", "a"), body("a", "b"), body("b", "a"), body("c", "c")]
    with pytest.raises(InvalidSystem) as caught:
        System("s", BASE, bodies)
    assert [problem.key for problem in caught.value.problems] == ["body 'a' parent", "body 'c' parent"]


def test_massless_links_particles_and_rods_are_legal() -> None:
    for mass, inertia in ((0, [0, 0, 0]), (1, [0, 0, 0]), (1, [0, 2, 2])):
        assert System("s", BASE, [body("a", "base", mass_kg=mass, inertia_kg_m2=np.array(inertia))]).warnings() == []
    assert System("s", Body("base", 0, np.zeros(3)), fixed=True).mass_kg == 0


def test_rounding_in_a_tensor_is_no_mistake() -> None:
    R = dcm_from_euler(0.3, 0.8, -1.1)
    rod = R @ np.diag([0.0, 2.0, 2.0]) @ R.T
    assert System("s", BASE, [body("a", "base", inertia_kg_m2=rod)]).warnings() == []


def test_a_broken_triangle_inequality_is_a_warning() -> None:
    (warning,) = System("s", BASE, [body("a", "base", inertia_kg_m2=np.array([1.0, 1.0, 2.1]))]).warnings()
    assert warning.key == "body 'a' inertia_kg_m2"
    assert "1, 1, 2.1" in warning.found


def test_a_hostile_name_keeps_a_message_on_one_line() -> None:
    with pytest.raises(InvalidSystem) as caught:
        body("a\nb'", "base", mass_kg=-1)
    assert len(str(caught.value).splitlines()) == 1


def test_nearly_unit_axes_and_rotations_are_made_exact() -> None:
    joint = Joint("j", "revolute", np.array([0.6000001, 0.8, 0]), dcm=dcm_from_euler(0.1, 0.2, 0.3).round(7))
    assert np.linalg.norm(joint.axis) == pytest.approx(1, abs=2e-16)
    assert_allclose(joint.dcm.T @ joint.dcm, np.eye(3), atol=5e-16)
    exact = Joint("j", "revolute", dcm=dcm_from_euler(0.1, 0.2, 0.3))
    assert_array_equal(exact.dcm, dcm_from_euler(0.1, 0.2, 0.3))


def test_arrays_are_copied_at_the_door() -> None:
    com = np.array([1.0, 2.0, 3.0])
    made = body("a", "base", com_m=com)
    com[0] = 9
    assert made.com_m[0] == 1


def test_repr_tells_the_story_in_one_line() -> None:
    assert repr(branched()) == "System('branched', bodies=8, n_u=11, mass_kg=107)"
    assert repr(branched().bodies[1]) == "Body('a', mass_kg=1)"
    assert repr(branched().joints[1]) == "Joint('b', prismatic)"


# --- frozen, and the same after a copy ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["name", "bodies", "frames", "fixed", "gravity_m_s2", "layout", "mass_kg", "other"])
def test_a_system_cannot_be_edited(name: str) -> None:
    system = branched()
    with pytest.raises(AttributeError):
        setattr(system, name, None)
    with pytest.raises(AttributeError):
        delattr(system, name)
    assert system.name == "branched" and system.layout.n_b == len(system.tree.parent) == 8


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda system: pickle.loads(pickle.dumps(system))])
def test_a_system_can_be_copied_and_pickled_and_still_not_edited(again: Callable[[System], System]) -> None:
    system = branched()
    assert_array_equal(system.tree.parent[:2], [-1, 0])  # tables that were made before travel along
    other = again(system)
    assert repr(other) == repr(system) and other.layout == system.layout
    assert_array_equal(other.tree.joint_path, system.tree.joint_path)
    for mine, its in zip(system.bodies, other.bodies, strict=True):
        assert (mine.name, mine.parent, mine.mass_kg) == (its.name, its.parent, its.mass_kg)
        assert_array_equal(mine.inertia_kg_m2, its.inertia_kg_m2)
    joint = other.bodies[1].joint
    assert joint is not None
    arrays = [other.gravity_m_s2, other.tree.parent, other.base.inertia_kg_m2, other.base.com_m, joint.axis, joint.dcm]
    assert not any(array.flags.writeable for array in [*arrays, other.frames[0].origin_m])


def test_a_diagonal_of_words_is_no_inertia() -> None:
    with pytest.raises(InvalidSystem, match="inertia_kg_m2"):
        Body("base", 1.0, ["1", "1", "1"])  # type: ignore[arg-type]


def test_no_joint_is_called_as_a_part_of_another_one():
    wrist = Joint("wrist", "gimbal", sequence="xyz")
    ball = Joint("ball", "spherical")
    bodies = [Body("a", 1.0, np.ones(3), parent="base", joint=wrist), Body("b", 1.0, np.ones(3), parent="base", joint=ball)]
    for name in ("wrist.2", "ball.x", "ball.w"):
        other = Body("c", 1.0, np.ones(3), parent="base", joint=Joint(name, "revolute"))
        with pytest.raises(InvalidSystem, match=f"expected a name used once, found '{name}', already a part of joint"):
            System("clash", Body("base", 1.0, np.ones(3)), [*bodies, other])
    fourth = Body("c", 1.0, np.ones(3), parent="base", joint=Joint("wrist.4", "revolute"))
    assert System("free", Body("base", 1.0, np.ones(3)), [*bodies, fourth]).layout.N == 7


def test_the_axes_of_a_gimbal_are_those_its_sequence_names_and_those_of_a_ball_are_x_y_z() -> None:
    axes = {letter: axis for letter, axis in zip("xyz", np.eye(3), strict=True)}
    for sequence in ("zxz", "xy", "y", "zyx"):
        found = [freedom.twist[3:] for freedom in Joint("g", "gimbal", sequence=sequence).freedoms]
        assert_array_equal(found, [axes[letter] for letter in sequence])
    assert_array_equal([freedom.twist[3:] for freedom in Joint("b", "spherical").freedoms], np.eye(3))


@pytest.mark.parametrize(("lower", "upper"), [(0.5, 0.5), (0.5, 0.4)])
def test_limits_of_a_joint_leave_room_to_move(lower: float, upper: float) -> None:
    with pytest.raises(InvalidSystem, match="lower < upper"):
        Joint("j", "revolute", lower=lower, upper=upper)
