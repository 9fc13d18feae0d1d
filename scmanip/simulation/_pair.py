"""A law and what it follows as equations, where a run can be carried out in machine code."""

from __future__ import annotations

from typing import NamedTuple

from ..control import Controller, RecordedLaw, Sampled, recorded_law
from ..dynamics import Full, Model
from ..guidance import ReferenceForm
from ..loads import Load
from ..modes import ManoeuvreMode, equations_of
from ._dop853 import DOP853
from ._fixed_step import RK4, FixedDOP853
from ._held import Held, NoReference
from ._integrator import Integrator
from ._recorded_loop import is_recordable


class Pair(NamedTuple):
    """A law and what it follows, recorded; a sampled law is a held command that follows nothing."""

    law: RecordedLaw
    form: ReferenceForm

    @classmethod
    def of(
        cls,
        model: Model,
        mode: ManoeuvreMode,
        controller: Controller,
        form: ReferenceForm | None,
        integrator: Integrator,
        environment: Load | None,
    ) -> Pair | None:
        """Return what of a run is recorded, None where a part of the run is not.

        form : of the reference, if it has one
        """
        if not (
            type(integrator) in (DOP853, FixedDOP853, RK4)
            and isinstance(model.implementation, Full)
            and is_recordable(environment)
            and equations_of(mode, model.system) is not None
        ):
            return None
        if isinstance(controller, Sampled):
            return cls(Held(6 * mode.commands_base + model.layout.N), NoReference())
        law = recorded_law(controller)
        return None if law is None or form is None or not law.can_follow(form) else cls(law, form)
