"""A straight-line program: Kane and Levinson's Z's [Kane1983], recorded by machine."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import UnknownName, checked
from ._casadi import casadi_function
from ._derivative import AT_REST, CHAIN_RULE, jacobian, tangent
from ._evaluate import evaluated
from ._hoisted import hoisted
from ._moved import moved
from .listing._listing import Listing, Output, first_constant, first_step, needed_steps, rearranged
from .listing._operations import Operations
from .shown._card import card
from .shown._notation import Names, Notation
from .shown._numpy_function import NumpyFunction
from .shown._z_form import ZForm, function_of, z_form


@dataclass(frozen=True, repr=False)
class Program(Listing):
    """Named inputs, numbered constants, steps in order, named outputs; plain data.

    Values are numbered: the entries of the inputs in C order, the constants, then one value per step.

    >>> program = record({"q": (2,)}, lambda q: {"x": np.cos(q[0]) + np.cos(q[0] + q[1])})
    >>> program
    Program(q -> x; 0 multiplications, 2 additions, 0 divisions, 2 functions)
    >>> round(float(program.evaluate(np.array([0.0, np.pi / 2]))[0]), 6)
    1.0
    """

    def __repr__(self) -> str:
        given, returned = (", ".join(x.name for x in arrays) for arrays in (self.inputs, self.outputs))
        return f"Program({given} -> {returned}; {self.operations})"

    def output(self, name: str) -> Output:
        """Return the output of that name."""
        for output in self.outputs:
            if output.name == name:
                return output
        raise UnknownName("output", name, "the program", [output.name for output in self.outputs])

    def only(self, *names: str) -> Program:
        """Return the program of the outputs `names` alone, in that order, with the same inputs and without idle steps."""
        if names not in self._parts:
            outputs = tuple(self.output(name) for name in names)
            self._parts[names] = Program(*rearranged(self, np.flatnonzero(needed_steps(self, outputs)).tolist(), outputs))
        return self._parts[names]

    @cached_property
    def _parts(self) -> dict[tuple[str, ...], Program]:
        """Programs of some of its outputs, each made once: code is ordered ahead of them and asked for later."""
        return {}

    def hoisted(self, names: Collection[str]) -> tuple[Program, Program]:
        """Return this program in two: what the inputs `names` alone decide, to be done once, and the rest.

        The first takes these inputs and returns `prepared` (k,); the second takes `prepared` and the other inputs.
        """
        unknown = [name for name in names if name not in {each.name for each in self.inputs}]
        if unknown:
            raise UnknownName("input", unknown[0], "the program", [each.name for each in self.inputs])
        first, second = hoisted(self, names)
        return Program(*first), Program(*second)

    def in_order(self, order: Iterable[int]) -> Program:
        """Return the same program with its steps in another order, by their numbers from 0."""
        return Program(*rearranged(self, order, self.outputs))

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
    def used_inputs(self) -> tuple[str, ...]:
        """Names of the inputs of which at least one entry matters."""
        read = {value for step in self.steps for value in step.args} | {v for o in self.outputs for v in o.values}
        ends = list(accumulate(i.size for i in self.inputs))
        return tuple(i.name for i, end in zip(self.inputs, ends, strict=True) if read & set(range(end - i.size, end)))

    def jacobian(self, output: str, name: str) -> Program:
        """Return the program of d output / d input `name`: same inputs, one output of shape output.shape + input.shape."""
        return Program(*jacobian(self, self.output(output), name))

    def tangent(self, output: str, names: Sequence[str] | None = None) -> Program:
        """Return the program of the derivative of `output` along a direction in the inputs `names` (all, unless said).

        The direction is given by further inputs, d_<name>, of the same shapes; the output, d_<output>, has its own shape.
        """
        chosen = tuple(i.name for i in self.inputs) if names is None else tuple(names)
        return Program(*tangent(self, self.output(output), chosen))

    def moved(self, arrays: Sequence[Any], rates: Sequence[Any]) -> list[tuple[NDArray[Any], NDArray[Any]]]:
        """Return every output and its rate for one array per input, and its rate, in any units and over any scalar."""
        values, (found,) = moved(self, arrays, [rates])
        return list(zip(values, found, strict=True))

    def moved_each(
        self, arrays: Sequence[Any], each: Sequence[Sequence[Any]], *, roots_of_zero: bool = False
    ) -> tuple[list[NDArray[Any]], list[list[NDArray[Any]]]]:
        """Return every output, and per direction its rate; each : directions, of one rate per input, arrays in any units.

        roots_of_zero : whether a root of zero has the derivative zero, in place of none
        """
        return moved(self, arrays, each, AT_REST if roots_of_zero else CHAIN_RULE)

    def sympy(self, output: str | None = None, names: Names | None = None) -> ZForm:
        """Return an output (the first, unless said) as SymPy sees it: its Z's in `.z` and the array in `.matrix`.

        names : input name -> names or SymPy symbols of its entries in C order; without it q_1, q_2, ... for an input q
        """
        return z_form(self, self.outputs[0] if output is None else self.output(output), Notation(names or {}))

    def function(self) -> NumpyFunction:
        """Return a function of NumPy arrays, one per input in order, by SymPy's `lambdify`; of several outputs a tuple.

        It is for taking apart and for scripts that have NumPy alone: compiled programs are far faster.
        """
        return function_of(self, self.outputs)

    def latex(self, output: str | None = None, names: Names | None = None) -> str:
        """Return the Z's of an output and the output itself in LaTeX; arguments as for `sympy`."""
        return self.sympy(output, names).latex()

    @checked
    def casadi(self, name: str = "program") -> Any:
        """Return a `casadi.Function` of the same inputs and outputs, in order, to be called on numbers, SX or MX; needs CasADi.

        Arrays of one axis are columns there; of more than two axes rows hold the first, columns all others in C order.
        Inputs and outputs keep their names where CasADi takes them; of others, such as `body.link2.mass_kg`, words are made,
        all of them different.
        """
        return casadi_function(self, name)

    def _repr_html_(self) -> str:
        return card(self.inputs, self.outputs, [self.operations_of(o.name) for o in self.outputs], self.operations)

    @cached_property
    def text(self) -> str:
        """The program in full, without the names of its inputs and outputs: equal text, equal machine code."""
        constant, step = first_constant(self), first_step(self)
        lines = [f"input {k} {_shape(i.shape)}" for k, i in enumerate(self.inputs)]
        lines += [f"{constant + k} = {c.hex()}" for k, c in enumerate(self.constants)]
        number = list(map(str, range(step + len(self.steps))))
        lines += [f"{number[step + k]} = {s.op} {' '.join([number[a] for a in s.args])}" for k, s in enumerate(self.steps)]
        lines += [f"output {k} {_shape(o.shape)} {' '.join(map(str, o.values))}" for k, o in enumerate(self.outputs)]
        return "\n".join(line.rstrip() for line in lines) + "\n"

    @cached_property
    def digest(self) -> str:
        """SHA-256 of `text`, in hexadecimal."""
        return sha256(self.text.encode()).hexdigest()


def _shape(shape: tuple[int, ...]) -> str:
    return "(" + ",".join(map(str, shape)) + ")"
