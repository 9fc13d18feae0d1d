"""What constraints do in a run."""

from __future__ import annotations

import numpy as np

from ...channels import Bundle, Channel
from ...spatial import Array
from ..loop._setup import Setup
from ._samples import Samples

_APPLIED = "what each constraint applies while it holds, in the sense of its kind"


class ConstraintSeries:
    """Which constraints of a system hold at the samples of a run, and with what forces."""

    def __init__(self, setup: Setup, samples: Samples) -> None:
        self._plant, self._samples = setup.plant, samples

    def active(self) -> Array:
        """Return (n, n_constraints): 1 where one holds."""
        held = [float(one.name in self._plant.constraints) for one in self._plant.model.system.constraints]
        return np.tile(held, (len(self._samples.t), 1))

    def forces(self) -> Array:
        """Return (n, n_rows) of all constraints; zero where one does not hold."""
        plant, samples = self._plant, self._samples
        forces = np.zeros((len(samples.t), len(plant.constraint_rows)))
        if plant.holding is not None:
            places = [k for k, row in enumerate(plant.constraint_rows) if row in plant.holding.stack.labels]
            order = [plant.holding.stack.labels.index(plant.constraint_rows[k]) for k in places]
            forces[:, places] = plant.constraint_forces(samples.states.x, samples.t, samples.output("reaction"))[:, order]
        return forces


CONSTRAINTS: tuple[Bundle[ConstraintSeries], ...] = (
    Bundle(
        (Channel("active", "constraint", "1", "1 while a constraint holds, otherwise 0", metric=None),),
        lambda series: (series.active(),),
    ),
    Bundle(
        (Channel("constraint_force", "constraint_row", "N or N m", _APPLIED, metric=None),), lambda series: (series.forces(),)
    ),
)
