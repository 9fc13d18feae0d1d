"""What stands in a function: the Z's of a program as statements."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..symbolic import ListedStep
from ._language import Language
from ._pieces import Pieces
from ._routine import Routine
from ._spelling import Spelling


@dataclass(frozen=True)
class Body:
    """Statements.

    pieces : those that make all Z's in order, of one function or of several
    memory : how many numbers these hand on, in an array `z`
    results : place and value of every entry of every output
    """

    pieces: tuple[list[str], ...]
    memory: int
    results: list[tuple[str, str]]

    @classmethod
    def of(cls, language: Language, routine: Routine) -> Body:
        """Return a routine in a language."""
        cut, text = Pieces.of(routine.program, whole=language.whole), _Text(language, routine)
        steps = routine.program.steps
        pieces = tuple(text.piece(steps[k * cut.size : (k + 1) * cut.size], left) for k, left in enumerate(cut.left))
        return cls(pieces, cut.memory, list(text.results(routine)))


class _Text:
    """The text of every value so far."""

    def __init__(self, language: Language, routine: Routine) -> None:
        self._language, self._spelling = language, Spelling(language.printer, language.own)
        self._values = [language.entry(a, k) for a in routine.inputs for k in range(a.size)]
        self._values += map(language.number, routine.program.constants)
        self._compared: dict[int, tuple[int, ...]] = {}
        self._made = 0

    def piece(self, steps: tuple[ListedStep, ...], left: dict[int, int]) -> list[str]:
        """Return the statements of some steps, and those that leave values in places for later ones."""
        lines = [self._statement(step) for step in steps if not self._is_condition(step)]
        for value, place in left.items():
            lines.append(self._language.handed_on(place, self._values[value]))
            self._values[value] = f"z[{place}]"
        return lines

    def results(self, routine: Routine) -> Iterator[tuple[str, str]]:
        """Give place and value of every entry of every output."""
        for argument, output in zip(routine.outputs, routine.program.outputs, strict=True):
            for place, value in enumerate(output.values):
                yield self._language.entry(argument, place), self._values[value]

    def _is_condition(self, step: ListedStep) -> bool:
        """Whether a step makes no number; its arguments stand where it is used."""
        if step.op != "less":
            return False
        self._compared[len(self._values)] = step.args
        self._values.append("")
        return True

    def _statement(self, step: ListedStep) -> str:
        args = [self._values[value] for arg in step.args for value in self._compared.get(arg, (arg,))]
        self._made += 1
        name, spelled = f"z{self._made}", self._spelling(step.op, args)
        self._values.append(name)
        return self._language.choice(name, spelled, args) if step.op == "select" else self._language.assignment(name, spelled)
