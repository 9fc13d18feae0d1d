"""A system that a mission names, with the text it was read from."""

from __future__ import annotations

import os
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from ..errors import InvalidSystem, Problem
from ..system import System, system_text

_LIBRARY = "model:"


@dataclass(frozen=True, eq=False)
class Source:
    """A system and where it came from.

    given : as the mission file says it: a path relative to the mission, or "model:name"
    text : the system file's contents
    system : what was read
    """

    given: str
    text: str
    system: System

    @classmethod
    def read(cls, key: str, given: str, folder: Path, *, strict: bool) -> Source:
        """Return the system that a mission file in `folder` calls `given` under `key`; raises `InvalidSystem`."""
        where = given if given.startswith(_LIBRARY) else os.path.normpath(folder / given)
        try:
            text = system_text(where)
            return cls(given, text, System.from_toml_text(text, file=where, strict=strict))
        except InvalidSystem as error:
            raise InvalidSystem([_called(key, problem) for problem in error.problems]) from None

    @property
    def sha256(self) -> str:
        """Digest of the text."""
        return sha256(self.text.encode()).hexdigest()


def _called(key: str, problem: Problem) -> Problem:
    """Return a problem of the reference under the name of its key; one with a line is inside the system file."""
    if problem.line:
        return problem
    found = f"{problem.file}: {problem.found}" if problem.file else problem.found
    return Problem(key, problem.expected, found, hint=problem.hint)
