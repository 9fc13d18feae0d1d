"""A finished run, looked at in every one of its steps."""

from __future__ import annotations

from copy import copy
from functools import cached_property

import numpy as np

from ...spatial import Array
from ..loop._replay import replayed, step_ends, step_shapes
from ..loop._setup import Setup
from ..loop._track import Track
from ._quadrature import Quadrature
from ._samples import Samples, SomeSamples, samples_of
from ._shapes import Shapes
from ._together import balance


class Look:
    """The run at its samples, at the ends of its steps and at the seven places of Gauss and Legendre in each of them, for all
    who want to know: by the shapes of its steps where they were kept, else once more, in one flight.

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
    def _kept(self) -> Array | None:
        """The shapes of the steps; the run decides whether they are kept, so that what is told of it does not depend on who
        looked on while it was flown.
        """
        return step_shapes(self._setup, self._first)

    @cached_property
    def _again(self) -> Track:
        return replayed(self._setup, self._first, self._times)

    @property
    def _times(self) -> Array:
        times = np.unique(np.concatenate([self._t, self._ends, self.rule.times]))
        return times[times > self._setup.start_s]

    @cached_property
    def shapes(self) -> Shapes:
        """The polynomials of the steps."""
        if self._kept is not None:
            return Shapes.kept(self._kept, self._setup.frame.size)
        last = len(self.samples.t) - 1  # an event may end the run earlier by rounding when it is flown again
        corners = np.minimum(np.searchsorted(self.samples.t, self._ends), last)
        inside = np.searchsorted(self.samples.t, self.rule.times).reshape(len(self.sizes), -1)
        return Shapes.through(self.samples.y, np.column_stack([corners[:-1], inside, corners[1:]]))

    @cached_property
    def track(self) -> Track:
        """What the run leaves behind at all of them."""
        return self._again if self._kept is None else self._sampled(self._times)

    def _sampled(self, times: Array) -> Track:
        """Return the run at times (k,) behind its start, its own samples among them."""
        first = self._first
        times = np.concatenate([[self._setup.start_s], times])
        y = self._y(times)
        y[np.searchsorted(times, self._t)] = np.concatenate(first.rows)
        return _told(first, times, y)

    @cached_property
    def samples(self) -> Samples:
        """All of them."""
        return samples_of(self._setup, self.track)

    @cached_property
    def inside(self) -> Samples:
        """Those at the places of the quadrature."""
        if self._kept is not None:
            return samples_of(self._setup, _told(self._first, self.rule.times, self.shapes.inside))
        return SomeSamples(self.samples, np.searchsorted(self.samples.t, self.rule.times))

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

        Dense output is a polynomial of degree 7 in every step, or of 3.
        """
        return Samples(self._setup, _told(self.track, times, self._y(times)))

    def _y(self, times: Array) -> Array:
        steps = self.step_of(times)
        return self.shapes.at(steps, (times - self._ends[steps]) / self.sizes[steps])

    @cached_property
    def balance(self) -> Array:
        """What inverse dynamics asks for at the places of the quadrature, and how much more for the steps' polynomials."""
        return balance(self._setup.frame, self.inside, self.shapes.slopes(self.sizes), self._setup.start_s)


def _told(track: Track, times: Array, y: Array) -> Track:
    """Return a track with other samples, of which nobody noted anything."""
    told = copy(track)
    told.times, told.rows, told.forces, told.commands = [times], [y], [None] * len(times), []
    return told
