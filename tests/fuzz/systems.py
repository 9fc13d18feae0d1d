"""System files: what a System has, and what the file says, read by tomllib and these lines alone."""

from __future__ import annotations

import math
import tomllib
from importlib.resources import files
from typing import Any

import numpy as np

import scmanip.system
from scmanip.system import System

from .mutations import written
from .trials import agree, close

DEG = math.pi / 180
ZERO = [0.0, 0.0, 0.0]

BASE = """
schema = "scmanip.system/1"
name = "parts"

[base]
mass_kg = 50.0
com_m = [0.1, 0, 0]
inertia_kg_m2 = [5.0, 6.0, 7.0]
"""
EXTRA = """
[[frame]]
name = "camera"
body = "base"
origin_m = [0.1, 0.2, 0.3]
rpy_deg = [10, -20, 30]

[[frame]]
name = "grip"
body = "base"
quaternion_xyzw = [0.5, 0.5, 0.5, 0.5]

[[spring_damper]]
name = "s"
between = ["camera", "grip"]
stiffness_N_m = 10.0
damping_Ns_m = 0.5
length_m = 0.3

[[shape]]
name = "ball"
frame = "camera"
type = "sphere"
radius_m = 0.1

[[shape]]
name = "rod"
body = "base"
type = "capsule"
radius_m = 0.1
length_m = 0.4
origin_m = [0.0, 0.1, 0.2]
rpy_deg = [0, 90, 0]

[[shape]]
name = "hull"
body = "base"
type = "box"
size_m = [1.0, 1.5, 0.5]

[[shape]]
name = "wall"
frame = "ground"
type = "plane"
origin_m = [4.0, 0.0, 0.0]

[[shape]]
name = "cone"
body = "base"
type = "mesh"
vertices_m = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1.0]]
"""
WHEELS = """
[[wheel]]
name = "rw"
axis = [0.6, 0.0, 0.8]
inertia_kg_m2 = 0.1
torque_Nm = 0.4
speed_rpm = 3000.0
damping_Nms_rad = 1e-4

[[thruster]]
name = "t1"
position_m = [1.0, 0.0, 0.5]
direction = [0.0, 0.0, 1.0]
force_N = 10.0
isp_s = 220.0
"""
JOINTS = """
[[body]]
name = "wrist"
parent = "base"
mass_kg = 1.5
com_m = [0.1, 0.2, 0.3]
inertia_kg_m2 = [[0.1, 0.01, 0.0], [0.01, 0.2, 0.0], [0.0, 0.0, 0.25]]
joint = { type = "gimbal", sequence = "zxz", origin_m = [0.1, 0, 0], lower_deg = -170, upper_deg = 170, damping_Nms_deg = 0.2 }

[[body]]
name = "ball"
parent = "wrist"
mass_kg = 0.5
inertia_kg_m2 = [0.1, 0.1, 0.1]
joint = { type = "spherical", dcm = [[0, -1, 0], [1, 0, 0], [0, 0, 1]], damping_Nms_rad = 0.1 }

[[body]]
name = "rail"
parent = "ball"
mass_kg = 0.5
inertia_kg_m2 = [0.1, 0.1, 0.1]
joint = { name = "slide", type = "prismatic", axis = [0, 1, 0], lower_m = -0.5, upper_m = 1.5, stiffness_N_m = 5 }

[[body]]
name = "plate"
parent = "rail"
mass_kg = 0.5
inertia_kg_m2 = [0.1, 0.1, 0.1]
joint = { type = "fixed", rpy_rad = [0.1, 0.2, 0.3] }

[[body]]
name = "drum"
parent = "base"
mass_kg = 2
inertia_kg_m2 = [0.1, 0.1, 0.1]
joint = { type = "revolute", axis = [1, 0, 0], lower_rad = -1.5, upper_rad = 2, stiffness_Nm_deg = 0.5 }

[[motor]]
joint = "drum"
torque_Nm = 5.0
rate_rad_s = 1.0
gear_ratio = 80.0
rotor_inertia_kg_m2 = 1e-5
"""
HELD = """
[[constraint]]
name = "brake"
type = "lock"
joint = "drum"
slip_Nm = 3.5

[[constraint]]
name = "grasp"
type = "weld"
frames = ["camera", "plate"]
active = true
pose = { origin_m = [0, 0.5, 0.1], rpy_deg = [0, 0, 90] }
tolerance_m = 0.01
closing_s = 5.0

[[constraint]]
name = "pin"
type = "point"
frames = ["ground", "plate"]

[[constraint]]
name = "table"
type = "plane"
frames = ["plate", "grip"]
normal = [0, 0, 1]
radius_m = 0.2
axis = [1, 0, 0]
unilateral = true

[[constraint]]
name = "ring"
type = "loop"
frames = ["drum", "rail"]
joint = "screw"
axis = [0, 0.6, 0.8]
pitch_m_rad = 0.01
tolerance_rad = 1

[[constraint]]
name = "gear"
type = "coupling"
joint = "drum"
of = "wrist.2"
ratio = -2
offset = 1.5

[[constraint]]
name = "differential"
type = "coupling"
joint = "drum"
of = ["wrist.1", "wrist.3"]
ratio = [0.5, -0.5]

[[constraint]]
name = "cam"
type = "coupling"
joint = "slide"
of = "drum"
polynomial = [0, 1, 0.5]
tolerance = 1e-6

[[constraint]]
name = "skate"
type = "knife_edge"
frame = "rail"
blocked_axis = [0, 1, 0]

[[constraint]]
name = "wheel"
type = "rolling"
frames = ["drum", "ground"]
radius_m = 0.3
axis = [0, 1, 0]
normal = [0, 0, 1]

[[constraint]]
name = "spin"
type = "speed"
row = { omega_0.z = 1, drum = -0.5, "ball.y" = 2 }
value = 0.1
"""


