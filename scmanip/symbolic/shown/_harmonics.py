"""Polynomials in atoms times sines and cosines of angles, in a normal form: what is equal has equal terms.

Angles come in groups. Within a group a product becomes sines and cosines of sums and differences, as
cos a cos b = (cos(a - b) + cos(a + b)) / 2; those of different groups stand beside each other. So a term has at most one
wave per group, and a square or a product of the same group is never left over.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import lru_cache

Wave = tuple[int, bool, tuple[tuple[int, Fraction], ...]]  # group, whether a sine, (atom, multiple) of the angles in it
Waves = tuple[Wave, ...]  # in the order of their groups
Term = tuple[Waves, int]  # the waves of a term, and the powers of its atoms
Terms = dict[Term, Fraction]

FIELD = 32  # bits for the power of one atom: the powers of a product are the sum of two whole numbers
HALF = Fraction(1, 2)
ROUNDING = Fraction(1, 10**14)  # what is so much smaller than the terms it is the sum of, constants being floats


def number(c: Fraction) -> Terms:
    """Return a constant."""
    return {((), 0): c} if c else {}


def atom(k: int, power: int = 1) -> Terms:
    """Return a power of atom number k."""
    return {((), power << (FIELD * k)): Fraction(1)}


def powers(packed: int) -> Iterator[tuple[int, int]]:
    """Give number and power of every atom of a term."""
    k = 0
    while packed:
        power = packed & ((1 << FIELD) - 1)
        if power:
            yield k, power
        packed >>= FIELD
        k += 1


def total(a: Terms, b: Terms, factor: Fraction = Fraction(1)) -> Terms:
    """Return a + factor b."""
    result = dict(a)
    for term, c in b.items():
        _gather(result, term, c * factor)
    return result


def scaled(a: Terms, factor: Fraction) -> Terms:
    """Return factor a."""
    return {term: c * factor for term, c in a.items()}


def product(a: Terms, b: Terms) -> Terms:
    """Return a b."""
    result: Terms = {}
    for (waves_a, powers_a), c_a in a.items():
        for (waves_b, powers_b), c_b in b.items():
            for waves, factor in waves_product(waves_a, waves_b):
                _gather(result, (waves, powers_a + powers_b), c_a * c_b * factor)
    return result


def _gather(terms: Terms, term: Term, c: Fraction) -> None:
    before = terms.get(term)
    if before is None:
        terms[term] = c
        return
    value = before + c
    if value and (value.denominator < 1 << 20 or abs(value) > ROUNDING * abs(c)):
        terms[term] = value
    else:
        del terms[term]


def wave(group: int, sine: bool, angles: Mapping[int, Fraction]) -> Terms:
    """Return a sine or cosine of a sum of multiples of angles of one group; angles : atom -> multiple."""
    (term, sign) = _wave(group, sine, angles)
    return {(term, 0): Fraction(sign)} if sign else {}


def _wave(group: int, sine: bool, angles: Mapping[int, Fraction]) -> tuple[Waves, int]:
    """Return the wave whose first multiple is positive, and its sign; none for the angle 0."""
    chosen = tuple((k, n) for k, n in sorted(angles.items()) if n)
    if not chosen:
        return (), 0 if sine else 1
    if chosen[0][1] > 0:
        return ((group, sine, chosen),), 1
    return ((group, sine, tuple((k, -n) for k, n in chosen)),), -1 if sine else 1


@lru_cache(maxsize=1 << 16)
def waves_product(a: Waves, b: Waves) -> tuple[tuple[Waves, Fraction], ...]:
    """Return waves and factor of every term of a product of waves."""
    if not a or not b:
        return ((a or b, Fraction(1)),)
    mine, other = ({w[0]: w for w in waves} for waves in (a, b))
    terms: list[tuple[Waves, Fraction]] = [((), Fraction(1))]
    for group in sorted({*mine, *other}):
        if group in mine and group in other:
            pieces = _same_group(mine[group], other[group])
        else:
            pieces = [((mine.get(group) or other[group],), Fraction(1))]
        terms = [(waves + more, c * factor) for waves, c in terms for more, factor in pieces]
    return tuple(terms)


def _same_group(a: Wave, b: Wave) -> list[tuple[Waves, Fraction]]:
    (group, sine_a, x), (_, sine_b, y) = a, b
    plus, minus = dict(x), dict(x)
    for k, n in y:
        plus[k], minus[k] = plus.get(k, Fraction(0)) + n, minus.get(k, Fraction(0)) - n
    sine = sine_a != sine_b
    signs = (-1 if sine_a and sine_b else 1, -1 if sine_b and not sine_a else 1)
    found = [(_wave(group, sine, angles), sign) for angles, sign in zip((plus, minus), signs, strict=True)]
    return [(waves, HALF * sign * own) for (waves, own), sign in found if own]
