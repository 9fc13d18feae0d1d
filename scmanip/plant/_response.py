"""What a plant does at one instant."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..modes import GeneralizedForce
from ..spatial import Array
from ..system import Layout


class Acting(NamedTuple):
    """What all loads do together: generalized `force` (n_u,), `resultant` (6,) [f; n], n about the system CoM, in N."""

    force: Array
    resultant: Array


class Response(NamedTuple):
    """How a plant moves, and what makes it move so; any scalar.

    force : what the actuators apply
    acting : what the loads do; None without loads
    udot : (n_u,) accelerations
    actuator_rates : (n_a,) of the states of actuators, which are held where nothing commands them
    efforts : (n_a,) of the motors that change these states, friction included [N m]
    books : (n_books,) rates of what is integrated beside the state, in the order of `Plant.books`
    """

    force: GeneralizedForce
    acting: Acting | None
    udot: Array
    actuator_rates: Array
    efforts: Array
    books: Array

    @classmethod
    def lost(cls, force: GeneralizedForce, layout: Layout, n_books: int) -> Response:
        """Return what is known where forces or M have no numbers: NaN."""
        udot, states, books = (np.full(size, np.nan) for size in (layout.n_u, layout.n_a, n_books))
        return cls(force, None, udot, states, states, books)

    def outputs(self, layout: Layout) -> dict[str, Array]:
        """Return what actuators and loads do, by name; what a plant does not have is not there.

        tau (N,), wrench (6,) [f; n] of actuators on the base at its CoM, external (6,) the part of it that comes from outside,
        missing (6,) what was commanded of the base and is not applied, wheel_torque (n_w,), actuator_effort (n_a - n_w,),
        thrust_N (n_t,), load (6,) the resultant of the loads
        """
        force, n_w = self.force, layout.n_w
        named = {
            "tau": force.tau,
            "wrench": force.wrench,
            "external": force.external,
            "missing": force.missing,
            "wheel_torque": self.efforts[:n_w] if n_w else None,
            "actuator_effort": self.efforts[n_w:] if layout.n_a > n_w else None,
            "thrust_N": force.thrust_N,
            "load": None if self.acting is None else self.acting.resultant,
        }
        return {name: np.asarray(part) for name, part in named.items() if part is not None}
