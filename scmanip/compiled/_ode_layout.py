"""Where an integrator keeps its numbers: one block of memory, in areas of rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ._code import Code, Value
from ._ode_rate import NAME, OdeProgram
from ._tableaux import Tableau

Y, TRIAL, NEW, ATOL, DENSE = 0, 1, 2, 3, 4  # areas of n numbers; seven of dense output
K = 11  # the first of the rates
RATES = 16
AREAS = K + RATES
WIDTH = 4  # entries of y that one instruction serves where one trajectory is integrated


@dataclass(frozen=True)
class Layout:
    """The workspace of one trajectory, or of one per lane.

    ode : what is integrated
    lanes : trajectories
    """

    ode: OdeProgram
    lanes: int

    @property
    def width(self) -> int:
        """Numbers in a row: entries of y of one trajectory, or one entry of y of every trajectory."""
        return WIDTH if self.lanes == 1 else self.lanes

    @property
    def rows(self) -> int:
        """Rows in an area; what y leaves free stays zero."""
        return -(-self.ode.n // WIDTH) if self.lanes == 1 else self.ode.n

    @property
    def padded(self) -> int:
        """Numbers in an area."""
        return self.rows * self.width

    @property
    def parameters(self) -> int:
        """Where the parameters begin."""
        return AREAS * self.padded

    @property
    def alarms(self) -> int:
        """Where the alarms begin; a second place takes those of trial stages."""
        return self.parameters + self.ode.parameter_size * self.lanes

    @property
    def size(self) -> int:
        """Numbers in all."""
        return self.alarms + 2 * max(self.ode.alarms, 1) * self.lanes


class Steps:
    """Writes the parts that every method is made of.

    code : receives them; a row of it is a row of the layout
    """

    def __init__(self, code: Code, layout: Layout) -> None:
        self.code, self.layout = code, layout

    def at(self, offset: int) -> str:
        """Append the address of a number of the workspace."""
        return self.code.place("double", "%work", offset)

    def area(self, area: int) -> str:
        """Append the address of an area."""
        return self.at(area * self.layout.padded)

    def read(self, area: int, row: Value) -> Value:
        """Append the reading of a row."""
        return self.code.load(self.code.type, self.area(area), row)

    def write(self, area: int, row: Value, value: Value) -> None:
        """Append the writing of a row."""
        self.code.store(value, self.area(area), row)

    def copy(self, source: int, target: int) -> None:
        """Append the copying of an area."""
        with self.code.loop(self.layout.rows) as row:
            self.write(target, row, self.read(source, row))

    def weighted(self, weights: Iterable[float], row: Value) -> Value:
        """Append sum_j weight_j k_j of a row."""
        total: Value | None = None
        for j, weight in enumerate(weights):
            if weight:
                product = self.read(K + j, row) * weight
                total = product if total is None else total + product
        assert total is not None
        return total

    def combine(self, weights: Iterable[float], h: Value, target: int) -> None:
        """Append target = y + h sum_j weight_j k_j; h is a row."""
        with self.code.loop(self.layout.rows) as row:
            self.write(target, row, self.read(Y, row) + h * self.weighted(weights, row))

    def rate(self, t: Value, source: int, target: int, *, final: bool = False) -> None:
        """Append the evaluation of the rates; only where `final` do its alarms count."""
        layout = self.layout
        alarms = layout.alarms + (0 if final else max(layout.ode.alarms, 1) * layout.lanes)
        places = [self.area(source), self.at(layout.parameters), self.area(target), self.at(alarms)]
        self.code.line(f"call void @{NAME}(double {t.name}, {', '.join(f'ptr {place}' for place in places)})")

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

    def lanes_of(self, array: int, case: Value, end: Value) -> list[str]:
        """Append where the cases of the lanes lie in an array; beyond the last case its place is repeated."""
        code = self.code
        start, stride = code.load("ptr", "%arrays", array).name, code.load("i64", "%strides", array)
        cases = [code.smaller(case + lane, end - 1) for lane in range(self.layout.lanes)]
        return [code.place("i8", start, one * stride) for one in cases]

    def gather(self, places: Sequence[str], size: int, target: str) -> None:
        """Append reading `size` numbers of every lane."""
        with self.code.loop(size) as entry:
            for lane, place in enumerate(places):
                self.code.store(self.code.load("double", place, entry), target, entry * len(places) + lane)

    def scatter(self, area: int, places: Sequence[str], first: Value) -> None:
        """Append writing y of every lane from its number `first` on."""
        source = self.area(area)
        with self.code.loop(self.layout.ode.n) as entry:
            for lane, place in enumerate(places):
                value = self.code.load("double", source, entry * len(places) + lane)
                self.code.store(value, place, first + entry)

    def begin(self, case: Value, end: Value) -> None:
        """Append reading y and the parameters, the first arrays of the call."""
        self.gather(self.lanes_of(0, case, end), self.layout.ode.n, self.area(Y))
        offset = self.layout.parameters
        for number, item in enumerate(self.layout.ode.parameters):
            self.gather(self.lanes_of(1 + number, case, end), item.size, self.at(offset))
            offset += item.size * self.layout.lanes
