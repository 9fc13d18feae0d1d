"""Which kinds of shapes have a distance."""

from __future__ import annotations

from ..errors import InvalidInput, Problem, checked
from ._shape import Shape
from .pairs._pair import Pair


@checked
def pair_of(one: Shape, other: Shape) -> Pair:
    """Return the distance from one shape to another, which either kind may know; raises `InvalidInput` where none does.

    >>> pair = pair_of(Plane("deck", "ground"), Box("bus", "base", [1, 1, 1]))
    >>> pair.is_formula, len(pair.points)
    (True, 8)
    >>> pair_of(Plane("deck", "ground"), Plane("wall", "ground"))
    Traceback (most recent call last):
        ...
    scmanip.errors._errors.InvalidInput: shapes: expected two shapes of ... plane 'deck' and plane 'wall'
    """
    known, mirrored = one.pair(other), other.pair(one)
    if known is not None:
        return known
    if mirrored is not None:
        return mirrored.mirrored
    expected = f"two shapes of which one knows the distance to the other: {', '.join(_met(one))} of a {one.kind}"
    found = f"{one.kind} {one.name!r} and {other.kind} {other.name!r}"
    raise InvalidInput(Problem("shapes", expected, found))


@checked
def place_names(one: Shape, other: Shape) -> tuple[str, ...]:
    """Return what the places are called at which two shapes may touch; raises as `pair_of`.

    >>> place_names(Plane("deck", "ground"), Capsule("boom", "link1", 0.05, 1.0))
    ('deck boom bottom', 'deck boom top')
    """
    return tuple(" ".join([one.name, other.name, *filter(None, [label])]) for label in pair_of(one, other).points)


def _met(shape: Shape) -> tuple[str, ...]:
    from ._kinds import SHAPE_KINDS  # which knows the kinds that know this file

    kinds = SHAPE_KINDS.sound.items()
    return tuple(word for word, kind in kinds if word in type(shape).meets or shape.kind in kind.meets)
