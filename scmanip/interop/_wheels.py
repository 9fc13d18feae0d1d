"""Reaction wheels and motors, which other tools know as bodies only."""

from __future__ import annotations

from ..errors import InvalidInput, Problem
from ..system import System


def refuse_wheels(system: System) -> None:
    """Raise `InvalidInput` for a system whose wheels a twin would leave standing."""
    if system.wheels:
        hint = "write the wheels as bodies on revolute joints"
        raise InvalidInput(Problem("system", "one without [[wheel]]", repr(system), hint=hint))


def refuse_motors(system: System, *, refused: bool) -> None:
    """Raise `InvalidInput` for motors whose friction or rotors a twin would leave out."""
    if refused:
        hint = "write the rotors as bodies on revolute joints"
        raise InvalidInput(Problem("system", "one without [[motor]]", repr(system), hint=hint))
