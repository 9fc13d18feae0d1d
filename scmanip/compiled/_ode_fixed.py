"""Integration with steps of one length, of one trajectory or of one per lane."""

from __future__ import annotations

from ._code import Code, Value
from ._ode_layout import K, Layout, Steps, Y
from ._tableaux import Tableau

PARAMETERS = "ptr %arrays, ptr %strides, ptr %numbers, ptr %counts, ptr %work, i64 %first, i64 %end"


def fixed_source(code: Code, layout: Layout, name: str, method: Tableau) -> list[str]:
    """Return a function that integrates the cases `first` to `end`.

    `arrays` and `strides`, in bytes from case to case: y_0, the parameters, the samples. `numbers`: t_0, dt.
    `counts`: samples after the first, steps from one to the next.
    """
    steps, n = Steps(code, layout), layout.ode.n
    t_0, dt = code.load("double", "%numbers"), code.load("double", "%numbers", 1)
    samples, every = code.load("i64", "%counts"), code.load("i64", "%counts", 1)
    end = Value(code, "%end", "i64")
    with code.loop(end, Value(code, "%first", "i64"), layout.lanes) as case:
        steps.begin(case, end)
        results = steps.lanes_of(1 + len(layout.ode.parameters), case, end)
        steps.scatter(Y, results, code.typed(0, "i64"))
        with code.loop(samples) as sample:
            with code.loop(every) as step:
                t = t_0 + code.as_double(sample * every + step) * dt
                steps.rate(t, Y, K)
                steps.step(method, t, dt, Y)
            steps.scatter(Y, results, (sample + 1) * n)
    return code.function(name, PARAMETERS)
