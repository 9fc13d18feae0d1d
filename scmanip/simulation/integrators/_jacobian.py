"""How rates change with the state: what implicit steps are made with, and how fast a loop is."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np

from ...spatial import Array
from ._integrator import Rate

SIZE = 1e-5  # of central differences, in parts of the larger of 1 and the entry: its square is 1e-10


class KnownJacobian(ABC):
    """A rate that knows its derivatives.

    >>> class Decay(KnownJacobian):
    ...     def __call__(self, t, y):
    ...         return -1e6 * y
    ...
    ...     def jacobian(self, t, y):
    ...         return -1e6 * np.eye(len(y))
    >>> jacobian(Decay(), 0.0, np.ones(1)).tolist()
    [[-1000000.0]]
    """

    @abstractmethod
    def __call__(self, t: float, y: Array) -> Array:
        """Return the rate (n,) of y (n,) at `t` [s]."""

    @abstractmethod
    def jacobian(self, t: float, y: Array) -> Array:
        """Return the derivatives (n, n) of the rate by y (n,)."""


def jacobian(rate: Rate, t: float, y: Array, parts: float = SIZE) -> Array:
    """Return the derivatives (n, n) of a rate by y (n,) at `t` [s]: those it knows, or central differences.

    Sizes of differences come from the state alone. Those of SciPy follow its absolute tolerance, and where that is fine the
    rounding of large gains is all that they see.

    parts : their sizes, in parts of the larger of 1 and the entry
    """
    if isinstance(rate, KnownJacobian):
        return rate.jacobian(t, y)
    sizes = parts * np.maximum(1.0, np.abs(y))
    columns = [(rate(t, y + step) - rate(t, y - step)) / (2 * size) for size, step in zip(sizes, np.diag(sizes), strict=True)]
    return np.array(columns).T
