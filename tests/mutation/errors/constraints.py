"""Errors in what constraints say of the speeds."""

from ..planted import Planted

ERRORS = (
    Planted(
        "a wheel rolls the other way round",
        "constraints/_rolling.py",
        "-self.radius_m / size * along",
        "self.radius_m / size * along",
    ),
    Planted(
        "what is led does not turn with its frame",
        "constraints/_whole.py",
        "motion.axes @ led[1] - cross(motion.omega, way)",
        "motion.axes @ led[1]",
    ),
    Planted(
        "what is square does not turn",
        "constraints/_closing.py",
        "about @ motion.bias[3:] + cross(cross(omega, w), self.p) @ omega",
        "about @ motion.bias[3:]",
    ),
    Planted(
        "a coupling has no curvature",
        "constraints/_coupling.py",
        "drift - curvature * rate * rate",
        "drift - 0 * curvature * rate",
    ),
    Planted(
        "a knife edge does not turn with its frame",
        "constraints/_knife_edge.py",
        "axis @ motion.bias[:3] + cross(omega, axis) @ v",
        "axis @ motion.bias[:3]",
    ),
    Planted(
        "the rim of a disk stays where it is",
        "constraints/_touching.py",
        "cross(omega, self.rim_rate)",
        "0 * cross(omega, self.rim_rate)",
    ),
    Planted(
        "a weld takes its turn the other way round",
        "constraints/_weld.py",
        "motion.axes_b @ transpose(motion.axes @ aim.C)",
        "motion.axes @ aim.C @ transpose(motion.axes_b)",
    ),
)
