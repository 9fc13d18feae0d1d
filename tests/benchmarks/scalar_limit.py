"""Scalar machine code against the rate at which this processor can issue floating-point instructions.

The limit is the number of arithmetic instructions of the kernel divided by the measured rate of independent fused
multiply-adds, two per cycle on the processors of today; a fused multiply-add counts once.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Mapping

import llvmlite.binding as llvm
import numpy as np

from scmanip.compiled import CompiledProgram, compile_program
from scmanip.compiled.kernel._host import Host, host
from scmanip.compiled.kernel._objects import Loaded
from scmanip.dynamics import Model

from .arms import accelerations, forces, states
from .report import Section, at_most, table
from .stopwatch import Call, Pace, timed

CASES = 32  # their rows stay in the first-level cache
CHAINS, UNROLLED, ITERATIONS = 12, 4, 20000
X86 = r"v?(?:add|sub|mul|div|sqrt|min|max)[sp]d|vfn?m(?:add|sub)\d*[sp]d"
ARM = r"f(?:add|sub|mul|div|sqrt|madd|msub|nmadd|nmsub|nmul|minnm|maxnm)"
ARITHMETIC = re.compile(rf"^\s+(?:{X86}|{ARM})\s")


def scalar_limit(model: Model, pace: Pace) -> Section:
    """Return the time of kernels in a compiled loop beside the limit, the peak rate measured between them."""
    here = host()
    peak = Loaded(here, here.object_code(_peak_source()))
    calls = {"peak": Call("f(n)", cases=CHAINS * UNROLLED * ITERATIONS, f=peak.function("peak", ctypes.c_int64), n=ITERATIONS)}
    names = {
        "forward dynamics": ("forward_dynamics",),
        "inverse dynamics": ("inverse_dynamics",),
        "H and J*": ("H", "J_star:tip"),
    }
    compiled = {label: compile_program(model.symbolic.derivation.packed_program(n)) for label, n in names.items()}
    given = {"x": states(model.system, CASES).x, "tau": forces(model.system, CASES), "udot": accelerations(model.system, CASES)}
    loops = {label: Loop(here, program, given) for label, program in compiled.items()}
    times = timed(calls | {label: loop.call for label, loop in loops.items()}, pace.turns)
    rows = []
    for label, program in compiled.items():
        count, seconds = instructions(here, program), times[label].median
        limit = count * times["peak"].median
        operations = program.program.operations.total
        rows.append((label, operations, count, f"{seconds * 1e9:.1f}", f"{limit * 1e9:.1f}", f"{seconds / limit:.2f}x"))
    head = ("scalar, compiled loop", "operations", "FP instructions", "ns", "limit ns", "over the limit")
    note = f"Peak measured: {1e-9 / times['peak'].median:.2f} G fused multiply-adds per second, one lane."
    ratio = float(rows[0][-1].removesuffix("x"))
    verdict = at_most("scalar forward dynamics over the floating-point limit", ratio, 1.3, "{:.2f}x")
    return Section("Scalar code against the machine", [*table(head, rows), "", note], [verdict])


def instructions(here: Host, program: CompiledProgram) -> int:
    """Return the number of floating-point arithmetic instructions of the kernel for one state."""
    module = llvm.parse_assembly(program.evaluator.one_source())
    module.triple = here.triple
    assembly = here.machine().emit_assembly(module)
    kernel = re.split(r"^_?each:", re.split(r"^_?one:", assembly, flags=re.M)[1], flags=re.M)[0]
    return sum(1 for line in kernel.splitlines() if ARITHMETIC.match(line))


class Loop:
    """The kernel called for case after case by compiled code, on arrays that are kept here.

    given : input name -> (n, *shape)
    """

    def __init__(self, here: Host, program: CompiledProgram, given: Mapping[str, np.ndarray]) -> None:
        self._arrays = [given[item.name] for item in program.program.inputs]
        cases = len(self._arrays[0])
        self.outputs = [np.empty((cases, *item.shape)) for item in program.program.outputs]
        self._arrays += self.outputs
        table_ = (ctypes.c_void_p * len(self._arrays))(*(a.ctypes.data for a in self._arrays))
        strides = (ctypes.c_int64 * len(self._arrays))(*(a.strides[0] for a in self._arrays))
        self._loaded = Loaded(here, program.evaluator.one_object)
        types = ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64
        function = self._loaded.function("each", *types)
        self.call = Call("f(t, s, 0, n)", cases=cases, f=function, t=table_, s=strides, n=cases)


def _peak_source() -> str:
    """Return LLVM IR of a loop of independent chains of fused multiply-adds whose results are used."""
    lines = ["define void @peak(i64 %n) nounwind {", "start:", "  br label %loop", "loop:"]
    lines.append("  %k = phi i64 [ 0, %start ], [ %k.next, %loop ]")
    last = UNROLLED - 1
    lines += [f"  %a{c} = phi double [ {c}.0, %start ], [ %a{c}.{last}, %loop ]" for c in range(CHAINS)]
    for turn in range(UNROLLED):
        for c in range(CHAINS):
            before = f"%a{c}" if turn == 0 else f"%a{c}.{turn - 1}"
            lines.append(f"  %a{c}.{turn} = call double @llvm.fma.f64(double {before}, double 0.5, double 1.0)")
    lines += ["  %k.next = add i64 %k, 1", "  %more = icmp slt i64 %k.next, %n", "  br i1 %more, label %loop, label %done"]
    lines += ["done:"]
    lines += [f'  call void asm sideeffect "", "x"(double %a{c}.{last})' for c in range(CHAINS)]
    return "\n".join([*lines, "  ret void", "}", "declare double @llvm.fma.f64(double, double, double)", ""])
