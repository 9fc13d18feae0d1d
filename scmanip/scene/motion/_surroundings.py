"""What is outside of a system: the body that it goes round, and the sun."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike

from ...loads import Orbit
from ...spatial import FloatArray, unit_vector
from ._trail import Arrow


def surrounding_arrows(orbit: Orbit | None, sun: ArrayLike | None, t_s: FloatArray, at: FloatArray) -> Iterator[Arrow]:
    """Yield directions to the central body and along the orbit, and to the sun; at : (K, 3) where they begin [m]."""
    if orbit is not None:
        r, v = (np.array([way(t) for t in t_s], dtype=float) for way in (orbit.position, orbit.velocity))
        for name, way in ((f"to the {orbit.body.name}", -r), ("along the orbit", v)):
            yield Arrow(name, "orbit and sun", "", at, way / np.linalg.norm(way, axis=1, keepdims=True), "orbit")
    if sun is not None:
        yield Arrow("to the sun", "orbit and sun", "", at, np.tile(unit_vector(np.asarray(sun)), (len(t_s), 1)), "sun")
