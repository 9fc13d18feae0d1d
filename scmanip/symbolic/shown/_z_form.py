"""A program as its reader sees it: Kane and Levinson's list of Z's [Kane1983], as SymPy expressions or LaTeX."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from ...errors import InvalidInput, Problem, expect
from ..listing._listing import Listing, Output, first_constant, first_step, needed_steps
from ._closed_form import ClosedForm, closed_form
from ._in_sympy import exact_number, operation, shaped
from ._latex import hostile
from ._notation import Notation, free_prefix
from ._numpy_function import NumpyFunction, numpy_function

LARGEST = 20_000  # terms that are written out; beyond it SymPy takes minutes


@dataclass(frozen=True)
class AngleSums:
    """How a person simplifies: sines and cosines of sums of angles, coefficients of constants under names.

    Angles of parallel axes are added; for a program that no system stands behind, those that it adds itself.

    >>> program = record({"q": (2,)}, lambda q: {"x": np.cos(q[0] + q[1])})
    >>> form = z_form(program, program.outputs[0], Notation())
    >>> form.expanded(AngleSums()).angles
    [(c_12, cos(q_1 + q_2))]
    """


@dataclass(frozen=True, eq=False)
class ZForm:
    """One output of a program in SymPy.

    z : (symbol, expression) of every operation in order, each in inputs and earlier symbols
    matrix : the output in these symbols: a matrix, a column for one axis, a scalar for none, an array for more than two
    closed : gives the closed form of the output

    >>> program = record({"q": (2,)}, lambda q: {"x": np.sin(q[0]) * q[1] + np.sin(q[0])})
    >>> form = z_form(program, program.outputs[0], Notation())
    >>> form.z, form.matrix, form.expanded()
    ([(z1, sin(q_1)), (z2, q_2*z1), (z3, z1 + z2)], z3, q_2*sin(q_1) + sin(q_1))
    """

    z: list[tuple[Any, Any]]
    matrix: Any
    listing: Listing
    output: Output
    notation: Notation
    closed: Callable[[], ClosedForm]

    @property
    def paths(self) -> dict[str, str]:
        """What the constants among the inputs are, by the names of their symbols."""
        return dict(self.notation.paths)

    def expanded(self, simplify: AngleSums | None = None) -> Any:
        """Return the output in the inputs alone, the Z's written out; with `AngleSums()` as a `ClosedForm`.

        Where the Z's written out are too many, the closed form written out is returned. Both are for small programs;
        `InvalidInput` says when one is not.
        """
        expect("simplify", simplify, AngleSums | None, "AngleSums()")
        if simplify is not None:
            return self.closed()
        if _written_out(self.listing, self.output) > LARGEST:
            return self._closed_written_out()
        values, _ = _over(self.listing, [self.output], self.notation.symbols(self.listing), None)
        return shaped(self.output, [values[k] for k in self.output.values])

    def _closed_written_out(self) -> Any:
        form = self.closed()
        size = form.size
        if size > LARGEST:
            hint = "read .z and .matrix, or .expanded(simplify=AngleSums())"
            raise InvalidInput(Problem("expanded", f"at most {LARGEST} terms", str(size), hint=hint))
        return form.written_out()

    def simplified(self) -> Any:
        """Return `expanded()` after SymPy's `simplify`, entry by entry."""
        import sympy

        expanded = self.expanded()
        return expanded.applyfunc(sympy.simplify) if self.output.shape else sympy.simplify(expanded)

    def function(self) -> NumpyFunction:
        """Return the output as a function of NumPy arrays, one per input in order, by SymPy's `lambdify` of the Z's."""
        return function_of(self.listing, [self.output])

    def latex(self) -> str:
        """Return the Z's as an aligned list, and the output, in LaTeX; then what the constants are, where they have paths."""
        import sympy

        names = hostile(self.notation.symbols(self.listing))
        rows = [f"{sympy.latex(s)} &= {sympy.latex(e, symbol_names=names)}" for s, e in self.z]
        listed = "\\begin{aligned}\n" + " \\\\\n".join(rows) + "\n\\end{aligned}\n" if rows else ""
        empty = r"\left[\;\right]"  # SymPy has no arrays without entries
        array = sympy.latex(self.matrix, symbol_names=names) if self.output.values else empty
        letter = self.notation.letter(self.output.name)
        source = rf" \quad \text{{{letter.source}}}" if letter.source else ""
        return listed + f"{letter.latex} = {array}{source}" + self.notation.legend()

    def _repr_latex_(self) -> str:
        return f"$${self.latex()}$$"


def z_form(listing: Listing, output: Output, notation: Notation, closed: Callable[[], ClosedForm] | None = None) -> ZForm:
    """Return the Kane-Levinson form of one output.

    closed : gives its closed form; without it that of the program itself

    >>> program = record({"q": (2,)}, lambda q: {"x": np.cos(q[0]) * q[1]})
    >>> z_form(program, program.outputs[0], Notation()).z
    [(z1, cos(q_1)), (z2, q_2*z1)]
    """
    symbols = notation.symbols(listing)
    values, z = _over(listing, [output], symbols, free_prefix("z", symbols))
    own = partial(closed_form, listing, [output], notation)
    return ZForm(z, shaped(output, [values[k] for k in output.values]), listing, output, notation, closed or own)


def function_of(listing: Listing, outputs: Sequence[Output]) -> NumpyFunction:
    """Return outputs of a program as a function of NumPy arrays."""
    import sympy

    inputs = [sympy.Symbol(f"x{k}") for k in range(first_constant(listing))]
    values, z = _over(listing, outputs, inputs, "z")
    return numpy_function(listing.inputs, inputs, z, [(o.shape, [values[k] for k in o.values]) for o in outputs])


def _over(
    listing: Listing, outputs: Sequence[Output], symbols: list[Any], prefix: str | None
) -> tuple[list[Any], list[tuple[Any, Any]]]:
    """Return an expression per value, and the Z's: every operation gets a symbol, or none without a prefix."""
    import sympy

    values = [*symbols, *map(exact_number, listing.constants)]
    z: list[tuple[Any, Any]] = []
    for step, used in zip(listing.steps, needed_steps(listing, outputs), strict=True):
        expression = operation(step.op, *[values[k] for k in step.args]) if used else None
        if used and prefix and step.op not in ("neg", "less"):  # free, and not a number: written where they are used
            z.append((sympy.Symbol(f"{prefix}{len(z) + 1}", real=True), expression))
            expression = z[-1][0]
        values.append(expression)
    return values, z


def _written_out(listing: Listing, output: Output) -> int:
    """Return how many inputs and constants the output mentions once it is written out."""
    sizes = [1] * first_step(listing)
    for step in listing.steps:
        sizes.append(sum(sizes[k] for k in step.args))
    return sum(sizes[k] for k in output.values)
