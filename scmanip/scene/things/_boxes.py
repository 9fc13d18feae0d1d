"""Solids of even density that have the mass and inertia of a body."""

from __future__ import annotations

import numpy as np

from ...spatial import FloatArray
from ...system import Body

DENSITY = 1000.0  # kg/m^3, of water: that of balls that stand for masses, and of bodies that have no inertia
_THIN = 0.05  # of the longest edge: no edge is shorter


def equal_box(body: Body) -> tuple[FloatArray, FloatArray]:
    """Return edges (3,) [m] and axes (3, 3), columns, of the box of even density that has a body's mass and inertia.

    A principal moment is I_k = m (b^2 + c^2) / 12, so that a_k^2 = 6 (I_1 + I_2 + I_3 - 2 I_k) / m. Where one moment is
    larger than the sum of the others there is no such box; an edge is no shorter than a twentieth of the longest.
    A body without inertia is a cube of water.

    >>> from scmanip.system import Body
    >>> edges, axes = equal_box(Body("cube", 12.0, [2.0, 2.0, 2.0]))
    >>> edges.round(6).tolist()
    [1.0, 1.0, 1.0]
    """
    squares, R = _moments(body)
    return _sizes(6 * squares, body), R


def equal_ellipsoid(body: Body) -> tuple[FloatArray, FloatArray]:
    """Return semi-axes (3,) [m] and axes (3, 3) of the ellipsoid likewise, of I_k = m (b^2 + c^2) / 5."""
    squares, R = _moments(body)
    return _sizes(2.5 * squares, body), R


def equal_ball(mass_kg: float) -> float:
    """Return the radius [m] of a ball of `DENSITY`."""
    return float(np.cbrt(3 * mass_kg / (4 * np.pi * DENSITY)))


def _moments(body: Body) -> tuple[FloatArray, FloatArray]:
    """Return (I_1 + I_2 + I_3 - 2 I_k) / m (3,) [m^2] and principal axes (3, 3), those of the body where moments are equal."""
    tensor = body.inertia_kg_m2
    plain = np.abs(tensor - np.diag(np.diagonal(tensor))).max() <= 1e-12 * np.abs(tensor).max()
    moments, R = (np.diagonal(tensor), np.eye(3)) if plain else np.linalg.eigh(tensor)
    mass = body.mass_kg if body.mass_kg > 0 else 1.0
    return (moments.sum() - 2 * moments) / mass, R * np.sign(np.linalg.det(R))


def _sizes(squares: FloatArray, body: Body) -> FloatArray:
    sizes: FloatArray = np.sqrt(np.maximum(squares, 0.0))
    if not sizes.max() > 0:
        return np.full(3, float(np.cbrt(max(body.mass_kg, 1e-9) / DENSITY)))
    return np.maximum(sizes, _THIN * sizes.max())
