"""What a controller returns, checked."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...errors import InvalidInput, Problem
from ...guidance import Sample
from ...spatial import Array, finite, real
from ...system import State
from ._setup import Setup


def commanded(
    setup: Setup, t: float, state: State, reference: Sample | None, memory: Any, *, known: bool = False
) -> tuple[Array, Any]:
    """Return the command, and the next memory; NaN, with the memory as it is, where the reference is not finite.

    known : whether the reference is an equation, at whose numbers nobody looks at every evaluation

    Raises `InvalidInput` and `ModeMismatch` for what is no command.
    """
    if reference is not None and not (known or reference.is_finite):
        return np.full(setup.frame.layout.N, np.nan), memory
    said = setup.asked.command(t, state, reference, memory)
    if not (isinstance(said, tuple) and len(said) == 2):
        raise _no_pair(said, t)
    layout, command = setup.frame.layout, _numbers(said[0], t, setup).copy()  # the law may write its next one there
    setup.plant.mode.check_command(layout, command, t)
    return command, said[1]


def remembered(setup: Setup, t: float, state: State, reference: Sample | None) -> Array:
    """Return how what a law remembers as part of the state changes (k,); raises `InvalidInput` for what is no such rates."""
    return setup.controller.memory_rate(t, state, reference, state.x[setup.plant.x_law])


def finite_at_start(t: float, command: Array) -> None:
    """Raise `InvalidInput` for a first command that is not finite."""
    if t == 0.0 and not finite(command):
        raise InvalidInput(Problem("command of the controller at t = 0 s", "finite numbers", str(command.tolist())))


def blame(reference: Sample | None, t: float, command: Array, N: int) -> str:
    """Return whose fault a command is that is not finite."""
    if reference is not None and not reference.is_finite:
        return f"the reference is not finite at t = {t:.9g} s; it must be defined for every time"
    base = f"a base wrench {command[:-N].tolist()} and " if len(command) > N else ""
    given = f"{base}tau = {command[len(command) - N :].tolist()}"
    return f"the controller returned {given} at t = {t:.9g} s; look for a division by zero or a root there"


def _no_pair(returned: Any, t: float) -> InvalidInput:
    """Return what is wrong with what a controller returned, which must be a command and its memory."""
    expected, hint = "a pair (command, memory)", "return tau, memory, also where the memory is None"
    return InvalidInput(Problem(f"command of the controller at t = {t:g} s", expected, repr(returned), hint=hint))


def _numbers(given: Any, t: float, setup: Setup) -> Array:
    """Return a command as an array of any shape; raises `InvalidInput` for what is no numbers, such as None."""
    try:
        if given is not None:  # which NumPy takes for NaN
            return real(given)
    except (TypeError, ValueError):
        pass
    expected = f"{setup.frame.layout.N} joint forces"
    raise InvalidInput(Problem(f"command of the controller at t = {t:g} s", expected, repr(given)))
