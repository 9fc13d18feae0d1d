"""The reference motion of the joints at one instant."""

from __future__ import annotations

from dataclasses import dataclass

from ..spatial import Array, finite


@dataclass(frozen=True, eq=False)
class JointReference:
    """What the joints should do: the sample of a `ReferenceMotion` that a controller receives.

    q : (n_q,) joint coordinates [rad or m]; unit quaternions of spherical joints
    qdot : (N,) joint rates [rad/s or m/s]; of spherical joints in child axes as they are at this q
    qddot : (N,) their derivatives [rad/s^2 or m/s^2]

    >>> sample = reference.at(0.5)
    >>> sample.q.round(4).tolist(), sample.qdot.round(4).tolist(), sample.is_finite
    ([0.0078, 0.0, 0.0, 0.0], [0.05, 0.0, 0.0, 0.0], True)
    """

    q: Array
    qdot: Array
    qddot: Array

    @property
    def is_finite(self) -> bool:
        """Whether all its numbers are finite."""
        return finite(self.q, self.qdot, self.qddot)
