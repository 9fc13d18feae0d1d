"""What the entries of a series are called."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True)
class Dimension:
    """One axis of a series beside time.

    name : as in "wheel"
    labels : one per entry
    units : one per entry where entries have units of their own, such as rad and m of joints
    between : what stands between several units
    """

    name: str
    labels: tuple[str, ...]
    units: tuple[str, ...] = ()
    between: str = " or "


Dimensions: TypeAlias = Mapping[str, Dimension]
"""Those that a run has, by name; what its hardware does not have is not among them."""

XYZ = Dimension("xyz", ("x", "y", "z"))
XYZW = Dimension("xyzw", ("x", "y", "z", "w"))
WRENCH = Dimension("wrench_part", ("f_x", "f_y", "f_z", "n_x", "n_y", "n_z"), (*("N",) * 3, *("N m",) * 3), " and ")
