"""What hardware can do at most, without a run: how far frames reach, what wheels and thrusters give the base."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..errors import checked
from ..spatial import FloatArray
from ..system import Joint, System


@dataclass(frozen=True, eq=False)
class FrameReach:
    """How far a frame can be from the first joint that moves it: no farther than all lengths between are together.

    frame, joint : names; most_m : infinite where a joint on the way slides without limits [m]

    >>> tip = reach(system, "tip")
    >>> tip.joint, round(tip.most_m, 3)
    ('joint1', 4.0)
    """

    frame: str
    joint: str
    most_m: float


@checked
def reach(system: System, frame: str) -> FrameReach | None:
    """Return how far a frame reaches from the first joint on its way from a root; None where no joint moves it.

    Raises `UnknownName`.

    >>> reach(system, "tip").joint, reach(system, "base")  # joints do not move the base
    ('joint1', None)
    """
    at = system.frame(frame)
    if at.body not in (body.name for body in system.bodies):
        return None
    way, number = list[int](), system.body_number(at.body)
    while number and not system.bodies[number].grounded:
        way.append(number)
        number = int(system.tree.parent[number])
    joints = [system.bodies[k].joint for k in reversed(way)]
    placed = [joint for joint in joints if joint is not None]
    if not any(joint.dof for joint in placed):
        return None
    while not placed[0].dof:
        placed = placed[1:]
    ends = [*(joint.origin_m for joint in placed[1:]), at.origin_m]
    lengths = [np.linalg.norm(joint.child_origin_m + joint.child_dcm @ end) for joint, end in zip(placed, ends, strict=True)]
    return FrameReach(frame, placed[0].name, float(sum(lengths)) + sum(map(_slides, placed)))


def _slides(joint: Joint) -> float:
    return float(np.linalg.norm([max(abs(c.lower), abs(c.upper)) for c in joint.coordinates if c.unit == "m"]))


@dataclass(frozen=True, eq=False)
class Capability:
    """The largest components of what all actuators of a kind give the base together, in its axes.

    plus, minus : (k,) along and against each axis [N m], or [N, N m] with forces first; every one alone, not all at once

    >>> wheeled = scmanip.load_mission("mission:ets7_wheels_limits").system
    >>> torque = turner_capability(wheeled)
    >>> torque.plus.round(3).tolist(), torque.minus.round(3).tolist()
    ([0.924, 0.924, 0.924], [0.924, 0.924, 0.924])
    """

    plus: FloatArray
    minus: FloatArray


@checked
def turner_capability(system: System) -> Capability:
    """Return the largest torques (3,) [N m] of what turns the base, x, y, z, at its states at rest.

    By definition sums over its axes.

    >>> wheeled = scmanip.load_mission("mission:ets7_wheels_limits").system
    >>> turner_capability(wheeled).plus.shape, turner_capability(system).plus.tolist()
    ((3,), [0.0, 0.0, 0.0])
    """
    total = np.zeros(3)
    for turner in system.turners.each:
        axes = turner.axes(np.zeros(len(turner.states)))
        with np.errstate(invalid="ignore"):
            each = np.abs(axes) * np.array(turner.largest_efforts)[:, None]
        total += np.where(np.abs(axes) > 0, each, 0.0).sum(axis=0)
    return Capability(total, total)


@checked
def pusher_capability(system: System) -> Capability:
    """Return the largest forces and torques (6,) [N, N m] of what pushes, about the base's centre of mass.

    By definition sums over the thrusters.

    >>> pusher_capability(system).plus.tolist()  # no thrusters
    [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]
    """
    columns = system.pushers.wrench_map * system.pushers.largest_N
    return Capability(np.maximum(columns, 0).sum(axis=1), np.maximum(-columns, 0).sum(axis=1))
