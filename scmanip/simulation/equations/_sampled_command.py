"""What a law says to one state, as a program of its own: for laws that look now and then."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from ...compiled import CompiledProgram, compile_program
from ...control import Controller, RecordedLaw, recorded_law
from ...dynamics import Model
from ...guidance import ReferenceForm
from ...spatial import Array
from ...symbolic import Program, record
from ...system import Layout

COMMAND = "command"


@dataclass(frozen=True, eq=False)
class SampledCommand:
    """A law inside a sampled one, and what it follows, as equations.

    model : whose family keeps the program; layout : of its packed states
    """

    model: Model
    layout: Layout
    law: RecordedLaw
    form: ReferenceForm

    @classmethod
    def of(cls, model: Model, layout: Layout, controller: Controller, form: ReferenceForm | None) -> SampledCommand | None:
        """Return it, None where the law or what it follows is not recorded."""
        law = recorded_law(controller)
        if law is None or law.remembers or form is None or not law.can_follow(form):
            return None
        return cls(model, layout, law, form)

    @property
    def compiled(self) -> CompiledProgram:
        """Inputs t, packed state x (n_x,) with quaternions of norm 1, "reference", and the numbers of the law; the command."""
        kept, key = self.model.family.kept, self.key
        if key not in kept:
            kept[key] = compile_program(self.program)
        return cast(CompiledProgram, kept[key])

    @property
    def program(self) -> Program:
        """It, recorded alone."""
        kept, key = self.model.family.kept, ("recorded", self.key)
        if key not in kept:
            numbers = {name: np.shape(array) for name, array in self.law.numbers.items()}
            shapes = {"t": (), "x": (self.layout.n_x,), "reference": (self.form.size,), **numbers}
            kept[key] = record(shapes, self._said)
        return cast(Program, kept[key])

    @property
    def is_coded(self) -> bool:
        """Whether it was compiled already."""
        return self.key in self.model.family.kept

    @property
    def key(self) -> Hashable:
        """Equal keys mean equal programs for models of one family."""
        return "sampled command", self.layout.n_x, self.form.described, self.law.key

    def _said(self, *, t: Any, x: Array, reference: Array, **numbers: Array) -> Mapping[str, Array]:
        return {COMMAND: self.law.force(x, self.form.at(t, reference), numbers)}
