"""What a language answers, so that a program can be written in it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from math import isfinite, isnan
from typing import Any, ClassVar

from ._examples import Examples
from ._routine import Argument, Routine


class Language(ABC):
    """A language: SymPy spells its operations, what stands around them is said here; a program is one function.

    reserved : names that arguments and functions cannot have
    own : operations that SymPy's printer writes in a way that we cannot use, as for `Spelling`
    infinite, not_a_number : what numbers that are not finite are called
    """

    reserved: ClassVar[frozenset[str]]
    own: ClassVar[Mapping[str, str]] = {}
    infinite: ClassVar[str]
    not_a_number: ClassVar[str]

    @abstractmethod
    def printer(self) -> Any:
        """Return SymPy's printer of the language."""

    @abstractmethod
    def entry(self, argument: Argument, place: int) -> str:
        """Return the entry of an argument at a place in C order, as it is read and written."""

    @abstractmethod
    def assignment(self, name: str, text: str) -> str:
        """Return the statement that makes a new number."""

    @abstractmethod
    def files(self, routine: Routine, examples: Examples) -> dict[str, str]:
        """Return the files by their names, that of the function first."""

    def number(self, value: float) -> str:
        """Return a number in full: the shortest text that is read back as the same float, SymPy's has 15 or 17 digits."""
        if isnan(value):
            return self.not_a_number
        text = self.finite(abs(value)) if isfinite(value) else self.infinite
        return f"(-{text})" if value < 0 else text

    def finite(self, value: float) -> str:
        """Return a finite number."""
        return repr(float(value))

    def choice(self, name: str, spelled: str, args: Sequence[str]) -> str:
        """Return the statement of a new number: the third of `args` where the first is less than the second, else the fourth.

        spelled : the same as an expression by SymPy
        """
        del args
        return self.assignment(name, spelled)


class PiecedLanguage(Language):
    """A language in which a long program is several functions, which hand numbers on."""

    @abstractmethod
    def handed_on(self, place: int, text: str) -> str:
        """Return the statement that leaves a number to later pieces."""
