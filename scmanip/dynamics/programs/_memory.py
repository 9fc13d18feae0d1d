"""Counts of operations, remembered on disk beside the machine code."""

from __future__ import annotations

import functools
import json
import os
from collections.abc import Sequence
from enum import Enum
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from ...compiled import Cache, described
from ._choice import Choice, Count
from ._forms import Form

MEMORY = Cache(suffix=".count")
ROOMS = ("actuators", "dynamics", "spatial", "symbolic", os.path.join("system", "joints"))
"""Folders whose files decide what a program looks like."""


def recalled(key: str, forms: Sequence[Form]) -> Choice | None:
    """Return the choice kept under a key, or None where there is none of these forms."""
    kept = MEMORY.read(key)
    if kept is None:
        return None
    try:
        choice = Choice(tuple(Count(Form[name], int(total), bool(stopped)) for name, total, stopped in json.loads(kept)))
    except (ValueError, TypeError, KeyError):
        return None
    return choice if [c.form for c in choice.counts] == list(forms) else None


def keep(key: str, choice: Choice) -> None:
    """Remember a choice."""
    MEMORY.write(key, json.dumps([(c.form.name, c.total, c.stopped) for c in choice.counts]).encode())


def key_of(*values: Any) -> str:
    """Return the digest of values that decide a count, and of the files that make programs of them."""
    digest = sha256(f"{generator()} NumPy {np.__version__}\n".encode())
    key = described(values)
    _refuse_identities(key)
    digest.update(repr(key).encode())
    return digest.hexdigest()


@functools.cache
def generator() -> str:
    """Return the digest of what the files that record are, so that no change of theirs is ever met by an old count.

    A file is known by name, size and time of its last change, as it is to Python's own cache of compiled modules: to read
    all of them would take longer than to read the count.
    """
    package = Path(__file__).parents[2]
    known = [
        f"{file.relative_to(package)} {(status := file.stat()).st_size} {status.st_mtime_ns}"
        for room in ROOMS
        for file in (package / room).rglob("*.py")
    ]
    return sha256("\n".join(sorted(known)).encode()).hexdigest()


def _refuse_identities(key: Any) -> None:
    """Raise `TypeError` for a part that tells which object it is, and not what it says."""
    if isinstance(key, tuple | frozenset):
        for part in key:
            _refuse_identities(part)
    elif key is not None and not isinstance(key, str | bytes | int | Enum | type):
        raise TypeError(f"no bytes of {key!r} decide a count: give arrays, numbers, text or records of these")
