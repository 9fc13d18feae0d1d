"""Integrals of the errors of joints beside any law that follows joints [Astrom2006]."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ...errors import InvalidInput, Problem, refuse
from ...guidance import JointReference, Sample
from ...plant import Plant
from ...spatial import Array
from ...symbolic import less, select
from ...system import State, coordinate_difference
from .._controller import Controller
from .._estimate import sample
from .._foreign import Law, controller_of
from .._gains import row, row_problems
from .._recorded_law import RecordedLaw
from ._remembering import Remembering


class Integral(Remembering):
    """`law` and the integral of each joint's error, I, which takes away what the law inside leaves [Astrom2006] ch. 3.

        tau = tau of law + I,   dI/dt = K_I (q_D - q)

    Where something around it cuts the command (`Saturated`, `RateLimited`) I does not wind up: with `unwinding_1_s` = k it is
    told, dI/dt = K_I (q_D - q) + k (tau given - tau), back-calculation; without, an entry of I stands still while its error
    would take it further beyond, conditional integration. k = 0 lets it wind up. `Sampled` it goes on by Euler's rule.

    law : one that follows joints: a `Controller`, or an object with `command`
    K_I : one number or (N,), finite and >= 0 [N m/(rad s) or N/(m s)]
    unwinding_1_s : k, about K_I / K_P of the joint; one number or (N,), >= 0, or None
    plant : what is commanded; None: the law's estimate, in the mode that it was made for
    """

    K_I: Array
    unwinding_1_s: Array | None

    def __init__(
        self,
        law: Controller | Law,
        *,
        K_I: ArrayLike,
        unwinding_1_s: ArrayLike | None = None,
        plant: Plant | None = None,
    ) -> None:
        inner = controller_of(law)
        if inner.follows and JointReference not in inner.follows:
            hint = "Integral goes inside of a law that leads a frame by its joints, such as ResolvedRate(Integral(law))"
            raise InvalidInput(Problem("law", "a law that follows joints", inner.kind, hint=hint))
        self._command_of(inner, plant)
        N = self.layout.N
        told = [] if unwinding_1_s is None else row_problems("unwinding_1_s", unwinding_1_s, N)
        refuse(row_problems("K_I", K_I, N) + told)
        self.K_I, self.unwinding_1_s = row(K_I, N), None if unwinding_1_s is None else row(unwinding_1_s, N)

    @property
    def follows(self) -> tuple[type[JointReference], ...]:
        """Joints."""
        return (JointReference,)

    @property
    def settings(self) -> Mapping[str, Any]:
        """Those of the law inside, and its own."""
        return {**self.law.settings, "K_I": self.K_I, "unwinding_1_s": self.unwinding_1_s}

    @property
    def equations(self) -> tuple[str, ...]:
        """Those of the law inside, and the integral."""
        return *self.law.equations, "integral"

    @property
    def form(self) -> Hashable:
        """How it unwinds."""
        return self.unwinding_1_s is None

    @property
    def own_states(self) -> Mapping[str, str]:
        """I of the joints."""
        names = list(self.units.items())[-self.layout.N :]
        return {f"integral_{name}": unit for name, unit in names}

    @property
    def own_numbers(self) -> Mapping[str, Array]:
        """The gains."""
        return {"K_I": self.K_I} | ({} if self.unwinding_1_s is None else {"unwinding_1_s": self.unwinding_1_s})

    def command(self, t: float, state: State, reference: Sample | None, memory: Any) -> tuple[Array, Any]:
        """Return the command with I, and the next memory."""
        return super().command(t, state, sample("Integral", t, reference), memory)

    def step(self, command: Array, own: Array, numbers: Mapping[str, Array], x: Array, wanted: Any) -> tuple[Array, Array]:
        """Return the command with I, and the rates of I, with a `period_s` what it is next."""
        layout, n = self.layout, len(command) - self.layout.N
        error = coordinate_difference(layout, wanted.q, x[layout.x_q])[: layout.N_tree]
        rate = numbers["K_I"] * layout.among_all(error)
        given = np.concatenate([command[:n], command[n:] + own])
        return given, rate if self.period_s is None else own + self.period_s * rate

    def unwound_own(self, own: Array, after: Array, numbers: Mapping[str, Array], missing: Array) -> Array:
        """Return the rates of I, or what it is next, where `missing` was cut off."""
        mine = missing[-len(own) :]
        if self.unwinding_1_s is not None:
            return after + (1.0 if self.period_s is None else self.period_s) * numbers["unwinding_1_s"] * mine
        still = 0.0 * own if self.period_s is None else own
        return np.asarray(select(less(mine * (after - still), 0.0), still, after))

    def recorded(self) -> RecordedLaw | None:
        """Return the law as equations, where that inside can be."""
        return self.recorded_row()

    def __repr__(self) -> str:
        told = "" if self.unwinding_1_s is None else f", unwinding_1_s={self.unwinding_1_s.tolist()}"
        return f"{self.of_itself}, K_I={self.K_I.tolist()}{told})"
