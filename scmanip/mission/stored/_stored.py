"""What goes into a results folder beside the history: the resolved mission, its systems, and where all came from."""

from __future__ import annotations

import copy
import platform
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...compiled import processor, releases
from ...errors import InvalidInput, Problem, checked
from ...system import toml_text
from ..values._kinds import listed
from ..values._source import Source

if TYPE_CHECKING:
    from .._mission import Mission

MISSION = "mission.resolved.toml"
HISTORY = "run.nc"
_SYSTEM = "system.toml"
_PACKAGES = ("h5py", "h5netcdf", "matplotlib")


def system_files(mission: Mission) -> dict[str, str]:
    """Return the texts of the mission's system files by the names they get in the results folder."""
    texts = {} if mission.source.is_object else {_SYSTEM: mission.source.text}
    return texts | {_estimate_name(i): source.text for i, source in enumerate(mission.written.beliefs) if source is not None}


def resolved_text(mission: Mission) -> str:
    """Return the mission file with every default filled in, in SI, that refers to the systems of `system_files`.

    `load_mission` makes the same mission of it. Raises `InvalidInput` for one with parts that no file says.
    """
    if mission.unsaid:
        hint = "change the mission file, or keep the run itself: path.write_bytes(run.netcdf())"
        expected = "a part that a mission file can say, as what is stored is flown again from it"
        raise InvalidInput([Problem(name, expected, "another one in its place", hint=hint) for name in mission.unsaid])
    table: dict[str, Any] = copy.deepcopy(dict(mission.resolved))
    table["system"] = mission.source.given if mission.source.is_object else _SYSTEM
    for i, source in enumerate(mission.written.beliefs):
        if source is not None:
            listed(table["phase"][i]["controller"])[0]["estimate"] = _estimate_name(i)
    return toml_text(table)


@checked
def stored(mission: Mission) -> dict[str, bytes]:
    """Return the resolved mission and its systems as files, by name.

    >>> list(stored(mission))
    ['mission.resolved.toml', 'system.toml']
    """
    return {name: text.encode() for name, text in {MISSION: resolved_text(mission), **system_files(mission)}.items()}


@checked
def made_by(mission: Mission, command: str | None) -> dict[str, Any]:
    """Return what made the results: versions, digests, command and time, but no host, user or folder.

    >>> made = made_by(mission, "scmanip run mission:planar_four_link")
    >>> made["command_line"], "versions" in made
    ('scmanip run mission:planar_four_link', True)
    """
    model = mission.model
    return {
        "mission": {"name": mission.name, "file": Path(mission.file).name, "sha256": sha256(mission.text.encode()).hexdigest()},
        "systems": [_system_entry(mission.source, _SYSTEM)]
        + [_system_entry(source, _estimate_name(i)) for i, source in enumerate(mission.written.beliefs) if source is not None],
        "versions": releases(*_PACKAGES),
        "platform": f"{platform.system()} {platform.machine()}",
        "processor": processor(),
        "model": f"{model.implementation!r}, {model.kinematics!r}, {model.symbolic.derivation.inertia!r}",
        "command_line": command,
        "written_utc": datetime.now(UTC).isoformat(timespec="seconds"),
    }


def _system_entry(source: Source, file: str) -> dict[str, str]:
    if source.is_object:
        return {"given": source.given}
    name = source.given if source.given.startswith("model:") else Path(source.given).name
    return {"given": name, "sha256": source.sha256, "file": file}


def _estimate_name(phase: int) -> str:
    return f"estimate.{phase}.toml"
