"""A linear system with names and units."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from ...spatial import Array


@dataclass(frozen=True, eq=False)
class Linearisation:
    """z' = A z + B c, y = C z + D c beside the motion of a state; with `rate_Hz` from one sample to the next.

    states, inputs, outputs : names, in order, with their units
    rates : (m,) how the state itself moves: zero where it rests, of speeds alone where it moves evenly
    K : (k, m) what a sampled law commands of z; None without one
    rate_Hz : samples per second, None in continuous time
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
    rate_Hz: float | None = None

    @property
    def system(self) -> Any:
        """It as a `control.StateSpace`."""
        import control

        names = {"states": [*self.states], "inputs": [*self.inputs], "outputs": [*self.outputs], "name": self.name}
        dt = 0 if self.rate_Hz is None else 1 / self.rate_Hz
        return control.ss(self.A, self.B, self.C, self.D, dt, **names)

    def of_part(self, W: Array, kept: list[int]) -> Linearisation:
        """Return that of z = W zeta, where zeta are the entries of z at places `kept`."""
        states = [*self.states.items()]
        return replace(
            self,
            A=self.A[kept] @ W,
            B=self.B[kept],
            C=self.C @ W,
            K=None if self.K is None else self.K @ W,
            states=dict(states[k] for k in kept),
            rates=self.rates[kept],
        )
