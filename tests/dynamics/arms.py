"""Arms that a test can name: one of any length, and one small enough to work out by hand."""

from __future__ import annotations

from scmanip.system import Body, Frame, Joint, System


def long_arm(joints: int) -> System:
    """Return a spatial arm of equal links on a free base, its joints about z and y in turn."""
    bodies = []
    for i in range(joints):
        joint = Joint(f"joint{i + 1}", "revolute", [[0, 0, 1], [0, 1, 0]][i % 2], [0.5 if i == 0 else 1.0, 0, 0])
        bodies.append(Body(f"link{i + 1}", 5.0, [0.1, 1.0, 1.0], [0.5, 0, 0], f"link{i}" if i else "base", joint))
    return System(f"{joints} links", Body("base", 500.0, [100, 200, 300]), bodies, [Frame("tip", f"link{joints}", [1, 0, 0])])


def two_links(base_mass: float = 64.0) -> System:
    """Return a planar arm of two links on a free base; all numbers are exact in binary."""
    shoulder = Joint("shoulder", "revolute", origin_m=[0.5, 0.25, 0])
    elbow = Joint("elbow", "revolute", origin_m=[1.5, 0, 0])
    bodies = [
        Body("upper", 8.0, [0.25, 2.0, 2.5], [0.75, 0, 0], "base", shoulder),
        Body("lower", 4.0, [0.125, 1.0, 1.25], [0.5, 0, 0], "upper", elbow),
    ]
    return System("two links", Body("base", base_mass, [16.0, 24.0, 32.0]), bodies, [Frame("tip", "lower", [1.25, 0, 0])])
