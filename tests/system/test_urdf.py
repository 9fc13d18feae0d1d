"""Robots in URDF: what they say, what they are refused for, and that Pinocchio and MuJoCo read the same."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip import Body, Joint, Model, State, System, compile_model, load_system
from scmanip.errors import InvalidSystem
from scmanip.system import Box, LeftOut, Motor
from tests.system.other_tools import InMujoco, InPinocchio, random_state

ROBOTS = Path(__file__).parent / "robots"
SERVICER, BENCH, SIDE = ROBOTS / "servicer.urdf", ROBOTS / "bench.urdf", ROBOTS / "servicer.side.toml"

# where each wrong file is refused, and what is found there
WRONG = {
    "attribute_misspelt": (18, "the unknown attribute 'valeu'"),
    "axis_nan": (12, "'0 nan 1'"),
    "axis_short": (12, "'0 1'"),
    "axis_zero": (8, "0 0 0"),
    "child_unknown": (8, "'amr'"),
    "cycle": (38, "a cycle 'a' -> 'b' -> 'a'"),
    "decimal_comma": (18, "'5,0'"),
    "empty": (1, "an empty file"),
    "entity_bomb": (2, "a <!DOCTYPE>"),
    "inertia_indefinite": (19, "smallest principal moment -0.2"),
    "inertia_nan": (19, "'nan'"),
    "inertia_triangle": (19, "0.1, 0.2, 2.5"),
    "joint_floating": (8, "'floating'"),
    "joint_twice": (28, "'hinge', already that of a joint"),
    "joint_type_unknown": (8, "'rotary'"),
    "limits_missing": (8, "nothing"),
    "limits_nan": (13, "'nan'"),
    "limits_reversed": (13, "lower 1 and upper -1"),
    "link_twice": (22, "'arm', already that of a link"),
    "mass_infinite": (18, "'inf'"),
    "mass_nan": (18, "'nan'"),
    "mass_negative": (18, "-5"),
    "mass_overflow": (18, "'5e999'"),
    "mass_text": (18, "'heavy'"),
    "mesh_upwards": (23, "'../../secret.stl', a path that leads upwards"),
    "moved_without_mass": (15, "no <inertial>"),
    "not_utf8": (1, "byte 0xe9"),
    "not_xml": (1, "syntax error"),
    "parent_itself": (8, "a cycle 'arm' -> 'arm'"),
    "parent_unknown": (8, "'buss'"),
    "parents_two": (22, "'arm'"),
    "root_without_mass": (2, "no <inertial>"),
    "roots_two": (22, "'stray' beside 'bus'"),
    "tag_misspelt": (19, "the unknown element <inertai>"),
    "too_deep": (65, "one that lies too deep"),
    "truncated": (18, "unclosed token"),
    "vector_short": (9, "'0.5 0.0'"),
    "vector_text": (9, "'left 0.0 0.0'"),
}


def loaded(file: Path, **given: Any) -> System:
    """A system; what has no word in it is another test's matter."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", LeftOut)
        return load_system(file, **given)


@pytest.fixture(scope="module")
def servicer() -> System:
    return loaded(SERVICER)


def problems_of(file: Path, **given: Any) -> list[Any]:
    with pytest.raises(InvalidSystem) as refused:
        loaded(file, **given)
    return list(refused.value.problems)


def turned(model: Model, state: State, link: str) -> np.ndarray:
    """Rotation (3, 3) of a frame."""
    frame = model.system.frame(link)
    equations = model.equations(state)
    return equations.poses.R[equations.parameters.link_of[model.system.body_number(frame.body)]] @ frame.dcm


# --- what a file says ---------------------------------------------------------------------------------------------


def test_the_root_floats_and_is_the_base(servicer: System) -> None:
    assert (servicer.name, servicer.fixed, servicer.base.mass_kg) == ("servicer", False, 350.0)
    assert [body.name for body in servicer.bodies[1:]] == ["upper", "fore", "hand", "left_finger", "right_finger"]
    assert servicer.frame("bus").body == "base"


def test_a_link_without_mass_that_only_marks_a_place_is_a_frame(servicer: System) -> None:
    tool = servicer.frame("tool")
    assert (tool.body, tool.origin_m.tolist()) == ("hand", [0.2, 0.0, 0.0])


