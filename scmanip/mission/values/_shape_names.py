"""Names of shapes in mission files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...errors import Problem, nearest
from ...system import System


def unknown_shapes(key: str, names: Sequence[str], system: System) -> Iterator[Problem]:
    """Yield a problem for every name that is no shape of a system."""
    known = [shape.name for shape in system.shapes]
    words = f"two of {', '.join(known)}" if known else "shapes of the system, which has none"
    for name in names:
        if name not in known:
            yield Problem(key, words, repr(name), hint=nearest(name, known))
