"""What the joints' actuators put in."""

from __future__ import annotations

import numpy as np

from ..errors import expect
from ..simulation import History
from ..spatial import Array


def joint_power(history: History) -> Array:
    """Return the power (n, N) [W] of the actuators of the joints, negative where they brake."""
    expect("history", history, History, "a History")
    with np.errstate(invalid="ignore", over="ignore"):  # of a run that blew up
        return history.tau * history.qdot
