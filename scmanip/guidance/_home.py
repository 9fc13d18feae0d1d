"""Where the joints start, and which of them a number can move."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InvalidInput, Problem, expect, refuse
from ..spatial import Array
from ..system import Layout, quaternion_problems
from ._checks import row

MOST = 10_000  # joints; a larger number is none of them


@dataclass(frozen=True, eq=False)
class Home:
    """Joint coordinates, and the rates that change them.

    q : (n_q,), read-only [rad or m]
    N : number of rates
    places : for every commanded rate that is that of one coordinate, by its place in qdot that coordinate's place in q
    names : (N,) of the rates; empty without a layout
    """

    q: Array
    N: int
    places: Mapping[int, int]
    names: tuple[str, ...]

    @classmethod
    def of(cls, key: str, q: ArrayLike | int, layout: Layout | None) -> Home:
        """Return the home at `q` (n_q,), or of so many joint rates, all joints at zero; raises `InvalidInput`."""
        return cls.at(key, _zeros(key, q, layout) if type(q) is int else q, layout)

    @classmethod
    def at(cls, key: str, q: ArrayLike, layout: Layout | None) -> Home:
        """Return the home at `q` (n_q,); raises `InvalidInput`."""
        expect("layout", layout, Layout | None, "a Layout, such as system.layout, or None")
        position = row(key, q)
        if layout is None:
            return cls(position, position.size, {i: i for i in range(position.size)}, ())
        if position.size != layout.n_q:
            raise InvalidInput(Problem(key, f"{layout.n_q} joint coordinates", f"{position.size}"))
        refuse(quaternion_problems(key, position, layout))
        places = {j: i for i, j in layout.single() if layout.actuated[j]}
        return cls(position, layout.N, places, layout.qdot_names)


def _zeros(key: str, count: int, layout: Layout | None) -> Array:
    if not 0 <= count <= MOST:
        raise InvalidInput(Problem(key, "joint coordinates or a number of joints", str(count)))
    if layout is None:
        return np.zeros(count)
    if count != layout.N:
        raise InvalidInput(Problem(key, f"{layout.N} joint rates, or joint coordinates", str(count)))
    return layout.neutral()
