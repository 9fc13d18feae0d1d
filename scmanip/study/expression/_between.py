"""The largest value and the integral of a series, between its samples too."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...spatial import Array
from ._grid import GAUSS, NODES, Grid, Places, Whole, added

Local = Callable[[Places], Array]

MOST_PEAKS, MOST_KINKS = 16, 200  # intervals of a case that are looked into
PARTS = np.linspace(0.0, 1.0, 9)  # of an interval, at which it is looked at first
CLOSER, TIMES = 4.0, 5  # how much closer it is looked each time around the largest of those, and how often
SPARE = 2.0  # in the estimate of how far a series may rise between samples
SAME = 1e-9  # relative difference of values that are held by a limit
DIVIDED = 8  # parts of such an interval in an integral
ROUGH = 1e-7  # of an integral over all: a difference between polynomials in one interval that is looked into


def largest(data: Array, grid: Grid, local: Local) -> tuple[Array, Array]:
    """Return the largest values (cases,) of series (cases, ..., K), and what polynomials of lower degree make of them there.

    local : gives (P, ..., Q) at other places
    """
    flat = data.reshape(len(data), -1, data.shape[-1])
    sampled = flat.max(axis=(1, 2))
    cases, intervals = _candidates(flat, grid, sampled)
    if not cases.size:
        return sampled, sampled

    def look(cases: Whole, intervals: Whole, parts: Array, lower: bool = False) -> Array:
        values = local(Places(grid, cases, intervals, parts, lower))
        return values.reshape(len(cases), -1, parts.shape[1]).max(axis=1)

    found = look(cases, intervals, np.tile(PARTS, (len(cases), 1)))
    less = look(cases, intervals, np.tile(PARTS, (len(cases), 1)), lower=True)
    first = np.flatnonzero(np.diff(cases, prepend=-1))
    tops = [np.maximum.reduceat(each.max(axis=1), first) for each in (found, less)]
    unsure = np.abs(np.maximum(tops[1], sampled[cases[first]]) - np.maximum(tops[0], sampled[cases[first]]))
    near = _near(cases, found)
    cases, intervals, middle = cases[near], intervals[near], PARTS[found[near].argmax(axis=1)]
    width = PARTS[1]
    for _ in range(TIMES):
        width /= CLOSER
        parts = np.clip(middle[:, None] + width * np.arange(-4, 5), 0.0, 1.0)
        found = look(cases, intervals, parts)
        middle = parts[np.arange(len(parts)), found.argmax(axis=1)]
    chosen = _first_best(cases, found.max(axis=1))
    cases, intervals, middle, best = cases[chosen], intervals[chosen], middle[chosen], found[chosen].max(axis=1)
    lower = look(cases, intervals, middle[:, None], lower=True)[:, 0]
    peaks, other = sampled.copy(), sampled.copy()
    peaks[cases] = np.fmax(best, sampled[cases])
    held = np.asarray(_level(flat, grid, sampled, 2).any(axis=(1, 2)))[
        cases
    ]  # perhaps by a limit, and then there is no peak between
    other[cases] = peaks[cases] + np.fmax(np.fmax(np.abs(lower - best), unsure), np.where(held, best - sampled[cases], 0.0))
    return peaks, other


def _candidates(flat: Array, grid: Grid, sampled: Array) -> tuple[Whole, Whole]:
    """Return cases and intervals (P,) in which series (cases, components, K) may rise above their largest samples."""
    size, open_ = np.where(grid.sizes > 0, grid.sizes, np.inf)[:, None], (grid.sizes > 0)[:, None]
    slopes = np.diff(flat) / size
    bend = np.zeros_like(flat)
    middle = (size[..., 1:] + size[..., :-1]) / 2
    bend[..., 1:-1] = np.where(grid.bends[:, None, 1:-1], np.abs(np.diff(slopes)) / middle, 0.0)
    bend[..., 1:-1] = np.maximum(bend[..., 1:-1], np.maximum(bend[..., 2:], bend[..., :-2]))
    rise = SPARE / 8 * grid.sizes[:, None] ** 2 * np.maximum(bend[..., 1:], bend[..., :-1])
    tops = np.maximum(flat[..., 1:], flat[..., :-1]) + rise
    tops = np.where(open_ & ~_by_plateaus(flat, grid, sampled), tops, -np.inf).max(axis=1)
    return _foremost(tops, sampled, MOST_PEAKS)


def _by_plateaus(flat: Array, grid: Grid, sampled: Array) -> Array:
    """Return (cases, components, K - 1) in which intervals polynomials would overshoot, because a limit holds the series.

    That is where three samples in a row have the largest value.
    """
    held, three = np.zeros(flat.shape, dtype=bool), _level(flat, grid, sampled, 3)
    for first in range(3):
        held[..., first : first + three.shape[-1]] |= three
    near = held[..., 1:] | held[..., :-1]
    found = near.copy()
    for step in range(1, NODES // 2):
        found[..., step:] |= near[..., :-step]
        found[..., :-step] |= near[..., step:]
    return found


def _level(flat: Array, grid: Grid, sampled: Array, count: int) -> Array:
    """Return (cases, components, K - count + 1) whether so many samples in a row have the largest value of their case."""
    level = flat >= (sampled - SAME * np.abs(sampled))[:, None, None]
    apart = (grid.sizes > 0)[:, None]
    for _ in range(count - 1):
        level, apart = level[..., 1:] & level[..., :-1] & apart, apart[..., 1:]
    return np.asarray(level)


def _foremost(scores: Array, least: Array, most: int) -> tuple[Whole, Whole]:
    """Return cases and intervals, case by case, of the highest scores (cases, K - 1) above `least` (cases,)."""
    order = np.argsort(-scores, axis=1, kind="stable")[:, :most]
    cases, rank = np.nonzero(np.take_along_axis(scores, order, axis=1) > least[:, None])
    return cases, order[cases, rank]


def _first_best(cases: Whole, values: Array) -> Whole:
    """Return, of each case, where its largest value is first; cases are ascending."""
    order = np.lexsort((-values, cases))
    return order[np.flatnonzero(np.diff(cases[order], prepend=-1))]


def _near(cases: Whole, found: Array) -> Whole:
    """Return which of the intervals, with values (P, Q) in each, may have the largest value of their case between those."""
    top = found.max(axis=1)
    bend = np.abs(np.diff(found, 2)).max(axis=1)
    best = top[_first_best(cases, top)]
    return np.flatnonzero(~(top + bend < best[np.cumsum(np.diff(cases, prepend=cases[0]) > 0)]))


def integral(data: Array, grid: Grid, local: Local) -> tuple[Array, Array]:
    """Return integrals over time (cases, ...) of series (cases, ..., K), and the same with what polynomials of lower degree
    change in each interval added up.

    Intervals in which the two differ, as at a kink, are divided into parts. `local` as for `largest`.
    """
    flat = data.reshape(len(data), -1, data.shape[-1])
    fine, coarse = _each(flat, grid)
    total, apart = added(flat * grid.fine.whole[:, None]), np.abs(fine - coarse)
    size = added(np.abs(flat) * np.abs(grid.fine.whole[:, None]))
    scores = np.max(apart / np.where(size > 0, size, 1.0)[..., None], axis=1, initial=0.0)
    cases, intervals = _foremost(_spread(scores), np.full(len(data), ROUGH), MOST_KINKS)
    if cases.size:
        closer, less = (
            _composite(grid, cases, intervals, parts, lower, local).reshape(len(cases), -1)
            for parts, lower in ((DIVIDED, False), (DIVIDED - 2, True))
        )
        np.add.at(total, cases, closer - fine[cases, :, intervals])
        apart[cases, :, intervals] = np.abs(closer - less)
    shape = data.shape[:-1]
    return total.reshape(shape), (total + added(apart)).reshape(shape)


def _spread(scores: Array) -> Array:
    """Return the highest score (cases, K - 1) among intervals whose polynomials have nodes in common."""
    result = scores.copy()
    for step in range(1, NODES // 2 + 1):
        result[:, step:] = np.fmax(result[:, step:], scores[:, :-step])
        result[:, :-step] = np.fmax(result[:, :-step], scores[:, step:])
    return result


def _each(flat: Array, grid: Grid) -> list[Array]:
    """Return the integrals (cases, components, K - 1) over every interval, by polynomials of both degrees."""
    results = []
    for rule in (grid.fine, grid.coarse):
        total = np.zeros((*flat.shape[:2], flat.shape[2] - 1))
        for m in range(rule.nodes.shape[2]):
            total += rule.picked(flat, m) * rule.integrals[:, None, :, m]
        results.append(total)
    return results


def _composite(grid: Grid, cases: Whole, intervals: Whole, count: int, lower: bool, local: Local) -> Array:
    """Return integrals (P, ...) over intervals in so many parts, each by Gauss and Legendre's rule."""
    places, weights = GAUSS
    parts = ((np.arange(count)[:, None] + places) / count).ravel()
    values = local(Places(grid, cases, intervals, np.tile(parts, (len(cases), 1)), lower))
    scale = grid.sizes[grid.row(cases), intervals].reshape(-1, *(1,) * (values.ndim - 2))
    return np.asarray(np.sum(np.ascontiguousarray(values * np.tile(weights / count, count)), axis=-1) * scale)
