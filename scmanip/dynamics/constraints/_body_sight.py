"""A system as its constraints would see it if nothing joined its bodies, over any scalar."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from ...constraints import GROUND
from ...spatial import Array, scalar_type, skew
from ...system import System
from ..sums._equations import Equations
from ._frame_motions import FrameMotion
from ._sight import Sight
from ._stack import Stack


class BodySight(Sight):
    """Speeds are twists (6 n_b,) of all bodies, each of its CoM if it is the base, else of its frame's origin, in N.

    Here the row A of a constraint makes a wrench on every body of its multiplier, A' lambda. Joints have no rates of their own:
    what a constraint does to them stays inside them.

    >>> seen = BodySight(system, model.equations(state))
    >>> seen.centres.shape, seen.number("tip"), seen.motion("tip").J.shape
    ((5, 3), 4, (6, 10))
    """

    def __init__(self, system: System, equations: Equations) -> None:
        super().__init__(system, equations)
        self._numbers = {body.name: number for number, body in enumerate(system.bodies)}
        self._seen: dict[str, FrameMotion] = {}

    @cached_property
    def centres(self) -> Array:
        """(n_b, 3) the points that the twists are told of, in N [m]."""
        names = [body.name if number else "base.com" for number, body in enumerate(self.system.bodies)]
        return np.array([self.motion(name).p for name in names])

    @cached_property
    def speeds(self) -> tuple[str, ...]:
        """Names (6 n_b,), of the base and of free bodies those that they have in u; empty ones for others."""
        names = [""] * (6 * len(self.system.bodies))
        names[:6] = self.system.layout.u_names[:6] if not self.system.fixed else names[:6]
        for tree in self.system.trees[1:]:
            first = 6 * tree.bodies.start
            names[first : first + 6] = self.system.layout.qdot_names[tree.twist]
        return tuple(names)

    @property
    def u(self) -> Array:
        """(6 n_b,) zeros [m/s, rad/s]: what bodies do is not asked."""
        return np.zeros(len(self.speeds))

    def rates(self, joint: str) -> Array:
        """Return rows (dof, 6 n_b) of zeros, bare numbers."""
        return np.zeros((len(super().rates(joint)), len(self.speeds)))

    def motion(self, name: str) -> FrameMotion:
        """Return how a frame moves with the speeds u of the system."""
        return super()._frame(name)

    def number(self, frame: str) -> int:
        """Return the number of the body that carries a frame."""
        return self._numbers[self.system.frame(frame).body]

    def wrenches(self, stack: Stack, kept: Array, t: object, multipliers: Array) -> dict[str, Array]:
        """Return what each constraint does to the bodies (n_b, 6), [f; n] about `centres`, of multipliers (k,) of all rows.

        In axes of N and SI.
        """
        stack = stack.opened(self.system)
        rows = stack.rows(self, kept, t)
        push = rows.A if rows.push is None else rows.push
        given = stack.given(kept, multipliers)
        return {name: (given[at] @ push[at]).reshape(-1, 6) for name, at in stack.rows_of.items()}

    def _frame(self, name: str) -> FrameMotion:
        if name == GROUND:
            return FrameMotion.at_rest(len(self.speeds))
        if name not in self._seen:
            moving, body = super()._frame(name), self.number(name)
            J = np.zeros((6, len(self.speeds)), dtype=scalar_type(moving.p, moving.J))
            J[:, 6 * body : 6 * body + 6] = np.eye(6)
            J[:3, 6 * body + 3 : 6 * body + 6] = -skew(moving.p - self.centres[body])
            self._seen[name] = moving._replace(J=J)
        return self._seen[name]
