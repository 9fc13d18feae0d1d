"""A model's callables: compiled programs, or the partial implementation's composition of them, made at first use."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ...compiled import CompiledProgram, Slot, compile_program, first_within, single
from ...errors import InvalidInput, Problem, expect
from ...spatial import Array
from ...symbolic import MAKING
from ...system import System
from ..checks._unit_quaternions import UnitQuaternions
from ..recursions._motion_derivatives import PAIRED
from ..recursions._regressor import REGRESSORS
from ..sums._equations import Equations
from ..sums._kinematics import Poses
from ._derivation import Derivation
from ._family import Family
from ._general_position import general_position
from ._implementation import Full, Implementation, Reference
from ._quantities import Inputs, input_sizes

Function = Callable[..., None]
PARTS = ("link_transforms", "H0", "H0m", "Hm", "H0_inverse")  # the programs of the partial implementation


class Call:
    """A callable `(x, inputs..., outputs...)` that overwrites its outputs.

    shapes, shape : of all outputs, of the first; compiled : the program behind it, None for a composition
    guard : what looks at the state before the function does
    """

    __slots__ = ("_guard", "_tables", "compiled", "function", "shape", "shapes")

    def __init__(
        self,
        function: Function,
        shapes: tuple[tuple[int, ...], ...],
        compiled: CompiledProgram | None = None,
        tables: tuple[Array, ...] = (),
        *,
        guard: Callable[[Callable[..., Any]], Callable[..., Any]],
    ) -> None:
        self.function, self.shapes, self.compiled = guard(_after(tables, function)), shapes, compiled
        self._tables, self._guard = tables, guard
        self.shape = shapes[0]

    def within(self, bound: float) -> Callable[..., bool]:
        """Return the callable that also returns whether the first number of the last output lies strictly within +-bound."""
        if self.compiled is None:
            return partial(_judged, self.function, bound)
        return self._guard(_after(self._tables, self.compiled.within(bound)))


def _after(tables: tuple[Array, ...], function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function with tables as its first arguments."""
    return partial(function, *tables) if tables else function


def _judged(function: Function, bound: float, *arrays: Array) -> bool:
    function(*arrays)
    return first_within(arrays[-1], bound)


