"""Machine code of runs to come, which a thread makes."""

from __future__ import annotations

from ...compiled import order_ode, order_program
from ._native import PUSHING
from ._sample_and_hold import said_by
from ._setup import Setup


def order(setup: Setup) -> bool:
    """Have a thread make the code that a run needs, as far as it is recorded; return whether any was lacking.

    It is what a sampled law says, the steps, and what brings states back to the constraints that hold.
    """
    plant, parts = setup.plant, setup.parts
    if parts is None or not setup.frame.coordinates.is_formula:
        return False
    said = None if setup.sampled is None else said_by(setup, setup.sampled.law)
    if asked := said is not None and not said.is_coded:
        order_program(said.program)
    if stepped := not parts.is_coded:
        first, running = parts.in_two
        order_ode(running)
        if first is not None:
            order_program(first)
        if plant.burns:
            order_program(parts.program.only(*PUSHING), many=True)
    if held := plant.holding is not None and not plant.is_coded:
        order_program(plant.recorded_projection, many=True)
    return asked or stepped or held