def test_inertias_are_turned_from_their_own_axes_into_those_of_the_link(servicer: System) -> None:
    upper = servicer.bodies[1]
    c, s = np.cos(0.4), np.sin(0.4)
    R = np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])
    written = np.array([[0.05, 0, 0.01], [0, 1.1, 0], [0.01, 0, 1.12]])
    assert_allclose(upper.inertia_kg_m2, R @ written @ R.T, rtol=1e-14, atol=1e-16)


def test_joints_have_limits_dampers_and_unit_axes(servicer: System) -> None:
    shoulder, elbow, boom, *_ = servicer.joints
    assert (shoulder.lower, shoulder.upper, shoulder.damping) == (-2.9, 2.7, 0.8)
    assert (elbow.type, elbow.lower, elbow.axis.tolist()) == ("revolute", -np.inf, [0.0, 0.6, 0.8])
    assert (boom.type, boom.upper, boom.damping, boom.axis.tolist()) == ("prismatic", 0.5, 3.0, [1.0, 0.0, 0.0])


def test_effort_velocity_and_friction_are_motors(servicer: System) -> None:
    motor = servicer.offering(Motor)[0]
    assert (motor.joint, motor.torque_Nm, motor.rate_rad_s, motor.coulomb_Nm) == ("shoulder", 120.0, 0.35, 0.2)


def test_a_joint_that_mimics_another_is_a_coupling_that_holds(servicer: System) -> None:
    (mimic,) = servicer.constraints
    assert (mimic.joint, mimic.of, mimic.ratio, mimic.offset, mimic.active) == ("right", "left", 1.0, 0.05, True)


def test_looks_are_kept_and_boxes_to_collide_with_are_shapes(servicer: System) -> None:
    box, arm, mesh = servicer.visuals
    assert (box.frame, box.type, box.size_m, box.rgba) == ("base", "box", (1.2, 1.0, 1.1), (0.9, 0.7, 0.2, 1.0))
    assert (arm.frame, arm.type, arm.size_m, arm.origin_m.tolist()) == ("upper", "cylinder", (0.06, 1.0), [0.5, 0.0, 0.0])
    assert mesh.file == "package://servicer_description/meshes/fore.stl"
    (shape,) = servicer.shapes
    assert isinstance(shape, Box)
    assert (shape.frame, shape.size_m.tolist()) == ("base", [1.2, 1.0, 1.1])


def test_what_there_is_no_word_for_is_told_with_its_line_and_refused_where_that_is_asked() -> None:
    with pytest.warns(LeftOut, match=r"servicer.urdf: left out 1 <mesh> whose file is not found \(line 60\)"):
        load_system(SERVICER)
    with pytest.raises(InvalidSystem, match="expected what a system has a word for"):
        load_system(SERVICER, strict=True)


def test_an_empty_world_holds_the_base() -> None:
    bench = load_system(BENCH)
    assert (bench.fixed, bench.base.mass_kg, bench.layout.n_u) == (True, 0.0, 2)
    assert bench.frame("world").body == "base"


def test_what_floats_on_an_empty_world_is_the_base(tmp_path: Path) -> None:
    file = tmp_path / "pair.urdf"
    file.write_text(BENCH.read_text().replace('name="stand" type="fixed"', 'name="stand" type="floating"'))
    with pytest.warns(LeftOut, match="<origin> of a joint that floats"):
        system = load_system(file)
    assert (system.fixed, system.base.mass_kg, system.layout.n_u) == (False, 4.0, 8)


# --- what others read ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("file", [SERVICER, BENCH])
def test_pinocchio_reads_the_same(file: Path) -> None:
    system, rng = loaded(file), np.random.default_rng(3)
    model, other = compile_model(system), InPinocchio(file, system)
    links = [body.name for body in system.bodies[1:]] + (["bus", "tool"] if file == SERVICER else ["world"])
    for _ in range(5):
        state = random_state(system, rng)
        expected = other.M(state)
        assert_allclose(model.M(state), expected, rtol=0, atol=1e-12 * np.abs(expected).max())
        for link in links:
            position, rotation = other.place(state, link)
            assert_allclose(model.position(state, link), position, rtol=0, atol=1e-12)
            assert_allclose(turned(model, state, link), rotation, rtol=0, atol=1e-12)


