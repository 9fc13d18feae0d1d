"""The systems that a mission names, with the texts they were read from."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from ...errors import InvalidSystem, Problem, checked
from ...system import System, system_text
from ._own_part import OBJECT

_LIBRARY = "model:"
OBJECT_SYSTEM = "python:"
BESIDE = ("side", "roots")


@checked
@dataclass(frozen=True, eq=False)
class Source:
    """A system and where it came from.

    given : as the mission file says it: a path relative to the mission, "model:name", or "python:..." of an object
    text : the system file's contents; of an object that no file can say what it is called, in a comment
    system : what was read

    >>> source = mission.source
    >>> source.given, source.system.name, len(source.sha256)
    ('model:planar_four_link', 'planar-four-link', 64)
    """

    given: str
    text: str
    system: System

    @property
    def is_object(self) -> bool:
        """Whether it is an object of Python that no file can say."""
        return is_object(self.text.removeprefix("# "))

    @property
    def sha256(self) -> str:
        """Digest of the text."""
        return sha256(self.text.encode()).hexdigest()


@dataclass(frozen=True)
class SaidBeside:
    """What a mission file says beside its system: `side`, a path, and `roots`, folders of meshes.

    >>> SaidBeside.of({"side": "wheels.toml"})
    SaidBeside(side='wheels.toml', roots=())
    """

    side: str | None = None
    roots: tuple[str, ...] = ()

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> SaidBeside:
        """Return that of a file; what is of the wrong type is passed over, the schema reports it."""
        side, roots = (data.get(key) for key in BESIDE)
        sound = isinstance(roots, list) and all(isinstance(root, str) and root for root in roots)
        return cls(side if isinstance(side, str) and side else None, tuple(roots) if isinstance(roots, list) and sound else ())


@checked
@dataclass(frozen=True, eq=False)
class NamedSystems:
    """The systems that a mission's file may name, each read once: whatever is built of them is built of the same texts.

    folder : where their paths start; None: there are no others than those that are known, as in a copy that was pickled
    strict : whether warnings about the hardware are errors
    known : those that were read, by the names that the file gives them

    >>> from pathlib import Path
    >>> systems = NamedSystems(Path())
    >>> systems.read("system", "model:planar_four_link").system.name, list(systems.known)
    ('planar-four-link', ['model:planar_four_link'])
    """

    folder: Path | None
    strict: bool = False
    known: dict[str, Source] = field(default_factory=dict)

    def read(self, key: str, given: str, beside: SaidBeside | None = None) -> Source:
        """Return the system that a mission file calls `given` under `key`; raises `InvalidSystem`.

        beside : the side table and folders of meshes that go with it
        """
        if given not in self.known:
            self.known[given] = self._read(key, given, beside or SaidBeside())
        return self.known[given]

    def _read(self, key: str, given: str, beside: SaidBeside) -> Source:
        if is_object(given):  # and is not known
            raise InvalidSystem(Problem(key, OBJECT, repr(given)))
        if self.folder is None:
            raise InvalidSystem(Problem(key, f"one of {', '.join(self.known)}, which were read at the start", repr(given)))
        where = given if given.startswith(_LIBRARY) else os.path.normpath(self.folder / given)
        try:
            side = None if beside.side is None else os.path.normpath(self.folder / beside.side)
            text = system_text(where, side=side, roots=[self.folder / root for root in beside.roots])
            return Source(given, text, System.from_toml_text(text, file=where, strict=self.strict))
        except InvalidSystem as error:
            raise InvalidSystem([_called(key, problem) for problem in error.problems]) from None

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "folder": None}


@checked
def is_object(said: str) -> bool:
    """Whether a mission file means an object of Python by what it calls a system, or a text is that of one.

    >>> is_object("python:mine"), is_object("model:planar_four_link")
    (True, False)
    """
    return said.startswith(OBJECT_SYSTEM)


def _called(key: str, problem: Problem) -> Problem:
    """Return a problem of the reference under the name of its key; one with a line is inside the system file."""
    if problem.line:
        return problem
    found = f"{problem.file}: {problem.found}" if problem.file else problem.found
    return Problem(key, problem.expected, found, hint=problem.hint)
