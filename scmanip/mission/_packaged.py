"""The missions and studies that come with the package, called `mission:name`."""

from __future__ import annotations

import os
from pathlib import Path

from ..errors import InvalidMission, Problem, checked_as, nearest

_PREFIX, _SYSTEM = "mission:", "model:"
_BESIDE = Path(__file__).parents[2] / "missions"  # in a clone
_INSTALLED = Path(__file__).with_name("packaged")  # where the wheel puts them


def mission_names() -> tuple[str, ...]:
    """Return the names of the packaged missions and studies, which `load_mission("mission:name")` and `load_study` load.

    >>> "planar_four_link" in mission_names(), "wheel_sizing" in mission_names()
    (True, True)
    """
    return tuple(sorted(path.stem for path in _folder().glob("*.toml")))


@checked_as(InvalidMission)
def named_file(file: str | os.PathLike[str]) -> str | os.PathLike[str]:
    """Return the path of a packaged file called `mission:name`, any other path as it is; raises `InvalidMission`.

    Also for "model:name", which is a system.

    >>> named_file("mission:planar_four_link").name, named_file("own.toml")
    ('planar_four_link.toml', 'own.toml')
    """
    if isinstance(file, str) and file.startswith(_SYSTEM):
        hint = f"`scmanip new mission FILE --of {file}` writes a mission of it"
        raise InvalidMission(Problem("file", "a mission or study, or 'mission:name'", f"the system {file!r}", hint=hint))
    if not (isinstance(file, str) and file.startswith(_PREFIX)):
        return file
    name, names = file.removeprefix(_PREFIX), mission_names()
    if name not in names:
        raise InvalidMission(Problem("mission", f"one of {', '.join(names)}", repr(name), hint=nearest(name, names)))
    return _folder() / f"{name}.toml"


def _folder() -> Path:
    return _INSTALLED if _INSTALLED.is_dir() else _BESIDE
