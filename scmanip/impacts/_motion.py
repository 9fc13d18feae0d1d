"""What a motion with contacts is."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import numpy as np

from ..spatial import Array
from ._problem import TOLERANCE, Problem


class Mode(Enum):
    """What a contact does."""

    OPEN = "open"
    STICKS = "sticks"
    SLIDES = "slides"


@dataclass(frozen=True, eq=False)
class ContactMotion:
    """Accelerations and all forces of one motion.

    udot : (n,); normal : (c,) >= 0, along the rows N; tangential : (c, k) along the rows T; bilateral : (m,) along the rows A
    modes : what each contact does
    """

    udot: Array
    normal: Array
    tangential: Array
    bilateral: Array
    modes: tuple[Mode, ...]


def modes_of(problem: Problem, f: Array) -> tuple[Mode, ...]:
    """Return what contacts do under forces f (d,): open without force, else sliding by speed, or by acceleration from rest."""
    f_n, a_t = problem.split(f)[0], problem.split(problem.W @ f + problem.b)[1]
    unit_a, unit_f = (TOLERANCE * unit[0] for unit in problem.units(f[None]))
    slides = problem.slides | (np.linalg.norm(a_t, axis=1) > unit_a)
    return tuple(
        Mode.OPEN if size <= unit_f else Mode.SLIDES if sliding else Mode.STICKS
        for size, sliding in zip(f_n, slides, strict=True)
    )
