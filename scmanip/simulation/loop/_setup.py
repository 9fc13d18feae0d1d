"""Everything that a run needs, checked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, Protocol, cast

import numpy as np

from ...control import Controller, Sampled
from ...dynamics import Model
from ...guidance import RecordableReference, ReferenceMotion, numbers_at
from ...navigation import Observation
from ...plant import Plant
from ...spatial import Array
from ...system import State
from ..coordinates._frame import RunCoordinates
from ..equations._limited import has_limits
from ..equations._pair import LawAndReference
from ..equations._recorded_loop import LoopParts
from ..events._event import Event
from ..integrators._integrator import Integrator
from ._asked import Asked
from ._carried import Carried
from ._found import FoundStart


class Arrival(Protocol):
    """Something that comes while a run is under way."""

    @property
    def is_there(self) -> bool:
        """Whether it has come."""


@dataclass(frozen=True, eq=False)
class Setup:
    """A run before it starts; made by `prepare`.

    bound : speed beyond which the run has diverged
    sampled : the controller, where it looks at the state at times of its own
    y_0 : (n_y,) vector of the frame at the start; atol : (n_y,)
    samples : (n,) output times [s]
    stops : times [s] from the start to the end where the integrator restarts
    pair : law and reference as equations, where machine code can carry the run out
    waits : names of events at which it ends, for constraints to be switched
    gives_up : whether it ends, with `Track.given_up`, where machine code cannot go on under constraints
    carried : what the law takes along from where the run goes on; None at its start
    coming : its machine code, with which it ends once that is there (`Track.arrived`); None where nothing is waited for
    observation : what its law sees in the place of the truth; None where it sees that
    sensitivities : by which numbers its states are differentiated
    found : what is switched at its start finds there; None where nothing is
    flown : how it is flown once more where inputs came from outside while it was; None where `advance` does it
    shaped : whether the shapes of its steps are asked for; of a run with many output times they are kept anyway
    called : what it is called where something is told of it; empty: nothing is
    """

    plant: Plant
    controller: Controller
    sampled: Sampled | None
    state0: State
    bound: float
    reference: ReferenceMotion | None
    integrator: Integrator
    frame: RunCoordinates
    y_0: Array
    rtol: float
    atol: Array
    samples: Array
    stops: tuple[float, ...]
    progress: Callable[[float], None] | None
    pair: LawAndReference | None = None
    events: tuple[Event, ...] = ()
    waits: frozenset[str] = frozenset()
    gives_up: bool = False
    carried: Carried | None = None
    coming: Arrival | None = None
    observation: Observation | None = None
    sensitivities: Asked = Asked()  # noqa: RUF009 - frozen
    found: FoundStart | None = None
    flown: Callable[[Setup], Any] | None = None
    shaped: bool = False
    called: str = "the run"

    @property
    def looked_at(self) -> bool:
        """Whether somebody looks at the run between its stops, or machine code has no journeys of its steps."""
        watched = self.progress is not None or self.events or self.plant.holding or self.plant.burns
        return bool(watched) or self.integrator.length_s is not None

    def again(self, samples: Array, *, shaped: bool = False) -> Setup:
        """Return the same run with other output times, at which nobody looks while it is flown and of which nothing is told."""
        other = replace(self, samples=samples, shaped=shaped, progress=None, called="")
        vars(other).update({name: vars(self)[name] for name in _WHATEVER_SAMPLES if name in vars(self)})
        return other

    @cached_property
    def asked(self) -> Controller:
        """Whom it asks for commands: of a law that is sampled the one inside, which says the same."""
        return self.controller if self.sampled is None else self.sampled.law

    @cached_property
    def parts(self) -> LoopParts | None:
        """What its loop in machine code is made of; None where a part of it cannot be recorded."""
        return None if self.pair is None else LoopParts(self.frame, self.pair.form, self.pair.law)

    @cached_property
    def stretch_ends(self) -> Array:
        """Times [s] at which stretches end, between which the integrator does not restart."""
        return np.array(self.stops[1:], dtype=np.float64)

    @property
    def leading(self) -> RecordableReference | None:
        """The reference that machine code follows; None where it follows none, as where a sampled law does."""
        leads = self.sampled is None and self.pair is not None and self.pair.form.size > 0
        return cast(RecordableReference, self.reference) if leads else None

    @cached_property
    def followed(self) -> Array:
        """The numbers of that reference in every stretch; rows without numbers where there is none."""
        reference = self.leading
        if reference is None:
            return np.zeros((len(self.stops) - 1, 0))
        rows = [numbers_at(reference, (start + stop) / 2) for start, stop in pairwise(self.stops)]
        return np.concatenate(rows).reshape(len(rows), -1)

    @property
    def start_s(self) -> float:
        """When it starts [s]."""
        return self.stops[0]

    @property
    def model(self) -> Model:
        """The truth."""
        return self.plant.model

    @property
    def limited(self) -> bool:
        """Whether actuators have limits that may act in this run."""
        return has_limits(self.plant)

    @property
    def max_steps(self) -> int:
        """Steps allowed in the whole run: those of the integrator, and one for every sample of the controller."""
        return self.integrator.max_steps + (0 if self.sampled is None else len(self.stops))


_WHATEVER_SAMPLES = "asked", "parts", "stretch_ends", "followed"
"""What follows from a setup and is the same with other output times."""
