"""A small system and a short mission on disk."""

from __future__ import annotations

from pathlib import Path

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


def written(folder: Path, mission: str = MISSION, system: str = SYSTEM) -> Path:
    """Write the two files into `folder` and return the path of the mission."""
    (folder / "arm.toml").write_text(system, encoding="utf-8")
    (folder / "short.toml").write_text(mission, encoding="utf-8")
    return folder / "short.toml"
