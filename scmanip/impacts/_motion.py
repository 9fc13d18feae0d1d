"""What a motion with contacts is."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import numpy as np

from ..spatial import Array
from ._problem import TOLERANCE, ContactProblem


class ContactMode(Enum):
    """What a contact does.

    >>> floor = Contacts(N=np.array([[0.0, 1.0]]), T=np.array([[1.0, 0.0]]), mu=0.5)
    >>> pushes = [(0.0, 6.0), (5.0, -20.0), (15.0, -20.0)]
    >>> [contact_forces(np.eye(2), np.array(push), floor, np.zeros(2)).motion.modes[0].value for push in pushes]
    ['open', 'sticks', 'slides']
    """

    OPEN = "open"
    STICKS = "sticks"
    SLIDES = "slides"


@dataclass(frozen=True, eq=False)
class ContactMotion:
    """Accelerations and all forces of one motion, in SI [Pfeiffer1996].

    udot : (n,); normal : (c,) >= 0, along the rows N; tangential : (c, k) along the rows T; bilateral : (m,) along the rows A
    modes : what each contact does

    >>> floor = Contacts(N=np.array([[0.0, 1.0]]), T=np.array([[1.0, 0.0]]), mu=0.5)
    >>> motion = contact_forces(np.diag([2.0, 2.0]), np.array([0.0, 6.0]), floor, np.zeros(2)).motion
    >>> motion.udot.round(6).tolist(), motion.normal.round(6).tolist()  # it is lifted
    ([0.0, 3.0], [0.0])
    """

    udot: Array
    normal: Array
    tangential: Array
    bilateral: Array
    modes: tuple[ContactMode, ...]


def modes_of(problem: ContactProblem, f: Array) -> tuple[ContactMode, ...]:
    """Return what contacts do under forces f (d,): open without force, else sliding by speed, or by acceleration from rest."""
    f_n, a_t = problem.split(f)[0], problem.split(problem.W @ f + problem.b)[1]
    unit_a, unit_f = (TOLERANCE * unit[0] for unit in problem.units(f[None]))
    slides = problem.slides | (np.linalg.norm(a_t, axis=1) > unit_a)
    return tuple(
        ContactMode.OPEN if size <= unit_f else ContactMode.SLIDES if sliding else ContactMode.STICKS
        for size, sliding in zip(f_n, slides, strict=True)
    )
