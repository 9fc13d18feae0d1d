"""Counts of operations, remembered on disk beside the machine code."""

from __future__ import annotations

import functools
import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from hashlib import sha256
from typing import Any

import numpy as np

from ..compiled import Cache
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
    for value in values:
        for part in _parts(value):
            digest.update(len(part).to_bytes(8, "little") + part)
    return digest.hexdigest()


@functools.cache
def generator() -> str:
    """Return the digest of what the files that record are, so that no change of theirs is ever met by an old count.

    A file is known by name, size and time of its last change, as it is to Python's own cache of compiled modules: to read
    all of them would take longer than to read the count.
    """
    package, known = os.path.dirname(os.path.dirname(__file__)), []
    for room in ROOMS:
        with os.scandir(os.path.join(package, room)) as folder:
            for file in folder:
                if file.name.endswith(".py"):
                    status = file.stat()
                    known.append(f"{room}/{file.name} {status.st_size} {status.st_mtime_ns}")
    return sha256("\n".join(sorted(known)).encode()).hexdigest()


def _parts(value: Any) -> Iterator[bytes]:
    """Give the bytes of a value made of arrays, numbers, text, and frozen records or tuples of these."""
    if isinstance(value, np.ndarray) and value.dtype != object:
        yield f"{value.dtype.str} {value.shape}".encode()
        yield value.tobytes()
    elif is_dataclass(value):
        yield type(value).__name__.encode()
        for field in fields(value):
            yield field.name.encode()
            yield from _parts(getattr(value, field.name))
    elif isinstance(value, tuple | list | np.ndarray):
        yield f"{len(value)} of".encode()
        for item in value:
            yield from _parts(item)
    elif value is None or isinstance(value, str | bool | int | float | Enum | np.generic):
        yield repr(value).encode()
    else:
        raise TypeError(f"no bytes of {value!r} decide a count: give arrays, numbers, text or records of these")
