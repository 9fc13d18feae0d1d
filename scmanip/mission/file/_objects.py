"""Objects of Python in the places of what a mission file says."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from ...control import as_controller
from ...errors import InvalidInput, InvalidMission, Problem, checked, checked_as, nearest, refuse
from ...guidance import ReferenceMotion
from ...system import System, TomlDocument, toml_text
from ..values._digest import digest
from ..values._findings import KeyPath
from ..values._own_part import OwnPart
from ..values._source import BESIDE, OBJECT_SYSTEM, NamedSystems, Source, is_object

_ANOTHER = "it is another one: load the mission that it was made of, and give it the object by with_controller and the like"


@checked_as(InvalidMission)
def with_objects(document: TomlDocument, sources: NamedSystems, own: Mapping[str, Any]) -> tuple[TomlDocument, NamedSystems]:
    """Return a mission file, and the systems that it may name, with objects of Python in the places of what it says.

    own : by "system", "phase.NAME.controller" and "phase.NAME.guidance". Where the file names an object it has to be that one.
    The text of the file is as it was where it names them all.
    Raises `InvalidMission` with all that is wrong.

    >>> from scmanip.system import TomlDocument
    >>> path = named_file("mission:planar_four_link")
    >>> own = {"phase.joint_sequence.controller": law}
    >>> document, sources = with_objects(TomlDocument.read(path), NamedSystems(path.parent), own)
    >>> list(objects_in(document, sources))
    ['phase.joint_sequence.controller']
    """
    places = _places(document.data)
    problems = [_unknown(path, list(places)) for path in own if path not in places]
    refuse(problems, InvalidMission)
    data, known, same = copy.deepcopy(document.data), dict(sources.known), True
    for path, given in own.items():
        made, at = _ACCEPTED[path.rpartition(".")[2]](path, given), places[path]
        label = _system_word(made) if path == "system" else OwnPart(made).label
        said = _named(data, at)
        if said is not None and said != label:
            problems.append(document.problem(at, said, label, _ANOTHER))
            continue
        same = same and said is not None
        if path == "system":
            known[label] = Source(label, _text_of(made, label), made)
            for key in BESIDE:
                data.pop(key, None)
        _put(data, at, label if path == "system" else OwnPart(made), keep=said is not None)
    refuse(problems, InvalidMission)
    sources = replace(sources, known=known)
    if same:
        return replace(document, data=data), sources
    parsed = TomlDocument.parse(toml_text(_labelled(data)), document.file)
    return replace(parsed, data=data), sources


@checked
def objects_in(document: TomlDocument, sources: NamedSystems) -> dict[str, Any]:
    """Return the objects that a mission file has in it, by the paths of `with_objects`.

    >>> own = mission.with_controller("joint_sequence", lambda t, state: -2.0 * state.qdot)
    >>> list(own.own), dict(mission.own)
    (['phase.joint_sequence.controller'], {})
    """
    return {path: part.made for path, part in own_parts(document, sources).items()}


@checked
def own_parts(document: TomlDocument, sources: NamedSystems) -> dict[str, OwnPart]:
    """Return the same with what they are called.

    >>> from scmanip.system import TomlDocument
    >>> path = named_file("mission:planar_four_link")
    >>> own_parts(TomlDocument.read(path), NamedSystems(path.parent))  # this file names none
    {}
    """
    data, found = document.data, dict[str, OwnPart]()
    for path, at in _places(data).items():
        held = _held(data, at)
        if path == "system" and is_object(str(held)) and held in sources.known:
            found[path] = OwnPart(sources.known[held].system)
        elif isinstance(held, dict) and isinstance(part := held.get("part"), OwnPart):
            found[path] = part
    return found


def _places(data: Mapping[str, Any]) -> dict[str, KeyPath]:
    phases = data.get("phase")
    places: dict[str, KeyPath] = {"system": ("system",)}
    for k, phase in enumerate(phases if isinstance(phases, list) else ()):
        name = phase.get("name") if isinstance(phase, dict) else None
        places |= {f"phase.{name}.{key}": ("phase", k, key) for key in ("controller", "guidance") if isinstance(name, str)}
    return places


def _unknown(path: str, places: list[str]) -> Problem:
    return Problem("own", f"paths of the mission: {', '.join(places)}", repr(path), hint=nearest(path, places))


def _law(path: str, given: Any) -> Any:
    try:
        return as_controller(given)
    except InvalidInput as error:
        raise InvalidMission([replace(problem, key=path) for problem in error.problems]) from None


def _reference(path: str, given: Any) -> Any:
    if isinstance(given, type) or not isinstance(given, ReferenceMotion):
        raise InvalidMission(Problem(path, "a reference: an object with at(t), corners_s and t_end_s", repr(given)))
    return given


def _system(path: str, given: Any) -> Any:
    if not isinstance(given, System):
        raise InvalidMission(Problem(path, "a System", repr(given)))
    return given


_ACCEPTED = {"controller": _law, "guidance": _reference, "system": _system}


def _text_of(system: System, label: str) -> str:
    """Return the text of a file that says a system; where none says all of it what the system is called, in a comment."""
    with suppress(InvalidInput):
        text = system.to_toml()
        if digest(System.from_toml_text(text)) == digest(system):
            return text
    return f"# {label}\n"


def _system_word(system: System) -> str:
    return f"{OBJECT_SYSTEM}{system.name} {digest(system)}"


def _held(data: Any, at: KeyPath) -> Any:
    for step in at:
        data = data[step] if not isinstance(data, dict) or step in data else None
    return data


def _named(data: Any, at: KeyPath) -> str | None:
    """Return what a file calls an object of which it has the name alone; None where it has the object, or other tables."""
    held = _held(data, at)
    if at == ("system",):
        return held if isinstance(held, str) and is_object(held) else None
    named = isinstance(held, dict) and held.get("type") == "python" and isinstance(held.get("part"), str)
    return str(held["part"]) if named else None


def _put(data: Any, at: KeyPath, what: Any, *, keep: bool) -> None:
    *path, last = at
    for step in path:
        data = data[step]
    if isinstance(what, OwnPart):
        what = {**data[last], "part": what} if keep else {"type": "python", "part": what}
    data[last] = what


def _labelled(data: Any) -> Any:
    """Return tables with what objects are called in the places of the objects."""
    if isinstance(data, dict):
        return {key: _labelled(value) for key, value in data.items()}
    if isinstance(data, list):
        return [_labelled(value) for value in data]
    return data.label if isinstance(data, OwnPart) else data
