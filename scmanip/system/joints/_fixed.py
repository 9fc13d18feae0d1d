"""A weld."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from ...constraints import Closing, Pinned, Unturned
from ...spatial import Array
from ._kind import JointKind
from ._motion import Motion

if TYPE_CHECKING:
    from ..parts._joint import Joint


@dataclass(frozen=True, eq=False)
class NoMotion(Motion):
    """No motion.

    twists : (0, 6), as of `Motion`, in its own axes

    >>> NoMotion().dof, NoMotion().neutral().tolist()
    (0, [])
    """

    twists: Array = field(default_factory=lambda: np.zeros((0, 6)))

    def of_parent(self, m: Array, ms: Array, K: Array) -> tuple[Array, Array, Array]:
        return m, ms, K


class Fixed(JointKind):
    """A body that is fixed to its parent."""

    name = "fixed"
    freedoms = ()

    def motions(self, joint: Joint) -> tuple[Motion, ...]:
        return (NoMotion(),)

    def closings(self, joint: Joint) -> tuple[Closing, ...]:
        return (Pinned(), Unturned())

    def dof(self, given: Mapping[str, Any]) -> int:
        return 0
