"""Object code from the cache, or made and kept."""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

from ...symbolic import MAKING
from ._ahead import AHEAD
from ._cache import Cache
from ._host import Host


class Loaded:
    """Owns an LLVM engine: the code of `function` lives as long as this object."""

    def __init__(self, host: Host, machine_code: bytes) -> None:
        import llvmlite.binding as llvm

        with MAKING, AHEAD.turn():
            module = llvm.parse_assembly("")
            module.triple = host.triple
            self._engine: Any = llvm.create_mcjit_compiler(module, host.machine())
            self._engine.add_object_file(llvm.ObjectFileRef.from_data(machine_code))
            self._engine.finalize_object()

    def address(self, name: str) -> int:
        """Return where a function begins."""
        with MAKING, AHEAD.turn():
            return int(self._engine.get_function_address(name))

    def function(self, name: str, *arguments: type) -> Callable[..., None]:
        """Return a function that releases the interpreter lock while it runs."""
        return ctypes.CFUNCTYPE(None, *arguments)(self.address(name))

    def holding(self, name: str, *arguments: type) -> Callable[..., None]:
        """Return a function that keeps the interpreter lock, because it calls Python."""
        return ctypes.PYFUNCTYPE(None, *arguments)(self.address(name))


def object_code(host: Host, cache: Cache | None, kind: str, digest: str, source: Callable[[], str]) -> bytes:
    """Return the object code of `source()`, which `kind` and `digest` determine on this host."""
    key = cache_key(host, kind, digest)
    kept = None if cache is None else cache.read(key)
    if kept is None:
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
