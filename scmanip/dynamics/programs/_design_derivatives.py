"""Programs of quantities differentiated by what they are made of: numbers of the system, state, forces and accelerations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ...errors import InvalidInput, Problem
from ...spatial import Array
from ...symbolic import Program, record
from ._derivation import Derivation
from ._directions import Direction, moved_along, of_number, of_state, state_names
from ._implementation import FoldedInertia
from ._quantities import INPUT_ORDER, input_sizes
from ._symbolic_model import derive


def with_symbols(derivation: Derivation, paths: Sequence[str]) -> Derivation:
    """Return the equations in which more numbers are open; of a table of inertias that has one of them all become constants.

    It has no formula of its own.

    >>> opened = with_symbols(derive(system).derivation, ["body.link4.mass_kg"])
    >>> list(opened.open_numbers)
    ['body.link4.mass_kg']
    """
    inertia = derivation.inertia if len([*derivation.inertia.beside([*paths])]) == len(paths) else FoldedInertia()
    symbols = [*derivation.symbols, *(path for path in paths if path not in derivation.symbols)]
    return derive(derivation.system, kinematics=derivation.kinematics, inertia=inertia, symbols=symbols).derivation


@dataclass(frozen=True, eq=False)
class DesignDerivatives:
    """Those of one derivation, in N, of the packed state."""

    derivation: Derivation

    def opened(self, by: str) -> DesignDerivatives:
        """Return those of the same equations in which the number `by` is open, if it is one and is not yet."""
        derivation, layout = self.derivation, self.derivation.system.layout
        if by in derivation.numbers or by in state_names(layout) or by in INPUT_ORDER:
            return self
        paths = tuple(derivation.system.numbers([by]))
        if len(paths) != 1:
            raise InvalidInput(Problem("derivative", "the path of one number", f"{by}, which names {len(paths)}"))
        return DesignDerivatives(with_symbols(derivation, paths))

    def program(self, name: str, by: str) -> Program:
        """Return the program of one quantity by one number, part of the state or input; the last axes are those of `by`.

        Raises `InvalidInput` where there is no one array, or nothing that it could depend on.
        """
        program, layout = self.derivation.packed_program([name]), self.derivation.system.layout
        if len(program.outputs) != 1:
            parts = ", ".join(output.name for output in program.outputs)
            raise InvalidInput(Problem("derivative", "a quantity of one array", f"{name}, which has {parts}"))
        shapes = {i.name: i.shape for i in program.inputs}
        if by not in (*shapes, *state_names(layout)) or by == "x":
            known = ", ".join([*state_names(layout), *(name for name in shapes if name != "x")])
            raise InvalidInput(Problem("derivative", f"{known}, or the path of a number", by))
        shape = shapes.get(by, ())

        def differentiated(**given: Array) -> Mapping[str, Array]:
            along = self.directions(by, shape, given["x"])
            columns = [rate for (rate,) in moved_along(layout, program, given, along)]
            own = program.outputs[0].shape
            if not columns:
                return {f"d{name}_d{by}": np.zeros((*own, 0))}
            last = shape if by in shapes else (len(along),)
            return {f"d{name}_d{by}": np.stack(columns, axis=-1).reshape((*own, *last))}

        return record(shapes, differentiated)

    def directions(self, by: str, shape: tuple[int, ...], x: Array) -> list[Direction]:
        """Return the directions of the entries of `by`, at x (n_x,) of any scalar."""
        system = self.derivation.system
        if by in state_names(system.layout):
            return of_state(system.layout, by, x)
        return of_number(by, shape, f"body.{system.base.name}.com_m")

    def by_numbers(self, name: str, *, pushed: bool) -> Program:
        """Return the program of "forward_dynamics" or "inverse_dynamics", (n_u, ...), by every number that is open.

        Accelerations by the implicit formula [Carpentier2018], -M^-1 of what the forces change by that they need.
        pushed : whether there is a wrench on the base
        """
        derivation, layout = self.derivation, self.derivation.system.layout
        forces = "inverse_dynamics.tau" if layout.fixed else "inverse_dynamics"
        needed, with_wrench = derivation.packed_program([forces]), ":wrench" * pushed
        shapes = {**derivation.shapes, "x": (layout.n_x,)}
        sizes = input_sizes(layout, derivation.asked([name + with_wrench if name == "forward_dynamics" else name]))
        shapes |= {key: (size,) for key, size in sizes.items()}

        def differentiated(**given: Array) -> Mapping[str, Array]:
            inverse, udot = None, given.get("udot")
            if udot is None:
                names = [f"forward_dynamics{with_wrench}", *(f"forward_dynamics_derivatives.{of}" for of in ("wrench", "tau"))]
                udot, *blocks = derivation.packed_outputs(
                    names, given["x"], {k: v for k, v in given.items() if k != "x"}
                ).values()
                inverse = np.hstack(blocks)
            along = [self.directions(path, np.shape(value), given["x"]) for path, value in derivation.numbers.items()]
            rows = moved_along(layout, needed, {**given, "udot": udot}, [direction for some in along for direction in some])
            columns = np.array([np.concatenate(parts) for parts in rows]).T
            columns = columns if inverse is None else -(inverse @ columns)
            ends = np.cumsum([len(some) for some in along])[:-1]
            parts = zip(derivation.numbers.items(), np.split(columns, ends, axis=1), strict=True)
            return {path: part.reshape((layout.n_u, *np.shape(value))) for (path, value), part in parts}

        return record(shapes, differentiated)
