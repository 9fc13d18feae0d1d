"""Whether the joint quaternions in q are quaternions."""

from __future__ import annotations

import numpy as np

from ..errors import Problem
from ..spatial import FloatArray
from ._layout import Layout


def quaternion_problems(key: str, q: FloatArray, layout: Layout) -> list[Problem]:
    """Return a problem for every spherical joint whose part of q (..., n_q) is no unit quaternion (to 1e-6).

    >>> tool = Body("tool", 2.0, [0.1, 0.1, 0.1], parent="base", joint=Joint("wrist", "spherical"))
    >>> layout = System("servicer", Body("base", 100.0, [20, 20, 20]), [tool]).layout
    >>> print(*quaternion_problems("state", np.array([0.0, 0, 0, 1.1]), layout))
    state: expected a unit quaternion x, y, z, w for joint 'wrist', found norm 1.1
    """
    problems = []
    for i, _ in layout.quaternions:
        norm = np.linalg.norm(q[..., i : i + 4], axis=-1)
        if not np.all(np.abs(norm - 1) <= 1e-6):
            joint = layout.q_names[i].removesuffix(".x")
            worst = norm.flat[np.argmax(np.abs(norm - 1))]
            problems.append(Problem(key, f"a unit quaternion x, y, z, w for joint '{joint}'", f"norm {worst:.9g}"))
    return problems
