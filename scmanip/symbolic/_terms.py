"""Sums and products of many terms, found in a program that only knows those of two.

A sum that nothing but another sum uses is part of that other sum; likewise for products. What remains are the roots.
"""

from __future__ import annotations

from ._listing import Listing, first_step

SUM, PRODUCT = ("add", "sub", "neg"), ("mul",)
Terms = list[tuple[int, int]]  # value number and sign, +1 or -1


def use_counts(listing: Listing) -> list[int]:
    """Return how often each value is used by steps and outputs."""
    uses = [0] * (first_step(listing) + len(listing.steps))
    for step in listing.steps:
        for k in step.args:
            uses[k] += 1
    for output in listing.outputs:
        for k in output.values:
            uses[k] += 1
    return uses


def roots(listing: Listing, family: tuple[str, ...]) -> dict[int, Terms]:
    """Return the terms of every root of a family, `SUM` or `PRODUCT`, in the order of the program."""
    first, uses = first_step(listing), use_counts(listing)
    terms: dict[int, Terms] = {}
    for number, step in enumerate(listing.steps, first):
        if step.op in family:
            own: Terms = []
            for place, k in enumerate(step.args):
                sign = -1 if step.op == "neg" or (step.op == "sub" and place == 1) else 1
                inner = terms.pop(k) if k in terms and uses[k] == 1 else [(k, 1)]
                own += inner if sign > 0 else [(x, -s) for x, s in inner]
            terms[number] = own
    return terms
