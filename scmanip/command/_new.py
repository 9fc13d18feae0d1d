"""The commands `scmanip new`, `scmanip schema` and `scmanip convert`."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from ..errors import InvalidInput, Problem
from ..mission import load_mission, mission_schema
from ..study import study_schema
from ..system import System, load_system, system_schema
from ._screen import Screen

SCHEMAS: Mapping[str, Callable[[], dict[str, Any]]] = {
    "system": system_schema,
    "mission": mission_schema,
    "study": study_schema,
}
_WRITERS: Mapping[str, Callable[[System], str]] = {
    ".toml": System.to_toml,
    ".urdf": System.to_urdf,
    ".xml": System.to_mjcf,
    ".mjcf": System.to_mjcf,
}


def begin_file(screen: Screen, kind: str, file: str, of: str | None) -> None:
    """Write a commented file to start from, and beside it the schema by which editors complete and check it.

    of : the system of a mission, the mission of a study
    Raises `InvalidInput` where a file is there already, which is kept.
    """
    if of is not None and kind not in _OF:
        raise InvalidInput(Problem("--of", "nothing for a system, which is made of no other file", repr(of)))
    path = Path(file)
    text = (files(__package__) / "templates" / f"{kind}.toml").read_text(encoding="utf-8")
    if kind in _OF:
        for word, value in _FILLED[kind](of or _OF[kind], path.parent).items():
            text = text.replace(f"{{{word}}}", value)
    write_text(path, text, fresh=True)
    schema = path.with_name(f"{kind}.schema.json")
    write_text(schema, schema_text(kind))
    screen.say(f"wrote {path} and, for editors, {schema}")
    screen.say(f"next: scmanip check {path}")


def _of_mission(named: str, folder: Path) -> dict[str, str]:
    """Return what a study says of its mission: its name, and that of its first phase."""
    mission = load_mission(named if named.startswith("mission:") else folder / named)
    return {"of": json.dumps(named), "phase": mission.phases[0].name}


def _of_system(named: str, folder: Path) -> dict[str, str]:
    """Return what a mission says of its system: its name, where its joints are, and where those that turn go."""
    system = load_system(named if named.startswith("model:") else folder / named)
    start: dict[str, dict[str, Any]] = {"q_deg": {}, "q_m": {}}
    for joint in system.joints:
        units = [part.unit for part in joint.coordinates if part.unit != "1"]
        if units:
            key = "q_deg" if {*units} == {"rad"} else "q_m"
            start[key][joint.name] = 0.0 if len(units) == 1 else [0.0] * len(units)
    goal = {name: 20.0 for name, place in start["q_deg"].items() if place == 0.0}
    mode, limits = ("fixed_base", _GROUNDED) if system.fixed else ("floating", _FREE)
    shown = [f"{key} = {_inline(places)}" for key, places in start.items() if places]
    guidance = f'type = "cycloid", q_deg = {_inline(goal)}, duration_s = 20.0' if goal else 'type = "hold"'
    return {"of": json.dumps(named), "mode": mode, "start": "\n".join(shown), "guidance": guidance, "limits": limits}


def _inline(table: Mapping[str, Any]) -> str:
    return "{ " + ", ".join(f"{json.dumps(key)} = {value}" for key, value in table.items()) + " }"


_OF = {"mission": "model:planar_four_link", "study": "mission:planar_four_link"}
_GROUNDED = "energy_relative = 1e-7 # a law that the run must keep: a check of the run itself"
_FREE = """momentum_relative = 1e-8 # laws that the run must keep: a check of the run itself
energy_relative = 1e-7
base_rotation_deg = 45.0"""
_FILLED = {"mission": _of_system, "study": _of_mission}


def schema_text(kind: str) -> str:
    """Return the JSON schema of a kind of file as text."""
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": f"scmanip {kind} file"}
    return json.dumps({**SCHEMAS[kind](), **head}, indent=1, ensure_ascii=False) + "\n"


def show_schema(screen: Screen, kind: str, output: str | None) -> None:
    """Print the schema of a kind of file, or write it."""
    if output is None:
        screen.text(schema_text(kind))
        return
    write_text(Path(output), schema_text(kind))
    screen.say(f"wrote {output}; files that begin with the line `#:schema {os.path.basename(output)}` are checked by it")


def write_text(path: Path, text: str, *, fresh: bool = False) -> None:
    """Write a file, with `fresh` only where there is none; raises `InvalidInput`."""
    try:
        with path.open("x" if fresh else "w", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise InvalidInput(Problem("file", "a name that is free", f"'{path}', which is kept")) from None
    except OSError as error:
        raise InvalidInput(Problem("file", "a file that can be written", f"'{path}': {error.strerror}")) from None


def convert_file(screen: Screen, file: str, output: str, *, side: str | None, roots: Sequence[str], strict: bool) -> None:
    """Write a system as what the suffix of `output` says, a side table beside it where there is need of one."""
    target = Path(output)
    write = _WRITERS.get(target.suffix.lower())
    if write is None:
        raise InvalidInput(Problem("--output", f"a file with one of the suffixes {', '.join(_WRITERS)}", repr(output)))
    text = write(load_system(file, side=side, roots=list(roots), strict=strict))
    beside = getattr(text, "side", "")
    written = {path: content for path, content in {target: text, target.with_suffix(".side.toml"): beside}.items() if content}
    for path in written:
        if any(os.path.exists(read) and path.exists() and path.samefile(read) for read in (file, side or "")):
            raise InvalidInput(Problem("--output", "another file than those that are read", f"'{path}', which is kept"))
    for path, content in written.items():
        write_text(path, content)
        screen.say(str(path))
