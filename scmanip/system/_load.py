"""Systems from files and from the packaged model library."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..errors import InvalidSystem, checked, expect, refuse
from ._system import System


def load_system(
    path: str | os.PathLike[str] | Any,
    *,
    side: str | os.PathLike[str] | None = None,
    roots: Sequence[str | os.PathLike[str]] = (),
    strict: bool = False,
) -> System:
    """Read a system file, URDF, MJCF, a packaged model, `load_system("model:ets7")`, or a `pinocchio.Model`.

    side : a side table, in TOML: wheels, thrusters, springs and frames, and what else the file does not say or says otherwise
    roots : folders in which meshes are looked for, which `package://` names need
    strict : also refuse what `System.warnings()` lists, and what of another tool's file a system has no word for, which is
        else told by a `LeftOut` warning

    Raises `InvalidSystem` with every problem of the file, each with line and column; nothing is built from a bad file.

    >>> load_system("model:planar_four_link")
    System('planar-four-link', bodies=5, n_u=10, mass_kg=140)
    >>> load_system("model:planar_four_links")
    Traceback (most recent call last):
        ...
    scmanip.errors._errors.InvalidSystem: model: expected one of ... did you mean 'planar_four_link'?
    """
    from .files._system_file import read_parts  # loads pydantic, which a system made in Python does not need
    from .formats._formats import expect_roots, read_document

    expect("strict", strict, (bool, np.bool_), "True or False", InvalidSystem)
    document = read_document(path, side, expect_roots(roots), strict=strict)
    system = System(**read_parts(document, strict=strict))
    if strict:
        refuse([document.problem(("base", "inertia_kg_m2"), p.expected, p.found) for p in system.outweighed()], InvalidSystem)
    return system


@checked
def is_in_toml(file: str) -> bool:
    """Return whether a file is in TOML, and no packaged model or another tool's description.

    >>> is_in_toml("chaser.toml"), is_in_toml("model:ets7"), is_in_toml("arm.urdf")
    (True, False, False)
    """
    from .formats._formats import format_of
    from .formats._toml_format import Toml

    return isinstance(format_of(file), Toml)


def system_text(file: str, *, side: str | os.PathLike[str] | None = None, roots: Sequence[str | os.PathLike[str]] = ()) -> str:
    """Return the text of a system file, of a packaged model, or of the system file that another tool's file amounts to.

    side, roots : as of `load_system`. Raises `InvalidSystem` where there is none.

    >>> [line for line in system_text("model:planar_four_link").splitlines() if line.startswith("name")][0]
    'name = "planar-four-link"'
    """
    from .files._system_file import read_parts
    from .formats._formats import expect_roots, read_document

    expect("file", file, str, "the path of a file")
    document = read_document(file, side, expect_roots(roots), strict=False)
    return document.text or System(**read_parts(document, strict=False)).to_toml()


def system_schema() -> dict[str, Any]:
    """Return the JSON schema of system files, `scmanip.system/1`, with the kinds of all installed packages.

    What ties tables to each other is checked by `load_system` alone.

    >>> sorted(system_schema()["properties"])[:4]
    ['arm', 'base', 'body', 'constraint']
    """
    from .files._schema import system_file  # loads pydantic

    return system_file().model_json_schema()


def model_names() -> tuple[str, ...]:
    """Return the names of the packaged models, of this package and of others, each loaded as `load_system("model:name")`.

    >>> [name for name in model_names() if "planar" in name]
    ['planar_four_link', 'planar_heavy_base']
    """
    from .formats._toml_format import model_names as names

    return names()