def seeds() -> dict[str, str]:
    """The packaged models, with parts that they lack."""
    found = [path for path in (files(scmanip.system) / "models").iterdir() if path.name.endswith(".toml")]
    texts = {path.name: path.read_text(encoding="utf-8") for path in found}
    return texts | {"parts.toml": BASE + JOINTS + EXTRA + WHEELS + HELD, "wheels.toml": texts["ets7.toml"] + EXTRA + WHEELS}


def check(text: str) -> None:
    """Compare a system with its file; raises what the reader raises, and `Disagreement`."""
    system = System.from_toml_text(text, file="fuzz.toml")
    data = tomllib.loads(text.removeprefix("\ufeff"))
    _compare(system, data)
    again = System.from_toml_text(written(data), file="again.toml")
    _compare(again, data)
    agree("bodies read again", [b.name for b in again.bodies], [b.name for b in system.bodies])


def _compare(system: System, data: dict[str, Any]) -> None:
    base = data["base"]
    agree("name", system.name, data.get("name", "system"))
    agree("fixed", system.fixed, base.get("fixed", False))
    close("gravity", system.gravity_m_s2, data.get("gravity_m_s2", ZERO))
    close("mass of the base", system.base.mass_kg, base.get("mass_kg", 0.0))
    close("centre of mass of the base", system.base.com_m, base.get("com_m", ZERO))
    close("inertia of the base", system.base.inertia_kg_m2, _tensor(base.get("inertia_kg_m2", ZERO)))
    described = dict(_bodies(data))
    agree("bodies", {b.name for b in system.bodies}, {"base", *described})
    for body in system.bodies[1:]:
        _compare_body(body, *described[body.name])
    tips = (
        [f"{arm['name']}.tip" for arm in data.get("arm", [])]
        if len(data.get("arm", [])) > 1
        else ["tip"] * len(data.get("arm", []))
    )
    tips += ["tip"] * bool(data.get("hd_link"))
    agree("frames", sorted(f.name for f in system.frames), sorted([f["name"] for f in data.get("frame", [])] + tips))
    for frame in system.frames:
        for given in data.get("frame", []):
            if given["name"] == frame.name:
                agree("body of a frame", frame.body, given["body"])
                close("place of a frame", frame.origin_m, given.get("origin_m", ZERO))
                close("axes of a frame", frame.dcm, _turn(given))
    _compare_parts(system, data)


