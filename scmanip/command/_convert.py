"""The command `scmanip convert`."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from ..errors import InvalidInput, Problem
from ..system import LeftOut, System, load_system
from ._new import write_text
from ._screen import Screen

_WRITERS: Mapping[str, Callable[[System], str]] = {
    ".toml": System.to_toml,
    ".urdf": System.to_urdf,
    ".xml": System.to_mjcf,
    ".mjcf": System.to_mjcf,
}


def convert_file(screen: Screen, file: str, output: str, *, side: str | None, roots: Sequence[str], strict: bool) -> None:
    """Write a system as what the suffix of `output` says, a side table beside it where there is need of one."""
    target = Path(output)
    write = _WRITERS.get(target.suffix.lower())
    if write is None:
        raise InvalidInput(Problem("--output", f"a file with one of the suffixes {', '.join(_WRITERS)}", repr(output)))
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always", LeftOut)
        system = load_system(file, side=side, roots=list(roots), strict=strict)
    for warning in told:
        screen.note(f"warning: {warning.message}", "yellow")
    text = write(system)
    beside = getattr(text, "side", "")
    for path, content in {target: text, target.with_suffix(".side.toml"): beside}.items():
        if content:
            write_text(path, content)
            screen.say(str(path))
