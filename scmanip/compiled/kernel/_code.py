"""Values with operators, and memory: what an integrator is written with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ._writer import Writer

FLOAT = {"add": "fadd", "sub": "fsub", "mul": "fmul", "div": "fdiv"}
WHOLE = {"add": "add", "sub": "sub", "mul": "mul", "div": "udiv"}


@dataclass(frozen=True, eq=False)
class Value:
    """A result with operators: a double, a row of doubles, an i64, or the i1 of a comparison.

    Python numbers take the type of the other side, a double beside a row is spread over it.
    """

    code: KernelCode
    name: str
    type: str

    def __add__(self, other: Any) -> Value:
        return self.code.combined("add", self, other)

    def __sub__(self, other: Any) -> Value:
        return self.code.combined("sub", self, other)

    def __mul__(self, other: Any) -> Value:
        return self.code.combined("mul", self, other)

    def __truediv__(self, other: Any) -> Value:
        return self.code.combined("div", self, other)

    def __rsub__(self, other: Any) -> Value:
        return self.code.combined("sub", other, self)

    def __rtruediv__(self, other: Any) -> Value:
        return self.code.combined("div", other, self)

    __radd__, __rmul__ = __add__, __mul__

    def __lt__(self, other: Any) -> Value:
        return self.code.compared("lt", self, other)

    def __le__(self, other: Any) -> Value:
        return self.code.compared("le", self, other)

    def __gt__(self, other: Any) -> Value:
        return self.code.compared("gt", self, other)

    def __ge__(self, other: Any) -> Value:
        return self.code.compared("ge", self, other)

    def equals(self, other: Any) -> Value:
        """Return whether both are equal; NaN equals nothing."""
        return self.code.compared("eq", self, other)

    def __and__(self, other: Value) -> Value:
        return Value(self.code, self.code.value(f"and i1 {self.name}, {other.name}"), "i1")

    def __or__(self, other: Value) -> Value:
        return Value(self.code, self.code.value(f"or i1 {self.name}, {other.name}"), "i1")

    def __invert__(self) -> Value:
        return Value(self.code, self.code.value(f"xor i1 {self.name}, true"), "i1")


@dataclass(frozen=True)
class Cell:
    """A place in memory that holds one value."""

    code: KernelCode
    type: str
    address: str

    @property
    def value(self) -> Value:
        """What it holds now."""
        return self.code.load(self.type, self.address)

    def set(self, value: Any) -> None:
        """Let it hold another value."""
        self.code.store(self.code.typed(value, self.type), self.address)


class KernelCode(Writer):
    """The values of one function; `lanes` is the length of a row."""

    def __init__(self, lanes: int, fused: bool) -> None:
        super().__init__(lanes, fused)
        self.places: list[str] = []

    # Values

    def literal(self, number: float, type_: str) -> str:
        """Return a number as a constant of a type."""
        if type_ == "i64":
            return str(int(number))
        plain = Writer(1, self.fused).constant(float(number))
        return plain if type_ == "double" else f"splat (double {plain})"

    def typed(self, value: Any, type_: str) -> Value:
        """Return a value or number as one of that type."""
        if not isinstance(value, Value):
            return Value(self, self.literal(value, type_), type_)
        if type_ in (value.type, "double"):
            return value
        return Value(self, self.spread(value.name), type_)

    def row(self, value: Value) -> Value:
        """Return a double spread over a row."""
        return self.typed(value, self.type)

    def _same(self, a: Any, b: Any) -> tuple[Value, Value]:
        types = {x.type for x in (a, b) if isinstance(x, Value)}
        type_ = self.type if self.type in types else types.pop()
        return self.typed(a, type_), self.typed(b, type_)

    def combined(self, operation: str, a: Any, b: Any) -> Value:
        """Append add, sub, mul or div, of whole numbers rounded down; of others, neighbours may fuse."""
        a, b = self._same(a, b)
        words = WHOLE[operation] if a.type == "i64" else f"{FLOAT[operation]} contract"
        return Value(self, self.value(f"{words} {a.type} {a.name}, {b.name}"), a.type)

    def compared(self, relation: str, a: Any, b: Any) -> Value:
        """Append lt, le, gt, ge or eq; false where one is NaN."""
        a, b = self._same(a, b)
        whole = f"icmp {relation if relation == 'eq' else 's' + relation}"
        return Value(self, self.value(f"{whole if a.type == 'i64' else 'fcmp o' + relation} {a.type} {a.name}, {b.name}"), "i1")

    def chosen(self, condition: Value, if_true: Any, if_false: Any) -> Value:
        """Append a choice between two values."""
        a, b = self._same(if_true, if_false)
        one = "i1" if a.type != self.type or self.lanes == 1 else self.truth
        return Value(self, self.value(f"select {one} {condition.name}, {a.type} {a.name}, {b.type} {b.name}"), a.type)

    def smaller(self, a: Any, b: Any) -> Value:
        """Append the smaller of two; the second where one is NaN."""
        a, b = self._same(a, b)
        return self.chosen(a < b, a, b)

    def larger(self, a: Any, b: Any) -> Value:
        """Append the larger of two; the second where one is NaN."""
        a, b = self._same(a, b)
        return self.chosen(a > b, a, b)

    def root(self, x: Value) -> Value:
        """Append the square root of a double or a row."""
        return self._unary("sqrt", x)

    def size(self, x: Value) -> Value:
        """Append the magnitude of a double or a row."""
        return self._unary("fabs", x)

    def _unary(self, name: str, x: Value) -> Value:
        suffix = "f64" if x.type == "double" else self.suffix
        self.used.add(f"llvm.{name}.{suffix}")
        return Value(self, self.value(f"call {x.type} @llvm.{name}.{suffix}({x.type} {x.name})"), x.type)

    def as_double(self, whole: Value) -> Value:
        """Append an i64 turned into a double."""
        return Value(self, self.value(f"sitofp i64 {whole.name} to double"), "double")

    def spacing(self, x: Value) -> Value:
        """Append the distance from |x| to the next larger double."""
        size = self.size(x)
        bits = Value(self, self.value(f"bitcast double {size.name} to i64"), "i64") + 1
        return Value(self, self.value(f"bitcast i64 {bits.name} to double"), "double") - size

    def sum_of_row(self, x: Value) -> Value:
        """Append the sum of the entries of a row, from the first on."""
        if x.type == "double":
            return x
        entries = [Value(self, self.value(f"extractelement {x.type} {x.name}, i64 {k}"), "double") for k in range(self.lanes)]
        total = entries[0]
        for entry in entries[1:]:
            total = total + entry
        return total

    # Memory

    def place(self, type_: str, array: str, index: Any) -> str:
        """Append the address of entry `index` of an array of values of a type."""
        return self.value(f"getelementptr {type_}, ptr {array}, i64 {self.typed(index, 'i64').name}")

    def load(self, type_: str, array: str, index: Any = 0) -> Value:
        """Append reading entry `index`, counted in values of that type."""
        return Value(self, self.value(f"load {type_}, ptr {self.place(type_, array, index)}, align 8"), type_)

    def store(self, value: Value, array: str, index: Any = 0) -> None:
        """Append writing entry `index`, counted in values of the value's type."""
        self.line(f"store {value.type} {value.name}, ptr {self.place(value.type, array, index)}, align 8")

    def cell(self, type_: str, initial: Any) -> Cell:
        """Append a variable of the function."""
        name = self.temporary()
        self.places.append(f"  {name} = alloca {type_}, align 64")
        cell = Cell(self, type_, name)
        cell.set(initial)
        return cell

    def entry(self, type_: str, array: str, index: int) -> Cell:
        """Append the place of an entry of an array."""
        return Cell(self, type_, self.place(type_, array, index))
