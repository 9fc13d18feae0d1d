"""Where a system can be cut: what goes through there are loads on its structure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..constraints import Constraint
from .parts._body import Body


@dataclass(frozen=True)
class Interface:
    """A joint between two bodies, welded ones too, or a constraint between two frames.

    name : of the joint or constraint; of a constraint that is called as a joint is "constraint NAME"
    body : number of the body that the joint carries, None for a constraint
    constraint : its name, "" for a joint
    on : the frame that tells the load on its body, about its origin, "ground" for a load on the ground; "" for a joint, where
        that origin is the one of the frame that the joint moves

    >>> system.interfaces[0]
    Interface(name='joint1', body=1, constraint='', on='')
    """

    name: str
    body: int | None = None
    constraint: str = ""
    on: str = ""


def interfaces(bodies: Sequence[Body], constraints: Sequence[Constraint]) -> tuple[Interface, ...]:
    """Return those of bodies, the base first, and of constraints, joints first."""
    carried = [(number, body.joint) for number, body in enumerate(bodies) if body.joint is not None and not body.grounded]
    joints = {joint.name: Interface(joint.name, number) for number, joint in carried}
    between = [one for one in constraints if one.on]
    called = {one.name: f"constraint {one.name}" if one.name in joints else one.name for one in between}
    return *joints.values(), *(Interface(called[one.name], constraint=one.name, on=one.on) for one in between)