@pytest.mark.parametrize(("file", "root"), [(SERVICER, "bus"), (BENCH, "world")])
def test_mujoco_reads_the_same(file: Path, root: str) -> None:
    system, rng = loaded(file), np.random.default_rng(4)
    model, other = compile_model(system), InMujoco(file, system, root)
    for _ in range(5):
        state = random_state(system, rng)
        expected = other.M(state)
        assert_allclose(model.M(state), expected, rtol=0, atol=1e-12 * np.abs(expected).max())
        for body in system.bodies[1:]:
            position, rotation = other.place(state, body.name)
            assert_allclose(model.position(state, body.name), position, rtol=0, atol=1e-12)
            assert_allclose(turned(model, state, body.name), rotation, rtol=0, atol=1e-12)


def test_gravity_is_that_of_pinocchio(tmp_path: Path) -> None:
    g, side = np.array([0.3, -0.2, -9.7]), tmp_path / "side.toml"
    side.write_text(f'schema = "scmanip.side/1"\ngravity_m_s2 = {g.tolist()}\n')
    system = load_system(BENCH, side=side)
    model, other = compile_model(system), InPinocchio(BENCH, system)
    state = random_state(system, np.random.default_rng(5))
    state = type(state)(q=state.q, qdot=np.zeros(2))
    tau = model.inverse_dynamics(state, np.zeros(2)).tau
    assert_allclose(tau, -other.gravity(state, g), rtol=1e-12)


def real_robots() -> list[Path]:
    """URDF files of example-robot-data, where it is installed."""
    pin = pytest.importorskip("pinocchio")
    share = Path(pin.__file__).parents[4] / "share" / "example-robot-data" / "robots"
    return sorted(share.rglob("*.urdf"))


@pytest.mark.slow
def test_robots_of_others_have_pinocchios_inertia_or_are_refused_with_their_lines() -> None:
    files, agree = real_robots(), 0
    if not files:
        pytest.skip("example-robot-data is not installed, which .ci/run does")
    for file in files:
        try:
            system = loaded(file)
        except InvalidSystem as error:
            assert all(problem.line and problem.file for problem in error.problems), file
            continue
        if any(joint.dof != 1 for joint in system.joints):
            continue
        state = random_state(system, np.random.default_rng(6))
        expected = InPinocchio(file, system).M(state)
        found = compile_model(system).M(state)
        assert_allclose(found, expected, rtol=0, atol=1e-12 * np.abs(expected).max(), err_msg=str(file))
        agree += 1
    assert agree > 30


# --- what is refused ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_file_is_refused_with_its_line_and_a_reason(name: str) -> None:
    line, found = WRONG[name]
    file = ROBOTS / "wrong" / f"{name}.urdf"
    (problem,) = problems_of(file)
    assert (problem.file, problem.line, problem.found) == (str(file), line, found)
    assert problem.expected
    assert problem.column > 0


def test_every_wrong_file_is_listed() -> None:
    assert sorted(WRONG) == sorted(path.stem for path in (ROBOTS / "wrong").iterdir())
    assert len(WRONG) >= 33


def test_all_mistakes_of_a_file_are_told_at_once(tmp_path: Path) -> None:
    file = tmp_path / "two.urdf"
    file.write_text(SERVICER.read_text().replace('value="12.0"', 'value="x"').replace('effort="120.0"', 'efort="120.0"'))
    assert [problem.line for problem in problems_of(file)] == [30, 36]


def test_a_macro_of_urdf_and_other_xml_are_called_so(tmp_path: Path) -> None:
    file = tmp_path / "robot.xacro"
    file.write_text("<robot/>")
    assert problems_of(file)[0].found == "a macro of URDF"
    other = tmp_path / "page.xml"
    other.write_text("<html/>")
    assert problems_of(other)[0].found == "<html>"


def test_an_inertia_that_no_body_has_is_taken_where_the_side_table_says_so(tmp_path: Path) -> None:
    side = tmp_path / "side.toml"
    side.write_text('schema = "scmanip.side/1"\ndoubtful_inertias = true\n')
    system = load_system(ROBOTS / "wrong" / "inertia_triangle.urdf", side=side)
    assert len(system.warnings()) == 1


# --- meshes -------------------------------------------------------------------------------------------------------


def test_meshes_are_found_under_declared_roots_only(tmp_path: Path) -> None:
    mesh = loaded(SERVICER, roots=[ROBOTS / "packages"]).visuals[2]
    assert mesh.file == str(ROBOTS / "packages/servicer_description/meshes/fore.stl")
    assert mesh.uri == "package://servicer_description/meshes/fore.stl"
    (problem,) = problems_of(SERVICER, roots=[tmp_path])
    assert (problem.line, problem.expected) == (60, "a file under a declared root")


