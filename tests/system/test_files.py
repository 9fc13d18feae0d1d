"""System files: what is read, and what every kind of mistake is answered with."""

from __future__ import annotations

import itertools
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.errors import InvalidSystem, Problem
from scmanip.spatial import dcm_from_euler, dh_transform
from scmanip.system import Body, Joint, System, load_system

from .mistakes import ARM, GOOD, HD, MISTAKES
from .poses import poses, rigid


def problems_of(text: str, *, strict: bool = False) -> tuple[Problem, ...]:
    with pytest.raises(InvalidSystem) as caught:
        System.from_toml_text(text, file="arm.toml", strict=strict)
    return caught.value.problems


def place_of(text: str, needle: str) -> tuple[int, int]:
    """Line and column of a piece of text that must stand there once."""
    assert text.count(needle) == 1, needle
    before = text[: text.index(needle)]
    return before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1


def changed(text: str, old: str, new: str) -> str:
    assert text.count(old) >= 1, old
    return text.replace(old, new, 1)


# --- what is read -------------------------------------------------------------------------------------------------


def test_a_file_of_bodies_becomes_the_system_it_describes() -> None:
    system = System.from_toml_text(GOOD)
    assert [body.name for body in system.bodies] == ["base", "shoulder", "slider", "panel"]
    assert system.layout.joint_names == ("yaw", "slider")
    assert [joint.type for joint in system.joints] == ["revolute", "prismatic"]
    yaw, slide = system.joints
    assert (yaw.lower, yaw.upper) == pytest.approx((-np.pi / 2, np.pi))
    assert (slide.lower, slide.upper) == (0, 1)
    assert_allclose(slide.dcm, [[0, 0, 1], [0, 1, 0], [-1, 0, 0]], atol=0)
    assert_allclose(system.bodies[1].inertia_kg_m2, [[0.1, 0, 0.01], [0, 0.4, 0], [0.01, 0, 0.4]], atol=0)
    assert_allclose(system.base.inertia_kg_m2, np.diag([10, 11, 12]), atol=0)
    assert_allclose(system.base.com_m, [0.1, 0, 0], atol=0)
    assert_allclose(system.frame("tip").origin_m, [0.2, 0, 0], atol=0)
    assert system.name == "chaser" and not system.fixed and not system.gravity_m_s2.any()


def test_what_may_be_left_out_is_zero_identity_and_unlimited() -> None:
    slider, panel = System.from_toml_text(GOOD).bodies[2:]
    assert not slider.com_m.any() and not panel.com_m.any()
    assert_allclose(panel.joint.dcm, np.eye(3), atol=0)
    text = changed(GOOD, ", lower_deg = -90, upper_deg = 180", "")
    yaw = System.from_toml_text(text).joints[0]
    assert (yaw.lower, yaw.upper, yaw.stiffness, yaw.damping) == (-np.inf, np.inf, 0, 0)


ROTATION = dcm_from_euler(0.3, -0.4, 0.5)
SPELLINGS = {
    "rpy_rad": "rpy_rad = [0.3, -0.4, 0.5]",
    "rpy_deg": f"rpy_deg = {np.degrees([0.3, -0.4, 0.5]).tolist()}",
    "dcm": f"dcm = {ROTATION.tolist()}",
    "quaternion": "quaternion_xyzw = {}",
}


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_a_rotation_may_be_written_in_four_ways(spelling: str) -> None:
    half = [dcm_half(axis, angle) for axis, angle in ((2, 0.5), (1, -0.4), (0, 0.3))]
    quaternion = product(product(half[0], half[1]), half[2])
    text = changed(GOOD, "rpy_deg = [0, 90, 0]", SPELLINGS[spelling].format(quaternion))
    text = changed(
        text, "origin_m = [0.2, 0.0, 0.0]\n", f"origin_m = [0.2, 0.0, 0.0]\n{SPELLINGS[spelling].format(quaternion)}\n"
    )
    system = System.from_toml_text(text)
    assert_allclose(system.joints[1].dcm, ROTATION, atol=1e-15)
    assert_allclose(system.frame("tip").dcm, ROTATION, atol=1e-15)


