"""A good system file, a good arm, and one edit for every kind of mistake that a person can make in them."""
# ruff: noqa: E501 - one mistake per line is what makes this table readable

from __future__ import annotations

from scmanip.system import KINDS

NAMED = " or ".join([", ".join(list(KINDS)[:-1]), list(KINDS)[-1]])
GOOD = """\
schema = "scmanip.system/1"
name = "chaser"

[base]
mass_kg = 100.0
com_m = [0.1, 0, 0]
inertia_kg_m2 = [10.0, 11.0, 12.0]

[[body]]
name = "shoulder"
parent = "base"
mass_kg = 5.0
com_m = [0.5, 0.0, 0.0]
inertia_kg_m2 = [[0.1, 0.0, 0.01], [0.0, 0.4, 0.0], [0.01, 0.0, 0.4]]
joint = { name = "yaw", type = "revolute", origin_m = [1.0, 0.0, 0.5], axis = [0.0, 0.0, 1.0], lower_deg = -90, upper_deg = 180 }

[[body]]
name = "slider"
parent = "shoulder"
mass_kg = 4
inertia_kg_m2 = [0.1, 0.3, 0.3]
joint = { type = "prismatic", origin_m = [1.0, 0.0, 0.0], rpy_deg = [0, 90, 0], axis = [0, 0, 1], lower_m = 0, upper_m = 1 }

[[body]]
name = "panel"
parent = "base"
mass_kg = 3.0
inertia_kg_m2 = [0.5, 0.5, 0.9]
joint = { type = "fixed", origin_m = [-1.0, 0.0, 0.0] }

[[frame]]
name = "tip"
body = "slider"
origin_m = [0.2, 0.0, 0.0]
"""

ARM = """\
schema = "scmanip.system/1"

[base]
mass_kg = 100.0
inertia_kg_m2 = [10.0, 11.0, 12.0]

[[arm]]
name = "left"
mount_m = [0.5, 0.1, 0.2]
mount_rpy_deg = [10, 20, 30]

[[arm.link]]
type = "revolute"
d_m = 0.1
theta_offset_deg = 40
alpha_deg = 90
a_m = 0.3
b_m = 0.2
mass_kg = 5.0
inertia_kg_m2 = [0.1, 0.4, 0.4]

[[arm.link]]
type = "prismatic"
d_m = 0.2
theta_offset_rad = 0.3
alpha_rad = -0.7
a_m = 0.1
mass_kg = 4.0
com_m = [0.0, 0.1, 0.2]
inertia_kg_m2 = [0.1, 0.3, 0.3]
"""

HD = """\
schema = "scmanip.system/1"
name = "stand"

[base]
fixed = true

[[hd_link]]
type = "revolute"
b_m = -0.1
theta_deg = 40
mass_kg = 5.0
rho_m = [0.0, 0.1, 0.2]
inertia_kg_m2 = [0.1, 0.4, 0.4]
lower_deg = -90
upper_deg = 180

[[hd_link]]
type = "prismatic"
alpha_deg = 90
a_m = 0.3
b_m = 0.4
theta_rad = 0.3
mass_kg = 4.0
inertia_kg_m2 = [0.1, 0.3, 0.3]

[[hd_link]]
name = "hand"
type = "revolute"
alpha_rad = -0.7
a_m = 0.2
mass_kg = 1.0
inertia_kg_m2 = [0.01, 0.03, 0.03]
"""

WHEEL = """\
[[wheel]]
name = "x wheel"
axis = [1.0, 0.0, 0.0]
inertia_kg_m2 = 0.04
speed_rpm = 5000
"""

THRUSTER = """\
[[thruster]]
name = "A"
position_m = [0.5, 0.0, 0.2]
direction = [0.0, 0.0, 1.0]
force_N = 22.0
isp_s = 220.0
"""

