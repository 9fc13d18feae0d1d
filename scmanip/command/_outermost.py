"""The frame that stands for all where one is shown or compared."""

from __future__ import annotations

from ..system import System


def outermost_frame(system: System) -> str:
    """Return the name of the frame, or body where there are none, that the most freedoms of the base's arms move.

    Of several the last.
    """
    carried = [body.name for body in system.bodies[system.trees[0].bodies]]
    framed = [(frame.name, frame.body) for frame in system.frames if frame.body in carried]
    places = framed or [(name, name) for name in carried]
    dof = [joint.dof for joint in system.joints]
    moving = [int(system.tree.joint_path[system.body_number(body)] @ dof) if dof else 0 for _, body in places]
    return max(zip(moving, range(len(places)), places, strict=True))[2][0]