def dcm_half(axis: int, angle: float) -> list[float]:
    return [*(np.sin(angle / 2) * np.eye(3)[axis]).tolist(), float(np.cos(angle / 2))]


def product(p: list[float], q: list[float]) -> list[float]:
    """Hamilton's product of two quaternions x, y, z, w."""
    (a, b, c, d), (e, f, g, h) = p, q
    return [
        d * e + a * h + b * g - c * f,
        d * f - a * g + b * h + c * e,
        d * g + a * f - b * e + c * h,
        d * h - a * e - b * f - c * g,
    ]


def test_right_angles_in_radians_give_exact_rotations() -> None:
    text = changed(GOOD, "rpy_deg = [0, 90, 0]", "rpy_rad = [3.141592653589793, 1.5707963267948966, 0]")
    dcm = System.from_toml_text(text).joints[1].dcm
    assert set(dcm.ravel()) <= {0.0, 1.0, -1.0}
    assert_allclose(dcm, dcm_from_euler(np.pi, np.pi / 2, 0), atol=1e-15)


def test_springs_and_dampers_are_read_in_both_units_of_angle() -> None:
    per_radian = changed(GOOD, "upper_deg = 180", "upper_deg = 180, stiffness_Nm_rad = 18.0, damping_Nms_rad = 3.6")
    per_degree = changed(
        GOOD, "upper_deg = 180", f"upper_deg = 180, stiffness_Nm_deg = {np.pi / 10}, damping_Nms_deg = {np.pi / 50}"
    )
    sliding = changed(GOOD, "upper_m = 1", "upper_m = 1, stiffness_N_m = 7, damping_Ns_m = 8")
    for text in (per_radian, per_degree):
        joint = System.from_toml_text(text).joints[0]
        assert (joint.stiffness, joint.damping) == pytest.approx((18.0, 3.6), rel=1e-15)
    joint = System.from_toml_text(sliding).joints[1]
    assert (joint.stiffness, joint.damping) == (7, 8)


def test_a_fixed_base_needs_no_mass_and_may_feel_gravity() -> None:
    text = GOOD.replace("mass_kg = 100.0\ncom_m = [0.1, 0, 0]\ninertia_kg_m2 = [10.0, 11.0, 12.0]", "fixed = true")
    system = System.from_toml_text(changed(text, 'name = "chaser"', 'name = "chaser"\ngravity_m_s2 = [0, 0, -9.81]'))
    assert system.fixed and system.base.mass_kg == 0
    assert_allclose(system.gravity_m_s2, [0, 0, -9.81], atol=0)


def test_printed_rotations_and_axes_are_made_exact() -> None:
    text = changed(GOOD, "axis = [0.0, 0.0, 1.0]", "axis = [0.5773503, 0.5773503, 0.5773503]")
    text = changed(text, "rpy_deg = [0, 90, 0]", "dcm = [[0.7071068, -0.7071068, 0], [0.7071068, 0.7071068, 0], [0, 0, 1]]")
    yaw, slide = System.from_toml_text(text).joints
    assert np.linalg.norm(yaw.axis) == pytest.approx(1, abs=1e-15)
    assert_allclose(slide.dcm @ slide.dcm.T, np.eye(3), atol=4e-16)
    assert_allclose(slide.dcm, dcm_from_euler(0, 0, np.pi / 4), atol=1e-15)


def test_bodies_and_arms_are_numbered_in_the_order_of_the_file() -> None:
    panel = '[[body]]\nname = "panel"\nparent = "base"\nmass_kg = 1\ninertia_kg_m2 = [1, 1, 1]\njoint = { type = "fixed" }\n'
    head, arm = ARM.split("[[arm]]", 1)
    first = System.from_toml_text(f"{head}{panel}\n[[arm]]{arm}")
    last = System.from_toml_text(f"{ARM}\n{panel}")
    assert [body.name for body in first.bodies] == ["base", "panel", "link1", "link2"]
    assert [body.name for body in last.bodies] == ["base", "link1", "link2", "panel"]


