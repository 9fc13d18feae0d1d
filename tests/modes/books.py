"""The books of a run that keeps every law."""

from types import SimpleNamespace

import numpy as np

from tests.simulation.arms import two_joints


def books(**changes):
    """A ledger of a run that keeps every law of every mode, with changes."""
    t = np.linspace(0.0, 2.0, 5)
    P = np.tile([3.0, 0.0, -1.0], (5, 1))
    still = {
        "r_0": np.outer(np.sin(t), [1.0, 0, 0]),
        "r_C": np.outer(t, P[0] / 10.0),
        "P": P,
        "L_C": np.tile([0, 1.0, 0], (5, 1)),
    }
    arm = {"P_arm": np.outer(t, [0, 2.0, 0]), "L_arm": np.outer(t, [0, 0, 4.0])}
    energy = {"kinetic_energy": 1 + 3 * t, "stored_energy": -t, "work": 2.5 * t, "dissipated": 0.5 * t}
    driven = {
        "system": two_joints(fixed=True, gravity=(0.0, 0.0, -9.81)),
        "tau": np.ones((5, 2)),
        "L_0": np.zeros((5, 3)),
        "h_wheels": np.zeros((5, 3)),
    }
    return SimpleNamespace(t=t, mass_kg=10.0, external=None, demand=None, **(still | arm | energy | driven | changes))
