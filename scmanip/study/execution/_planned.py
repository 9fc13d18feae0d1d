"""What execution needs to know of a plan."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from ..rows._case import Case, Row


class PlannedCases(Protocol):
    """The cases of a study, each computed from its number alone. Can be pickled: workers make their own cases.

    >>> plan.cases, plan.columns, plan.case(2).values
    (3, ('side',), {'side': 3.0})
    """

    @property
    def cases(self) -> int:
        """How many there are."""

    @property
    def columns(self) -> Sequence[str]:
        """Names of the inputs of every case, `path`, or `path[0]`, `path[1]`, ... where a value has several numbers."""

    @property
    def key(self) -> str:
        """A digest of the definition, seed included."""

    @property
    def text(self) -> str:
        """The definition as JSON."""

    def case(self, number: int) -> Case:
        """Return one case."""

    def cases_between(self, first: int, last: int) -> list[Case]:
        """Return the cases from `first` up to `last`, which is not among them."""


class Evaluator(Protocol):
    """Runs cases. What a case gives does not depend on those that are run with it, to the last bit.

    >>> [row.metrics for row in recipe.evaluator().rows([plan.case(1)])]
    [{'area_m2': 4.0}]
    """

    def rows(self, cases: Sequence[Case]) -> list[Row]:
        """Return one row per case, in order; a case that goes wrong is a row with its reason, not an exception."""


class Recipe(Protocol):
    """What a worker needs to make an evaluator: plain data, which can be pickled.

    >>> recipe.key, type(recipe.evaluator()).__name__
    ('squares', 'Squares')
    """

    @property
    def key(self) -> str:
        """A digest of all that results depend on; workers keep evaluators by it."""

    def evaluator(self) -> Evaluator:
        """Return the evaluator; may take seconds, and is called once per process."""
