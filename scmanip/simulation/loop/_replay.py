"""A run once more, to look at it between its samples."""

from __future__ import annotations

import numpy as np

from ...spatial import Array
from ..events._outcome import Outcome
from ._advance import advance
from ._native import MOST_SHAPES
from ._sample_and_hold import HeldAgain
from ._setup import Setup
from ._track import Track

_SPOILT = Outcome.NOT_FINITE, Outcome.INFEASIBLE  # by what a sampled law said, or did not say


def step_ends(setup: Setup, track: Track) -> Array:
    """Return the times [s] between which the run went in one step, its start in front."""
    return np.array([setup.start_s, *track.ends])


def replayed(setup: Setup, track: Track, times: Array) -> Track:
    """Return the run sampled at `times` (k,) [s], ascending, inside it, behind a sample at its start."""
    again = setup.again(np.concatenate([[setup.start_s], times]))
    flown: Track = advance(again, _held(again, track)) if setup.flown is None else setup.flown(again)
    flown.in_one_piece()
    return flown


def step_shapes(setup: Setup, track: Track) -> Array | None:
    """Return the shapes of all steps as `Track.shapes`, which the run has kept or else does once more; None of a run that has
    too many, or that cannot keep them.
    """
    if track.left or track.steps > MOST_SHAPES:
        return None
    found, known = track.shapes, setup.pair is not None and not setup.pair.asks and setup.flown is None
    if not len(found) and track.in_machine_code and known:
        again = setup.again(setup.samples[:1], shaped=True)
        found = found if again.looked_at else advance(again, _held(again, track)).shapes
    return found if len(found) == track.steps > 0 else None


def _held(setup: Setup, track: Track) -> HeldAgain | None:
    """Return the commands of a sampled run, whose law is not asked again; None where it is asked."""
    if setup.sampled is None or track.hold is None or setup.observation is not None or track.verdict.outcome in _SPOILT:
        return None
    return HeldAgain(setup, setup.sampled, track.hold)
