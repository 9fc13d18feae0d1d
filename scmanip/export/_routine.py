"""What a language is given: a program with the names of its arguments there."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from textwrap import wrap

from ..symbolic import Program
from ._names import is_plain, printable

WIDTH = 110  # characters of a line of comments


@dataclass(frozen=True)
class Argument:
    """An input or output.

    name : in the language
    given : what the program calls it
    words : what it is, with its unit; empty where nobody said
    """

    name: str
    given: str
    shape: tuple[int, ...]
    words: str = ""

    @property
    def size(self) -> int:
        """Number of entries."""
        return prod(self.shape)

    def described(self, direction: str) -> list[str]:
        """Return the lines of a comment that say what it is."""
        given = f" = {self.given}" if self.given != self.name and is_plain(self.given) else ""
        words = f": {printable(self.words)}" if self.words else ""
        return wrap(f"{self.name}{given}, {direction}, shape {self.shape}{words}", WIDTH, subsequent_indent="    ")


@dataclass(frozen=True, eq=False)
class Routine:
    """One function of a language.

    title : what it computes, in words
    """

    name: str
    title: str
    program: Program
    inputs: tuple[Argument, ...]
    outputs: tuple[Argument, ...]

    @property
    def comment(self) -> list[str]:
        """The lines of a comment: what is computed, and every argument in order with shape and unit."""
        lines = [f"{self.name}: {printable(self.title)}" if self.title else self.name]
        lines += [f"{self.program.operations}.", ""]
        for argument in self.inputs:
            lines += argument.described("in")
        for argument in self.outputs:
            lines += argument.described("out")
        return [*lines, "", f"Written by scmanip from the program {self.program.digest[:16]}."]
