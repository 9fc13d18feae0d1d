"""What a law says to one state, as a program of its own: for laws that look now and then."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from ...compiled import CompiledProgram, compile_program
from ...control import Controller, RecordedLaw, commanded_by, recorded_law
from ...dynamics import Model
from ...guidance import ReferenceForm
from ...spatial import Array
from ...symbolic import Program, record
from ...system import Layout

COMMAND, MEMORY, AFTER = "command", "memory", "next_memory"
NOTHING = np.empty(0)


@dataclass(frozen=True, eq=False)
class SampledCommand:
    """A law inside a sampled one, and what it follows, as equations.

    model : whose family keeps the program; layout : of its packed states

    >>> from scmanip.guidance import recorded_form
    >>> said = SampledCommand.of(model, model.layout, law, recorded_form(reference))
    >>> [given.name for given in said.program.inputs]
    ['t', 'x', 'reference', 'K_P', 'K_D']
    """

    model: Model
    layout: Layout
    law: RecordedLaw
    form: ReferenceForm

    @classmethod
    def of(cls, model: Model, layout: Layout, controller: Controller, form: ReferenceForm | None) -> SampledCommand | None:
        """Return it, None where the law or what it follows is not recorded."""
        law = recorded_law(controller)
        if law is None or form is None or not law.can_follow(form):
            return None
        return cls(model, layout, law, form)

    @property
    def compiled(self) -> CompiledProgram:
        """Inputs t, packed state x (n_x,) with quaternions of norm 1, "reference", "memory" where the law has any, and the
        numbers of the law; the command, and "next_memory", of what is part of the state its rate.
        """
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
            kept_too = {MEMORY: (self.law.remembers,)} if self.law.remembers else {}
            shapes = {"t": (), "x": (self.layout.n_x,), "reference": (self.form.size,), **kept_too, **numbers}
            kept[key] = self.model.family.program((key, tuple(shapes.items())), lambda: record(shapes, self._said), self.law)
        return cast(Program, kept[key])

    @property
    def is_coded(self) -> bool:
        """Whether it was compiled already."""
        return self.key in self.model.family.kept

    @property
    def key(self) -> Hashable:
        """Equal keys mean equal programs for models of one family."""
        return "sampled command", self.layout.n_x, self.form.described, self.law.shaped_key

    def begins(self, x: Array, numbers: Mapping[str, Array]) -> Array:
        """Return the memory (n, remembers) before the first command, in packed states (n, n_x), all in SI.

        numbers : of the law, for all or (n, ...)
        """
        kept, key = self.model.family.kept, ("memory begins", self.key)
        if key not in kept:
            shapes = {"x": x.shape[1:], **{name: np.shape(array) for name, array in self.law.numbers.items()}}
            kept[key] = record(shapes, lambda x, **own: {MEMORY: self.law.begins(x, own)})
        program, given = cast(Program, kept[key]), {"x": x, **numbers}
        rows = [np.broadcast_to(given[item.name], (len(x), *item.shape)) for item in program.inputs]
        return np.array(program.evaluate(*rows)[0])

    def _said(self, *, t: Any, x: Array, reference: Array, memory: Array = NOTHING, **numbers: Array) -> Mapping[str, Array]:
        command, after = commanded_by(self.law, self.layout, t, x, self.form.at(t, reference), numbers, memory)
        return {COMMAND: command, **({AFTER: after} if self.law.remembers else {})}
