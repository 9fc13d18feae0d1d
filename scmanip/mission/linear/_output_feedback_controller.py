"""`controller = { type = "output_feedback", ... }`."""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np

from ...control import OutputFeedback
from ...dynamics import Model
from ...errors import InvalidInput, Problem, refuse
from ...modes import ManoeuvreMode
from ...plant import Plant
from ...spatial import Array
from ..controllers._control import ControllerTable
from ..values._fields import Matrix, Names, NotNegative


class OutputFeedbackTable(ControllerTable):
    """`controller = { type = "output_feedback", sees = ["joint1"], commands = ["tau[joint1]"], A = [[-20.0]], B = [[1.0]],
    C = [[400.0]], D = [[-25.0]] }`: dx/dt = A x + B y, c = C x + D y, where y is what the state is off that in which the phase
    begins, and joints off the guidance; by names as of `analysis.linearise`. Without A, B and C it remembers nothing.

    per_sample : whether the matrices lead from one sample to the next, `rate_Hz` a second
    factor : of all that it says
    """

    type: Literal["output_feedback"]
    sees: Names
    commands: Names
    A: Matrix = ()
    B: Matrix = ()
    C: Matrix = ()
    D: Matrix = ()
    factor: NotNegative = 1.0
    per_sample: bool = False
    numbers: ClassVar[tuple[str, ...]] = ("factor",)

    def law(self, believed: Model, mode: ManoeuvreMode) -> OutputFeedback:
        import control

        if self.per_sample and self.rate_Hz is None:
            raise InvalidInput(Problem("rate_Hz", "samples per second of a law with per_sample = true", "nothing"))
        for key, names in (("sees", self.sees), ("commands", self.commands)):
            dotted = [name for name in names if "." in name]
            expected = "names as of analysis.linearise, which have _ in place of a dot"
            refuse([Problem(key, expected, repr(dotted[0]))] if dotted else [])
        n, seen, commanded = len(self.A), len(self.sees), len(self.commands)
        shapes = {"A": (n, n), "B": (n, seen), "C": (commanded, n), "D": (commanded, seen)}
        parts = {key: self._matrix(key, shape) for key, shape in shapes.items()}
        period = {"dt": 1 / self.rate_Hz} if self.per_sample and self.rate_Hz else {"dt": 0}
        system = control.ss(*parts.values(), **period, inputs=list(self.sees), outputs=list(self.commands))
        plant = Plant(mode.equipped(believed), mode)
        about = np.zeros(mode.command_size(believed.layout))
        return OutputFeedback(plant, None, about, system, factor=self.factor)

    def _matrix(self, key: str, shape: tuple[int, int]) -> Array:
        """Return a matrix, zero where nothing is said; raises `InvalidInput` for one of another size."""
        rows = getattr(self, key)
        given = np.array(rows, dtype=float).reshape(len(rows), -1) if rows else np.zeros(shape)
        refuse([None if given.shape == shape else Problem(key, _rows(shape), _rows(given.shape))])
        return given


def _rows(shape: tuple[int, ...]) -> str:
    return f"{shape[0]} rows of {shape[1]} numbers"