def _compare_body(body: Any, given: dict[str, Any], joint: dict[str, Any], name: str, parent: str) -> None:
    agree("parent", body.parent, parent)
    close(f"mass of {body.name}", body.mass_kg, given["mass_kg"])
    close(f"inertia of {body.name}", body.inertia_kg_m2, _tensor(given["inertia_kg_m2"]))
    if "joint" in given:
        close(f"centre of mass of {body.name}", body.com_m, given.get("com_m", ZERO))
        close(f"place of {name}", body.joint.origin_m, joint.get("origin_m", ZERO))
        close(f"axes of {name}", body.joint.dcm, _turn(joint))
    agree("name of a joint", body.joint.name, name)
    agree(f"type of {name}", str(body.joint.type), joint["type"])
    if "axis" in joint:
        axis = np.array(joint["axis"], float)
        close(f"axis of {name}", body.joint.axis, axis / np.linalg.norm(axis))
    agree(f"sequence of {name}", body.joint.own.get("sequence", ""), joint.get("sequence", ""))
    limits = [_number(joint, {f"{end}_rad": 1.0, f"{end}_deg": DEG, f"{end}_m": 1.0}) for end in ("lower", "upper")]
    for ours, theirs, otherwise in zip((body.joint.lower, body.joint.upper), limits, (-math.inf, math.inf), strict=True):
        agree(f"whether {name} is limited", math.isinf(ours), theirs is None)
        close(f"limit of {name}", 0.0 if theirs is None else ours, 0.0 if theirs is None else theirs)
        agree(f"side of no limit of {name}", theirs is None and ours != otherwise, False)
    stiff = _number(joint, {"stiffness_Nm_rad": 1.0, "stiffness_Nm_deg": 1 / DEG, "stiffness_N_m": 1.0})
    damped = _number(joint, {"damping_Nms_rad": 1.0, "damping_Nms_deg": 1 / DEG, "damping_Ns_m": 1.0})
    close(f"stiffness of {name}", body.joint.stiffness, stiff or 0.0)
    close(f"damping of {name}", body.joint.damping, damped or 0.0)


def _compare_parts(system: System, data: dict[str, Any]) -> None:
    _compare_constraints(system, data)
    for spring, given in zip(system.springs, data.get("spring_damper", []), strict=True):
        agree("spring", (spring.name, *spring.between), (given["name"], *given["between"]))
        keys = ("stiffness_N_m", "damping_Ns_m", "length_m")
        close("numbers of a spring", [getattr(spring, key) for key in keys], [given.get(key, 0.0) for key in keys])
    for shape, given in zip(system.shapes, data.get("shape", []), strict=True):
        agree(
            "shape",
            (shape.name, shape.kind, shape.frame),
            (given["name"], given["type"], given.get("frame", given.get("body"))),
        )
        close("place of a shape", shape.origin_m, given.get("origin_m", ZERO))
        close("axes of a shape", shape.dcm, _turn(given))
        for key in ("radius_m", "length_m", "size_m", "vertices_m"):
            close(f"{key} of a shape", getattr(shape, key, 0.0), given.get(key, 0.0))
    for wheel, given in zip(system.wheels, data.get("wheel", []), strict=True):
        agree("wheel", wheel.name, given["name"])
        close("axis of a wheel", wheel.axis, np.array(given["axis"], float) / np.linalg.norm(given["axis"]))
        speed = _number(given, {"speed_rad_s": 1.0, "speed_rpm": math.pi / 30})
        _unlimited("speed of a wheel", wheel.speed_rad_s, speed)
        _unlimited("torque of a wheel", wheel.torque_Nm, given.get("torque_Nm"))
        _unlimited("momentum of a wheel", wheel.momentum_Nms, given.get("momentum_Nms"))
        numbers = [wheel.inertia_kg_m2, wheel.damping_Nms_rad]
        close("numbers of a wheel", numbers, [given["inertia_kg_m2"], given.get("damping_Nms_rad", 0.0)])
    for thruster, given in zip(system.thrusters, data.get("thruster", []), strict=True):
        agree("thruster", (thruster.name, thruster.body), (given["name"], given.get("body", "base")))
        close("place of a thruster", thruster.position_m, given["position_m"])
        close("thrust", [thruster.force_N, thruster.isp_s], [given["force_N"], given["isp_s"]])
    for motor, given in zip(system.motors, data.get("motor", []), strict=True):
        agree("motor", motor.joint, given["joint"])
        _unlimited("torque of a motor", motor.torque_Nm, given.get("torque_Nm"))
        _unlimited("rate of a motor", motor.rate_rad_s, given.get("rate_rad_s"))
        close("gear", motor.gear_ratio, given.get("gear_ratio", 1.0))
        keys = ("rotor_inertia_kg_m2", "damping_Nms_rad", "coulomb_Nm")
        close("numbers of a motor", [getattr(motor, key) for key in keys], [given.get(key, 0.0) for key in keys])


