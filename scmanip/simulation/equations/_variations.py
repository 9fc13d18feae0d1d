"""A closed loop with the derivatives of its state by some of its numbers, as one program: the variational equations."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from ...compiled import CompiledProgram, Ode, compile_ode, compile_program
from ...plant import KEPT
from ...spatial import Array
from ...symbolic import Program, record
from ._held import HELD
from ._recorded_loop import LoopParts, loop_rates
from ._sampled_command import COMMAND, SampledCommand

CLOCK = "clock"


@dataclass(frozen=True, eq=False)
class Variations:
    """What a loop does to small changes of some of its inputs.

    parts : the loop, of coordinates that are the packed state
    names : of the inputs, every entry of which is a direction; of a sampled law those that its commands know, too. What is no
        input here changes nothing but what the state begins with
    shapes : of these inputs
    begun : more inputs that change along every direction, because they follow from where the run begins
    """

    parts: LoopParts
    names: tuple[str, ...]
    shapes: tuple[tuple[int, ...], ...]
    begun: tuple[str, ...] = ()

    @property
    def count(self) -> int:
        """Number of directions."""
        return len(self.directions)

    @cached_property
    def directions(self) -> list[tuple[str, Array]]:
        """Per entry of each input, in C order, the input's name and the entry's unit."""
        pairs = [(name, shape, int(np.prod(shape))) for name, shape in zip(self.names, self.shapes, strict=True)]
        return [(name, unit.reshape(shape)) for name, shape, size in pairs for unit in np.eye(size, dtype=int)]

    @property
    def width(self) -> int:
        """Entries of y of which there are derivatives: all but the books."""
        return self.parts.frame.places.size

    @property
    def quaternions(self) -> NDArray[np.int64]:
        """Where quaternions begin in y."""
        return np.array(self.parts.frame.quaternions, dtype=np.int64)

    @property
    def carried(self) -> dict[str, tuple[int, ...]]:
        """Shapes of the inputs that change along every direction by what a run has gone through, by their names."""
        return {i.name: i.shape for i in self.loop.inputs if i.name in (HELD, KEPT, CLOCK, *self.begun) and i.size}

    @property
    def ode(self) -> Ode:
        """Of vectors [y; its derivative along each direction], recorded and compiled at its first use."""
        return cast(Ode, self._once("of y", lambda: compile_ode(self._program)))

    @property
    def inputs(self) -> tuple[str, ...]:
        """Names of the parameters of `ode`, in order."""
        return tuple(item.name for item in self.ode.program.inputs if item.name not in ("t", "y"))

    @property
    def loop(self) -> Program:
        """The rates of the loop, recorded alone."""
        return cast(Program, self._once("loop", lambda: self._recorded))

    @property
    def _recorded(self) -> Program:
        parts = self.parts
        numbers = {name: np.shape(array) for name, array in parts.numbers(parts.frame.model.layout.neutral()).items()}
        shapes = {"t": (), "y": (parts.frame.size,), "bounds": (2,), "reference": (parts.form.size,), **numbers}
        return record(shapes, lambda **given: {"ydot": loop_rates(parts, **given)["ydot"]})

    @property
    def _program(self) -> Program:
        loop, n, m = self.loop, self.parts.frame.size, self.width
        shapes, carried = {i.name: i.shape for i in loop.inputs} | {"y": (n + m * self.count,)}, [*self.carried]

        def rates(y: Array, **given: Array) -> Mapping[str, Array]:
            own, books = y[n:].reshape(self.count, m), np.zeros(n - m, dtype=int)
            each = [
                {"y": np.concatenate([row, books]), **{name: given[varied(name)][k] for name in carried}}
                for k, row in enumerate(own)
            ]
            value, rows = self.along(loop, {**given, "y": y[:n]}, each)
            return {"ydot": np.concatenate([value, *(row[:m] for row in rows)])}

        return record(shapes | {varied(name): (self.count, *shape) for name, shape in self.carried.items()}, rates)

    def command(self, said: SampledCommand) -> CompiledProgram:
        """Return a sampled law's command and how it changes, from its inputs and derivatives (k, n_x) of the state it sees."""
        inputs = [i.name for i in said.program.inputs]
        moving = "x", *(name for name in self.begun if name in inputs)
        return self._rates_of("command", said.key, lambda: said.program, COMMAND, moving)

    @property
    def back(self) -> CompiledProgram:
        """The state that obeys the constraints, and how it changes, from its inputs and derivatives of x and of `kept`."""
        plant = self.parts.frame.plant
        return self._rates_of("back", None, lambda: plant.recorded_projection.only("x"), "x", ("x", KEPT))

    def _rates_of(
        self, what: str, key: Hashable, program: Callable[[], Program], output: str, moving: Sequence[str]
    ) -> CompiledProgram:
        """Return one output of a program and its rates, from its inputs and the rates of those that move, (k, ...) each."""

        def made() -> CompiledProgram:
            own = program()
            shapes = {i.name: i.shape for i in own.inputs}

            def rates(**given: Array) -> Mapping[str, Array]:
                each = [{name: given[varied(name)][k] for name in moving} for k in range(self.count)]
                value, rows = self.along(own, given, each)
                return {output: value, varied(output): np.array(rows)}

            return compile_program(record(shapes | {varied(name): (self.count, *shapes[name]) for name in moving}, rates))

        return cast(CompiledProgram, self._once((what, key), made))

    def along(
        self, program: Program, given: Mapping[str, Array], each: Sequence[Mapping[str, Array]]
    ) -> tuple[Array, list[Array]]:
        """Return the one output of a program, and per direction how it changes; each : rates of inputs that come with it."""
        inputs, rows = program.inputs, []
        for (name, unit), moving in zip(self.directions, each, strict=True):
            rates = {i.name: np.zeros(i.shape) for i in inputs} | {i.name: unit for i in inputs if i.name == name} | {**moving}
            rows.append([rates[i.name] for i in inputs])
        (value,), found = program.moved_each([given[i.name] for i in inputs], rows, roots_of_zero=True)
        return value, [rate for (rate,) in found]

    def _once(self, what: Hashable, made: Callable[[], Any]) -> Any:
        kept, key = (
            self.parts.frame.model.family.kept,
            ("variations", what, self.parts.key, self.names, self.shapes, self.begun),
        )
        if key not in kept:
            kept[key] = made()
        return kept[key]


def varied(name: str) -> str:
    """Return what the input is called that has how another one changes, a row per direction."""
    return f"varied {name}"
