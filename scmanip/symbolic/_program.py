"""A straight-line program: Kane and Levinson's Z's [KaneLevinson1983], recorded by machine."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import UnknownName
from ._evaluate import evaluated
from ._listing import Input, Output, Step, first_constant, first_step, needed_steps
from ._operations import Operations


@dataclass(frozen=True, repr=False)
class Program:
    """Named inputs, numbered constants, steps in order, named outputs; plain data.

    Values are numbered: the entries of the inputs in C order, the constants, then one value per step.
    """

    inputs: tuple[Input, ...]
    constants: tuple[float, ...]
    steps: tuple[Step, ...]
    outputs: tuple[Output, ...]

    def __repr__(self) -> str:
        given, returned = (", ".join(x.name for x in arrays) for arrays in (self.inputs, self.outputs))
        return f"Program({given} -> {returned}; {self.operations})"

    def output(self, name: str) -> Output:
        """Return the output of that name."""
        for output in self.outputs:
            if output.name == name:
                return output
        raise UnknownName("output", name, "the program", [output.name for output in self.outputs])

    @cached_property
    def operations(self) -> Operations:
        """What one evaluation of all outputs costs."""
        return Operations.of(step.op for step in self.steps)

    def operations_of(self, name: str) -> Operations:
        """Return what the output `name` alone costs."""
        needed = needed_steps(self, [self.output(name)])
        return Operations.of(step.op for step, used in zip(self.steps, needed, strict=True) if used)

    def evaluate(self, *arrays: Any) -> tuple[NDArray[Any], ...]:
        """Return the outputs for one array per input, in order.

        Every array has the shape of its input; or all of them have one more axis in front, the same for all: the cases
        of a batch, which the outputs then have too. Complex arrays are allowed where no step compares. Division by zero
        and the like give inf and nan, as in compiled code.
        """
        return evaluated(self, arrays)

    @cached_property
    def text(self) -> str:
        """The program in full, without the names of its inputs and outputs: equal text, equal machine code."""
        constant, step = first_constant(self), first_step(self)
        lines = [f"input {k} {_shape(i.shape)}" for k, i in enumerate(self.inputs)]
        lines += [f"{constant + k} = {c.hex()}" for k, c in enumerate(self.constants)]
        lines += [f"{step + k} = {s.op} {' '.join(map(str, s.args))}" for k, s in enumerate(self.steps)]
        lines += [f"output {k} {_shape(o.shape)} {' '.join(map(str, o.values))}" for k, o in enumerate(self.outputs)]
        return "\n".join(line.rstrip() for line in lines) + "\n"

    @cached_property
    def digest(self) -> str:
        """SHA-256 of `text`, in hexadecimal."""
        return sha256(self.text.encode()).hexdigest()


def _shape(shape: tuple[int, ...]) -> str:
    return "(" + ",".join(map(str, shape)) + ")"
