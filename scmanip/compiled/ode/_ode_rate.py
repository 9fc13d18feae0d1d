"""The right-hand side of a differential equation: which inputs and outputs of a program mean what, and its code."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from ...errors import Problem, refuse
from ...symbolic import Input, Output, Program
from ..kernel._body import KernelBody
from ..kernel._pieces import Pieces
from ..kernel._schedule import scheduled
from ..kernel._writer import COLD_METADATA, Writer, declarations
from ._ode_layout import OdeLayout

NAME = "rate"
LONG = 20_000  # steps of one function: dynamics are chains of results, which one order of all of them shortens
TIME, STATE, RATE, ALARM = "t", "y", "ydot", "alarm"


@dataclass(frozen=True, eq=False)
class OdeProgram:
    """A program with inputs t () and y (n,), all others being parameters, and outputs ydot (n,) and, if it has one, alarm.

    whole : what was given
    told : names of those outputs

    Whatever else it has is left out only where code is written.
    """

    whole: Program
    told: tuple[str, ...]

    @classmethod
    def of(cls, program: Program) -> OdeProgram:
        """Return a program in its role; raises `InvalidInput`."""
        shapes = {item.name: item.shape for item in program.inputs}
        outputs = {item.name: item.shape for item in program.outputs}
        problems = [] if shapes.get(TIME) == () else [_wrong("input", TIME, "shape ()", shapes)]
        shape = shapes.get(STATE, ())
        if len(shape) != 1 or shape[0] < 1:
            problems.append(_wrong("input", STATE, "shape (n,) with n > 0", shapes))
        elif outputs.get(RATE) != shape:
            problems.append(_wrong("output", RATE, f"shape {shape}, that of y", outputs))
        refuse(problems)
        return cls(program, tuple(name for name in (RATE, ALARM) if name in outputs))

    @cached_property
    def program(self) -> Program:
        """Those outputs alone."""
        return self.whole.only(*self.told)

    @property
    def _outputs(self) -> list[Output]:
        return [self.whole.output(name) for name in self.told]

    @property
    def n(self) -> int:
        """Number of equations."""
        return len(self.whole.output(RATE).values)

    @property
    def parameters(self) -> tuple[Input, ...]:
        """The inputs that stay the same during an integration."""
        return tuple(item for item in self.whole.inputs if item.name not in (TIME, STATE))

    @property
    def alarms(self) -> int:
        """Numbers in the output alarm; 0 without one."""
        return sum(len(output.values) for output in self._outputs if output.name == ALARM)

    @cached_property
    def alarm_shape(self) -> tuple[int, ...]:
        """Shape of the output alarm; (0,) without one."""
        return next((output.shape for output in self._outputs if output.name == ALARM), (0,))

    @cached_property
    def without_alarm(self) -> OdeProgram:
        """The same without the output alarm."""
        return OdeProgram(self.whole, (RATE,))

    def layout(self, lanes: int) -> OdeLayout:
        """Return the workspace."""
        return OdeLayout(self.n, sum(item.size for item in self.parameters), self.alarms, lanes)

    @property
    def sizes(self) -> tuple[int, ...]:
        """What the integrators are told: n, alarms, parameters, then the size of each."""
        return (self.n, self.alarms, len(self.parameters), *(item.size for item in self.parameters))

    @property
    def digest(self) -> str:
        """Of the program and of what its inputs and outputs mean, which a program's own digest leaves open."""
        inputs = [item.name for item in self.whole.inputs]
        outputs = [item.name for item in self.whole.outputs]
        places = [inputs.index(TIME), inputs.index(STATE), *map(outputs.index, self.told)]
        return f"{self.whole.digest} {' '.join(map(str, places))}"


def rate_source(ode: OdeProgram, lanes: int, fused: bool) -> str:
    """Return LLVM IR with `rate(t, y, parameters, ydot, alarm)`; y and ydot are areas of a `OdeLayout`, the others dense."""
    writer = Writer(lanes, fused)
    program, layout = scheduled(ode.program, LONG), ode.layout(lanes)
    inputs, stores = list(_loads(ode, writer, layout)), _stores(program, layout)
    pieces: list[str] = []
    if Pieces.needed(program, LONG):
        pieces = Pieces(program, stores).write(writer, inputs, f"ptr %{RATE}, ptr %{ALARM}", lambda piece: None)
    else:
        body = KernelBody.of(writer, program, inputs)
        body.write()
        for store in stores:
            store.write(writer, body)
    head = f"define void @{NAME}(double %t, ptr %{STATE}, ptr %parameters, ptr %{RATE}, ptr %{ALARM}) nounwind {{"
    lines = [head, "entry:", *writer.lines, "  ret void", "}", *pieces]
    return "\n".join([*lines, *declarations(writer.used), COLD_METADATA, ""])


@dataclass(frozen=True)
class _Store:
    """An entry of an output."""

    output: str
    place: int
    values: tuple[int]

    def write(self, writer: Writer, body: KernelBody) -> None:
        name = body.name(self.values[0])
        writer.line(f"store {writer.type} {name}, ptr {_place(writer, f'%{self.output}', self.place)}, align 8")


def _stores(program: Program, layout: OdeLayout) -> list[_Store]:
    return [
        _Store(output.name, layout.place(entry) if output.name == RATE else entry, (value,))
        for output in program.outputs
        for entry, value in enumerate(output.values)
    ]


def _loads(ode: OdeProgram, writer: Writer, layout: OdeLayout) -> Iterator[str]:
    """Yield the names of all inputs, entry by entry."""
    parameter = 0
    for item in ode.program.inputs:
        if item.name == TIME:
            yield writer.spread("%t")
        elif item.name == STATE:
            yield from (_loaded(writer, "%y", layout.place(entry)) for entry in range(item.size))
        else:
            yield from (_loaded(writer, "%parameters", parameter + entry) for entry in range(item.size))
            parameter += item.size


def _loaded(writer: Writer, array: str, place: int) -> str:
    return writer.value(f"load {writer.type}, ptr {_place(writer, array, place)}, align 8")


def _place(writer: Writer, array: str, place: int) -> str:
    return writer.value(f"getelementptr {writer.type}, ptr {array}, i64 {place}")


def _wrong(kind: str, name: str, expected: str, shapes: dict[str, tuple[int, ...]]) -> Problem:
    found = f"shape {shapes[name]}" if name in shapes else f"{kind}s {', '.join(shapes)}"
    return Problem(f"{kind} '{name}' of the program", expected, found)
