"""Random expressions that mean the same on floats and on recorded scalars."""

import numpy as np

from scmanip.symbolic import arctan2, maximum, minimum, select

CONSTANTS = (0.0, 1.0, -1.0, 2.0, -0.5, 3.7, -2.25)


def random_expression(rng, length, smooth=False):
    """Return a function of an array (n,) that returns {"y": (5,)}, of `length` random operations, tame in size."""
    plan = [(int(rng.integers(0, 12 if smooth else 16)), rng.integers(0, 1 << 30, 3)) for _ in range(length)]

    def function(x):
        values = [*x, *CONSTANTS]
        for kind, places in plan:
            a, b, c = (values[p % len(values)] for p in places)
            values.append(operation(kind, a, b, c))
        return {"y": np.array(values[-5:], dtype=object)}

    return function


def operation(kind, a, b, c):
    if kind < 3:
        return 0.5 * a + b
    if kind < 5:
        return a - b
    if kind < 8:
        return bounded(a) * bounded(b)
    if kind == 8:
        return a * b / (1 + a * a + b * b) - (-a)
    if kind == 9:
        return np.sin(a) * np.cos(b) + np.cos(a) * np.sin(b) + np.sqrt(1 + a * a)
    if kind == 10:
        return np.exp(bounded(a)) * np.tanh(b) + bounded(c) ** 3
    if kind == 11:
        return bounded(a) * c + bounded(b) * c - arctan2(1 + a * a, b)
    if kind == 12:
        return abs(a) - abs(-a) + abs(b)
    if kind == 13:
        return minimum(a, b) + maximum(b, c)
    return select(a < b, a, c)


def bounded(x):
    return np.sin(1.0 * x) if isinstance(x, float) else x.sin()
