"""A load that does not act for the time being."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..spatial import Array
from ..system import GROUND
from ._bodies import Bodies
from ._body_wrenches import BodyWrenches
from ._load import Load
from ._orbit import Orbit


@dataclass(frozen=True)
class Inhibited(Load):
    """In place of a load: its states, which rest, and its series, which are zero.

    load : what does not act
    """

    load: Load

    @property
    def called(self) -> str:
        """The name of the load."""
        return self.load.called

    @property
    def states(self) -> Mapping[str, str]:
        """Those of the load."""
        return self.load.states

    @property
    def start(self) -> Sequence[float]:
        """Likewise."""
        return self.load.start

    @property
    def outputs(self) -> Mapping[str, str]:
        """Likewise."""
        return self.load.outputs

    @property
    def origin_orbit(self) -> Orbit | None:
        """Likewise: the axes stay what they are."""
        return self.load.origin_orbit

    def wrenches(self, bodies: Bodies, t: Any) -> BodyWrenches:
        """Return none."""
        return bodies.on(GROUND, np.zeros(3))

    def rates(self, bodies: Bodies, t: Any) -> Array:
        """Return zeros (k,)."""
        return np.zeros(len(self.states))

    def output(self, bodies: Bodies, t: Any) -> Array:
        """Return zeros (k,)."""
        return np.zeros(len(self.outputs))
