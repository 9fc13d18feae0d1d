"""Object code from the cache, or made and kept."""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

from ...symbolic import MAKING
from ._cache import Cache
from ._host import Host


class Loaded:
    """Owns an LLVM engine: the code of `function` lives as long as this object."""

    def __init__(self, host: Host, machine_code: bytes) -> None:
        import llvmlite.binding as llvm

        with MAKING:
            module = llvm.parse_assembly("")
            module.triple = host.triple
            self._engine: Any = llvm.create_mcjit_compiler(module, host.machine())
            self._engine.add_object_file(llvm.ObjectFileRef.from_data(machine_code))
            self._engine.finalize_object()

    def address(self, name: str) -> int:
        """Return where a function begins."""
        with MAKING:
            return int(self._engine.get_function_address(name))

    def function(self, name: str, *arguments: type) -> Callable[..., None]:
        """Return a function that releases the interpreter lock while it runs."""
        return ctypes.CFUNCTYPE(None, *arguments)(self.address(name))


def object_code(host: Host, cache: Cache | None, kind: str, digest: str, source: Callable[[], str]) -> bytes:
    """Return the object code of `source()`, which `kind` and `digest` determine on this host."""
    if cache is None:
        return host.object_code(source())
    key = cache_key(host, kind, digest)
    kept = cache.read(key)
    if kept is None:
        kept = host.object_code(source())
        cache.write(key, kept)
    return kept


def cache_key(host: Host, kind: str, digest: str) -> str:
    """Return the digest of all that decides the machine code."""
    parts = (kind, digest, generator(), host.versions, host.triple, host.cpu, host.features)
    return sha256("\n".join(parts).encode()).hexdigest()


@functools.cache
def generator() -> str:
    """Return the digest of the files of this room, so that no change of theirs is ever met by old code."""
    room = Path(__file__).parents[1]
    return sha256(b"\n".join(path.read_bytes() for path in sorted(room.rglob("*.py")))).hexdigest()
