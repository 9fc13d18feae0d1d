"""Numbers of the law of a run."""

from __future__ import annotations

from collections.abc import Mapping

from ...control import numbers_of
from ...spatial import Array
from ..loop._sample_and_hold import said_by
from ..loop._setup import Setup

OF_LAW = "controller."  # what their paths begin with


def law_numbers(setup: Setup) -> Mapping[str, Array]:
    """Return the numbers of the law, of a sampled one those with which it finds its commands."""
    if setup.sampled is not None:
        said = said_by(setup, setup.sampled.law)
        return {} if said is None else numbers_of(said.law)
    return {} if setup.pair is None else numbers_of(setup.pair.law)
