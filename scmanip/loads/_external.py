"""The books of what an environment did in a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ..channels import Bundle, Channel, Nature
from ..spatial import Array


@dataclass(frozen=True, eq=False)
class External:
    """What came from outside since the start, time first, in N, read-only.

    By definition integrals over time.

    impulse : (n, 3) of all forces, by which P changed [N s]
    angular_impulse : (n, 3) of all moments about the system CoM, by which L_C changed [N m s]
    displacement : (n, 3) of the system CoM, the time integral of impulse / mass [m]
    work : (n,) [J]

    >>> row = np.zeros(10)
    >>> rate = External.rate(row, np.array([2.0, 0, 0, 0, 0, 0]), power=0.1, mass_kg=100.0)  # of a steady push
    >>> books = External.of(np.array([row, rate * 5.0]))
    >>> books.impulse.tolist(), books.work.tolist()
    ([[0.0, 0.0, 0.0], [10.0, 0.0, 0.0]], [0.0, 0.5])
    """

    COLUMNS: ClassVar[int] = 10

    impulse: Array
    angular_impulse: Array
    displacement: Array
    work: Array

    def __post_init__(self) -> None:
        for array in vars(self).values():
            array.flags.writeable = False

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take the fields of a copied or unpickled object, again read-only."""
        vars(self).update(state)
        self.__post_init__()

    @staticmethod
    def rate(row: Array, resultant: Array, power: Any, mass_kg: Any) -> Array:
        """Return the time derivative (10,) of a row (10,) of the books, over any scalar.

        row : impulse [N s], angular impulse [N m s], displacement [m] and work [J], the rates are these per second
        resultant : (6,) [f; n] [N, N m] in N, n about the system CoM
        """
        return np.concatenate([resultant, row[:3] / mass_kg, [power]])

    @staticmethod
    def since_first(rows: Array, times: Array, mass_kg: float) -> Array:
        """Return rows (n, 10) at times (n,) [s] as they are where the books begin with nothing at the first of them."""
        begun = rows - rows[0]
        begun[:, 6:9] -= np.outer(times - times[0], rows[0, :3] / mass_kg)
        return begun

    @classmethod
    def of(cls, rows: Array) -> External:
        """Return the books of rows (n, 10) that were integrated with the motion, in the order and SI units of `rate`."""
        own = np.array(rows)
        own.flags.writeable = False
        return cls(own[:, :3], own[:, 3:6], own[:, 6:9], own[:, 9])

    @classmethod
    def joined(
        cls,
        parts: Sequence[External],
        times: Sequence[Array],
        mass_kg: float,
        blows: Sequence[Array] | None = None,
        kept: Sequence[slice] | None = None,
    ) -> External:
        """Return the books of runs that followed one another; `times` [s] are those of their rows.

        blows : (6,) per run the impulse [N s] and angular impulse [N m s] between the run before and it, in N
        kept : which rows of each run the whole has
        """
        impulse, angular, displacement, work = (np.zeros(shape) for shape in (3, 3, 3, ()))
        rows: list[Array] = []
        for part, t, blow in zip(parts, times, blows or [np.zeros(6)] * len(parts), strict=True):
            impulse, angular = impulse + blow[:3], angular + blow[3:]
            drift = np.outer(t - t[0], impulse / mass_kg)
            columns = (
                impulse + part.impulse,
                angular + part.angular_impulse,
                displacement + drift + part.displacement,
                (work + part.work)[:, None],
            )
            rows.append(np.concatenate(columns, axis=1))
            last = rows[-1][-1]
            impulse, angular, displacement, work = last[:3], last[3:6], last[6:9], last[9]
        return cls.of(np.concatenate([row[own] for row, own in zip(rows, kept or [slice(None)] * len(rows), strict=True)]))


_ANGULAR = "angular impulse of the environment about the system centre of mass"
_DISPLACEMENT = "displacement of the system centre of mass by the environment"
EXTERNAL: Bundle[External] = Bundle(
    (
        Channel("external_impulse", "xyz", "N s", "impulse of the environment", Nature.INTEGRAL, metric=None),
        Channel("external_angular_impulse", "xyz", "N m s", _ANGULAR, Nature.INTEGRAL, metric=None),
        Channel("external_displacement", "xyz", "m", _DISPLACEMENT, Nature.INTEGRAL, metric=None),
        Channel("external_work", "", "J", "work of the environment", Nature.INTEGRAL, metric=None),
    ),
    lambda books: (books.impulse, books.angular_impulse, books.displacement, books.work),
)
