"""A whole mission file, with the kinds of tables that it names."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, create_model

from ...errors import InvalidInput, InvalidMission, Problem, refuse
from ...system import System, TomlDocument
from ..values._findings import KeyPath, table_at
from ..values._kinds import TableKinds, one_of
from ._families import CONTROLLERS, ESTIMATOR_TABLES, EVENTS, GUIDANCE, INTEGRATORS, LOADS, SENSOR_TABLES
from ._schema import MissionFile, PhaseTable, initial_table

_FAMILIES: dict[str, TableKinds[Any]] = {
    "controller": CONTROLLERS,
    "guidance": GUIDANCE,
    "events": EVENTS,
    "integration": INTEGRATORS,
    "load": LOADS,
    "environment": LOADS,
    "sensor": SENSOR_TABLES,
    "estimator": ESTIMATOR_TABLES,
}

FILLED = ("integration", "limits")  # tables that every mission has, said or not
UNSAID = ("integration", "environment")  # tables that are of the first kind where they say none


def mission_file(document: TomlDocument, system: System | None = None) -> type[MissionFile]:
    """Return the model of a mission file; raises `InvalidMission` where a kind that it names is a plug-in that is broken.

    It has the kinds that the file names, of which pydantic makes a model sooner than of all; where one is unknown it has all.
    system : where that is an object of Python, which may have actuators of kinds of its own
    """
    problems, kinds = list[Problem](), list[tuple[Any, ...]]()
    for key, family in _FAMILIES.items():
        found = dict[str, Any]()
        for path, word in _named(document, key):
            try:
                found |= family.named(word)
            except InvalidInput as error:
                problems += [document.problem((*path, each.key), each.expected, each.found) for each in error.problems]
        named = tuple(kind for word, kind in {**family.own, **found}.items() if word in found)
        kinds.append(named or tuple(family.own.values())[:1])
    refuse(problems, InvalidMission)
    return _file(initial_table(system), *kinds)


def filled(document: TomlDocument) -> dict[str, Any]:
    """Return the tables of a file with those that every mission has, and with the kind of what need not say it."""
    data: dict[str, Any] = {**{key: {} for key in FILLED}, **document.data}
    for key in UNSAID:
        family, given = _FAMILIES[key], data.get(key)
        if isinstance(given, dict):
            data[key] = {family.base.named_by: next(iter(family)), **given}
    return data


def mission_schema() -> dict[str, Any]:
    """Return the JSON schema of mission files, `scmanip.mission/1`, with the kinds of all installed packages.

    What depends on the system is checked by `load_mission` alone.

    >>> {"system", "initial", "phase"} <= set(mission_schema()["properties"])
    True
    """
    families = {key: tuple(family.sound.values()) for key, family in _FAMILIES.items()}
    schema = _file(initial_table(), *families.values()).model_json_schema()
    for key in UNSAID:  # need not say that they are of the first kind
        first = schema["$defs"][families[key][0].__name__]
        first["required"] = [name for name in first.get("required", ()) if name != _FAMILIES[key].base.named_by]
    schema["required"] = [key for key in schema["required"] if key not in FILLED]
    return schema


def _named(document: TomlDocument, key: str) -> Iterator[tuple[KeyPath, object]]:
    """Yield where a file has a table of a family, and what says its kind."""
    phases = document.data.get("phase")
    places: list[KeyPath] = [(), *(("phase", i) for i in range(len(phases) if isinstance(phases, list) else 0))]
    for place in places:
        given = (table_at(document, place) if place else document.data).get(key)
        paths: list[KeyPath] = [(*place, key, k) for k in range(len(given))] if isinstance(given, list) else [(*place, key)]
        for path in paths if given is not None else ():
            yield path, table_at(document, path).get(_FAMILIES[key].base.named_by)


def _one_or_more(value: object) -> object:
    return [value] if isinstance(value, dict) else value


@cache
def _file(initial: Any, *kinds: tuple[Any, ...]) -> type[MissionFile]:
    laws, motions, events, methods, loads, around, sensors, estimators = kinds
    law: Any = one_of(laws)
    one_or_more = BeforeValidator(_one_or_more, json_schema_input_type=law | list[law])
    phase = _with(
        PhaseTable,
        controller=Annotated[list[law], one_or_more, Field(min_length=1)],
        guidance=one_of(motions),
        events=list[one_of(events)],  # type: ignore[misc]
    )
    return _with(
        MissionFile,
        initial=initial,
        phase=Annotated[list[phase], Field(min_length=1)],  # type: ignore[valid-type]
        integration=one_of(methods),
        load=list[one_of(loads)],  # type: ignore[misc]
        environment=one_of(around) | None,
        sensor=list[one_of(sensors)],  # type: ignore[misc]
        estimator=list[one_of(estimators)],  # type: ignore[misc]
    )


def _with(table: Any, **kinds: Any) -> Any:
    """Return a model of tables in which some keys take tables of these kinds, and are else as they were."""
    fields: dict[str, Any] = {}
    for key, kind in kinds.items():
        old = table.model_fields[key]
        usual = {} if old.is_required() else {"default": old.get_default(call_default_factory=True)}
        fields[key] = kind, Field(description=old.description, **usual)
    return create_model(table.__name__, __base__=table, **fields)