def _compare_constraints(system: System, data: dict[str, Any]) -> None:
    for held, given in zip(system.constraints, data.get("constraint", []), strict=True):
        words = {key: given[key] for key in ("name", "joint", "of", "frame", "frames") if key in given}
        ours = {key: getattr(held, key) for key in words}
        agree("constraint", {key: list(v) if isinstance(v, tuple) else v for key, v in ours.items()}, words)
        agree("kind of a constraint", (held.kind, held.active), (given["type"], given.get("active", False)))
        for key in (
            "slip_Nm",
            "slip_N",
            "ratio",
            "offset",
            "tolerance",
            "tolerance_m",
            "tolerance_rad",
            "closing_s",
            "unilateral",
            "radius_m",
            "value",
        ):
            if key in given:
                close(f"{key} of a constraint", getattr(held, key), given[key])
        for key in ("axis", "normal", "blocked_axis"):
            if key in given:
                close(f"{key} of a constraint", getattr(held, key), np.array(given[key], float) / np.linalg.norm(given[key]))
        if "pose" in given:
            close("place of a pose", held.pose.origin_m, given["pose"].get("origin_m", ZERO))
            close("axes of a pose", held.pose.dcm, _turn(given["pose"]))
        if "polynomial" in given:
            close("polynomial", held.polynomial, given["polynomial"])
        if "pitch_m_rad" in given:
            close("pitch", held.own["pitch_m_rad"], given["pitch_m_rad"])
        if "row" in given:
            agree("row", held.row, _flat(given["row"]))


def _flat(row: dict[str, Any]) -> dict[str, float]:
    flat = {}
    for name, factor in row.items():
        flat |= {f"{name}.{part}": value for part, value in factor.items()} if isinstance(factor, dict) else {name: factor}
    return flat


def _unlimited(what: str, ours: float, theirs: float | None) -> None:
    agree(f"whether there is a {what}", math.isinf(ours), theirs is None)
    close(what, 0.0 if theirs is None else ours, 0.0 if theirs is None else theirs)


def _bodies(data: dict[str, Any]) -> Any:
    """Name of every body but the base with its table, its joint's table and name, and its parent."""
    for body in data.get("body", []):
        yield body["name"], (body, body["joint"], body["joint"].get("name", body["name"]), body["parent"])
    chains = [(arm.get("name", ""), arm.get("parent", "base"), arm["link"]) for arm in data.get("arm", [])]
    chains = [(f"{name}." if len(chains) > 1 else "", parent, links) for name, parent, links in chains]
    for prefix, first, links in [*chains, ("", "base", data.get("hd_link", []))]:
        parent = first
        for number, link in enumerate(links, start=1):
            name = link.get("name", f"{prefix}link{number}")
            yield name, (link, link, f"{prefix}joint{number}", parent)
            parent = name


def _tensor(given: Any) -> Any:
    return np.diag(given) if not isinstance(given[0], list) else given


def _number(table: dict[str, Any], keys: dict[str, float]) -> float | None:
    return next((table[key] * unit for key, unit in keys.items() if key in table), None)


def _turn(table: dict[str, Any]) -> Any:
    """Axes of a placement, as columns."""
    from scipy.spatial.transform import Rotation

    if "dcm" in table:
        R = np.array(table["dcm"], float)
        left, _, right = np.linalg.svd(R)
        return left @ right
    if "quaternion_xyzw" in table:
        return Rotation.from_quat(table["quaternion_xyzw"]).as_matrix()
    angles = table.get("rpy_rad") or [angle * DEG for angle in table.get("rpy_deg", ZERO)]
    return Rotation.from_euler("xyz", angles).as_matrix()
