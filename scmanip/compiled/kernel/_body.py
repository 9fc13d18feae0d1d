"""Steps of a program as instructions, in program order."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ...symbolic import ListedStep, Program, first_step
from ._sincos import sine_and_cosine
from ._writer import Writer

ARITHMETIC = {"add": "fadd", "sub": "fsub", "mul": "fmul", "div": "fdiv"}
INTRINSIC = {"sqrt": "sqrt", "abs": "fabs", "min": "minimum", "max": "maximum"}
CIRCULAR = frozenset({"sin", "cos", "tan"})


class KernelBody:
    """Writes steps; knows by which text each value number is called.

    writer : receives the instructions
    names : of the values that exist before the first step, by their numbers
    first : number of the value of the first step; steps : those to be written
    elsewhere : returns the name of a value that neither `names` nor the steps have
    """

    def __init__(
        self,
        writer: Writer,
        names: Mapping[int, str],
        first: int,
        steps: Sequence[ListedStep],
        elsewhere: Callable[[int], str] | None = None,
    ) -> None:
        self._writer, self._first, self._steps, self._elsewhere = writer, first, steps, elsewhere
        self._names = dict(names)
        self._circular: dict[int, tuple[str, str]] = {}
        self._conditions: dict[int, str] = {}
        self._wanted: dict[int, set[str]] = {}
        for step in steps:
            if step.op in CIRCULAR:
                self._wanted.setdefault(step.args[0], set()).update(("sin", "cos") if step.op == "tan" else (step.op,))

    @classmethod
    def of(cls, writer: Writer, program: Program, inputs: Sequence[str]) -> KernelBody:
        """Return the body of a whole program; inputs : names of the loaded inputs, flattened."""
        return cls(writer, known_names(writer, program, inputs), first_step(program), program.steps)

    def write(self, after_step: Callable[[int], None] | None = None) -> None:
        """Append every step; `after_step` is told the number of each value as soon as it exists."""
        for number, step in enumerate(self._steps, self._first):
            if not step.op:
                continue
            self._names[number] = self._step(step, number)
            if after_step is not None:
                after_step(number)

    def name(self, number: int) -> str:
        """Return the text of a value; a comparison becomes 1.0 or 0.0."""
        if number in self._conditions and not self._names[number]:
            writer = self._writer
            self._names[number] = writer.value(f"uitofp {writer.truth} {self._conditions[number]} to {writer.type}")
        if number not in self._names and self._elsewhere is not None:
            self._names[number] = self._elsewhere(number)
        return self._names[number]

    def _step(self, step: ListedStep, number: int) -> str:
        writer, op = self._writer, step.op
        if op == "select":
            return self._select(*step.args)
        arguments = [self.name(argument) for argument in step.args]
        if op in ARITHMETIC:
            return writer.arithmetic(ARITHMETIC[op], *arguments)
        if op == "fma":
            return writer.multiply_add(*arguments)
        if op in INTRINSIC:
            return writer.intrinsic(INTRINSIC[op], *arguments)
        return self._rare(step, number, arguments)

    def _rare(self, step: ListedStep, number: int, arguments: list[str]) -> str:
        writer, op = self._writer, step.op
        if op == "neg":
            return writer.value(f"fneg contract {writer.type} {arguments[0]}")
        if op == "less":
            self._conditions[number] = writer.value(f"fcmp olt {writer.type} {arguments[0]}, {arguments[1]}")
            return ""
        return self._trigonometric(op, step.args[0], arguments[0]) if op in CIRCULAR else writer.library(op, *arguments)

    def _trigonometric(self, op: str, argument: int, x: str) -> str:
        if argument not in self._circular:
            self._circular[argument] = sine_and_cosine(
                self._writer, x, sine="sin" in self._wanted[argument], cosine="cos" in self._wanted[argument]
            )
        sine, cosine = self._circular[argument]
        return {"sin": sine, "cos": cosine}[op] if op != "tan" else self._writer.arithmetic("fdiv", sine, cosine)

    def _select(self, condition: int, if_true: int, if_false: int) -> str:
        writer = self._writer
        test = self._conditions.get(condition)
        if test is None:
            test = writer.value(f"fcmp une {writer.type} {self.name(condition)}, {writer.constant(0.0)}")
        return writer.value(
            f"select {writer.truth} {test}, {writer.type} {self.name(if_true)}, {writer.type} {self.name(if_false)}"
        )


def known_names(writer: Writer, program: Program, inputs: Sequence[str]) -> dict[int, str]:
    """Return the texts of inputs and constants by their numbers."""
    return dict(enumerate([*inputs, *map(writer.constant, program.constants)]))
