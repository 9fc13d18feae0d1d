"""Every key of mission and system files is varied by a study as the file with that value flies; or it is told why not."""

# ruff: noqa: E501 - texts of files

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose
from pydantic import BaseModel

from scmanip.campaign import Study
from scmanip.errors import InvalidInput, ScmanipError
from scmanip.mission import load_mission
from scmanip.mission.file._mission_file import mission_file
from scmanip.mission.values._fields import MissionFileTable
from scmanip.study import levels
from scmanip.system import TomlDocument, toml_text
from scmanip.system.files import _file_values, _schema

Flights = Callable[[str], np.ndarray]
STEP_S = 0.02
NOT_VARIED = {  # what a study says of keys that it does not vary, and why that is true
    "limits": "limits of a mission judge no case",  # rows hold metrics; a study has limits of its own
    "output": "cases have no figures",  # they are made by a replay, of the study's mission as it stands
    "integration.output_step_s": "an output_step_s of its own",  # recipe_of chooses it for all cases
    "name": "a name changes no flight",
    "title": "a title changes no flight",
    "schema": "there is one form",
    "side": "all cases have the mission's side table",  # what it says is varied as part of the system
    "modes": "a case is flown in one mode",  # a mission with several is a comparison
    "entries": "an entry is varied where the file has one",  # what it stands beside is not known otherwise
    "rho_m": "did you mean 'system.body.link",  # com_m, as bodies have it in all forms of files
    "on": "branches of phases are not varied",
    "seeing": "names and kinds of what sees are not varied",
    "observation": "chance differs from case to case by itself",
    "tree": "parts and the tree of them are not varied",  # vary `system` with several files
}
NO_EFFECT = "nothing that flies depends on it"  # held against two flights below
NO_SUCH_VALUE = "a value that the mission can have"  # held against the file with that value below
NOT_A_LEVEL = "finite numbers, texts, true and false, or lists of finite numbers"  # tables and lists of texts

