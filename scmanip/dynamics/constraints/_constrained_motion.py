"""A system under constraints, over any scalar: what a run evaluates, and what is recorded of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ...constraints import Rows, SeenSystem
from ...spatial import Array, Selection, dcm_from_quaternion, sqrt, transpose
from ...symbolic import maximum
from ..programs._derivation import Derivation
from ._constraint_forces import by_auxiliary_speeds, smallest_forces
from ._embedding import Embedding, largest
from ._imposition import imposed, struck_inertia
from ._recombination import embedded_accelerations
from ._rubbing import Rubbing
from ._sight import sight
from ._stack import Stack

NAMES = {True: ("inverse_dynamics.tau",), False: ("inverse_dynamics.wrench", "inverse_dynamics.tau")}
FLOOR = 1e-6  # of the size of the largest row: that of a smaller one is taken so large
TINY = 1e-8  # [m/s2, rad/s2]: what is smaller in size is noise


@dataclass(frozen=True, eq=False)
class ConstrainedMotion:
    """One system at one packed state x (n_x,) and time t under constraints, in SI throughout, any scalar [Gillespie2003].

    stack : the constraints that hold; kept : (n_kept,) what they keep
    chosen : the rows and speeds that were selected; numbers : further inputs, such as "inertia" (n_b, 10) where that is one

    >>> from scmanip.constraints import Lock
    >>> arm = scmanip.System("arm", system.base, system.bodies[1:], constraints=[Lock("brake", joint="joint1")])
    >>> derivation, stack = derive(arm).derivation, Stack.of_all(arm)
    >>> chosen = compile_model(arm, implementation=Reference()).constrained("brake")
    >>> chosen.choose(state)
    >>> motion = ConstrainedMotion(derivation, stack, state.hardware, chosen.kept(state), 0.0, {}, chosen.chosen[0])
    >>> udot = motion.accelerations(np.array([*9 * [0.0], 1.0]))  # 1 N m on the last joint
    >>> float(udot[6]), bool(udot[9] > 0)
    (0.0, True)
    """

    derivation: Derivation
    stack: Stack
    x: Array
    kept: Array
    t: Any
    numbers: Mapping[str, Array]
    chosen: Selection

    @cached_property
    def seen(self) -> SeenSystem:
        """What the constraints see of the system."""
        return sight(self.derivation, self.x, self.numbers)

    @cached_property
    def opened_stack(self) -> Stack:
        """The constraints, with those of their numbers that are inputs."""
        return self.stack.opened(self.derivation.opened(self.derivation.given_numbers(self.numbers)).system)

    @cached_property
    def rows(self) -> Rows:
        """All rows of all constraints, one behind the other."""
        return self.opened_stack.rows(self.seen, self.kept, self.t)

    @cached_property
    def embedding(self) -> Embedding:
        """What the rows that were selected say."""
        return Embedding.of(self.rows.A, self.rows.speed, self.rows.drift, self.chosen)

    @cached_property
    def u(self) -> Array:
        """(n_u,) speeds."""
        return self.x[self.derivation.system.layout.x_u]

    @cached_property
    def M(self) -> Array:
        """(n_u, n_u)."""
        return self.derivation.packed_outputs(["M"], self.x, self.numbers)["M"]

    def needed(self, udot: Array) -> Array:
        """Return the generalized forces (n_u,) that accelerations need, M udot + rest."""
        names = NAMES[self.derivation.system.fixed]
        return np.concatenate([*self.derivation.packed_outputs(names, self.x, {"udot": udot, **self.numbers}).values()])

    def accelerations(self, F: Array) -> Array:
        """Return udot (n_u,) under generalized forces F (n_u,) beside gravity, springs and dampers."""
        if self.rubbing is not None:
            return self.rubbing.accelerations(F - self.needed(0 * self.u), self.embedding.drift)
        return embedded_accelerations(self.M, F - self.needed(self.embedding.remainder), self.embedding)

    @cached_property
    def rubbing(self) -> Rubbing | None:
        """What friction makes of the rows that were selected; None where there is none."""
        push = self.rows.push
        return None if push is None else Rubbing(self.M, self.embedding.A, push[list(self.chosen.rows)])

    def friction(self, missing: Array) -> Array:
        """Return the part of friction (n_u,) in the generalized forces (n_u,) of the constraints; zero where there is none."""
        return 0 * missing if self.rubbing is None else self.rubbing.friction(missing)

    def forces(self, F: Array, udot: Array) -> Array:
        """Return what the constraints apply (k,), one behind the other, where these forces give these accelerations."""
        missing = self.needed(udot) - F
        return self.applied(missing - self.friction(missing))

    def applied(self, missing: Array) -> Array:
        """Return the same (k,) of the generalized forces (n_u,) that they give together, friction aside."""
        return self._applied(self.multipliers(missing))

    def multipliers(self, missing: Array) -> Array:
        """Return those (k,) of all rows, of the generalized forces (n_u,) that they give together."""
        return self._of_all(by_auxiliary_speeds(missing, self.embedding))

    def _of_all(self, lambdas: Array) -> Array:
        """Return the multipliers (k,) of all rows, of those (m,) of the rows that were selected."""
        return smallest_forces(lambdas, self.rows.A, self.embedding.A)

    def _applied(self, multipliers: Array) -> Array:
        """Return what the constraints apply (k,)."""
        return np.concatenate([[], *self.opened_stack.forces(self.seen, multipliers).values()])

    def watch(self, F: Array, udot: Array) -> Array:
        """Return (2,) how well conditioned the choice is, and by what part of their size rows are broken that it leaves out.

        The size of a row is also what it would be broken by without constraints, roughly.
        """
        left, energies = [i for i in range(len(self.rows.A)) if i not in self.chosen.rows], np.diagonal(self.M)
        missed = 0.0
        if left:
            driven = F - self.needed(0 * self.u)
            strength = largest(driven * driven / energies)
            free = np.array([sqrt(strength * (row * row / energies).sum()) for row in self.rows.A])
            missed = mismatch(self.rows.A, udot, self.rows.drift, left, free)
        return np.array([self.embedding.conditioning(self.M), missed])

    def watch_jump(self, u: Array) -> Array:
        """Return (2,) how well conditioned the choice is, and by what part of their size rows are broken that it leaves out.

        u : (n_u,) speeds after a jump; nothing that moves at first has to obey these rows either
        """
        left, rows = [i for i in range(len(self.rows.A)) if i not in self.chosen.rows], self.rows
        still = imposed(self.M, self.embedding.A, self.embedding.speed, 0 * self.u).u if left else u
        missed = [mismatch(rows.A, speeds, rows.speed, left) for speeds in (u, still)]
        return np.array([self.embedding.conditioning(self.M), maximum(*missed)])

    def jump(self) -> dict[str, Array]:
        """Return what happens when the constraints begin to hold: "u", "actuators" after it, "impulses" (k,), "energy_lost"."""
        layout = self.derivation.system.layout
        turners = self.derivation.opened(self.derivation.given_numbers(self.numbers)).system.turners
        M, states = self.M, self.x[layout.x_actuators]
        if layout.states:
            R_0 = dcm_from_quaternion(self.x[layout.x_attitude])
            M = struck_inertia(M, layout.base_angular, R_0, turners.loose(states))
        jump = imposed(M, self.embedding.A, self.embedding.speed, self.u)
        if layout.states:
            states = states + turners.jumps(states, transpose(R_0) @ (jump.u - self.u)[layout.base_angular])
        impulses, lost = self._applied(self._of_all(jump.impulses)), np.asarray(jump.energy_lost)
        return {"u": jump.u, "actuators": states, "impulses": impulses, "energy_lost": lost}


def mismatch(A: Array, rates: Array, offset: Array, rows: Sequence[int], expected: Any = 0.0) -> Any:
    """Return by what part of their size some of the rows A rates + offset = 0 are broken, the worst of them, over any scalar.

    expected : (k,) what is added to their sizes
    """
    if not rows:
        return 0.0
    sizes = abs(A) @ abs(rates) + abs(offset) + expected
    least = FLOOR * largest(sizes) + TINY
    return largest(np.array([abs(A[i] @ rates + offset[i]) / (sizes[i] + least) for i in rows]))
