"""a b + a c + d = a (b + c) + d in sums of many products."""

from __future__ import annotations

from functools import partial
from typing import Any

from ._graph import Graph
from ._listing import Listing
from ._replay import Rewrite
from ._scalar import Value
from ._terms import PRODUCT, SUM, roots, use_counts

Product = tuple[int, list[Value]]  # sign and factors


def factored(listing: Listing, graph: Graph) -> dict[int, Rewrite]:
    """Take common factors out of sums, where no product is used twice."""
    uses, products = use_counts(listing), roots(listing, PRODUCT)

    def factors(term: int) -> list[int]:
        return [k for k, _ in products[term]] if uses[term] == 1 and term in products else [term]

    def rebuilt(terms: list[tuple[int, list[int]]], _: int, values: list[Value]) -> Value:
        return _sum(graph, [(sign, [values[k] for k in numbers]) for sign, numbers in terms])

    rewrite: dict[int, Rewrite] = {}
    for root, terms in roots(listing, SUM).items():
        split = [(sign, factors(term)) for term, sign in terms]
        if _most_frequent(split) is not None:
            rewrite[root] = partial(rebuilt, split)
    return rewrite


def _sum(graph: Graph, terms: list[Product]) -> Value:
    """Return the sum of products, the most frequent common factor taken out first."""
    common = _most_frequent(terms)
    if common is None:
        total: Value = 0.0
        for sign, factors in terms:
            product = _product(graph, factors)
            total = graph.add(total, product) if sign > 0 else graph.subtract(total, product)
        return total
    inside = [(sign, _without(factors, common)) for sign, factors in terms if _has(factors, common)]
    outside = [(sign, factors) for sign, factors in terms if not _has(factors, common)]
    merged = graph.multiply(common, _sum(graph, inside))
    if not outside:
        return merged
    place = next(k for k, (_, factors) in enumerate(terms) if _has(factors, common))
    outside.insert(min(place, len(outside)), (1, [merged]))
    return _sum(graph, outside)


def _most_frequent(terms: list[Any]) -> Any:
    counts: dict[Any, int] = {}
    for _, factors in terms:
        if len(factors) > 1:
            for x in dict.fromkeys(factors):
                counts[x] = counts.get(x, 0) + 1
    best = max(counts.values(), default=0)
    return None if best < 2 else next(x for x, count in counts.items() if count == best)


def _has(factors: list[Value], x: Value) -> bool:
    return len(factors) > 1 and x in factors


def _without(factors: list[Value], x: Value) -> list[Value]:
    rest = list(factors)
    rest.remove(x)
    return rest


def _product(graph: Graph, factors: list[Value]) -> Value:
    result: Value = 1.0
    for x in factors:
        result = graph.multiply(result, x)
    return result
