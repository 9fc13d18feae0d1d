"""Newton's law of impact."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from ..spatial import Array
from ._enumeration import solved
from ._problem import Problem
from ._restitution import Restitution, phase
from ._solution import Solution


@dataclass(frozen=True)
class Newton(Restitution):
    """Contacts that take an impulse part at e times the speed of their approach [Moreau1988].

    v_n+ + e v_n- >= 0, p_n >= 0, one of them zero; p_t opposes the slip v_t+ after the impact. With friction, energy may rise
    where that slip has turned round; the outcome says so.
    """

    kind: ClassVar[str] = "newton"

    def impulses(self, struck: Problem, e: Array) -> Solution:
        """Return the impulses."""
        before = struck.split(struck.b)[0]
        b = struck.b + np.concatenate([e * before, np.zeros(struck.c * struck.k)])
        problem = replace(struck, b=b)
        return phase(struck, solved(problem))
