"""Rows of closed contacts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import Problem, refuse
from ..spatial import Array, array_problems, frozen, is_number
from ._rows import rows_shape


@dataclass(frozen=True, eq=False)
class Contacts:
    """c closed contacts in n speeds u, each with a normal and k = 0, 1 (in a plane) or 2 (in space) tangents [Pfeiffer1996].

    N : (c, n), N u is the speed at which bodies part; T : (k c, n), tangents of a contact lie together, at right angles and
    of unit length; mu : (c,) Coulomb coefficients of friction, or one for all; in SI
    drift_N, drift_T : (c,), (k c,) what N udot and T udot lack of the accelerations there, zero where left out

    Raises `InvalidInput` for arrays that do not fit and coefficients below 0.

    >>> floor = Contacts(N=np.array([[0.0, 1.0]]), T=np.array([[1.0, 0.0]]), mu=0.5)
    >>> floor.rows.shape, floor.mu.tolist(), floor.drift.tolist()
    ((2, 2), [0.5], [0.0, 0.0])
    """

    N: Array
    T: Array
    mu: Any = 0.0
    drift_N: Any = None
    drift_T: Any = None

    def __post_init__(self) -> None:
        (c, n), (tangents, n_of_T) = rows_shape("N", self.N), rows_shape("T", self.T)
        refuse([None if n == n_of_T else Problem("T", f"rows of {n} numbers, as N has them", f"rows of {n_of_T}")])
        words = f"{c} or {2 * c} rows, one or two for each of {c} contacts, or none"
        refuse([None if tangents in (0, c, 2 * c) else Problem("T", words, f"{tangents} rows")])
        mu = np.full(c, self.mu) if is_number(self.mu) else self.mu
        given = {"mu": (mu, c), "drift_N": (self.drift_N, c), "drift_T": (self.drift_T, tangents)}
        values = {key: (np.zeros(size) if value is None else value, size) for key, (value, size) in given.items()}
        refuse(problem for key, (value, size) in values.items() for problem in array_problems(key, value, (size,)))
        for key, value in {"N": self.N, "T": self.T, **{key: value for key, (value, _) in values.items()}}.items():
            object.__setattr__(self, key, frozen(value))
        refuse([Problem("mu", "coefficients of friction >= 0", str(self.mu.tolist())) if np.any(self.mu < 0) else None])

    @property
    def rows(self) -> Array:
        """N over T: (c + k c, n), in SI."""
        return np.vstack([self.N, self.T])

    @property
    def drift(self) -> Array:
        """What `rows` @ udot lacks of the accelerations: (c + k c,) [m/s^2]."""
        return np.concatenate([self.drift_N, self.drift_T])

    @property
    def tangents(self) -> int:
        """k, tangents of each contact."""
        return len(self.T) // len(self.N) if len(self.N) else 0
