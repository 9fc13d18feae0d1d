"""This processor, and the LLVM passes that turn IR text into object code for it."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any


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

    def machine(self) -> Any:
        """Return a new LLVM target machine; an engine consumes the one it gets."""
        import llvmlite.binding as llvm

        target = llvm.Target.from_triple(self.triple)
        return target.create_target_machine(cpu=self.cpu, features=self.features, opt=2, reloc="pic", codemodel="small")

    def object_code(self, source: str) -> bytes:
        """Return the object file of IR text, optimised at level 2 without vectorising what is already in lanes."""
        import llvmlite.binding as llvm

        module = llvm.parse_assembly(source)
        module.triple = self.triple
        machine = self.machine()
        options = llvm.create_pipeline_tuning_options(speed_level=2)
        options.slp_vectorization = options.loop_vectorization = False
        builder = llvm.create_pass_builder(machine, options)
        builder.getModulePassManager().run(module, builder)
        return bytes(machine.emit_object(module))


@functools.cache
def host() -> Host:
    """Return this machine's processor; LLVM starts here."""
    import llvmlite
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    features = llvm.get_host_cpu_features()
    return Host(
        triple=llvm.get_process_triple(),
        cpu=llvm.get_host_cpu_name(),
        features=features.flatten(),
        lanes=8 if features.get("avx512f") else 4,
        fused=bool(features.get("fma") or features.get("neon") or features.get("fullfp16")),
        versions=f"llvmlite {llvmlite.__version__}, LLVM {'.'.join(map(str, llvm.llvm_version_info))}",
    )
