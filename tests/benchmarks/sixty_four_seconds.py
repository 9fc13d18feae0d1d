"""The 64 s problem: all six joints of `bench_6r` follow one rate profile by computed torque with feedforward; perfect model.

The base starts with a twist and the joints with errors. Written for scmanip, and for Pinocchio with SciPy's integrator.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import accumulate, pairwise
from typing import Any

import numpy as np
import pinocchio as pin
from scipy.integrate import solve_ivp

from scmanip.control import ComputedTorque, Controller, WithFeedforward
from scmanip.dynamics import Model
from scmanip.guidance import RateProfile, Sample
from scmanip.modes import Floating
from scmanip.simulation import Coordinates, History, simulate
from scmanip.system import State

from .rivals import PinocchioArm

SHARES = np.array([1.0, -1.0, 1.0, -1.0, 1.0, -1.0])
STEPS = [  # duration [s], rates at start and end [rad/s]
    *((1, 0.0, 0.1), (10, 0.1, 0.1), (1, 0.1, 0.0), (2, 0.0, 0.0)),
    *((1, 0.0, -0.1), (20, -0.1, -0.1), (1, -0.1, 0.0), (2, 0.0, 0.0)),
    *((1, 0.0, 0.1), (10, 0.1, 0.1), (1, 0.1, 0.0), (14, 0.0, 0.0)),
]
T_END, K_P, K_D = 64.0, 1.0, 2.0
START = State(
    r_0=np.zeros(3),
    attitude_xyzw=[0.0, 0.0, 0.0, 1.0],
    q=[0.02, -0.03, 0.04, 0.02, -0.01, 0.03],
    v_0=[0.01, -0.005, 0.002],
    omega_0=[0.01, -0.02, 0.015],
    qdot=np.zeros(6),
)


class OurRun:
    """One warm `simulate` with its first and last state."""

    def __init__(self, model: Model) -> None:
        self.model, self.mode, self.law = model, Floating(), WithFeedforward(ComputedTorque(model, K_P=K_P, K_D=K_D))
        self.reference = RateProfile(6, SHARES, STEPS)

    def history(self, rtol: float, coordinates: Coordinates | None = None, output_step_s: float = T_END) -> History:
        """Return the run at a tolerance."""
        return simulate(
            self.model,
            self.mode,
            self.law,
            START,
            reference=self.reference,
            t_end_s=T_END,
            rtol=rtol,
            output_step_s=output_step_s,
            coordinates=coordinates,
        )

    def end(self, rtol: float, coordinates: Coordinates | None = None) -> np.ndarray:
        """Return the state at the end (25,)."""
        return self.history(rtol, coordinates).final.x


class InPython:
    """The law of `OurRun` through public calls, as a user's own class has it."""

    def __init__(self, law: Controller) -> None:
        self.law = law

    def command(self, t: float, state: State, reference: Sample | None, memory: Any) -> tuple[np.ndarray, Any]:
        """Return the command."""
        return self.law.command(t, state, reference, memory)


class PinocchioRun:
    """The same in Pinocchio's functions and SciPy's DOP853, one `solve_ivp` from corner to corner."""

    def __init__(self, model: Model) -> None:
        arm = PinocchioArm(model.system)
        self.model, self.data, self.layout = arm.model, arm.data, model.layout
        self.y_0 = np.concatenate([arm.q(START), arm.v(START)])
        self.corners = list(accumulate((float(duration) for duration, _, _ in STEPS), initial=0.0))
        self._starts = list(accumulate((T * (a + b) / 2 for T, a, b in STEPS), initial=0.0))

    def end(self, rtol: float) -> np.ndarray:
        """Return scmanip's state at the end (25,)."""
        y = self.y_0
        for number, (start, stop) in enumerate(pairwise(self.corners)):
            y = solve_ivp(self._rate(number), (start, stop), y, method="DOP853", rtol=rtol, atol=rtol).y[:, -1]
        attitude = y[3:7] / np.linalg.norm(y[3:7])
        R = pin.Quaternion(attitude).toRotationMatrix()
        return np.concatenate([y[:3], attitude, y[7:13], R @ y[13:16], R @ y[16:19], y[19:]])

    def _rate(self, number: int) -> Callable[[float, np.ndarray], np.ndarray]:
        duration, v_0, v_1 = STEPS[number]
        start, place, dv = self.corners[number], self._starts[number], v_1 - v_0
        model, data, force, out = self.model, self.data, np.zeros(12), np.empty(25)

        def rate(t: float, y: np.ndarray) -> np.ndarray:
            x = (t - start) / duration
            q_D = place + duration * (v_0 * x + dv * x**4 * (2.5 + x * (x - 3)))
            v_D, a_D = v_0 + dv * x**3 * (10 + x * (6 * x - 15)), dv / duration * 30 * (x * (1 - x)) ** 2
            q, v = y[:13].copy(), y[13:]
            q[3:7] /= np.sqrt(q[3:7] @ q[3:7])
            u = SHARES * a_D + K_D * (SHARES * v_D - v[6:]) + K_P * (SHARES * q_D - q[7:])
            M = pin.crba(model, data, q)
            bias = pin.nle(model, data, q, v)
            base = -np.linalg.solve(M[:6, :6], M[:6, 6:] @ u + bias[:6])
            force[6:] = M[:6, 6:].T @ base + M[6:, 6:] @ u + bias[6:]
            acceleration = pin.aba(model, data, q, v, force)
            a, b, c, d = y[3:7]
            p, r, s = v[3:6]
            out[:3] = pin.Quaternion(q[3:7]).matrix() @ v[:3]
            out[3:7] = (d * p + b * s - c * r) / 2, (d * r + c * p - a * s) / 2, (d * s + a * r - b * p) / 2, 0.0
            out[6] = -(a * p + b * r + c * s) / 2
            out[7:13], out[13:] = v[6:], acceleration
            return out.copy()

        return rate
