"""The five-body example of [Stoneking2008]: G1 joins B1 and B2, G2 B1 and B3, G3 B3 and B4, G4 B3 and B5."""

from __future__ import annotations

import numpy as np

from scmanip.system import Body, Joint, System
from tests.oracles.random_systems import random_inertia, random_rotation

IN_ORDER = ("G1", "G2", "G3", "G4")
SWAPPED = ("G1", "G2", "G4", "G3")


def five_bodies(*, fixed: bool = False, slides: bool = False) -> System:
    """A gimbal 2-1-3, two axes, one axis (or a slide) and a spherical joint between bodies without symmetry."""
    rng = np.random.default_rng(5)
    passive = {"stiffness": 3.0, "damping": 0.4}
    joints = [
        ("B1", "gimbal", {"sequence": "yxz"} | passive),
        ("B1", "gimbal", {"sequence": "xy"}),
        ("B3", "prismatic" if slides else "gimbal", {} if slides else {"sequence": "z"}),
        ("B3", "spherical", {"damping": 0.2}),
    ]
    bodies = []
    for number, (parent, kind, options) in enumerate(joints, start=1):
        joint = Joint(f"G{number}", kind, origin_m=rng.normal(size=3), dcm=random_rotation(rng), **options)
        name, inner = f"B{number + 1}", "base" if parent == "B1" else parent
        bodies.append(Body(name, 2.0 + number, random_inertia(rng, 3.0, "massive"), rng.normal(size=3), inner, joint))
    base = Body("base", 30.0, random_inertia(rng, 30.0, "massive"), rng.normal(size=3))
    return System("five bodies", base, bodies, fixed=fixed, gravity_m_s2=[1.0, -2.0, -9.0] if fixed else np.zeros(3))
