"""Constraints of system files, and what keeps them from their places."""

import pickle

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from scmanip.compiled import described
from scmanip.constraints import (
    Coupling,
    FramePose,
    KnifeEdge,
    Lock,
    PointOnPlane,
    PointOnPoint,
    Rolling,
    Speed,
    Weld,
)
from scmanip.dynamics import compile_model
from scmanip.errors import InvalidSystem, UnknownName
from scmanip.system import CONSTRAINT_KINDS, Loop, State, System, file_parts
from scmanip.system import TomlDocument as Document
from tests.constraints.held_systems import with_parts
from tests.house.packages import installed

HEAD = """schema = "scmanip.system/1"
base = { mass_kg = 100, inertia_kg_m2 = [10, 10, 10] }
[[body]]
name = "link1"
parent = "base"
mass_kg = 5
inertia_kg_m2 = [1, 1, 1]
joint = { type = "revolute", name = "j1", axis = [0, 0, 1] }
[[body]]
name = "link2"
parent = "link1"
mass_kg = 5
inertia_kg_m2 = [1, 1, 1]
joint = { type = "prismatic", name = "j2", axis = [1, 0, 0] }
[[body]]
name = "hand"
parent = "link2"
mass_kg = 5
inertia_kg_m2 = [1, 1, 1]
joint = { type = "spherical", name = "wrist" }
[[body]]
name = "box"
parent = "base"
mass_kg = 5
inertia_kg_m2 = [1, 1, 1]
joint = { type = "gimbal", name = "g", sequence = "xz" }
[[frame]]
name = "palm"
body = "hand"
[[frame]]
name = "port"
body = "box"
origin_m = [0.1, 0.2, 0.3]
"""
ALL = """
[[constraint]]
name = "brake"
type = "lock"
joint = "j1"
slip_Nm = 3.5
[[constraint]]
name = "grasp"
type = "weld"
frames = ["port", "palm"]
active = true
pose = { origin_m = [0, 0, 0.1], rpy_deg = [0, 0, 90] }
tolerance_m = 0.01
closing_s = 5
[[constraint]]
name = "ball"
type = "point"
frames = ["ground", "palm"]
[[constraint]]
name = "table"
type = "plane"
frames = ["palm", "base"]
normal = [0, 0, 1]
radius_m = 0.2
axis = [1, 0, 0]
unilateral = true
[[constraint]]
name = "gear"
type = "coupling"
joint = "j1"
of = "g.2"
ratio = -2
offset = 1
[[constraint]]
name = "differential"
type = "coupling"
joint = "j1"
of = ["g.1", "g.2"]
ratio = [0.5, -0.5]
offset = 0.1
[[constraint]]
name = "cam"
type = "coupling"
joint = "j2"
of = "j1"
polynomial = [0, 1, 0.5]
tolerance = 1e-6
[[constraint]]
name = "skate"
type = "knife_edge"
frame = "palm"
blocked_axis = [0, 1, 0]
[[constraint]]
name = "wheel"
type = "rolling"
frames = ["box", "ground"]
radius_m = 0.3
axis = [0, 1, 0]
normal = [0, 0, 1]
[[constraint]]
name = "ring"
type = "loop"
frames = ["palm", "port"]
joint = "screw"
axis = [0, 0, 1]
pitch_m_rad = 0.01
[[constraint]]
name = "spin"
type = "speed"
row = { omega_0.z = 1, j1 = -0.5, "wrist.y" = 2 }
value = 0.1
"""
MADE = (
    Lock("brake", "j1", slip_Nm=3.5),
    Weld(
        "grasp", ("port", "palm"), FramePose([0, 0, 0.1], [[0, -1, 0], [1, 0, 0], [0, 0, 1]]), 0.01, closing_s=5.0, active=True
    ),
    PointOnPoint("ball", ("ground", "palm")),
    PointOnPlane("table", ("palm", "base"), [0, 0, 1], 0.2, [1, 0, 0], unilateral=True),
    Coupling("gear", "j1", "g.2", -2.0, 1.0),
    Coupling("differential", "j1", ("g.1", "g.2"), (0.5, -0.5), 0.1),
    Coupling("cam", "j2", "j1", polynomial=[0, 1, 0.5], tolerance=1e-6),
    KnifeEdge("skate", [0, 1, 0], "palm"),
    Rolling("wheel", ("box", "ground"), 0.3, [0, 0, 1], [0, 1, 0]),
    Loop("ring", ("palm", "port"), "screw", [0, 0, 1], {"pitch_m_rad": 0.01}),
    Speed("spin", {"omega_0.z": 1, "j1": -0.5, "wrist.y": 2}, 0.1),
)


