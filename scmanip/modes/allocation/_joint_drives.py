"""What the drives of the joints give of commanded torques."""

from __future__ import annotations

import numpy as np

from ...spatial import SYMBOLS, Array, scalar_type
from ...system import System


def within_drives(system: System, qdot: Array, tau: Array) -> tuple[Array, tuple[str, ...]]:
    """Return commanded joint forces (N,) as the drives give them, and which of their limits act, each in a phrase.

    Over any scalar; of recorded ones nothing is said.

    qdot : (N,) rates of the joints
    """
    if not any(system.drive_of):
        return tau, ()
    given, limits = np.array(tau, dtype=scalar_type(tau, qdot)), []
    known = given.dtype != SYMBOLS
    for j, drive in enumerate(system.drive_of):
        if drive is None or (known and not np.isfinite(tau[j])):
            continue
        given[j] = drive.within(tau[j], qdot[j])
        if known and given[j] != tau[j]:
            limits.append(drive.limit(tau[j], qdot[j]))
    return given, tuple(limits)
