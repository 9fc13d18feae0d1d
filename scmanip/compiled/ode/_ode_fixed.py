"""Integration with steps of one length, of one trajectory or of one per lane."""

from __future__ import annotations

from ..kernel._code import Value
from ..kernel._flow import Flow
from ._ode_layout import ATOL, K, Y
from ._ode_steps import PARAMETERS, OdeSteps
from ._tableaux import DOP853, ERROR_3, ERROR_5, Tableau

ARRAYS = 3  # before the parameters: y_0, the samples and the errors
ERRORS = ATOL  # area of the estimated errors so far; nothing here looks at tolerances
LEAST = 1e-300  # keeps 0 / 0 from being asked for


def fixed_source(code: Flow, lanes: int, name: str, method: Tableau) -> list[str]:
    """Return a function that integrates the cases `first` to `end`.

    `numbers`: t_0, dt. `counts`: samples after the first, steps from one to the next. With DOP853 the estimated errors of all
    steps are added up, entry by entry; they cost no evaluation.
    """
    steps = OdeSteps(code, lanes, ARRAYS)
    t_0, dt = (code.load("double", "%numbers", k) for k in range(2))
    samples, every = (code.load("i64", "%counts", k) for k in range(2))
    with code.loop(steps.end, steps.first, lanes) as case:
        steps.begin(case)
        results = steps.lanes_of(1, case)
        steps.scatter(Y, results, 0)
        with code.loop(steps.rows) as row:
            steps.write(ERRORS, row, code.typed(0.0, code.type))
        with code.loop(samples) as sample:
            with code.loop(every) as step:
                t = t_0 + code.as_double(sample * every + step) * dt
                steps.rate(t, Y, K)
                steps.step(method, t, dt, Y)
                if method is DOP853:
                    _add_errors(steps, dt)
            steps.scatter(Y, results, (sample + 1) * steps.n)
        steps.scatter(ERRORS, steps.lanes_of(2, case), 0)
    return code.function(name, PARAMETERS)


def _add_errors(steps: OdeSteps, dt: Value) -> None:
    """Append adding the error of a step to what there is, |h| e_5^2 / sqrt(e_5^2 + e_3^2 / 100) as in [Hairer1993] II.10."""
    code = steps.code
    size = code.row(code.size(dt))
    with code.loop(steps.rows) as row:
        fifth, third = steps.weighted(ERROR_5, row), steps.weighted(ERROR_3, row)
        square = fifth * fifth
        error = size * square / code.root(square + third * third * 0.01 + LEAST)
        steps.write(ERRORS, row, steps.read(ERRORS, row) + error)
