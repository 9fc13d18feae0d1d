"""Who carries whom, as tables computed once [Stoneking2008]."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...spatial import restored
from ._body import Body


@dataclass(frozen=True, eq=False)
class Tree:
    """Topology of a system whose bodies are numbered depth-first from the base, 0, and then from every free body.

    parent : (n_b,) number of each body's parent, -1 for the base and for free bodies
    body_joint : (n_b,) number of the moving joint that carries each body, -1 for the base and for welds
    body_path : (n_b, n_b) row: moved body, column: body on its path from the base, itself included
    joint_path : (n_b, n_joints) row: moved body, column: moving joint on its path

    >>> system.tree.parent.tolist()
    [-1, 0, 1, 2, 3]
    >>> system.tree.joint_path[2].tolist()  # which joints move body 2
    [True, True, False, False]
    """

    parent: NDArray[np.intp]
    body_joint: NDArray[np.intp]
    body_path: NDArray[np.bool_]
    joint_path: NDArray[np.bool_]

    __setstate__ = restored

    @classmethod
    def of(cls, bodies: Sequence[Body]) -> Tree:
        """Return the tables of bodies in depth-first order, the base first."""
        number = {body.name: i for i, body in enumerate(bodies)}
        parent = np.array([-1 if b.parent is None or b.grounded else number[b.parent] for b in bodies], dtype=np.intp)
        moving = [b.joint is not None and b.joint.dof > 0 for b in bodies]
        body_joint = np.where(moving, np.cumsum(moving) - 1, -1)
        body_path = np.eye(len(bodies), dtype=bool)
        for i in range(1, len(bodies)):
            if parent[i] >= 0:
                body_path[i] |= body_path[parent[i]]
        joint_path = body_path[:, np.flatnonzero(moving)]
        for table in (parent, body_joint, body_path, joint_path):
            table.flags.writeable = False
        return cls(parent, body_joint, body_path, joint_path)