def test_tables_may_be_written_in_any_toml_style() -> None:
    text = GOOD.replace("[base]\nmass_kg = 100.0\ncom_m = [0.1, 0, 0]\ninertia_kg_m2 = [10.0, 11.0, 12.0]", "")
    text = text.replace('name = "chaser"', 'name = "chaser"\nbase.mass_kg = 100.0\nbase.inertia_kg_m2 = [10.0, 11.0, 12.0]')
    text = text.replace('joint = { type = "fixed", origin_m = [-1.0, 0.0, 0.0] }', '[body.joint]\ntype = "fixed"')
    assert System.from_toml_text(text).mass_kg == 112


def test_windows_line_ends_and_a_byte_order_mark_are_read(tmp_path: Path) -> None:
    file = tmp_path / "arm.toml"
    file.write_bytes(b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode())
    assert load_system(file).name == "chaser"
    bad = changed(GOOD, "mass_kg = 4\n", "mass_kg = -4\n")
    file.write_bytes(b"\xef\xbb\xbf" + bad.replace("\n", "\r\n").encode())
    with pytest.raises(InvalidSystem) as caught:
        load_system(file)
    (problem,) = caught.value.problems
    assert (problem.line, problem.column) == place_of(bad, "mass_kg = -4")


HOSTILE = ['a"b', "a'b", "__import__('os').system('true')", "base ", "x.y.com", "[0]", "{}%s", "π"]


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_stay_data(name: str) -> None:
    quoted = name.replace('"', '\\"')
    text = GOOD.replace('"slider"', f'"{quoted}"').replace('"yaw"', f'"{quoted} joint"')
    system = System.from_toml_text(text)
    assert system.bodies[2].name == name == system.joints[1].name
    assert system.frame(f"{name}.com").body == name
    broken = changed(text, f'parent = "{"shoulder"}"', f'parent = "{quoted}?"')
    (problem,) = problems_of(broken)
    assert len(str(problem).splitlines()) == 1


@pytest.mark.parametrize("unseen", ["\\u0000", "\\n", "\\u001b[31m", "\\u200b", "\\u202e", "\\u007f"])
def test_names_with_characters_that_cannot_be_seen_are_refused_where_they_stand(unseen: str) -> None:
    text = GOOD.replace('"yaw"', f'"yaw{unseen}"').replace('name = "panel"', f'name = "{unseen}panel"')
    first, second = problems_of(text)
    assert (first.key, second.key) == ("body[0].joint.name", "body[2].name")
    assert first.expected == second.expected == "a text without characters that cannot be seen"
    assert text.splitlines()[first.line - 1].startswith("joint")
    assert text.splitlines()[second.line - 1].startswith("name")
    for problem in (first, second):
        assert problem.found.isascii()
        assert problem.found.isprintable()
    with pytest.raises(InvalidSystem, match="cannot be seen"):
        Joint("a\0b", "fixed")
    with pytest.raises(InvalidSystem, match="cannot be seen"):
        Body("a\nb", 1.0, np.eye(3))


SAME = [("café", "cafe\u0301"), ("\u212bm", "\u00c5m"), ("ﬁnger", "finger"), ("wheel²", "wheel2")]


@pytest.mark.parametrize(("one", "other"), SAME, ids=["accent", "letter", "ligature", "power"])
def test_names_that_look_the_same_are_one_name(one: str, other: str) -> None:
    bodies = GOOD.replace('name = "slider"', f'name = "{one}"').replace('"slider"', f'"{one}"')
    (problem,) = problems_of(bodies.replace('name = "panel"', f'name = "{other}"'))
    assert (problem.key, problem.expected) == ("body[2].name", "a name used once")
    wheel = '[[wheel]]\nname = "{}"\naxis = [1, 0, 0]\ninertia_kg_m2 = 0.1\n'
    (problem,) = problems_of(GOOD + wheel.format(one) + wheel.format(other))
    assert problem.key == "wheel[1].name"
    first = GOOD.replace('name = "yaw"', f'name = "{one}"')
    (problem,) = problems_of(first.replace('{ type = "prismatic"', f'{{ name = "{other}", type = "prismatic"'))
    assert problem.key == "body[1].joint.name"


# --- Denavit-Hartenberg arms ---------------------------------------------------------------------------------------


