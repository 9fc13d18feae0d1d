"""What a plant does at one instant."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..modes import GeneralizedForce
from ..spatial import Array
from ..system import Layout
from ._holding import Reaction


class Acting(NamedTuple):
    """What all loads do together: generalized `force` (n_u,), `resultant` (6,) [f; n], n about the system CoM, in N, and
    `rates` of the states that they have, the power `lost` in them [W], and their `outputs`.

    on_base : (6,) [f; n] [N, N m] on the base and what it carries, n about the base CoM, with a fixed base its frame's origin

    >>> from scmanip.loads import Gravity, Orbit
    >>> from scmanip.modes import Situation
    >>> orbit = Orbit.elliptic(semi_major_axis_m=7.0e6, eccentricity=0.0, inclination_rad=0.9, true_anomaly_rad=0.0)
    >>> falling, now = Plant(model, scmanip.Floating(), [Gravity(orbit)]), Situation.of(model, state)
    >>> response = falling.motion(now, falling.force(now, np.zeros(4)), 0.0, np.zeros(falling.n_books), falling.inputs)
    >>> response.acting.force.shape, bool(abs(response.acting.resultant[3:]).max() < 0.01)
    ((10,), True)
    """

    force: Array
    resultant: Array
    on_base: Array
    rates: Array
    lost: Any
    outputs: Array


class Response(NamedTuple):
    """How a plant moves, and what makes it move so; in SI, any scalar.

    force : what the actuators apply
    acting : what the loads do; None without loads
    udot : (n_u,) accelerations
    own_rates : of the states of actuators (n_a,), which are held where nothing commands them, and behind them of loads
    efforts, powers : (n_a,) of the motors that change these states, friction included [N m]; (n_t,) of those of each turner [W]
    books : (n_books,) rates of what is integrated beside the state, in the order of `Plant.books`
    reaction : of the constraints; None without any

    >>> from scmanip.modes import Situation
    >>> now = Situation.of(model, state)
    >>> force = plant.force(now, np.array([0.1, 0.0, 0.0, 0.0]))
    >>> response = plant.motion(now, force, 0.0, np.zeros(plant.n_books))
    >>> response.udot.shape, response.acting, response.force.tau.tolist()
    ((10,), None, [0.1, 0.0, 0.0, 0.0])
    """

    force: GeneralizedForce
    acting: Acting | None
    udot: Array
    own_rates: Array
    efforts: Array
    powers: Array
    books: Array
    reaction: Reaction | None = None

    @classmethod
    def lost(cls, force: GeneralizedForce, layout: Layout, n_books: int) -> Response:
        """Return what is known where forces or M have no numbers: NaN."""
        sizes = layout.n_u, layout.n_x - layout.x_u.stop, layout.n_a, len(layout.states), n_books
        udot, *others = (np.full(size, np.nan) for size in sizes)
        own_rates, efforts, powers, books = others
        return cls(force, None, udot, own_rates, efforts, powers, books)

    @property
    def outputs(self) -> dict[str, Array]:
        """What actuators and loads do, by name, in N and SI; what a plant does not have is not there.

        tau (N,), wrench (6,) [f; n] of actuators on the base at its CoM, external (6,) the part of it that comes from outside,
        missing (6,) what was commanded of the base and is not applied, efforts (n_a,), powers (n_t,),
        thrust_N (n_p,), load (6,) what loads do on the base and what it carries, load_outputs (k,) what they show,
        reaction (n_u,) the generalized force of constraints, slip (n_u,) the part of it that those give which slip
        """
        force, turns = self.force, len(self.powers) > 0
        named = {
            "tau": force.tau,
            "wrench": force.wrench,
            "external": force.external,
            "missing": force.missing,
            "efforts": self.efforts if turns else None,
            "powers": self.powers if turns else None,
            "thrust_N": force.thrust_N,
            "load": None if self.acting is None else self.acting.on_base,
            "load_outputs": self.acting.outputs if self.acting is not None and len(self.acting.outputs) else None,
            "reaction": None if self.reaction is None else self.reaction.force,
            "slip": None if self.reaction is None else self.reaction.slip,
        }
        return {name: np.asarray(part) for name, part in named.items() if part is not None}
