"""How firm a coupler is: by what it holds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...dynamics import Model
from ...errors import InvalidInput, Problem, refuse
from ...spatial import Array, is_number, positive_problems
from ...system import State

FASTEST = 0.3  # of a coupler: natural frequency times step, beyond which samples do not follow it


@dataclass(frozen=True)
class Gains:
    """Springs and dampers: K [N/m], B [N s/m], K_turn [N m/rad], B_turn [N m s/rad], all >= 0."""

    K: float = 0.0
    B: float = 0.0
    K_turn: float = 0.0
    B_turn: float = 0.0

    def __post_init__(self) -> None:
        refuse(
            [
                Problem(f"gain {name}", "a number >= 0", repr(value))
                for name, value in vars(self).items()
                if not (is_number(value) and value >= 0)
            ]
        )

    @property
    def row(self) -> Array:
        """(4,) as a `Coupler` has them."""
        return np.array([self.K, self.B, self.K_turn, self.B_turn])

    def clamped(self, most: Gains) -> Gains:
        """Return gains none of which is more than that of `most`; a damper gives way as its spring does."""
        linear, turning = _part(self.K, most.K), _part(self.K_turn, most.K_turn)
        return Gains(
            self.K * linear, min(self.B * linear, most.B), self.K_turn * turning, min(self.B_turn * turning, most.B_turn)
        )


def _part(value: float, most: float) -> float:
    return 1.0 if value <= most else most / value


@dataclass(frozen=True)
class Firmness:
    """Gains as a natural frequency and a damping ratio of what is felt at the point that is held.

    wn_rad_s : > 0; at most 0.3 over the step of the loop
    zeta : >= 0
    most : gains that are never gone beyond; None for any
    """

    wn_rad_s: float = 6.0
    zeta: float = 0.7
    most: Gains | None = None

    def __post_init__(self) -> None:
        damping = [] if is_number(self.zeta) and self.zeta >= 0 else [Problem("zeta", "a number >= 0", repr(self.zeta))]
        refuse(positive_problems("wn_rad_s", self.wn_rad_s) + damping)

    def gains(self, model: Model, state: State, frame: str, step_s: float) -> Gains:
        """Return K = m wn^2 and B = 2 zeta m wn of the least effective mass m at a frame, likewise of turning, clamped.

        Raises `InvalidInput` for what steps of `step_s` do not follow.
        """
        if self.wn_rad_s * step_s > FASTEST:
            most = FASTEST / step_s
            raise InvalidInput(Problem("wn_rad_s", f"at most {most:.6g} with steps of {step_s:g} s", f"{self.wn_rad_s:g}"))
        mass, inertia = effective_inertia(model, state, frame)
        wn, damping = self.wn_rad_s, 2 * self.zeta * self.wn_rad_s
        gains = Gains(mass * wn**2, mass * damping, inertia * wn**2, inertia * damping)
        return gains if self.most is None else gains.clamped(self.most)


def effective_inertia(model: Model, state: State, frame: str) -> tuple[float, float]:
    """Return the least mass [kg] and the least inertia [kg m^2] that a force and a moment meet at a frame, in any direction.

    One over the largest eigenvalues of J M^-1 J', joints being free; what holds them makes it more.
    """
    J = model.Jm(state, frame) if model.layout.fixed else np.hstack([model.J0(state, frame), model.Jm(state, frame)])
    compliance = J @ np.linalg.solve(model.M(state), J.T)
    linear, turning = (float(np.linalg.eigvalsh(compliance[part, part])[-1]) for part in (slice(0, 3), slice(3, 6)))
    return 1 / max(linear, 1e-9), 1 / max(turning, 1e-9)
