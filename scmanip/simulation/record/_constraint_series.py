"""What constraints do in a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...channels import Bundle, Channel
from ...spatial import Array
from ..events._switched import Switched
from ..loop._setup import Setup
from ._samples import Samples

_STRUCK = "impulse of each constraint in the last switch until then, in the sense of its kind"
_BLOW = "impulse of each rigid contact on its second shape in the last switch until then, in N"
_DRIFT = "largest distance of what constraints hold from where they hold it, before it is brought back there"
_APPLIED = "what each constraint applies while it holds or slips, in the sense of its kind"


class ConstraintSeries:
    """Which constraints of a system hold at the samples of a run, and with what forces."""

    def __init__(self, setup: Setup, samples: Samples) -> None:
        self._plant, self._frame, self._samples = setup.plant, setup.frame, samples

    def active(self) -> Array:
        """Return (n, n_constraints): 1 where one holds, 0 where it slips."""
        held = [float(one.name in self._plant.holds) for one in self._plant.model.system.constraints]
        return np.tile(held, (len(self._samples.t), 1))

    def forces(self) -> Array:
        """Return (n, n_rows) of all constraints; zero where one neither holds nor slips."""
        plant, samples = self._plant, self._samples
        forces = np.zeros((len(samples.t), len(plant.constraint_rows)))
        if plant.holding is not None:
            places = [k for k, row in enumerate(plant.constraint_rows) if row in plant.holding.stack.labels]
            order = [plant.holding.stack.labels.index(plant.constraint_rows[k]) for k in places]
            held = samples.output("reaction") - samples.output("slip")
            forces[:, places] = plant.constraint_forces(samples.states.x, samples.t, held)[:, order]
        if plant.slipping is not None:
            places = [plant.constraint_rows.index(row) for row in plant.slipping.stack.labels]
            forces[:, places] = [*plant.slipping.multipliers.values()]
        return forces

    def drift(self) -> Array:
        """Return (n,) how far position forms are from zero where the run was not yet brought back to them."""
        return self._frame.drift(self._samples.t, self._samples.y)

    def impulses(self) -> Array:
        """Return (n, n_rows) zeros: what a switch gives is told where stretches are bound."""
        return np.zeros((len(self._samples.t), len(self._plant.constraint_rows)))


def last_impulses(t: Array, switches: Sequence[Switched], at: Mapping[str, Any], shape: tuple[int, ...]) -> Array:
    """Return what the last of some switches until times (n,) gave, (n, *shape); at : where what has a name stands in it."""
    found = np.zeros((1 + len(switches), *shape))
    for k, switched in enumerate(switches, start=1):
        for name, impulse in switched.impulses.items():
            if name in at:
                found[k, at[name]] = impulse
    chosen: Array = found[np.searchsorted([switched.t for switched in switches], t, side="right")]
    return chosen


CONSTRAINTS: tuple[Bundle[ConstraintSeries], ...] = (
    Bundle(
        (Channel("active", "constraint", "1", "1 while a constraint holds, 0 while it slips or does not act", metric=None),),
        lambda series: (series.active(),),
    ),
    Bundle(
        (Channel("constraint_force", "constraint_row", "N or N m", _APPLIED, metric=None),), lambda series: (series.forces(),)
    ),
    Bundle(
        (Channel("constraint_drift", "", "m or rad", _DRIFT, metric=None),),
        lambda series: (series.drift(),),
    ),
    Bundle(
        (Channel("switch_impulse", "constraint_row", "N s or N m s", _STRUCK, metric=None),),
        lambda series: (series.impulses(),),
    ),
)


class ContactSeries:
    """What rigid contacts do at the samples of a run, and with what forces."""

    def __init__(self, setup: Setup, samples: Samples) -> None:
        self._plant, self._samples = setup.plant, samples
        self._at = [[*setup.plant.touching.places].index(one.name) for one in setup.plant.closed]

    def modes(self) -> Array:
        """Return (n, n_contacts): 0 where a place is open, 1 where it slides, 2 where it sticks."""
        modes = np.zeros((len(self._samples.t), len(self._plant.touching.places)))
        modes[:, self._at] = [1.0 + one.sticks for one in self._plant.closed]
        return modes

    def impulses(self) -> Array:
        """Return (n, n_contacts, 3) zeros: what a blow gives is told where stretches are bound."""
        return np.zeros((len(self._samples.t), len(self._plant.touching.places), 3))

    def forces(self) -> tuple[Array, Array]:
        """Return (n, n_contacts, 3) on the second shapes, in N, and (n, n_contacts) along normals; zero of open ones."""
        samples, shape = self._samples, (len(self._samples.t), len(self._plant.touching.places))
        forces, pushes = np.zeros((*shape, 3)), np.zeros(shape)
        if self._at:
            held = samples.output("reaction") - samples.output("slip")
            forces[:, self._at], pushes[:, self._at] = self._plant.touching.forces(samples.states.x, samples.t, held)
        return forces, pushes


CONTACTS: tuple[Bundle[ContactSeries], ...] = (
    Bundle(
        (
            Channel(
                "contact_mode",
                "contact",
                "1",
                "0 while a rigid contact is open, 1 while it slides, 2 while it sticks",
                metric=None,
            ),
        ),
        lambda series: (series.modes(),),
    ),
    Bundle(
        (
            Channel("contact_force", "contact xyz", "N", "force of each rigid contact on its second shape, in N", metric=None),
            Channel("contact_push", "contact", "N", "normal force of each rigid contact"),
        ),
        ContactSeries.forces,
    ),
    Bundle(
        (Channel("contact_impulse", "contact xyz", "N s", _BLOW, metric=None),),
        lambda series: (series.impulses(),),
    ),
)
