"""What acts on a system and what it has of momentum, from the series of a run."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...constraints import GROUND
from ...shapes import Placed, Shape, pair_of, place_names
from ...simulation import History
from ...spatial import FloatArray, dcm_from_quaternion, rotate_by_quaternion
from ...system import System
from ._poses import point_of
from ._trail import Arrow
from ._trails import centre_of_mass


def arrows_of(history: History, poses: FloatArray) -> Iterator[Arrow]:
    """Yield all that a run has: wrench on the base, joint forces, plumes, momenta, forces of constraints and contacts."""
    yield from _on_base(history, poses)
    yield from _of_joints(history, poses)
    yield from _plumes(history, poses)
    yield from _momenta(history, poses)
    yield from _of_constraints(history, poses)
    yield from _of_contacts(history, poses)


def _on_base(history: History, poses: FloatArray) -> Iterator[Arrow]:
    system, words = history.system, "on the base" if not history.system.fixed else "of the ground on the base"
    at = point_of(poses, 0, np.zeros(3) if system.fixed else system.base.com_m)
    yield Arrow(f"force {words}", "base wrench", "N", at, history.wrench[:, :3], "force")
    yield Arrow(f"torque {words}", "base wrench", "N m", at, history.wrench[:, 3:], "torque")


def _of_joints(history: History, poses: FloatArray) -> Iterator[Arrow]:
    """Yield what actuators give at each joint, along its axes."""
    system, n_q, n = history.system, 0, 0
    for number, body in enumerate(system.bodies):
        joint = body.joint
        if joint is None or not joint.dof:
            continue
        q, tau = history.q[:, n_q : n_q + joint.n_q], history.tau[:, n : n + joint.dof]
        n_q, n = n_q + joint.n_q, n + joint.dof
        if joint.kind.grounded:
            continue
        if joint.dof == 1:  # which is the same however it stands
            wrench = tau @ joint.twists(q[0])
        else:
            wrench = np.array([tau_k @ joint.twists(q_k) for q_k, tau_k in zip(q, tau, strict=True)], dtype=float)
        at = point_of(poses, number, -joint.child_dcm.T @ joint.child_origin_m)
        for part, word, unit in ((wrench[:, 3:], "torque", "N m"), (wrench[:, :3], "force", "N")):
            if joint.turns if unit == "N m" else joint.slides and not joint.turns:
                vector = rotate_by_quaternion(poses[:, number, 3:], part @ joint.child_dcm)
                yield Arrow(f"{word} of {joint.name}", "joint forces", unit, at, vector, word, shown=False)


def _plumes(history: History, poses: FloatArray) -> Iterator[Arrow]:
    system = history.system
    for k, pusher in enumerate(system.pushers.each):
        (place, direction), on = pusher.line(), system.body_number(pusher.body)
        along = rotate_by_quaternion(poses[:, on, 3:], -np.asarray(direction))
        at, push = point_of(poses, on, place), history.thrust_N[:, k, None]
        yield Arrow(f"plume of {pusher.called}", "plumes", "N of thrust", at, along * push, "plume", is_plume=True)


def _momenta(history: History, poses: FloatArray) -> Iterator[Arrow]:
    if not history.system.fixed:
        at = centre_of_mass(history.system, poses)
        yield Arrow("linear momentum", "momenta", "N s", at, history.P, "linear momentum", shown=False)
        yield Arrow("angular momentum", "momenta", "N m s", at, history.L_C, "angular momentum", shown=False)


def _of_constraints(history: History, poses: FloatArray) -> Iterator[Arrow]:
    """Yield what constraints between frames apply on the bodies of their frames `on`."""
    system = history.system
    for each in system.interfaces:
        if not each.constraint:
            continue
        load = history.interface_load(each.name)
        if each.on == GROUND:
            at = np.zeros((len(load), 3))
        else:
            frame = system.frame(each.on)
            at = point_of(poses, system.body_number(frame.body), frame.origin_m)
        yield Arrow(f"force of {each.constraint}", "constraint forces", "N", at, load[:, :3], "force")
        yield Arrow(f"torque of {each.constraint}", "constraint forces", "N m", at, load[:, 3:], "torque")


def _of_contacts(history: History, poses: FloatArray) -> Iterator[Arrow]:
    """Yield the forces of contacts and of other loads at a place on second bodies, where they act."""
    if hasattr(history, "push_force"):
        for k, name in enumerate(history.channels.dimensions["push"].labels):
            place, force = history.push_place[:, k], history.push_force[:, k]
            yield Arrow(f"contact {name}", "contact forces", "N", place, force, "contact")
    if not hasattr(history, "contact_force"):
        return
    system, places = history.system, history.channels.dimensions["contact"].labels
    for one, other, number, k in _touching(system, places):
        force = history.contact_force[:, k]
        at = np.zeros((len(force), 3))
        for i in np.flatnonzero(np.any(force, axis=1)):
            near = pair_of(one, other).proximity(_placed(system, one, poses[i]), _placed(system, other, poses[i]))
            at[i] = near.on_other[number]
        yield Arrow(f"contact {places[k]}", "contact forces", "N", at, force, "contact")


def _touching(system: System, places: tuple[str, ...]) -> Iterator[tuple[Shape, Shape, int, int]]:
    """Yield two shapes, and the numbers of a place among theirs and among all."""
    shapes = [system.shape(shape.name) for shape in system.shapes]
    for one in shapes:
        for other in shapes:
            if one is not other and any(place.startswith(f"{one.name} {other.name}") for place in places):
                for number, name in enumerate(place_names(one, other)):
                    if name in places:
                        yield one, other, number, places.index(name)


def _placed(system: System, shape: Shape, poses: FloatArray) -> Placed[Shape]:
    """Return a shape in N, that is in axes of its body; poses : (n_b, 7)."""
    if shape.frame == GROUND:
        return Placed(shape, shape.origin_m, shape.dcm)
    pose = poses[system.body_number(shape.frame)]
    R = dcm_from_quaternion(pose[3:])
    return Placed(shape, pose[:3] + R @ shape.origin_m, R @ shape.dcm)
