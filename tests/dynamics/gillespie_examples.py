"""The examples of [Gillespie2003] as bodies over a base that is held."""

from __future__ import annotations

import numpy as np

from scmanip.constraints import KnifeEdge, Lock, PointOnPlane, PointOnPoint, Rolling
from scmanip.spatial import dcm_from_axis_angle
from scmanip.system import Body, Frame, Joint, State, System

M_B, M_C, I_B, L1, L2, L3 = 12.0, 3.0, 0.8, 0.4, 0.9, 0.2


def over_ground(name, bodies, frames, held, g) -> System:
    return System(name, Body("base", 0, [0, 0, 0]), bodies, frames, fixed=True, gravity_m_s2=g, constraints=held)


def disk(phi: float, *, free: bool) -> System:
    """The disk of Figure 1 on a slope; q = [along it, from it, angle], or the pose of a free body."""
    turn = dcm_from_axis_angle(np.array([0.0, 0, 1]), phi)
    joint = Joint("way", "free") if free else Joint("way", "planar", dcm=turn)
    body = Body("disk", 2.0, [0.05, 0.05, 0.09], parent="ground" if free else "base", joint=joint)
    keys = {"frames": ("disk", "slope"), "radius_m": 0.3, "normal": [0, 1, 0], "axis": [0, 0, 1]}
    held = [Rolling("rolls", **keys), PointOnPlane("rests", **keys)]
    return over_ground("disk", [body], [Frame("slope", "base", dcm=turn)], held, [0, -9.81, 0])


def wrist(M: float, L: float, inertia: tuple[float, ...], g: float) -> System:
    """The body C of the wrist of Figure 3, held at its point; n1 is up."""
    body = Body("C", M, inertia, [0, 0, L], "ground", Joint("c", "free"))
    return over_ground("wrist", [body], [], [PointOnPoint("centre", ("ground", "C"))], [-g, 0, 0])


def cart() -> System:
    """The shopping cart of Figure 4: P1 of B at its frame, the caster at P2, its mass at P3."""
    bodies = [
        Body("B", M_B, [0, 0, I_B], [L1, 0, 0], "base", Joint("floor", "planar")),
        Body("C", M_C, [0, 0, 0], [-L3, 0, 0], "B", Joint("caster", "revolute", [0, 0, 1], [L2, 0, 0])),
    ]
    held = [
        KnifeEdge("rear", frame="B", blocked_axis=[0, 1, 0]),
        KnifeEdge("front", frame="C.com", blocked_axis=[0, 1, 0]),
        Lock("stuck", "caster"),
    ]
    return over_ground("cart", bodies, [], held, [0, 0, 0])


def rolling_cart(q4: float, u1: float, u2: float) -> tuple[State, float]:
    """Return the cart where its wheels allow its motion, and u3 of eq. 60."""
    u3 = (-np.sin(q4) * u1 + L2 * np.cos(q4) * u2) / L3
    return State(q=[0.3, -0.2, 0.5, q4], qdot=[np.cos(0.5) * u1, np.sin(0.5) * u1, u2, u3 - u2]), u3


def ahead(vector: np.ndarray) -> float:
    """Return the part along b1 of a velocity or acceleration of P1: that of u1, as nothing moves along b2."""
    return np.cos(0.5) * vector[0] + np.sin(0.5) * vector[1]
