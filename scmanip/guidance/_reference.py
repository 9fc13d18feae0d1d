"""What every reference motion offers."""

from __future__ import annotations

from math import isnan, nan
from typing import Any, Protocol, runtime_checkable

from ..errors import InvalidInput, Problem
from ._pose_reference import Sample


@runtime_checkable
class ReferenceMotion(Protocol):
    """A motion of the joints, or of a frame in N, known in advance as a function of time.

    Any object with these three members is one.

    >>> class Sway:
    ...     corners_s = (0.0,)
    ...     t_end_s = np.inf
    ...     def at(self, t):
    ...         return JointReference(np.full(4, np.sin(t)), np.full(4, np.cos(t)), np.full(4, -np.sin(t)))
    ...
    >>> isinstance(Sway(), ReferenceMotion)
    True
    >>> scmanip.simulate(plant, law, state, reference=Sway(), t_end_s=1.0, output_step_s=1.0).outcome.name
    'COMPLETED'
    """

    def at(self, t: float) -> Sample:
        """Return the reference at time `t` [s]; at a corner, the values just after it. Defined for every t."""
        ...

    @property
    def corners_s(self) -> tuple[float, ...]:
        """Times [s], ascending, where the motion is not smooth; a simulation restarts its integrator there."""
        ...

    @property
    def t_end_s(self) -> float:
        """Time [s] from which on the reference does not change: the last corner, unless a reference says otherwise."""
        return max(self.corners_s, default=0.0)


def corners_of(reference: Any) -> tuple[float, ...]:
    """Return the corners [s] of a reference as floats, ascending, none of None; raises `InvalidInput` for what is no times.

    >>> corners_of(reference)[:3], corners_of(None)
    ((0.0, 1.0, 10.0), ())
    """
    given: Any = () if reference is None else reference.corners_s
    try:
        times = sorted(map(float, given))
    except (TypeError, ValueError):
        times = [nan]
    if any(map(isnan, times)):
        raise InvalidInput(Problem("reference corners_s", "times [s]", repr(given)))
    return tuple(times)
