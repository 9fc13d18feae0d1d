"""Quantities of a model differentiated by what they depend on, compiled."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import cast

import numpy as np
from numpy.typing import ArrayLike

from ...compiled import CompiledProgram, compile_program
from ...errors import InvalidInput, Problem, expect, refuse
from ...spatial import Array
from ...symbolic import MAKING, Input, Program
from ...system import State
from ..programs._design_derivatives import DesignDerivatives
from ..programs._door import check_state, checked, checked_cases
from ..programs._family import Family
from ._cases import cases_of, check_counts, check_out, values_of_cases
from ._named_methods import Values


class Derivative:
    """A function of a state, and of what the quantity takes beside it: its derivative, whose last axes are those of `by`.

    name, by : of the quantity, and of what it is differentiated by
    shape : of the result
    layout, numbers, extra : of the system, its numbers that are inputs, and what else goes in

    >>> rod = scmanip.Body("rod", 3.0, [0.0, 1.0, 1.0], [0.5, 0, 0], "base", scmanip.Joint("pin", "revolute"))
    >>> pendulum = scmanip.System("pendulum", scmanip.Body("base", 0.0, [0, 0, 0]), [rod], fixed=True)
    >>> by_mass = compile_model(pendulum).derivative("H", "body.rod.mass_kg")
    >>> by_mass(scmanip.State(q=[0.3], qdot=[0.0])).round(6).tolist()  # 0.5^2
    [[0.25]]
    """

    def __init__(self, name: str, by: str, of: DesignDerivatives, compiled: CompiledProgram) -> None:
        self.name, self.by, self.compiled = name, by, compiled
        self.layout, self.numbers = of.derivation.system.layout, of.derivation.numbers
        self.extra = [i for i in compiled.program.inputs if i.name != "x" and i.name not in self.numbers]
        self.shape = compiled.program.outputs[0].shape

    @classmethod
    def of(cls, derivatives: DesignDerivatives, family: Family, name: str, by: str) -> Derivative:
        """Return it; recorded and compiled once for all models of a family."""
        expect("derivative", name, str, "the name of a quantity")
        expect("derivative", by, str, "what it is differentiated by, such as 'q' or the path of a number")
        own = derivatives.opened(by)
        by = by.removeprefix("system.")
        key = "derivative", name, by, own.derivation.description
        return cls(name, by, own, compiled_once(family, key, lambda: own.program(name, by)))

    @property
    def program(self) -> Program:
        """What is evaluated."""
        return self.compiled.program

    def __call__(self, state: State, *inputs: ArrayLike) -> Array:
        """Return it in a state; inputs : tau (N,), wrench (6,), udot (n_u,) or qddot (N,), those that the quantity takes."""
        check_state(state, self.layout)
        given = [checked(i.name, value, i.shape) for i, value in _paired(self, inputs)]
        out = np.empty(self.shape)
        self.compiled.function(*self.numbers.values(), state.hardware, *given, out)
        return out

    def __repr__(self) -> str:
        return f"Derivative({self.name!r} by {self.by!r}, shape {self.shape})"


def _paired(one: Derivative, inputs: Sequence[ArrayLike]) -> Iterator[tuple[Input, ArrayLike]]:
    """Return what a quantity takes beside the state, each with what is given; raises `InvalidInput` for more or fewer."""
    if len(inputs) != len(one.extra):
        takes = ", ".join(i.name for i in one.extra) or "nothing"
        raise InvalidInput(Problem(f"derivative of {one.name}", f"{takes} beside the state", f"{len(inputs)} of them"))
    return zip(one.extra, inputs, strict=True)


class DerivativeOfMany:
    """A `Derivative` for n states: (n, ...)."""

    def __init__(self, one: Derivative, values: Mapping[str, Array]) -> None:
        self._one, self._own = one, values
        known = ", ".join(one.numbers) or "none: no number is open"
        refuse([Problem("values", known, name) for name in values if name not in one.numbers], InvalidInput)

    def __call__(
        self, states: State, *inputs: ArrayLike, out: Array | None = None, threads: int = 1, values: Values | None = None
    ) -> Array:
        """Return it in all states; inputs : (n, k) or (k,) as of `Derivative`; out, threads, values : as of `Batch`."""
        one, n = self._one, cases_of(states, self._one.layout)
        given = [checked_cases(i.name, value, n, i.shape[0]) for i, value in _paired(one, inputs)]
        own = {**self._own, **({} if values is None else values_of_cases(one.numbers, values))}
        check_counts(one.numbers, own, n)
        shape = (n, *one.shape)
        if out is not None:
            check_out(out, shape)
        found = np.empty(shape) if out is None else out
        one.compiled.batch(*{**one.numbers, **own}.values(), states.hardware, *given, found, threads=threads)
        return found

    def __repr__(self) -> str:
        return f"{self._one!r} of n states"


def by_numbers(
    derivatives: DesignDerivatives, family: Family, name: str, state: State, given: Sequence[Array]
) -> dict[str, Array]:
    """Return the derivatives (n_u, ...) of a motion by every number that is an input, by its name.

    name : "forward_dynamics" or "inverse_dynamics"; given : tau, and a wrench where there is one, or udot
    """
    numbers, pushed = derivatives.derivation.numbers, len(given) > 1
    if not numbers:
        return {}
    key = "by numbers", name, pushed
    compiled = compiled_once(family, key, lambda: derivatives.by_numbers(name, pushed=pushed))
    outs = [np.empty(output.shape) for output in compiled.program.outputs]
    compiled.function(*numbers.values(), state.hardware, *given, *outs)
    return dict(zip(numbers, outs, strict=True))


def compiled_once(family: Family, key: Hashable, record: Callable[[], Program]) -> CompiledProgram:
    """Return a program that is recorded and compiled at its first use, under a lock."""
    with MAKING:
        if key not in family.kept:
            family.kept[key] = compile_program(family.program(key, record))
    return cast(CompiledProgram, family.kept[key])
