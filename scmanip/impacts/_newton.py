"""Newton's law of impact."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from ..spatial import Array
from ._enumeration import solved
from ._problem import ContactProblem
from ._restitution import Restitution, phase
from ._solution import Solution


@dataclass(frozen=True)
class Newton(Restitution):
    """Contacts that take an impulse part at e times the speed of their approach [Moreau1988].

    v_n+ + e v_n- >= 0, p_n >= 0, one of them zero; p_t opposes the slip v_t+ after the impact. With friction, energy may rise
    where that slip has turned round; the outcome says so.

    Raises `InvalidInput` for numbers out of range.

    >>> wall = Contacts(N=np.array([[-1.0]]), T=np.zeros((0, 1)))
    >>> [impact(np.eye(1), np.array([2.0]), wall, Newton(e)).u_plus.round(6).tolist() for e in (0.0, 0.5, 1.0)]
    [[0.0], [-1.0], [-2.0]]
    >>> Newton(1.5)
    Traceback (most recent call last):
        ...
    scmanip.errors._errors.InvalidInput: e: expected a coefficient of restitution from 0 to 1, found 1.5
    """

    kind: ClassVar[str] = "newton"

    def impulses(self, struck: ContactProblem, e: Array) -> Solution:
        before = struck.split(struck.b)[0]
        b = struck.b + np.concatenate([e * before, np.zeros(struck.c * struck.k)])
        problem = replace(struck, b=b)
        return phase(struck, solved(problem))
