"""Several tasks at once: the commands of their laws, added."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ...spatial import Array
from .._controller import Controller
from .._recorded_law import RecordedLaw
from ._together import Together


class Sum(Together):
    """The sum of the commands of several laws, each of which sees the same state and the same reference.

    What each of them takes care of, such as the weight of the arm, is there as often as they do. By definition a sum.

    laws : one or more: a `Controller`, an object with `command`, or a function (t, state) -> command

    Raises `InvalidInput` for no laws, and what is no law.

    >>> both = Sum(law, lambda t, state: [0.1, 0.0, 0.0, 0.0])
    >>> said = [one.command(0.0, state, reference.at(0.0), one.start(state))[0] for one in (both, law)]
    >>> np.round(said[0] - said[1], 12).tolist()
    [0.1, 0.0, 0.0, 0.0]
    """

    def around(self, laws: tuple[Controller, ...]) -> Sum:
        return Sum(*laws)

    def joined(self, commands: Sequence[Array], q: Array, numbers: Mapping[str, Array]) -> Array:
        return np.asarray(sum(commands[1:], start=commands[0]))

    def recorded(self) -> RecordedLaw | None:
        """Return the law as equations, where all laws can be, follow the same, remember alike and share an estimate."""
        return self.recorded_together()

    def __repr__(self) -> str:
        return f"Sum({', '.join(map(repr, self.laws))})"
