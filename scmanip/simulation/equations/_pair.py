"""A law and what it follows as equations, where a run can be carried out in machine code."""

from __future__ import annotations

from typing import NamedTuple

from ...control import Controller, RecordedLaw, Sampled, recorded_law
from ...guidance import ReferenceForm
from ...plant import Plant
from ..integrators._integrator import Integrator
from ._held import Held, NoReference


class Pair(NamedTuple):
    """A law and what it follows, recorded; a sampled law is a held command that follows nothing."""

    law: RecordedLaw
    form: ReferenceForm

    @classmethod
    def of(cls, plant: Plant, controller: Controller, form: ReferenceForm | None, integrator: Integrator) -> Pair | None:
        """Return what of a run is recorded, None where a part of the run is not.

        form : of the reference, if it has one
        """
        if not integrator.has_code or not plant.is_recordable:
            return None
        if isinstance(controller, Sampled):
            return cls(Held(6 * plant.mode.commands_base + plant.model.layout.N), NoReference())
        law = recorded_law(controller)
        if law is None or law.flows != bool(law.remembers) or form is None or not law.can_follow(form):
            return None
        return cls(law, form)
