"""Common pairs of terms: x + y is computed once for the sums a + x + y and x + y + b, likewise x y for products."""

from __future__ import annotations

from functools import partial
from heapq import heapify, heappop, heappush
from itertools import combinations

from ._graph import Graph
from ._listing import Listing, first_step
from ._replay import Rewrite
from ._scalar import Value
from ._terms import PRODUCT, roots

Group = dict[int, int]  # term -> sign
Pair = tuple[int, int, int]  # two terms, the smaller number first, and the sign of the second when the first has +
LONGEST = 80  # terms; longer sums are left alone, since their pairs grow with the square


def shared(listing: Listing, graph: Graph, family: tuple[str, ...]) -> dict[int, Rewrite]:
    """Compute the common pairs of sums or products, the `family`, once."""
    found = roots(listing, family)
    groups = {root: dict(t) for root, t in found.items() if 1 < len(dict(t)) == len(t) <= LONGEST}
    pairs = _taken_out(groups, first_step(listing) + len(listing.steps))
    made: dict[int, Value] = {}

    def combine(a: Value, b: Value, sign: int) -> Value:
        if family is PRODUCT:
            return graph.multiply(a, b)
        return graph.add(a, b) if sign > 0 else graph.subtract(a, b)

    def term(number: int, values: list[Value]) -> Value:
        if number < len(values):
            return values[number]
        waiting = [number]
        while waiting:
            a, b, sign = pairs[waiting[-1]]
            missing = [k for k in (a, b) if k in pairs and k not in made]
            if missing:
                waiting += missing
            else:
                x, y = (made[k] if k in pairs else values[k] for k in (a, b))
                made[waiting.pop()] = combine(x, y, sign)
        return made[number]

    def rebuilt(group: Group, _: int, values: list[Value]) -> Value:
        total: Value = 1.0 if family is PRODUCT else 0.0
        for number, sign in group.items():
            total = combine(total, term(number, values), sign)
        return total

    return {root: partial(rebuilt, group) for root, group in groups.items() if any(k in pairs for k in group)}


def _taken_out(groups: dict[int, Group], number: int) -> dict[int, Pair]:
    """Replace, most frequent first, pairs that occur twice in `groups` by new terms, and return these by number."""
    places: dict[Pair, dict[int, None]] = {}
    for root, group in groups.items():
        for pair in _pairs(group):
            places.setdefault(pair, {})[root] = None
    queue = [(-len(where), pair) for pair, where in places.items() if len(where) > 1]
    heapify(queue)
    pairs: dict[int, Pair] = {}
    while queue:
        count, pair = heappop(queue)
        where = places[pair]
        if len(where) != -count:
            if len(where) > 1:
                heappush(queue, (-len(where), pair))
            continue
        pairs[number] = pair
        for root in list(where):
            _replace(groups[root], pair, number, root, places, queue)
        number += 1
    return pairs


def _pairs(group: Group) -> list[Pair]:
    return [_pair(a, b, group) for a, b in combinations(sorted(group), 2)]


def _pair(a: int, b: int, group: Group) -> Pair:
    return (a, b, group[a] * group[b]) if a < b else (b, a, group[a] * group[b])


def _replace(
    group: Group, pair: Pair, number: int, root: int, places: dict[Pair, dict[int, None]], queue: list[tuple[int, Pair]]
) -> None:
    a, b, _ = pair
    for k in (a, b):
        for other in group:
            if other != k:
                places[_pair(k, other, group)].pop(root, None)
    sign = group[a]
    position = min(list(group).index(a), list(group).index(b))
    rest = [(k, s) for k, s in group.items() if k not in (a, b)]
    rest.insert(position, (number, sign))
    group.clear()
    group.update(rest)
    for other in group:
        if other != number:
            new = _pair(number, other, group)
            where = places.setdefault(new, {})
            where[root] = None
            if len(where) > 1:
                heappush(queue, (-len(where), new))