# what is wrong: (text, old, new, where the message points, key, part of what was expected, part of what was found, part of the hint)
MISTAKES = {
    "an unknown key": (GOOD, 'parent = "shoulder"', 'parent = "shoulder"\ncolor = 3', "color", "body[1].color", "one of the keys name", "'color'", ""),
    "a misspelt key": (GOOD, "mass_kg = 3.0", "mass_kg = 3.0\ncomm_m = [0, 0, 0]", "comm_m", "body[2].comm_m", "com_m", "unknown", "'com_m'"),
    "an unknown table": (GOOD, "[[frame]]", "[[frames]]", "[[frames]]", "frames", "frame", "unknown", "'frame'"),
    "an unknown key of a joint": (GOOD, "axis = [0, 0, 1], lower_m", "axes = 1, axis = [0, 0, 1], lower_m", "axes", "body[1].joint.axes", "axis", "'axes'", "'axis'"),
    "a top-level key under a table": (GOOD, "com_m = [0.1, 0, 0]", "gravity_m_s2 = [0, 0, 0]", "gravity_m_s2", "base.gravity_m_s2", "com_m", "unknown", "top of the file"),
    "no mass": (GOOD, "mass_kg = 5.0\n", "", '[[body]]\nname = "shoulder"', "body[0].mass_kg", "a number >= 0", "nothing", ""),
    "no inertia": (GOOD, "inertia_kg_m2 = [0.1, 0.3, 0.3]\n", "", '[[body]]\nname = "slider"', "body[1].inertia_kg_m2", "3 numbers", "nothing", ""),
    "a misspelt required key": (GOOD, "mass_kg = 5.0", "mas_kg = 5.0", "mas_kg", "body[0].mas_kg", "mass_kg", "unknown", "'mass_kg'"),
    "a misspelt key of a floating base": (GOOD, "inertia_kg_m2 = [10.0", "inertia_kgm2 = [10.0", "inertia_kgm2", "base.inertia_kgm2", "inertia_kg_m2", "unknown", "'inertia_kg_m2'"),
    "a misspelt joint type": (GOOD, 'type = "fixed"', 'typ = "fixed"', "joint = { typ =", "body[2].joint.type", NAMED, "nothing", "'typ'"),
    "no mass on a floating base": (GOOD, "mass_kg = 100.0\n", "", "[base]", "base.mass_kg", "a base that floats", "nothing", "fixed = true"),
    "no inertia on a floating base": (GOOD, "inertia_kg_m2 = [10.0, 11.0, 12.0]\n", "", "[base]", "base.inertia_kg_m2", "a base that floats", "nothing", "fixed = true"),
    "a massless floating base": (GOOD, "mass_kg = 100.0", "mass_kg = 0", "mass_kg = 0", "base.mass_kg", "> 0", "0", ""),
    "negative mass": (GOOD, "mass_kg = 5.0", "mass_kg = -5.0", "mass_kg = -5.0", "body[0].mass_kg", ">= 0", "-5", ""),
    "a mass that is not a number": (GOOD, "mass_kg = 5.0", "mass_kg = nan", "mass_kg = nan", "body[0].mass_kg", "a number >= 0", "nan", ""),
    "infinite mass": (GOOD, "mass_kg = 5.0", "mass_kg = inf", "mass_kg = inf", "body[0].mass_kg", "a number >= 0", "inf", ""),
    "a mass in quotes": (GOOD, "mass_kg = 5.0", 'mass_kg = "5.0"', 'mass_kg = "5.0"', "body[0].mass_kg", "a number >= 0", "'5.0'", ""),
    "a truth value for a mass": (GOOD, "mass_kg = 5.0", "mass_kg = true", "mass_kg = true", "body[0].mass_kg", "a number >= 0", "true", ""),
    "a mass beyond all numbers": (GOOD, "mass_kg = 5.0", f"mass_kg = {10**400}", "mass_kg = 1000", "body[0].mass_kg", "a number >= 0", "1000", ""),
    "NaN inside a vector": (GOOD, "com_m = [0.5, 0.0, 0.0]", "com_m = [0.5, nan, 0.0]", "nan", "body[0].com_m[1]", "a finite number", "nan", ""),
    "a text inside a vector": (GOOD, "origin_m = [0.2, 0.0, 0.0]", 'origin_m = [0.2, 0.0, "z"]', '"z"', "frame[0].origin_m[2]", "a number", "'z'", ""),
    "a vector of two": (GOOD, "com_m = [0.5, 0.0, 0.0]", "com_m = [0.5, 0.25]", "com_m = [0.5, 0.25]", "body[0].com_m", "3 numbers", "2 entries", ""),
    "a vector of four": (GOOD, "com_m = [0.1, 0, 0]", "com_m = [0.1, 0, 0, 0]", "com_m = [0.1", "base.com_m", "3 numbers", "4 entries", ""),
    "a number for a vector": (GOOD, "com_m = [0.1, 0, 0]", "com_m = 0.1", "com_m = 0.1", "base.com_m", "3 numbers", "0.1", ""),
    "NaN in an inertia": (GOOD, "[10.0, 11.0, 12.0]", "[10.0, nan, 12.0]", "nan", "base.inertia_kg_m2[1]", "a finite number", "nan", ""),
    "infinity in an inertia matrix": (GOOD, "[0.0, 0.4, 0.0]", "[0.0, inf, 0.0]", "inf", "body[0].inertia_kg_m2[1][1]", "a finite number", "inf", ""),
    "an inertia of six": (GOOD, "[0.1, 0.3, 0.3]", "[0.1, 0.3, 0.3, 0, 0, 0]", "inertia_kg_m2 = [0.1, 0.3, 0.3, 0", "body[1].inertia_kg_m2", "3 x 3", "another shape", ""),
    "a ragged inertia": (GOOD, "[0.0, 0.4, 0.0]", "[0.0, 0.4]", "inertia_kg_m2 = [[", "body[0].inertia_kg_m2", "3 x 3", "another shape", ""),
    "an asymmetric inertia": (GOOD, "[0.1, 0.0, 0.01]", "[0.1, 0.0, 0.02]", "inertia_kg_m2 = [[", "body[0].inertia_kg_m2", "symmetric", "0.02", ""),
    "an inertia with a negative moment": (GOOD, "[0.1, 0.3, 0.3]", "[0.1, 0.3, -0.3]", "inertia_kg_m2 = [0.1, 0.3, -0.3]", "body[1].inertia_kg_m2", "semi-definite", "-0.3", ""),
    "an inertia with too large a product": (GOOD, "[0.1, 0.0, 0.01], [0.0, 0.4, 0.0], [0.01, 0.0, 0.4]", "[0.1, 0.0, 0.3], [0.0, 0.4, 0.0], [0.3, 0.0, 0.4]", "inertia_kg_m2 = [[", "body[0].inertia_kg_m2", "semi-definite", "smallest principal moment -", ""),
    "an axis that is not a unit vector": (GOOD, "axis = [0, 0, 1]", "axis = [0, 1, 1]", "axis = [0, 1, 1]", "body[1].joint.axis", "a unit vector", "length 1.414", ""),
    "no axis": (GOOD, ", axis = [0, 0, 1]", "", 'joint = { type = "prismatic"', "body[1].joint.axis", "a unit vector", "nothing", ""),
    "an axis on a weld": (GOOD, 'type = "fixed"', 'type = "fixed", axis = [0, 0, 1]', "axis = [0, 0, 1], origin", "body[2].joint.axis", "origin_m", "unknown", ""),
    "an unknown joint type": (GOOD, '"revolute"', '"revolut"', 'type = "revolut"', "body[0].joint.type", ", ".join(KINDS), "'revolut'", "'revolute'"),
    "no joint type": (GOOD, 'type = "fixed", ', "", "joint = { origin_m", "body[2].joint.type", NAMED, "nothing", ""),
    "no joint": (GOOD, 'joint = { type = "fixed", origin_m = [-1.0, 0.0, 0.0] }', "", '[[body]]\nname = "panel"', "body[2].joint", "a table", "nothing", ""),
    "a joint that is a word": (GOOD, '{ type = "fixed", origin_m = [-1.0, 0.0, 0.0] }', '"fixed"', 'joint = "fixed"', "body[2].joint", "a table", "'fixed'", ""),
    "a gimbal without sequence": (GOOD, 'type = "fixed"', 'type = "gimbal"', 'joint = { type = "gimbal"', "body[2].joint.sequence", "'zxz'", "nothing", ""),
    "a gimbal about the same axis twice": (GOOD, 'type = "fixed"', 'type = "gimbal", sequence = "zzx"', 'sequence = "zzx"', "body[2].joint.sequence", "neighbours different", "'zzx'", ""),
    "a gimbal about no axis": (GOOD, 'type = "fixed"', 'type = "gimbal", sequence = "zxw"', 'sequence = "zxw"', "body[2].joint.sequence", "letters of 'xyz'", "'zxw'", ""),
    "a gimbal of four axes": (GOOD, 'type = "fixed"', 'type = "gimbal", sequence = "zxzx"', 'sequence = "zxzx"', "body[2].joint.sequence", "one to three", "'zxzx'", ""),
    "a spherical joint with a spring": (GOOD, 'type = "fixed"', 'type = "spherical", stiffness_Nm_rad = 1.0', "stiffness_Nm_rad", "body[2].joint.stiffness_Nm_rad", "damping_Nms_rad", "unknown key", ""),
    "an angle on a sliding joint": (GOOD, "lower_m = 0", "lower_rad = 0", "lower_rad", "body[1].joint.lower_rad", "lower_m", "unknown", "'lower_m'"),
    "a length on a turning joint": (GOOD, "upper_deg = 180", "upper_m = 1.5", "upper_m = 1.5", "body[0].joint.upper_m", "upper_rad", "unknown", "'upper_"),
    "a turning spring on a sliding joint": (GOOD, "upper_m = 1", "upper_m = 1, stiffness_Nm_rad = 1", "stiffness_Nm_rad", "body[1].joint.stiffness_Nm_rad", "stiffness_N_m", "unknown", "'stiffness_N_m'"),
    "limits the wrong way round": (GOOD, "lower_deg = -90", "lower_deg = 190", "upper_deg", "body[0].joint.upper_deg", "more than lower_deg = 190", "180", ""),
    "limits the wrong way round in two units": (GOOD, "lower_deg = -90", "lower_rad = 3.5", "upper_deg", "body[0].joint.upper_deg", "more than lower_rad = 3.5", "180", ""),
    "an infinite limit": (GOOD, "upper_m = 1", "upper_m = inf", "upper_m", "body[1].joint.upper_m", "a finite number", "inf", ""),
    "an angle given twice": (GOOD, "lower_deg = -90", "lower_deg = -90, lower_rad = -1.5", "lower_rad", "body[0].joint.lower_rad", "one of lower_rad, lower_deg", "lower_deg and lower_rad", ""),
    "two rotations": (GOOD, "rpy_deg = [0, 90, 0]", "rpy_deg = [0, 90, 0], quaternion_xyzw = [0, 0, 0, 1]", "quaternion_xyzw", "body[1].joint.quaternion_xyzw", "one of rpy_rad", "rpy_deg and quaternion_xyzw", ""),
    "a quaternion that is none": (GOOD, "rpy_deg = [0, 90, 0]", "quaternion_xyzw = [0, 0, 1, 1]", "quaternion_xyzw", "body[1].joint.quaternion_xyzw", "a unit quaternion", "norm 1.41", ""),
    "a quaternion of three": (GOOD, "rpy_deg = [0, 90, 0]", "quaternion_xyzw = [0, 0, 1]", "quaternion_xyzw", "body[1].joint.quaternion_xyzw", "4 entries", "3 entries", ""),
    "a rotation matrix that is none": (GOOD, "rpy_deg = [0, 90, 0]", "dcm = [[1, 0, 0], [0, 1, 0], [0, 0.1, 1]]", "dcm", "body[1].joint.dcm", "right-handed rotation", "0.1", ""),
    "a left-handed matrix": (GOOD, "rpy_deg = [0, 90, 0]", "dcm = [[1, 0, 0], [0, 1, 0], [0, 0, -1]]", "dcm", "body[1].joint.dcm", "right-handed rotation", "-1.0", ""),
    "a negative stiffness": (GOOD, "upper_m = 1", "upper_m = 1, stiffness_N_m = -2", "stiffness_N_m", "body[1].joint.stiffness_N_m", ">= 0", "-2", ""),
    "an unknown parent": (GOOD, 'parent = "shoulder"', 'parent = "sholder"', 'parent = "sholder"', "body[1].parent", "the name of a body", "'sholder'", "'shoulder'"),
    "no parent": (GOOD, 'parent = "shoulder"\n', "", '[[body]]\nname = "slider"', "body[1].parent", "a text", "nothing", ""),
    "its own parent": (GOOD, 'parent = "shoulder"', 'parent = "slider"', 'parent = "slider"', "body[1].parent", "ends at the base", "'slider' -> 'slider'", ""),
    "an unknown body under a frame": (GOOD, 'body = "slider"', 'body = "gripper"', 'body = "gripper"', "frame[0].body", "the name of a body", "'gripper'", ""),
    "a body called base": (GOOD, 'name = "panel"', 'name = "base"', 'name = "base"', "body[2].name", "used once", "'base'", ""),
    "a frame called as a body": (GOOD, 'name = "tip"', 'name = "panel"', 'name = "panel"\nbody', "frame[0].name", "used once", "'panel', already the name of a body", ""),
    "a name that is a centre of mass": (GOOD, 'name = "tip"', 'name = "panel.com"', 'name = "panel.com"', "frame[0].name", "used once", "centre of mass of 'panel'", ""),
    "two joints of one name": (GOOD, 'type = "prismatic"', 'name = "yaw", type = "prismatic"', 'name = "yaw", type = "prismatic"', "body[1].joint.name", "used once", "'yaw', already a joint", ""),
    "an empty name": (GOOD, 'name = "tip"', 'name = ""', 'name = ""', "frame[0].name", "not empty", "''", ""),
    "a number for a name": (GOOD, 'name = "tip"', "name = 7", "name = 7", "frame[0].name", "a text", "7", ""),
    "gravity on a floating base": (GOOD, 'name = "chaser"', "gravity_m_s2 = [0, 0, -9.81]", "gravity_m_s2", "gravity_m_s2", "no gravity", "[0, 0, -9.81]", "fixed = true"),
    "gravity of two numbers": (GOOD, 'name = "chaser"', "gravity_m_s2 = [0, 0]", "gravity_m_s2", "gravity_m_s2", "3 numbers", "2 entries", ""),
    "a word for fixed": (GOOD, "com_m = [0.1, 0, 0]", 'fixed = "no"', "fixed = ", "base.fixed", "true or false", "'no'", ""),
    "no base": (GOOD, "[base]\nmass_kg = 100.0\ncom_m = [0.1, 0, 0]\ninertia_kg_m2 = [10.0, 11.0, 12.0]\n", "", "schema = ", "base", "a [base] table", "nothing", ""),
    "one bracket for a list of tables": (GOOD, "[[frame]]", "[frame]", "[frame]", "frame", "a list", "a table", "[[frame]]"),
    "no schema": (GOOD, 'schema = "scmanip.system/1"\n', "", 'name = "chaser"', "schema", "'scmanip.system/1'", "nothing", ""),
    "a later schema": (GOOD, "system/1", "system/2", "schema = ", "schema", "'scmanip.system/1'", "'scmanip.system/2'", ""),
    "a mission file": (GOOD, "scmanip.system/1", "scmanip.mission/1", "schema = ", "schema", "'scmanip.system/1'", "'scmanip.mission/1'", "a mission file"),

    "a thruster on nothing": (GOOD, "[[frame]]", THRUSTER + 'body = "bse"\n[[frame]]', 'body = "bse"', "thruster[0].body", "the name of a body", "'bse'", "'base'"),
    "a thruster on a frame": (GOOD, "[[frame]]", THRUSTER + 'body = "tip"\n[[frame]]', 'body = "tip"', "thruster[0].body", "the name of a body", "'tip'", ""),
    "two thrusters of one name": (GOOD, "[[frame]]", THRUSTER + THRUSTER.replace("force_N = 22.0", "force_N = 10.0") + "[[frame]]", 'name = "A"\nposition_m = [0.5, 0.0, 0.2]\ndirection = [0.0, 0.0, 1.0]\nforce_N = 10.0', "thruster[1].name", "used once", "'A', already a thruster", ""),
    "a thruster that pulls": (GOOD, "[[frame]]", THRUSTER.replace("22.0", "-22.0") + "[[frame]]", "force_N = -22.0", "thruster[0].force_N", "a finite number > 0", "-22", ""),
    "a thruster without impulse": (GOOD, "[[frame]]", THRUSTER.replace("220.0", "0") + "[[frame]]", "isp_s = 0", "thruster[0].isp_s", "a finite number > 0", "0", ""),
    "a thruster in no direction": (GOOD, "[[frame]]", THRUSTER.replace("[0.0, 0.0, 1.0]", "[0, 0, 0]") + "[[frame]]", "direction", "thruster[0].direction", "a unit vector", "length 0", ""),
    "a thruster without a place": (GOOD, "[[frame]]", THRUSTER.replace("position_m = [0.5, 0.0, 0.2]\n", "") + "[[frame]]", "[[thruster]]", "thruster[0].position_m", "3 numbers", "nothing", ""),
    "a motor of nothing": (GOOD, "[[frame]]", '[[motor]]\njoint = "yow"\n[[frame]]', "joint = \"yow\"", "motor[0].joint", "a revolute joint", "'yow'", "'yaw'"),
    "a motor of a slider": (GOOD, "[[frame]]", '[[motor]]\njoint = "slider"\n[[frame]]', "joint = \"slider\"", "motor[0].joint", "a revolute joint", "'slider'", ""),
    "two motors of a joint": (GOOD, "[[frame]]", '[[motor]]\njoint = "yaw"\n[[motor]]\ngear_ratio = 2\njoint = "yaw"\n[[frame]]', 'joint = "yaw"\n[[frame]]', "motor[1].joint", "without another motor", "'yaw'", ""),
    "a motor without gear": (GOOD, "[[frame]]", '[[motor]]\njoint = "yaw"\ngear_ratio = 0\n[[frame]]', "gear_ratio", "motor[0].gear_ratio", "not 0", "0", ""),
    "a motor that gives no torque": (GOOD, "[[frame]]", '[[motor]]\njoint = "yaw"\ntorque_Nm = 0\n[[frame]]', "torque_Nm", "motor[0].torque_Nm", "> 0", "0", ""),
    "a largest rate without a largest torque": (GOOD, "[[frame]]", '[[motor]]\njoint = "yaw"\nrate_rad_s = 2\n[[frame]]', "[[motor]]", "motor[0].torque_Nm", "beside a largest rate", "nothing", ""),
    "a spring to nowhere": (GOOD, "[[frame]]", '[[spring_damper]]\nname = "cable"\nbetween = ["base", "tipp"]\n[[frame]]', "between", "spring_damper[0].between", "the names of two frames", "'tipp'", "'tip'"),
    "a spring from a point to itself": (GOOD, "[[frame]]", '[[spring_damper]]\nname = "cable"\nbetween = ["tip", "tip"]\n[[frame]]', "between", "spring_damper[0].between", "two different frames", "['tip', 'tip']", ""),
    "a spring with one end": (GOOD, "[[frame]]", '[[spring_damper]]\nname = "cable"\nbetween = ["tip"]\n[[frame]]', "between", "spring_damper[0].between", "two different frames", "1 entries", ""),
    "a spring that pushes": (GOOD, "[[frame]]", '[[spring_damper]]\nname = "cable"\nbetween = ["base", "tip"]\nstiffness_N_m = -1\n[[frame]]', "stiffness_N_m", "spring_damper[0].stiffness_N_m", "a finite number >= 0", "-1", ""),
    "a wheel on no axis": (GOOD, "[[frame]]", WHEEL.replace("[1.0, 0.0, 0.0]", "[1.0, 1.0, 0.0]") + "[[frame]]", "axis = [1.0, 1.0", "wheel[0].axis", "a unit vector", "length 1.41421", ""),
    "a wheel of negative inertia": (GOOD, "[[frame]]", WHEEL.replace("0.04", "-0.04") + "[[frame]]", "inertia_kg_m2 = -0.04", "wheel[0].inertia_kg_m2", "a finite number > 0", "-0.04", ""),
    "a wheel of no inertia": (GOOD, "[[frame]]", WHEEL.replace("0.04", "0") + "[[frame]]", "inertia_kg_m2 = 0\n", "wheel[0].inertia_kg_m2", "a finite number > 0", "0", ""),
    "a wheel without inertia": (GOOD, "[[frame]]", WHEEL.replace("inertia_kg_m2 = 0.04\n", "") + "[[frame]]", "[[wheel]]", "wheel[0].inertia_kg_m2", "a finite number > 0", "nothing", ""),
    "a wheel without a name": (GOOD, "[[frame]]", WHEEL.replace('name = "x wheel"\n', "") + "[[frame]]", "[[wheel]]", "wheel[0].name", "text", "nothing", ""),
    "a wheel with a speed in two units": (GOOD, "[[frame]]", WHEEL + "speed_rad_s = 500\n[[frame]]", "speed_rad_s", "wheel[0].speed_rad_s", "one of speed_rad_s, speed_rpm", "speed_rad_s and speed_rpm", ""),
    "a wheel with a bearing that drives": (GOOD, "[[frame]]", WHEEL + "damping_Nms_rad = -1\n[[frame]]", "damping_Nms_rad", "wheel[0].damping_Nms_rad", "a finite number >= 0", "-1", ""),
    "two wheels of one name": (GOOD, "[[frame]]", WHEEL + WHEEL.replace("0.04", "0.05") + "[[frame]]", 'name = "x wheel"\naxis = [1.0, 0.0, 0.0]\ninertia_kg_m2 = 0.05', "wheel[1].name", "used once", "'x wheel', already a wheel", ""),
    "a wheel on a base that is held": (GOOD.replace("[base]", "[base]\nfixed = true"), "[[frame]]", WHEEL + "[[frame]]", 'name = "x wheel"', "wheel[0].name", "no wheels on a base that is held", "'x wheel'", ""),
    "an unknown key of a wheel": (GOOD, "[[frame]]", WHEEL.replace("speed_rpm", "sped_rpm") + "[[frame]]", "sped_rpm", "wheel[0].sped_rpm", "one of the keys", "'sped_rpm'", "'speed_rpm'"),
    "a joint called as an angle of a gimbal": (GOOD, "[[frame]]", '[[body]]\nname = "dish"\nparent = "base"\nmass_kg = 1\ninertia_kg_m2 = [1, 1, 1]\njoint = { type = "gimbal", sequence = "zx" }\n[[body]]\nname = "feed"\nparent = "dish"\nmass_kg = 1\ninertia_kg_m2 = [1, 1, 1]\njoint = { name = "dish.2", type = "revolute", axis = [1, 0, 0] }\n[[frame]]', 'name = "dish.2"', "body[4].joint.name", "a name used once", "'dish.2', already a part of joint 'dish'", ""),
    "a syntax error": (GOOD, "mass_kg = 5.0", "mass_kg = 5.0.0", ".0\ncom_m = [0.5", "syntax", "valid TOML", "expected newline", ""),
    "a key written twice": (GOOD, "mass_kg = 5.0", "mass_kg = 5.0\nmass_kg = 6.0", "\ncom_m = [0.5", "syntax", "valid TOML", "overwrite", ""),
    "a wrong parent of an arm": (ARM, 'name = "left"', 'parent = "bse"', 'parent = "bse"', "arm[0].parent", "the name of a body", "'bse'", "'base'"),
    "an arm without links": (ARM, ARM[ARM.index("[[arm.link]]") :], "", "[[arm]]", "arm[0].link", "one or more [[arm.link]]", "nothing", ""),
    "a fixed link of an arm": (ARM, '"prismatic"', '"fixed"', 'type = "fixed"', "arm[0].link[1].type", "revolute, prismatic", "'fixed'", ""),
    "an angle in an arm given twice": (ARM, "alpha_rad = -0.7", "alpha_rad = -0.7\nalpha_deg = 3", "alpha_deg = 3", "arm[0].link[1].alpha_deg", "one of alpha_rad, alpha_deg", "alpha_rad and alpha_deg", ""),
    "a mount given twice": (ARM, "mount_rpy_deg = [10, 20, 30]", "mount_rpy_deg = [10, 20, 30]\nmount_rpy_rad = [1, 1, 1]", "mount_rpy_rad", "arm[0].mount_rpy_rad", "one of mount_rpy_rad, mount_rpy_deg", "mount_rpy_deg and", ""),
    "an unknown key of a link": (ARM, "b_m = 0.2", "c_m = 0.2", "c_m", "arm[0].link[0].c_m", "b_m", "'c_m'", "_m'"),
    "a link without inertia": (ARM, "com_m = [0.0, 0.1, 0.2]\ninertia_kg_m2 = [0.1, 0.3, 0.3]\n", "", '[[arm.link]]\ntype = "prismatic"', "arm[0].link[1].inertia_kg_m2", "3 numbers", "nothing", ""),
    "a link called base": (ARM, "d_m = 0.2", 'name = "base"', 'name = "base"', "arm[0].link[1].name", "used once", "'base'", ""),
    "an unknown key of a Hartenberg-Denavit link": (HD, "a_m = 0.3", "d_m = 0.3", "d_m", "hd_link[1].d_m", "a_m", "'d_m'", "_m'"),
    "a centre of mass by another name": (HD, "rho_m", "com_m", "com_m", "hd_link[0].com_m", "rho_m", "'com_m'", "'rho_m'"),
    "a fixed Hartenberg-Denavit link": (HD, '"prismatic"', '"fixed"', 'type = "fixed"', "hd_link[1].type", "revolute, prismatic", "'fixed'", ""),
    "a Hartenberg-Denavit link without a type": (HD, 'type = "prismatic"\n', "", "[[hd_link]]\nalpha_deg = 90", "hd_link[1].type", "revolute or prismatic", "nothing", ""),
    "a Hartenberg-Denavit link without mass": (HD, "mass_kg = 4.0\n", "", '[[hd_link]]\ntype = "prismatic"', "hd_link[1].mass_kg", "a number >= 0", "nothing", ""),
    "a Hartenberg-Denavit angle given twice": (HD, "theta_rad = 0.3", "theta_rad = 0.3\ntheta_deg = 3", "theta_deg = 3", "hd_link[1].theta_deg", "one of theta_rad, theta_deg", "theta_rad and theta_deg", ""),
    "Hartenberg-Denavit limits the wrong way round": (HD, "lower_deg = -90", "lower_deg = 190", "upper_deg", "hd_link[0].upper_deg", "more than lower_deg = 190", "180", ""),
    "a Hartenberg-Denavit link called base": (HD, '"hand"', '"base"', 'name = "base"', "hd_link[2].name", "used once", "'base'", ""),
    "a Hartenberg-Denavit link called as another": (HD, '"hand"', '"link2"', 'name = "link2"', "hd_link[2].name", "used once", "'link2'", ""),
    "a Hartenberg-Denavit link of negative mass": (HD, "mass_kg = 5.0", "mass_kg = -5.0", "mass_kg = -5.0", "hd_link[0].mass_kg", ">= 0", "-5", ""),
    "one bracket for Hartenberg-Denavit links": (HD, HD[HD.index("[[hd_link]]") :], "[hd_link]\nb_m = 1.0\n", "[hd_link]", "hd_link", "a list", "a table", "[[hd_link]]"),
}  # fmt: skip
