"""Impacts and rigid contacts of a model, between its frames."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ...errors import NumericalFailure, Problem, expect, refuse
from ...impacts import (
    Answers,
    Bilateral,
    ContactMode,
    ContactMotion,
    Contacts,
    ImpactOutcome,
    Restitution,
    Touch,
    contact_forces,
    impact,
)
from ...spatial import Array, dcm_from_quaternion, transpose
from ...system import State
from ..constraints._imposition import struck_inertia
from ..constraints._sight import Sight
from ..constraints._stack import Stack
from ..constraints._touch_rows import touch_rows

if TYPE_CHECKING:
    from ._model import Model


class Struck(NamedTuple):
    """What comes of an impact, as `impacts.impact` has it [Moreau1988].

    state : after it, in the same place
    impulses : of each touch (3,) in N, on its second body at its place [N s]; of each constraint (k,), in its sense
    energy_lost : [J], of wheels too
    outcome, sentence : how it came out, as a value and in words
    parting : of each touch, the speed at which it parts after it [m/s]

    >>> from scmanip.impacts import Newton
    >>> from scmanip.shapes import Plane, Sphere
    >>> shapes = [Sphere("ball", "tip", 0.1), Plane("wall", "ground", origin_m=[0, 0, -0.1])]
    >>> arm = scmanip.System("arm", system.base, system.bodies[1:], system.frames, shapes=shapes)
    >>> own = compile_model(arm, implementation=Reference())
    >>> coming = scmanip.State([0, 0, 0], q=state.q, v_0=[0, 0, -0.2])
    >>> struck = own.impact(coming, own.touches(coming, [("ball", "wall")], within_m=1e-6), Newton(0.5))
    >>> struck.outcome.name, [round(speed, 6) for speed in struck.parting.values()], round(struck.energy_lost, 4)
    ('JUMP', [0.1], 0.2058)
    """

    state: State
    impulses: dict[str, Array]
    energy_lost: float
    outcome: ImpactOutcome
    sentence: str
    parting: dict[str, float]


class Touching(NamedTuple):
    """One motion with closed contacts, as `impacts.contact_forces` finds it [Pfeiffer1996].

    udot : (n_u,) in SI
    forces : of each touch (3,) in N, on its second body at its place [N]; of each constraint (k,), in the sense and unit of
        its kind
    modes : what each touch does

    >>> from scmanip.shapes import Plane, Sphere
    >>> shapes = [Sphere("ball", "tip", 0.1), Plane("wall", "ground", origin_m=[0, 0, -0.1])]
    >>> arm = scmanip.System("arm", system.base, system.bodies[1:], system.frames, shapes=shapes)
    >>> own = compile_model(arm, implementation=Reference())
    >>> touches = own.touches(state, [("ball", "wall")], within_m=1e-6)
    >>> motion = own.constrained().contact_forces(state, touches, np.zeros(4), wrench=[0, 0, 5.0, 0, 0, 0]).motion
    >>> {name: force.round(4).tolist() for name, force in motion.forces.items()}  # the base is lifted, the tip presses
    {'ball wall': [0.0, 0.0, -0.2865]}
    """

    udot: Array
    forces: dict[str, Array]
    modes: dict[str, ContactMode]


class TouchingMotions(NamedTuple):
    """The motions that rigid contacts allow: one, or what is wrong in words.

    answers : how many there are; sentence : that for people; motions : each of them

    >>> from scmanip.shapes import Plane, Sphere
    >>> shapes = [Sphere("ball", "tip", 0.1), Plane("wall", "ground", origin_m=[0, 0, -0.1])]
    >>> arm = scmanip.System("arm", system.base, system.bodies[1:], system.frames, shapes=shapes)
    >>> own = compile_model(arm, implementation=Reference())
    >>> touches = own.touches(state, [("ball", "wall")], within_m=1e-6)
    >>> found = own.constrained().contact_forces(state, touches, np.zeros(4), wrench=[0, 0, -5.0, 0, 0, 0])
    >>> found.answers.name, {name: mode.name for name, mode in found.motion.modes.items()}
    ('ONE', {'ball wall': 'OPEN'})
    """

    answers: Answers
    sentence: str
    motions: tuple[Touching, ...]

    @property
    def motion(self) -> Touching:
        """The one motion. Raises `NumericalFailure` with `sentence` where there are several, or none."""
        if not self.answers.is_a_motion:
            raise NumericalFailure(self.sentence)
        return self.motions[0]


class Struckable(NamedTuple):
    """A model at one state whose bodies touch, under constraints.

    seen : what rows are made of; bilateral : the rows of the constraints; contacts : those of the touches
    """

    model: Model
    stack: Stack
    state: State
    touches: Sequence[Touch]
    seen: Sight
    bilateral: Bilateral
    contacts: Contacts

    @classmethod
    def at(
        cls,
        model: Model,
        stack: Stack,
        state: State,
        seen: Sight,
        bilateral: Bilateral,
        touches: Sequence[Touch],
        friction: ArrayLike,
    ) -> Struckable:
        """Make the rows of touches."""
        expect("touches", touches, Sequence, "a list of Touch")
        for touch in touches:
            expect("touches", touch, Touch, "a list of Touch")
        named = Counter([*(touch.name for touch in touches), *stack.rows_of])
        refuse(Problem("touches", "every name once", repr(name)) for name, count in named.items() if count > 1)
        return cls(model, stack, state, touches, seen, bilateral, touch_rows(seen, touches, friction))

    def struck(self, M: Array, law: Restitution) -> Struck:
        """Return what comes of an impact; M (n_u, n_u) with turners at rest relative to the base."""
        loose = loose_inertia(self.model, self.state, M)
        jump = impact(loose, self.state.u, self.contacts, law, bilateral=self.bilateral)
        impulses = self._by_name(jump.normal, jump.tangential, jump.bilateral)
        parting = dict(zip((touch.name for touch in self.touches), map(float, self.contacts.N @ jump.u_plus), strict=True))
        return Struck(
            jumped(self.model, self.state, jump.u_plus), impulses, -jump.energy_change, jump.outcome, jump.sentence, parting
        )

    def touching(self, M: Array, F: Array, rest_m_s: float) -> TouchingMotions:
        """Return the motions under generalized forces F (n_u,) less those that udot = 0 needs."""
        found = contact_forces(M, F, self.contacts, self.state.u, bilateral=self.bilateral, rest_m_s=rest_m_s)
        return TouchingMotions(found.answers, found.sentence, tuple(map(self._touching, found.motions)))

    def _touching(self, motion: ContactMotion) -> Touching:
        forces = self._by_name(motion.normal, motion.tangential, motion.bilateral)
        modes = dict(zip((touch.name for touch in self.touches), motion.modes, strict=True))
        return Touching(motion.udot, forces, modes)

    def _by_name(self, normal: Array, tangential: Array, bilateral: Array) -> dict[str, Array]:
        """Return what each touch gives in N and each constraint in its sense."""
        parts = zip(self.touches, normal, tangential, strict=True)
        of_touches = {touch.name: transpose(touch.axes) @ np.array([n, *t]) for touch, n, t in parts}
        return {**of_touches, **self.stack.forces(self.seen, bilateral)}


def loose_inertia(model: Model, state: State, M: Array) -> Array:
    """Return the inertia (n_u, n_u) that an impulse meets at a state; M with turners at rest relative to the base."""
    layout, x = model.layout, state.x
    if not layout.states:
        return M
    loose = model.system.turners.loose(x[layout.x_actuators])
    return struck_inertia(M, layout.base_angular, dcm_from_quaternion(x[layout.x_attitude]), loose)


def jumped(model: Model, state: State, u: Array) -> State:
    """Return a state after an impulse, with speeds u (n_u,) and what turners make of it."""
    layout, x = model.layout, np.array(state.x)
    if layout.states:
        turned = transpose(dcm_from_quaternion(x[layout.x_attitude])) @ (u - state.u)[layout.base_angular]
        x[layout.x_actuators] = x[layout.x_actuators] + model.system.turners.jumps(x[layout.x_actuators], turned)
    x[layout.x_u] = u
    return state.repacked(x)