SYSTEM = """
schema = "scmanip.system/1"
name = "all"
gravity_m_s2 = [0.0, 0.0, 0.0]
[base]
mass_kg = 50.0
com_m = [0.01, 0.0, 0.0]
inertia_kg_m2 = [4.0, 5.0, 6.0]
[[body]]
name = "upper"
parent = "base"
mass_kg = 5.0
com_m = [0.5, 0.0, 0.0]
inertia_kg_m2 = [0.1, 0.5, 0.5]
[body.joint]
name = "shoulder"
type = "revolute"
origin_m = [0.4, 0.1, 0.0]
rpy_rad = [0.1, 0.0, 0.0]
axis = [0, 0, 1]
lower_rad = -2.0
upper_rad = 2.0
stiffness_Nm_rad = 0.5
damping_Nms_rad = 0.5
[[body]]
name = "boom"
parent = "upper"
mass_kg = 4.0
com_m = [0.4, 0.0, 0.1]
inertia_kg_m2 = [0.1, 0.3, 0.3]
[body.joint]
name = "slide"
type = "prismatic"
origin_m = [1.0, 0.0, 0.0]
dcm = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
axis = [0, 1, 0]
lower_m = -1.0
upper_m = 1.0
stiffness_N_m = 2.0
damping_Ns_m = 1.0
[[frame]]
name = "tip"
body = "boom"
origin_m = [0.4, 0.0, 0.0]
[[frame]]
name = "lug"
body = "base"
origin_m = [0.4, 0.3, 0.0]
[[frame]]
name = "eye"
body = "upper"
origin_m = [0.4, 0.2, 0.0]
[[spring_damper]]
name = "rope"
between = ["lug", "eye"]
stiffness_N_m = 3.0
damping_Ns_m = 1.0
length_m = 0.1
[[wheel]]
name = "rx"
axis = [1, 0, 0]
inertia_kg_m2 = 0.05
torque_Nm = 0.5
speed_rad_s = 700.0
momentum_Nms = 30.0
damping_Nms_rad = 1e-3
[[wheel]]
name = "ry"
axis = [0, 1, 0]
inertia_kg_m2 = 0.05
[[wheel]]
name = "rz"
axis = [0, 0, 1]
inertia_kg_m2 = 0.04
[[motor]]
joint = "shoulder"
torque_Nm = 50.0
rate_rad_s = 2.0
gear_ratio = 10.0
rotor_inertia_kg_m2 = 1e-3
damping_Nms_rad = 1e-3
coulomb_Nm = 0.01
coulomb_width_rad_s = 0.02
"""
SHAPES = """
[[shape]]
name = "knob"
body = "boom"
type = "sphere"
radius_m = 0.2
origin_m = [0.4, 0.0, 0.0]
[[shape]]
name = "rod"
body = "upper"
type = "capsule"
radius_m = 0.25
length_m = 0.5
[[shape]]
name = "hull"
body = "base"
type = "box"
size_m = [0.4, 0.4, 0.4]
[[shape]]
name = "wall"
frame = "ground"
type = "plane"
origin_m = [1.3, 0.0, 0.0]
rpy_deg = [0.0, -90.0, 0.0]
"""
SHAPES += """
[[shape]]
name = "wedge"
body = "base"
type = "mesh"
vertices_m = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1.0]]
"""
CONSTRAINTS = """
[[constraint]]
name = "brake"
type = "lock"
joint = "shoulder"
slip_Nm = 2.0
[[constraint]]
name = "grasp"
type = "weld"
frames = ["tip", "lug"]
[[constraint]]
name = "pin"
type = "point"
frames = ["tip", "lug"]
[[constraint]]
name = "table"
type = "plane"
frames = ["tip", "lug"]
normal = [0.0, 0.0, 1.0]
[[constraint]]
name = "hinge"
type = "loop"
frames = ["tip", "lug"]
joint = "revolute"
axis = [0.0, 0.0, 1.0]
[[constraint]]
name = "gear"
type = "coupling"
joint = "slide"
of = "shoulder"
ratio = 0.5
[[constraint]]
name = "blade"
type = "knife_edge"
frame = "tip"
blocked_axis = [0.0, 1.0, 0.0]
[[constraint]]
name = "wheel"
type = "rolling"
frames = ["boom", "lug"]
radius_m = 0.1
normal = [0.0, 0.0, 1.0]
axis = [0.0, 1.0, 0.0]
[[constraint]]
name = "drive"
type = "speed"
row = { shoulder = 1.0 }
value = 0.1
"""
BALL = """
schema = "scmanip.system/1"
name = "ball"
[base]
mass_kg = 50.0
inertia_kg_m2 = [4.0, 5.0, 6.0]
[[body]]
name = "hand"
parent = "base"
mass_kg = 2.0
com_m = [0.2, 0.1, 0.0]
inertia_kg_m2 = [0.1, 0.2, 0.15]
[body.joint]
name = "wrist"
type = "spherical"
origin_m = [0.5, 0.1, 0.0]
damping_Nms_rad = 0.1
[[body]]
name = "mast"
parent = "base"
mass_kg = 1.0
com_m = [0.1, 0.0, 0.1]
inertia_kg_m2 = [0.1, 0.1, 0.15]
[body.joint]
name = "cardan"
type = "gimbal"
sequence = "xy"
origin_m = [-0.4, 0.0, 0.0]
damping_Nms_rad = 0.1
[[body]]
name = "box"
parent = "mast"
mass_kg = 1.0
com_m = [0.1, 0.0, 0.1]
inertia_kg_m2 = [0.1, 0.1, 0.15]
[body.joint]
name = "weld"
type = "fixed"
origin_m = [0.0, 0.2, 0.0]
[[body]]
name = "bolt"
parent = "base"
mass_kg = 1.0
com_m = [0.1, 0.0, 0.1]
inertia_kg_m2 = [0.1, 0.1, 0.15]
[body.joint]
name = "jack"
type = "screw"
axis = [0, 0, 1]
pitch_m_rad = 0.1
origin_m = [0.0, -0.3, 0.0]
damping_Nms_rad = 0.1
[[body]]
name = "puck"
parent = "base"
mass_kg = 1.0
com_m = [0.1, 0.0, 0.1]
inertia_kg_m2 = [0.1, 0.1, 0.15]
[body.joint]
name = "stage"
type = "planar"
origin_m = [0.0, 0.0, 0.3]
damping_x_Ns_m = 0.1
damping_turn_Nms_rad = 0.1
"""
THRUSTERS = "".join(
    f'[[thruster]]\nname = "{axis}{sign:+d}{end}"\nbody = "base"\nposition_m = {[*at]}\n'
    f"direction = {[sign if axis == other else 0 for other in 'xyz']}\nforce_N = 20.0\nisp_s = 200.0\n"
    for axis in "xyz" for sign in (1, -1) for end, at in enumerate(np.roll(np.array([[0.0, 0.7, 0.0], [0.0, -0.7, 0.0]]), "xyz".index(axis), 1).tolist())
)  # fmt: skip
ARMS = """
schema = "scmanip.system/1"
name = "arms"
[base]
fixed = true
[[arm]]
name = "left"
mount_m = [0.1, 0.0, 0.0]
mount_rpy_rad = [0.1, 0.2, 0.0]
[[arm.link]]
type = "revolute"
d_m = 0.1
theta_offset_rad = 0.1
alpha_rad = 0.5
a_m = 0.2
b_m = 0.3
mass_kg = 5.0
com_m = [0.1, 0.0, 0.1]
inertia_kg_m2 = [0.1, 0.2, 0.2]
damping_Nms_rad = 0.1
[[arm.link]]
type = "prismatic"
d_m = 0.1
theta_offset_rad = 0.1
alpha_rad = 0.5
a_m = 0.2
b_m = 0.3
mass_kg = 5.0
com_m = [0.1, 0.0, 0.1]
inertia_kg_m2 = [0.1, 0.2, 0.2]
damping_Ns_m = 0.1
"""
HD = """
schema = "scmanip.system/1"
name = "hd"
gravity_m_s2 = [0.0, 1.0, -9.81]
[base]
fixed = true
[[hd_link]]
type = "revolute"
alpha_rad = 0.5
a_m = 0.2
b_m = 0.3
mass_kg = 5.0
rho_m = [0.1, 0.0, 0.1]
inertia_kg_m2 = [0.1, 0.2, 0.2]
damping_Nms_rad = 0.1
[[hd_link]]
type = "prismatic"
alpha_rad = 0.5
a_m = 0.2
theta_rad = 0.3
mass_kg = 5.0
rho_m = [0.1, 0.0, 0.1]
inertia_kg_m2 = [0.1, 0.2, 0.2]
damping_Ns_m = 0.1
"""
HEAD = 'schema = "scmanip.mission/1"\nname = "keys"\ntitle = "Every key"\nsystem = "all.toml"\n'
END = "\n[integration]\nrtol = 1e-8\noutput_step_s = 0.05\n"
START = (
    "[initial]\nr_0_m = [1.0, 0.0, 0.0]\nrpy_rad = [0.1, 0.0, 0.2]\nv_0_m_s = [0.01, 0.0, 0.0]\nomega_0_rad_s = [0.0, 0.0, 0.01]\n"
    "q_rad = { shoulder = 0.2 }\nq_m = { slide = 0.1 }\n"
    "qdot_rad_s = { shoulder = 0.1 }\nqdot_m_s = { slide = 0.02 }\nwheel_rad_s = [10.0, 5.0, 0.0]\n"
)
MOVE = f"""{HEAD}{START}
[[phase]]
name = "move"
mode = "floating"
controller = {{ type = "computed_torque", K_P = 4.0, K_D = 3.0, feedforward = true, rate_Hz = 50.0, estimate = "known.toml" }}
guidance = {{ type = "joint_sequence", joints = ["shoulder"], rate_rad_s = 0.1, ramp_s = 0.02, cruise_s = [0.02, 0.04, 0.02], rest_s = 0.01, settle_s = 0.01 }}
{END}[limits]
base_rotation_rad = 1.0
[output]
figures = ["joint_rates"]
"""
GO = f"""{HEAD}{START}
[[phase]]
name = "go"
mode = "flying"
coordinates = "full"
controller = {{ type = "coordinated", K_P = 4.0, K_D = 3.0, base_K_P = 2.0, pose = {{ position_m = [1.1, 0.0, 0.0] }}, estimate = "known.toml" }}
guidance = {{ type = "cycloid", q_rad = {{ shoulder = 0.3 }}, q_m = {{ slide = 0.15 }}, duration_s = 0.1 }}
{END}[limits]
base_rotation_rad = 1.0
[output]
figures = ["joint_rates"]
"""
TURN = f"""{HEAD}{START}
[[phase]]
name = "turn"
mode = "rotation_floating"
controller = {{ type = "computed_torque", K_P = 4.0, K_D = 3.0, base_K_P = 2.0 }}
guidance = {{ type = "hold", q_rad = {{ shoulder = 0.25 }}, q_m = {{ slide = 0.15 }} }}
events = [{{ type = "joint_limits", then = "log" }}, {{ type = "saturation", torque_Nm = 100.0, force_N = 100.0, then = "stop" }}, {{ name = "near", type = "approach", frame = "tip", other = "lug", distance_m = 0.01 }}, {{ name = "there", type = "approach", point_m = [1.0, 1.0, 1.0], distance_m = 0.01, then = "log" }}]
until = {{ event = "near", timeout_s = 0.1 }}
{END}[limits]
base_rotation_rad = 1.0
[output]
figures = ["joint_rates"]
"""
CHAIN = f"""{HEAD}{START}
[[phase]]
name = "chain"
mode = "floating"
controller = [{{ type = "sum" }}, {{ type = "saturated", limit = 0.5 }}, {{ type = "delayed", delay_s = 0.02 }}, {{ type = "computed_torque", K_P = 4.0, K_D = 3.0 }}, {{ type = "joint_regulator", K_P = 4.0, K_D = 3.0 }}]
guidance = {{ type = "hold", q_rad = {{ shoulder = 0.4 }} }}
until = {{ t_s = 0.1 }}
{END}"""
CONTACTS = """
[[load]]
type = "contact"
name = "soft"
shapes = ["wall", "knob"]
deepest_m = 9.0
law = { type = "hunt_crossley", stiffness = 50.0, restitution = 0.5, speed_m_s = 1.0 }
friction = { type = "coulomb", coefficient = 0.5, stick_m_s = 0.1 }
[[load]]
type = "contact"
name = "rough"
shapes = ["hull", "rod"]
deepest_m = 9.0
noted = false
law = { type = "kelvin_voigt", stiffness_N_m = 50.0, damping_Ns_m = 5.0 }
friction = { type = "bristle", coefficient = 0.5, deflection_m = 0.01, relaxation_s = 0.02, stribeck_m_s = 0.1 }
[[load]]
type = "contact"
name = "smooth"
shapes = ["wall", "rod"]
deepest_m = 9.0
law = { type = "hunt_crossley", stiffness = 50.0, damping_s_m = 0.1 }
friction = { type = "frictionless" }
[[load]]
type = "attitude_hold"
name = "own"
body = "upper"
stiffness_Nm_rad = 2.0
damping_Nms_rad = 1.0
torque_limit_Nm = 0.5
rpy_rad = [0.1, 0.0, 0.2]
[[load]]
type = "bushing"
name = "mount"
frames = ["eye", "tip"]
stiffness_N_m = 3.0
damping_Ns_m = 1.0
stiffness_Nm_rad = [1.0, 2.0, 3.0]
damping_Nms_rad = 0.5
rpy_rad = [0.1, 0.0, 0.2]
"""
STAY = f"""{HEAD}{START}
[[phase]]
name = "stay"
mode = "floating"
controller = {{ type = "computed_torque", K_P = 4.0, K_D = 3.0 }}
guidance = {{ type = "hold" }}
until = {{ t_s = 0.06 }}
{END}[limits]
base_rotation_rad = 1.0
[output]
figures = ["joint_rates"]
"""
SWITCH = """
[[switch]]
name = "hold"
t_s = 0.03
impose = "drive"
"""
TOUCHING = (
    STAY.replace(
        'guidance = { type = "hold" }',
        'guidance = { type = "hold" }\nevents = [{ name = "hit", type = "meeting", shapes = ["wall", "knob"], then = "log" }]',
    )
    + """
[[contact]]
name = "hard"
shapes = ["wall", "rod"]
law = "newton"
restitution = 0.5
friction = 0.2
[[switch]]
name = "blow"
event = "hit"
[switch.strike]
pairs = [["wall", "knob"]]
law = "newton"
restitution = 0.5
friction = 0.2
rests = "drive"
"""
)
BALLS = (
    HEAD
    + """
[initial]
q_rad = { cardan = [0.1, 0.2], jack = 0.1, "stage.turn" = 0.1 }
q_m = { "stage.x" = 0.02, "stage.y" = -0.01 }
q_xyzw = { wrist = [0.6, 0.0, 0.0, 0.8] }
qdot_rad_s = { wrist = [0.1, 0.0, 0.0], cardan = [0.1, 0.1] }
[[phase]]
name = "go"
mode = "floating"
controller = { type = "computed_torque" }
guidance = { type = "cycloid", q_xyzw = { wrist = [0.0, 0.0, 0.0, 1.0] }, duration_s = 0.1 }
[[phase]]
name = "stay"
mode = "floating"
controller = { type = "computed_torque" }
guidance = { type = "hold", q_xyzw = { wrist = [0.0, 0.0, 0.0, 1.0] } }
until = { t_s = 0.05 }
"""
    + END
)
REACH = f"""{HEAD}{START}
[[phase]]
name = "reach"
mode = "flying"
controller = {{ type = "resolved_rate", K = 0.5, sigma_0 = 0.05, K_D = 3.0, base_K_P = 2.0, pose = {{ position_m = [1.1, 0.0, 0.0], rpy_rad = [0.0, 0.0, 0.1] }} }}
guidance = {{ type = "reach", displacement_m = [0.01, 0.0, 0.0], rpy_rad = [0.0, 0.0, 0.5], duration_s = 0.1 }}
{END}"""
TASKS = f"""{HEAD}{START}
[[phase]]
name = "tasks"
mode = "floating"
controller = [{{ type = "task_priority", levels = [1, 1], rest_K_D = 1.5 }}, {{ type = "quiet_base", axes = ["rz"] }}, {{ type = "task_computed_torque", axes = ["x", "y"] }}]
guidance = {{ type = "reach", displacement_m = [0.01, 0.0, 0.0], duration_s = 0.1 }}
{END}"""
OF_CHAIN = next(line for line in CHAIN.splitlines() if line.startswith("controller"))
MEMORIES = CHAIN.replace(
    OF_CHAIN,
    'controller = [{ type = "rate_limited", limit = 3.0, rate_Hz = 50.0 }, { type = "filtered", bandwidth_rad_s = 30.0, damping = 0.7, '
    'notch_rad_s = 20.0 }, { type = "integral", K_I = 2.0, unwinding_1_s = 3.0 }, { type = "joint_regulator", K_P = 4.0, K_D = 3.0 }]',
)
SCHEDULED = CHAIN.replace('{ type = "sum" }', '{ type = "scheduled", over_rad = { shoulder = [0.1, 0.7] } }')
OF_MODES = CHAIN.replace('{ type = "sum" }', '{ type = "mode_dependent", modes = ["floating", "fixed_base"] }')
PRESSED = TASKS.replace(
    TASKS[TASKS.index("controller") : TASKS.index("guidance")],
    'impose = "table"\ncontroller = { type = "constraint_force", constraint = "table", force = 1.5 }\n',
)
LIMITED = TASKS.replace(
    '[{ type = "task_pri', '[{ type = "quadratic_program", rate_Hz = 50.0, share = 0.9 }, { type = "task_pri'
)
SPRUNG = TASKS.replace(
    TASKS[TASKS.index("controller") : TASKS.index("guidance")],
    'controller = { type = "cartesian_impedance", K = 20.0, D = 15.0, axes = ["x", "y"] }\n',
)
PULLED = SPRUNG.replace('"cartesian_impedance", K = 20.0, D = 15.0', '"transposed_jacobian", K_P = 20.0, K_D = 15.0')
TUMBLING = f"""{HEAD}{START}
[[phase]]
name = "tumble"
mode = "flying"
controller = {{ type = "momentum_distribution", K = 0.4 }}
guidance = {{ type = "hold", q_rad = {{ shoulder = 0.4 }} }}
until = {{ t_s = 0.1 }}
{END}"""
AIMED = TUMBLING.replace('"flying"', '"rotation_flying"').replace(
    '{ type = "momentum_distribution", K = 0.4 }',
    '[{ type = "base_attitude", pose = { rpy_rad = [0.0, 0.0, 0.1] } }, { type = "joint_regulator", K_P = 4.0, K_D = 3.0 }]',
)
POSTURE = f"""{HEAD}{START}
[[phase]]
name = "rest"
mode = "flying"
controller = {{ type = "posture", K_P = 4.0 }}
guidance = {{ type = "hold", q_rad = {{ shoulder = 0.4 }} }}
until = {{ t_s = 0.1 }}
{END}"""
LEARNT = POSTURE.replace(
    '"posture", K_P = 4.0', '"passivity_adaptive", K_D = 4.0, base_K_D = 6.0, gamma = 0.5, pose = { rpy_rad = [0.0, 0.0, 0.1] }'
)
OBSERVED = POSTURE.replace(
    '{ type = "posture", K_P = 4.0 }', '[{ type = "disturbance_observer", bandwidth_rad_s = 20.0 }, { type = "coordinated" }]'
)
ADMITTED = SPRUNG.replace(
    '{ type = "cartesian_impedance", K = 20.0, D = 15.0, axes = ["x", "y"] }',
    '[{ type = "cartesian_admittance", mass = 6.0, D = 15.0, K = 20.0, axes = ["y"] }, '
    '{ type = "disturbance_observer", bandwidth_rad_s = 20.0 }, { type = "task_computed_torque", axes = ["x", "y"] }]',
)
FED = f"""{HEAD}{START}
[[phase]]
name = "rest"
mode = "floating"
controller = {{ type = "state_feedback", gain = {{ "tau[shoulder]" = {{ shoulder = 4.0, "shoulder[rate]" = 3.0 }} }} }}
guidance = {{ type = "hold", q_rad = {{ shoulder = 0.4 }} }}
until = {{ t_s = 0.1 }}
{END}"""
FILTERED = FED.replace(
    'state_feedback", gain = { "tau[shoulder]" = { shoulder = 4.0, "shoulder[rate]" = 3.0 } }',
    'output_feedback", sees = ["shoulder"], commands = ["tau[shoulder]"], A = [[-20.0]], B = [[1.0]], C = [[60.0]], D = [[-7.0]]',
)
FOLLOW = (
    REACH.replace('type = "reach", displacement_m = [0.01, 0.0, 0.0]', 'type = "follow", frame = "tip", of = "client"')
    .replace("duration_s = 0.1 }", "duration_s = 0.1 }\nuntil = { t_s = 0.1 }")
    .replace(
        "q_m = { slide = 0.1 }", "q_m = { slide = 0.1, client = [2.0, 0.3, 0.0] }\nq_xyzw = { client = [0.0, 0.0, 0.6, 0.8] }"
    )
)
CLIENT = '\n[[body]]\nname = "client"\nparent = "ground"\nmass_kg = 5.0\ninertia_kg_m2 = [0.3, 0.4, 0.5]\njoint = { type = "free" }\n'
SENSED = (
    FOLLOW.replace('type = "resolved_rate"', 'type = "resolved_rate", rate_Hz = 50.0')
    + """
[[sensor]]
type = "encoders"
name = "turns"
noise = 1e-3
[[sensor]]
type = "tachometers"
name = "speeds"
noise = 1e-3
[[sensor]]
type = "gyro"
name = "imu"
angle_walk_rad_rt_s = 1e-3
[[sensor]]
type = "star_tracker"
name = "stars"
noise_rad = [1e-3, 1e-3, 1e-3]
[[sensor]]
type = "camera"
name = "cam"
frame = "base"
target = "client"
noise_m = 1e-2
noise_rad = 1e-2
[[sensor]]
type = "force_torque"
name = "wrist"
at = "shoulder"
[[estimator]]
type = "attitude"
name = "att"
gyro = "imu"
star_tracker = "stars"
sigma_rad = 0.01
sigma_rad_s = 0.01
[[estimator]]
type = "target"
name = "seen"
camera = "cam"
sigma_m = 0.01
sigma_m_s = 0.01
sigma_rad = 0.01
sigma_rad_s = 0.01
sigma_ratio = 0.01
sigma_arm_m = 0.01
[[estimator]]
type = "momentum"
name = "push"
bandwidth_rad_s = 5.0
[[estimator]]
type = "differentiator"
name = "rates"
encoders = "turns"
[observation]
seed = 1
"""
)
LINE = HEAD + """
[initial]
q_rad = { joint1 = 0.2 }
q_m = { joint2 = 0.4 }
[[phase]]
name = "line"
mode = "fixed_base"
controller = { type = "joint_regulator", K_P = 40.0, K_D = 30.0, estimate = "known.toml", rate_Hz = 100.0 }
guidance = { type = "hold" }
until = { t_s = 0.1 }
""" + END  # fmt: skip
DRAWN = HEAD + """
[initial]
q_rad = [0.2, 0.6, 0.5]
[[phase]]
name = "draw"
mode = "fixed_base"
controller = { type = "computed_torque", K_P = 40.0, K_D = 30.0 }
guidance = { type = "line", frame = "nose", direction = [1.0, 1.0, 0.0], distance_m = 0.02, duration_s = 0.1 }
""" + END  # fmt: skip
PLANAR = """
schema = "scmanip.system/1"
name = "planar"
[base]
fixed = true
[[arm]]
[[arm.link]]
type = "revolute"
a_m = 1.0
mass_kg = 5.0
inertia_kg_m2 = [0.1, 0.2, 0.2]
[[arm.link]]
type = "revolute"
a_m = 1.0
mass_kg = 5.0
inertia_kg_m2 = [0.1, 0.2, 0.2]
[[arm.link]]
type = "revolute"
a_m = 1.0
mass_kg = 5.0
inertia_kg_m2 = [0.1, 0.2, 0.2]
[[frame]]
name = "nose"
body = "link3"
origin_m = [0.1, 0.0, 0.0]
[[frame]]
name = "eye"
body = "link3"
origin_m = [0.3, 0.0, 0.0]
"""
ORBIT = 'orbit = { type = "circular", altitude_m = 400000.0, inclination_rad = 0.5, raan_rad = 0.1, argument_of_latitude_rad = 0.2 }\n'
ELLIPSE = (
    'orbit = { type = "elliptic", semi_major_axis_m = 7000000.0, eccentricity = 0.02, inclination_rad = 0.5, raan_rad = 0.1, '
    "argument_of_periapsis_rad = 0.2, true_anomaly_rad = 0.3 }\n"
)
OUTSIDE = STAY.replace("[limits]", f"[environment]\nmu_m3_s2 = 3.9e14\nbody_radius_m = 6300000.0\n{ORBIT}\n[limits]")
FILES: dict[str, tuple[str, str]] = {
    "move": (MOVE, SYSTEM),
    "go": (GO, SYSTEM),
    "turn": (TURN, SYSTEM),
    "stay": (STAY, SYSTEM),
    "chain": (CHAIN, SYSTEM),
    "memories": (MEMORIES, SYSTEM),
    "tasks": (TASKS, SYSTEM),
    "tasks aloft": (TASKS.replace('"floating"', '"flying"'), SYSTEM),
    "limited": (LIMITED, SYSTEM),
    "scheduled": (SCHEDULED, SYSTEM),
    "of modes": (OF_MODES, SYSTEM),
    "pressed": (
        PRESSED,
        SYSTEM + CONSTRAINTS.replace("normal = [0.0, 0.0, 1.0]\n[[", "normal = [0.0, 0.0, 1.0]\ntolerance_m = 0.1\n[[", 1),
    ),
    "sprung": (SPRUNG, SYSTEM),
    "pulled": (PULLED, SYSTEM),
    "tumbling": (TUMBLING, SYSTEM),
    "aimed": (AIMED, SYSTEM),
    "posture": (POSTURE, SYSTEM),
    "learnt": (LEARNT, SYSTEM),
    "observed": (OBSERVED, SYSTEM),
    "admitted": (ADMITTED, SYSTEM),
    "fed": (FED, SYSTEM),
    "filtered and fed": (FILTERED, SYSTEM),
    "ball": (BALLS, BALL),
    "thrusters": (
        GO.replace("duration_s = 0.1", "duration_s = 0.02")
        .replace("output_step_s = 0.05", "output_step_s = 0.02")
        .replace("rtol = 1e-8", "rtol = 1e-3"),
        SYSTEM + THRUSTERS,
    ),
    "reach": (REACH, SYSTEM),
    "follow": (FOLLOW, SYSTEM + CLIENT),
    "sensed": (SENSED, SYSTEM + CLIENT),
    "line": (LINE, HD),
    "arms": (LINE, ARMS),
    "draw": (DRAWN, PLANAR),
    "outside": (OUTSIDE, SYSTEM),
    "held": (STAY, SYSTEM + CONSTRAINTS),
    "switched": (STAY + SWITCH, SYSTEM + CONSTRAINTS),
    "shapes": (STAY + CONTACTS, SYSTEM + SHAPES),
    "touching": (TOUCHING, SYSTEM + CONSTRAINTS + SHAPES.replace("[1.3, 0.0, 0.0]", "[9.0, 0.0, 0.0]")),
    "steps": (STAY.replace("rtol = 1e-8", 'integrator = "rk4"\nstep_s = 0.02'), SYSTEM),
    "stiff": (STAY.replace("rtol = 1e-8", 'integrator = "radau"\nrtol = 1e-8'), SYSTEM),
    "other steps": (STAY.replace("rtol = 1e-8", 'integrator = "fixed_dop853"\nstep_s = 0.02'), SYSTEM),
    "ellipse": (OUTSIDE.replace(ORBIT, ELLIPSE), SYSTEM),
}

