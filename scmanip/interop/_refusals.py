"""What other tools do not know, or know as bodies only."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from ..errors import InvalidInput, Problem
from ..system import Joint, Motion, System

T = TypeVar("T")


def refuse_turners(system: System) -> None:
    """Raise `InvalidInput` for a system of which a twin would leave standing what turns its base."""
    if system.turners:
        hint = f"write the {system.turners.each[0].kind}s as bodies on revolute joints"
        raise InvalidInput(Problem("system", f"one without {system.turners.tables}", repr(system), hint=hint))


def refuse_motors(system: System, *, refused: bool) -> None:
    """Raise `InvalidInput` for motors whose friction or rotors a twin would leave out."""
    if refused:
        hint = "write the rotors as bodies on revolute joints"
        raise InvalidInput(Problem("system", "one without [[motor]]", repr(system), hint=hint))


def known(made: Mapping[type[Motion], T], joint: Joint, motion: Motion, tool: str) -> T:
    """Return what a tool makes of one of the motions of a joint; raises `InvalidInput` for those that it does not have."""
    if type(motion) not in made:
        raise InvalidInput(Problem("system", f"joints that {tool} has", f"joint '{joint.name}' of type '{joint.kind.name}'"))
    return made[type(motion)]
