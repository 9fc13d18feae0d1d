"""The joint through which a held base carries everything that moves, where nothing acts along it but its actuator."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...spatial import Array
from ...system import Joint, System

_ALIGNED = 1e-12  # sine of an angle that counts as rounding


@dataclass(frozen=True, eq=False)
class RootJoint:
    """The first joint of an arm on a held base, inertial components.

    name : of the joint
    turns : whether it is revolute; otherwise it slides
    axis : (3,) unit vector
    origin : (3,) a point of the axis [m]

    >>> arm = scmanip.load_system("model:stanford_arm")
    >>> root = RootJoint.of(arm)
    >>> root.name, root.axis.tolist(), RootJoint.of(system)
    ('q1', [0.0, 1.0, 0.0], None)
    """

    name: str
    turns: bool
    axis: Array
    origin: Array

    @classmethod
    def of(cls, system: System) -> RootJoint | None:
        """Return the root joint of a system, None where it has none or where other forces act along it.

        Everything that moves must hang on this one joint, the base must be held, and the joint must have neither spring
        nor damper, nor may a spring between two points tie what moves to the base. Gravity must be parallel to a revolute
        axis, or at right angles to a prismatic one.
        """
        moved = system.tree.joint_path[system.tree.joint_path.any(axis=1)]
        if not system.fixed or not moved.size or not moved[:, 0].all():
            return None
        joint, root = system.joints[0], cls._placed(system)
        if root is None or joint.stiffness or _tied(system) or _rubs(system):
            return None
        g = system.gravity_m_s2
        along = np.linalg.norm(np.cross(root.axis, g)) if root.turns else abs(root.axis @ g)
        return root if along <= _ALIGNED * np.linalg.norm(g) else None

    @classmethod
    def _placed(cls, system: System) -> RootJoint | None:
        """The axis is found along the welds between the base and the joint; a joint that both turns and slides has none."""
        joint = system.joints[0]
        linear, angular = joint.twists(system.layout.neutral()[: joint.n_q]).reshape(-1, 2, 3)[0]
        if joint.dof > 1 or (linear.any() and angular.any()):
            return None
        origin, R = np.zeros(3), np.eye(3)
        for weld in _welds(system):
            origin, R = origin + R @ weld.origin_m, R @ weld.dcm
            origin, R = origin + R @ weld.child_origin_m, R @ weld.child_dcm
        return cls(joint.name, bool(angular.any()), R @ joint.dcm @ (linear + angular), origin + R @ joint.origin_m)


def _tied(system: System) -> bool:
    """Whether a spring between two points has one end that moves and one that does not."""
    moves: Array = np.any(system.tree.joint_path, axis=1)
    ends = [[moves[system.body_number(system.frame(name).body)] for name in spring.between] for spring in system.springs]
    return any(first != second for first, second in ends)


def _rubs(system: System) -> bool:
    """Whether the first joint has friction, or a drive whose rotor spins on the ground's side."""
    friction = system.friction
    return bool(friction.damping[0] or friction.coulomb[0] or system.fittings[0].rotor_inertia)


def _welds(system: System) -> list[Joint]:
    """Return the welds between the base and the first joint, the base's first."""
    carried = np.flatnonzero(system.tree.body_joint == 0)[0]
    path = [system.bodies[number] for number in np.flatnonzero(system.tree.body_path[carried])[:-1]]
    return [body.joint for body in path if body.joint is not None]  # only the base has none