KNOWN = {  # by the first phase, what controllers believe in that name an estimate: it stays as it is
    tables["name"]: system.replace("mass_kg = 5.0", "mass_kg = 5.5")
    for mission, system in FILES.values()
    for tables in TomlDocument.parse(mission, "text").data["phase"][:1]
}

# by schema table: the files that have one, the path of it in a study, and in the files
PLACES: dict[str, tuple[str, str, tuple[Any, ...]]] = {
    "MissionFile": ("stay", "", ()),
    "InitialTable": ("stay", "initial", ("initial",)),
    "PhaseTable": ("go", "phase.go", ("phase", 0)),
    "ComputedTorqueTable": ("move", "phase.move.controller", ("phase", 0, "controller")),
    "CoordinatedTable": ("go", "phase.go.controller", ("phase", 0, "controller")),
    "PoseTable": ("go", "phase.go.controller.pose", ("phase", 0, "controller", "pose")),
    "BaseLawTable": ("turn", "phase.turn.controller", ("phase", 0, "controller")),
    "PosedTable": ("turn", "phase.turn.controller", ("phase", 0, "controller")),
    "JointRegulatorTable": ("line", "phase.line.controller", ("phase", 0, "controller")),
    "ResolvedRateTable": ("reach", "phase.reach.controller", ("phase", 0, "controller")),
    "TaskPriorityTable": ("tasks", "phase.tasks.controller.task_priority", ("phase", 0, "controller", 0)),
    "ConstraintForceTable": ("pressed", "phase.tasks.controller", ("phase", 0, "controller")),
    "ScheduledTable": ("scheduled", "phase.chain.controller.scheduled", ("phase", 0, "controller", 0)),
    "ModeDependentTable": ("of modes", "phase.chain.controller.mode_dependent", ("phase", 0, "controller", 0)),
    "QuadraticProgramTable": ("limited", "phase.tasks.controller.quadratic_program", ("phase", 0, "controller", 0)),
    "QuietBaseTable": ("tasks", "phase.tasks.controller.quiet_base", ("phase", 0, "controller", 1)),
    "TaskComputedTorqueTable": ("tasks", "phase.tasks.controller.task_computed_torque", ("phase", 0, "controller", 2)),
    "CartesianImpedanceTable": ("sprung", "phase.tasks.controller", ("phase", 0, "controller")),
    "TransposedJacobianTable": ("pulled", "phase.tasks.controller", ("phase", 0, "controller")),
    "MomentumDistributionTable": ("tumbling", "phase.tumble.controller", ("phase", 0, "controller")),
    "BaseAttitudeTable": ("aimed", "phase.tumble.controller.base_attitude", ("phase", 0, "controller", 0)),
    "StateFeedbackTable": ("fed", "phase.rest.controller", ("phase", 0, "controller")),
    "OutputFeedbackTable": ("filtered and fed", "phase.rest.controller", ("phase", 0, "controller")),
    "DisturbanceObserverTable": ("observed", "phase.rest.controller.disturbance_observer", ("phase", 0, "controller", 0)),
    "CartesianAdmittanceTable": ("admitted", "phase.tasks.controller.cartesian_admittance", ("phase", 0, "controller", 0)),
    "PassivityAdaptiveTable": ("learnt", "phase.rest.controller", ("phase", 0, "controller")),
    "PostureTable": ("posture", "phase.rest.controller", ("phase", 0, "controller")),
    "SumTable": ("chain", "phase.chain.controller.sum", ("phase", 0, "controller", 0)),
    "SaturatedTable": ("chain", "phase.chain.controller.saturated", ("phase", 0, "controller", 1)),
    "DelayedTable": ("chain", "phase.chain.controller.delayed", ("phase", 0, "controller", 2)),
    "RateLimitedTable": ("memories", "phase.chain.controller.rate_limited", ("phase", 0, "controller", 0)),
    "FilteredTable": ("memories", "phase.chain.controller.filtered", ("phase", 0, "controller", 1)),
    "IntegralTable": ("memories", "phase.chain.controller.integral", ("phase", 0, "controller", 2)),
    "JointSequenceTable": ("move", "phase.move.guidance", ("phase", 0, "guidance")),
    "CycloidTable": ("go", "phase.go.guidance", ("phase", 0, "guidance")),
    "HoldTable": ("turn", "phase.turn.guidance", ("phase", 0, "guidance")),
    "LineTable": ("draw", "phase.draw.guidance", ("phase", 0, "guidance")),
    "FollowTable": ("follow", "phase.reach.guidance", ("phase", 0, "guidance")),
    "ReachTable": ("reach", "phase.reach.guidance", ("phase", 0, "guidance")),
    "UntilTable": ("turn", "phase.turn.until", ("phase", 0, "until")),
    "JointLimitsEventTable": ("turn", "phase.turn.events.joint_limits", ("phase", 0, "events", 0)),
    "SaturationEventTable": ("turn", "phase.turn.events.saturation", ("phase", 0, "events", 1)),
    "ApproachEventTable": ("turn", "phase.turn.events.near", ("phase", 0, "events", 2)),
    "EventTable": ("turn", "phase.turn.events.there", ("phase", 0, "events", 3)),
    "DOP853Table": ("stay", "integration", ("integration",)),
    "RadauTable": ("stiff", "integration", ("integration",)),
    "RK4Table": ("steps", "integration", ("integration",)),
    "FixedDOP853Table": ("other steps", "integration", ("integration",)),
    "GravityTable": ("outside", "environment", ("environment",)),
    "EncodersTable": ("sensed", "sensor.turns", ("sensor", 0)),
    "TachometersTable": ("sensed", "sensor.speeds", ("sensor", 1)),
    "GyroTable": ("sensed", "sensor.imu", ("sensor", 2)),
    "StarTrackerTable": ("sensed", "sensor.stars", ("sensor", 3)),
    "CameraTable": ("sensed", "sensor.cam", ("sensor", 4)),
    "ForceTorqueTable": ("sensed", "sensor.wrist", ("sensor", 5)),
    "AttitudeFilterTable": ("sensed", "estimator.att", ("estimator", 0)),
    "TargetFilterTable": ("sensed", "estimator.seen", ("estimator", 1)),
    "MomentumObserverTable": ("sensed", "estimator.push", ("estimator", 2)),
    "DifferentiatorTable": ("sensed", "estimator.rates", ("estimator", 3)),
    "ObservationTable": ("sensed", "observation", ("observation",)),
    "ContactTable": ("shapes", "load.soft", ("load", 0)),
    "HuntCrossleyTable": ("shapes", "load.soft.law", ("load", 0, "law")),
    "KelvinVoigtTable": ("shapes", "load.rough.law", ("load", 1, "law")),
    "CoulombTable": ("shapes", "load.soft.friction", ("load", 0, "friction")),
    "BristleTable": ("shapes", "load.rough.friction", ("load", 1, "friction")),
    "FrictionlessTable": ("shapes", "load.smooth.friction", ("load", 2, "friction")),
    "AttitudeHoldTable": ("shapes", "load.own", ("load", 3)),
    "BushingTable": ("shapes", "load.mount", ("load", 4)),
    "CircularTable": ("outside", "environment.orbit", ("environment", "orbit")),
    "EllipticTable": ("ellipse", "environment.orbit", ("environment", "orbit")),
    "BranchTable": ("turn", "phase.turn.on", ("phase", 0, "on")),
    "SwitchTable": ("switched", "switch.hold", ("switch", 0)),
    "RigidContactTable": ("touching", "contact.hard", ("contact", 0)),
    "StrikeTable": ("touching", "switch.blow.strike", ("switch", 0, "strike")),
    "MeetingEventTable": ("touching", "phase.stay.events.hit", ("phase", 0, "events", 0)),
    "LimitsTable": ("stay", "limits", ("limits",)),
    "OutputTable": ("stay", "output", ("output",)),
}
SYSTEM_PLACES: dict[str, tuple[str, str, tuple[Any, ...]]] = {
    "SystemFile": ("stay", "system", ()),
    "BaseTable": ("stay", "system.body.base", ("base",)),
    "BodyTable": ("stay", "system.body.upper", ("body", 0)),
    "RevoluteJointPlacement": ("stay", "system.joint.shoulder", ("body", 0, "joint")),
    "PrismaticJointPlacement": ("stay", "system.joint.slide", ("body", 1, "joint")),
    "SphericalJointPlacement": ("ball", "system.joint.wrist", ("body", 0, "joint")),
    "GimbalJointPlacement": ("ball", "system.joint.cardan", ("body", 1, "joint")),
    "FixedJointPlacement": ("ball", "system.joint.weld", ("body", 2, "joint")),
    "ScrewJointPlacement": ("ball", "system.joint.jack", ("body", 3, "joint")),
    "PlanarJointPlacement": ("ball", "system.joint.stage", ("body", 4, "joint")),
    "FrameTable": ("draw", "system.frame.nose", ("frame", 0)),
    "SpringDamperTable": ("stay", "system.spring_damper.rope", ("spring_damper", 0)),
    "SphereTable": ("shapes", "system.shape.knob", ("shape", 0)),
    "CapsuleTable": ("shapes", "system.shape.rod", ("shape", 1)),
    "BoxTable": ("shapes", "system.shape.hull", ("shape", 2)),
    "MeshTable": ("shapes", "system.shape.wedge", ("shape", 4)),
    "PlaneTable": ("shapes", "system.shape.wall", ("shape", 3)),
    "LockTable": ("held", "system.constraint.brake", ("constraint", 0)),
    "WeldTable": ("held", "system.constraint.grasp", ("constraint", 1)),
    "PointOnPointTable": ("held", "system.constraint.pin", ("constraint", 2)),
    "PointOnPlaneTable": ("held", "system.constraint.table", ("constraint", 3)),
    "LoopTable": ("held", "system.constraint.hinge", ("constraint", 4)),
    "CouplingTable": ("held", "system.constraint.gear", ("constraint", 5)),
    "KnifeEdgeTable": ("held", "system.constraint.blade", ("constraint", 6)),
    "RollingTable": ("held", "system.constraint.wheel", ("constraint", 7)),
    "SpeedTable": ("held", "system.constraint.drive", ("constraint", 8)),
    "WheelTable": ("turn", "system.wheel.rx", ("wheel", 0)),
    "ThrusterTable": ("thrusters", "system.thruster.x+10", ("thruster", 0)),
    "MotorTable": ("stay", "system.motor.shoulder", ("motor", 0)),
    "ArmTable": ("arms", "system.arm.left", ("arm", 0)),
    "RevoluteArmLink": ("arms", "system.body.link1", ("arm", 0, "link", 0)),
    "PrismaticArmLink": ("arms", "system.body.link2", ("arm", 0, "link", 1)),
    "RevoluteHdLink": ("line", "system.body.link1", ("hd_link", 0)),
    "PrismaticHdLink": ("line", "system.body.link2", ("hd_link", 1)),
}
OTHERWISE = {  # keys that the place of their table has no use for
    "TaskPriorityTable.rest_K_D": ("tasks aloft", "phase.tasks.controller.task_priority", ("phase", 0, "controller", 0)),
    "HuntCrossleyTable.damping_s_m": ("shapes", "load.smooth.law", ("load", 2, "law")),
    "InitialTable.q_xyzw": ("ball", "initial", ("initial",)),
    "CycloidTable.q_xyzw": ("ball", "phase.go.guidance", ("phase", 0, "guidance")),
    "HoldTable.q_xyzw": ("ball", "phase.stay.guidance", ("phase", 1, "guidance")),
}
INNER = {  # tables of which others are made, or that hold them
    *(
        "BaseModel",
        "MissionFileTable",
        "PartTable",
        "Kind",
        "ControllerTable",
        "WrapperTable",
        "PhaseKeys",
        "SeenTable",
        "SensorTable",
        "EstimatorTable",
        "LoadTable",
        "BlowTable",
        "IntegrationTable",
        "FixedStepTable",
        "ToleranceTable",
    ),
    *("GuidanceTable", "JointGoalTable"),
    *(
        "ConstraintTable",
        "ShapePlacement",
        "SystemFileTable",
        "PlacementTable",
        "JointPlacement",
        "ArmLink",
        "HdLink",
        "VisualTable",
    ),
}
NOT_FLOWN = {
    "FreeJointPlacement",  # no mode flies bodies that the base does not carry
    *("PythonControllerTable", "PythonGuidanceTable"),  # objects, which files cannot hold: test_own_parts
}
QUARTER = [0.0, 0.0, np.sqrt(0.5), np.sqrt(0.5)]
TURNED = [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
BLOW = {"law": "poisson", "restitution": 0.3, "friction": 0.4, "plastic_below_m_s": 0.01, "within_m": 1e-5}
VALUES: dict[str, Any] = {
    "QuadraticProgramTable.rate_Hz": 25.0,
    "over_rad": {"shoulder": [0.2, 0.9]},
    "over_deg": {"shoulder": [10.0, 30.0]},
    "over_m": {"slide": [0.1, 0.3]},
    "ModeDependentTable.modes": ["floating", "flying"],
    "ConstraintForceTable.constraint": "pin",
    "force": 2.5,
    "rows": ["normal"],
    "share": 0.5,
    "approach_1_s": 2.0,
    "solver": "piqp",
    "StateFeedbackTable.gain": {"tau[shoulder]": {"shoulder": 6.0}},
    "factor": 1.5,
    **{"sees": ["elbow"], "commands": ["tau[elbow]"], "A": [[-10.0]], "B": [[2.0]], "C": [[50.0]], "D": [[-8.0]]},
    **{"per_sample": True, "instability_rad_s": 1e-4, "correlation_s": 50.0},
    **{"bandwidth_rad_s": 20.0, "damping": 0.9, "notch_rad_s": 25.0, "notch_width": 0.4, "K_I": 4.0, "unwinding_1_s": 2.0},
    "gamma": 2.0,
    "mass": 9.0,
    "DisturbanceObserverTable.bandwidth_rad_s": 9.0,
    **dict.fromkeys(["Lambda", "base_Lambda"], 3.0),
    **{"title": "Another", "name": "other", "schema": "scmanip.mission/2", "system": "known.toml"},
    **{"side": "hardware.toml", "roots": ["meshes"]},
    **{
        "initial": {},
        "phase": [],
        "environment": {},
        "load": {},
        "integration": {},
        "limits": {},
        "output": {},
        "figures": ["energy"],
    },
    **{"r_0_m": [2.0, 0.0, 0.0], "attitude_xyzw": QUARTER, "rpy_rad": [0.3, 0.0, 0.1], "rpy_deg": [20.0, 0.0, 10.0]},
    **{"v_0_m_s": [0.02, 0.0, 0.0], "omega_0_rad_s": [0.0, 0.02, 0.0], "omega_0_deg_s": [0.0, 3.0, 0.0]},
    **{"q_rad": {"shoulder": 0.35}, "q_deg": {"shoulder": 20.0}, "q_m": {"slide": 0.2}},
    **{"q_xyzw": {"wrist": [0.0, 0.6, 0.0, 0.8]}, "qdot_rad_s": {"shoulder": 0.2}, "qdot_deg_s": {"shoulder": 20.0}},
    **{"qdot_m_s": {"slide": 0.05}, "wheel_rad_s": [20.0, 5.0, 1.0], "wheel_rpm": [200.0, 50.0, 1.0]},
    **{"mode": "rotation_flying", "modes": ["flying", "floating"], "controller": {}, "guidance": {}, "events": [], "until": {}},
    **{
        "coordinates": "momentum_reduced",
        "type": "coordinated",
        "K_P": 8.0,
        "K_D": 7.0,
        "feedforward": False,
        "estimate": "all.toml",
    },
    **{
        "levels": [1, 2],
        "weights": [1.0, 3.0],
        "rest_K_D": 2.5,
        "D": 9.0,
        "K_q": 0.7,
        "QuietBaseTable.axes": ["rx", "rz"],
        "axes": ["x"],
    },
    **{
        "limit": 0.3,
        "delay_s": 0.03,
        "rate_Hz": 25.0,
        "base_K_P": 3.0,
        "base_K_D": 5.0,
        "pose": {},
        "K": 0.8,
        "sigma_0": 0.2,
        "position_m": [1.2, 0.1, 0.0],
    },
    **{
        "joints": ["slide"],
        "rate_rad_s": 0.2,
        "rate_deg_s": 10.0,
        "rate_m_s": 0.2,
        "ramp_s": 0.03,
        "cruise_s": [0.01, 0.03, 0.02],
    },
    **{"rest_s": 0.03, "settle_s": 0.05, "frame": "eye", "direction": [0.0, 1.0, 0.0], "distance_m": 0.04, "duration_s": 0.15},
    **{"displacement_m": [0.02, 0.01, 0.0], "hold_attitude": True, "t_s": 0.08, "event": "there", "timeout_s": 0.08},
    **{"then": "stop", "torque_Nm": 0.02, "force_N": 0.02, "other": "eye", "point_m": [2.0, 0.1, 0.2]},
    **{"integrator": "fixed_dop853", "step_s": 0.01, "rtol": 1e-6, "atol": 1e-6, "output_step_s": 0.03, "orbit": {}},
    **{"mu_m3_s2": 4.1e14, "body_radius_m": 6.4e6, "body_radius_km": 6500.0, "altitude_m": 5e5, "altitude_km": 600.0},
    **{
        "radius_m": 7e6,
        "radius_km": 7100.0,
        "inclination_rad": 0.7,
        "inclination_deg": 50.0,
        "raan_rad": 0.4,
        "raan_deg": 60.0,
    },
    **{
        "argument_of_latitude_rad": 0.5,
        "argument_of_latitude_deg": 70.0,
        "semi_major_axis_m": 7.5e6,
        "semi_major_axis_km": 7200.0,
    },
    **{"eccentricity": 0.1, "argument_of_periapsis_rad": 0.7, "argument_of_periapsis_deg": 80.0},
    **{"true_anomaly_rad": 0.9, "true_anomaly_deg": 100.0},
    **{
        "ReachTable.position_m": [1.5, 0.2, 0.1],
        "ReachTable.attitude_xyzw": QUARTER,
        "FollowTable.of": "eye",
        "BushingTable.active": False,
        "CoordinatedTable.feedforward": False,
    },
    **{
        "JointRegulatorTable.estimate": "known.toml",
        "CoordinatedTable.type": "computed_torque",
        "SaturationEventTable.then": "log",
    },
    **{"FixedDOP853Table.integrator": "rk4"},
    **{"ComputedTorqueTable.rate_Hz": 20.0, "LineTable.type": "reach", "ApproachEventTable.type": "joint_limits"},
    **{"ApproachEventTable.distance_m": 1.9, "EventTable.frame": "eye", "HoldTable.q_rad": {"shoulder": 0.4}},
    **{"CircularTable.type": "elliptic", "EllipticTable.type": "circular", "ApproachEventTable.then": "stop"},
    **{"sensor": {}, "estimator": {}, "observation": {}, "seed": 3, "case": 2, "resolution": 2e-3, "noise": 3e-3, "bias": 0.01},
    **{"angle_walk_rad_rt_s": 0.01, "rate_walk_rad_s_rt_s": 0.02, "bias_rad_s": [0.01, 0.02, 0.03], "noise_rad": 0.02},
    **{
        "noise_m": 0.02,
        "noise_m_per_m": 0.02,
        "noise_rad_per_m": 0.01,
        "half_angle_rad": 1.0,
        "dropout": 0.5,
        "latency_s": 0.02,
    },
    **{
        "noise_N": 1.0,
        "noise_Nm": 1.0,
        "at": "slide",
        "target": "client.com",
        "StarTrackerTable.noise_rad": [0.02, 0.02, 0.01],
    },
    **{f"sigma_{unit}": 0.02 for unit in ("m", "m_s", "rad", "rad_s", "ratio", "arm_m")},
    **{"push_m_s_rt_s": 0.02, "spin_rad_s_rt_s": 0.02, "bandwidth_rad_s": 8.0, "threshold_N": 1.0, "threshold_Nm": 1.0},
    **{"gyro": "other", "star_tracker": "other", "camera": "other", "encoders": "other", "StarTrackerTable.frame": "base"},
    # systems
    **{"gravity_m_s2": [0.0, 0.0, -1.0], "base": {}, "body": "base", "frame_": [], "arm": [], "spring_damper": [], "wheel": []},
    **{"thruster": [], "motor": [], "hd_link": [], "fixed": True, "mass_kg": 6.5, "com_m": [0.1, 0.05, 0.0], "parent": "base"},
    **{
        "inertia_kg_m2": [0.3, 0.4, 0.35],
        "joint": "slide",
        "axis": [1.0, 0.0, 0.0],
        "origin_m": [0.5, 0.2, 0.1],
        "dcm": TURNED,
    },
    **{"quaternion_xyzw": QUARTER, "lower_rad": -1.0, "upper_rad": 1.0, "lower_deg": -50.0, "upper_deg": 50.0},
    **{f"{what}_{part}_{unit}": value for what, value in (("lower", -0.5), ("upper", 0.5)) for part in "xy" for unit in "m"},
    **{f"{what}_{part}_{unit}": 0.8 for what, unit in (("stiffness", "N_m"), ("damping", "Ns_m")) for part in "xy"},
    **{"lower_turn_rad": -1.0, "upper_turn_rad": 1.0, "lower_turn_deg": -50.0, "upper_turn_deg": 50.0, "pitch_m_rad": 0.2},
    **{"stiffness_turn_Nm_rad": 1.5, "stiffness_turn_Nm_deg": 0.1, "damping_turn_Nms_rad": 0.8, "damping_turn_Nms_deg": 0.02},
    **{"lower_m": -0.5, "upper_m": 0.5, "stiffness_Nm_rad": 1.5, "stiffness_Nm_deg": 0.1, "damping_Nms_rad": 0.8},
    **{
        "damping_Nms_deg": 0.02,
        "stiffness_N_m": 4.0,
        "damping_Ns_m": 2.0,
        "sequence": "zx",
        "between": ["eye", "lug"],
        "length_m": 0.2,
    },
    **{"speed_rad_s": 12.0, "speed_rpm": 110.0, "momentum_Nms": 0.4, "direction_": [], "isp_s": 150.0, "rate": 1.0},
    **{"gear_ratio": 20.0, "rotor_inertia_kg_m2": 2e-3, "coulomb_Nm": 0.05, "coulomb_width_rad_s": 0.05, "link": []},
    **{"mount_m": [0.3, 0.0, 0.1], "mount_rpy_rad": [0.3, 0.0, 0.1], "mount_rpy_deg": [10.0, 0.0, 0.0], "d_m": 0.4},
    **{"theta_offset_rad": 0.3, "theta_offset_deg": 30.0, "alpha_rad": 0.9, "alpha_deg": 40.0, "a_m": 0.5, "b_m": 0.6},
    **{"shapes": ["wall", "rod"], "law": {}, "friction": {}, "deepest_m": 8.0, "noted": False, "ContactTable.type": "gravity"},
    **{"stiffness": 70.0, "exponent": 2.0, "damping_s_m": 0.3, "restitution": 0.7, "speed_m_s": 0.8, "coefficient": 0.8},
    **{"stick_m_s": 0.2, "deflection_m": 0.02, "relaxation_s": 0.03, "static_coefficient": 0.9, "stribeck_m_s": 0.2},
    **{f"{law}Table.type": "other" for law in ("HuntCrossley", "KelvinVoigt", "Coulomb", "Bristle", "Frictionless")},
    **{"constraint": [], "active": True, "frames": ["tip", "eye"], "slip_Nm": 3.0, "slip_N": 3.0, "pose": {}, "row": {}},
    **{
        "tolerance_m": 0.02,
        "tolerance_rad": 0.02,
        "tolerance": 0.02,
        "closing_s": 4.0,
        "normal": [0.0, 1.0, 0.0],
        "blocked_axis": [1.0, 0.0, 0.0],
    },
    **{
        "of": "slide",
        "ratio": 0.7,
        "offset": 0.1,
        "polynomial": [0.0, 0.5],
        "value": 0.2,
        "PointOnPlaneTable.radius_m": 0.1,
        "unilateral": True,
    },
    **{
        "RollingTable.radius_m": 0.2,
        "switch": {},
        "dwell_s": 0.01,
        "engage": "own",
        "inhibit": "own",
        "timeout": True,
        "carrying": True,
        "torque_limit_Nm": 0.3,
        "relative_to": "eye",
        "on": {},
        "impose": "blade",
        "release": "gear",
        "push_off_m_s": [0.1, 0.0, 0.0],
        "SwitchTable.t_s": 0.05,
    },
    **{"vertices_m": [[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]},
    **{"shape": [], "size_m": [0.45, 0.4, 0.35], "SphereTable.radius_m": 0.3, "CapsuleTable.radius_m": 0.3},
    **{f"{table}.{key}": value for table in ("RigidContactTable", "StrikeTable") for key, value in BLOW.items()},
    **{"RigidContactTable.shapes": ["wall", "knob"], "MeetingEventTable.shapes": ["wall", "rod"], "contact": {}, "strike": {}},
    **{"StrikeTable.pairs": [["wall", "rod"]], "StrikeTable.rests": "pin"},
    **{"theta_rad": 0.5, "theta_deg": 50.0, "rho_m": [0.2, 0.1, 0.0]},
    **{"WheelTable.inertia_kg_m2": 0.08, "ThrusterTable.direction": [0.0, 1.0, 0.0], "ThrusterTable.force_N": 0.05},
    **{"ThrusterTable.position_m": [0.0, 0.8, 0.1], "MotorTable.rate_rad_s": 0.05, "BaseTable.inertia_kg_m2": [5.0, 6.0, 7.0]},
    **{
        "BaseTable.mass_kg": 60.0,
        "SystemFile.frame": [],
        "SystemFile.body": [],
        "SystemFile.joint": [],
        "SystemFile.constraint": {},
        "SystemFile.visual": {},
        "child_origin_m": [0.1, -0.2, 0.05],
        "child_dcm": TURNED,
    },
}
INSTEAD = [  # keys that say the same, of which a file has one
    *[["rpy_rad", "rpy_deg", "attitude_xyzw", "dcm", "quaternion_xyzw", "hold_attitude"], ["position_m", "displacement_m"]],
    *[["altitude_m", "altitude_km", "radius_m", "radius_km"], ["semi_major_axis_m", "semi_major_axis_km"]],
    *[["other", "point_m"], ["wheel_rad_s", "wheel_rpm"], ["speed_rad_s", "speed_rpm"], ["body_radius_m", "body_radius_km"]],
]


def tables_of(kind: type[MissionFileTable]) -> dict[str, type[MissionFileTable]]:
    """Return a kind of tables and all that are made of it, by name."""
    made = {kind.__name__: kind}
    for part in kind.__subclasses__():
        made |= {name: each for name, each in tables_of(part).items() if each.__module__.startswith("scmanip.")}
    return made


mission_file(TomlDocument.parse("", "nothing"))
MISSION_TABLES = SimpleNamespace(**tables_of(MissionFileTable))
_schema.system_file()
SYSTEM_TABLES = SimpleNamespace(**tables_of(_file_values.SystemFileTable))


def units(key: str) -> list[str]:
    """Return the keys that say the same in another unit."""
    for one in [["_rad_s", "_deg_s"], ["_Nm_rad", "_Nm_deg"], ["_Nms_rad", "_Nms_deg"], ["_rad", "_deg"], ["_km", "_m"]]:
        for unit in one:
            if key.endswith(unit):
                return [key.removesuffix(unit) + other for other in one]
    return [key]


def keys_of(tables: dict[str, tuple[str, str, tuple[Any, ...]]], schema: Any) -> Iterator[Any]:
    """Yield a place, a key and a value of every key of every table."""
    for name, place in tables.items():
        for key, field in getattr(schema, name).model_fields.items():
            word = field.alias or key
            value = VALUES.get(f"{name}.{word}", VALUES.get(word, 1.0 if name == "LimitsTable" else None))
            assert value is not None, f"{name}.{word}"
            if value != {}:
                yield pytest.param(name, *OTHERWISE.get(f"{name}.{word}", place), word, value, id=f"{name}.{word}")


def changed(data: dict[str, Any], at: tuple[Any, ...], key: str, value: Any, *, alone: bool = True) -> dict[str, Any]:
    """Return tables with a value in them, and without what said the same of it."""
    new = copy.deepcopy(data)
    table: Any = new
    for step in at:
        table = table.setdefault(step, {}) if isinstance(table, dict) else table[step]
    for other in next((group for group in INSTEAD if alone and key in group), units(key)):
        if other in table and other != key and not (isinstance(table[other], dict) and isinstance(value, dict)):
            del table[other]
    if isinstance(value, dict):
        table[key] = {**table.get(key, {}), **value}
    else:
        table[key] = value
    return new


def tables(text: str) -> dict[str, Any]:
    return TomlDocument.parse(text, "text").data


def flight(folder: Path, mission: str, system: str) -> np.ndarray:
    """Return the states of the mission of two texts, with the samples of a study."""
    write(folder, mission, system)
    return states(load_mission(folder / "keys.toml"))


def states(mission: Any) -> np.ndarray:
    fine = replace(mission, integration=replace(mission.integration, output_step_s=STEP_S), figure_names=())
    run = fine.run()
    rows = np.concatenate([history.states.x for history in run.histories])
    extra = [run.history.t, np.full(len(rows), float(run.completed))]
    return np.column_stack([rows, *extra])


def write(folder: Path, mission: str, system: str) -> None:
    folder.mkdir(exist_ok=True)
    (folder / "all.toml").write_text(system, encoding="utf-8")
    (folder / "known.toml").write_text(KNOWN[tables(mission)["phase"][0]["name"]], encoding="utf-8")
    (folder / "keys.toml").write_text(mission, encoding="utf-8")


def study(folder: Path, path: str, value: Any) -> Study:
    metrics = {"work_J": "final(work_J)"}
    return Study(folder / "keys.toml", seed=1, metrics=metrics, design={path: levels(value)}, output_step_s=STEP_S)


def reason(error: Exception) -> str:
    """Return which reason a refusal gives; there must be one."""
    said = str(error)
    known = [*NOT_VARIED.values(), NO_EFFECT, NO_SUCH_VALUE, NOT_A_LEVEL]
    found = [words for words in known if words in said]
    assert found, said
    return found[0]


@pytest.fixture(scope="module")
def unvaried(tmp_path_factory: pytest.TempPathFactory) -> Flights:
    """The states of the missions as they stand; each is flown once."""
    return cache(lambda place: flight(tmp_path_factory.mktemp("unvaried"), *FILES[place]))


def check(
    place: str, path: str, at: tuple[Any, ...], key: str, value: Any, folder: Path, unvaried: Flights, *, of_system: bool
) -> None:
    mission, system = FILES[place]
    if isinstance(value, dict):
        ((name, inner), *_) = value.items()
        value, asked, level = {name: inner}, f"{path}.{key}.{name}", inner
    else:
        asked, level = f"{path}.{key}" if path else key, value
    edited = toml_text(changed(tables(system if of_system else mission), at, key, value))
    files = (mission, edited) if of_system else (edited, system)
    write(folder / "study", mission, system)
    try:
        made = study(folder / "study", asked, level)
    except InvalidInput as error:
        words = reason(error)
        if words == NO_EFFECT:
            assert np.array_equal(unvaried(place), flight(folder / "b", *files)), str(error)
        elif words == NO_SUCH_VALUE:  # beside what the file says, which it may say in another way
            beside = toml_text(changed(tables(system if of_system else mission), at, key, value, alone=False))
            with pytest.raises(ScmanipError):
                flight(folder / "b", *((mission, beside) if of_system else (beside, system)))
        elif words == NOT_A_LEVEL:
            with pytest.raises(InvalidInput):
                levels(level)
        return
    flown, expected = states(made.mission(0)), flight(folder / "b", *files)
    assert flown.shape == expected.shape
    assert_allclose(flown, expected, rtol=1e-9, atol=1e-9)


@pytest.mark.battery(0, each=1)
@pytest.mark.parametrize(("table", "place", "path", "at", "key", "value"), [*keys_of(PLACES, MISSION_TABLES)])
def test_a_key_of_a_mission_is_varied_as_the_file_says_it_or_the_reason_is_true(
    table: str, place: str, path: str, at: tuple[Any, ...], key: str, value: Any, tmp_path: Path, unvaried: Flights
) -> None:
    check(place, path, at, key, value, tmp_path, unvaried, of_system=False)


@pytest.mark.battery(0, each=1)
@pytest.mark.parametrize(("table", "place", "path", "at", "key", "value"), [*keys_of(SYSTEM_PLACES, SYSTEM_TABLES)])
def test_a_key_of_a_system_is_varied_as_the_file_says_it_or_the_reason_is_true(
    table: str, place: str, path: str, at: tuple[Any, ...], key: str, value: Any, tmp_path: Path, unvaried: Flights
) -> None:
    check(place, path, at, key, value, tmp_path, unvaried, of_system=True)


@pytest.mark.parametrize(("schema", "places"), [(MISSION_TABLES, PLACES), (SYSTEM_TABLES, SYSTEM_PLACES)])
def test_every_table_of_the_schemas_has_a_place_here(schema: Any, places: dict[str, Any]) -> None:
    defined = {name for name, kind in vars(schema).items() if isinstance(kind, type) and issubclass(kind, BaseModel)}
    assert defined - INNER - NOT_FLOWN == places.keys()
