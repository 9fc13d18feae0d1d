"""Integration with steps of one length, of one trajectory or of one per lane."""

from __future__ import annotations

from ._flow import Flow
from ._ode_layout import K, Y
from ._ode_steps import PARAMETERS, Steps
from ._tableaux import Tableau

ARRAYS = 2  # before the parameters: y_0 and the samples


def fixed_source(code: Flow, lanes: int, name: str, method: Tableau) -> list[str]:
    """Return a function that integrates the cases `first` to `end`.

    `numbers`: t_0, dt. `counts`: samples after the first, steps from one to the next.
    """
    steps = Steps(code, lanes, ARRAYS)
    t_0, dt = (code.load("double", "%numbers", k) for k in range(2))
    samples, every = (code.load("i64", "%counts", k) for k in range(2))
    with code.loop(steps.end, steps.first, lanes) as case:
        steps.begin(case)
        results = steps.lanes_of(1, case)
        steps.scatter(Y, results, 0)
        with code.loop(samples) as sample:
            with code.loop(every) as step:
                t = t_0 + code.as_double(sample * every + step) * dt
                steps.rate(t, Y, K)
                steps.step(method, t, dt, Y)
            steps.scatter(Y, results, (sample + 1) * steps.n)
    return code.function(name, PARAMETERS)
