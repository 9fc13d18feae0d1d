"""Laws that take turns as an arm moves: gain scheduling [Rugh2000]."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from math import prod
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ...errors import InvalidInput, Problem, nearest, refuse
from ...spatial import Array, frozen, real
from ...symbolic import maximum, minimum
from ...system import State
from .._controller import Controller
from .._foreign import Law
from .._recorded_law import RecordedLaw
from ._together import Together

MOST_JOINTS = 2


class Scheduled(Together):
    """Laws on a grid over the coordinates of one joint or two: each alone at its knot, their commands in proportion between.

        command = sum of w_i(q) command_i,   w_i piecewise linear, 1 at knot i and 0 at all others

    Beyond the outermost knots the last law stays. What a command is linear in is interpolated by that: of laws of one kind
    which differ in their gains it is the law with interpolated gains, exactly. What is proved of each law alone is not thereby
    true of what is between them where the arm moves fast [Rugh2000]. All laws are asked always.

    laws : as many as the grid has knots, the last joint's running fastest; one of them believes in a model
    over : by the names of one or two coordinates their knots (n,), two or more each, ascending [rad or m]

    Raises `InvalidInput` for what is no law, laws none of which believes in a model, and coordinates, knots or a number of laws
    that make no grid.

    >>> scheduled = Scheduled(law, ComputedTorque(model, K_P=4.0, K_D=4.0), over={"joint2": [0.0, 0.6]})
    >>> halfway = ComputedTorque(model, K_P=2.5, K_D=2.5)  # joint2 is at 0.3 rad
    >>> said = [one.command(0.0, state, reference.at(0.0), one.start(state))[0] for one in (scheduled, halfway)]
    >>> np.allclose(*said)
    True
    """

    def __init__(self, *laws: Controller | Law | Callable[[float, State], ArrayLike], over: Mapping[str, ArrayLike]) -> None:
        super().__init__(*laws)
        believed = self.believed
        if believed is None:
            raise InvalidInput(Problem("laws", "laws one of which believes in a model, such as ComputedTorque", "none does"))
        refuse(_grid_problems(over, believed.layout.q_names, len(self.laws)))
        self.over = {name: frozen(real(knots).copy()) for name, knots in over.items()}
        self._places = [believed.layout.q_names.index(name) for name in self.over]

    def around(self, laws: tuple[Controller, ...]) -> Scheduled:
        return Scheduled(*laws, over=self.over)

    @property
    def settings(self) -> Mapping[str, Any]:
        """Those of the laws, and the grid."""
        return {**super().settings, "over": self.over}

    @property
    def own_numbers(self) -> Mapping[str, Array]:
        return {f"knots_{k + 1}": knots for k, knots in enumerate(self.over.values())}

    @property
    def form(self) -> Hashable:
        """Which coordinates, and how many knots."""
        return tuple(self._places), tuple(map(len, self.over.values()))

    def joined(self, commands: Sequence[Array], q: Array, numbers: Mapping[str, Array]) -> Array:
        """Return the sum of their commands times their shares."""
        shares = [_shares(q[place], numbers[f"knots_{k + 1}"]) for k, place in enumerate(self._places)]
        whole = shares[0] if len(shares) == 1 else [one * other for one in shares[0] for other in shares[1]]
        parts = [share * command for share, command in zip(whole, commands, strict=True)]
        return np.asarray(sum(parts[1:], start=parts[0]))

    def recorded(self) -> RecordedLaw | None:
        """Return the law as equations, where all laws can be, follow the same, remember alike and share an estimate."""
        return self.recorded_together()

    def __repr__(self) -> str:
        over = {name: knots.tolist() for name, knots in self.over.items()}
        return f"Scheduled({', '.join(map(repr, self.laws))}, over={over})"


def _shares(at: Any, knots: Array) -> list[Any]:
    """Return what each knot has of a coordinate, over any scalar; their sum is 1."""
    last = len(knots) - 1
    past = [minimum(maximum((at - knots[k]) / (knots[k + 1] - knots[k]), 0.0), 1.0) for k in range(last)]
    return [1 - past[0], *(past[k - 1] - past[k] for k in range(1, last)), past[-1]]


def _grid_problems(over: Any, names: Sequence[str], n: int) -> list[Problem]:
    if not isinstance(over, Mapping) or not 1 <= len(over) <= MOST_JOINTS:
        return [Problem("over", f"a table of one to {MOST_JOINTS} coordinates and their knots", repr(over))]
    problems = [
        Problem("over", f"one of the coordinates {', '.join(names)}", repr(name), hint=nearest(str(name), names))
        for name in over
        if name not in names
    ]
    problems += [
        Problem(f"over.{name}", "two ascending finite numbers or more", repr(k)) for name, k in over.items() if not _rise(k)
    ]
    if not problems and prod(len(real(knots)) for knots in over.values()) != n:
        sizes = " x ".join(str(len(real(knots))) for knots in over.values())
        problems.append(Problem("laws", f"one for each of {sizes} knots", str(n)))
    return problems


def _rise(knots: Any) -> bool:
    try:
        given = real(knots)
    except (TypeError, ValueError):
        return False
    return given.ndim == 1 and len(given) > 1 and bool(np.isfinite(given).all() and (np.diff(given) > 0).all())
