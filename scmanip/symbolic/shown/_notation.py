"""How a program is to be read: names of its inputs, which of them are constants, which angles are added."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any, NamedTuple

from ...errors import InvalidInput, Problem
from ..listing._listing import Listing
from ._latex import latex_of, typewriter

Names = Mapping[str, Sequence[Any]]


class Letter(NamedTuple):
    r"""What a paper calls an output: LaTeX, and where it stands, such as "[Wilde2018] eq. 45".

    >>> Letter(r"\hat{H}", "[Wilde2018] eq. 45").source
    '[Wilde2018] eq. 45'
    """

    latex: str
    source: str = ""


@dataclass(frozen=True, eq=False)
class Notation:
    """Names beside a program.

    names : input name -> names or SymPy symbols of its entries in C order; without it q_1, q_2, ... for an input q
    constants : inputs that do not vary while the others do, whose polynomials are collected under names
    paths : name of an entry of a constant -> what it is, such as "body.link2.mass_kg"
    groups : input -> groups of its entries whose angles are added (turns about parallel axes); None for those that the
        program adds
    letters : output -> what it is called
    known : name of a part -> output and place of the entry that it is, where a part is one of another output

    >>> program = record({"q": (2,)}, lambda q: {"x": q[0] * q[1]})
    >>> Notation().symbols(program), Notation({"q": ["a", "b"]}).symbols(program)
    ([q_1, q_2], [a, b])
    """

    names: Names = field(default_factory=dict)
    constants: frozenset[str] = frozenset()
    paths: Mapping[str, str] = field(default_factory=dict)
    groups: Mapping[str, Sequence[Sequence[int]]] | None = None
    letters: Mapping[str, Letter] = field(default_factory=dict)
    known: Mapping[str, tuple[str, int]] = field(default_factory=dict)

    def symbols(self, listing: Listing) -> list[Any]:
        """Return a SymPy symbol for every entry of the inputs. Names are data: they are never parsed."""
        import sympy

        result: list[Any] = []
        for i in listing.inputs:
            places = product(*[range(1, n + 1) for n in i.shape])
            own = self.names.get(i.name) or ["_".join([i.name, *map(str, place)]) for place in places]
            if len(own) != i.size:
                raise InvalidInput(Problem(f"names of {i.name!r}", f"{i.size} names", str(len(own))))
            result += [s if isinstance(s, sympy.Symbol) else sympy.Symbol(str(s), real=True) for s in own]
        return result

    def letter(self, output: str) -> Letter:
        """Return what an output is called."""
        return self.letters.get(output) or Letter(typewriter(output))

    def legend(self) -> str:
        """Return what the constants are, as rows in LaTeX; nothing where none has a path."""
        rows = legend_rows(self.paths)
        return "\n\\begin{aligned}\n" + " \\\\\n".join(rows) + "\n\\end{aligned}" if rows else ""


def legend_rows(paths: Mapping[str, str]) -> list[str]:
    """Return rows of LaTeX that say what constants are."""
    import sympy

    return side_by_side([rf"{latex_of(sympy.Symbol(name))} &:\; {typewriter(path)}" for name, path in paths.items()], 2)


def side_by_side(cells: Sequence[str], count: int = 4) -> list[str]:
    """Return rows of so many cells; each cell has one mark of alignment, of which a row keeps the first."""
    rows = [cells[k : k + count] for k in range(0, len(cells), count)]
    return [",\\quad ".join([row[0], *(cell.replace("&", "", 1) for cell in row[1:])]) for row in rows]


def free_prefix(wanted: str, symbols: Sequence[Any]) -> str:
    """Return a beginning of names, `wanted` repeated if need be, such that no symbol is called that and a number."""
    taken = {str(s) for s in symbols}
    prefix = wanted
    while any(re.fullmatch(prefix + r"_?\d+", name) for name in taken):
        prefix += wanted
    return prefix
