"""Masses of bodies that are drawn by what a CSV file says of their scatter."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from ...errors import InvalidInput, Problem, checked, nearest, refuse
from ...system import MassScatter, mass_scatter, path_text, read_text
from ..rows._case import columns_of
from ._dispersions import Correlated, Dispersion
from ._distribution import Distribution

MASS = "mass_kg"
_KEYS = {MASS: slice(0, 1), "com_m": slice(1, 4), "inertia_kg_m2": slice(4, 10)}  # of what a row says
_PRODUCTS = slice(7, 10)


@checked
@dataclass(frozen=True, eq=False)
class MassTable:
    """A CSV file of masses with standard deviations and correlations, by which the bodies of a path are drawn, jointly normal.

    given : as the study names it
    text : what is in it; file : what problems call it
    Raises `InvalidInput` with line and column of all that is wrong with it.

    >>> head = "body,mass_kg,ixx_kg_m2,iyy_kg_m2,izz_kg_m2,sigma_mass_kg,sigma_ixx_kg_m2,corr_mass_ixx"
    >>> table = MassTable("masses.csv", f"{head}\\narm,4,1,1,1,0.2,0.1,0.8", "masses.csv")
    >>> drawn = table.drawn("system.body.arm", lambda path: [path])
    >>> list(drawn.dispersion), drawn.correlated[0].matrix
    (['system.body.arm.mass_kg', 'system.body.arm.inertia_kg_m2'], ((1.0, 0.8), (0.8, 1.0)))
    """

    given: str
    text: str
    file: str

    def __post_init__(self) -> None:
        refuse(problem for row in self.rows for problem in _name_problems(row))

    @cached_property
    def rows(self) -> tuple[MassScatter, ...]:
        """What it says, body by body."""
        return tuple(mass_scatter(self.text, self.file))

    @property
    def table(self) -> dict[str, Any]:
        """What a study file says of it."""
        return {"mass_table": self.given}

    def drawn(self, pattern: str, matches: Callable[[str], Sequence[str]]) -> DrawnMasses:
        """Return the dispersions of the bodies that a pattern such as "system.body.*" finds.

        matches : the paths that a path stands for, as of `Definition.resolved`
        Raises `InvalidInput` for a pattern of other things, a row of no body, and where no body has a row.
        """
        room = ".".join(pattern.split(".")[:2])
        names = [path.removeprefix(f"{room}.").removesuffix(f".{MASS}") for path in _masses(pattern, matches)]
        rows = {row.body: row for row in self.rows if fnmatchcase(f"{room}.{row.body}", pattern)}
        strange = [row for name, row in rows.items() if name not in names]
        hint = "the root of a robot's file is called base"
        refuse(
            Problem(
                "body", f"one of {', '.join(names)}", repr(row.body), self.file, row.line, 1, nearest(row.body, names) or hint
            )
            for row in strange
        )
        if not rows:
            raise InvalidInput(Problem(pattern, f"a row for {' or '.join(names)} in '{self.given}'", "none"))
        return DrawnMasses({f"{room}.{name}": rows[name] for name in names if name in rows})


@dataclass(frozen=True)
class DrawnMasses:
    """The rows of a table of masses, by the path of their body."""

    rows: Mapping[str, MassScatter]

    @cached_property
    def means(self) -> dict[str, tuple[float, ...] | float]:
        """What the table says, by path, whether it scatters or not; an inertia without products as its diagonal."""
        return {path: _plain(key, row.mean[part]) for path, row, key, part in self._numbers()}

    @cached_property
    def dispersion(self) -> dict[str, Dispersion]:
        """Normal distributions by path, of all that scatters."""
        return {
            path: Dispersion(
                Distribution.named("norm", {"loc": _plain(key, row.mean[part]), "scale": _plain(key, row.sigma[part])})
            )
            for path, row, key, part in self._numbers()
            if any(row.sigma[part])
        }

    @cached_property
    def correlated(self) -> list[Correlated]:
        """A group per body whose numbers are correlated, of those alone."""
        return [group for body, row in self.rows.items() if (group := _group(body, row)) is not None]

    def _numbers(self) -> Iterator[tuple[str, MassScatter, str, slice]]:
        for body, row in self.rows.items():
            for key, part in _parts(row).items():
                yield f"{body}.{key}", row, key, part


@checked
def mass_table(path: Any, *, folder: str | os.PathLike[str] = "") -> MassTable:
    """Return a CSV file of masses with their scatter, a dispersion of bodies: {"system.body.*": mass_table("masses.csv")}.

    folder : where the path starts
    Raises `InvalidInput` with line and column of all that is wrong with it.

    >>> from pathlib import Path
    >>> _ = Path("masses.csv").write_text("body,mass_kg,ixx_kg_m2,iyy_kg_m2,izz_kg_m2,sigma_mass_kg\\narm,4,1,1,1,0.2\\n")
    >>> mass_table("masses.csv").rows[0].sigma[0]
    0.2
    """
    given = path_text(path)
    file = os.fspath(Path(folder) / given)
    return MassTable(given, read_text(file), file)


def _masses(pattern: str, matches: Callable[[str], Sequence[str]]) -> Sequence[str]:
    """Return the paths of the masses of bodies."""
    try:
        return matches(f"{pattern}.{MASS}")
    except InvalidInput as error:
        hint = error.problems[0].hint.replace(f".{MASS}", "")
        expected = "bodies, as in system.body.* or system.body.NAME"
        raise InvalidInput(Problem(pattern, expected, repr(pattern), hint=hint)) from None


def _parts(row: MassScatter) -> dict[str, slice]:
    """Return which numbers of a row are whose; products of inertia that are 0 and stay so are left out."""
    products = any(row.mean[_PRODUCTS]) or any(row.sigma[_PRODUCTS])
    return _KEYS if products else _KEYS | {"inertia_kg_m2": slice(4, 7)}


def _plain(key: str, numbers: tuple[float, ...]) -> tuple[float, ...] | float:
    return numbers[0] if key == MASS else numbers


def _group(body: str, row: MassScatter) -> Correlated | None:
    """Return the group of those numbers of a body that are correlated with others."""
    C = np.array(row.correlation)
    columns = {
        part.start + k: column
        for key, part in _parts(row).items()
        for k, column in enumerate(columns_of(f"{body}.{key}", None if key == MASS else part.stop - part.start))
    }
    some = [k for k in columns if np.count_nonzero(C[k]) > 1]
    if not some:
        return None
    return Correlated(tuple(columns[k] for k in some), tuple(map(tuple, C[np.ix_(some, some)].tolist())))


def _name_problems(row: MassScatter) -> Iterator[Problem]:
    if any(letter in row.body for letter in "*?["):
        yield Problem("body", "a name without *, ? and [", repr(row.body), row.file, row.line, 1)