def test_an_arm_follows_the_transformations_of_the_paper() -> None:
    system = System.from_toml_text(ARM)
    q1, q2 = 0.6, 0.25
    found = poses(system, {"joint1": q1, "joint2": q2})
    J1 = rigid(dcm_from_euler(*np.radians([10, 20, 30])), np.array([0.5, 0.1, 0.2]))  # eq. 8
    J2 = J1 @ dh_transform(q1 + np.radians(40), 0.1, np.pi / 2, 0.3 + 0.2)  # eq. 9
    J3 = J2 @ dh_transform(0.3, 0.2 + q2, -0.7, 0.1)
    assert_allclose(found["link1"], J2, atol=1e-15)
    assert_allclose(found["link2"], J3, atol=1e-15)
    L1 = J1 @ dh_transform(q1 + np.radians(40), 0.1, np.pi / 2, 0.3)  # eq. 10
    assert_allclose((found["link1"] @ [*system.bodies[1].com_m, 1])[:3], L1[:3, 3], atol=1e-15)
    assert_allclose(system.bodies[2].com_m, [0, 0.1, 0.2], atol=0)
    tip = system.frame("tip")
    assert tip.body == "link2" and not tip.origin_m.any()
    assert_allclose(tip.dcm, np.eye(3), atol=0)


def test_several_arms_carry_their_names_and_a_name_on_a_link_overrides() -> None:
    second = ARM[ARM.index("[[arm]]") :].replace('"left"', '"right"')
    second = changed(second, 'type = "prismatic"', 'type = "prismatic"\nname = "hand"')
    system = System.from_toml_text(ARM + second)
    assert [body.name for body in system.bodies] == ["base", "left.link1", "left.link2", "right.link1", "hand"]
    assert system.layout.joint_names == ("left.joint1", "left.joint2", "right.joint1", "right.joint2")
    assert system.frame("right.tip").body == "hand"


def test_an_arm_may_stand_on_another_arm_and_carry_limits() -> None:
    text = ARM + ARM[ARM.index("[[arm]]") :].replace('name = "left"', 'name = "fine"\nparent = "left.link2"')
    text = changed(text, "d_m = 0.1", "d_m = 0.1\nlower_deg = -180\nupper_rad = 2.0\ndamping_Nms_rad = 0.5")
    system = System.from_toml_text(text)
    assert system.tree.parent.tolist() == [-1, 0, 1, 2, 3]
    joint = system.joints[0]
    assert (joint.lower, joint.upper, joint.damping) == pytest.approx((-np.pi, 2.0, 0.5))


# --- mistakes -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mistake", MISTAKES)
def test_every_mistake_gets_one_message_that_says_where_and_what(mistake: str) -> None:
    text, old, new, needle, key, expected, found, hint = MISTAKES[mistake]
    bad = changed(text, old, new)
    (problem,) = problems_of(bad)
    line, column = place_of(bad, needle)
    if needle.startswith("\n"):  # the end of the line before
        column = len(bad.splitlines()[line - 1]) + 1
    assert (problem.file, problem.line, problem.column) == ("arm.toml", line, column)
    assert problem.key == key
    assert expected in problem.expected and found in problem.found and hint in problem.hint
    if not hint:
        assert problem.hint == ""
    assert str(problem).startswith(f"arm.toml:{line}:{column}: {key}: expected ")


def test_five_mistakes_get_five_messages_with_their_lines() -> None:
    bad = changed(GOOD, "mass_kg = 5.0", "mass_kg = -5.0")
    bad = changed(bad, "com_m = [0.1, 0, 0]", "com_m = [0.1, nan, 0]")
    bad = changed(bad, 'parent = "shoulder"', 'parent = "panel"')
    bad = changed(bad, 'name = "panel"\nparent = "base"', 'name = "panel"\nparent = "slider"')
    bad = changed(bad, "origin_m = [0.2, 0.0, 0.0]", "orign_m = [0.2, 0.0, 0.0]")
    bad = changed(bad, "lower_m = 0, upper_m = 1", "lower_m = 2, upper_m = 1")
    problems = problems_of(bad)
    wanted = {
        "base.com_m[1]": "nan",
        "body[0].mass_kg": "mass_kg = -5.0",
        "body[1].parent": 'parent = "panel"',
        "body[1].joint.upper_m": "upper_m",
        "frame[0].orign_m": "orign_m",
    }
    assert {p.key: (p.line, p.column) for p in problems} == {key: place_of(bad, text) for key, text in wanted.items()}
    assert "'slider' -> 'panel' -> 'slider'" in problems[2].found
    assert [p.line for p in problems] == sorted(p.line for p in problems)


