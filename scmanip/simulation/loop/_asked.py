"""By which numbers the states of a run are differentiated."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from ...control import Controller
from ...errors import checked
from ...guidance import ReferenceMotion
from ...spatial import Array
from ...system import State


@checked
@dataclass(frozen=True, eq=False)
class Asked:
    """The numbers, and what of a run follows from where it begins, of one that follows another.

    names : as they were asked for, each with its path in this run, such as "body.link2.mass_kg" or "controller.K_P"; "" where
        it is no number of this run
    begun : the law and the reference of the run if it begins in a state, where the reference before left the joints at (n_q,)

    >>> asked = Asked({"body.link2.mass_kg": "body.link2.mass_kg", "controller.K_P": ""})
    >>> list(asked.names)
    ['body.link2.mass_kg', 'controller.K_P']
    """

    names: Mapping[str, str] = field(default_factory=dict)
    begun: Callable[[State, Array], tuple[Controller, ReferenceMotion]] | None = None
