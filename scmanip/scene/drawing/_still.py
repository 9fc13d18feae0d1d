"""What there is to draw at one instant."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...spatial import FloatArray

Colour = tuple[int, int, int]


class Piece(NamedTuple):
    """A solid in N: vertices (n, 3) [m], faces (m, 3), red, green and blue from 0 to 255, and whether one sees through it."""

    vertices: FloatArray
    faces: NDArray[np.intp]
    colour: Colour
    opacity: float = 1.0
    is_hull: bool = False


class Stroke(NamedTuple):
    """Lines in N: their pieces (n, 2, 3) [m], colour, and width as a part of the height of the picture."""

    pieces: FloatArray
    colour: Colour
    width: float = 0.004


@dataclass(frozen=True, eq=False)
class Still:
    """Solids and lines at one instant; what is a hull hides what is behind it from who looks for a good view."""

    pieces: tuple[Piece, ...]
    strokes: tuple[Stroke, ...] = ()

    @property
    def points(self) -> FloatArray:
        """(n, 3) all corners and ends [m]."""
        solid, lines = [piece.vertices for piece in self.pieces], [stroke.pieces.reshape(-1, 3) for stroke in self.strokes]
        return np.concatenate([np.zeros((0, 3)), *solid, *lines])