def read(text, head=HEAD):
    return System.from_toml_text(head + text, file="arm.toml")


def table(name="c", **keys):
    lines = [f"{key} = {value}" for key, value in keys.items()]
    return "\n".join(["[[constraint]]", f'name = "{name}"', *lines, ""])


def test_a_file_says_what_python_says_and_survives_copies():
    system = read(ALL)
    assert system.constraints == MADE and {one.kind for one in MADE} == set(CONSTRAINT_KINDS)
    assert [one.name for one in system.constraints if one.active] == ["grasp"]
    assert pickle.loads(pickle.dumps(system)).constraints == MADE
    assert system.with_actuators([]).constraints == MADE
    assert described(with_parts(system)) == described(system) != described(with_parts(system, constraints=MADE[1:]))
    assert system.constraint("gear").terms == (("g.2", (1.0, -2.0)),)
    assert system.constraint("differential").terms == (("g.1", (0.1, 0.5)), ("g.2", (0.0, -0.5)))
    with pytest.raises(UnknownName, match="did you mean 'grasp'"):
        system.constraint("grisp")
    assert_array_equal(system.constraint("table").axis, [1, 0, 0])


def test_a_model_does_not_look_at_them():
    held, free = compile_model(read(ALL)), compile_model(read(""))
    state = State(r_0=[0, 0, 0], attitude_xyzw=[0, 0, 0, 1], q=[0.1, 0.2, 0, 0, 0, 1, 0.3, 0.4], qdot=np.ones(7))
    udot = free.forward_dynamics(state, np.ones(7))
    assert held.layout == free.layout
    assert_array_equal(held.forward_dynamics(state, np.ones(7)), udot)


def test_studies_vary_their_numbers():
    parts = {part.name: part.keys for part in file_parts(Document.parse(HEAD + ALL, "arm.toml")) if part.kind == "constraint"}
    assert (
        "slip_Nm" in parts["brake"]
        and "tolerance_m" in parts["grasp"]
        and set(parts["ball"]) == {"tolerance_m", "closing_s", "active"}
    )


