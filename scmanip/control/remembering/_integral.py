"""Integrals of the errors of joints beside any law that follows joints [Astrom2006]."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ...errors import InvalidInput, Problem, refuse
from ...guidance import JointReference, Sample
from ...plant import Plant
from ...spatial import Array
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

    Where something around it cuts the command (`Saturated`, `RateLimited`) it is told what is missing, and I does not wind up,
    dI/dt = K_I (q_D - q) + k (tau given - tau), with `unwinding_1_s` = k: back-calculation. An I that stood still while the
    command is cut, conditional integration, would begin and stop without end along a limit. `Sampled` it goes on by Euler's
    rule.

    law : one that follows joints: a `Controller`, or an object with `command`
    K_I : one number or (N,), finite and >= 0 [N m/(rad s) or N/(m s)]
    unwinding_1_s : k, such as K_I / K_P of the joint, in forces both; one number or (N,), finite and >= 0; 0 lets it wind up
    plant : what is commanded; None: the law's estimate, in the mode that it was made for

    Raises `InvalidInput` for a law that follows no joints, numbers out of range, what is no law or plant, and a law that knows
    no model without a plant; `Sampled` for an `unwinding_1_s` above its rate.

    >>> integral = Integral(law, K_I=2.0)
    >>> np.round(integral.state_rate(0.0, state, reference.at(0.0), np.zeros(4)), 3).tolist()
    [0.0, -0.6, 0.4, -0.2]
    """

    K_I: Array
    unwinding_1_s: Array
    follows = (JointReference,)
    form = None

    def __init__(
        self,
        law: Controller | Law,
        *,
        K_I: ArrayLike,
        unwinding_1_s: ArrayLike = 1.0,
        plant: Plant | None = None,
    ) -> None:
        inner = controller_of(law)
        if inner.follows and JointReference not in inner.follows:
            hint = "Integral goes inside of a law that leads a frame by its joints, such as ResolvedRate(Integral(law))"
            raise InvalidInput(Problem("law", "a law that follows joints", inner.kind, hint=hint))
        self._command_of(inner, plant)
        N = self.layout.N
        refuse(row_problems("K_I", K_I, N) + row_problems("unwinding_1_s", unwinding_1_s, N))
        self.K_I, self.unwinding_1_s = row(K_I, N), row(unwinding_1_s, N)

    @property
    def settings(self) -> Mapping[str, Any]:
        """Those of the law inside, and its own."""
        return {**self.law.settings, "K_I": self.K_I, "unwinding_1_s": self.unwinding_1_s}

    @property
    def equations(self) -> tuple[str, ...]:
        """Those of the law inside, and the integral."""
        return *self.law.equations, "integral"

    @property
    def own_states(self) -> Mapping[str, str]:
        names = list(self.units.items())[-self.layout.N :]
        return {f"integral_{name}": unit for name, unit in names}

    @property
    def own_numbers(self) -> Mapping[str, Array]:
        return {"K_I": self.K_I, "unwinding_1_s": self.unwinding_1_s}

    def stepped(self, rate_Hz: float) -> Controller:
        """Return the law that goes on from look to look; raises `InvalidInput` where it would unwind too far by then."""
        most = float(self.unwinding_1_s.max(initial=0.0))
        if most > rate_Hz:
            raise InvalidInput(Problem("unwinding_1_s", f"at most rate_Hz = {rate_Hz:g}", f"{most:g}"))
        return super().stepped(rate_Hz)

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
        share = numbers["unwinding_1_s"] * (1.0 if self.period_s is None else self.period_s)
        return after + share * missing[-len(own) :]

    def recorded(self) -> RecordedLaw | None:
        """Return the law as equations, where that inside can be."""
        return self.recorded_row()

    def __repr__(self) -> str:
        return f"{self.of_itself}, K_I={self.K_I.tolist()}, unwinding_1_s={self.unwinding_1_s.tolist()})"
