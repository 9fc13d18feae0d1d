"""What the joints' actuators put in."""

from __future__ import annotations

from ..simulation import History
from ..spatial import Array


def joint_power(history: History) -> Array:
    """Return the power (n, N) [W] of the actuators of the joints, negative where they brake."""
    return history.tau * history.qdot
