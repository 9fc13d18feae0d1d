"""Polynomials in constants under names, the longer ones in terms of the shorter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import reduce
from typing import Any

from ._closing import ClosedPolynomials
from ._harmonics import FIELD, Terms, atom, powers, product, scaled, total
from ._in_sympy import SIMPLE, exact_number

Key = frozenset[tuple[Any, Fraction]]
FEW = 40  # terms that are tried over a common denominator
FACTORED = 60  # terms; longer sums are left as they are


class Coefficients:
    """Names h_1, h_2, ... for polynomials in constants and the inverses of constants.

    polynomials : all that will be asked for
    symbol : number of an atom -> its symbol, or one over it
    lines : (name, expression), each in constants and earlier names
    """

    def __init__(
        self, polynomials: Iterable[Terms], closing: ClosedPolynomials, symbol: Callable[[int], Any], prefix: str
    ) -> None:
        import sympy

        self._closing, self._symbol = closing, symbol
        self._names: dict[Key, Any] = {}
        self.lines: list[tuple[Any, Any]] = []
        distinct = {_key(terms): terms for terms in map(_plain, polynomials) if not _short(terms)}
        earlier: list[tuple[Any, Terms]] = []
        for terms in sorted(distinct.values(), key=lambda terms: (len(terms), sorted(terms))):
            name = sympy.Symbol(f"{prefix}_{len(earlier) + 1}", real=True)
            rest, others = _by_shorter(terms, earlier)
            by_others = sympy.Add(self.written(rest), *others)
            alone = self.written(terms) if others else by_others
            self.lines.append((name, min([alone, by_others], key=lambda e: e.count_ops())))
            self._names[_key(terms)] = name
            earlier.append((name, terms))

    def of(self, terms: Terms) -> tuple[Any, Any]:
        """Return a polynomial as a number times its name, or times a constant where it is one."""
        plain = _plain(terms)
        term = min(plain)
        name = self._monomial(term[1]) if _short(plain) else self._names[_key(plain)]
        return exact_number(terms[term] if _short(plain) else terms[term] / plain[term]), name

    def _sum(self, terms: Terms) -> Any:
        import sympy

        return sympy.Add(*(exact_number(c) * self._monomial(packed) for (_, packed), c in terms.items()))

    def _monomial(self, packed: int) -> Any:
        import sympy

        return sympy.Mul(*(self._symbol(k) ** n for k, n in powers(packed)))

    def written(self, terms: Terms) -> Any:
        """Return the shorter of two ways to write a sum: each denominator by itself, or all over a common one."""
        import sympy

        below: dict[int, Terms] = {}
        for (_, packed), c in terms.items():
            inverse = sum(n << (FIELD * k) for k, n in powers(packed) if self._closing.atoms[k].op == "inverse")
            below.setdefault(inverse, {})[(), packed - inverse] = c
        apart = sympy.Add(*(self._monomial(inverse) * self._factored(above) for inverse, above in below.items()))
        there = {k for inverse in below for k, _ in powers(inverse)}
        together = [self._over(there.pop(), below)] if len(there) == 1 and len(terms) <= FEW else []
        return min([apart, *together], key=lambda e: e.count_ops())

    def _over(self, k: int, below: dict[int, Terms]) -> Any:
        """Return the sum of above / below with all inverse powers of one sum over the highest, multiplied out."""
        base = self._closing.inverted(k)
        whole = self._closing.atoms[base].args[0] if self._closing.atoms[base].op == "part" else atom(base)
        highest = max(inverse >> (FIELD * k) for inverse in below)
        numerator: Terms = {}
        for inverse, above in below.items():
            missing = highest - (inverse >> (FIELD * k))
            numerator = total(numerator, reduce(product, [whole] * missing, above))
        return self._factored(numerator) * self._symbol(k) ** highest

    def _factored(self, terms: Terms) -> Any:
        """Return a sum as a product where it is one."""
        import sympy

        common = _common(terms)
        rest = {(waves, packed - common): c for (waves, packed), c in terms.items()}
        written = self._sum(rest)
        exact = all(c.denominator <= SIMPLE for c in terms.values())
        if exact and len(terms) <= FACTORED and not _irreducible(rest):
            written = sympy.factor(written)
        return self._monomial(common) * written


def _common(terms: Terms) -> int:
    """Return the powers that all terms have."""
    every = [dict(powers(packed)) for _, packed in terms]
    return sum(min(each.get(k, 0) for each in every) << (FIELD * k) for k in every[0]) if every else 0


def _irreducible(terms: Terms) -> bool:
    """Whether an atom stands in one term only, to the first power: nothing but common powers can then be taken out."""
    times = Counter(k for _, packed in terms for k, _ in powers(packed))
    return any(times[k] == 1 and n == 1 for _, packed in terms for k, n in powers(packed))


def _plain(terms: Terms) -> Terms:
    """Return a multiple of terms, the first of the lowest degree 1; numbers that are no simple fractions are kept."""
    if not terms:
        return terms
    first = min(terms, key=lambda term: (sum(n for _, n in powers(term[1])), term))
    exact = all(c.denominator <= SIMPLE for c in terms.values())
    return scaled(terms, 1 / terms[first] if exact else Fraction(1 if terms[first] > 0 else -1))


def _key(terms: Terms) -> Key:
    return frozenset(terms.items())


def _short(terms: Terms) -> bool:
    """Whether terms are one number, or one number times one constant."""
    return len(terms) <= 1 and all(sum(n for _, n in powers(packed)) <= 1 for _, packed in terms)


def _by_shorter(terms: Terms, earlier: list[tuple[Any, Terms]]) -> tuple[Terms, list[Any]]:
    """Return what is left of terms without earlier ones that they mostly contain, and these, with their signs."""
    found: list[Any] = []
    for name, other in reversed(earlier):
        for sign in (1, -1):
            rest = total(terms, other, Fraction(-sign))
            if len(other) > 1 and len(terms) - len(rest) > len(other) / 2:
                found.append(sign * name)
                terms = rest
    return terms, found
