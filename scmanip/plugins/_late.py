"""Names of a room that load at their first use."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def late(room: str, files: Mapping[str, str]) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return `__getattr__` and `__dir__` of a room some of whose names load at their first use, as PEP 562 has them.

    room : its `__name__`
    files : where in it those names are, words with blanks between by the names of files
    The first raises `AttributeError` for any other name.

    >>> find, names = late("scmanip.report", {"figures._energy_figure": "energy_figure"})
    >>> find("energy_figure").__name__, "energy_figure" in names()
    ('energy_figure', True)
    >>> find("energy")
    Traceback (most recent call last):
        ...
    AttributeError: module 'scmanip.report' has no attribute 'energy'
    """
    file_of = {name: file for file, names in files.items() for name in names.split()}

    def found(name: str) -> Any:
        if name not in file_of:
            raise AttributeError(f"module '{room}' has no attribute '{name}'")
        return getattr(import_module(f".{file_of[name]}", room), name)

    def names() -> list[str]:
        return sorted({*vars(sys.modules[room]), *file_of} - {"TYPE_CHECKING", "late"})

    return found, names
