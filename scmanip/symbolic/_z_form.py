"""A program as its reader sees it: Kane and Levinson's list of Z's [Kane1983], as SymPy expressions or LaTeX."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

from ..errors import InvalidInput, Problem
from ._listing import Listing, Output, first_step, needed_steps

Names = Mapping[str, Sequence[Any]]
ARITHMETIC: dict[str, Callable[..., Any]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "div": operator.truediv,
    "neg": operator.neg,
    "less": operator.lt,
}
SYMPY = {"abs": "Abs", "min": "Min", "max": "Max"}  # where the names differ
LARGEST = 20_000  # terms that are written out; beyond it SymPy takes minutes


@dataclass(frozen=True, eq=False)
class ZForm:
    """One output of a program in SymPy.

    z : (symbol, expression) of every operation in order, each in inputs and earlier symbols
    matrix : the output in these symbols: a matrix, a column for one axis, a scalar for none, an array for more than two
    """

    z: list[tuple[Any, Any]]
    matrix: Any
    listing: Listing
    output: Output
    names: Names

    def expanded(self) -> Any:
        """Return the output in the inputs alone, the Z's written out; for small programs."""
        size = _written_out(self.listing, self.output)
        if size > LARGEST:
            raise InvalidInput(Problem("expanded", f"at most {LARGEST} terms", str(size), hint="read .z and .matrix instead"))
        values, _ = _expressions(self.listing, self.output, self.names, prefix=None)
        return _shaped(self.output, values)

    def simplified(self) -> Any:
        """Return `expanded()` after SymPy's `simplify`, entry by entry."""
        import sympy

        expanded = self.expanded()
        return expanded.applyfunc(sympy.simplify) if self.output.shape else sympy.simplify(expanded)

    def latex(self) -> str:
        """Return the Z's as an aligned list, and the output, in LaTeX."""
        import sympy

        hostile = _hostile(_symbols(self.listing, self.names))
        rows = [f"{sympy.latex(s)} &= {sympy.latex(e, symbol_names=hostile)}" for s, e in self.z]
        listed = "\\begin{aligned}\n" + " \\\\\n".join(rows) + "\n\\end{aligned}\n" if rows else ""
        empty = r"\left[\;\right]"  # SymPy has no arrays without entries
        array = sympy.latex(self.matrix, symbol_names=hostile) if self.output.values else empty
        return listed + f"{_typewriter(self.output.name)} = {array}"

    def _repr_latex_(self) -> str:
        return f"$${self.latex()}$$"


def z_form(listing: Listing, output: Output, names: Names) -> ZForm:
    """Return the Kane-Levinson form of one output.

    names : input name -> names or SymPy symbols of its entries in C order; without it q_1, q_2, ... for an input q
    """
    symbols = [str(s) for s in _symbols(listing, names)]
    prefix = "z"
    while any(re.fullmatch(prefix + r"\d+", s) for s in symbols):
        prefix += "z"
    values, z = _expressions(listing, output, names, prefix)
    return ZForm(z, _shaped(output, values), listing, output, names)


def _expressions(listing: Listing, output: Output, names: Names, prefix: str | None) -> tuple[list[Any], list[tuple[Any, Any]]]:
    """Return an expression per value, and the Z's: every operation gets a symbol, or none without a prefix."""
    import sympy

    values = [*_symbols(listing, names), *map(_number, listing.constants)]
    z: list[tuple[Any, Any]] = []
    for step, used in zip(listing.steps, needed_steps(listing, [output]), strict=True):
        expression = operation(step.op, *[values[k] for k in step.args]) if used else None
        if used and prefix and step.op not in ("neg", "less"):  # free, and not a number: written where they are used
            z.append((sympy.Symbol(f"{prefix}{len(z) + 1}", real=True), expression))
            expression = z[-1][0]
        values.append(expression)
    return values, z


def operation(op: str, *args: Any) -> Any:
    """Return what a step of a program computes, of SymPy expressions."""
    import sympy

    if op == "select":
        condition, if_true, if_false = args
        return sympy.Piecewise((if_true, condition), (if_false, True))
    return ARITHMETIC[op](*args) if op in ARITHMETIC else getattr(sympy, SYMPY.get(op, op))(*args)


def _symbols(listing: Listing, names: Names) -> list[Any]:
    """Return a symbol for every entry of the inputs. Names are data: they are never parsed."""
    import sympy

    result: list[Any] = []
    for i in listing.inputs:
        places = product(*[range(1, n + 1) for n in i.shape])
        own = names.get(i.name) or ["_".join([i.name, *map(str, place)]) for place in places]
        if len(own) != i.size:
            raise InvalidInput(Problem(f"names of {i.name!r}", f"{i.size} names", str(len(own))))
        result += [s if isinstance(s, sympy.Symbol) else sympy.Symbol(str(s), real=True) for s in own]
    return result


def _number(c: float) -> Any:
    """Return a constant exactly: as a fraction where it is a simple one, otherwise as a float of 53 bits."""
    import sympy

    if abs(c) < 1e6 and Fraction(c).denominator <= 1024:
        return sympy.Rational(*Fraction(c).as_integer_ratio())
    return sympy.Float(c)


def _shaped(output: Output, values: list[Any]) -> Any:
    import sympy

    entries = [values[k] for k in output.values]
    match len(output.shape):
        case 0:
            return entries[0]
        case 1:
            return sympy.Matrix(len(entries), 1, entries)
        case 2:
            return sympy.Matrix(*output.shape, entries)
    return sympy.Array(entries, output.shape)


def _written_out(listing: Listing, output: Output) -> int:
    """Return how many inputs and constants the output mentions once it is written out."""
    sizes = [1] * first_step(listing)
    for step in listing.steps:
        sizes.append(sum(sizes[k] for k in step.args))
    return sum(sizes[k] for k in output.values)


def latex_of(expression: Any) -> str:
    """Return a SymPy expression in LaTeX; symbols whose names could be commands are written as text, primes behind them."""
    import sympy

    return str(sympy.latex(expression, symbol_names=_hostile(expression.free_symbols)))


def _hostile(symbols: Iterable[Any]) -> dict[Any, str]:
    """Return how to write the symbols whose names are not words."""
    texts = {s: str(s) for s in symbols if not re.fullmatch(r"\w+", str(s))}
    stems = {s: text.rstrip("'") for s, text in texts.items()}
    return {s: _letters(stem) + "'" * (len(texts[s]) - len(stem)) for s, stem in stems.items()}


def _letters(name: str) -> str:
    """Return a word as SymPy typesets it, any other name as typewriter text."""
    import sympy

    return str(sympy.latex(sympy.Symbol(name))) if re.fullmatch(r"\w+", name) else _typewriter(name)


def _typewriter(name: str) -> str:
    """Return a name as LaTeX text that cannot be mistaken for commands; characters that could be are given by number."""
    harmless = re.sub(r"[^A-Za-z0-9_ .:@+-]", lambda m: f"[{ord(m.group()):X}]", name)
    return r"\mathtt{" + harmless.replace("_", r"\_") + "}"
