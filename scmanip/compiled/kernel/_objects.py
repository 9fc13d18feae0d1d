"""Object code from the cache, or made and kept."""

from __future__ import annotations

import ctypes
import functools
import itertools
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

from ...cells import waiting
from ...symbolic import MAKING
from ._ahead import AHEAD
from ._cache import Cache
from ._host import Host

_NUMBERS = itertools.count()


class Loaded:
    """Owns linked code: that of `function` lives as long as this object.

    LLVM's linker puts code and its constants side by side, wherever the process has room.
    """

    def __init__(self, host: Host, machine_code: bytes) -> None:
        import llvmlite.binding as llvm

        with MAKING, AHEAD.turn():
            self._session, self._name = _session(host), f"object {next(_NUMBERS)}"
            library = llvm.JITLibraryBuilder().add_object_img(machine_code).add_current_process()
            self._owners = [library.link(self._session, self._name)]

    def address(self, name: str) -> int:
        """Return where a function begins."""
        with MAKING, AHEAD.turn():
            self._owners.append(self._session.lookup(self._name, name))
            return int(self._owners[-1][name])

    def function(self, name: str, *arguments: type) -> Callable[..., None]:
        """Return a function that releases the interpreter lock while it runs."""
        return ctypes.CFUNCTYPE(None, *arguments)(self.address(name))

    def holding(self, name: str, *arguments: type) -> Callable[..., None]:
        """Return a function that keeps the interpreter lock, because it calls Python."""
        return ctypes.PYFUNCTYPE(None, *arguments)(self.address(name))


@functools.cache
def _session(host: Host) -> Any:
    """Return what links and loads all code of this process."""
    import llvmlite.binding as llvm

    return llvm.create_lljit_compiler(host.machine(), use_jit_link=True)


def object_code(host: Host, cache: Cache | None, kind: str, digest: str, source: Callable[[], str]) -> bytes:
    """Return the object code of `source()`, which `kind` and `digest` determine on this host."""
    key = cache_key(host, kind, digest)
    kept = None if cache is None else cache.read(key)
    if kept is None:
        with waiting("machine code"):
            kept = (AHEAD.taken(key) if AHEAD.knows(key) else None) or _made(host, source())
        if cache is not None:
            cache.write(key, kept)
    return kept


def order_code(host: Host, cache: Cache | None, kind: str, digest: str, source: Callable[[], str]) -> None:
    """Have that object code made by a thread, if it is not kept; `object_code` finds it, or waits for it."""
    key = cache_key(host, kind, digest)
    if not (AHEAD.knows(key) or (cache is not None and cache.read(key))):
        AHEAD.order(key, functools.partial(host.object_code, source()))


def _made(host: Host, source: str) -> bytes:
    with AHEAD.turn():
        return host.object_code(source)


def cache_key(host: Host, kind: str, digest: str) -> str:
    """Return the digest of all that decides the machine code."""
    parts = (kind, digest, generator(), host.versions, host.triple, host.cpu, host.features)
    return sha256("\n".join(parts).encode()).hexdigest()


@functools.cache
def generator() -> str:
    """Return the digest of the files of this room, so that no change of theirs is ever met by old code."""
    room = Path(__file__).parents[1]
    return sha256(b"\n".join(path.read_bytes() for path in sorted(room.rglob("*.py")))).hexdigest()
