"""Derivatives of the states of a run by a number."""

from __future__ import annotations

from dataclasses import dataclass

from ...spatial import Array
from ...system import Layout


@dataclass(frozen=True, eq=False)
class StateSensitivity:
    """Derivatives of the states of a run, sample by sample, by one number; the last axes are those of the number.

    In SI and components in N throughout, as states are, by the number in SI.

    x : (n_t, n_x, ...) of the packed states
    end_s : (...) of the time [s] at which an event of the state ended the run; None where none did

    >>> mass = "body.link2.mass_kg"
    >>> run = simulate(plant, law, state, reference=reference, t_end_s=1.0, output_step_s=0.5, sensitivities=[mass])
    >>> run.sensitivity[mass].q.shape, run.sensitivity[mass].x.shape
    ((3, 4), (3, 21))
    """

    x: Array
    layout: Layout
    end_s: Array | None = None

    @property
    def r_0(self) -> Array:
        """(n_t, 3, ...) of the base's place in N [m]."""
        return self.x[:, self.layout.x_r_0]

    @property
    def attitude_xyzw(self) -> Array:
        """(n_t, 4, ...) of the base's quaternion."""
        return self.x[:, self.layout.x_attitude]

    @property
    def q(self) -> Array:
        """(n_t, n_q, ...) of the joint coordinates [rad or m]."""
        return self.x[:, self.layout.x_q]

    @property
    def u(self) -> Array:
        """(n_t, n_u, ...) of the speeds [m/s, rad/s]."""
        return self.x[:, self.layout.x_u]

    @property
    def v_0(self) -> Array:
        """(n_t, 3, ...) of the base's velocity in N [m/s]."""
        return self.u[:, self.layout.base_linear]

    @property
    def omega_0(self) -> Array:
        """(n_t, 3, ...) of the base's angular velocity in N [rad/s]."""
        return self.u[:, self.layout.base_angular]

    @property
    def qdot(self) -> Array:
        """(n_t, N, ...) of the joint rates [rad/s or m/s]."""
        return self.u[:, self.layout.joints]

    def __repr__(self) -> str:
        return f"StateSensitivity({len(self.x)} samples, by a number of shape {self.x.shape[2:]})"
