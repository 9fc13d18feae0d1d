"""A frame of the arm on a straight line, its orientation fixed, by numerical inverse kinematics."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from ..compiled import compile_program
from ..dynamics import Model, derive, resolved_joint_rates
from ..errors import InvalidInput, NumericalFailure, Problem, checked, refuse
from ..spatial import Array, positive_problems, quaternion_conjugate, quaternion_product
from ..system import State
from ._checks import row
from ._joint_reference import JointReference
from ._reference import ReferenceMotion
from ._smooth_step import SmoothStep

KNOTS = 100  # places on the line from which the inverse kinematics sets out
MOST_STEPS = 20
LARGEST_STEP = 1.0  # rad or m; a longer one leaves the branch on which the arm set out
CLOSE_ENOUGH = 1e-12  # rad or m; Newton's next step would be the square of the last
REACHED = 1e-9  # m and rad; arms of fewer than six joints may not be able to follow


@checked
class Line(ReferenceMotion):
    """Move a frame from where it is along a straight line, without turning it, from rest to rest (`SmoothStep`).

    The joints follow by Newton's method on the frame's position and attitude, at every time anew; rates and accelerations
    are those of the same equations differentiated, J qdot = t and J qddot = t_dot - J_dot qdot [Luh1980].

    model : of an arm on a fixed base, with at most six joints
    q_home : (n_q,) joint coordinates at the start [rad or m]
    frame : name of the frame that moves
    direction : (3,) of the line in N, of any length but zero
    distance_m, duration_s : how far and how long, > 0

    Raises `InvalidInput` for numbers that are none, a base that floats, more than six joints, and a line that the arm
    cannot follow, with the place where it fails; `UnknownName` for the frame.

    >>> industrial = scmanip.compile_model(scmanip.load_system("model:industrial_6r"))
    >>> home = [0.1, 0.5, -0.3, 0.2, 0.5, 0.1]
    >>> line = Line(industrial, home, "tip", direction=[1.0, 0.0, 0.0], distance_m=0.05, duration_s=2.0)
    >>> np.round(line.at(2.0).q - home, 3).tolist(), line.corners_s
    ([-0.007, -0.057, 0.047, 0.009, 0.007, 0.001], (0.0, 2.0))
    """

    def __init__(
        self, model: Model, q_home: ArrayLike, frame: str, *, direction: ArrayLike, distance_m: float, duration_s: float
    ) -> None:
        home, along = row("q_home", q_home), row("direction", direction)
        model.system.frame(frame)
        problems = _problems(model, home, along) + positive_problems("distance_m", distance_m)
        problems += positive_problems("duration_s", duration_s)
        refuse(problems)
        self._model, self._frame = model, frame
        self._direction = along / math.hypot(*along)  # of any size, without squares
        self._step = SmoothStep(float(duration_s), float(distance_m))
        jacobian = derive(model.system).Jm(frame).program
        if not jacobian.inputs:
            body = model.system.frame(frame).body
            raise InvalidInput(Problem("frame", "a frame that joints move", f"'{frame}' on '{body}', which none does"))
        self._J_dot = compile_program(jacobian.tangent(f"Jm:{frame}", ["q"]))
        start = self._state(home)
        self._place, self._attitude = model.position(start, frame), model.attitude(start, frame)
        self._knots = self._followed(home)

    def at(self, t: float) -> JointReference:
        """Return the reference at `t` [s]: q (n_q,), qdot (N,), qddot (N,); at rest before 0 and after the end."""
        q = self._joints(self._guess(t), self._step.distance(t))
        J, rest = self._model.Jm(self._state(q), self._frame), np.zeros(3)
        qdot = resolved_joint_rates(J, np.concatenate([self._direction * self._step.rate(t), rest]))
        J_dot = np.empty_like(J)
        self._J_dot(q, qdot, J_dot)
        acceleration = np.concatenate([self._direction * self._step.acceleration(t), rest])
        return JointReference(q, qdot, resolved_joint_rates(J, acceleration - J_dot @ qdot))

    @property
    def corners_s(self) -> tuple[float, ...]:
        """Start and end [s], where the acceleration has a kink."""
        return (0.0, self._step.duration)

    def __repr__(self) -> str:
        along = f"direction={self._direction.tolist()}, distance_m={self._step.length:g}"
        return f"Line({self._frame!r}, {along}, t_end_s={self.t_end_s:g})"

    def _state(self, q: Array) -> State:
        return State(q=q, qdot=np.zeros(len(q)))

    def _followed(self, home: Array) -> Array:
        """Return (KNOTS + 1, n_q): the joint coordinates at equal distances on the line."""
        knots = [np.array(home)]
        for distance in np.linspace(0.0, self._step.length, KNOTS + 1)[1:]:
            try:
                knots.append(self._joints(knots[-1], distance))
            except NumericalFailure as failure:
                reach = f"{distance - self._step.length / KNOTS:.3g} m of {self._step.length:g} m, beyond which {failure}"
                raise InvalidInput(Problem("distance_m", "a line that the arm can follow", reach)) from None
        return np.array(knots)

    def _guess(self, t: float) -> Array:
        """Return joint coordinates (n_q,) near those at `t`."""
        knot = self._step.distance(t) / self._step.length * KNOTS
        k = min(int(knot), KNOTS - 1)
        return self._knots[k] + (knot - k) * (self._knots[k + 1] - self._knots[k])

    def _joints(self, q: Array, distance: float) -> Array:
        """Return the joint coordinates (n_q,) that put the frame at `distance` [m] on the line, by Newton from q."""
        for _ in range(MOST_STEPS):
            state = self._state(q)
            miss = self._miss(state, distance)
            step = resolved_joint_rates(self._model.Jm(state, self._frame), miss)
            largest = abs(step).max()
            if not largest <= LARGEST_STEP:
                break
            q = q + step
            if largest <= CLOSE_ENOUGH:
                if abs(miss).max() > REACHED:
                    raise NumericalFailure("the arm has too few joints to keep the line and the orientation")
                return q
        raise NumericalFailure("the joints would have to jump: the arm is stretched out or at another singularity")

    def _miss(self, state: State, distance: float) -> Array:
        """Return (6,) what the frame lacks to its place [m] and its attitude [rad] on the line."""
        place = self._place + self._direction * distance - self._model.position(state, self._frame)
        turn = quaternion_product(self._attitude, quaternion_conjugate(self._model.attitude(state, self._frame)))
        return np.concatenate([place, 2 * np.copysign(1.0, turn[3]) * turn[:3]])


def _problems(model: Model, home: Array, direction: Array) -> list[Problem]:
    layout = model.layout
    problems = []
    if not layout.fixed:
        hint = "on a floating base the frame moves with the base, too"
        problems.append(Problem("model", "a base that is held", f"the floating base of '{model.system.name}'", hint=hint))
    if not 1 <= layout.N <= 6:
        problems.append(Problem("model", "an arm of one to six joints", f"{layout.N}"))
    if layout.quaternions:
        problems.append(
            Problem(
                "model",
                "joints with angles or lengths",
                f"the coordinate '{layout.q_names[layout.quaternions[0][0]]}' of a spherical joint",
            )
        )
    if home.shape != (layout.n_q,):
        problems.append(Problem("q_home", f"{layout.n_q} numbers", f"{home.size}"))
    if direction.shape != (3,) or not direction.any():
        problems.append(Problem("direction", "3 numbers that are not all zero", str(direction.tolist())))
    return problems
