"""The parts that every method of integration is made of, for any number of equations and parameters."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..kernel._code import Value
from ..kernel._flow import Flow
from ._ode_layout import AREAS, TRIAL, WIDTH, K, Y
from ._tableaux import Tableau

PARAMETERS = "ptr %arrays, ptr %strides, ptr %sizes, ptr %numbers, ptr %counts, ptr %work, ptr %rate, i64 %first, i64 %end"


class OdeSteps:
    """Writes into a function with the parameters above.

    `arrays` and `strides`, in bytes from case to case: y_0, what the function says, from `given` on the parameters.
    `sizes`: n, alarms, parameter arrays, then the size of each. `work`: as in `Layout`. `rate`: the right-hand side.
    `first`, `end`: cases.

    code : a row of it is a row of the workspace
    """

    def __init__(self, code: Flow, lanes: int, given: int) -> None:
        self.code, self.lanes, self._given = code, lanes, given
        self.n, self.alarms, self._arrays = (code.load("i64", "%sizes", k) for k in range(3))
        self.rows = (self.n + (WIDTH - 1)) / WIDTH if lanes == 1 else self.n
        self.padded = self.rows * WIDTH if lanes == 1 else self.n
        self._parameters = code.place("double", "%work", self.padded * (AREAS * lanes))
        self.first, self.end = (Value(code, name, "i64") for name in ("%first", "%end"))
        self._after_parameters = code.cell("ptr", Value(code, self._parameters, "ptr"))

    # Rows

    def area(self, area: int) -> str:
        """Append the address of the first row of an area."""
        return self.code.place(self.code.type, "%work", area)

    def read(self, area: int, row: Value) -> Value:
        """Append the reading of a row."""
        return self.code.load(self.code.type, self.area(area), row * AREAS)

    def write(self, area: int, row: Value, value: Value) -> None:
        """Append the writing of a row."""
        self.code.store(value, self.area(area), row * AREAS)

    def copy(self, source: int, target: int) -> None:
        """Append the copying of an area."""
        with self.code.loop(self.rows) as row:
            self.write(target, row, self.read(source, row))

    def weighted(self, weights: Iterable[float], row: Value) -> Value:
        """Append sum_j weight_j k_j of a row."""
        first, *others = ((j, weight) for j, weight in enumerate(weights) if weight)
        total = self.read(K + first[0], row) * first[1]
        for j, weight in others:
            total = total + self.read(K + j, row) * weight
        return total

    def combine(self, weights: Sequence[float], h: Value, target: int) -> None:
        """Append target = y + h sum_j weight_j k_j; h is a row."""
        with self.code.loop(self.rows) as row:
            self.write(target, row, self.read(Y, row) + h * self.weighted(weights, row))

    # Steps

    def rate(self, t: Value, source: int, target: int, *, final: bool = False) -> None:
        """Append the evaluation of the rates; only where `final` do its alarms count."""
        alarms = self.alarm_place(0 if final else self.alarms)
        places = ", ".join(f"ptr {place}" for place in (self.area(source), self._parameters, self.area(target), alarms))
        self.code.line(f"call void %rate(double {t.name}, {places})")

    def stages(self, t: Value, h: Value, nodes: Sequence[float], stages: Sequence[Sequence[float]], first: int) -> None:
        """Append stages of a method, numbered from `first`."""
        spread = self.code.row(h)
        for s, (node, weights) in enumerate(zip(nodes, stages, strict=True), start=first):
            self.combine(weights, spread, TRIAL)
            self.rate(t + h * node, TRIAL, K + s)

    def step(self, method: Tableau, t: Value, h: Value, target: int) -> None:
        """Append all stages but the first, and the new y."""
        self.stages(t, h, method.nodes[1:], method.stages[1:], 1)
        self.combine(method.weights, self.code.row(h), target)

    # Arrays

    def begin(self, case: Value) -> None:
        """Append reading y and the parameters of the lanes, from `case` on."""
        code = self.code
        self.gather(self.lanes_of(0, case), self.n, Y)
        target = code.cell("ptr", Value(code, self._parameters, "ptr"))
        with code.loop(self._arrays) as number:
            size = code.load("i64", "%sizes", number + 3)
            places, start = self.lanes_of(number + self._given, case), target.value.name
            with code.loop(size) as entry:
                for lane, place in enumerate(places):
                    code.store(code.load("double", place, entry), start, entry * self.lanes + lane)
            target.set(Value(code, code.place("double", start, size * self.lanes), "ptr"))
        self._after_parameters.set(target.value)

    def alarm_place(self, number: Value | int) -> str:
        """Append the address of an alarm."""
        return self.code.place("double", self._after_parameters.value.name, self.code.typed(number, "i64") * self.lanes)

    def lanes_of(self, array: Value | int, case: Value) -> list[str]:
        """Append where the cases of the lanes lie in an array; beyond the last case its place is repeated."""
        code = self.code
        start, stride = code.load("ptr", "%arrays", array).name, code.load("i64", "%strides", array)
        cases = [code.smaller(case + lane, self.end - 1) for lane in range(self.lanes)]
        return [code.place("i8", start, one * stride) for one in cases]

    def gather(self, places: Sequence[str], size: Value, area: int) -> None:
        """Append reading `size` numbers of every lane into an area."""
        target = self.area(area)
        with self.code.loop(size) as entry:
            for lane, place in enumerate(places):
                self.code.store(self.code.load("double", place, entry), target, self._place(entry) + lane)

    def scatter(self, area: int, places: Sequence[str], first: Value | int) -> None:
        """Append writing y of every lane from its number `first` on."""
        source = self.area(area)
        with self.code.loop(self.n) as entry:
            for lane, place in enumerate(places):
                self.code.store(self.code.load("double", source, self._place(entry) + lane), place, entry + first)

    def _place(self, entry: Value) -> Value:
        """Append where an entry of an area lies, as in `Layout.place`."""
        return entry + entry / WIDTH * (WIDTH * (AREAS - 1)) if self.lanes == 1 else entry * (AREAS * self.lanes)
