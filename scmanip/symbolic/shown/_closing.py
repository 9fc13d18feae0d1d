"""From a program to the polynomials that a person would write: what is divided, and what it is divided by, gets a name.

Every value becomes a polynomial in the inputs, in sines and cosines, and in named parts. Products are written out, with two
exceptions, without which terms would be without number: a denominator is a part, and so is a sum that is multiplied by
something divided. H = A - L L' / S comes out in this form, with the parts L and S, whatever program gave it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import cos, isfinite, sin

from ...errors import InvalidInput, Problem
from ..listing._listing import Listing, Output, first_constant, first_step, needed_steps
from ._harmonics import FIELD, Terms, Waves, atom, number, powers, product, scaled, total, wave

Groups = Mapping[str, Sequence[Sequence[int]]]
ONE = Fraction(1)
ALIKE = 100  # the largest multiple of another part: beyond it what is left would be a difference of large numbers
MOST = 20_000  # products of two terms, of which a planar arm of six links needs 9000; some seconds
LONGEST = 1000  # terms of one sum, constants multiplied out; a planar arm of six links has 644


@dataclass(frozen=True, eq=False)
class Atom:
    """What terms are made of beside sines and cosines.

    op : "input", "part" (a polynomial), "inverse" (of an atom) or a function of polynomials
    args : the polynomials that it is made of; of an inverse the atom as one
    varies : whether it depends on more than constants
    """

    op: str
    args: tuple[Terms, ...]
    varies: bool


class ClosedPolynomials:
    """The values of a program as polynomials.

    constants : names of the inputs that do not vary
    groups : input -> groups of its entries whose angles are added; None for those that occur in one sine or cosine
    """

    def __init__(
        self, listing: Listing, constants: Iterable[str], groups: Mapping[str, Sequence[Sequence[int]]] | None
    ) -> None:
        self.listing = listing
        constants = set(constants)
        entries = [i.name not in constants for i in listing.inputs for _ in range(i.size)]
        self.atoms = [Atom("input", (), varies) for varies in entries]
        self._known: dict[object, tuple[int, Fraction]] = {}
        self._varying = sum(_field(k) for k, varies in enumerate(entries) if varies)
        self._inverses = 0
        self._work = 0
        self._group = self._shared_angles() if groups is None else self._given(groups)
        self.values: list[Terms | None] = [atom(k) for k in range(len(entries))]
        self.values += [number(_exact(c)) for c in listing.constants]
        self.values += [None] * len(listing.steps)

    def of(self, outputs: Sequence[Output]) -> list[list[Terms]]:
        """Return the entries of outputs; raises `InvalidInput` where they are more than a person would write."""
        first = first_step(self.listing)
        for k, used in enumerate(needed_steps(self.listing, outputs)):
            if used and self.values[first + k] is None:
                step = self.listing.steps[k]
                args = [self.values[a] for a in step.args]
                self.values[first + k] = self._step(step.op, *(a for a in args if a is not None))
        return [[self.reduced(self.values[k] or {}) for k in output.values] for output in outputs]

    def split(self, terms: Terms) -> dict[tuple[Waves, int], Terms]:
        """Return the coefficients, polynomials in constants, of waves and powers of what varies."""
        found: dict[tuple[Waves, int], Terms] = {}
        for (waves, packed), c in terms.items():
            varying = packed & self._varying
            found.setdefault((waves, varying), {})[(), packed ^ varying] = c
        return found

    def reduced(self, terms: Terms) -> Terms:
        """Return terms in which nothing stands beside its own inverse."""
        result: Terms = {}
        for (waves, packed), c in terms.items():
            there, left = dict(powers(packed)), packed
            for k in [k for k in there if self.atoms[k].op == "inverse"]:
                other = self.inverted(k)
                common = min(there[k], there.get(other, 0))
                left -= (common << (FIELD * k)) + (common << (FIELD * other))
            result = total(result, {(waves, left): c})
        return result

    def inverted(self, k: int) -> int:
        """Return the number of the atom of which atom k is the inverse."""
        ((_, packed),) = self.atoms[k].args[0]
        return next(powers(packed))[0]

    # Steps

    def _step(self, op: str, *args: Terms) -> Terms:
        if op in ("sin", "cos"):
            return self._of_angle(op, args[0])
        return RULES[op](self, *args) if op in RULES else self._atom(op, args)

    def product_of(self, a: Terms, b: Terms) -> Terms:
        """Return a b."""
        if self._divided(a) or self._divided(b):
            a, b = (self._named(x) if len(self.split(x)) > 1 else x for x in (a, b))
        self._work += len(a) * len(b)
        full = sum(1 << (FIELD * (k + 1) - 1) for k in range(len(self.atoms)))
        result = product(a, b) if self._work <= MOST else {}
        if self._work > MOST or len(result) > LONGEST or any(packed & full for _, packed in result):
            hint = "read .z and .matrix instead, or leave fewer numbers open"
            raise InvalidInput(Problem("expanded", f"sums of at most {LONGEST} terms", "longer ones", hint=hint))
        return result

    def _divided(self, terms: Terms) -> bool:
        """Whether something is divided by what varies."""
        return any(packed & self._inverses for _, packed in terms)

    def _named(self, terms: Terms) -> Terms:
        """Return terms as a multiple of one part."""
        lead = terms[min(terms)]
        key = frozenset(scaled(terms, 1 / lead).items())
        if key not in self._known:
            as_met = terms if lead > 0 or self._divided(terms) else scaled(terms, -ONE)
            self._known[key] = self._new("part", (self._by_others(as_met),), self._varies(terms)), as_met[min(terms)]
        k, own = self._known[key]
        return scaled(atom(k), lead / own)

    def _by_others(self, terms: Terms) -> Terms:
        """Return terms with an earlier part in place of all that is divided in them, where there is one."""
        for k, other in enumerate(self.atoms):
            if other.op == "part" and self._divided(other.args[0]) and self._divided(terms):
                mark = next(term for term in other.args[0] if term[1] & self._inverses)
                factor = terms.get(mark, Fraction(0)) / other.args[0][mark]
                rest = total(terms, other.args[0], -factor)
                if not self._divided(rest) and 1 / ALIKE < abs(factor) < ALIKE:
                    return total(rest, scaled(atom(k), factor))
        return terms

    def inverse_of(self, terms: Terms) -> Terms:
        """Return 1 / terms."""
        if not terms:
            raise InvalidInput(Problem("expanded", "denominators other than 0", "0"))
        if len(terms) > 1:
            terms = self._named(terms)
        (((waves, packed), c),) = terms.items()
        result = number(1 / c)
        if waves:
            (((_, alone), c_waves),) = self._named({(waves, 0): ONE}).items()
            result, packed = scaled(result, 1 / c_waves), packed + alone
        for k, power in powers(packed):
            result = product(result, atom(self._inverse_atom(k), power))
        return result

    def _inverse_atom(self, k: int) -> int:
        if self.atoms[k].op == "inverse":
            return self.inverted(k)
        if ("inverse", k) not in self._known:
            varies = self.atoms[k].varies
            self._known["inverse", k] = self._new("inverse", (atom(k),), varies), ONE
            if varies:
                self._inverses |= _field(len(self.atoms) - 1)
        return self._known["inverse", k][0]

    def _atom(self, op: str, args: tuple[Terms, ...]) -> Terms:
        """Return a function that is left as it stands."""
        key = op, tuple(frozenset(a.items()) for a in args)
        if key not in self._known:
            self._known[key] = self._new(op, tuple(map(self.reduced, args)), any(map(self._varies, args))), ONE
        return atom(self._known[key][0])

    def _new(self, op: str, args: tuple[Terms, ...], varies: bool) -> int:
        self.atoms.append(Atom(op, args, varies))
        if varies:
            self._varying |= _field(len(self.atoms) - 1)
        return len(self.atoms) - 1

    def _varies(self, terms: Terms) -> bool:
        return any(waves or packed & self._varying for waves, packed in terms)

    # Angles

    def _of_angle(self, op: str, angle: Terms) -> Terms:
        """Return the sine or cosine of a sum of multiples of angles; of anything else as it stands."""
        fixed, groups = Fraction(0), dict[int, dict[int, Fraction]]()
        for (waves, packed), c in angle.items():
            alone = list(powers(packed))
            if waves or len(alone) > 1 or (alone and alone[0][1] > 1):
                return self._atom(op, (angle,))
            if not alone:
                fixed = c
            else:
                k = alone[0][0]
                groups.setdefault(self._group.get(k, k), {})[k] = c
        cosine, sine = number(_exact(cos(fixed))), number(_exact(sin(fixed)))
        for group, angles in sorted(groups.items()):
            ahead, aside = wave(group, False, angles), wave(group, True, angles)
            before = cosine
            cosine = total(product(cosine, ahead), product(sine, aside), -ONE)
            sine = total(product(sine, ahead), product(before, aside))
        return sine if op == "sin" else cosine

    def _given(self, groups: Groups) -> dict[int, int]:
        found, first = dict[int, int](), 0
        for i in self.listing.inputs:
            for group in groups.get(i.name, ()):
                found |= {first + entry: first + min(group) for entry in group}
            first += i.size
        return found

    def _shared_angles(self) -> dict[int, int]:
        """Return input -> group of those that stand in one sine or cosine together."""
        group = {k: k for k in range(first_constant(self.listing))}
        inside: list[frozenset[int]] = [frozenset({k}) for k in group]
        inside += [frozenset()] * len(self.listing.constants)
        for step in self.listing.steps:
            parts = frozenset[int]().union(*(inside[a] for a in step.args))
            inside.append(parts if step.op in ("add", "sub", "neg") else frozenset())
            if step.op in ("sin", "cos") and parts:
                joined = {group[k] for k in parts}
                group = {k: min(joined) if g in joined else g for k, g in group.items()}
        return group


RULES: dict[str, Callable[..., Terms]] = {
    "add": lambda closing, a, b: total(a, b),
    "sub": lambda closing, a, b: total(a, b, -ONE),
    "neg": lambda closing, a: scaled(a, -ONE),
    "mul": lambda closing, a, b: closing.product_of(a, b),
    "div": lambda closing, a, b: closing.product_of(a, closing.inverse_of(b)),
}


def _field(k: int) -> int:
    """Return the mask of the power of atom k."""
    return ((1 << FIELD) - 1) << (FIELD * k)


def _exact(c: float) -> Fraction:
    if not isfinite(c):
        raise InvalidInput(Problem("expanded", "finite constants", str(c), hint="read .z and .matrix instead"))
    return Fraction(c)
