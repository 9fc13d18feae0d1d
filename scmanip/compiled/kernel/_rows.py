"""Rows of outputs whose entries are sums of products with factors in common, as rows of matrices are: f_1 g_1l + f_2 g_2l + ...

An instruction can add to several entries of such a row at once. All entries of a row are summed in one order and fused in one
way, so that one state alone and many together come to equal bits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ...symbolic import ListedStep, Output, Program, first_step, needed_steps
from ._pieces import Pieces

LEAST = 2_200  # steps of the shortest program with rows; shorter ones stay in the processor's cache of instructions
WORTH = 1 / 8  # of the steps that rows must save, or they stay where they are
WIDTHS = (8, 4, 2)  # entries of a row that are added to at once; the last ones of a row may overlap those before

SIGNS = {"add": (1, 1), "sub": (1, -1), "neg": (-1,)}

Term = tuple[int, int, int]  # sign, and the numbers of two values that are multiplied


@dataclass(frozen=True)
class OutputRow:
    """Neighbouring entries of an output along one of its axes; entry l is the sum of factors[k] others[k][l].

    output, places : number of the output, and those of the entries in it
    entries : their values
    """

    output: int
    places: tuple[int, ...]
    entries: tuple[int, ...]
    factors: tuple[int, ...]
    others: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class InputTurns:
    """Neighbouring entries of an input of which sines and cosines are taken.

    input, first : number of the input, and of the first entry in it
    sines, cosines : values
    """

    input: int
    first: int
    sines: tuple[int, ...]
    cosines: tuple[int, ...]


@dataclass(frozen=True)
class Arrangement:
    """A program in the order in which its code is written.

    rows : whose sums are the steps with the values `sums`
    turns : whose sines and cosines are the first steps
    """

    program: Program
    rows: tuple[OutputRow, ...] = ()
    turns: tuple[InputTurns, ...] = ()
    sums: frozenset[int] = frozenset()

    @classmethod
    def of(cls, program: Program) -> Arrangement | None:
        """Return a program with its rows and turns, None for one whose rows are not worth it."""
        found = list(_Sums(program).rows()) if len(program.steps) > LEAST else []
        saved = sum((2 * len(row[0]) - 1) * (len(row) - len(blocks(len(row))[1])) for _, _, row in found)
        return _Arranging(program, found).result() if saved > WORTH * len(program.steps) else None

    @property
    def in_pieces(self) -> bool:
        """Whether the code is several functions."""
        return bool(self.rows) or Pieces.needed(self.program)

    @property
    def start(self) -> int:
        """Number of the first steps that are sines and cosines."""
        return sum(len(turns.sines) + len(turns.cosines) for turns in self.turns)


Found = tuple[int, tuple[int, ...], list[list[Term]]]
Signed = tuple[int, int]  # a value, 1 or -1
Sum = list[tuple[Signed, Signed]]


class _Sums:
    """The values of a program as sums of products."""

    def __init__(self, program: Program) -> None:
        self._program, self._first = program, first_step(program)
        self._uses = Counter(value for step in program.steps for value in step.args)
        self._taken: set[int] = set()
        self._known: dict[int, list[Term]] = {}

    def rows(self) -> Iterator[Found]:
        """Yield the rows with their output, the places of their entries, and the terms of all entries in one order.

        First those along the last axes, which neighbours in memory share, then those along the axes before.
        """
        for number, output in enumerate(self._program.outputs):
            places = np.arange(len(output.values)).reshape(output.shape)
            for axis in reversed(range(places.ndim)[-2:]) if places.size else ():
                for line in np.moveaxis(places, axis, -1).reshape(-1, places.shape[axis]).tolist():
                    for start, terms in self._runs([output.values[place] for place in line]):
                        found = tuple(line[start : start + len(terms)])
                        self._taken.update([output.values[place] for place in found])
                        yield number, found, terms

    def _runs(self, values: Sequence[int]) -> Iterator[tuple[int, list[list[Term]]]]:
        """Yield neighbours with factors in common among some values, from the last on."""
        all_terms = [self._terms(value) for value in values]
        end = len(values)
        while end > 1:
            last = all_terms[end - 1]
            common = _factors(last) & _factors(all_terms[end - 2])
            keys = [a if a in common else b if b in common else -1 for _, a, b in last]
            start, run = end, list[list[Term]]()
            while common and start and (terms := _by(keys, all_terms[start - 1])):
                start, run = start - 1, [terms, *run]
            if len(run) > 1:
                yield start, run
                all_terms = [[] if value in self._taken else terms for value, terms in zip(values, all_terms, strict=True)]
            end = start if len(run) > 1 else end - 1

    def _terms(self, value: int) -> list[Term]:
        """Return the terms of a value that only outputs take, none if it is no sum of products that nobody else takes."""
        if self._uses[value] or value in self._taken:
            return []
        if value not in self._known:
            self._known[value] = self._found(value)
        return self._known[value]

    def _found(self, value: int) -> list[Term]:
        steps, terms, stack = self._program.steps, list[Term](), [(1, value)]
        while stack:
            sign, value = stack.pop()
            if value < self._first or self._uses[value] > 1:
                return []
            op, args = steps[value - self._first]
            if op == "mul":
                terms.append((sign, args[0], args[1]))
            elif op in SIGNS:
                stack += [(sign * s, each) for each, s in zip(args[::-1], SIGNS[op][::-1], strict=True)]
            else:
                return []
        return terms if len(terms) > 1 else []


def blocks(entries: int) -> tuple[int, list[int]]:
    """Return how many of so many neighbours, two at least, are taken at once, and with which those begin."""
    width = next(width for width in WIDTHS if width <= entries)
    return width, [min(first, entries - width) for first in range(0, entries, width)]


def _factors(terms: Iterable[Term]) -> set[int]:
    return {x for _, a, b in terms for x in (a, b)}


def _by(keys: Sequence[int], terms: Sequence[Term]) -> list[Term]:
    """Return terms in the order of the factors `keys`, which come first; () if there is not one term for each.

    A factor that two terms have in common says of neither which one it is.
    """
    if len(keys) != len(terms) or len(set(keys)) < len(keys):
        return []
    found = {a if a in keys else b: (sign, a, b) if a in keys else (sign, b, a) for sign, a, b in terms}
    return [found[key] for key in keys] if found.keys() == set(keys) else []


class _Arranging:
    """A program on its way into another order.

    number : of values, by those in the given program
    """

    def __init__(self, program: Program, found: Sequence[Found]) -> None:
        self._program, self._first, self._found = program, first_step(program), found
        self._steps: list[ListedStep] = []
        self._number = {value: value for value in range(self._first)}
        self._negative: dict[int, int] = {}
        self._sums: list[int] = []

    def result(self) -> Arrangement:
        """Return sines and cosines of inputs, then all else that is needed, each sum after what it is made of."""
        outputs = self._program.outputs
        turns = tuple(self._turns())
        signed = [_by_factor(row) for *_, row in self._found]
        values = [[outputs[o].values[place] for place in places] for o, places, _ in self._found]
        sums = {e: self._sum(row, l) for row, entries in zip(signed, values, strict=True) for l, e in enumerate(entries)}
        self._write(sums)
        rows = [self._row(*each) for each in zip(self._found, values, signed, strict=True)]
        outputs = tuple(Output(o.name, o.shape, tuple(self._number[v] for v in o.values)) for o in outputs)
        program = Program(self._program.inputs, self._program.constants, tuple(self._steps), outputs)
        return Arrangement(program, tuple(rows), turns, frozenset(self._sums))

    def _added(self, op: str, *args: int) -> int:
        self._steps.append(ListedStep(op, args))
        return self._first + len(self._steps) - 1

    def _turns(self) -> Iterator[InputTurns]:
        """Yield neighbouring inputs that have both sines and cosines, and append these."""
        steps = enumerate(self._program.steps, self._first)
        taken = {(step.op, step.args[0]): value for value, step in steps if step.op in ("sin", "cos")}
        first = 0
        for number, item in enumerate(self._program.inputs):
            both = [("sin", first + k) in taken and ("cos", first + k) in taken for k in range(item.size)]
            for start, end in _stretches(both):
                made = []
                for op in ("sin", "cos"):
                    made.append([self._added(op, first + k) for k in range(start, end)])
                    self._number |= {taken[op, first + k]: value for k, value in zip(range(start, end), made[-1], strict=True)}
                yield InputTurns(number, start, tuple(made[0]), tuple(made[1]))
            first += item.size

    @staticmethod
    def _sum(row: Sequence[Sequence[Signed]], entry: int) -> Sum:
        """Return an entry of a row as a sum of products."""
        factors, *others = row
        return [(factor, other[entry]) for factor, other in zip(factors, others, strict=True)]

    def _write(self, sums: Mapping[int, Sum]) -> None:
        """Append all that outputs need, given some of them as sums."""
        needed = {entry: {value for pair in terms for value, _ in pair} for entry, terms in sums.items()}
        rest = [value for output in self._program.outputs for value in output.values if value not in sums]
        kept = self._kept([*set().union(*needed.values()), *rest])
        turned = self._turned(kept, rest, sums)
        waiting: dict[int, list[int]] = {}
        for entry, wanted in needed.items():
            wanted.difference_update(self._number)
            for value in wanted:
                waiting.setdefault(value, []).append(entry)
            if not wanted:
                self._add_sum(entry, sums[entry])
        for value in kept:
            op, args = self._program.steps[value - self._first]
            if value not in self._number:
                numbers = [self._number[arg] for arg in args]
                if value in turned:
                    self._negative[value] = self._added(op, *reversed(numbers))
                else:
                    self._number[value] = self._added(op, *numbers)
            for entry in waiting.pop(value, ()):
                needed[entry].discard(value)
                if not needed[entry]:
                    self._add_sum(entry, sums[entry])

    def _kept(self, wanted: Iterable[int]) -> list[int]:
        """Return the values of the steps that some values need."""
        needed = needed_steps(self._program, [Output("", (), tuple(wanted))])
        return [value for value, is_needed in enumerate(needed, self._first) if is_needed]

    def _turned(self, kept: Iterable[int], rest: Iterable[int], sums: Mapping[int, Sum]) -> set[int]:
        """Return differences of which only the opposite is wanted."""
        steps = self._program.steps
        fixed = {arg for value in kept for arg in steps[value - self._first].args}.union(rest)
        signs = {pair for terms in sums.values() for product in terms for pair in product}
        opposite = {value for value, sign in signs if sign < 0 and value not in fixed and (value, 1) not in signs}
        return {value for value in opposite if value >= self._first and steps[value - self._first].op == "sub"}

    def _add_sum(self, entry: int, terms: Sum) -> None:
        numbers = [(self._signed(*factor), self._signed(*other)) for factor, other in terms]
        total = self._added("mul", *numbers[0])
        self._sums.append(total)
        for product in numbers[1:]:
            total = self._added("fma", *product, total)
            self._sums.append(total)
        self._number[entry] = total

    def _signed(self, value: int, sign: int) -> int:
        """Return the number of a value with a sign."""
        if sign > 0:
            return self._number[value]
        if value not in self._negative:
            self._negative[value] = self._added("neg", self._number[value])
        return self._negative[value]

    def _row(self, found: Found, entries: Sequence[int], row: Sequence[Sequence[Signed]]) -> OutputRow:
        factors, *others = (tuple([self._signed(*signed) for signed in values]) for values in row)
        return OutputRow(found[0], found[1], tuple([self._number[entry] for entry in entries]), factors, tuple(others))


def _by_factor(row: Sequence[Sequence[Term]]) -> list[list[Signed]]:
    """Return the factors of a row, then what each is multiplied with in the entries.

    Factors have the signs of the last entry, so that what they are multiplied with is the same in many rows.
    """
    last = [sign for sign, _, _ in row[-1]]
    factors = [(factor, sign) for sign, factor, _ in row[-1]]
    return [factors, *([(terms[k][2], terms[k][0] * sign) for terms in row] for k, sign in enumerate(last))]


def _stretches(flags: Sequence[bool]) -> Iterator[tuple[int, int]]:
    """Yield where stretches of at least two true flags begin and end."""
    start = 0
    for k, flag in enumerate([*flags, False]):
        if not flag:
            if k - start > 1:
                yield start, k
            start = k + 1
