"""A law that knows what is grasped."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import Any

from ..dynamics import not_carried
from ..errors import InvalidInput, Problem
from ..system import State
from ._controller import Controller, Wrapper
from ._recorded_law import RecordedLaw, recorded_law


class Carrying(Wrapper):
    """`law` with what is grasped in its estimate: the free bodies that constraints hold rigidly, with the masses that it
    believes them to have, from where they begin to be held until they are let go (`Model.carrying`).

    Where constraints hold a free body otherwise, a pin or a second hand, runs refuse it by their names. A law of our own.

    law : one that believes in a model of the system
    names : of the constraints that hold

    Raises `InvalidInput` for a law that believes in no model.

    >>> carrying = Carrying(law)
    >>> carrying.kind, carrying.learns, carrying.names
    ('Carrying(ComputedTorque)', True, ())
    """

    alone: Controller
    names: tuple[str, ...]
    learns = True

    def __init__(self, law: Controller) -> None:
        given: Any = law
        if not isinstance(given, Controller) or given.believed is None:
            raise InvalidInput(Problem("law", "a law that believes in a model, such as ComputedTorque", repr(law)))
        self.law, self.alone, self.names = law, law, ()

    def around(self, laws: tuple[Controller, ...]) -> Controller:
        """Return the same around another law, with nothing grasped."""
        return Carrying(laws[0])

    def holding(self, names: Sequence[str], state: State) -> Controller:
        """Return the law that believes in what these constraints hold in `state`."""
        believed = self.alone.believed
        if believed is None or tuple(names) == self.names:
            return self
        made, model = copy(self), believed.carrying(names, state)
        made.law, made.names = self.alone if model is believed else self.alone.believing(model), tuple(names)
        return made

    def unknown(self, names: Sequence[str]) -> dict[str, str]:
        """Return those that hold a free body otherwise than rigidly, and those that close a chain."""
        believed = self.alone.believed
        return {} if believed is None else not_carried(believed.system, names)

    def recorded(self) -> RecordedLaw | None:
        """Return the law inside as equations."""
        return recorded_law(self.law)

    def __repr__(self) -> str:
        return f"Carrying({self.alone!r})"
