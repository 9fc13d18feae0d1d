"""What an integration returns."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from ..kernel._arguments import Array


class OdeStatus(Enum):
    """How an integration with controlled steps ended.

    >>> from scmanip.symbolic import record
    >>> ode = compile_ode(record({"t": (), "y": (1,)}, lambda t, y: {"ydot": y * y}), cache=None)
    >>> ode.solve(0.0, np.ones(1), 2.0, rtol=1e-8, atol=1e-10).status.name  # it goes to infinity at t = 1
    'STEP_UNDERFLOW'
    """

    DONE = 0
    TOO_MANY_STEPS = 1
    STEP_UNDERFLOW = 2
    NOT_FINITE = 3
    ALARM = 4


@dataclass(frozen=True, eq=False)
class OdeResult:
    """Samples, and the last state that was accepted, from which an integration can go on.

    t, y : (k,), (k, n) samples up to `end_t`, by dense output, whatever the steps were
    end_t, end_y : float, (n,) where it ended: at t_1 if `status` is DONE, else at the end of the last accepted step
    steps, evaluations : accepted steps, and evaluations of the right-hand side
    next_step : step that the error control suggests from there on
    status : DONE; TOO_MANY_STEPS; STEP_UNDERFLOW, no step is small enough; NOT_FINITE, the same because of rates that
        are not finite; ALARM, an entry of the output alarm is not <= 0 in the last state
    alarm : output alarm in the last state if `status` is ALARM, otherwise None

    Times and states are in any units, those of the program.

    >>> from scmanip.symbolic import record
    >>> ode = compile_ode(record({"t": (), "y": (1,)}, lambda t, y: {"ydot": -y}), cache=None)
    >>> result = ode.solve(0.0, np.ones(1), 1.0, rtol=1e-8, atol=1e-10, samples=np.array([0.0, 0.5, 1.0]))
    >>> result.status.name, result.y.round(6).ravel().tolist()
    ('DONE', [1.0, 0.606531, 0.367879])
    """

    t: Array
    y: Array
    end_t: float
    end_y: Array
    steps: int
    evaluations: int
    next_step: float
    status: OdeStatus
    alarm: Array | None
