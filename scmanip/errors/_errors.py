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
    """Base of every error that scmanip raises on purpose.

    >>> try:
    ...     scmanip.load_system("model:none")
    ... except ScmanipError as error:
    ...     print(type(error).__name__, str(error).partition(",")[0])
    InvalidSystem model: expected one of astrobee
    """


@dataclass(frozen=True)
class Problem:
    """One thing wrong with an input, said so that a person can mend it.

    `line` and `column` count from 1 and are 0 where the input has no text (a `System` built in Python); `again`: further lines
    with the same mistake.

    >>> print(Problem("link1 mass_kg", "a number >= 0", "-2", file="arm.toml", line=7, column=3, hint="in kg"))
    arm.toml:7:3: link1 mass_kg: expected a number >= 0, found -2; in kg
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
    """A file or a value that cannot be used; `problems` holds every reason at once, the text 20 of each file.

    >>> error = InvalidInput([Problem("t_end_s", "a number > 0", "0"), Problem("rtol", "a number > 0", "-1")])
    >>> len(error.problems)
    2
    >>> raise error
    Traceback (most recent call last):
        ...
    scmanip.errors._errors.InvalidInput: t_end_s: expected a number > 0, found 0
    rtol: expected a number > 0, found -1
    """

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
    """The description of a spacecraft and its arms is wrong.

    >>> scmanip.Body("base", mass_kg=-2.0, inertia_kg_m2=[1, 1, 1])
    Traceback (most recent call last):
        ...
    scmanip.errors._errors.InvalidSystem: body 'base' mass_kg: expected a number >= 0, found -2
    """


class InvalidMission(InvalidInput):
    """The description of a mission is wrong.

    >>> refuse([Problem("schema", "'scmanip.mission/1'", "nothing", "empty.toml", 1, 1)], InvalidMission)
    Traceback (most recent call last):
        ...
    scmanip.errors._errors.InvalidMission: empty.toml:1:1: schema: expected 'scmanip.mission/1', found nothing
    """


class InvalidState(InvalidInput):
    """A state, or an array given beside it, does not fit the system or is not finite.

    >>> model.H(scmanip.State.at_rest(system, q=[0.0, 0.3]))
    Traceback (most recent call last):
        ...
    scmanip.errors._errors.InvalidState: State q: expected 4 numbers, one per entry of the layout, found 2
    """


class UnknownName(InvalidInput):
    """A body, frame, joint or quantity that does not exist.

    >>> model.J_star(state, "tool")
    Traceback (most recent call last):
        ...
    scmanip.errors._errors.UnknownName: frame of system ... link4.com, tip, found 'tool'
    """

    def __init__(self, kind: str, name: str, owner: str, valid: Iterable[str]) -> None:
        names = list(valid)
        super().__init__(
            Problem(
                key=f"{kind} of {owner}",
                expected=f"one of {', '.join(names)}" if names else f"no {kind}, as there is none",
                found=repr(name),
                hint=nearest(name, names),
            )
        )


class UnsafePath(InvalidInput):
    """A path that leads out of its folder, or to something that is no file or folder of it.

    >>> from scmanip.storage import Folder
    >>> Folder("results").read("../secret")
    Traceback (most recent call last):
        ...
    scmanip.errors._errors.UnsafePath: 'results': expected a name inside it, found '../secret'
    """

    def __init__(self, path: object, expected: str, found: str) -> None:
        shown = str(path).encode("utf-8", "backslashreplace").decode()
        super().__init__(Problem(f"'{shown}'", expected, found))


class CacheWarning(UserWarning):
    """Machine code that is kept on the disk is not used, because someone else may have put it there.

    >>> import warnings
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("error", CacheWarning)  # for those who would rather stop there
    ...     warnings.warn("machine code of others is not used", CacheWarning)
    Traceback (most recent call last):
        ...
    scmanip.errors._errors.CacheWarning: machine code of others is not used
    """


class ModeMismatch(ScmanipError):
    """A mode, a controller and a system that cannot work together.

    >>> scmanip.Plant(model, scmanip.FixedBase())
    Traceback (most recent call last):
        ...
    scmanip.errors._errors.ModeMismatch: mode 'fixed_base' needs a base ... hold it with [base] fixed = true
    """


class SingularInertia(ScmanipError):
    """The inertia matrix M cannot be inverted: a joint moves no mass.

    >>> link = scmanip.Body("link", 0.0, [0, 0, 0], parent="base", joint=scmanip.Joint("elbow", "revolute"))
    >>> scmanip.compile_model(scmanip.System("arm", scmanip.Body("base", 100.0, [20, 20, 20]), [link]))
    Traceback (most recent call last):
        ...
    scmanip.errors._errors.SingularInertia: the inertia matrix of system ... mass or inertia about its axis
    """


class InconsistentConstraints(ScmanipError):
    """Constraints that no motion obeys together.

    >>> from scmanip.constraints import Speed
    >>> from scmanip.dynamics import Reference
    >>> both = [Speed(name, row={"joint1": 1.0}, value=value) for name, value in {"slow": 0.1, "fast": 0.2}.items()]
    >>> arm = scmanip.System("arm", system.base, system.bodies[1:], constraints=both)
    >>> led = scmanip.compile_model(arm, implementation=Reference()).constrained("slow", "fast")
    >>> led.forward_dynamics(state, np.zeros(4))
    Traceback (most recent call last):
        ...
    scmanip.errors._errors.InconsistentConstraints: no motion of system ... misses fast.value by 0.1 rad/s
    """


class ConstraintRankLoss(ScmanipError):
    """Constraints that depend on each other in a state and not near it, so that no accelerations obey them all.

    >>> from scmanip.constraints import PointOnPoint
    >>> from scmanip.dynamics import Reference
    >>> held = {"fixed": True, "constraints": [PointOnPoint("far", ("ground", "tip"), tolerance_m=9.0)]}
    >>> arm = scmanip.System("arm", system.base, system.bodies[1:], system.frames, **held)
    >>> far = scmanip.compile_model(arm, implementation=Reference()).constrained("far")
    >>> stretched = scmanip.State(q=4 * [0.0], qdot=[1.0, 0.0, 0.0, -4.0])  # its tip must leave the line, and cannot
    >>> far.forward_dynamics(stretched, np.zeros(4))
    Traceback (most recent call last):
        ...
    scmanip.errors._errors.ConstraintRankLoss: no accelerations of system ... or it moves as they do not allow
    """


class NotRecordable(ScmanipError, TypeError):
    """A function does something that cannot be written as a straight-line program, such as branching on a value.

    >>> from scmanip.symbolic import record
    >>> record({"q": ()}, lambda q: {"x": q if q > 0 else -q})
    Traceback (most recent call last):
        ...
    scmanip.errors._errors.NotRecordable: a recorded scalar has no value ... a plain number before recording
    """


class Infeasible(ScmanipError):
    """Limits that nothing keeps together.

    Raised by `control.QuadraticProgram`, which names the limits.

    >>> try:
    ...     raise Infeasible("no command keeps all of these together: rate of joint1; torque of joint1")
    ... except ScmanipError as error:
    ...     print(error)
    no command keeps all of these together: rate of joint1; torque of joint1
    """


class NumericalFailure(ScmanipError):
    """A computation that started well and could not be finished.

    >>> from scmanip.impacts import Answers, ContactForces
    >>> ContactForces(Answers.NONE, Answers.NONE.value, ()).motion  # what contacts give where nothing can move
    Traceback (most recent call last):
        ...
    scmanip.errors._errors.NumericalFailure: no motion: rigid bodies and Coulomb friction contradict each other
    """


class StudyHalted(ScmanipError):
    """A study that cannot go on for now: a full disk, no workers. What is finished is on the disk.

    >>> try:
    ...     raise StudyHalted("the disk is full; 12 of 100 cases are on it")
    ... except ScmanipError as error:
    ...     print(error)
    the disk is full; 12 of 100 cases are on it
    """


class StudyInterrupted(KeyboardInterrupt):
    """A study that was told to stop, by Ctrl-C. What is finished is on the disk. `except Exception` lets it pass.

    >>> try:
    ...     raise StudyInterrupted("12 of 100 cases are on the disk")
    ... except Exception:  # lets it pass, as Ctrl-C
    ...     print("never here")
    ... except KeyboardInterrupt as stop:
    ...     print(stop)
    12 of 100 cases are on the disk
    """


class MissingExtra(ScmanipError):
    """An optional dependency is needed and not installed.

    >>> raise MissingExtra("drawing", "plot")
    Traceback (most recent call last):
        ...
    scmanip.errors._errors.MissingExtra: drawing needs the 'plot' extra: pip install "scmanip[plot]"
    """

    def __init__(self, purpose: str, extra: str) -> None:
        super().__init__(f"{purpose} needs the '{extra}' extra: pip install \"scmanip[{extra}]\"")


def refuse(problems: Iterable[Problem | None], kind: type[InvalidInput] = InvalidInput) -> None:
    """Raise an error with all problems, if there are any; None is no problem.

    >>> refuse([None])
    >>> refuse([None, Problem("mass_kg", "a number >= 0", "-2")], InvalidSystem)
    Traceback (most recent call last):
        ...
    scmanip.errors._errors.InvalidSystem: mass_kg: expected a number >= 0, found -2
    """
    found = [problem for problem in problems if problem is not None]
    if found:
        raise kind(found)


def expect(
    key: str,
    value: object,
    kind: type | UnionType | tuple[type, ...],
    words: str,
    error: type[InvalidInput] = InvalidInput,
) -> None:
    """Raise an error for a value that is of no such kind; `words` say what was expected.

    >>> expect("t_end_s", 60.0, float, "a time")
    >>> expect("t_end_s", "60", float, "a time")
    Traceback (most recent call last):
        ...
    scmanip.errors._errors.InvalidInput: t_end_s: expected a time, found '60'
    """
    if not isinstance(value, kind):
        raise error(Problem(key, words, repr(value)))


def _in_few_words(text: str) -> str:
    """Return a text that may hold the whole of a file, cut where nobody reads on."""
    return text if len(text) <= _LONGEST_TEXT else f"{text[:_LONGEST_TEXT]} ..."


def likely_first(name: str, valid: Iterable[str]) -> list[str]:
    """Return valid names, those that are most like a name first, the others as they come.

    >>> likely_first("elbo", ["shoulder", "elbow", "wrist"])
    ['elbow', 'shoulder', 'wrist']
    """
    names = list(valid)
    likely = list(dict.fromkeys([*_alike(str(name), names), *_close(str(name), names, n=3, cutoff=0.5)]))
    return [*likely, *(other for other in names if other not in likely)]


def nearest(name: str, valid: Iterable[str]) -> str:
    """Return "did you mean 'x'?" for the closest valid name, or an empty string when none is close.

    Names that differ in their case and in what is no letter or digit are closest.

    >>> nearest("elbo", ["shoulder", "elbow"]), nearest("tank", ["shoulder", "elbow"])
    ("did you mean 'elbow'?", '')
    >>> nearest("Kp", ["type", "K_P", "K_D"])
    "did you mean 'K_P'?"
    """
    names = list(valid)
    matches = _alike(str(name), names) or _close(str(name), names, n=1, cutoff=0.6)
    return f"did you mean {matches[0]!r}?" if matches else ""


def _alike(word: str, names: Iterable[str]) -> list[str]:
    """Return names of the same letters and digits as a word."""
    letters = _letters(word)
    return [name for name in names if letters and _letters(name) == letters] if len(word) <= _LONGEST_NAME else []


def _letters(name: str) -> str:
    return "".join(filter(str.isalnum, name)).casefold()


def _close(word: str, names: list[str], *, n: int, cutoff: float) -> list[str]:
    return difflib.get_close_matches(word, names, n=n, cutoff=cutoff) if len(word) <= _LONGEST_NAME else []
