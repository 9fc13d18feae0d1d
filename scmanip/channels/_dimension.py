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
    several : what series along it are called as a group, where that is not the name with an s

    >>> joint = Dimension("joint", ("shoulder", "rail"), units=("rad", "m"))
    >>> joint.group, Dimension("wheel", ("x",)).group
    ('joints', 'wheels')
    """

    name: str
    labels: tuple[str, ...]
    units: tuple[str, ...] = ()
    between: str = " or "
    several: str = ""

    @property
    def group(self) -> str:
        """What series along it are called together, as "wheels"."""
        return self.several or f"{self.name}s"


Dimensions: TypeAlias = Mapping[str, Dimension]
"""Those that a run has, by name; what its hardware does not have is not among them."""

XYZ = Dimension("xyz", ("x", "y", "z"), several="vectors")
XYZW = Dimension("xyzw", ("x", "y", "z", "w"), several="vectors")
WRENCH = Dimension(
    "wrench_part", ("f_x", "f_y", "f_z", "n_x", "n_y", "n_z"), (*("N",) * 3, *("N m",) * 3), " and ", several="vectors"
)
