"""The classification of manoeuvres in one table [Wilde2018] Table 1."""

from __future__ import annotations

from collections.abc import Iterator

from ..system import Layout
from ._floating import Floating
from ._flying import Flying
from ._manoeuvre_mode import ManoeuvreMode
from ._rotation_floating import RotationFloating
from ._rotation_flying import RotationFlying
from ._speeds import speeds_in_words
from ._translation_flying import TranslationFlying

HEADINGS = ("mode", "older name", "base actuators", "actuation", "driven", "under-actuated", "constant")
_ONE_JOINT = Layout(("joint",), ("joint",), ("joint",), fixed=False, n_b=2)
_ABOUT: tuple[tuple[ManoeuvreMode, tuple[str, str, str], str], ...] = (
    (Floating(), ("free-floating", "none", "internal"), "P, L_C"),
    (RotationFloating(), ("free-floating", "wheels", "internal"), "P, L_C with wheels"),
    (RotationFlying(), ("free-flying", "thruster couples", "external"), "P"),
    (TranslationFlying(), ("free-flying", "force through the CoM", "external"), "L_C"),
    (TranslationFlying(RotationFloating()), ("free-flying", "the same, wheels", "both"), "L_C with wheels"),
    (Flying(), ("free-flying", "thrusters", "external"), "none"),
)


def table() -> str:
    """Return the five modes: hardware, commanded and freely reacting speeds, conserved momenta, older names.

    >>> print(table().splitlines()[0][:60])
    mode               older name     base actuators         act
    """
    lines = [HEADINGS, *(tuple(row.values()) for row in table_rows())]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines)


def table_rows() -> tuple[dict[str, str], ...]:
    """Return the lines of the table, each a dict of its cells by `HEADINGS`.

    >>> rows = table_rows()
    >>> len(rows), list(rows[0])
    (6, ['mode', 'older name', 'base actuators', 'actuation', 'driven', 'under-actuated', 'constant'])
    """
    return tuple(dict(zip(HEADINGS, _cells(*about), strict=True)) for about in _ABOUT)


def _cells(mode: ManoeuvreMode, before: tuple[str, str, str], constant: str) -> Iterator[str]:
    turned_by_wheels = isinstance(mode, TranslationFlying) and mode.attitude is not None
    yield "  with wheels" if turned_by_wheels else type(mode).__name__
    yield from before
    yield speeds_in_words(_ONE_JOINT, mode.actuated(_ONE_JOINT))
    yield speeds_in_words(_ONE_JOINT, mode.unactuated(_ONE_JOINT))
    yield constant
