"""Springs and dampers between two points: internal forces, which leave the base rows of the equations alone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from ...errors import SingularInertia
from ...spatial import Array, present, sqrt
from ...system import System
from ._points import frame_point
from ._results import Point, Springs


@dataclass(frozen=True, eq=False)
class Spring:
    """One spring: its name, ends, which of them are centres of mass, stiffness [N/m], damping [N s/m], natural length [m].

    idle : whether no joint moves its ends against each other, so that it does nothing
    """

    name: str
    ends: tuple[Point, Point]
    at_com: tuple[bool, bool]
    stiffness: float
    damping: float
    length: float
    idle: bool

    @classmethod
    def all_of(cls, system: System) -> tuple[Spring, ...]:
        """Return the springs of a system."""
        springs = []
        for spring in system.springs:
            points = [frame_point(system, name) for name in spring.between]
            com = [name == f"{system.frame(name).body}.com" for name in spring.between]
            ends, at_com = (points[0], points[1]), (com[0], com[1])
            idle = spring in system.idle_springs
            springs.append(cls(spring.name, ends, at_com, spring.stiffness_N_m, spring.damping_Ns_m, spring.length_m, idle))
        return tuple(springs)


class PointKinematics(Protocol):
    """What knows where points are and how the joints move them: `Equations` and `LinkEquations`."""

    parameters: Any
    q: Array
    qdot: Array

    def position(self, point: Point) -> Array: ...
    def Jm(self, point: Point) -> Array: ...


def spring_states(e: PointKinematics) -> Springs:
    """Return length (n_s,) and rate of length (n_s,) of every spring."""
    spans = [_span(e, spring) for spring in e.parameters.springs]
    lengths = [sqrt(d @ d) for d, _ in spans]
    triples = zip(e.parameters.springs, spans, lengths, strict=True)
    rates = [0 * length if spring.idle else (d @ (J @ e.qdot)) / length for spring, (d, J), length in triples]
    return Springs(np.array(lengths), np.array(rates))


def passive_forces(e: PointKinematics) -> Array:
    """Joint forces (N,) of all springs and dampers, of the joints and between points."""
    joints = joint_spring_forces(e)
    return joints + spring_forces(e) if e.parameters.springs else joints


def joint_spring_forces(e: PointKinematics) -> Array:
    """Forces (N,) of the springs and dampers of the joints, and of the Coulomb friction of their motors."""
    p = e.parameters
    force = -(p.stiffness * e.q[p.spring] + p.damping * e.qdot)
    for j in np.flatnonzero(present(p.coulomb)):
        force[j] = force[j] - p.coulomb[j] * np.tanh(e.qdot[j] / p.coulomb_width[j])
    return force


def spring_forces(e: PointKinematics) -> Array:
    """Joint forces (N,) of the springs between points: minus pull times the gradient of length, d'(J_2 - J_1) / length."""
    forces = 0 * e.qdot
    for spring in acting(e.parameters.springs):
        d, J = _span(e, spring)
        along = d @ J
        forces = forces - along * pull_per_length(spring, d, along @ e.qdot)
    return forces


def end_forces(e: PointKinematics) -> list[tuple[Point, Array]]:
    """Return both ends of every spring with the force (3,) that it applies there."""
    forces = []
    for spring in acting(e.parameters.springs):
        d, J = _span(e, spring)
        pull = d * pull_per_length(spring, d, d @ (J @ e.qdot))
        forces += [(spring_end(e, spring, 0), pull), (spring_end(e, spring, 1), -pull)]
    return forces


def acting(springs: Iterable[Spring]) -> list[Spring]:
    """Return the springs that do something."""
    return [spring for spring in springs if not spring.idle]


def check_lengths(e: PointKinematics) -> None:
    """Raise `SingularInertia` where the ends of a spring meet that needs a direction."""
    for spring in acting(e.parameters.springs):
        d, _ = _span(e, spring)
        if not d.any() and (spring.damping or spring.length):
            raise SingularInertia(
                f"spring_damper '{spring.name}' has length 0 in this state, where it has no direction to pull in: move one of "
                "its ends, or give it neither damping nor a natural length"
            )


def pull_per_length(spring: Spring, d: Array, growth: Any) -> Any:
    """Pull [N] over length [m]; d (3,) from the first end to the second, growth = d . d_dot [m^2/s]."""
    if spring.damping == 0 and spring.length == 0:  # also where its ends meet
        return spring.stiffness
    length = sqrt(d @ d)
    return (spring.stiffness * (length - spring.length) + spring.damping * (growth / length)) / length


def spring_end(e: PointKinematics, spring: Spring, k: int) -> Point:
    """Return end 0 or 1 of a spring; a centre of mass may be an input of the program."""
    point = spring.ends[k]
    if not spring.at_com[k]:
        return point
    p = e.parameters
    return Point(point.body, p.com[p.link_of[point.body]], point.dcm)


def _span(e: PointKinematics, spring: Spring) -> tuple[Array, Array]:
    """Return the vector (3,) from the first end to the second, and how the joints change it (3, N), the base held."""
    first, second = (spring_end(e, spring, k) for k in (0, 1))
    return e.position(second) - e.position(first), (e.Jm(second) - e.Jm(first))[:3]
