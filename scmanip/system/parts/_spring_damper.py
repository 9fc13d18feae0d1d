"""A spring and damper between two points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ...errors import InvalidSystem, name_problems, pair_problems, refuse
from ...spatial import NUMBER, Numbered, coefficient_problems
from ._body import Body
from ._frame import Frame


@dataclass(frozen=True)
class SpringDamper(Numbered):
    """A massless spring and damper that pulls two named points together along the line between them.

    The pull is stiffness (length - natural length) + damping (rate of length); one that is shorter than its natural length
    pushes. Points may come together only where the natural length and the damping are zero.

    name : unique among the springs
    between : names of two frames (bodies, their `.com`, frames)
    stiffness_N_m : >= 0 [N/m]; damping_Ns_m : >= 0 [N s/m]; length_m : natural length >= 0 [m]

    Raises `InvalidSystem` with all that is wrong with its fields.

    >>> spring = SpringDamper("snubber", ("base", "link1.com"), stiffness_N_m=400.0, damping_Ns_m=8.0, length_m=0.3)
    >>> round(spring.stiffness_N_m * (0.35 - spring.length_m), 6)  # N, at rest at 0.35 m
    20.0
    """

    name: str
    between: tuple[str, str]
    stiffness_N_m: float = field(default=0.0, metadata={NUMBER: True})
    damping_Ns_m: float = field(default=0.0, metadata={NUMBER: True})
    length_m: float = field(default=0.0, metadata={NUMBER: True})

    def __post_init__(self) -> None:
        key = f"spring_damper {self.name!r}"
        problems = name_problems(key, self.name) + pair_problems(f"{key} between", self.between)
        for name in ("stiffness_N_m", "damping_Ns_m", "length_m"):
            problems += coefficient_problems(f"{key} {name}", getattr(self, name))
        refuse(problems, InvalidSystem)
        object.__setattr__(self, "between", tuple(self.between))


def idle_springs(springs: Sequence[SpringDamper], bodies: Sequence[Body], frames: Sequence[Frame]) -> tuple[SpringDamper, ...]:
    """Return the springs whose ends no joint moves against each other; they do nothing."""
    carriers = {body.name: body.parent for body in bodies if body.joint is not None and not body.joint.dof}
    on = {body.name: body.name for body in bodies} | {f"{body.name}.com": body.name for body in bodies}
    on |= {frame.name: frame.body for frame in frames}

    def moves_with(end: str) -> str:
        name = on[end]
        while (parent := carriers.get(name)) is not None:
            name = parent
        return name

    return tuple(spring for spring in springs if moves_with(spring.between[0]) == moves_with(spring.between[1]))


def idle_problem(spring: SpringDamper) -> tuple[str, str, str]:
    """Return key, expected and found of a spring that does nothing."""
    first, second = spring.between
    return "between", "frames that a joint moves against each other", f"{first!r} and {second!r}, which stand still"
