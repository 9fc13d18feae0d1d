"""What the twins in other codes do not know."""

from __future__ import annotations

from ..errors import InvalidSystem, Problem
from ..system import System


def bodies_alone(system: System, twin: str, *, refused: bool) -> None:
    """Raise `InvalidSystem` for wheels and motors that a twin would leave out."""
    if refused:
        found = "[[motor]]" if system.motors else "[[wheel]]"
        raise InvalidSystem(Problem(twin, "a system of bodies and joints", found, hint="describe what spins as bodies"))
