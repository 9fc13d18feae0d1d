"""A finished run, looked at in every one of its steps."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

import numpy as np

from ...spatial import Array
from ..loop._lagrange import Lagrange
from ..loop._replay import replayed, step_ends
from ..loop._setup import Setup
from ..loop._track import Track
from ._quadrature import PLACES, Quadrature
from ._samples import Samples, Which, samples_of

_KNOTS = np.concatenate([[0.0], (1 + PLACES) / 2, [1.0]])  # of a step, at which it is looked at
_INSIDE = Lagrange(_KNOTS)

_SHORTEST = 1e-250  # [s]: what a state changes in shorter steps is rounding, whose slope would be no number


def _slopes() -> Array:
    """Return the matrix (7, 9) from values at the knots to slopes at those inside, for steps of length 1."""
    away = _KNOTS[:, None] - _KNOTS
    np.fill_diagonal(away, 1.0)
    weights = away.prod(axis=1)
    slopes = np.outer(weights, 1 / weights) / away
    np.fill_diagonal(slopes, 0.0)
    np.fill_diagonal(slopes, -slopes.sum(axis=1))
    return slopes[1:-1]


_SLOPES = _slopes()


class Look:
    """The run once more, in one flight for all who want to know: at its samples, at the ends of its steps and at the seven
    places of Gauss and Legendre in each of them.

    In a step these are at most a fifth of it apart (0.203), so that the largest of them is short of the largest size of a
    smooth series by at most 0.0052 times the square of the step and the second derivative there.

    t : (n,) times of the samples [s]
    """

    def __init__(self, setup: Setup, track: Track, t: Array) -> None:
        self._setup, self._first, self._t = setup, track, t

    @cached_property
    def _ends(self) -> Array:
        return step_ends(self._setup, self._first)

    @cached_property
    def rule(self) -> Quadrature:
        """Integrals over the steps, of what is known at `inside`."""
        return Quadrature(self._ends)

    @cached_property
    def track(self) -> Track:
        """What the flight left behind."""
        times = np.unique(np.concatenate([self._t, self._ends, self.rule.times]))
        return replayed(self._setup, times[times > self._setup.start_s])

    @cached_property
    def samples(self) -> Samples:
        """All of them."""
        return self._samples(slice(None))

    @cached_property
    def inside(self) -> Samples:
        """Those at the places of the quadrature."""
        return self._samples(np.searchsorted(self.samples.t, self.rule.times))

    def _samples(self, which: Which) -> Samples:
        return samples_of(self._setup, self.track, which)

    @property
    def nodes(self) -> Array:
        """(steps, 8) numbers of the samples inside each step, and at its end."""
        inside = np.searchsorted(self.samples.t, self.rule.times).reshape(len(self.sizes), -1)
        ends = np.searchsorted(self.samples.t, self._ends[1:])  # where an event ends the run, but for rounding
        return np.column_stack([inside, np.minimum(ends, len(self.samples.t) - 1)])

    @property
    def sizes(self) -> Array:
        """(k,) sizes of the steps [s]."""
        return np.diff(self._ends)

    def step_of(self, times: Array) -> Array:
        """Return the number of the step in which each of the times (k,) [s] lies, or which ends there."""
        return np.clip(np.searchsorted(self._ends, times) - 1, 0, len(self._ends) - 2)

    def at(self, times: Array) -> Samples:
        """Return samples at any times (k,) [s] of the run.

        Dense output is a polynomial of degree 7 in every step, or of 3, which its values at nine places give back.
        """
        steps, track = self.step_of(times), self.track
        part = (times - self._ends[steps]) / self.sizes[steps]
        y = np.einsum("mk,mkn->mn", _INSIDE.parts(part), self._knots[steps])
        return Samples(self._setup, replace(track, times=[times], rows=[y], forces=[None] * len(times), commands=[]))

    @cached_property
    def _knots(self) -> Array:
        """(k, 9, n) vectors at the knots of the steps."""
        last = len(self.samples.t) - 1  # an event may end the run earlier by rounding when it is flown again
        corners = np.minimum(np.searchsorted(self.samples.t, self._ends), last)
        inside = np.searchsorted(self.samples.t, self.rule.times).reshape(len(self.sizes), -1)
        y: Array = self.samples.y[np.column_stack([corners[:-1], inside, corners[1:]])]
        return y

    @property
    def slopes(self) -> Array:
        """(7 k, n) slopes of the dense output at the places of the quadrature."""
        rates = _SLOPES @ self._knots / np.maximum(self.sizes, _SHORTEST)[:, None, None]
        return rates.reshape(-1, rates.shape[-1])
