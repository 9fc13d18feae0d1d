"""A compliant joint of six freedoms between two frames: a grasp that gives, a mount, a docking ring."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..dynamics import Model
from ..errors import InvalidInput, ModeMismatch, Problem, expect, name_problems, pair_problems, refuse
from ..spatial import Array, array_problems, attitude_xyzw, dcm_from_quaternion, transpose
from ..system import GROUND
from ._bodies import Bodies
from ._body_wrenches import BodyWrenches
from ._load import Load

_KEYS = ("stiffness_N_m", "damping_Ns_m", "stiffness_Nm_rad", "damping_Nms_rad")
_OUTPUTS = {**{f"force_{axis}": "N" for axis in "xyz"}, **{f"torque_{axis}": "N m" for axis in "xyz"}}


@dataclass(frozen=True)
class Bushing(Load):
    """Springs and dampers, as of Kelvin and Voigt, that draw a frame b to a place and an attitude in a frame a.

    In the axes of a, with d from the place to b, Q the turn of b from that attitude, and G = tr(K) / 2 - K of the stiffnesses K
    of turning,

        f = -k d - c d',   n = -vee(Q G - G Q') - C omega

    on b about its origin; a gets the opposite there. The springs store (d' k d) / 2 + tr(G (1 - Q)), of small turns their
    squares times K / 2, and give nothing at half a turn. A stiffness of 0 leaves a freedom: a pinned grasp has none for turns.
    A derivation of our own.

    frames : the names of a and b, of two bodies, or of a body and "ground"
    stiffness_N_m, damping_Ns_m, stiffness_Nm_rad, damping_Nms_rad : numbers >= 0, or (3,) along the axes of a
    position_m, attitude_xyzw : (3,) and (4,) where b shall be in a
    name : by which switches and problems call it
    active : whether it acts from the start, or only once it is engaged

    Raises `InvalidInput` for coefficients that are negative, and frames that are no two names.

    >>> clamp = Bushing(("ground", "tip"), stiffness_N_m=100.0, damping_Ns_m=20.0, position_m=(4.2, 0.6, 0.0))
    >>> found = clamp.wrenches(Bodies(system, model.equations(state)), 0.0)
    >>> found.f[4].round(2).tolist()  # it draws the tip to its place
    [1.96, 0.6, 0.0]
    """

    frames: tuple[str, str]
    stiffness_N_m: float | tuple[float, ...] = 0.0
    damping_Ns_m: float | tuple[float, ...] = 0.0
    stiffness_Nm_rad: float | tuple[float, ...] = 0.0
    damping_Nms_rad: float | tuple[float, ...] = 0.0
    position_m: tuple[float, ...] = (0.0, 0.0, 0.0)
    attitude_xyzw: tuple[float, ...] = (0.0, 0.0, 0.0, 1.0)
    name: str = "bushing"
    active: bool = True
    outputs = _OUTPUTS
    pushes = ("",)

    def __post_init__(self) -> None:
        expect("active", self.active, bool, "True or False")
        problems = name_problems("bushing", self.name) + pair_problems("frames", self.frames)
        problems += [problem for key in _KEYS for problem in _coefficient_problems(key, getattr(self, key))]
        problems += array_problems("position_m", self.position_m, (3,))
        try:
            own = tuple(attitude_xyzw(self.attitude_xyzw, order="xyzw").tolist())
        except InvalidInput as error:
            problems += error.problems
        refuse(problems)
        rows = {key: tuple(np.broadcast_to(np.asarray(getattr(self, key), dtype=float), 3).tolist()) for key in _KEYS}
        place = tuple(np.asarray(self.position_m, dtype=float).tolist())
        vars(self).update(frames=tuple(self.frames), position_m=place, attitude_xyzw=own, **rows)

    @property
    def called(self) -> str:
        return self.name

    @property
    def acts(self) -> bool:
        return self.active

    def check(self, model: Model) -> None:
        """Raise `UnknownName` for a frame that is none, `ModeMismatch` where both are on one body."""
        one, other = (name if name == GROUND else model.system.frame(name).body for name in self.frames)
        if one == other:
            raise ModeMismatch(f"bushing '{self.name}' is between frames of two bodies, and both are on '{one}'; leave it out")

    def wrenches(self, bodies: Bodies, t: Any) -> BodyWrenches:
        """Return force and moment on the two bodies, equal and opposite."""
        a, b, (body_a, body_b) = *self._frames(bodies), self._bodies(bodies)
        f, n = self._elastic(bodies) + self._viscous(bodies)
        return bodies.between(body_a, body_b, a[1] @ f, a[1] @ n, at=b[0])

    def dissipated(self, bodies: Bodies, t: Any) -> Any:
        """Return what the dampers take [W]."""
        return -np.sum(self._viscous(bodies) * self._rates(bodies))

    def output(self, bodies: Bodies, t: Any) -> Array:
        """Return them (6,), force [N] and moment [N m] in axes of frame a."""
        return np.concatenate([*(self._elastic(bodies) + self._viscous(bodies))])

    def pushing(self, bodies: Bodies, t: Any) -> Array:
        """Return where frame b is, and the force on it (2, 1, 3)."""
        del t
        (_, R), (at, _) = self._frames(bodies)
        return np.array([[at], [R @ (self._elastic(bodies) + self._viscous(bodies))[0]]])

    def _elastic(self, bodies: Bodies) -> Array:
        """Return f and n (2, 3) of the springs, in the axes of a."""
        (p_a, R_a), (p_b, R_b) = self._frames(bodies)
        d = transpose(R_a) @ (p_b - p_a) - np.array(self.position_m)
        K = np.array(self.stiffness_Nm_rad)
        S = transpose(R_a) @ R_b @ dcm_from_quaternion(np.array(self.attitude_xyzw)).T * (K.sum() / 2 - K)
        n = np.array([S[1, 2] - S[2, 1], S[2, 0] - S[0, 2], S[0, 1] - S[1, 0]])
        return np.array([-np.array(self.stiffness_N_m) * d, n])

    def _viscous(self, bodies: Bodies) -> Array:
        """Return f and n (2, 3) of the dampers, in the axes of a."""
        return -np.array([self.damping_Ns_m, self.damping_Nms_rad]) * self._rates(bodies)

    def _rates(self, bodies: Bodies) -> Array:
        """Return how fast b moves and turns (2, 3) as a sees it, in the axes of a."""
        (_, R_a), (at, _) = self._frames(bodies)
        (v_a, omega_a), (v_b, omega_b) = (bodies.motion(body, at) for body in self._bodies(bodies))
        return np.array([transpose(R_a) @ (v_b - v_a), transpose(R_a) @ (omega_b - omega_a)])

    def _frames(self, bodies: Bodies) -> tuple[tuple[Array, Array], tuple[Array, Array]]:
        a, b = (bodies.frame(name) for name in self.frames)
        return a, b

    def _bodies(self, bodies: Bodies) -> tuple[str, str]:
        a, b = (name if name == GROUND else bodies.system.frame(name).body for name in self.frames)
        return a, b

    def __str__(self) -> str:
        """Return what it joins, for people."""
        when = "" if self.active else ", once it is engaged"
        return f"bushing '{self.name}' of '{self.frames[1]}' with '{self.frames[0]}'{when}"


def _coefficient_problems(key: str, value: Any) -> list[Problem]:
    """Return what keeps a value from being one number >= 0, or three."""
    if array_problems(key, value, ()) and array_problems(key, value, (3,)):
        return [Problem(key, "3 finite numbers, or one", repr(value))]
    return [] if np.min(value) >= 0 else [Problem(key, "finite numbers >= 0", str(value))]
