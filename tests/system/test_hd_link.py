"""Arms in Hartenberg-Denavit parameters against the matrices that the paper prints [Angeles1989] eqs 7, 8, 15."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.errors import InvalidSystem
from scmanip.system import System, load_system

from .mistakes import GOOD, HD
from .poses import poses

ALPHA, A, B, THETA = [0.0, np.pi / 2, -0.7], [0.0, 0.3, 0.2], [-0.1, 0.4, 0.0], [np.radians(40), 0.3, 0.0]
Q = np.array([0.5, 0.2, -0.4])


def printed(alpha, a, b, theta):
    """Frame i in frame i-1 (4, 4), as printed in eqs 7 and 8."""
    ca, sa, ct, st = np.cos(alpha), np.sin(alpha), np.cos(theta), np.sin(theta)
    Q_i = [[ct, -st, 0], [ca * st, ca * ct, -sa], [sa * st, sa * ct, ca]]
    return np.block([[np.array(Q_i), np.array([[a], [b * sa], [-b * ca]])], [np.zeros((1, 3)), np.eye(1)]])


def test_the_links_stand_where_the_printed_matrices_put_them():
    found = poses(System.from_toml_text(HD), dict(zip(("joint1", "joint2", "joint3"), Q, strict=True)))
    T = np.eye(4)
    for i, name in enumerate(("link1", "link2", "hand")):
        slides = i == 1
        T = T @ printed(ALPHA[i], A[i], B[i] + slides * Q[i], THETA[i] + (not slides) * Q[i])
        assert_allclose(found[name], T, atol=1e-15)


def test_the_origin_of_the_last_frame_is_the_tip_and_mass_centres_are_in_frame_i():
    system = System.from_toml_text(HD)
    assert (system.frame("tip").body, system.frame("tip").origin_m.tolist()) == ("hand", [0, 0, 0])
    assert system.bodies[1].com_m.tolist() == [0, 0.1, 0.2] and not system.bodies[2].com_m.any()
    assert [joint.type for joint in system.joints] == ["revolute", "prismatic", "revolute"]
    assert (system.joints[0].lower, system.joints[0].upper) == (-np.pi / 2, np.pi)


def test_right_angles_in_degrees_leave_no_dust():
    joint = System.from_toml_text(HD).joints[1]
    assert joint.dcm[0, 2] == joint.dcm[1, 0] == joint.dcm[1, 1] == 0 and joint.dcm[1, 2] == -1
    assert joint.origin_m.tolist() == [0.3, 0.4, 0]


def test_the_chain_may_stand_beside_bodies_on_a_floating_base():
    links = HD[HD.index("[[hd_link]]") :]
    system = System.from_toml_text(GOOD.replace('name = "tip"', 'name = "end"') + links)
    assert [body.name for body in system.bodies] == ["base", "shoulder", "slider", "panel", "link1", "link2", "hand"]
    assert system.bodies[4].parent == "base" and not system.fixed


def test_a_second_tip_is_one_too_many():
    with pytest.raises(InvalidSystem, match=r"used once.*'tip'"):
        System.from_toml_text(GOOD + HD[HD.index("[[hd_link]]") :])


def test_the_industrial_arm_starts_near_the_line_that_its_paper_prints():
    """x = 1.33, z = 1.80 [Angeles1989] section 7.2; the last 0.04 m are the paper's."""
    system = load_system("model:industrial_6r")
    tip = poses(system, dict.fromkeys(system.layout.joint_names, 0.0))["link6"]
    assert_allclose(tip[:3, 3], [1.325, 0, 1.762], atol=5e-4)
    assert [w.key for w in system.warnings()] == ["body 'link1' inertia_kg_m2"]


def test_strict_refuses_a_doubtful_inertia_at_its_line():
    text = HD.replace("[0.1, 0.3, 0.3]", "[0.1, 0.3, 0.9]")
    assert len(System.from_toml_text(text).warnings()) == 1
    with pytest.raises(InvalidSystem) as refused:
        System.from_toml_text(text, strict=True)
    (problem,) = refused.value.problems
    assert (problem.key, problem.line) == ("hd_link[1].inertia_kg_m2", text[: text.index("[0.1, 0.3, 0.9]")].count("\n") + 1)