@pytest.mark.parametrize(
    "name", ["/etc/passwd", "http://host/a.stl", "file:///etc/passwd", "package://servicer_description/../../a.stl"]
)
def test_meshes_elsewhere_are_refused(name: str, tmp_path: Path) -> None:
    file = tmp_path / "robot.urdf"
    file.write_text(SERVICER.read_text().replace("package://servicer_description/meshes/fore.stl", name))
    (problem,) = problems_of(file, roots=[ROBOTS / "packages"])
    assert (problem.line, problem.expected) == (60, "a file under a declared root")


def test_a_link_that_leads_out_of_a_root_is_refused(tmp_path: Path) -> None:
    package = tmp_path / "servicer_description" / "meshes"
    package.mkdir(parents=True)
    (package / "fore.stl").symlink_to("/etc/passwd")
    (problem,) = problems_of(SERVICER, roots=[tmp_path])
    assert "a link that leads elsewhere" in problem.found


# --- side tables --------------------------------------------------------------------------------------------------


def test_a_side_table_adds_hardware_and_says_what_the_file_does_not() -> None:
    system = loaded(SERVICER, side=SIDE)
    assert [wheel.name for wheel in system.wheels] == ["wx"]
    assert [pusher.called for pusher in system.pushers.each] == ["up"]
    assert [spring.name for spring in system.springs] == ["cable"]
    assert system.frame("grasp").body == "hand"
    elbow = next(joint for joint in system.joints if joint.name == "elbow")
    assert_allclose([elbow.lower, elbow.upper, elbow.stiffness], [-np.radians(150), np.radians(150), 2.0])
    assert next(body for body in system.bodies if body.name == "tool").mass_kg == 1.5
    assert system.visuals[2].uri


SIDES = {
    "[[whel]]": ("whel", "the unknown key 'whel'"),
    "[joint.elbo]\nlower_deg = 1": ("joint.elbo", "'elbo'"),
    "[body.uper]\nmass_kg = 1.0": ("body.uper", "'uper'"),
    "[body.upper]\nmass_kg = -1.0": ("mass_kg", "-1"),
    "[joint.elbow]\nlower_rad = 2.0\nupper_rad = 1.0": ("upper_rad", "1"),
    '[[frame]]\nname = "x"\nbody = "no"': ("body", "'no'"),
    "gravity_m_s2 = [0, 0, -9.81]": ("gravity_m_s2", "[0, 0, -9.81]"),
    "roots = 5": ("roots", "5"),
}


@pytest.mark.parametrize("text", SIDES)
def test_what_is_wrong_with_a_side_table_is_told_with_its_line(text: str, tmp_path: Path) -> None:
    key, found = SIDES[text]
    side = tmp_path / "side.toml"
    side.write_text('schema = "scmanip.side/1"\n' + text + "\n")
    (problem,) = problems_of(SERVICER, side=side)
    assert (problem.file, problem.found) == (str(side), found)
    assert problem.key.endswith(key)
    assert problem.line > 1


def test_a_side_table_goes_with_a_system_file_too(tmp_path: Path) -> None:
    file, side = tmp_path / "arm.toml", tmp_path / "side.toml"
    file.write_text(load_system("model:ets7").to_toml())
    side.write_text('schema = "scmanip.side/1"\n[base]\nfixed = true\n[body.link1]\nmass_kg = 40.0\n')
    system = load_system(file, side=side)
    assert (system.fixed, system.bodies[1].mass_kg) == (True, 40.0)


# --- system files out ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["ets7", "stanford_arm_hd", "industrial_6r", "planar_four_link"])
def test_a_model_written_as_a_system_file_is_read_as_the_same_numbers(name: str) -> None:
    system = load_system(f"model:{name}")
    again = System.from_toml_text(system.to_toml())
    assert again.to_toml() == system.to_toml()
    state = random_state(system, np.random.default_rng(8))
    assert_allclose(compile_model(again).M(state), compile_model(system).M(state), rtol=1e-15, atol=1e-15)


def test_a_robot_with_its_hardware_written_as_a_system_file_is_read_as_the_same_numbers() -> None:
    system = loaded(SERVICER, side=SIDE)
    again = System.from_toml_text(system.to_toml())
    assert again.to_toml() == system.to_toml()
    state = random_state(system, np.random.default_rng(8))
    assert_allclose(compile_model(again).M(state), compile_model(system).M(state), rtol=1e-15, atol=1e-15)