def test_any_two_mistakes_in_different_tables_are_both_reported() -> None:
    """A mistake of one kind never hides one of another kind."""
    edits = {
        "base": ("mass_kg = 100.0", "mass_kg = nan", "base.mass_kg"),
        "first": ("mass_kg = 5.0", "mass = 5.0", "body[0].mass"),
        "second": ("axis = [0, 0, 1]", "axis = [0, 2, 0]", "body[1].joint.axis"),
        "third": ("inertia_kg_m2 = [0.5, 0.5, 0.9]", "inertia_kg_m2 = [0.5, 0.5, -0.9]", "body[2].inertia_kg_m2"),
        "frame": ('body = "slider"', 'body = "panl"', "frame[0].body"),
    }
    for one, other in itertools.combinations(edits, 2):
        bad = changed(changed(GOOD, *edits[one][:2]), *edits[other][:2])
        assert {edits[one][2], edits[other][2]} <= {p.key for p in problems_of(bad)}


def test_a_nameless_body_is_reported_once_and_not_through_its_children() -> None:
    (problem,) = problems_of(changed(GOOD, 'name = "shoulder"\n', ""))
    assert problem.key == "body[0].name"


def test_two_bodies_of_one_name_are_one_problem() -> None:
    bad = changed(GOOD, 'name = "panel"', 'name = "slider"')
    (problem,) = problems_of(bad)
    assert (problem.key, problem.line) == ("body[2].name", place_of(bad, '[[body]]\nname = "slider"\nparent = "base"')[0] + 1)


def test_several_arms_without_names_are_asked_for_them() -> None:
    text = (ARM + ARM[ARM.index("[[arm]]") :]).replace('name = "left"\n', "")
    assert [problem.key for problem in problems_of(text)] == ["arm[0].name", "arm[1].name"]


def test_a_truncated_file_never_becomes_a_system_with_half_a_body() -> None:
    """Cut anywhere, a file is refused, unless what is left is a whole system of fewer whole tables."""
    whole = {name: body for body in System.from_toml_text(GOOD).bodies for name in [body.name]}
    refused = 0
    for length in range(len(GOOD)):
        try:
            system = System.from_toml_text(GOOD[:length])
        except InvalidSystem as error:
            assert all(problem.expected and problem.found for problem in error.problems)
            refused += 1
            continue
        for body in system.bodies:
            assert np.array_equal(body.inertia_kg_m2, whole[body.name].inertia_kg_m2)
            assert (body.mass_kg, body.parent) == (whole[body.name].mass_kg, whole[body.name].parent)
    assert refused > 0.9 * len(GOOD)


def test_whatever_is_done_to_a_file_it_loads_or_is_refused_with_lines() -> None:
    """Random damage: pieces cut out, doubled, swapped, replaced by odd values. Nothing else may be raised."""
    rng = np.random.default_rng(17)
    odd = ["nan", "-1", "[]", "{}", '""', "true", "[[1]]", "{ a = 1 }", "1979-05-27", '"base"', "1e400", "[1, 2, [3]]", "0"]
    outcomes = {"loaded": 0, "refused": 0}
    for _ in range(400):
        words = re.split(r"(\s|[=,\[\]])", [GOOD, ARM, HD][rng.integers(3)])
        for _ in range(rng.integers(1, 4)):
            i, j = sorted(rng.integers(0, len(words), 2))
            kind = rng.integers(4)
            if kind == 0:
                del words[i : i + rng.integers(1, 4)]
            elif kind == 1:
                words[i:i] = words[j : j + 20]
            elif kind == 2:
                words[i] = str(rng.choice(odd))
            else:
                words[i], words[j] = words[j], words[i]
        try:
            System.from_toml_text("".join(words), file="arm.toml")
            outcomes["loaded"] += 1
        except InvalidSystem as error:
            assert error.problems and all(problem.file == "arm.toml" and problem.line for problem in error.problems)
            outcomes["refused"] += 1
    assert min(outcomes.values()) > 10


