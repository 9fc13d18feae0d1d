"""From the paths of a study to what they name; misspelt ones are refused with the nearest names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from typing import Any, get_args

from pydantic import BaseModel

from ...errors import InvalidInput, Problem, nearest
from ...mission import (
    CONTROLLERS,
    ESTIMATOR_TABLES,
    EVENTS,
    GUIDANCE,
    INTEGRATORS,
    LOADS,
    SENSOR_TABLES,
    KeyPath,
    OwnPart,
    PhaseTable,
    RigidContactTable,
    StrikeTable,
    SwitchTable,
    UntilTable,
    initial_table,
)
from ._documents import Documents
from ._target import ESTIMATE, MISSION, SYSTEM, Target, found_at

_TREE = "parts and the tree of them are not varied: vary system, levels of several system files"
_SIDE = "all cases have the mission's side table: what it says is part of the system, vary system.wheel.NAME.KEY and the like"
_SEEING = "names and kinds of what sees are not varied"
_REASONS = {
    "limits": "limits of a mission judge no case: give the study a metric and a limit of its own",
    "output": "cases have no figures",
    "name": "a name changes no flight",
    "title": "a title changes no flight",
    "schema": "there is one form of mission files",
    "side": _SIDE,
    "roots": "folders of meshes change no flight",
    "phase.*.name": "a name changes no flight",
    "phase.*.events.*.name": "a name changes no flight",
    "environment.name": "a name changes no flight",
    "load.*.name": "a name changes no flight",
    **{f"{family}.*.{key}": _SEEING for family in ("sensor", "estimator") for key in ("name", "type")},
    "observation": "chance differs from case to case by itself",
    "phase.*.on": "branches of phases are not varied",
    "switch.*.name": "a name changes no flight",
    "contact.*.name": "a name changes no flight",
    "phase.*.modes": "a case is flown in one mode: give the phase one and vary its mode",
    "system.*.*.name": "a name changes no flight",
    "system.*.*.type": _TREE,
    "system.*.*.parent": _TREE,
    "system.*.*.body": _TREE,
    "system.*.*.between": _TREE,
    "system.*.*.frame": _TREE,
    "system.*.*.frames": _TREE,
    "system.*.*.of": _TREE,
    "system.*.*.joint": _TREE,
    "system.base.fixed": _TREE,
    "system.body.base.fixed": _TREE,
    "system.name": "a name changes no flight",
    "system.schema": "there is one form of system files",
}
_OBJECT = ("part", "own")  # an object of Python and what it has otherwise: its settings are varied one by one
_ENDS = ("t_s", "timeout_s")
_ALIASES = {"com_m": "rho_m"}  # [[hd_link]] has another word for it


def targets_of(pattern: str, documents: Documents) -> tuple[Target, ...]:
    """Return what a path names, several where it has wildcards in names; raises `InvalidInput` where it is nothing."""
    found = tuple(target for target in every_target(documents) if _matches(target.path, pattern))
    exact = tuple(target for target in found if target.path == pattern)
    if exact or found:
        return exact or found
    joint = _entry(pattern, documents)
    if joint is not None:
        return (joint,)
    raise InvalidInput(_unknown(pattern, documents))


def every_target(documents: Documents) -> Iterator[Target]:
    """Yield all that can be varied in a mission and its system."""
    yield Target(SYSTEM, SYSTEM, ())
    for document in () if documents.source.is_object else (SYSTEM, ESTIMATE):
        for part in documents.parts:
            for key in part.keys:
                word = next((alias for alias, its in _ALIASES.items() if its == key), key)
                path = f"{document}.{part.kind}.{part.name}.{word}"
                yield Target(path, document, (*part.path, key), part.kind, part.name)
        yield Target(f"{document}.gravity_m_s2", document, ("gravity_m_s2",))
    data = documents.mission.data
    initial = initial_table(documents.source.system)
    yield from _keys("initial", ("initial",), initial, free=initial.model_fields)
    for i, phase in enumerate(data["phase"]):
        yield from _phase(f"phase.{phase['name']}", ("phase", i), phase)
    for k, switch in enumerate(data.get("switch", ())):
        path = f"switch.{switch.get('name', f'switch{k + 1}')}"
        yield from _keys(path, ("switch", k), SwitchTable, "name", "strike")
        if "strike" in switch:
            yield from _keys(f"{path}.strike", ("switch", k, "strike"), StrikeTable)
    for k, contact in enumerate(data.get("contact", ())):
        yield from _keys(f"contact.{contact.get('name', f'contact{k + 1}')}", ("contact", k), RigidContactTable, "name")
    method = INTEGRATORS[data.get("integration", {}).get("integrator", next(iter(INTEGRATORS)))]
    yield from _keys("integration", ("integration",), method)
    if "environment" in data:
        yield from _load("environment", ("environment",), data["environment"])
    for family, kinds in (("sensor", SENSOR_TABLES), ("estimator", ESTIMATOR_TABLES)):
        for k, part in enumerate(data.get(family, ())):
            yield from _keys(f"{family}.{part['name']}", (family, k), kinds[part["type"]], "name", "type")
    for k, load in enumerate(data.get("load", ())):
        yield from _load(f"load.{load.get('name', load['type'])}", ("load", k), load)


def _load(path: str, at: KeyPath, table: dict[str, Any]) -> Iterator[Target]:
    """Yield the keys of a load, and those of the tables in it of which the file says the type."""
    kind: type[BaseModel] = LOADS[table.get("type", next(iter(LOADS)))]
    inner = {key: value["type"] for key, value in table.items() if isinstance(value, dict) and "type" in value}
    yield from _keys(path, at, kind, "name", *inner)
    for key, word in inner.items():
        for each in get_args(kind.model_fields[key].annotation):
            if word in get_args(each.model_fields["type"].annotation):
                yield from _keys(f"{path}.{key}", (*at, key), each)


def _phase(path: str, at: KeyPath, phase: dict[str, Any]) -> Iterator[Target]:
    yield from _keys(path, at, PhaseTable, "name", "modes", "controller", "guidance", "events", "until", "on")
    for where, place, law in laws_at(phase["controller"]):
        left_out = [*_OBJECT] if "part" in law else []
        kind = CONTROLLERS[law["type"]]
        yield from _keys(f"{path}.{where}", (*at, *place), kind, *left_out, free=kind.numbers)
        yield from _own(f"{path}.{where}", (*at, *place), law)
    motion = GUIDANCE[phase["guidance"]["type"]]
    left_out = [*_OBJECT] if "part" in phase["guidance"] else []
    yield from _keys(f"{path}.guidance", (*at, "guidance"), motion, *left_out, free=motion.numbers, lasts=motion.durations)
    yield from _own(f"{path}.guidance", (*at, "guidance"), phase["guidance"])
    for k, event in enumerate(phase.get("events", ())):
        name = event.get("name", event["type"])
        yield from _keys(f"{path}.events.{name}", (*at, "events", k), EVENTS[event["type"]], "name")
    yield from _keys(f"{path}.until", (*at, "until"), UntilTable, free=_ENDS, lasts=_ENDS)


def _own(path: str, at: KeyPath, table: dict[str, Any]) -> Iterator[Target]:
    """Yield the settings of an object of Python in the place of a table."""
    if isinstance(part := table.get("part"), OwnPart):
        for name in part.settings:
            yield Target(f"{path}.own.{name}", MISSION, (*at, "own", name))


def laws_at(given: Any) -> Iterator[tuple[str, KeyPath, dict[str, Any]]]:
    """Yield the tables of a `controller`, each with its path and place in the phase: several go by their types."""
    if not isinstance(given, list):
        yield "controller", ("controller",), given
        return
    words = [table["type"] for table in given]
    for k, (word, table) in enumerate(zip(words, given, strict=True)):
        number = f".{words[:k].count(word) + 1}" if words.count(word) > 1 else ""
        yield f"controller.{word}{number}", ("controller", k), table


def _keys(
    path: str,
    at: KeyPath,
    table: type[BaseModel],
    *left_out: str,
    free: Iterable[str] = (),
    lasts: Iterable[str] = (),
) -> Iterator[Target]:
    """Yield the keys of a table, and those of tables in it.

    free, lasts : keys that are so, as of `Target`
    """
    for key, field in table.model_fields.items():
        inner = field.annotation
        if key in left_out:
            continue
        if isinstance(inner, type) and issubclass(inner, BaseModel):
            yield from _keys(f"{path}.{key}", (*at, key), inner, free=inner.model_fields if key in free else ())
        else:
            yield Target(f"{path}.{key}", MISSION, (*at, key), free=key in free, lasts=key in lasts)


def _entry(pattern: str, documents: Documents) -> Target | None:
    """Return the entry of a table by joint or actuator, such as `phase.slew.controller.K_P.joint1`."""
    for target in every_target(documents):
        if target.document == MISSION and pattern.startswith(f"{target.path}."):
            table = found_at(documents.mission.data, target.at)
            name = pattern.removeprefix(f"{target.path}.")
            if isinstance(table, dict) and name in table:
                return Target(pattern, MISSION, (*target.at, name), free=target.free, lasts=target.lasts)
    return None


def _matches(path: str, pattern: str) -> bool:
    """Whether a pattern names a path; its wildcards stand for names, not for keys."""
    if "*" not in pattern and "?" not in pattern:
        return path == pattern
    (start, _, key), (its_start, _, its_key) = pattern.rpartition("."), path.rpartition(".")
    return key == its_key and pattern.count(".") <= path.count(".") and fnmatchcase(its_start, start)


def _unknown(pattern: str, documents: Documents) -> Problem:
    targets = tuple(every_target(documents))
    paths = [target.path for target in targets]
    hint = next((why for at, why in _REASONS.items() if fnmatchcase(pattern, at) or fnmatchcase(pattern, f"{at}.*")), "")
    if any(pattern.startswith(f"{path}.") for path in documents.own):
        ours = [path for path in paths if ".own." in path and path.partition(".own.")[0] in documents.own]
        hint = f"an object of Python stands in its place, of which can be varied: {', '.join(ours) or 'nothing'}"
    tables = [target.key for target in targets if target.document == MISSION and pattern.startswith(f"{target.path}.")]
    if tables and not hint:
        hint = f"an entry is varied where the file has one: {tables[0]} = {{ ... }}"
    return Problem(pattern, _expected(pattern, paths), "no such key", hint=hint or nearest(pattern, paths))


def _expected(pattern: str, paths: Iterable[str]) -> str:
    """Return what could stand at the first step of a path that nothing matches."""
    steps = pattern.split(".")
    known = [path.split(".") for path in paths]
    for depth, step in enumerate(steps):
        possible = list(dict.fromkeys(path[depth] for path in known if len(path) > depth))
        if step not in possible and "*" not in step:
            where = ".".join(steps[:depth]) or "a path"
            if not possible:
                return f"{where} and nothing behind it"
            return f"{where} followed by one of {', '.join(possible)}" if depth else f"one of {', '.join(possible)}"
        known = [path for path in known if len(path) > depth and ("*" in step or path[depth] == step)]
    return "a key of the mission or of its system"
