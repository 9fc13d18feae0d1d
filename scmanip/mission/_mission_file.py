"""A whole mission file, with the kinds of tables that it names."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, create_model

from ..errors import InvalidInput, InvalidMission, Problem
from ..system import TomlDocument
from ._families import CONTROLLERS, EVENTS, GUIDANCE, INTEGRATORS
from ._findings import KeyPath, table_at
from ._kinds import Kinds, one_of
from ._schema import MissionFile, PhaseTable, initial_table

_FAMILIES: dict[str, Kinds[Any]] = {
    "controller": CONTROLLERS,
    "guidance": GUIDANCE,
    "events": EVENTS,
    "integration": INTEGRATORS,
}


def mission_file(document: TomlDocument) -> type[MissionFile]:
    """Return the model of a mission file; raises `InvalidMission` where a kind that it names is a plug-in that is broken."""
    problems, kinds = list[Problem](), list[tuple[Any, ...]]()
    for key, family in _FAMILIES.items():
        found = dict(family.own)
        for path, word in _named(document, key):
            try:
                found |= family.named(word)
            except InvalidInput as error:
                problems += [document.problem((*path, each.key), each.expected, each.found) for each in error.problems]
        kinds.append(tuple(found.values()))
    if problems:
        raise InvalidMission(problems)
    return _file(initial_table(), *kinds)


def _named(document: TomlDocument, key: str) -> Iterator[tuple[KeyPath, object]]:
    """Yield where a file has a table of a family, and what says its kind."""
    named_by = _FAMILIES[key].base.named_by
    if key in document.data:
        yield (key,), table_at(document, (key,)).get(named_by)
    phases = document.data.get("phase")
    for i in range(len(phases) if isinstance(phases, list) else 0):
        given = table_at(document, ("phase", i)).get(key)
        paths: list[KeyPath] = [("phase", i, key)]
        if isinstance(given, list):
            paths = [("phase", i, key, k) for k in range(len(given))]
        yield from ((path, table_at(document, path).get(named_by)) for path in paths)


def _one_or_more(value: object) -> object:
    return [value] if isinstance(value, dict) else value


@cache
def _file(
    initial: Any, laws: tuple[Any, ...], motions: tuple[Any, ...], events: tuple[Any, ...], methods: tuple[Any, ...]
) -> type[MissionFile]:
    said = {key: field.description for key, field in PhaseTable.model_fields.items()}
    fields: dict[str, Any] = {
        "controller": (
            Annotated[list[one_of(laws)], BeforeValidator(_one_or_more)],  # type: ignore[misc]
            Field(min_length=1, description=said["controller"]),
        ),
        "guidance": (one_of(motions), Field(description=said["guidance"])),
        "events": (list[one_of(events)], Field(default_factory=list, description=said["events"])),  # type: ignore[misc]
    }
    phase = create_model("PhaseTable", __base__=PhaseTable, **fields)
    phases = Field(min_length=1, description=MissionFile.model_fields["phase"].description)
    usual = {methods[0].named_by: methods[0].word()}
    top: dict[str, Any] = {
        "initial": (initial, Field(description=MissionFile.model_fields["initial"].description)),
        "phase": (list[phase], phases),  # type: ignore[valid-type]
        "integration": (
            Annotated[one_of(methods), BeforeValidator(lambda value: usual | value if isinstance(value, dict) else value)],
            Field(default=usual, validate_default=True, description=MissionFile.model_fields["integration"].description),
        ),
    }
    return create_model("MissionFile", __base__=MissionFile, **top)
