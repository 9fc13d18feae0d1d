"""Robots in MJCF: what they say, what they are refused for, and that MuJoCo reads the same."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip import System, compile_model, load_system
from scmanip.errors import InvalidSystem
from scmanip.system import LeftOut, Motor
from tests.system.mujoco_files import AsMujoco, any_state
from tests.system.other_tools import random_state
from tests.system.test_urdf import SERVICER, SIDE, loaded

ROBOTS = Path(__file__).parent / "robots"
EVERYTHING = ROBOTS / "everything.xml"


@pytest.fixture(scope="module")
def everything() -> System:
    return loaded(EVERYTHING)


def written(tmp_path: Path, inside: str, **given: Any) -> System:
    """The system of a short file."""
    file = tmp_path / "robot.xml"
    file.write_text(f"<mujoco>{inside}</mujoco>")
    return loaded(file, **given)


def same_as_mujoco(system: System, file: Path | str, seed: int) -> None:
    """Inertia, and where bodies and frames are, at random states."""
    model, other, rng = compile_model(system), AsMujoco(file, system), np.random.default_rng(seed)
    for _ in range(2):
        state = any_state(system, rng)
        data, expected = other.data(state), other.M(state)
        if system.fixed:
            held = model.inverse_dynamics(state, np.zeros(system.layout.N)).tau
            given = data.qfrc_bias - data.qfrc_passive + data.qfrc_fluid  # of a medium, left out and told
            assert_allclose(held, given, rtol=0, atol=1e-11 * max(1.0, np.abs(given).max()))
        assert_allclose(model.M(state), expected, rtol=0, atol=1e-12 * np.abs(expected).max())
        for frame in system.frames:
            site = [data.site(k) for k in range(other.model.nsite) if data.site(k).name == frame.name]
            if site:
                assert_allclose(model.position(state, frame.name), site[0].xpos, rtol=0, atol=1e-12)


# --- what a file says ---------------------------------------------------------------------------------------------


def test_what_a_file_says_is_there(everything: System) -> None:
    assert [body.name for body in everything.bodies] == [
        *("base", "upper.1", "upper", "mast", "hand", "plate", "drum", "debris"),
    ]
    yaw, pitch, boom, wrist = everything.joints[:4]
    assert_allclose([yaw.lower, yaw.upper, yaw.damping], [-np.pi / 2, np.radians(120), 0.3])
    assert (pitch.lower, pitch.damping, wrist.type) == (-np.inf, 0.0, "spherical")
    assert (boom.lower, boom.upper, boom.stiffness, boom.damping) == (-0.1, 0.4, 3.0, 2.0)
    assert {m.joint: (m.torque_Nm, m.coulomb_Nm) for m in everything.offering(Motor)} == {
        "yaw": (20.0, 0.0),
        "drum": (7.0, 0.2),
    }
    assert [(spring.name, spring.between, spring.length_m) for spring in everything.springs] == [
        ("cable", ("port", "grip"), 0.5)
    ]
    assert [(each.name, each.kind, each.active) for each in everything.constraints] == [
        *(("belt", "coupling", False), ("pin", "point", False), ("grasp", "weld", False)),
    ]
    assert [shape.name for shape in everything.shapes][:1] == ["hull"]
    assert everything.visuals[-1].type in ("cylinder", "box", "ellipsoid")


def test_a_round_body_that_a_motor_spins_in_the_base_is_a_wheel(everything: System) -> None:
    (wheel,) = everything.wheels
    assert (wheel.name, wheel.torque_Nm, wheel.damping_Nms_rad) == ("wheel", 0.2, 0.001)
    assert_allclose(wheel.inertia_kg_m2, 0.018, rtol=1e-14)
    assert everything.base.mass_kg == 92.0


def test_mujoco_has_the_same_inertia_and_places(everything: System) -> None:
    """Of the file with the wheel at rest in the base, which is what M is of."""
    text = EVERYTHING.read_text().replace('<joint name="wheel spin" axis="0 0 2" damping="0.001"/>', "")
    text = text.replace('<motor name="spins" joint="wheel spin" ctrlrange="-0.2 0.2"/>', "")
    system = System("same", everything.base, everything.bodies[1:], frames=everything.frames)
    same_as_mujoco(system, text, 21)


def test_what_there_is_no_word_for_is_told_with_its_line_and_refused_where_that_is_asked() -> None:
    with pytest.warns(LeftOut) as told:
        load_system(EVERYTHING)
    words = str(told[0].message)
    for each in (
        "'armature' of <joint>",
        "law of <position>",
        "'range' of a ball joint",
        "place of a body that floats",
        "<keyframe>",
    ):
        assert f"{each} (line" in words
    with pytest.raises(InvalidSystem, match="expected what a system has a word for"):
        load_system(EVERYTHING, strict=True)


def test_a_spring_that_rests_elsewhere_is_told(tmp_path: Path) -> None:
    file = tmp_path / "robot.xml"
    joint = '<joint type="hinge" stiffness="2" springref="10"/><geom size="0.1"/>'
    file.write_text(f"<mujoco><worldbody><body><body>{joint}</body></body></worldbody></mujoco>")
    with pytest.warns(LeftOut, match="'stiffness' of a spring that rests elsewhere"):
        assert load_system(file).joints[0].stiffness == 0.0


@pytest.mark.parametrize("name", ["bench_6r", "ets7", "stanford_arm_hd", "servicer"])
def test_a_system_written_as_mjcf_is_read_with_the_same_inertia_and_parts(name: str, tmp_path: Path) -> None:
    system = loaded(SERVICER, side=SIDE) if name == "servicer" else load_system(f"model:{name}")
    text = system.to_mjcf()
    file, side = tmp_path / "again.xml", tmp_path / "again.side.toml"
    file.write_text(text)
    side.write_text(text.side)
    again = loaded(file, side=side if text.side else None, roots=[ROBOTS / "packages"])
    assert again.fixed == system.fixed
    for wheel, other in zip(system.wheels, again.wheels, strict=True):
        assert (wheel.name, wheel.torque_Nm) == (other.name, other.torque_Nm)
        assert_allclose([*wheel.axis, wheel.inertia_kg_m2], [*other.axis, other.inertia_kg_m2], rtol=1e-12)
    assert [each.name for each in again.joints if each.dof] == [each.name for each in system.joints if each.dof]
    assert [each.name for each in again.springs] == [each.name for each in system.springs]
    state = random_state(system, np.random.default_rng(9))
    expected = compile_model(system).M(state)
    assert_allclose(compile_model(again).M(state), expected, rtol=0, atol=1e-12 * np.abs(expected).max())


def test_mujoco_has_the_same_bias_and_gravity_of_what_is_held(tmp_path: Path) -> None:
    """With the spring that the file says, of hinges and slides."""
    text = (
        EVERYTHING.read_text()
        .replace('<freejoint name="root"/>', '<joint name="root" axis="1 0 0"/>')
        .replace("0 0 1", "0 0 0")
    )
    text = text.replace('gravity="0 0 0"', 'gravity="1 2 -9"')
    inner = text[: text.index('<body name="debris"')] + text[text.index("</worldbody>") :]
    for tag in ("equality", "tendon", "actuator"):
        inner = inner[: inner.index(f"<{tag}>")] + inner[inner.index(f"</{tag}>") + len(tag) + 3 :]
    inner = (
        inner.replace('type="ball"', 'type="hinge" axis="0 1 1"')
        .replace('armature="0.01"', "")
        .replace('frictionloss="0.2"', "")
    )
    file = tmp_path / "held.xml"
    file.write_text(inner)
    same_as_mujoco(loaded(file), file, 23)


def test_what_stands_on_the_world_is_held_and_feels_mujocos_gravity(tmp_path: Path) -> None:
    arm = '<body name="arm"><joint name="j"/><geom size="0.1" pos="1 0 0"/></body>'
    system = written(tmp_path, f'<worldbody><site name="mark"/><geom type="plane" size="1 1 1"/>{arm}</worldbody>')
    assert (system.fixed, system.gravity_m_s2.tolist(), system.frame("mark").body) == (True, [0, 0, -9.81], "base")
    still = written(tmp_path, f'<option><flag gravity="disable"/></option><worldbody>{arm}</worldbody>')
    assert not still.gravity_m_s2.any()
    alone = written(tmp_path, f'<worldbody><body name="foot"><geom size="0.2"/>{arm}</body></worldbody>')
    assert (alone.fixed, alone.base.mass_kg > 0, alone.frame("foot").body) == (True, True, "base")


@pytest.mark.parametrize(
    ("said", "masses"),
    [
        ('settotalmass="14"', [14.0]),
        ('boundmass="9" boundinertia="2"', [9.0]),
        ('inertiafromgeom="true"', [4000 / 3 * np.pi * 1e-3]),
    ],
)
def test_what_the_compiler_does_to_masses_is_done(said: str, masses: list[float], tmp_path: Path) -> None:
    inside = '<inertial mass="3" pos="0 0 0" diaginertia="1 1 1"/><geom size="0.1"/>'
    text = f'<compiler {said}/><worldbody><body name="a"><freejoint/>{inside}</body></worldbody>'
    assert_allclose(written(tmp_path, text).base.mass_kg, masses[0], rtol=1e-14)


def test_files_are_included_from_their_own_folder_and_declared_roots_only(tmp_path: Path) -> None:
    parts = tmp_path / "parts"
    parts.mkdir()
    (parts / "arm.xml").write_text('<mujocoinclude><body name="arm"><joint name="j"/><geom size="0.1"/></body></mujocoinclude>')
    text = '<worldbody><body name="foot"><geom size="0.2"/><include file="{}"/></body></worldbody>'
    assert written(tmp_path, text.format("parts/arm.xml")).bodies[1].name == "arm"
    elsewhere = parts / "sub"
    elsewhere.mkdir()
    for name in ("../arm.xml", str(parts / "arm.xml"), "none.xml"):
        with pytest.raises(InvalidSystem, match="an MJCF file in the folder of this one or under a declared root"):
            written(elsewhere, text.format(name))
    assert written(elsewhere, text.format(parts / "arm.xml"), roots=[parts]).bodies[1].name == "arm"
    (tmp_path / "robot.xml").write_text("")
    with pytest.raises(InvalidSystem, match="a file that is not in itself"):
        written(tmp_path, '<include file="robot.xml"/>')


# --- what is refused ----------------------------------------------------------------------------------------------

BODY = '<body name="bus"><freejoint/><geom size="0.3"/>\n{}</body>'
WRONG = {
    "<bdy/>": "the unknown element <bdy>",
    '<geom sise="1"/>': "the unknown attribute 'sise'",
    '<geom size="0,1"/>': "'0,1'",
    '<geom type="box" size="1 1"/>': "1 1",
    '<geom type="bx" size="1"/>': "'bx'",
    '<geom size="1" class="no"/>': "'no'",
    '<geom size="1" quat="1 0 0 0" euler="0 0 0"/>': "quat and euler",
    '<geom size="1" quat="0 0 0 0"/>': "0 0 0 0",
    '<geom size="1" mass="-1"/>': "-1",
    '<geom size="1" shellinertia="true"/>': "true",
    '<inertial mass="nan" pos="0 0 0" diaginertia="1 1 1"/>': "'nan'",
    '<inertial mass="1" pos="0 0 0"/>': "nothing",
    '<body><joint axis="0 0 0"/><geom size="1"/></body>': "0 0 0",
    '<body><joint range="3 1"/><geom size="1"/></body>': "lower 3 and upper 1",
    '<body name="arm"><joint name="j"/></body>': "no <inertial>",
    '<body name="bus"><geom size="1"/></body>': "'bus', already that of a body",
    '<body><freejoint/><geom size="1"/></body>': "one in body 'bus'",
    '<replicate count="3"/>': "<replicate>, which makes some",
    '<include file="../x.xml"/>': "'../x.xml', a path that leads upwards",
    "text": "'text'",
}


@pytest.mark.parametrize("part", WRONG)
def test_a_wrong_file_is_refused_with_its_line_and_a_reason(part: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidSystem) as refused:
        written(tmp_path, f"<worldbody>{BODY.format(part)}</worldbody>")
    (problem,) = refused.value.problems
    assert problem.found == WRONG[part]
    assert (problem.file, problem.line) == (str(tmp_path / "robot.xml"), 1 if part == "text" else 2)


AROUND = {
    '<asset><mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset>': "a mesh",
    '<actuator><motor joint="jj"/></actuator>': "'jj'",
    '<equality><joint joint1="j" joint2="k"/></equality>': "'k'",
    '<equality><weld body1="arm" body2="am"/></equality>': "'am'",
    '<tendon><spatial stiffness="1"><site site="s"/><site site="t"/></spatial></tendon>': "'s'",
    '<compiler balanceinertia="true"/>': "true, which changes them",
    '<compiler eulerseq="xq"/>': "'xq'",
    '<default><default><geom size="1"/></default></default>': "nothing",
    '<asset><mesh name="m" file="../m.stl"/></asset>': None,
}


@pytest.mark.parametrize("part", AROUND)
def test_what_is_wrong_beside_the_bodies_is_refused(part: str, tmp_path: Path) -> None:
    arm = '<body name="arm"><joint name="j"/><geom size="0.1"/><geom type="mesh" mesh="m" mass="0"/></body>'
    arm = arm.replace('mass="0"', "") if "vertex" in part else arm
    arm = arm if "mesh" in part else arm.replace('<geom type="mesh" mesh="m" mass="0"/>', "")
    with pytest.raises(InvalidSystem) as refused:
        written(tmp_path, f"<worldbody>{BODY.format(arm)}</worldbody>\n{part}")
    found = [problem.found for problem in refused.value.problems]
    assert all(problem.line == (2 if "vertex" in part else 3) for problem in refused.value.problems), refused.value
    assert found[0] == (AROUND[part] or "'../m.stl', a path that leads upwards")


def others() -> list[Path]:
    """MJCF files that come with installed packages: MuJoCo's own, and those of gymnasium and dm_control if they are there."""
    from importlib.util import find_spec

    found = list[Path]()
    for package, folder in (("mujoco", "testdata"), ("gymnasium", "envs/mujoco/assets"), ("dm_control", "suite")):
        spec = find_spec(package)
        where = [Path(each) / folder for each in (spec.submodule_search_locations or ())] if spec else []
        found += [file for each in where for file in sorted(each.glob("*.xml"))]
    return found


@pytest.mark.slow
def test_files_of_others_have_mujocos_inertia_or_are_refused_with_their_lines() -> None:
    agree = 0
    for file in others():
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", LeftOut)
                system = load_system(file)
        except InvalidSystem as error:
            assert all(problem.line and problem.file for problem in error.problems), file
            continue
        if system.mass_kg:
            same_as_mujoco(system, file, 22)
            agree += 1
    if not agree:
        pytest.skip(
            "no file with masses is installed: of gymnasium and dm_control none is there, the first of which .ci/run has"
        )
