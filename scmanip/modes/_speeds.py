"""The speeds s = [v_C; omega_0; qdot] by name; where the base is held they are qdot alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from ..system import Layout

NONE = "none"


def speed_names(layout: Layout) -> tuple[str, ...]:
    """Return a name per entry of s: `v_C x` to `omega_0 z`, in N, and the freedoms of the joints.

    >>> speed_names(system.layout)
    ('v_C x', 'v_C y', 'v_C z', 'omega_0 x', 'omega_0 y', 'omega_0 z', 'joint1', 'joint2', 'joint3', 'joint4')
    """
    base = () if layout.fixed else tuple(f"{vector} {axis}" for vector in ("v_C", "omega_0") for axis in "xyz")
    return (*base, *layout.qdot_names)


def speeds_in_words(layout: Layout, places: Iterable[int]) -> str:
    """Return the speeds at places in s, a vector that is there whole by its letter: "omega_0, qdot"; "none" for none.

    So is a joint of several freedoms, or a free body, by its name.

    >>> speeds_in_words(system.layout, [3, 4, 5, 6, 7])
    'omega_0, joint1, joint2'
    """
    names, given = speed_names(layout), set(places)
    return ", ".join(_words(layout, names, given)) or NONE


def _words(layout: Layout, names: tuple[str, ...], given: set[int]) -> Iterator[str]:
    starts = {"qdot": 0} if layout.fixed else {"v_C": 0, "omega_0": 3, "qdot": 6}
    ends = [*list(starts.values())[1:], layout.n_u]
    for (letter, start), end in zip(starts.items(), ends, strict=True):
        inside = [place for place in range(start, end) if place in given]
        if inside:
            yield from [letter] if len(inside) == end - start else _joints(names, inside)


def _joints(names: tuple[str, ...], places: list[int]) -> Iterator[str]:
    """Yield the names at places, one for all freedoms of a joint."""
    for joint, own in groupby(places, lambda place: _joint(names[place])):
        each = [names[place] for place in own]
        yield from [joint] if len(each) == sum(_joint(name) == joint for name in names) else each


def _joint(freedom: str) -> str:
    return freedom.rpartition(".")[0] or freedom
