"""Outputs of a program as formulas that a person reads: lines in named parts, beside a legend of named coefficients."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import product
from typing import Any

from ..listing._listing import Listing, Output
from ._closing import ClosedPolynomials
from ._in_sympy import shaped
from ._latex import latex_of
from ._notation import Notation, legend_rows, side_by_side
from ._numpy_function import NumpyFunction, numpy_function
from ._writer import Line, LineWriter


@dataclass(frozen=True, eq=False)
class ClosedForm:
    """Formulas in SymPy.

    outputs : (name, entries) of every output; entries, a matrix (a column for one axis, a scalar for none, an array for more
        than two), are in the inputs and in the symbols below
    parts : denominators, what is multiplied by something divided, and functions, each in inputs and earlier parts
    legend : coefficients, each in constants and earlier coefficients
    angles : abbreviations such as c_12 of cos(q_1 + q_2)
    paths : name of a constant -> what it is

    >>> program = record({"q": (1,), "m": ()}, lambda q, m: {"x": m * np.cos(q[0]) ** 2 + 2.0})
    >>> form = closed_form(program, program.outputs, Notation(constants=frozenset({"m"})))
    >>> form.matrix, form.parts, form.legend
    (2*h_1 + m*cos(2*q_1)/2, [], [(h_1, m/4 + 1)])
    """

    outputs: list[tuple[str, Any]]
    parts: list[Line]
    legend: list[Line]
    angles: list[Line]
    listing: Listing
    notation: Notation

    @property
    def matrix(self) -> Any:
        """Entries of the first output."""
        return self.outputs[0][1]

    @property
    def paths(self) -> dict[str, str]:
        """What the constants are that stand in the formulas, by their names."""
        used = {str(s) for _, e in self.legend + self.parts + list(self.lines) for s in e.free_symbols}
        return {name: path for name, path in self.notation.paths.items() if name in used}

    @cached_property
    def lines(self) -> list[Line]:
        """(symbol, expression) of every entry of the outputs that is not zero, of equal ones the first, then of the parts."""
        import sympy

        rows = [(sympy.Symbol(_entry(name, places[0])), e) for name, places, e in self._rows()]
        return rows + self._own_parts

    def written_out(self, output: int = 0) -> Any:
        """Return the entries of an output, by its number, in the inputs alone."""
        resolved: dict[Any, Any] = {}
        for symbol, expression in [*self.angles, *self.legend, *self.parts]:
            resolved[symbol] = expression.xreplace(resolved)
        entries = self.outputs[output][1]
        return entries.applyfunc(lambda e: e.xreplace(resolved)) if hasattr(entries, "shape") else entries.xreplace(resolved)

    @property
    def size(self) -> int:
        """How many inputs and numbers the first output mentions once it is written out."""
        sizes: dict[Any, int] = {}
        for symbol, expression in [*self.angles, *self.legend, *self.parts]:
            sizes[symbol] = _mentioned(expression, sizes)
        return sum(_mentioned(e, sizes) for _, e in _entries(self.matrix))

    def function(self) -> NumpyFunction:
        """Return the outputs as a function of NumPy arrays, one per input of the program, in order."""
        shapes = {o.name: o.shape for o in self.listing.outputs}
        steps = [*self.angles, *self.legend, *self.parts]
        wanted = [(shapes[name], [e for _, e in _entries(entries)]) for name, entries in self.outputs]
        return numpy_function(self.listing.inputs, self.notation.symbols(self.listing), steps, wanted)

    def latex(self) -> str:
        """Return all lines in LaTeX, with what papers call the outputs and where they have them."""
        rows: list[str] = []
        source = None
        for name, places, e in self._rows():
            letter = self.notation.letter(name)
            left = " = ".join([*(_indexed(letter.latex, place) for place in places), *map(_in_order, self._same(e))])
            said = rf" && \text{{{letter.source}}}" if letter.source and letter.source != source else ""
            rows.append(f"{left} &= {_in_order(e)}{said}")
            source = letter.source
        rows += [f"{_in_order(s)} &= {_in_order(e)}" for s, e in [*self._own_parts, *self.legend]]
        rows += side_by_side([f"{_in_order(s)} &= {_in_order(e)}" for s, e in self.angles])
        rows += legend_rows(self.paths)
        rows = rows or [f"{self.notation.letter(name).latex} &= 0" for name, _ in self.outputs]
        return "\\begin{aligned}\n" + " \\\\\n".join(rows) + "\n\\end{aligned}"

    def __str__(self) -> str:
        import sympy

        def text(e: Any) -> str:
            return str(sympy.sstr(e, full_prec=False, order="old"))

        rows = []
        for name, places, e in self._rows():
            rows.append(" = ".join([*(_entry(name, place) for place in places), *map(str, self._same(e)), text(e)]))
        rows += [f"{s} = {text(e)}" for s, e in [*self._own_parts, *self.legend, *self.angles]]
        return "\n".join(rows + [f"{name}: {path}" for name, path in self.paths.items()])

    def __repr__(self) -> str:
        names = ", ".join(name for name, _ in self.outputs)
        return f"ClosedForm({names}: {len(self.lines)} lines, {len(self.legend)} coefficients)"

    def _repr_latex_(self) -> str:
        return f"$${self.latex()}$$"

    def _rows(self) -> Iterator[tuple[str, list[tuple[int, ...]], Any]]:
        """Give output, places and value of all entries that are not zero, equal ones of an output together."""
        for name, entries in self.outputs:
            together: dict[Any, list[tuple[int, ...]]] = {}
            for place, e in _entries(entries):
                together.setdefault(e, []).append(place)
            for e, places in together.items():
                if e != 0:
                    yield name, places, e

    def _same(self, e: Any) -> list[Any]:
        """Return the parts that an entry is as well."""
        return [s for s, its in self.parts if its == e and s != e]

    @property
    def _own_parts(self) -> list[Line]:
        """The parts that no line of the outputs tells."""
        told = {e for _, _, e in self._rows()}
        return [(s, e) for s, e in self.parts if e not in told]


def closed_form(listing: Listing, outputs: Sequence[Output], notation: Notation) -> ClosedForm:
    """Return outputs of a program as formulas; raises `InvalidInput` where they are more than a person would write.

    >>> program = record({"q": (2,)}, lambda q: {"x": np.cos(q[0]) * np.cos(q[1]) - np.sin(q[0]) * np.sin(q[1])})
    >>> form = closed_form(program, program.outputs, Notation())
    >>> form.matrix
    c_12
    """
    closing = ClosedPolynomials(listing, notation.constants, notation.groups)
    writer = LineWriter(closing, closing.of(outputs), notation)
    made = [(o.name, shaped(o, list(map(writer.sum, row)))) for o, row in zip(outputs, writer.entries, strict=True)]
    return ClosedForm(made, writer.parts, writer.legend, writer.angles, listing, notation)


def _in_order(expression: Any) -> str:
    """Return an expression in LaTeX, its terms as a person orders them: the shorter ones first."""
    return latex_of(expression, order="old")


def _mentioned(expression: Any, sizes: Mapping[Any, int]) -> int:
    import sympy

    return sum(sizes.get(e, 1) for e in sympy.preorder_traversal(expression) if not e.args)


def _entries(array: Any) -> Iterator[tuple[tuple[int, ...], Any]]:
    """Give place, counted from 1, and value of every entry."""
    if not hasattr(array, "shape"):
        yield (), array
        return
    column = len(array.shape) == 2 and array.shape[1] == 1
    for place in product(*map(range, array.shape)):
        yield tuple(k + 1 for k in (place[:1] if column else place)), array[place]


def _entry(name: str, place: tuple[int, ...]) -> str:
    """Return what an entry is called in text: H_12, J_star:tip_1,12."""
    return f"{name}_{_joined(place)}" if place else name


def _indexed(letter: str, place: tuple[int, ...]) -> str:
    """Return a letter with a place: H_12, [H_0]_12 where it has marks of its own, or with the places at #1, #2, ... in it."""
    if not place or "#1" in letter:
        return reduce(lambda text, k: text.replace(f"#{k + 1}", str(place[k])), range(len(place)), letter)
    own = (
        f"{{[{letter}]}}" if {"_", "^"} & set(letter) else letter
    )  # braces: a bracket at the start of a row is an option of it
    return own + f"_{{{_joined(place)}}}"


def _joined(place: tuple[int, ...]) -> str:
    return ("" if max(place) < 10 else ",").join(map(str, place))
