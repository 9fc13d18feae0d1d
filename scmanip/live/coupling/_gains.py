"""How firm a coupler is: by what it holds."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

import numpy as np

from ...dynamics import Model
from ...errors import InvalidInput, Problem, checked, refuse
from ...plant import Plant
from ...spatial import Array, array_problems, is_number, positive_problems
from ...system import State

NONE = 1e-9  # of the largest, in directions that cannot be moved
STIFFEST = 1e-15  # 1/kg or 1/(kg m^2): what gives way no more than that does not move
FASTEST = 0.3  # of a coupler: natural frequency times step, beyond which samples do not follow it


@dataclass(frozen=True)
class Gains:
    """Springs and dampers: K [N/m], B [N s/m], K_turn [N m/rad], B_turn [N m s/rad], all >= 0.

    Raises `InvalidInput` for numbers that are not finite and >= 0.

    >>> Gains(K=100.0, B=5.0).clamped(Gains(K=50.0, B=10.0, K_turn=1.0, B_turn=1.0))
    Gains(K=50.0, B=2.5, K_turn=0.0, B_turn=0.0)
    """

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
        """(4,) K, B, K_turn, B_turn in SI, the same along all axes, as a `Coupler` has them."""
        return np.array([self.K, self.B, self.K_turn, self.B_turn])

    def clamped(self, most: Gains) -> Gains:
        """Return gains none of which is more than that of `most`; a damper gives way as its spring does."""
        linear, turning = _part(self.K, most.K), _part(self.K_turn, most.K_turn)
        return Gains(
            self.K * linear, min(self.B * linear, most.B), self.K_turn * turning, min(self.B_turn * turning, most.B_turn)
        )


def _part(value: float, most: float) -> float:
    return 1.0 if value <= most else most / value


@checked
@dataclass(frozen=True)
class Firmness:
    """Gains as a natural frequency and a damping ratio of what is felt at the point that is held.

    wn_rad_s : natural frequency, > 0; at most 0.3 over the step of the loop
    zeta : damping ratio, >= 0
    most : gains that are never gone beyond; None for any

    Raises `InvalidInput` for numbers out of range; `gains` where steps are too long for them.

    >>> gains = Firmness(wn_rad_s=6.0, zeta=0.7).gains(model, state, "tip", 0.001)
    >>> round(gains.B / gains.K, 4), round(2 * 0.7 / 6.0, 4)
    (0.2333, 0.2333)
    """

    wn_rad_s: float = 6.0
    zeta: float = 0.7
    most: Gains | None = None

    def __post_init__(self) -> None:
        damping = [] if is_number(self.zeta) and self.zeta >= 0 else [Problem("zeta", "a number >= 0", repr(self.zeta))]
        refuse(positive_problems("wn_rad_s", self.wn_rad_s) + damping)

    def gains(self, model: Model, state: State, frame: str, step_s: float) -> Gains:
        """Return K = m wn^2 and B = 2 zeta m wn of the least effective mass m at a frame, likewise of turning, clamped.

        What nothing can move or turn has no springs. Raises `InvalidInput` for what steps of `step_s` do not follow.
        """
        if self.wn_rad_s * step_s > FASTEST:
            most = FASTEST / step_s
            raise InvalidInput(Problem("wn_rad_s", f"at most {most:.6g} with steps of {step_s:g} s", f"{self.wn_rad_s:g}"))
        mass, inertia = (each if each < inf else 0.0 for each in effective_inertia(model, state, frame))
        wn, damping = self.wn_rad_s, 2 * self.zeta * self.wn_rad_s
        gains = Gains(mass * wn**2, mass * damping, inertia * wn**2, inertia * damping)
        return gains if self.most is None else gains.clamped(self.most)


@checked
def effective_inertia(model: Model, state: State, frame: str) -> tuple[float, float]:
    """Return the least mass [kg] and the least inertia [kg m^2] that a force and a moment meet at a frame, in any direction.

    One over the largest eigenvalues of J M^-1 J' [Khatib1987], joints being free; what holds them makes it more. Infinite
    where nothing moves it, as a point on the axis of the only joint of a held base. Raises `SingularInertia`.

    >>> mass, inertia = effective_inertia(model, state, "tip")
    >>> bool(mass < system.mass_kg), round(mass, 3)
    (True, 2.907)
    """
    J = jacobian(model, state, frame)
    compliance = J @ _yielded(model, state, J.T)
    linear, turning = (float(np.linalg.eigvalsh(compliance[part, part])[-1]) for part in (slice(0, 3), slice(3, 6)))
    return (1 / linear if linear > STIFFEST else inf), (1 / turning if turning > STIFFEST else inf)


@checked
def heaviness(plant: Plant, state: State, frame: str, own: tuple[float, float], turns: bool = True) -> float:
    """Return the largest of what a hand feels at a frame, in any direction in which it can be moved, over its device's own.

    plant : its constraints that hold are felt, too; own : mass [kg] and inertia [kg m^2] of the device; turns : whether it
        turns the frame

    A device that is shown forces a step after the motion which needs them is only stable where this is below 1. With J M^-1 J'
    of [Khatib1987]. A device without mass is infinitely lighter.
    Raises `InvalidInput` for what are not two numbers, `SingularInertia`.

    >>> times = heaviness(plant, state, "tip", (100.0, 100.0))
    >>> round(times / heaviness(plant, state, "tip", (200.0, 200.0)), 6)
    2.0
    """
    refuse(array_problems("own", own, (2,)))
    if min(own[: 1 + turns]) <= 0:
        return inf
    model, axes = plant.model, slice(0, 6 if turns else 3)
    J = np.sqrt(np.repeat(own, 3)[axes])[:, None] * jacobian(model, state, frame)[axes]
    yielded = _yielded(model, state, np.eye(model.layout.n_u))
    most = np.linalg.eigvalsh(J @ yielded @ J.T)[-1]
    if plant.holds:
        A = model.constrained(*plant.holds).A(state)
        yielded = yielded - yielded @ A.T @ np.linalg.pinv(A @ yielded @ A.T, rcond=NONE) @ A @ yielded
    felt = np.linalg.eigvalsh(J @ yielded @ J.T)
    moving = felt[felt > NONE * most]
    return 1.0 / float(moving[0]) if moving.size else 0.0


def _yielded(model: Model, state: State, given: Array) -> Array:
    """Return M^-1 of forces (n_u, k), in SI; raises `SingularInertia` where no accelerations follow from them."""
    try:
        return np.linalg.solve(model.M(state), given)
    except np.linalg.LinAlgError:
        model.forward_dynamics(state, np.zeros(model.layout.N))  # says why
        raise


def jacobian(model: Model, state: State, frame: str) -> Array:
    """Return that of the twist (6, n_u) of a frame, base and joints, in N."""
    return model.Jm(state, frame) if model.layout.fixed else np.hstack([model.J0(state, frame), model.Jm(state, frame)])
