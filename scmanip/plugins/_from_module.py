"""Objects of Python that people name."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import Any

from ..errors import InvalidInput, Problem


def objects_named(given: Iterable[str]) -> dict[str, Any]:
    """Return objects by path, of texts PATH=MODULE:NAME; modules are installed or lie in the working folder.

    Raises `InvalidInput` for another text, and for what is not there.

    >>> objects_named(["phase.slew.controller=math:sin"])
    {'phase.slew.controller': <built-in function sin>}
    """
    return dict(_named(text) for text in given)


def _named(text: str) -> tuple[str, Any]:
    path, _, place = text.partition("=")
    module, _, name = place.partition(":")
    if not (path and module and name):
        raise InvalidInput(Problem("--own", "PATH=MODULE:NAME, such as phase.slew.controller=mylaws:law", repr(text)))
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        found: Any = import_module(module)
        for part in name.split("."):
            found = getattr(found, part)
    except (ImportError, AttributeError) as error:
        raise InvalidInput(Problem("--own", "an object that is there", f"{text!r}: {error}")) from None
    return path, found
