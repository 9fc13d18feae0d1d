"""Systems from files and from the packaged model library."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from ..errors import expect
from ._system import System


def load_system(
    path: str | os.PathLike[str] | Any,
    *,
    side: str | os.PathLike[str] | None = None,
    roots: Sequence[str | os.PathLike[str]] = (),
    strict: bool = False,
) -> System:
    """Read a system file, URDF, or a packaged model: `load_system("arm.toml")`, `load_system("model:ets7")`.

    side : a side table, in TOML: wheels, thrusters, springs and frames, and what else the file does not say or says otherwise
    roots : folders in which meshes are looked for, which `package://` names need
    strict : also refuse what `System.warnings()` lists, and what of another tool's file a system has no word for, which is
        else told by a `LeftOut` warning

    Raises `InvalidSystem` with every problem of the file, each with line and column; nothing is built from a bad file.
    """
    from .files._system_file import read_parts  # loads pydantic, which a system made in Python does not need
    from .formats._formats import expect_roots, read_document

    return System(**read_parts(read_document(path, side, expect_roots(roots), strict=strict), strict=strict))


def is_in_toml(file: str) -> bool:
    """Return whether a file is in TOML, and no packaged model or another tool's description."""
    from .formats._formats import format_of
    from .formats._toml_format import Toml

    return isinstance(format_of(file), Toml)


def system_text(file: str) -> str:
    """Return the text of a system file, of a packaged model, or of the system file that another tool's file amounts to.

    Raises `InvalidSystem` where there is none.
    """
    from .formats._formats import read_document

    expect("file", file, str, "the path of a file")
    document = read_document(file, None, (), strict=False)
    return document.text or load_system(file).to_toml()


def system_schema() -> dict[str, Any]:
    """Return the JSON schema of system files, `scmanip.system/1`, with the kinds of all installed packages.

    What ties tables to each other is checked by `load_system` alone.
    """
    from .files._schema import system_file  # loads pydantic

    return system_file().model_json_schema()


def model_names() -> tuple[str, ...]:
    """Return the names of the packaged models, of this package and of others, each loaded as `load_system("model:name")`."""
    from .formats._toml_format import model_names as names

    return names()
