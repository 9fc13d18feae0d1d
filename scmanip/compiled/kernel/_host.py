"""This processor, and the LLVM passes that turn IR text into object code for it."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

from ._pieces import in_pieces

HALF_WIDTH = frozenset({"znver4"})  # executes eight lanes as twice four: four with half the spilling were measured faster


@dataclass(frozen=True)
class Host:
    """The processor that code is made for.

    triple, cpu, features : LLVM's names, which together decide the machine code
    lanes : doubles that one instruction handles
    fused : fused multiply-add exists
    versions : of llvmlite and LLVM
    """

    triple: str
    cpu: str
    features: str
    lanes: int
    fused: bool
    versions: str

    def machine(self, level: int = 2) -> Any:
        """Return a new LLVM target machine; a linker consumes the one it gets."""
        import llvmlite.binding as llvm

        target = llvm.Target.from_triple(self.triple)
        return target.create_target_machine(cpu=self.cpu, features=self.features, opt=level, reloc="pic", codemodel="small")

    def object_code(self, source: str) -> bytes:
        """Return the object file of IR text.

        LLVM's middle passes are left out: a recorded program holds nothing that they would find. They cost a quarter of
        the time and gained nothing; the passes of code generation do the work. Of these, level 2 has nothing to find in a
        program of pieces beyond what level 1 finds, to the last bit, and takes a quarter longer.
        """
        import llvmlite.binding as llvm

        module = llvm.parse_assembly(source)
        module.triple = self.triple
        return bytes(self.machine(1 if in_pieces(source) else 2).emit_object(module))


@functools.cache
def host() -> Host:
    """Return this machine's processor; LLVM starts here."""
    import llvmlite
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    features, cpu = llvm.get_host_cpu_features(), llvm.get_host_cpu_name()
    return Host(
        triple=llvm.get_process_triple(),
        cpu=cpu,
        features=features.flatten(),
        lanes=8 if features.get("avx512f") and cpu not in HALF_WIDTH else 4,
        fused=bool(features.get("fma") or features.get("neon") or features.get("fullfp16")),
        versions=f"llvmlite {llvmlite.__version__}, LLVM {'.'.join(map(str, llvm.llvm_version_info))}",
    )
