"""The exceptions of scmanip and the one-line problems that input errors are made of."""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from types import UnionType

MOST_SHOWN = 20  # problems of one file; whoever mends these will see the others next
_LONGEST_TEXT = 2000  # characters of each part of a problem
_MOST_LINES = 12  # of a mistake that is made again
_NUMBERED = re.compile(r"\[\d+\]")
_LONGEST_NAME = 100  # characters; nobody misspells what is longer


class ScmanipError(Exception):
    """Base of every error that scmanip raises on purpose."""


@dataclass(frozen=True)
class Problem:
    """One thing wrong with an input, said so that a person can mend it.

    `line` and `column` count from 1 and are 0 where the input has no text (a `System` built in Python); `again`: further lines
    with the same mistake.
    """

    key: str
    expected: str
    found: str
    file: str = ""
    line: int = 0
    column: int = 0
    hint: str = ""
    again: tuple[int, ...] = ()

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}:{self.column}: " if self.line else (f"{self.file}: " if self.file else "")
        hint = f"; {_in_few_words(self.hint)}" if self.hint else ""
        said = f"{_in_few_words(self.key)}: expected {_in_few_words(self.expected)}, found {_in_few_words(self.found)}"
        return f"{place}{said}{hint}{self._elsewhere}"

    @property
    def _elsewhere(self) -> str:
        if not self.again:
            return ""
        lines = [*map(str, self.again[:_MOST_LINES]), *["..."] * (len(self.again) > _MOST_LINES)]
        return f"; the same mistake {len(self.again)} more times, in lines {', '.join(lines)}"

    @property
    def repeated(self) -> tuple[str, ...]:
        """What it shares with the same mistake in another table of a list, such as `thruster[3]`; empty outside of one."""
        kind = _NUMBERED.sub("[]", self.key)
        return () if kind == self.key or not self.line else (self.file, kind, self.expected, self.found, self.hint)


class InvalidInput(ScmanipError, ValueError):
    """A file or a value that cannot be used; `problems` holds every reason at once, the text 20 of each file."""

    def __init__(self, problems: Problem | Iterable[Problem]) -> None:
        self.problems = (problems,) if isinstance(problems, Problem) else tuple(problems)
        super().__init__("\n".join([*map(str, self.shown), *self.not_shown]))

    @property
    def shown(self) -> list[Problem]:
        """The first problems of each file, as many as a person can use; a mistake that is made again is told once."""
        shown, seen = list[Problem](), Counter[str]()
        for problem in self._different:
            seen[problem.file] += 1
            if seen[problem.file] <= MOST_SHOWN:
                shown.append(problem)
        return shown

    @property
    def _different(self) -> list[Problem]:
        """The problems, those that are made in several tables of a list in one."""
        found = dict[tuple[str, ...], Problem]()
        for number, problem in enumerate(self.problems):
            key = problem.repeated or (str(number),)
            first = found.setdefault(key, problem)
            if first is not problem:
                found[key] = replace(first, again=(*first.again, problem.line))
        return [*found.values()]

    @property
    def not_shown(self) -> list[str]:
        """A line that says how many problems there are beyond those shown, if any."""
        more = len(self._different) - len(self.shown)
        return [f"... and {more:,} more"] if more else []


class InvalidSystem(InvalidInput):
    """The description of a spacecraft and its arms is wrong."""


class InvalidMission(InvalidInput):
    """The description of a mission is wrong."""


class InvalidState(InvalidInput):
    """A state, or an array given beside it, does not fit the system or is not finite."""


class UnknownName(InvalidInput):
    """A body, frame, joint or quantity that does not exist."""

    def __init__(self, kind: str, name: str, owner: str, valid: Iterable[str]) -> None:
        names = list(valid)
        super().__init__(
            Problem(
                key=f"{kind} of {owner}",
                expected=f"one of {', '.join(names)}",
                found=repr(name),
                hint=nearest(name, names),
            )
        )


class UnsafePath(InvalidInput):
    """A path that leads out of its folder, or to something that is no file or folder of it."""

    def __init__(self, path: object, expected: str, found: str) -> None:
        shown = str(path).encode("utf-8", "backslashreplace").decode()
        super().__init__(Problem(f"'{shown}'", expected, found))


class CacheWarning(UserWarning):
    """Machine code that is kept on the disk is not used, because someone else may have put it there."""


class ModeMismatch(ScmanipError):
    """A mode, a controller and a system that cannot work together."""


class SingularInertia(ScmanipError):
    """The inertia matrix M cannot be inverted: a joint moves no mass."""


class InconsistentConstraints(ScmanipError):
    """Constraints that no motion obeys together."""


class ConstraintRankLoss(ScmanipError):
    """Constraints that depend on each other in a state and not near it, so that no accelerations obey them all."""


class NotRecordable(ScmanipError, TypeError):
    """A function does something that cannot be written as a straight-line program, such as branching on a value."""


class Infeasible(ScmanipError):
    """Limits that nothing keeps together."""


class NumericalFailure(ScmanipError):
    """A computation that started well and could not be finished."""


class StudyHalted(ScmanipError):
    """A study that cannot go on for now: a full disk, no workers. What is finished is on the disk."""


class StudyInterrupted(KeyboardInterrupt):
    """A study that was told to stop, by Ctrl-C. What is finished is on the disk. `except Exception` lets it pass."""


class MissingExtra(ScmanipError):
    """An optional dependency is needed and not installed."""

    def __init__(self, purpose: str, extra: str) -> None:
        super().__init__(f"{purpose} needs the '{extra}' extra: pip install \"scmanip[{extra}]\"")


def refuse(problems: Iterable[Problem | None], kind: type[InvalidInput] = InvalidInput) -> None:
    """Raise an error with all problems, if there are any; None is no problem."""
    found = [problem for problem in problems if problem is not None]
    if found:
        raise kind(found)


def expect(key: str, value: object, kind: type | UnionType | tuple[type, ...], words: str) -> None:
    """Raise `InvalidInput` for a value that is of no such kind; `words` say what was expected."""
    if not isinstance(value, kind):
        raise InvalidInput(Problem(key, words, repr(value)))


def _in_few_words(text: str) -> str:
    """Return a text that may hold the whole of a file, cut where nobody reads on."""
    return text if len(text) <= _LONGEST_TEXT else f"{text[:_LONGEST_TEXT]} ..."


def likely_first(name: str, valid: Iterable[str]) -> list[str]:
    """Return valid names, those that are most like a name first, the others as they come."""
    names = list(valid)
    likely = difflib.get_close_matches(str(name), names, n=3, cutoff=0.5) if len(str(name)) <= _LONGEST_NAME else []
    return [*likely, *(other for other in names if other not in likely)]


def nearest(name: str, valid: Iterable[str]) -> str:
    """Return "did you mean 'x'?" for the closest valid name, or an empty string when none is close."""
    word = str(name)
    matches = difflib.get_close_matches(word, list(valid), n=1, cutoff=0.6) if len(word) <= _LONGEST_NAME else []
    return f"did you mean {matches[0]!r}?" if matches else ""
