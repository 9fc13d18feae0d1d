"""How cases become rows, wherever they are run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from ._case import Case, Row


class Evaluator(Protocol):
    """Runs cases. What a case gives does not depend on those that are run with it, to the last bit."""

    def rows(self, cases: Sequence[Case]) -> list[Row]:
        """Return one row per case, in order; a case that goes wrong is a row with its reason, not an exception."""


class Recipe(Protocol):
    """What a worker needs to make an evaluator: plain data, which can be pickled."""

    @property
    def key(self) -> str:
        """A digest of all that results depend on; workers keep evaluators by it."""

    def evaluator(self) -> Evaluator:
        """Return the evaluator; may take seconds, and is called once per process."""
