"""What the files of a mission say, and the parts that were made of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

from ...errors import InvalidMission, Problem
from ..values._source import Source
from ._phase import Phase

_OF_PHASES = {"name", "t_end_s"}  # what a stored file says of other phases than those that were read
SAID = {"name", "title", "integration", "figure_names"}  # and of the mission itself


@dataclass(frozen=True, eq=False)
class Written:
    """The files of a mission.

    file, text : the mission file
    resolved : its contents in SI with every default filled in
    source, estimates : the system as named, and per phase the system its controller believes in (None: the same)
    parts : what was made of them, by the names that a `Mission` has for it
    believed : what controllers believe in that name no estimate, where that is not the system that flies
    own : objects of Python in the places of what the file said, by "system", "phase.NAME.controller" and "phase.NAME.guidance"
    again : reads the files once more, with further such objects
    """

    file: str
    text: str
    resolved: Mapping[str, Any]
    source: Source
    estimates: tuple[Source | None, ...]
    parts: Mapping[str, Any]
    believed: Source | None = None
    own: Mapping[str, Any] = field(default_factory=dict)
    again: Callable[[Mapping[str, Any]], Any] | None = None

    @property
    def beliefs(self) -> tuple[Source | None, ...]:
        """Per phase the system its controller believes in, named or not; None where it is the one that flies, or none."""
        other = None if self.believed is None or self.believed.text == self.source.text else self.believed
        pairs = zip(self.estimates, self.parts["phases"], strict=True)
        return tuple(other if own is None and phase.controller.believed else own for own, phase in pairs)

    def replaced(self, mission: object) -> Iterator[str]:
        """Yield the parts of a mission that are not those which were made of the files, by name."""
        for name, part in self.parts.items():
            own = getattr(mission, name)
            if name == "phases" and len(own) == len(part):
                yield from _in_phases(own, part)
            elif own is not part:
                yield name

    def unsaid(self, mission: object) -> Iterator[str]:
        """Yield those of them that a stored file could not say."""
        for name in self.replaced(mission):
            if name not in SAID and name.partition("].")[2] not in _OF_PHASES:
                yield name

    def carried(self, mission: Any, read: Any, path: str) -> Any:
        """Return a mission that was read again with an object at a path, with what was replaced in the mission before.

        Raises `InvalidMission` for parts that were made for the system before, where that is another one.
        """
        names = [name for name in self.replaced(mission) if name not in ("alternatives", _part_at(path, self.parts["phases"]))]
        kept = {name.rpartition(".")[2] for name in names} - (SAID | _OF_PHASES | {"limits"})
        if path == "system" and kept:
            hint = "replace them in the mission that with_system returns"
            raise InvalidMission([Problem(name, "parts of the file", "another one in its place", hint=hint) for name in kept])
        phases = list(read.phases)
        for k, own in enumerate(mission.phases):
            its = {name.partition("].")[2] for name in names if name.startswith(f"phases[{k}].")}
            phases[k] = replace(phases[k], **{name: getattr(own, name) for name in its}) if its else phases[k]
        whole = {name: getattr(mission, name) for name in names if not name.startswith("phases[")}
        changed = any(name.startswith("phases[") for name in names)
        return replace(read, **whole, **({"phases": tuple(phases)} if changed else {})) if names else read

    def table(self, mission: Any) -> dict[str, Any]:
        """Return the resolved table, with what it can say of parts that were replaced."""
        table = {**self.resolved, "name": mission.name, "title": mission.title, "integration": mission.integration.table}
        if mission.figure_names is not self.parts["figure_names"]:
            table["output"] = {"figures": list(mission.figure_names)}
        pairs = zip(self.resolved["phase"], mission.phases, strict=False)
        return {**table, "phase": [{**said, "name": phase.name, "until": ends(phase)} for said, phase in pairs]}


def _part_at(path: str, phases: Sequence[Phase]) -> str:
    """Return what is called the part of a mission in which an object at a path is."""
    words = {"controller": "controller", "guidance": "reference"}
    places = {f"phase.{p.name}.{key}": f"phases[{k}].{word}" for k, p in enumerate(phases) for key, word in words.items()}
    return places.get(path, path)


def ends(phase: Phase) -> dict[str, Any]:
    """Return the `until` of a phase."""
    return {"event": phase.events.name, "timeout_s": phase.t_end_s} if phase.events.name else {"t_s": phase.t_end_s}


def _in_phases(own: Sequence[Phase], made: Sequence[Phase]) -> Iterator[str]:
    for number, (mine, its) in enumerate(zip(own, made, strict=True)):
        yield from (f"phases[{number}].{f.name}" for f in fields(Phase) if getattr(mine, f.name) is not getattr(its, f.name))
