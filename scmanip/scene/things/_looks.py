"""How files say that parts of bodies look."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from ...constraints import GROUND
from ...errors import InvalidInput, Problem
from ...shapes import Surface
from ...spatial import FloatArray
from ...system import Frame, System, Visual
from ._item import Item
from ._solid import DrawnBox, DrawnCapsule, DrawnCylinder, DrawnEllipsoid, DrawnSphere, Solid, Triangles

SOLIDS: Mapping[str, Callable[[FloatArray], Solid]] = MappingProxyType(
    {
        "box": DrawnBox,
        "sphere": lambda size: DrawnSphere(float(size[0])),
        "cylinder": lambda size: DrawnCylinder(float(size[0]), float(size[1])),
        "capsule": lambda size: DrawnCapsule(float(size[0]), float(size[1])),
        "ellipsoid": DrawnEllipsoid,
    }
)


def missing(visual: Visual) -> bool:
    """Return whether a visual is a mesh whose file is not there."""
    return visual.type not in SOLIDS and not os.path.isfile(visual.file)


def look_item(system: System, number: int, colour: Callable[[int], str]) -> Item:
    """Return what stands for a visual of a system; colour : the word for a body. What collides is shown on request.

    Raises `InvalidInput` for the file of a mesh that cannot be read.
    """
    visual = system.visuals[number]
    frame = Frame("ground", GROUND) if visual.frame == GROUND else system.frame(visual.frame)
    on = None if frame.body == GROUND else system.body_number(frame.body)
    solid = SOLIDS[visual.type](np.array(visual.size_m)) if visual.type in SOLIDS else _mesh(visual)
    name, rgba = f"look {number + 1} of {visual.frame}", visual.rgba or (0.0, 0.0, 0.0, 1.0)
    return Item(
        name,
        solid,
        "contact" if visual.collides else "ground" if on is None else colour(on),
        "contact shapes" if visual.collides else "environment" if on is None else "bodies",
        on,
        frame.origin_m + frame.dcm @ visual.origin_m,
        frame.dcm @ visual.dcm,
        shown=not visual.collides,
        opacity=max(rgba[3], 0.05),
        paint=tuple(round(255 * part) for part in rgba[:3]) if visual.rgba else (),
    )


def _mesh(visual: Visual) -> Solid:
    """Return the triangles of the file of a mesh, of every kind that the package `trimesh` reads."""
    vertices, faces = _read(visual.file)
    scale = np.array(visual.scale)
    return Triangles(vertices * scale, faces if np.prod(scale) > 0 else faces[:, ::-1])


def _read(file: str) -> Surface:
    try:
        import trimesh
    except ImportError:
        hint = "pip install 'scmanip[view]'"
        raise InvalidInput(Problem(file, "the package trimesh, for pictures of meshes", "none", hint=hint)) from None
    try:
        mesh: Any = trimesh.load(file, force="mesh")
        vertices, faces = np.array(mesh.vertices, dtype=float), np.array(mesh.faces, dtype=np.intp)
    except Exception as error:  # whatever its readers of many kinds of files come upon
        raise InvalidInput(Problem(file, "a mesh that trimesh reads", f"{type(error).__name__}: {error}")) from None
    if not len(faces) or not np.isfinite(vertices).all():
        raise InvalidInput(Problem(file, "a mesh of triangles with finite corners", f"{len(faces)} triangles"))
    return Surface(vertices, faces)
