"""`controller = { type = "state_feedback", ... }`."""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np

from ...control import StateFeedback
from ...dynamics import Model
from ...modes import ManoeuvreMode
from ...plant import Plant
from ..controllers._control import ControllerTable
from ..values._fields import GainTable, NotNegative


class StateFeedbackTable(ControllerTable):
    """`controller = { type = "state_feedback", gain = { "tau[joint1]" = { joint1 = 4.0 } } }`: commands by what the
    state is off that in which the phase begins, and joints off the guidance; by names as of `analysis.linearise`.

    factor : of all gains
    """

    type: Literal["state_feedback"]
    gain: GainTable
    factor: NotNegative = 1.0
    numbers: ClassVar[tuple[str, ...]] = ("factor",)

    def law(self, believed: Model, mode: ManoeuvreMode) -> StateFeedback:
        states = list(dict.fromkeys(name for row in self.gain.values() for name in row))
        gain = np.array([[row.get(name, 0.0) for name in states] for row in self.gain.values()])
        plant = Plant(mode.equipped(believed), mode)
        command = np.zeros(mode.command_size(believed.layout))
        gain = gain.reshape(len(self.gain), len(states))
        return StateFeedback(plant, None, command, gain, states=states, inputs=list(self.gain), factor=self.factor)