def calls(act: Callable[[], object], most: int = 1_000_000) -> int:
    """How many Python functions `act` calls; it is stopped after `most`."""
    count = 0

    def counted(frame: object, event: str, argument: object) -> None:
        nonlocal count
        count += event == "call"
        if count > most:
            raise AssertionError(f"more than {most} calls")

    earlier = sys.getprofile()
    sys.setprofile(counted)
    try:
        act()
    finally:
        sys.setprofile(earlier)
    return count


LINK = '[[body]]\nname = "n{}"\nparent = "{}"\nmass_kg = 1\ninertia_kg_m2 = [1, 1, 1]\njoint = {{ type = "fixed" }}\n'


def chain(length: int) -> str:
    return "".join(LINK.format(i, f"n{i - 1}" if i else "base") for i in range(length))


def test_many_names_used_twice_do_not_take_for_ever() -> None:
    """Were every body hung on every namesake of its parent, there would be 2^60 of them."""
    text = GOOD[: GOOD.index("[[body]]")] + chain(60) + chain(60)
    assert len(problems_of(text)) == 60
    assert calls(lambda: problems_of(text), most=100_000) > 0


def test_a_file_of_twice_the_length_takes_twice_the_work() -> None:
    head = GOOD[: GOOD.index("[[body]]")]
    System.from_toml_text(GOOD)
    once, twice = (calls(lambda n=n: System.from_toml_text(head + chain(n)).layout) for n in (60, 120))
    assert twice < 2.2 * once


def test_the_triangle_inequality_is_a_warning_that_strict_refuses() -> None:
    text = changed(GOOD, "inertia_kg_m2 = [0.1, 0.3, 0.3]", "inertia_kg_m2 = [0.1, 0.3, 0.5]")
    (warning,) = System.from_toml_text(text).warnings()
    assert "slider" in warning.key
    (problem,) = problems_of(text, strict=True)
    assert problem.key == "body[1].inertia_kg_m2"
    assert (problem.line, problem.column) == place_of(text, "inertia_kg_m2 = [0.1, 0.3, 0.5]")
    assert System.from_toml_text(GOOD, strict=True).warnings() == []


def test_a_spring_that_does_nothing_is_a_warning_that_strict_refuses() -> None:
    """The panel is welded to the base."""
    text = GOOD + '\n[[spring_damper]]\nname = "brace"\nbetween = ["base", "panel.com"]\nstiffness_N_m = 3.0\n'
    (warning,) = System.from_toml_text(text).warnings()
    assert warning.key == "spring_damper 'brace' between"
    (problem,) = problems_of(text, strict=True)
    assert problem.key == "spring_damper[0].between" and problem.found == "'base' and 'panel.com', which stand still"
    assert (problem.line, problem.column) == place_of(text, 'between = ["base", "panel.com"]')


@pytest.mark.parametrize("text", [GOOD, ARM], ids=["bodies", "arm"])
def test_strict_reports_doubtful_inertias_beside_every_other_mistake(text: str) -> None:
    doubtful = changed(text, "inertia_kg_m2 = [10.0, 11.0, 12.0]", "inertia_kg_m2 = [10.0, 11.0, 52.0]")
    doubtful = changed(doubtful, "inertia_kg_m2 = [0.1, 0.3, 0.3]", "inertia_kg_m2 = [0.1, 0.3, 0.5]")
    broken = changed(changed(doubtful, "mass_kg = 5.0", "mass_kg = -5.0"), "mass_kg = 4", "mas_kg = 4")
    lenient, strict = problems_of(broken), problems_of(broken, strict=True)
    assert len(lenient) == 2
    assert [problem for problem in strict if "principal moments" not in problem.expected] == list(lenient)
    places = [(p.line, p.column) for p in strict if "principal moments" in p.expected]
    assert places == [
        place_of(broken, "inertia_kg_m2 = [10.0, 11.0, 52.0]"),
        place_of(broken, "inertia_kg_m2 = [0.1, 0.3, 0.5]"),
    ]
    assert [problem.line for problem in strict] == sorted(problem.line for problem in strict)


