"""Polynomials into SymPy: sums of few terms, with names for parts, angles and coefficients."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from ...errors import InvalidInput
from ..listing._listing import Output
from ._closing import ClosedPolynomials
from ._coefficients import Coefficients
from ._harmonics import Terms, Waves, powers
from ._in_sympy import exact_number, operation
from ._notation import Notation, free_prefix

Rows = dict[tuple[Any, Waves], list[tuple[Any, Any]]]  # a coefficient and waves, and what they multiply: numbers and powers
Line = tuple[Any, Any]  # a SymPy symbol and the expression that it stands for


class LineWriter:
    """The outputs of a program and the parts that they need, as lines.

    entries : the polynomials of the entries of the outputs; `sum` writes them
    """

    def __init__(self, closing: ClosedPolynomials, entries: list[list[Terms]], notation: Notation) -> None:
        self._closing, self.entries = closing, entries
        inputs = notation.symbols(closing.listing)
        needed = self._needed()
        used = [k for k in needed if closing.atoms[k].op != "less"]
        self._symbols = dict(enumerate(inputs)) | _part_names(closing, used, notation, inputs)
        self._angles: dict[Waves, Line] = {}
        self._plain = {str(s) for s in inputs}
        varying = [self._args(k) for k in needed if closing.atoms[k].varies]
        pieces = [closing.split(terms) for row in [*entries, *varying] for terms in row]
        self._coefficients = Coefficients(
            [c for piece in pieces for c in piece.values()], closing, self._atom, free_prefix("h", inputs)
        )
        self.parts = [(self._symbols[k], self._function(k)) for k in used if closing.atoms[k].varies]
        fixed = [(self._symbols[k], self._function(k)) for k in used if not closing.atoms[k].varies]
        self.legend = fixed + self._coefficients.lines

    @property
    def angles(self) -> list[Line]:
        """Abbreviations of sines and cosines written so far."""
        return sorted(self._angles.values(), key=lambda line: str(line[0]))

    def sum(self, terms: Terms) -> Any:
        """Return terms with what they have in common in front: what they are divided by, waves and coefficients."""
        import sympy

        whole: dict[Any, Rows] = {}
        for (waves, varying), constants in self._closing.split(terms).items():
            above, below = self._monomial(varying)
            number, name = self._coefficients.of(constants)
            whole.setdefault(below, {}).setdefault((name, waves), []).append((number, above))
        return sympy.Add(*(below * self._fraction(rows) for below, rows in whole.items()))

    def _fraction(self, rows: Rows) -> Any:
        import sympy

        sums = []
        for (name, waves), pairs in rows.items():
            common = pairs[0][0] if len({abs(number) for number, _ in pairs}) == 1 else None
            signs = [number if common is None else 1 if number == common else -1 for number, _ in pairs]
            inside = sympy.Add(*(sign * above for sign, (_, above) in zip(signs, pairs, strict=True)))
            sums.append(sympy.Mul(1 if common is None else common, name, *map(self._wave, waves), inside))
        return sympy.Add(*sums)

    def _monomial(self, packed: int) -> tuple[Any, Any]:
        """Return a product of powers, and apart from it that of those that are inverses."""
        import sympy

        both: tuple[list[Any], list[Any]] = [], []
        for k, n in powers(packed):
            both[self._closing.atoms[k].op == "inverse"].append(self._atom(k) ** n)
        return sympy.Mul(*both[0]), sympy.Mul(*both[1])

    def _args(self, k: int) -> list[Terms]:
        return [self._closing.reduced(terms) for terms in self._closing.atoms[k].args]

    def _needed(self) -> list[int]:
        """Return the parts, functions and conditions that the entries need, each after those that it needs."""
        atoms, needed = self._closing.atoms, set[int]()
        waiting = [terms for row in self.entries for terms in row]
        while waiting:
            for waves, packed in self._closing.reduced(waiting.pop()):
                mentioned = {k for k, _ in powers(packed)} | {k for _, _, angles in waves for k, _ in angles}
                for k in mentioned - needed:
                    needed.add(k)
                    waiting += atoms[k].args
        return sorted(k for k in needed if atoms[k].op not in ("input", "inverse"))

    def _function(self, k: int) -> Any:
        """Return what atom k stands for."""
        atom = self._closing.atoms[k]
        write = self.sum if atom.varies else self._coefficients.written
        if atom.op == "select":
            ((_, condition),) = atom.args[0]
            return operation("select", self._function(next(powers(condition))[0]), *map(write, self._args(k)[1:]))
        args = map(write, self._args(k))
        return next(args) if atom.op == "part" else operation(atom.op, *args)

    def _atom(self, k: int) -> Any:
        op = self._closing.atoms[k].op
        if op == "inverse":
            return 1 / self._atom(self._closing.inverted(k))
        return self._symbols[k]

    def _wave(self, wave: Any) -> Any:
        """Return a sine or cosine, as c_12 where it is that of q_1 + q_2."""
        import sympy

        _, sine, angles = wave
        exact = sympy.Add(*(exact_number(n) * self._atom(k) for k, n in angles))
        exact = (sympy.sin if sine else sympy.cos)(exact)
        places = [re.fullmatch(r"q_(\d)", str(self._atom(k))) for k, _ in angles]
        name = f"{'s' if sine else 'c'}_" + "".join(place[1] for place in places if place)
        if not all(places) or any(n != 1 for _, n in angles) or name in self._plain:
            return exact
        return self._angles.setdefault((wave,), (sympy.Symbol(name, real=True), exact))[0]


def _part_names(closing: ClosedPolynomials, used: Sequence[int], notation: Notation, inputs: list[Any]) -> dict[int, Any]:
    """Return symbols of parts: p_1, p_2, ..., or a name that is known for it."""
    import sympy

    known, prefix, count = _known_parts(closing, notation), free_prefix("p", inputs), 0
    taken, names = {str(s) for s in inputs}, dict[int, str]()
    for k in used:
        fitting = (name for name, terms in known.items() if terms == closing.atoms[k].args[0] and name not in taken)
        name = next(fitting, None) if closing.atoms[k].op == "part" else None
        if name is None:
            count += 1
            name = f"{prefix}_{count}"
        taken.add(name)
        names[k] = name
    return {k: sympy.Symbol(name, real=True) for k, name in names.items()}


def _known_parts(closing: ClosedPolynomials, notation: Notation) -> dict[str, Terms]:
    """Return name and polynomial of entries that are known by name, as far as they can be written out."""
    values = {o.name: o.values for o in closing.listing.outputs}
    found: dict[str, Terms] = {}
    try:
        for name, (output, place) in notation.known.items():
            if place < len(values.get(output, ())):
                found[name] = closing.of([Output(name, (), (values[output][place],))])[0][0]
    except InvalidInput:  # a name more would be a convenience
        return found
    return found
