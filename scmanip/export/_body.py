"""What stands in a function: the Z's of a program as statements."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..symbolic import ListedStep, operation
from ._language import Language, PiecedLanguage
from ._pieces import CodePieces
from ._routine import Routine

PLACE = re.compile(r"\barg_(\d)\b")
ARITY = {"add": 2, "sub": 2, "mul": 2, "div": 2, "atan2": 2, "min": 2, "max": 2, "select": 4}


@dataclass(frozen=True)
class CodeBody:
    """Statements.

    pieces : those that make all Z's in order, of one function or of several
    memory : how many numbers these hand on, in an array `z`
    results : place and value of every entry of every output
    """

    pieces: tuple[list[str], ...]
    memory: int
    results: list[tuple[str, str]]

    @classmethod
    def of(cls, language: Language, routine: Routine) -> CodeBody:
        """Return a routine in a language."""
        cut, text = CodePieces.of(routine.program, whole=not isinstance(language, PiecedLanguage)), _Text(language, routine)
        parts = (routine.program.steps[k * cut.size : (k + 1) * cut.size] for k in range(len(cut.left)))
        pieces = tuple([*text.statements(part), *text.handed_on(left)] for part, left in zip(parts, cut.left, strict=True))
        return cls(pieces, cut.memory, list(text.results(routine)))


class _Text:
    """The text of every value so far."""

    def __init__(self, language: Language, routine: Routine) -> None:
        self._language, self._spelling = language, Spelling(language.printer, language.own)
        self._values = [language.entry(a, k) for a in routine.inputs for k in range(a.size)]
        self._values += map(language.number, routine.program.constants)
        self._compared: dict[int, tuple[int, ...]] = {}
        self._made = 0

    def statements(self, steps: tuple[ListedStep, ...]) -> list[str]:
        """Return the statements of some steps."""
        return [self._statement(step) for step in steps if not self._is_condition(step)]

    def handed_on(self, left: dict[int, int]) -> Iterator[str]:
        """Give the statements that leave values in places for later pieces, of languages that have those."""
        if isinstance(self._language, PiecedLanguage):
            for value, place in left.items():
                yield self._language.handed_on(place, self._values[value])
                self._values[value] = f"z[{place}]"

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


class Spelling:
    """Operations in a language; SymPy prints each of them once, with places for its arguments.

    printer : gives the SymPy printer
    own : what is written otherwise, by operation, with `arg_0`, `arg_1`, ... in place of the arguments
    """

    def __init__(self, printer: Callable[[], Any], own: Mapping[str, str]) -> None:
        self._printer, self._own = printer, own
        self._pieces: dict[str, list[str]] = {}

    def __call__(self, op: str, args: Sequence[str]) -> str:
        """Return an operation on names, entries of arrays or numbers; `select` takes both sides of its comparison first."""
        pieces = self._pieces.get(op)
        if pieces is None:
            pieces = self._pieces[op] = PLACE.split(self._own.get(op) or self._printed(op))
        return "".join([args[int(piece)] if k % 2 else piece for k, piece in enumerate(pieces)])

    def _printed(self, op: str) -> str:
        import sympy

        args: list[Any] = [sympy.Symbol(f"arg_{k}", real=True) for k in range(ARITY.get(op, 1))]
        if op == "select":
            args = [args[0] < args[1], *args[2:]]
        return " ".join(self._printer().doprint(operation(op, *args)).split())
