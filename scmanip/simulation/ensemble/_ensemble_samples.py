"""What a law that looks now and then says to many runs at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ...control import Sampled
from ...guidance import RecordableReference, ReferenceForm
from ...plant import Plant
from ...spatial import Array
from ..coordinates._frame import Frame
from ..equations._held import Held, NoReference
from ..equations._recorded_loop import LoopParts
from ..equations._sampled_command import SampledCommand


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
        command = SampledCommand.of(plant.model, plant.layout, law, form)
        assert command is not None
        return cls(law, command, 6 * plant.mode.commands_base + plant.model.layout.N)

    def held(self, frame: Frame) -> LoopParts:
        """Return the runs between samples."""
        return LoopParts(frame, NoReference(), Held(self.size))

    def on_samples(self, times: Array) -> Array:
        """Return times (k,) [s], those of sampling before the last without the rounding by which they are off."""
        on = [t < times[-1] and self.law.is_sample(t) for t in times.tolist()]
        return np.where(on, np.round(times * self.law.rate_Hz) / self.law.rate_Hz, times)

    def said(
        self,
        t: float,
        x: Array,
        references: Sequence[RecordableReference],
        numbers: Mapping[str, Array],
        threads: int = 1,
    ) -> Array:
        """Return the commands (n, size) at `t` [s] in states x (n, n_x) with quaternions of norm 1.

        references : one for all runs or one per run, each with corners of its own; numbers : of the law, for all or per run
        """
        rows = [reference.numbers(t) for reference in references]
        own = {"t": np.array(t), "x": x, "reference": rows[0] if len(rows) == 1 else np.array(rows)}
        program = self.command.compiled
        given = [own[item.name] if item.name in own else numbers[item.name] for item in program.program.inputs]
        said = np.empty((len(x), *program.program.outputs[0].shape))
        program.batch(*given, said, threads=threads)
        return np.concatenate([np.zeros((len(x), self.size - said.shape[1])), said], axis=1)  # joint forces are its end
