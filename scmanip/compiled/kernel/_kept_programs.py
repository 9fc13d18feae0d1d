"""Programs kept on disk by what they were recorded from, so that the next process need not record them."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from typing import Any

from ...symbolic import Program, no_garbage, packed, unpacked
from ._cache import Cache
from ._description import described
from ._lasting_key import expect_known, lasting_key, sources

PROGRAMS = Cache(suffix=".program")


def kept_program(key: Any, made: Callable[[], Program], *within: Any, cache: Cache | None = PROGRAMS) -> Program:
    """Return the program of a key, from disk if it was made by this very package in another process; else make and keep it.

    key : all that decides the program, of which `described` is taken; it is made, and not kept, where it has no `lasting_key`
    within : what takes part in making it and is told by the key less its classes, such as laws; known as `expect_known` says

    >>> from scmanip.symbolic import record
    >>> kept_program(("product", 2), lambda: record({"q": (2,)}, lambda q: {"x": q[0] * q[1]}), cache=None)
    Program(q -> x; 1 multiplications, 0 additions, 0 divisions, 0 functions)
    """
    name = None if cache is None else _name(key, within)
    if cache is None or name is None:
        return made()
    kept = cache.read(name)
    if kept is not None:
        with suppress(ValueError, TypeError, KeyError, IndexError):
            return _read(kept)
    program = made()
    cache.write(name, program.digest.encode() + packed(program))
    return program


def _name(key: Any, within: Any) -> str | None:
    """Return under what a program is kept; None where it is not."""
    package = sources()
    if package is None:
        return None
    try:
        expect_known(within)
        return sha256(f"{package} {lasting_key(described(key))}".encode()).hexdigest()
    except TypeError:
        return None


def _read(kept: bytes) -> Program:
    """Return a program with its digest, which takes as long to make as all the rest."""
    with no_garbage():
        program = Program(*unpacked(kept[64:]))
    vars(program)["digest"] = kept[:64].decode()
    return program
