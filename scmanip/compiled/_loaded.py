"""Object code brought into the process."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

from ..symbolic import MAKING
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
