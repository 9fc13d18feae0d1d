"""Where frames were to be in the end."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...guidance import PoseReference
from ...simulation import History
from ...spatial import dcm_from_quaternion
from ..things._item import Item
from ..things._solid import DrawnAxes, DrawnSphere


def target_items(history: History, size_m: float) -> Iterator[Item]:
    """Yield the axes of the last pose that a frame was to have in N, a ball where its attitude was free; size_m : of these."""
    wanted = history.reference
    if isinstance(wanted, PoseReference) and wanted.relative_to is None:
        name, r = f"target of {wanted.frame}", wanted.position_m[-1]
        if wanted.attitude_xyzw is None:
            yield Item(name, DrawnSphere(size_m / 6), "target", "environment", None, r, opacity=0.7)
        else:
            yield Item(
                name,
                DrawnAxes(size_m),
                "target",
                "environment",
                None,
                r,
                np.array(dcm_from_quaternion(wanted.attitude_xyzw[-1])),
            )
