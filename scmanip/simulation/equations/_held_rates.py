"""How the packed state of a plant changes under a command that is held, as a program."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...errors import InvalidInput, Problem
from ...plant import Plant
from ...spatial import Array
from ...symbolic import Program
from ..coordinates._frame import RunCoordinates
from ..coordinates._full_state import FullState
from ._held import HELD, HeldCommand, NoReference
from ._recorded_loop import THRUSTERS, LoopParts

PUSHING = "pushing"


@dataclass(frozen=True, eq=False)
class HeldRates:
    """A program of a plant, and what it takes, in SI.

    program : of inputs `t`, `y` (n,), `command` (k,) as long as the mode's longest, and others; its first output begins with
        the rates (n_x,) of the packed state
    given : all its inputs by name

    >>> rates = HeldRates.of(plant, state.q)
    >>> given = rates.at(state.x, np.zeros(4), 0.0)
    >>> rates.program.evaluate(*given.values())[0].shape
    (23,)
    """

    plant: Plant
    program: Program
    given: dict[str, Array]

    @classmethod
    def of(cls, plant: Plant, q: Array) -> HeldRates:
        """Return that of a plant, recorded once for equal plants; q : (n_q,) [rad or m] about which gimbals are looked at."""
        frame = RunCoordinates(FullState(), plant, np.empty(0))
        parts = LoopParts(frame, NoReference(), HeldCommand(plant.mode.command_size(plant.model.layout)))
        program = parts.program.only("ydot", *[PUSHING] * plant.burns)
        own = {"t": np.zeros(()), "y": np.zeros(frame.size), "bounds": np.zeros(2), "reference": np.zeros(0)}
        given = {**own, **parts.numbers(q)}
        return cls(plant, program, {each.name: given[each.name] for each in program.inputs})

    def at(self, x: Array, command: Array, t: float) -> dict[str, Array]:
        """Return the inputs at a packed state (n_x,), a command (k,) and t [s], with the thrusters that push there.

        Raises `InvalidInput` for a wrench that thrusters do not give.
        """
        y = np.concatenate([x, self.given["y"][len(x) :]])
        given = {**self.given, "t": np.array(float(t)), "y": y, HELD: np.asarray(command)}
        if not self.plant.burns:
            return given
        pushers = self.plant.model.system.pushers
        wanted = self.program.only(PUSHING).evaluate(*given.values())[0]
        found = pushers.active_set(wanted)
        if found is None:
            raise InvalidInput(Problem("command", "a wrench that the thrusters give", str(wanted.tolist())))
        return {**given, THRUSTERS: np.concatenate([[0.0], found.packed])}
