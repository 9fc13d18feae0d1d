"""A linear system with names and units."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from ...spatial import Array
from ._small_motion import Kept


@dataclass(frozen=True, eq=False)
class Linearisation:
    """z' = A z + B c, y = C z + D c in SI, beside the motion of a state; with `rate_Hz` from one sample to the next.

    states, inputs, outputs : names, in order, with their units
    rates : (m,) how the state itself moves: zero where it rests, of speeds alone where it moves evenly
    K : (k, m) what a sampled law commands of z; None without one
    kept : what that remembers from look to look, and commands of it; None of one that remembers nothing
    rate_Hz : samples per second, None in continuous time

    >>> linear = linearisation(plant, state, [0.0] * 4, momenta="remove")
    >>> linear.A.shape, list(linear.states)[:2], linear.inputs["tau[joint1]"]
    ((8, 8), ['joint1', 'joint2'], 'N m')
    """

    A: Array
    B: Array
    C: Array
    D: Array
    states: dict[str, str]
    inputs: dict[str, str]
    outputs: dict[str, str]
    rates: Array
    name: str
    K: Array | None = None
    kept: Kept | None = None
    rate_Hz: float | None = None

    @property
    def system(self) -> Any:
        """It as a `control.StateSpace`."""
        import control

        names = {"states": [*self.states], "inputs": [*self.inputs], "outputs": [*self.outputs], "name": self.name}
        dt = 0 if self.rate_Hz is None else 1 / self.rate_Hz
        return control.ss(self.A, self.B, self.C, self.D, dt, **names)

    def of_part(self, W: Array, kept: list[int]) -> Linearisation:
        """Return that of z = W zeta, W (m, k) in SI, where zeta are the entries of z at places `kept`."""
        states = [*self.states.items()]
        return replace(
            self,
            A=self.A[kept] @ W,
            B=self.B[kept],
            C=self.C @ W,
            K=None if self.K is None else self.K @ W,
            kept=None if self.kept is None else self.kept._replace(F=self.kept.F @ W),
            states=dict(states[k] for k in kept),
            rates=self.rates[kept],
        )