MISTAKES = {
    "no type": (table(), r"constraint\[0\].type: expected one of lock, .*, found nothing"),
    "unknown type": (table(type='"wield"'), "constraint\\[0\\].type: expected one of .*, found 'wield'; did you mean 'weld'"),
    "unknown key": (table(type='"lock"', joint='"j1"', slipNm=3), "did you mean 'slip_Nm'"),
    "missing key": (table(type='"lock"'), "constraint\\[0\\].joint: expected the name of a joint that moves, found nothing"),
    "unknown joint": (table(type='"lock"', joint='"j4"'), "constraint\\[0\\].joint: .*found 'j4'"),
    "unknown frame": (
        table(type='"weld"', frames='["plam", "port"]'),
        "constraint\\[0\\].frames: .*'plam'; did you mean 'palm'",
    ),
    "one frame": (table(type='"weld"', frames='["palm"]'), "expected the names of two different frames"),
    "a frame to itself": (table(type='"point"', frames='["palm", "palm"]'), "expected the names of two different frames"),
    "negative slip": (table(type='"lock"', joint='"j1"', slip_Nm=-1), "slip_Nm: expected a finite number > 0, found -1"),
    "two slips": (table(type='"lock"', joint='"j1"', slip_Nm=1, slip_N=1), "slip_N: expected a joint that slides, found 'j1'"),
    "slip of a slide": (table(type='"lock"', joint='"j2"', slip_Nm=1), "slip_Nm: expected a joint that turns, found 'j2'"),
    "a quaternion follows": (table(type='"coupling"', joint='"wrist.x"', of='"j1"'), "joint: .*found 'wrist.x'"),
    "follows itself": (table(type='"coupling"', joint='"j1"', of='"j1"'), "of: expected another joint, found 'j1'"),
    "two laws": (
        table(type='"coupling"', joint='"j1"', of='"j2"', ratio=2, polynomial="[0, 1]"),
        "polynomial: expected polynomial, or ratio and offset, found polynomial and ratio",
    ),
    "a ratio too many": (
        table(type='"coupling"', joint='"j1"', of='["g.1", "g.2"]', ratio="[1, 2, 3]"),
        "ratio: expected 2 numbers, one for each of `of`, found 3",
    ),
    "a curve of two": (
        table(type='"coupling"', joint='"j1"', of='["g.1", "g.2"]', polynomial="[1, 2]"),
        "polynomial: expected ratio and offset of several joints",
    ),
    "one of two": (table(type='"coupling"', joint='"j1"', of='["g.1", "g.3"]'), "of: .*found 'g.3'; did you mean"),
    "the same twice": (table(type='"coupling"', joint='"j1"', of='["g.1", "g.1"]'), "of: .* several"),
    "no ratio": (table(type='"coupling"', joint='"j1"', of='"j2"', ratio=0), "ratio: expected a finite number that is not 0"),
    "no polynomial": (table(type='"coupling"', joint='"j1"', of='"j2"', polynomial="[]"), "polynomial: expected a list of"),
    "no edge": (table(type='"knife_edge"', blocked_axis="[1, 0, 0]"), "frame: expected one of frame, frames, found nothing"),
    "edge of the ground": (table(type='"knife_edge"', frame='"ground"', blocked_axis="[1, 0, 0]"), "a frame that moves"),
    "no unit": (table(type='"knife_edge"', frame='"palm"', blocked_axis="[1, 1, 0]"), "blocked_axis: expected a unit vector"),
    "unknown speed": (table(type='"speed"', row='{ "v_0.w" = 1 }'), "row: expected names of speeds, found 'v_0.w'"),
    "a text for a factor": (table(type='"speed"', row='{ j1 = "x" }'), "row.j1: expected a number, found 'x'"),
    "no row": (table(type='"speed"', row="{}"), "row: expected a table with a factor per speed"),
    "unknown kind": (table(type='"loop"', frames='["palm", "port"]', joint='"revolut"'), "joint: .*did you mean 'revolute'"),
    "no axis": (table(type='"loop"', frames='["palm", "port"]', joint='"revolute"'), "axis: expected a unit vector of 3"),
    "axis of a ball": (
        table(type='"loop"', frames='["palm", "port"]', joint='"spherical"', axis="[0, 0, 1]"),
        "axis: expected nothing for a spherical joint",
    ),
    "wrong sequence": (
        table(type='"loop"', frames='["palm", "port"]', joint='"gimbal"', sequence='"xx"'),
        "sequence: expected one to three letters of 'xyz'",
    ),
    "two rotations": (
        table(type='"weld"', frames='["palm", "port"]', pose="{ rpy_rad = [0, 0, 0], rpy_deg = [0, 0, 0] }"),
        "pose.rpy_deg: expected one of rpy_rad",
    ),
    "wrong pose": (table(type='"weld"', frames='["palm", "port"]', pose="{ origin = [0, 0, 0] }"), "did you mean 'origin_m'"),
    "twice": (table(type='"lock"', joint='"j1"') * 2, r"constraint\[1\].name: expected a name used once, found 'c', already a"),
    "active or not": (table(type='"lock"', joint='"j1"', active=1), "active: expected true or false, found 1"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_refused_with_its_line(mistake):
    text, words = MISTAKES[mistake]
    with pytest.raises(InvalidSystem, match=words) as refused:
        read(text)
    assert len(refused.value.problems) == 1, str(refused.value)
    assert all(problem.line > HEAD.count("\n") and problem.file == "arm.toml" for problem in refused.value.problems)


def test_what_python_says_wrongly_is_refused_by_name():
    system = read("")
    for constraint, words in (
        (Lock("c", "j9"), "constraint 'c' joint: expected the name of a joint that moves, found 'j9'"),
        (Lock("c", "j2", slip_Nm=1.0), "a joint that turns"),
        (Weld("c", ("palm", "prt")), "constraint 'c' frames: .*did you mean 'port'"),
        (Speed("c", {"v_0.x": 1.0, "j": 2.0}), "constraint 'c' row: expected names of speeds"),
    ):
        with pytest.raises(InvalidSystem, match=words):
            with_parts(system, constraints=[constraint])
    for wrong in (
        lambda: Lock("c", "j1", slip_Nm=-1.0),
        lambda: Weld("c", ("palm",)),
        lambda: Weld("c", ("palm", "port"), pose=[0, 0, 0]),
        lambda: Coupling("c", "j1", "j1"),
        lambda: KnifeEdge("c", [0, 1, 0]),
        lambda: Lock("c", "j1", active="yes"),
        lambda: Loop("c", ("palm", "port"), "screw", [0, 0, 1]),
        lambda: Loop("c", ("palm", "port"), "screw", [0, 0, 1], {"pitch_m_rad": "far"}),
        lambda: Loop("c", ("palm", "port"), "hinge", [0, 0, 1]),
    ):
        with pytest.raises(InvalidSystem, match="constraint 'c'"):
            wrong()


def test_a_frame_called_ground_is_refused_where_the_ground_is_used():
    head = HEAD.replace('name = "palm"', 'name = "ground"')
    assert read(table(type='"lock"', joint='"j1"'), head).frames[0].name == "ground"
    with pytest.raises(InvalidSystem, match=r"frame\[0\].name: expected another name .* constraint 'c' uses, found 'ground'"):
        read(table(type='"weld"', frames='["ground", "port"]'), head)


CODE = """
from dataclasses import dataclass
import numpy as np
from scmanip.actuators import Axis
from scmanip.constraints import Constraint, Frames, Rows
@dataclass(frozen=True, eq=False, repr=False)
class Line(Constraint):
    kind = "line"
    holonomic = False
    frames: Frames
    axis: Axis
    def labels(self, structure): return ("along",)
    def rows(self, seen, kept, t):
        motion = seen.relative(*self.frames)
        return Rows((self.axis @ motion.J[:3])[np.newaxis], np.zeros(1), (self.axis @ motion.bias[:3])[np.newaxis])
"""


def test_a_constraint_of_another_package_has_its_table(tmp_path, monkeypatch):
    installed(
        tmp_path, monkeypatch, "house_line", "[scmanip.constraints]\nline = house_line:Line\nbad = house_line:Axis\n", CODE
    )
    (line,) = read(table(type='"line"', frames='["palm", "ground"]', axis="[0, 1, 0]")).constraints
    assert line.frames == ("palm", "ground") and line.axis[1] == 1
    with pytest.raises(InvalidSystem, match=r"constraint\[0\].type: .*house_line"):
        read(table(type='"bad"'))


def test_keys_of_loops_in_files_are_not_those_of_loops():
    """Whoever asks for the one does not alter the other."""
    assert Loop.file_keys().keys() == Loop.file_keys().keys() > {"pitch_m_rad"}
    fields, nut = Loop.keys(), Loop("nut", ("a", "b"), "screw", axis=[0, 0, 1], own={"pitch_m_rad": 0.1})
    assert "own" in fields and nut.own