@pytest.mark.parametrize(
    "value", ["1", "[1, 2]", "[nan, 1, 1]", "[1, 1, true]", "[[1, 2], [3]]", "{ a = 1 }", f"[1{400 * '0'}, 1, 1]"]
)
def test_what_is_no_inertia_is_not_called_doubtful_as_well(value: str) -> None:
    text = changed(GOOD, "inertia_kg_m2 = [10.0, 11.0, 12.0]", f"inertia_kg_m2 = {value}")
    assert problems_of(text, strict=True) == problems_of(text)


def test_a_key_called_as_a_kind_of_joint_is_a_key() -> None:
    problems = problems_of(changed(ARM, "mass_kg = 4.0", "prismatic = 4.0"))
    assert [problem.key for problem in problems] == ["arm[0].link[1].mass_kg", "arm[0].link[1].prismatic"]


def test_systems_made_in_python_never_load_pydantic() -> None:
    code = "import sys, scmanip.system; sys.exit('pydantic' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


# --- files and bytes ----------------------------------------------------------------------------------------------


def test_what_is_no_file_is_refused_in_words(tmp_path: Path) -> None:
    for path, found in ((tmp_path / "none.toml", "no such file"), (tmp_path, "directory")):
        with pytest.raises(InvalidSystem, match=found):
            load_system(path)
    with pytest.raises(InvalidSystem, match="model:ets7"):
        load_system("ets7")
    with pytest.raises(InvalidSystem, match="no such file"):
        load_system("robot.urdf")


BYTES = {
    "an empty file": (b"", 1, "an empty file"),
    "not UTF-8": (b'schema = "scmanip.system/1"\nname = "\xff"\n', 2, "byte 0xff"),
    "UTF-16": (GOOD.encode("utf-16"), 1, "byte 0x"),
    "a null character": (b"a\x00 = 1", 1, "expected"),
    "an open string": (b'schema = "scmanip', 1, "unterminated string"),
    "an open array": (b'schema = "scmanip.system/1"\ngravity_m_s2 = [0, 0', 2, "unclosed array"),
}


@pytest.mark.parametrize("kind", BYTES)
def test_bytes_that_are_no_system_file_are_refused_with_their_line(kind: str, tmp_path: Path) -> None:
    raw, line, found = BYTES[kind]
    file = tmp_path / "arm.toml"
    file.write_bytes(raw)
    with pytest.raises(InvalidSystem) as caught:
        load_system(file)
    (problem,) = caught.value.problems
    assert problem.file == str(file)
    assert problem.line == line
    assert found in problem.found


@pytest.mark.parametrize("text", ["x = " + "[" * 4000 + "]" * 4000, "x = " + "1" * 5000], ids=["brackets", "digits"])
def test_texts_that_overwhelm_a_parser_are_refused(text: str) -> None:
    with pytest.raises(InvalidSystem, match=r"too deep|too many"):
        System.from_toml_text(text)


@pytest.mark.slow
def test_reading_a_file_loads_nothing_heavy() -> None:
    code = "import sys, scmanip.system; scmanip.system.load_system('model:ets7'); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert "pydantic" in loaded
    assert not {"scipy", "sympy", "matplotlib", "h5py", "llvmlite", "typer", "rich"} & set(loaded)


def test_an_error_shows_the_name_of_its_file(tmp_path: Path) -> None:
    file = tmp_path / "bad.toml"
    file.write_text(changed(GOOD, "mass_kg = 5.0", "mass_kg = -1"), encoding="utf-8")
    with pytest.raises(InvalidSystem, match=r"bad\.toml:12:1: body\[0\]\.mass_kg: expected a number >= 0, found -1"):
        load_system(file)


def test_limits_of_joints_in_radians_that_look_like_degrees_are_asked_about() -> None:
    text = re.sub(r"lower_deg = [-0-9.]+, upper_deg = [-0-9.]+", "lower_rad = -170.0, upper_rad = 170.0", GOOD)
    assert "lower_rad" in text
    (warning,) = System.from_toml_text(text).warnings()
    assert "limits" in warning.key and warning.found == "-170 and 170" and "degrees" in warning.hint
    with pytest.raises(InvalidSystem, match="then write lower_deg"):
        System.from_toml_text(text, strict=True)
