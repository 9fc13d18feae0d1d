"""A small system and a short mission on disk."""

from __future__ import annotations

from pathlib import Path

WORDS = ("floating", "rotation_floating", "rotation_flying", "translation_flying", "flying")
WITH_WHEELS = '{ type = "translation_flying", attitude = "rotation_floating" }'

SYSTEM = """\
schema = "scmanip.system/1"
name = "two-link"

[base]
mass_kg = 50.0
inertia_kg_m2 = [4.0, 5.0, 6.0]

[[body]]
name = "upper"
parent = "base"
mass_kg = 5.0
com_m = [0.5, 0.0, 0.0]
inertia_kg_m2 = [0.01, 0.5, 0.5]
joint = { name = "shoulder", type = "revolute", origin_m = [0.4, 0.1, 0.0], axis = [0, 0, 1], upper_rad = 2.0 }

[[body]]
name = "lower"
parent = "upper"
mass_kg = 4.0
com_m = [0.4, 0.0, 0.0]
inertia_kg_m2 = [0.01, 0.3, 0.3]
joint = { name = "elbow", type = "revolute", origin_m = [1.0, 0.0, 0.0], axis = [0, 1, 0] }
"""

SLIDER = SYSTEM.replace('"elbow", type = "revolute"', '"elbow", type = "prismatic"').replace('"two-link"', '"slider"')
# the only mass of this arm lies on the shoulder's axis when the elbow is drawn in: there M cannot be inverted
SINGULAR = (
    SLIDER.replace("mass_kg = 5.0", "mass_kg = 0.0")
    .replace("[0.01, 0.5, 0.5]", "[0.0, 0.0, 0.0]")
    .replace("[0.01, 0.3, 0.3]", "[0.0, 0.0, 0.0]")
    .replace("com_m = [0.4, 0.0, 0.0]", "com_m = [0.0, 0.0, 0.0]")
    .replace("[1.0, 0.0, 0.0], axis = [0, 1, 0]", "[0.0, 0.0, 0.0], axis = [1, 0, 0]")
)
FIXED = SYSTEM.replace("[base]\n", "[base]\nfixed = true\n")

MISSION = """\
schema = "scmanip.mission/1"
name = "short"
title = "Two joints, a few seconds"
system = "arm.toml"

[initial]
q_rad = [0.2, -0.3]

[[phase]]
name = "move"
mode = "floating"
controller = { type = "computed_torque", K_P = 4.0, K_D = [4.0, 4.0], feedforward = true }
guidance = { type = "joint_sequence", rate_rad_s = 0.2, ramp_s = 0.2, cruise_s = [0.1, 0.4, 0.1], rest_s = 0.0, settle_s = 0.1 }

[integration]
rtol = 1e-10
output_step_s = 0.1

[limits]
momentum_relative = 1e-8
system_com_drift_m = 1e-9
energy_relative = 1e-7
"""


UNDRAWN = "\n[output]\nfigures = []\n"  # after a mission whose figures nobody looks at


def written(folder: Path, mission: str = MISSION, system: str = SYSTEM) -> Path:
    """Write the two files into `folder` and return the path of the mission."""
    (folder / "arm.toml").write_text(system, encoding="utf-8")
    (folder / "short.toml").write_text(mission, encoding="utf-8")
    return folder / "short.toml"


REGULATED = '{ type = "joint_regulator", K_P = 4.0, K_D = 4.0 }'
HEAD = MISSION[: MISSION.index("\n[[phase]]")].replace('title = "Two joints, a few seconds"\n', "")


def phase_table(name: str, rest: str = "", *, guidance: str, controller: str = REGULATED, mode: str = "floating") -> str:
    """Return a `[[phase]]` of a mission; rest : further lines."""
    keys = f'name = "{name}"\nmode = "{mode}"\ncontroller = {controller}\nguidance = {guidance}'
    return f"\n[[phase]]\n{keys}\n{rest}\n"


# a gimbal that carries a spherical wrist, and a slider
TREE = """\
schema = "scmanip.system/1"
name = "tree"

[base]
mass_kg = 50.0
com_m = [0.05, 0.0, 0.1]
inertia_kg_m2 = [4.0, 5.0, 6.0]

[[body]]
name = "upper"
parent = "base"
mass_kg = 5.0
com_m = [0.5, 0.0, 0.0]
inertia_kg_m2 = [0.1, 0.5, 0.6]
joint = { name = "shoulder", type = "gimbal", sequence = "xyz", origin_m = [0.4, 0.1, 0.0], lower_deg = -80, upper_deg = 80 }

[[body]]
name = "hand"
parent = "upper"
mass_kg = 3.0
com_m = [0.2, 0.1, 0.0]
inertia_kg_m2 = [0.1, 0.3, 0.2]
joint = { name = "wrist", type = "spherical", origin_m = [1.0, 0.0, 0.0], damping_Nms_rad = 0.1 }

[[body]]
name = "boom"
parent = "base"
mass_kg = 2.0
com_m = [0.0, 0.0, 0.3]
inertia_kg_m2 = [0.2, 0.2, 0.1]
joint = { name = "slide", type = "prismatic", axis = [0, 0, 1], stiffness_N_m = 2.0 }
"""

TREE_MISSION = """\
schema = "scmanip.mission/1"
name = "short"
title = "A gimbal, a spherical joint and a slider"
system = "arm.toml"

[initial]
q_deg = { shoulder = [10, -20, 30] }
q_m = { slide = 0.1 }
q_xyzw = { wrist = [0.6, 0.0, 0.0, 0.8] }
qdot_deg_s = { wrist = [0, 10, 0], "shoulder.3" = 2.0 }

[[phase]]
name = "move"
mode = "floating"
controller = { type = "computed_torque", K_P = 4.0, K_D = 4.0, feedforward = true }
guidance = { type = "joint_sequence", joints = ["shoulder"], ramp_s = 0.5, cruise_s = [0.5, 1.5, 0.5], rest_s = 0.0 }

[[phase]]
name = "hold"
mode = "floating"
controller = { type = "computed_torque", K_P = [4, 4, 4, 4, 4, 4, 4], K_D = 4.0 }
guidance = { type = "hold" }
until = { t_s = 1.0 }

[integration]
rtol = 1e-10
output_step_s = 0.05

[limits]
momentum_relative = 1e-8
energy_relative = 1e-7
joint_torque_Nm = { shoulder = 40.0, "wrist.y" = 20.0 }
joint_rate_deg_s = 60.0
"""
