"""A program in two: what some inputs alone decide, done once, and the rest."""

from __future__ import annotations

from collections.abc import Collection
from itertools import chain

from .listing._listing import Input, ListedStep, Listing, Output, Parts, first_constant, first_step

PREPARED = "prepared"


def hoisted(listing: Listing, names: Collection[str]) -> tuple[Parts, Parts]:
    """Return the parts of the program from the inputs `names` to what is prepared, and of the program from that and the others.

    prepared : (k,) every value of the inputs `names` alone that the rest uses, in the order in which they are computed
    """
    early = _known_early(listing, names)
    given = [value for value in _asked(listing, early) if early[value]]
    done = early[first_step(listing) :]
    return _preparing(listing, names, done, given), _running(listing, names, done, given)


def _known_early(listing: Listing, names: Collection[str]) -> list[bool]:
    """Return of every value whether inputs of these names decide it; constants count where they stand."""
    early = [each.name in names for each in listing.inputs for _ in range(each.size)]
    early += [False] * len(listing.constants)
    begin, end = first_constant(listing), first_step(listing)
    for _, args in listing.steps:
        early.append(all([early[value] or begin <= value < end for value in args]))
    return early


def _asked(listing: Listing, early: list[bool]) -> list[int]:
    """Return the values that late steps and outputs use, in the order of their numbers."""
    first = first_step(listing)
    late = [step.args for k, step in enumerate(listing.steps) if not early[first + k]]
    return sorted(set(chain.from_iterable([*late, *(output.values for output in listing.outputs)])))


def _preparing(listing: Listing, names: Collection[str], done: list[bool], given: list[int]) -> Parts:
    inputs = tuple(each for each in listing.inputs if each.name in names)
    number = _numbers(listing, inputs)
    steps = _renumbered(listing, inputs, number, [k for k, early in enumerate(done) if early])
    output = Output(PREPARED, (len(given),), tuple(number[value] for value in given))
    return inputs, listing.constants, steps, (output,)


def _running(listing: Listing, names: Collection[str], done: list[bool], given: list[int]) -> Parts:
    inputs = (Input(PREPARED, (len(given),)), *(each for each in listing.inputs if each.name not in names))
    number = _numbers(listing, inputs) | {value: k for k, value in enumerate(given)}
    steps = _renumbered(listing, inputs, number, [k for k, early in enumerate(done) if not early])
    outputs = tuple(Output(o.name, o.shape, tuple(number[value] for value in o.values)) for o in listing.outputs)
    return inputs, listing.constants, steps, outputs


def _numbers(listing: Listing, inputs: tuple[Input, ...]) -> dict[int, int]:
    """Return the new numbers of entries of inputs and of constants, by their old ones."""
    starts, end = {}, 0
    for each in inputs:
        starts[each.name], end = end, end + each.size
    number, place = dict[int, int](), 0
    for each in listing.inputs:
        if each.name in starts:
            number |= {place + k: starts[each.name] + k for k in range(each.size)}
        place += each.size
    return number | {place + k: end + k for k in range(len(listing.constants))}


def _renumbered(
    listing: Listing, inputs: tuple[Input, ...], number: dict[int, int], chosen: list[int]
) -> tuple[ListedStep, ...]:
    """Return some steps with new numbers, which are noted in `number`."""
    first, steps = first_step(listing), list[ListedStep]()
    start = sum(each.size for each in inputs) + len(listing.constants)
    for k in chosen:
        op, args = listing.steps[k]
        number[first + k] = start + len(steps)
        steps.append(ListedStep(op, tuple([number[value] for value in args])))
    return tuple(steps)
