"""What pushes the system and nobody commanded, taken out of a command [DeLuca2003]."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ...errors import InvalidInput, Problem, expect, refuse
from ...guidance import Sample
from ...modes import ManoeuvreMode, Situation
from ...spatial import Array, solve
from ...system import Layout, State
from .._believing import AroundInOneMode
from .._controller import Controller
from .._gains import row, row_problems
from .._recorded_law import RecordedLaw, RecordedWrapper, believed_of, can_be_recorded, outer_name, recorded_law
from ..base._direct import command_of, forces_of, refuse_indirect, undriven

NAME = "bandwidth_rad_s"


class DisturbanceObserver(AroundInOneMode):
    """`law` less the generalized forces w that neither the command F nor the equations of motion explain, as they are observed.

        M du/dt + h = F + w,  p = M u,  m' = F + (dM/dt) u - h + r,  r = K (p - m),  so that r' = K (w - r)   [DeLuca2003]

    All 6 + N equations count, so a base that nothing drives needs no accelerations, and what pushes it is known as well: of r
    on the speeds that get no force the others have r_c - M_ca M_aa^-1 r_a to overcome. The command is that of `law` less this,
    and the error dynamics that it promises hold against constant w after a time of 1 / K; masses that are wrong are part of w.
    m is a state of the law that begins as p, so r as 0. Inertias alone are inverted: no singularities. What a law around it
    cuts of the command (`Saturated`) it is told; what actuators cut unseen counts as w, and r grows as long as they do.

    law : with an estimate, which counts here as well
    mode : `FixedBase`, `Floating`, `RotationFlying` or `Flying`
    bandwidth_rad_s : K, one number or (n,), one per speed of the base and what it carries, finite and >= 0 [1/s]

    Raises `InvalidInput` for a law without an estimate, what is no mode and a bandwidth out of range, `ModeMismatch` for other
    modes.

    >>> observed = DisturbanceObserver(law, scmanip.Floating(), bandwidth_rad_s=5.0)
    >>> list(observed.states)[:2], len(observed.states)
    (['momentum_v_0.x', 'momentum_v_0.y'], 10)
    """

    bandwidth_rad_s: Array

    def __init__(self, law: Controller, mode: ManoeuvreMode, *, bandwidth_rad_s: ArrayLike) -> None:
        given: Any = law
        if not isinstance(given, Controller) or given.believed is None:
            raise InvalidInput(Problem("law", "a law with an estimate, such as ComputedTorque", repr(law)))
        expect("mode", mode, ManoeuvreMode, "a manoeuvre mode, such as Floating()")
        refuse_indirect("DisturbanceObserver", mode)
        size = led(given.believed.layout)
        refuse(row_problems(NAME, bandwidth_rad_s, size))
        self.law, self.mode, self.bandwidth_rad_s = law, mode, row(bandwidth_rad_s, size)

    @property
    def settings(self) -> Mapping[str, Any]:
        """Those of the law inside, and how fast it observes."""
        return {**self.law.settings, NAME: self.bandwidth_rad_s}

    @property
    def equations(self) -> tuple[str, ...]:
        """Those of the law inside, and the residual."""
        return *self.law.equations, "disturbance_observer"

    @property
    def states(self) -> Mapping[str, str]:
        """The momentum that is explained, per speed, and those of the law inside."""
        system = self.estimate.system
        units = [*["N s"] * 3, *["N m s"] * 3][: system.layout.n_base]
        units += ["N m s" if one.turns else "N s" for one in system.freedoms[: system.layout.N_tree]]
        names = (outer_name(f"momentum_{name}", self.law.states) for name in system.layout.u_names)
        return dict(zip(names, units, strict=False)) | {**self.law.states}

    def state_0(self, state: State) -> Array:
        """Return the momentum, and those of the law inside."""
        now, n = Situation.of(self.estimate, state), led(self.estimate.layout)
        return np.concatenate([now.balance()[0][:n, :n] @ now.u[:n], self.law.state_0(state)])

    def observed(self, state: State, memory: Array) -> Array:
        """Return r (n,) [N, N m] of a state and what is remembered there."""
        return _Momentum.of(Situation.of(self.estimate, state)).residual(self.bandwidth_rad_s, memory)

    def command(self, t: float, state: State, reference: Sample | None, memory: Any) -> tuple[Array, Any]:
        """Return the command of the law inside less what is observed, and the memory unchanged."""
        given, _ = self.law.command(t, state, reference, memory[led(self.estimate.layout) :])
        forces, _ = self._said(state, given, memory)
        return command_of(self.estimate.layout, self.mode, forces), memory

    def state_rate(self, t: float, state: State, reference: Sample | None, memory: Array) -> Array:
        """Return how the momentum changes as far as that is explained, and those of the law inside."""
        inner = memory[led(self.estimate.layout) :]
        given, _ = self.law.command(t, state, reference, inner)
        _, rate = self._said(state, given, memory)
        return np.concatenate([rate, self.law.state_rate(t, state, reference, inner)])

    def unwound(self, t: float, state: State, reference: Sample | None, memory: Any, after: Any, missing: Array) -> Any:
        """Return what comes next with the command that is given."""
        n = led(self.estimate.layout)
        own = after[:n] + forces_of(self.estimate.layout, missing)
        return np.concatenate([own, self.law.unwound(t, state, reference, memory[n:], after[n:], missing)])

    def _said(self, state: State, given: Array, memory: Array) -> tuple[Array, Array]:
        return _said(self.mode, Situation.of(self.estimate, state), np.asarray(given), self.bandwidth_rad_s, memory)

    def recorded(self) -> RecordedLaw | None:
        """Return the law as equations, where that inside can be and has no memory of another kind."""
        inner = recorded_law(self.law)
        if inner is None or inner.flows != bool(inner.remembers) or not can_be_recorded(self.estimate):
            return None
        return RecordedObserver(self, inner)

    def __repr__(self) -> str:
        return f"DisturbanceObserver({self.law!r}, {self.mode!r}, bandwidth_rad_s={self.bandwidth_rad_s.tolist()})"


@dataclass(frozen=True, eq=False)
class RecordedObserver(RecordedWrapper):
    """A law with its observer, as equations."""

    law: DisturbanceObserver
    inner: RecordedLaw
    flows = True

    @property
    def key(self) -> Hashable:
        """Those of the law inside, and what the mode drives."""
        return "disturbance observer", type(self.law.mode), self.inner.key

    @property
    def numbers(self) -> Mapping[str, Array]:
        """Those of the law inside, and how fast it observes."""
        return {**self.inner.numbers, outer_name(NAME, self.inner.numbers): self.law.bandwidth_rad_s}

    @property
    def remembers(self) -> int:
        """One number per speed before those of the law inside."""
        return led(self.law.estimate.layout) + self.inner.remembers

    def observed(self, x: Array, numbers: Mapping[str, Array], memory: Array) -> Array:
        """Return r (n,) at a packed state, over any scalar."""
        return _Momentum.of(self._now(x, numbers)).residual(numbers[outer_name(NAME, self.inner.numbers)], memory)

    def _now(self, x: Array, numbers: Mapping[str, Array]) -> Situation:
        return Situation.recorded(self.law.estimate, x, believed_of(numbers))

    def begins(self, x: Array, numbers: Mapping[str, Array]) -> Array:
        """Return the momentum, and what the law inside begins with."""
        now, n = self._now(x, numbers), led(self.law.estimate.layout)
        return np.concatenate([now.balance()[0][:n, :n] @ now.u[:n], self.inner.begins(x, numbers)])

    def said(self, x: Array, wanted: Any, numbers: Mapping[str, Array], memory: Array) -> tuple[Array, Array]:
        """Return the command less what is observed, and the rates."""
        layout, K = self.law.estimate.layout, numbers[outer_name(NAME, self.inner.numbers)]
        given, inner = self.inner.said(x, wanted, numbers, memory[led(layout) :])
        forces, rate = _said(self.law.mode, self._now(x, numbers), given, K, memory)
        return command_of(layout, self.law.mode, forces), np.concatenate([rate, inner])

    def unwound(
        self, x: Array, wanted: Any, numbers: Mapping[str, Array], memory: Array, after: Array, missing: Array
    ) -> Array:
        """Return the rates with the command that is given."""
        n, layout = led(self.law.estimate.layout), self.law.estimate.layout
        inner = self.inner.unwound(x, wanted, numbers, memory[n:], after[n:], missing)
        return np.concatenate([after[:n] + forces_of(layout, missing), inner])


class _Momentum(NamedTuple):
    """M (n, n) and p (n,) of what the base is and carries, and its rate without forces, (dM/dt) u - h."""

    M: Array
    p: Array
    rate: Array

    @classmethod
    def of(cls, now: Situation) -> _Momentum:
        n = led(now.system.layout)
        M, needed = now.balance()
        u = now.u[:n]
        return cls(M[:n, :n], M[:n, :n] @ u, now.inertia_rate()[:n, :n] @ u - needed[:n])

    def residual(self, K: Array, memory: Array) -> Array:
        return np.asarray(K * (self.p - memory[: len(self.p)]))


def _said(mode: ManoeuvreMode, now: Situation, given: Array, K: Array, memory: Array) -> tuple[Array, Array]:
    """Return the forces (n,) of a command less what is observed, and the rate of what is remembered (n,), over any scalar."""
    momentum, k = _Momentum.of(now), undriven(mode)
    r = momentum.residual(K, memory)
    overcome = r[k:] - momentum.M[k:, :k] @ solve(momentum.M[:k, :k], r[:k]) if k else r
    forces = forces_of(now.system.layout, given) - np.concatenate([np.zeros(k, dtype=int), overcome])
    return forces, forces + momentum.rate + r


def led(layout: Layout) -> int:
    """Return how many speeds the base and what it carries have."""
    return layout.n_base + layout.N_tree
