"""A run once more, to look at it between its samples."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...spatial import Array
from ._advance import advance
from ._setup import Setup
from ._track import Track


def step_ends(setup: Setup, track: Track) -> Array:
    """Return the times [s] between which the run went in one step, its start in front."""
    ends = track.ends
    if len(ends) < track.steps:  # several steps were taken at once, and not noted
        ends = []
        advance(replace(setup, progress=ends.append))
    return np.concatenate([[setup.start_s], ends])


def replayed(setup: Setup, times: Array) -> Track:
    """Return the run sampled at `times` (k,) [s], ascending, inside it, behind a sample at its start."""
    again = replace(setup, samples=np.concatenate([[setup.start_s], times]), progress=None)
    track: Track = advance(again) if setup.flown is None else setup.flown(again)
    return track
