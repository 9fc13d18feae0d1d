"""A load that does not act for the time being."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import checked
from ..spatial import Array
from ..system import GROUND
from ._bodies import Bodies
from ._body_wrenches import BodyWrenches
from ._load import Load
from ._orbit import Orbit


@checked
@dataclass(frozen=True)
class Inhibited(Load):
    """In place of a load: its states, which rest, and its series, which are zero. It has no formula of its own.

    load : what does not act

    >>> hold = AttitudeHold("base", stiffness_Nm_rad=20.0, damping_Nms_rad=60.0)
    >>> off = Inhibited(hold)
    >>> off.called, off.wrenches(Bodies(system, model.equations(state)), 0.0).n.any().tolist()
    ('attitude_hold', False)
    """

    load: Load

    @property
    def called(self) -> str:
        return self.load.called

    @property
    def states(self) -> Mapping[str, str]:
        return self.load.states

    @property
    def start(self) -> Sequence[float]:
        return self.load.start

    @property
    def outputs(self) -> Mapping[str, str]:
        return self.load.outputs

    @property
    def pushes(self) -> Sequence[str]:
        return self.load.pushes

    @property
    def origin_orbit(self) -> Orbit | None:
        """Likewise: the axes stay what they are."""
        return self.load.origin_orbit

    def wrenches(self, bodies: Bodies, t: Any) -> BodyWrenches:
        return bodies.on(GROUND, np.zeros(3))

    def rates(self, bodies: Bodies, t: Any) -> Array:
        """Return zeros (k,)."""
        return np.zeros(len(self.states))

    def output(self, bodies: Bodies, t: Any) -> Array:
        """Return zeros (k,)."""
        return np.zeros(len(self.outputs))

    def pushing(self, bodies: Bodies, t: Any) -> Array:
        """Return no force (2, k, 3) where the load would have its own."""
        places, forces = self.load.pushing(bodies, t)
        return np.array([places, np.zeros_like(forces)])