class Programs:
    """Callables of one derivation by the names of their quantities.

    family : with which they are shared; that of models alive whose equations say the same where none is given
    """

    def __init__(self, derivation: Derivation, implementation: Implementation, family: Family | None = None) -> None:
        self.derivation, self.implementation = derivation, implementation
        self.family = family or Family.of(derivation, implementation)

    def call(self, names: Sequence[str]) -> Call:
        """Return the callable of some quantities, in the order of the contract."""
        if not isinstance(self.implementation, Full):
            self._refuse_recorded(names)
            composed = _Composed(self, names)
            return Call(composed, composed.shapes, guard=self._guarded)
        compiled = self.compiled(tuple(names))
        shapes = tuple(o.shape for o in compiled.program.outputs)
        return Call(compiled.function, shapes, compiled, self.numbers, guard=self._guarded)

    @property
    def numbers(self) -> tuple[Array, ...]:
        """The values of what is an input of every program, in order."""
        return tuple(self.derivation.numbers.values())

    def recorded_only(self, what: str) -> None:
        """Raise `InvalidInput` unless there are programs."""
        if not isinstance(self.implementation, Full):
            raise InvalidInput(Problem(what, "a model with Full()", repr(self.implementation)))

    def _refuse_recorded(self, names: Sequence[str]) -> None:
        """Raise `InvalidInput` for quantities that only programs give."""
        for asked in self.derivation.asked(names):
            if asked.quantity.source in PAIRED | REGRESSORS:
                self.recorded_only(asked.text)

    def _guarded(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return `function`, which checks joint quaternions where there are any."""
        layout = self.derivation.system.layout
        return UnitQuaternions(function, layout) if layout.quaternions else function

    def batch(
        self, call: Call, x: Array, inputs: Sequence[Array], outs: Sequence[Array], threads: int, values: Mapping[str, Array]
    ) -> None:
        """Fill `outs` with the results of one of these callables for all cases x (n, n_x).

        values : of numbers that are inputs (n, ...), in place of the system's own
        """
        if call.compiled is not None:
            call.compiled.batch(*{**self.derivation.numbers, **values}.values(), x, *inputs, *outs, threads=threads)
            return
        for i in range(len(x)):
            case = [a[i] if a.ndim == 2 else a for a in inputs]
            results = [np.empty(shape) for shape in call.shapes]
            call.function(x[i], *case, *results)
            for out, result in zip(outs, results, strict=True):
                out[i] = result

    def kernel(self, names: Sequence[str]) -> Function:
        """Return the bare callable; with `Full` what is an input of every program comes first."""
        return self.compiled(tuple(names)).function if isinstance(self.implementation, Full) else _Composed(self, names)

    def with_inertia_of(self, system: System) -> Programs:
        """Return the same programs with another system's numbers."""
        if not self.derivation.numbers:
            raise InvalidInput(Problem("inertia", "RunTimeInertia(), or symbols", repr(self.derivation.inertia)))
        expect("system", system, System, "a System")
        other = Programs(replace(self.derivation, system=system), self.implementation, self.family)
        if not self.derivation.same_geometry(other.derivation):
            raise InvalidInput(Problem("system", "the same bodies, joints and placements", repr(system)))
        return other

    def with_values(self, values: Mapping[str, ArrayLike]) -> Programs:
        """Return the same programs with other values of numbers that are inputs; raises `InvalidInput`, `InvalidSystem`."""
        return Programs(self.derivation.with_values(values), self.implementation, self.family)

    def compiled(self, names: tuple[str, ...]) -> CompiledProgram:
        """Return the compiled program of some quantities; recorded and compiled once, under a lock."""
        made = self.family.compiled
        if names not in made:
            with MAKING:
                if names not in made:
                    made[names] = compile_program(self.family.program(names, partial(self.derivation.packed_program, names)))
        return made[names]

    def equations(self, x: Array) -> Equations:
        """Return the paper's sums at a packed state, with the partial implementation's numbers filled in."""
        if isinstance(self.implementation, Reference):
            return self.derivation.at(x)
        compiled = self.compiled(PARTS)
        arrays = [np.empty(o.shape) for o in compiled.program.outputs]
        compiled.function(*self.numbers, x, *arrays)
        R, p, r, H0, H0m, Hm, H0_inverse = arrays
        equations = self.derivation.at(x)
        known = {"H0": H0, "H0m": H0m, "Hm": Hm, "H0_inverse": H0_inverse, "poses": Poses([], R, p, r, equations.r_0)}
        if not self.derivation.system.fixed:
            known |= {"whole_H0": H0, "whole_H0m": H0m}
        return equations.knowing(known)


class _Composed:
    """Callable `(x, inputs..., outputs...)` of the partial implementation."""

    def __init__(self, programs: Programs, names: Sequence[str]) -> None:
        self._programs = programs
        self._asked = programs.derivation.asked(names)
        sizes, rest = input_sizes(programs.derivation.system.layout, self._asked), general_position(programs.derivation.system)
        self._inputs = tuple(sizes)
        self.shapes = tuple(a.shape for a in self._results(rest.x, {key: np.zeros(size) for key, size in sizes.items()}))
        inputs = [Slot("x", rest.x.shape, output=False), *(Slot(key, (size,), output=False) for key, size in sizes.items())]
        self._slots = [*inputs, *(Slot(str(k), shape, output=True) for k, shape in enumerate(self.shapes))]

    def __call__(self, x: Array, *arrays: Array) -> None:
        arguments = single(self._slots, (x, *arrays))
        _, *ready = arguments.ready
        count = len(self._inputs)
        for out, result in zip(ready[count:], self._results(x, dict(zip(self._inputs, ready, strict=False))), strict=True):
            out[...] = result
        arguments.hand_over()

    def _results(self, x: Array, inputs: Inputs) -> list[Array]:
        equations, derivation = self._programs.equations(x), self._programs.derivation
        return [
            np.asarray(array) for a in self._asked for _, array, _ in a.outputs(equations, derivation.point(a, inputs), inputs)
        ]
