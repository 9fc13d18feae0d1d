"""A law and what it follows as equations, where a run can be carried out in machine code."""

from __future__ import annotations

from typing import NamedTuple

from ...control import Controller, RecordedLaw, Sampled, recorded_law
from ...guidance import ReferenceForm
from ...plant import Plant
from ..integrators._integrator import Integrator
from ._held import AskedFor, HeldCommand, NoReference


class LawAndReference(NamedTuple):
    """A law and what it follows, recorded; a sampled law is a held command that follows nothing.

    asks : whether machine code asks for the command of a law that is not recorded, or follows what is not
    """

    law: RecordedLaw
    form: ReferenceForm
    asks: bool = False

    @classmethod
    def of(
        cls, plant: Plant, controller: Controller, form: ReferenceForm | None, integrator: Integrator
    ) -> LawAndReference | None:
        """Return what of a run is recorded, None where a part of the run is not, or its integrator has no machine code.

        form : of the reference, if it has one
        """
        return cls.recorded(plant, controller, form) if integrator.has_code else None

    @classmethod
    def recorded(cls, plant: Plant, controller: Controller, form: ReferenceForm | None) -> LawAndReference | None:
        """Return the same, whatever the integrator."""
        if not plant.is_recordable:
            return None
        size = plant.mode.command_size(plant.model.layout)
        if isinstance(controller, Sampled):
            return cls(HeldCommand(size), NoReference())
        law = recorded_law(controller)
        form = form if law is None or law.takes else NoReference()
        if (
            law is not None
            and law.flows == bool(law.remembers)
            and form is not None
            and (not law.takes or law.can_follow(form))
        ):
            return cls(law, form)
        if plant.burns:  # their sets are looked for where commands are equations
            return None
        return cls(AskedFor(size, len(plant.memory)), NoReference(), asks=True)
