"""A system as its constraints see it in one of many states, of which one program knows what they look at."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from ...constraints import RelativeMotion
from ...spatial import Array
from ..programs._derivation import Derivation
from ._sight import Sight, Skeleton, sight


class ForeseenEquations(Sight):
    """What is known already is told without the equations, which are made where anything else is asked; of numbers alone.

    x : (n_x,) packed state; numbers : those of the system that are inputs; known : motions of frames relative to others
    """

    def __init__(
        self, derivation: Derivation, x: Array, numbers: Mapping[str, Array], known: Mapping[tuple[str, str], RelativeMotion]
    ) -> None:
        Skeleton.__init__(self, derivation.system)
        self._derivation, self._x, self._numbers, self._relative = derivation, x, numbers, {**known}

    @property
    def u(self) -> Array:
        return self._x[self.system.layout.x_u]

    def coordinates(self, joint: str) -> Array:
        return self._x[self.system.layout.x_q][self._places(joint)[0]]

    def relative(self, a: str, b: str) -> RelativeMotion:
        if (a, b) not in self._relative:
            self._relative[a, b] = self._derived.relative(a, b)
        return self._relative[a, b]

    @cached_property
    def _derived(self) -> Sight:
        return sight(self._derivation, self._x, self._numbers)
