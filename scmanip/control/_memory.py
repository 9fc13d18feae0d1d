"""What a law remembers is of one kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..errors import InvalidInput, Problem
from ..system import State

if TYPE_CHECKING:
    from ._controller import Controller


def refuse_two_memories(law: Controller, state: State) -> None:
    """Raise `InvalidInput` for a law that remembers something as part of the state of a run, and something else from command
    to command.
    """
    if law.states and law.start(state) is not None:
        hint = "a delay goes around a law that is sampled, Sampled(Delayed(law, delay_s=...), rate_Hz=...)"
        raise InvalidInput(Problem("controller", "a law with one kind of memory", f"both kinds in {law.kind}", hint=hint))
