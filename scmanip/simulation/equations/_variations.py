"""A closed loop with the derivatives of its state by some of its numbers, as one program: the variational equations."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import NDArray

from ...compiled import CompiledProgram, Ode, compile_ode, compile_program
from ...spatial import Array
from ...symbolic import Program, record
from ._held import HELD
from ._recorded_loop import LoopParts, loop_rates
from ._sampled_command import COMMAND, SampledCommand

VARIED = "varied"  # how a held command changes, a row per direction


@dataclass(frozen=True, eq=False)
class Variations:
    """What a loop does to small changes of some of its inputs.

    parts : the loop, of coordinates that are the packed state
    names : of the inputs, every entry of which is a direction; of a sampled law those that its commands know, too
    shapes : of these inputs
    """

    parts: LoopParts
    names: tuple[str, ...]
    shapes: Mapping[str, tuple[int, ...]]

    @property
    def count(self) -> int:
        """Number of directions."""
        return len(self.directions)

    @property
    def directions(self) -> list[tuple[str, Array]]:
        """Per entry of each input, in C order, the input's name and the entry's unit."""
        sizes = [(name, int(np.prod(self.shapes[name]))) for name in self.names]
        return [(name, unit.reshape(self.shapes[name])) for name, size in sizes for unit in np.eye(size, dtype=int)]

    @property
    def width(self) -> int:
        """Entries of y of which there are derivatives: all but the books."""
        return self.parts.frame.places.size

    @property
    def quaternions(self) -> NDArray[np.int64]:
        """Where quaternions begin in y."""
        return np.array(self.parts.frame.quaternions, dtype=np.int64)

    @property
    def _key(self) -> Hashable:
        return "variations", self.parts.key, self.names

    @property
    def ode(self) -> Ode:
        """Of vectors [y; its derivative along each direction], recorded and compiled at its first use."""
        kept, key = self.parts.frame.model.family.kept, self._key
        if key not in kept:
            kept[key] = compile_ode(self._program)
        return cast(Ode, kept[key])

    @property
    def inputs(self) -> tuple[str, ...]:
        """Names of the parameters of `ode`, in order."""
        return tuple(item.name for item in self.ode.program.inputs if item.name not in ("t", "y"))

    @property
    def _loop(self) -> Program:
        parts = self.parts
        numbers = {name: np.shape(array) for name, array in parts.numbers(parts.frame.model.layout.neutral()).items()}
        shapes = {"t": (), "y": (parts.frame.size,), "bounds": (2,), "reference": (parts.form.size,), **numbers}
        return record(shapes, lambda **given: {"ydot": loop_rates(parts, **given)["ydot"]})

    @property
    def _program(self) -> Program:
        loop, n, m = self._loop, self.parts.frame.size, self.width
        shapes = {i.name: i.shape for i in loop.inputs} | {"y": (n + m * self.count,)}
        varied = {VARIED: (self.count, shapes[HELD][0])} if HELD in shapes else {}

        def rates(y: Array, **given: Array) -> Mapping[str, Array]:
            each, books = [], np.zeros(n - m, dtype=int)
            for k in range(self.count):
                moving = {"y": np.concatenate([y[n + k * m : n + (k + 1) * m], books])}
                each.append(moving | ({HELD: given[VARIED][k]} if VARIED in given else {}))
            value, rows = self._along(loop, {**given, "y": y[:n]}, each)
            return {"ydot": np.concatenate([value, *(row[:m] for row in rows)])}

        return record(shapes | varied, rates)

    def command(self, said: SampledCommand) -> CompiledProgram:
        """Return a sampled law's command and how it changes, from its inputs and derivatives (k, n_x) of the state it sees."""
        kept, key = self.parts.frame.model.family.kept, ("varied command", said.key, self._key)
        if key not in kept:
            program = said.program

            def varied(dx: Array, **given: Array) -> Mapping[str, Array]:
                value, rows = self._along(program, given, [{"x": dx[k]} for k in range(self.count)])
                return {COMMAND: value, VARIED: np.array(rows)}

            shapes = {i.name: i.shape for i in program.inputs} | {"dx": (self.count, said.layout.n_x)}
            kept[key] = compile_program(record(shapes, varied))
        return cast(CompiledProgram, kept[key])

    def _along(self, program: Program, given: Mapping[str, Array], each: list[dict[str, Array]]) -> tuple[Array, list[Array]]:
        """Return the one output of a program, and per direction how it changes; each : rates of inputs that come with it."""
        inputs, rows = program.inputs, []
        for (name, unit), moving in zip(self.directions, each, strict=True):
            rates = {i.name: np.zeros(i.shape) for i in inputs} | {i.name: unit for i in inputs if i.name == name} | moving
            rows.append([rates[i.name] for i in inputs])
        (value,), found = program.moved_each([given[i.name] for i in inputs], rows)
        return value, [rate for (rate,) in found]
