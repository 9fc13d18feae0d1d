"""Surfaces that are shaded as what they are: round where they are round, with edges where they have edges."""

from __future__ import annotations

import numpy as np

from ...shapes import Surface

CREASE_RAD = np.radians(40.0)


def with_creases(surface: Surface) -> Surface:
    """Return a surface whose vertices are apart where its faces meet at an edge, so that viewers do not round it."""
    from trimesh import Trimesh
    from trimesh.graph import smooth_shade

    mesh = Trimesh(surface.vertices, surface.faces, process=True)
    smooth = smooth_shade(mesh, angle=CREASE_RAD)
    return Surface(np.asarray(smooth.vertices), np.asarray(smooth.faces))
