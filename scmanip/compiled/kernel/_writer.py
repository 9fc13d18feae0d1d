"""Lines of LLVM IR over one double or over several, one per lane."""

from __future__ import annotations

import struct
from collections.abc import Iterable

LIBRARY = {"sin": 1, "cos": 1, "exp": 1, "tanh": 1, "atan2": 2}  # functions of the C mathematics library, and their arguments
INTRINSICS = {"sqrt": 1, "fabs": 1, "minimum": 2, "maximum": 2, "fma": 3}
COLD = "!prof !0"
COLD_METADATA = '!0 = !{!"branch_weights", i32 1, i32 1048576}'


class Writer:
    """Collects instructions on values of one type: `double` for one lane, `<n x double>` for n.

    lanes : number of states that one instruction serves
    fused : the processor has fused multiply-add
    """

    def __init__(self, lanes: int, fused: bool) -> None:
        self.lanes, self.fused = lanes, fused
        self.type = "double" if lanes == 1 else f"<{lanes} x double>"
        self.bits = "i64" if lanes == 1 else f"<{lanes} x i64>"
        self.truth = "i1" if lanes == 1 else f"<{lanes} x i1>"
        self.suffix = "f64" if lanes == 1 else f"v{lanes}f64"
        self.lines: list[str] = []
        self.block = "entry"
        self.used: set[str] = set()
        self._count = 0

    def temporary(self) -> str:
        """Return a fresh name."""
        self._count += 1
        return f"%t{self._count}"

    def line(self, text: str) -> None:
        """Append one line of IR as it is."""
        self.lines.append(f"  {text}")

    def value(self, text: str) -> str:
        """Append an instruction and return the name of its result."""
        name = self.temporary()
        self.lines.append(f"  {name} = {text}")
        return name

    def start(self, label: str) -> None:
        """Begin a basic block."""
        self.lines.append(f"{label}:")
        self.block = label

    def constant(self, number: float) -> str:
        """Return a floating-point literal, exact to the bit, in every lane."""
        literal = f"0x{struct.unpack('<Q', struct.pack('<d', number))[0]:016X}"
        return literal if self.lanes == 1 else f"splat (double {literal})"

    def integer(self, number: int) -> str:
        """Return a 64-bit integer literal in every lane."""
        return str(number) if self.lanes == 1 else f"splat (i64 {number})"

    def arithmetic(self, operation: str, left: str, right: str) -> str:
        """Append fadd, fsub, fmul or fdiv; neighbours may fuse, nothing else may change."""
        return self.value(f"{operation} contract {self.type} {left}, {right}")

    def intrinsic(self, name: str, *arguments: str) -> str:
        """Append a call of an LLVM intrinsic that exists at any width."""
        self.used.add(f"llvm.{name}.{self.suffix}")
        return self.value(f"call {self.type} @llvm.{name}.{self.suffix}({self._typed(arguments)})")

    def multiply_add(self, a: str, b: str, c: str) -> str:
        """Append a * b + c, in one rounding where the processor can."""
        if self.fused:
            return self.intrinsic("fma", a, b, c)
        return self.arithmetic("fadd", self.arithmetic("fmul", a, b), c)

    def spread(self, name: str) -> str:
        """Append a double in every lane."""
        if self.lanes == 1:
            return name
        first = self.value(f"insertelement {self.type} poison, double {name}, i64 0")
        mask = f"<{self.lanes} x i32> zeroinitializer"
        return self.value(f"shufflevector {self.type} {first}, {self.type} poison, {mask}")

    def library(self, name: str, *arguments: str) -> str:
        """Append a call of the C mathematics library, one lane after the other."""
        self.used.add(name)
        if self.lanes == 1:
            return self.value(f"call double @{name}({self._typed(arguments)})")
        result = "poison"
        for lane in range(self.lanes):
            scalars = [self.value(f"extractelement {self.type} {argument}, i64 {lane}") for argument in arguments]
            called = self.value(f"call double @{name}({', '.join(f'double {scalar}' for scalar in scalars)})")
            result = self.value(f"insertelement {self.type} {result}, double {called}, i64 {lane}")
        return result

    def _typed(self, arguments: Iterable[str]) -> str:
        return ", ".join(f"{self.type} {argument}" for argument in arguments)


def declarations(used: Iterable[str]) -> list[str]:
    """Return the declarations of the intrinsics and library functions in `used`, sorted."""
    return [_declaration(name) for name in sorted(used)]


def _declaration(name: str) -> str:
    if name in LIBRARY:
        return f"declare double @{name}({', '.join(['double'] * LIBRARY[name])}) memory(none) nounwind willreturn"
    _, operation, suffix = name.split(".")
    type_ = "double" if suffix == "f64" else f"<{suffix[1:-3]} x double>"
    return f"declare {type_} @{name}({', '.join([type_] * INTRINSICS[operation])})"
