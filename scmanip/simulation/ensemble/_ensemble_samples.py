"""What a law that looks now and then says to many runs at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ...control import Sampled, at_a_look
from ...guidance import RecordableReference, ReferenceForm, numbers_at
from ...plant import Plant
from ...spatial import Array
from ..coordinates._frame import RunCoordinates
from ..equations._held import HeldCommand, NoReference
from ..equations._recorded_loop import LoopParts
from ..equations._sampled_command import MEMORY, SampledCommand


class Following:
    """What runs follow: one reference for all or one per run, each with corners of its own."""

    def __init__(self, references: Sequence[RecordableReference]) -> None:
        self._references, self._since, self._until, self._rows = references, 0.0, -np.inf, np.empty(0)

    def numbers(self, t: float) -> Array:
        """Return the numbers (size,) or (n, size) of the stretches that `t` [s] lies in."""
        if not self._since <= t < self._until:
            rows = [numbers_at(reference, t) for reference in self._references]
            later = [corner for reference in self._references for corner in reference.corners_s if corner > t]
            self._since, self._until = t, min(later, default=np.inf)
            self._rows = rows[0] if len(rows) == 1 else np.array(rows)
        return self._rows


@dataclass(frozen=True, eq=False)
class EnsembleSamples:
    """A sampled law as one program for all runs.

    size : length of the commands that are held
    """

    law: Sampled
    command: SampledCommand
    size: int

    @classmethod
    def of(cls, plant: Plant, law: Sampled, form: ReferenceForm) -> EnsembleSamples:
        """Return the law of runs of a plant; the one inside is recorded and can follow that form."""
        size = plant.mode.command_size(plant.layout)
        command = SampledCommand.of(plant.model, plant.layout, at_a_look(law, size), form)
        assert command is not None
        return cls(law, command, size)

    def held(self, frame: RunCoordinates) -> LoopParts:
        """Return the runs between samples."""
        return LoopParts(frame, NoReference(), HeldCommand(self.size))

    def on_samples(self, times: Array) -> Array:
        """Return times (k,) [s], those of sampling before the last without the rounding by which they are off."""
        on = [t < times[-1] and self.law.is_sample(t) for t in times.tolist()]
        return np.where(on, np.round(times * self.law.rate_Hz) / self.law.rate_Hz, times)

    def said(self, t: float, x: Array, following: Following, numbers: Mapping[str, Array], threads: int = 1) -> Array:
        """Return the commands (n, size) at `t` [s] in states x (n, n_x) with quaternions of norm 1.

        numbers : of the law, for all runs or per run; "memory" (n, k), where it has any, becomes what is remembered next
        """
        own = {"t": np.array(t), "x": x, "reference": following.numbers(t)}
        program = self.command.compiled
        given = [own[item.name] if item.name in own else numbers[item.name] for item in program.program.inputs]
        said, *after = (np.empty((len(x), *output.shape)) for output in program.program.outputs)
        program.batch(*given, said, *after, threads=threads)
        for remembered in after:
            numbers[MEMORY][:] = remembered
        return np.concatenate([np.zeros((len(x), self.size - said.shape[1])), said], axis=1)  # joint forces are its end
