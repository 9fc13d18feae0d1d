"""Bodies of MJCF that are reaction wheels: round about the hinge on which a motor spins them in the base, and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ._mjcf_file import Pose
from ._mjcf_masses import as_one, inertial_table

if TYPE_CHECKING:
    from ._mjcf import MjcfLink, MjcfRobot

_ROUND = 1e-9  # of the largest moment of inertia


def spinning(robot: MjcfRobot, link: MjcfLink, mass: dict[str, Any]) -> float | None:
    """Return the inertia [kg m^2] about the axis of a body that is a wheel, None where it is none."""
    if len(link.joints) != 1 or link.below or link.solids or link.sites or not mass.get("mass_kg"):
        return None
    joint = link.joints[0]
    driven = any(
        motor.values.get("joint") == joint.name for section in robot.root.all("actuator") for motor in section.all("motor")
    )
    said = any(joint.values.get(key) for key in ("range", "stiffness", "ref", "frictionloss", "actuatorfrcrange"))
    if joint.kind != "hinge" or not driven or said:
        return None
    tensor, arm = np.array(mass["inertia_kg_m2"]), np.array(mass.get("com_m", np.zeros(3))) - joint.values["pos"]
    axis = np.asarray(joint.values["axis"]) / np.linalg.norm(joint.values["axis"])
    along = float(axis @ tensor @ axis)
    across = (float(np.trace(tensor)) - along) / 2
    round_ = along * np.outer(axis, axis) + across * (np.eye(3) - np.outer(axis, axis))
    near = _ROUND * float(np.abs(tensor).max())
    return along if np.abs(tensor - round_).max() <= near and np.abs(np.cross(axis, arm)).max() <= _ROUND else None


def together(base: dict[str, Any], wheel: dict[str, Any], pose: Pose) -> dict[str, Any]:
    """Return mass, centre of mass and inertia of a base with a wheel in it, which is at `pose` in it."""
    parts = []
    for said, (origin, R) in ((base, (np.zeros(3), np.eye(3))), (wheel, pose)):
        tensor = R @ np.array(said["inertia_kg_m2"]) @ R.T
        parts.append((said["mass_kg"], origin + R @ np.array(said.get("com_m", np.zeros(3))), tensor))
    return inertial_table(*as_one(parts))
