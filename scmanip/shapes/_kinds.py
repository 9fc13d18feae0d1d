"""The kinds of shapes that a file can name."""

from __future__ import annotations

from typing import Any

from ..plugins import Kinds
from ._box import Box
from ._capsule import Capsule
from ._mesh import Mesh
from ._plane import Plane
from ._shape import Shape
from ._sphere import Sphere

_OWN: dict[str, type[Shape]] = {kind.kind: kind for kind in (Sphere, Capsule, Box, Plane, Mesh)}


def _made(word: str, given: Any) -> type[Shape] | None:
    return given if isinstance(given, type) and issubclass(given, Shape) and given.kind == word else None


SHAPE_KINDS: Kinds[type[Shape]] = Kinds("scmanip.shapes", "shape.type", lambda: _OWN, _made, "a Shape with kind = {name!r}")
