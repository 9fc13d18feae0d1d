"""What every integrator offers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from ..spatial import Array

Rate = Callable[[float, Array], Array]


@dataclass(frozen=True, eq=False)
class Step:
    """One accepted step, valid until the next one is asked for.

    t_old, t : where it began and ended [s]
    y : (n,) solution at its end
    at : solution (k, n) at times (k,) inside the step
    next_size : size [s] that the error control suggests for the next step
    """

    t_old: float
    t: float
    y: Array
    at: Callable[[Array], Array]
    next_size: float


class Integrator(ABC):
    """A method that advances y' = rate(t, y) over one smooth stretch.

    max_steps : steps allowed in a whole run
    """

    max_steps: int

    @abstractmethod
    def steps(
        self, rate: Rate, t_0: float, y_0: Array, t_1: float, *, rtol: float, atol: Array, first_size: float | None
    ) -> Iterator[Step]:
        """Yield the accepted steps from y_0 (n,) at `t_0` until `t_1` [s] is reached exactly.

        rtol, atol : local error allowed per step, atol (n,) in the units of y
        first_size : size [s] to try first; None lets the integrator choose

        Raises `NumericalFailure` when no step, however small, is accepted.
        """

    def finer(self, longest_s: float) -> Integrator:
        """Return the method for a second flight that shows the errors of a first one, whose longest step was `longest_s`.

        It is given a tenth of the tolerances; one whose steps do not come from them alone takes half of its steps.
        """
        del longest_s
        return self


def is_a(kind: type, value: Any) -> bool:
    """Whether `value` is a number of that kind; True and False are none."""
    return isinstance(value, kind) and not isinstance(value, bool)
