"""Constraints that hold while a plant moves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from ..dynamics import BodySight, ClosedContact, Constrained, ConstrainedMotion, Model, MotionOfNumbers, Rubbing, Stack
from ..modes import Situation
from ..spatial import Array, Cholesky, Selection, transpose
from ..system import Layout, State, with_unit_quaternions
from ._numbers import plant_numbers
from ._state_rates import state_rates

ANEW = 100.0  # a conditioning beyond it, and beyond twice that of the last choice, has dependent speeds chosen anew
BROKEN = 1e-6  # of its size, by which a row that follows from others may miss


class Reaction(NamedTuple):
    """Accelerations `udot` (n_u,) under constraints, and the generalized `force` (n_u,) by which these act.

    alarms : (2,) above zero where speeds have to be chosen anew, and where a row is broken; none of floats
    slip : (n_u,) the part of `force` that those give which slip, and friction; None where there is none of it
    """

    udot: Array
    force: Array
    alarms: Array
    slip: Array | None = None

    @property
    def held(self) -> Array:
        """(n_u,) the part that those give which hold."""
        return self.force if self.slip is None else self.force - self.slip


@dataclass(frozen=True, eq=False)
class Holding:
    """Constraints from the moment on at which they began to hold.

    In SI throughout, and vectors in N: packed states x (n_x,) as `State.x`, generalized forces (n_u,) [N, N m], times [s].

    chosen : rows and speeds that were selected then
    kept : (n_kept + 1,) what they keep, in SI, one behind the other, and the conditioning up to which the choice is good; an
        input of programs
    led : names of those whose numbers are states of loads in its place, and where in x these begin

    >>> wall = scmanip.load_mission("mission:planar_wall")
    >>> held = Plant(wall.model, scmanip.Floating()).under(["wall"], wall.initial).plant
    >>> held.holding.names, held.dependent
    (('wall',), ('joint4',))
    """

    stack: Stack
    chosen: Selection
    kept: Array = field(metadata={"input": "kept"})
    led: tuple[tuple[str, int], ...] = ()

    @classmethod
    def of(cls, constrained: Constrained, kept: Array, led: tuple[tuple[str, int], ...] = ()) -> Holding:
        """Return how constraints hold where they have just chosen; kept : (n_kept,)."""
        chosen, conditioning = constrained.chosen
        return cls(constrained.stack, chosen, np.array([*kept, max(ANEW, 2 * conditioning)]), led)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the constraints."""
        return tuple(one.name for one in self.stack.constraints)

    def numbers(self, x: Array, kept: Array) -> Array:
        """Return the numbers (n_kept,) of its constraints at a packed state, over any scalar; kept : (n_kept + 1,)."""
        led = dict(self.led)
        if not led:
            return kept[:-1]
        places = self.stack.kept_of.items()
        each = (x[led[name] : led[name] + at.stop - at.start] if name in led else kept[at] for name, at in places)
        return np.concatenate([*each])

    def reaction(self, now: Situation, derivation: Any, F: Array, t: Any, kept: Array) -> Reaction:
        """Return how a system moves under generalized forces F (n_u,) at t [s], over any scalar."""
        return self._reaction(self._motion(derivation, now.x, kept, t, now.numbers), F, kept)

    def reaction_of_numbers(self, model: Model, state: State, F: Array, t: float) -> Reaction:
        """Return the same of F (n_u,) at a state of floats and t [s].

        For it nothing is compiled that the model without constraints has not.
        """
        derivation, x = model.symbolic.derivation, state.hardware
        own = self.numbers(state.x, self.kept)
        motion = MotionOfNumbers(derivation, self.stack, x, own, t, plant_numbers(model), self.chosen, model, state)
        return self._reaction(motion, F, self.kept)

    def _reaction(self, motion: ConstrainedMotion, F: Array, kept: Array) -> Reaction:
        udot = motion.accelerations(F)
        conditioning, missed = motion.watch(F, udot)
        force = motion.needed(udot) - F
        slip = None if motion.rubbing is None else motion.friction(force)
        return Reaction(udot, force, np.array([conditioning - kept[-1], missed - BROKEN]), slip)

    def friction(self, derivation: Any, x: Array, kept: Array, t: Any, numbers: Mapping[str, Array], reaction: Array) -> Array:
        """Return the part of friction (n_u,) in the generalized force (n_u,) of the constraints."""
        return self._motion(derivation, x, kept, t, numbers).friction(reaction)

    def forces(self, derivation: Any, x: Array, kept: Array, t: Any, numbers: Mapping[str, Array], reaction: Array) -> Array:
        """Return what each applies (k,) [N or N m], in the order of `stack.labels`, of their generalized force (n_u,)."""
        return self._motion(derivation, x, kept, t, numbers).applied(reaction)

    def wrenches(
        self, sight: BodySight, derivation: Any, x: Array, kept: Array, t: Any, numbers: Mapping[str, Array], reaction: Array
    ) -> dict[str, Array]:
        """Return what each does to the bodies (n_b, 6) [f; n] in N, about the points of `sight`, arguments as of `forces`."""
        multipliers = self._motion(derivation, x, kept, t, numbers).multipliers(reaction)
        return sight.wrenches(self.stack, self.numbers(x, kept), t, multipliers)

    def slides(self, names: Sequence[str], kept: Array, **given: Any) -> dict[str, Array]:
        """Return how closed contacts slide (k, 3), each a `ContactSlide` along axes of its own, by their names.

        With it A M^-1 B' (m, m) with friction and without it.
        """
        motion = self._motion(kept=kept, **given)
        slides = [self._closed(name).slide(motion.seen, kept[self.stack.kept_of[name]]) for name in names]
        rubbing = motion.rubbing or Rubbing(motion.M, motion.embedding.A, motion.embedding.A)
        return {"slides": np.array(slides), "pushed": rubbing.pushed, "frictionless": rubbing.frictionless}

    def contact_forces(self, names: Sequence[str], kept: Array, reaction: Array, **given: Any) -> dict[str, Array]:
        """Return what closed contacts give their second shapes, `forces` (k, 3) [N] in N, and normal parts `pushes` (k,)."""
        motion, at = self._motion(kept=kept, **given), self.stack.rows_of
        lambdas = motion.multipliers(reaction)
        own = [(self._closed(name), kept[self.stack.kept_of[name]], lambdas[at[name]]) for name in names]
        forces = [one.force(motion.seen, its, along) for one, its, along in own]
        return {"forces": np.array(forces), "pushes": np.array([one.given_along(its, along)[0] for one, its, along in own])}

    def _closed(self, name: str) -> ClosedContact:
        """Return a closed contact by its name."""
        return next(one for one in self.stack.constraints if one.name == name)  # type: ignore[return-value]

    def brought_back(
        self, layout: Layout, derivation: Any, x: Array, kept: Array, t: Any, numbers: Mapping[str, Array]
    ) -> dict[str, Array]:
        """Return the packed state `x` (n_x,) nearest by energy that obeys the constraints, and how far `off` it was.

        With it the kinetic energy that this has `taken`, and what is left of it (2,).
        One step of Newton's method for the places and one for the speeds, both along M^-1 A' of the place before: the error is
        the product of what either and what places were off. Steps leave quaternions that are not quite of norm 1.
        """
        x = np.asarray(with_unit_quaternions(x, layout.x_quaternions))
        motion = self._motion(derivation, x, kept, t, numbers)
        positions = motion.rows.position
        assert positions is not None  # zero where there is none
        A, off = motion.embedding.A, positions[list(self.chosen.rows)]
        yielded = Cholesky.of(motion.M).solve(transpose(A))
        response = Cholesky.of(A @ yielded)
        way = -(yielded @ response.solve(off))
        moved = x + state_rates(layout, x, way, 0 * way, 0 * x[layout.x_u.stop :])
        there = replace(motion, x=with_unit_quaternions(moved, layout.x_quaternions))
        impulses = response.solve(there.embedding.A @ there.u + there.embedding.speed)
        u = there.u - yielded @ impulses
        taken, before = impulses @ (A @ (there.u + u)) / 2, motion.u @ motion.M @ motion.u / 2
        whole = np.concatenate([there.x[: layout.x_u.start], u, there.x[layout.x_u.stop :]])
        return {"x": whole, "off": off, "taken": np.array([taken, before - taken])}

    def found(self, derivation: Any, x: Array, t: float, numbers: Mapping[str, Array]) -> Array:
        """Return what its constraints keep (n_kept,) where they begin to hold at a packed state of floats."""
        motion = self._motion(derivation, x, self.kept, t, numbers)
        return motion.opened_stack.found(motion.seen, t)

    def begun(
        self, layout: Layout, derivation: Any, x: Array, kept: Array, t: Any, numbers: Mapping[str, Array]
    ) -> dict[str, Array]:
        """Return the packed state `x` (n_x,) behind the instant in which the constraints begin to hold, plastically."""
        jump = self._motion(derivation, x, kept, t, numbers).jump()
        own = slice(layout.x_u.start, layout.x_actuators.stop)
        return {"x": np.concatenate([x[: own.start], jump["u"], jump["actuators"], x[own.stop :]])}

    def said(self, derivation: Any, x: Array, kept: Array, t: Any, numbers: Mapping[str, Array]) -> dict[str, Array]:
        """Return what is `broken` (m,) of the rows that were selected, A u + speed [m/s, rad/s], and all rows `A` (k, n_u)."""
        motion = self._motion(derivation, x, kept, t, numbers)
        return {"broken": motion.embedding.A @ motion.u + motion.embedding.speed, "A": motion.rows.A}

    def watched(
        self, layout: Layout, derivation: Any, x: Array, kept: Array, t: Any, numbers: Mapping[str, Array]
    ) -> dict[str, Array]:
        """Return the same, and `alarms` (2,) above zero where speeds have to be chosen anew, and where a row is broken."""
        back = self.brought_back(layout, derivation, x, kept, t, numbers)
        conditioning, missed = self._motion(derivation, back["x"], kept, t, numbers).watch_jump(back["x"][layout.x_u])
        return {**back, "alarms": np.array([conditioning - kept[-1], missed - BROKEN])}

    def _motion(self, derivation: Any, x: Array, kept: Array, t: Any, numbers: Mapping[str, Array]) -> ConstrainedMotion:
        return ConstrainedMotion(derivation, self.stack, x, self.numbers(x, kept), t, numbers, self.chosen)


class Change(NamedTuple):
    """What comes of other constraints at one instant.

    plant : under them; state : after it; impulses : (k,) of each that holds, by name, in SI; energy_lost : [J]

    >>> wall = scmanip.load_mission("mission:planar_wall")
    >>> change = Plant(wall.model, scmanip.Floating()).under(["wall"], wall.initial)
    >>> change.plant.constraints, bool(abs(change.energy_lost) < 1e-12), change.impulses["wall"].shape
    (('wall',), True, (1,))
    """

    plant: Any
    state: State
    impulses: Mapping[str, Array]
    energy_lost: float
