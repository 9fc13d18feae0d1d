"""The constraints of a system file, on plain data that nobody has checked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ...constraints import Constraint, Surroundings, WrittenConstraint
from ..parts._constraint_kinds import CONSTRAINT_KINDS
from ..parts._freedom import BASE_SPEEDS
from ._document import TomlDocument
from ._file_bodies import FileBody, reporter, tables


def file_constraints(document: TomlDocument) -> Iterator[WrittenConstraint]:
    """Yield every `[[constraint]]` whose kind is known."""
    for i, table in tables(document.data, "constraint"):
        kind = constraint_kind(table)
        if kind is not None:
            yield WrittenConstraint(kind, table, reporter(document, ("constraint", i)))


def constraint_kind(table: dict[str, Any]) -> type[Constraint] | None:
    """Return the kind that a table says, None where it says none that is known."""
    word = table.get("type")
    return CONSTRAINT_KINDS.sound.get(word) if isinstance(word, str) else None


def surroundings(bodies: Sequence[FileBody], frames: Sequence[str], *, fixed: bool) -> Surroundings:
    """Return what constraints can refer to; frames : every name of a frame."""
    if not all(body.kind and isinstance(body.joint_name, str) for body in bodies):
        return Surroundings(frames)
    return Surroundings.of(() if fixed else BASE_SPEEDS, frames, [each for body in bodies for each in _moves(body)])


def _moves(body: FileBody) -> Iterator[tuple[str, list[tuple[str, str]], bool]]:
    """Yield name, names and units of freedoms, and whether these are the rates of its coordinates, of a joint that moves."""
    kind, name = body.kind, body.joint_name
    if kind is None or not kind.dof(body.joint):
        return
    dof, parts = kind.dof(body.joint), [f"{name}.{part}" for part in kind.rates(body.joint)] or [name]
    units = [unit for _, unit in kind.freedoms] * (dof if len(kind.freedoms) == 1 else 1)
    own_rates = len(kind.parts(body.joint) or parts) == dof  # a quaternion has one part more
    yield name, list(zip(parts, units, strict=False)), own_rates