# --- URDF out -----------------------------------------------------------------------------------------------------


def through_urdf(system: System, folder: Path) -> System:
    """The system as it is read from what it is written as."""
    text = system.to_urdf()
    file, side = folder / "again.urdf", folder / "again.side.toml"
    file.write_text(text)
    side.write_text(text.side)
    return loaded(file, side=side if text.side else None)


@pytest.mark.parametrize("name", ["ets7", "stanford_arm_hd", "industrial_6r", "planar_four_link", "servicer"])
def test_a_system_written_as_urdf_is_read_with_the_same_inertia_and_parts(name: str, tmp_path: Path) -> None:
    system = loaded(SERVICER, side=SIDE) if name == "servicer" else load_system(f"model:{name}")
    again, rng = through_urdf(system, tmp_path), np.random.default_rng(9)
    for kind in ("actuators", "springs", "shapes", "constraints", "visuals", "fixed"):
        assert repr(getattr(again, kind)) == repr(getattr(system, kind)), kind
    for joint, other in zip(system.joints, again.joints, strict=True):
        said = [(j.name, j.type, j.lower, j.upper, j.stiffness, j.damping) for j in (joint, other)]
        assert said[0] == said[1]
    model, read = compile_model(system), compile_model(again)
    for _ in range(3):
        state = random_state(system, rng)
        expected = model.M(state)
        assert_allclose(read.M(state), expected, rtol=0, atol=1e-12 * np.abs(expected).max())
        for frame in system.frame_names:
            assert_allclose(read.position(state, frame), model.position(state, frame), rtol=0, atol=1e-12)


def test_joints_that_urdf_does_not_know_are_in_the_side_table(tmp_path: Path) -> None:
    plate = {"mass_kg": 2.0, "inertia_kg_m2": [0.1, 0.2, 0.25]}
    joints = [
        ("ball", Joint("ball", "spherical", origin_m=[0.1, 0, 0])),
        ("jack", Joint("jack", "screw", [0, 0.6, 0.8], pitch_m_rad=0.02, lower=-1.0)),
        ("wrist", Joint("wrist", "gimbal", sequence="zx", damping=0.3)),
        ("stage", Joint("stage", "planar", upper=[0.1, 0.2, 0.3])),
        ("rail", Joint("rail", "prismatic", [1, 0, 0], upper=2.0)),
    ]
    bodies = [Body(name, **plate, parent="base", joint=joint) for name, joint in joints]
    bodies.append(Body("target", **plate, parent="ground", joint=Joint("target", "free")))
    system = System("kinds", Body("base", 9.0, [1, 1, 1]), bodies)
    again = through_urdf(system, tmp_path)
    assert again.to_toml() == system.to_toml()


def test_a_urdf_that_says_everything_has_no_side_table() -> None:
    assert load_system(BENCH).to_urdf().side == ""
    assert "side table" not in load_system(BENCH).to_urdf()


@pytest.mark.parametrize("file", [SERVICER, BENCH])
def test_pinocchio_reads_what_is_written(file: Path, tmp_path: Path) -> None:
    system = loaded(file)
    written = tmp_path / "written.urdf"
    written.write_text(system.to_urdf())
    state = random_state(system, np.random.default_rng(10))
    expected = compile_model(system).M(state)
    assert_allclose(InPinocchio(written, system).M(state), expected, rtol=0, atol=1e-12 * np.abs(expected).max())


# --- robots of others by name -------------------------------------------------------------------------------------


def test_a_robot_of_robot_descriptions_is_read_by_the_name_of_its_module(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "robot_descriptions"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "bench_description.py").write_text(f"URDF_PATH = {str(BENCH)!r}\n")
    (package / "other_description.py").touch()
    for name in [name for name in sys.modules if name.partition(".")[0] == "robot_descriptions"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.syspath_prepend(tmp_path)
    assert load_system("robot_descriptions:bench_description").name == "bench-arm"
    for name in ("other_description", "none_description", "os.path", ""):
        with pytest.raises(InvalidSystem, match="a module of robot_descriptions with a URDF_PATH"):
            load_system(f"robot_descriptions:{name}")
    for name in [name for name in sys.modules if name.partition(".")[0] == "robot_descriptions"]:
        monkeypatch.delitem(sys.modules, name)
