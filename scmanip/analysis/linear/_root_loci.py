"""Where the poles of a loop go as configurations and numbers of the hardware change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ...control import Controller
from ...errors import checked
from ...guidance import ReferenceMotion
from ...plant import Plant
from ...spatial import Array
from ...system import State
from ._sweep import Sweep


class LeastDamped(NamedTuple):
    """The pole whose damping is least, its damping ratio, and the point of the grid."""

    pole: complex
    damping: float
    at: dict[str, float]


@dataclass(frozen=True, eq=False)
class RootLoci:
    """Poles (*grid, m) of the closed loop [1/s]; along each axis of the grid every one of the m goes on from the point before.

    axes : the grid, by names of joints and numbers, in SI
    period_s : of samples, from one to the next of which the poles are, as bare numbers; None in continuous time

    >>> found = root_loci(plant, state, law, grid={"joint2": [0.0, 1.0]}, momenta="remove")
    >>> found.poles.shape, found.period_s
    ((2, 8), None)
    """

    poles: Array
    axes: dict[str, Array]
    period_s: float | None = None

    @property
    def damping(self) -> Array:
        """(*grid, m) damping ratios -Re s / |s|, 1 of poles at 0; of samples those of s = log(z) / period."""
        poles = self.poles
        if self.period_s is not None:
            with np.errstate(divide="ignore"):
                poles = np.log(poles)  # the period is no part of a ratio
        size = abs(poles)
        still = size <= 1e-9 * size.max(initial=0.0, where=np.isfinite(size))
        with np.errstate(invalid="ignore"):
            return np.where(still | ~np.isfinite(size), 1.0, -poles.real / np.where(still, 1.0, size))

    @property
    def worst(self) -> LeastDamped:
        """The least damped pole."""
        damping = self.damping
        *point, k = np.unravel_index(int(damping.argmin()), damping.shape)
        at = {name: float(values[i]) for (name, values), i in zip(self.axes.items(), point, strict=True)}
        return LeastDamped(complex(self.poles[(*point, k)]), float(damping[(*point, k)]), at)


@checked
def root_loci(
    plant: Plant,
    state: State,
    controller: Controller,
    *,
    grid: Mapping[str, ArrayLike],
    command: ArrayLike | None = None,
    reference: ReferenceMotion | None = None,
    momenta: str = "keep",
    t: float = 0.0,
    delay_s: float = 0.0,
    threads: int = 1,
) -> RootLoci:
    """Return the poles of the closed loop over a grid of configurations and payloads, by definition the eigenvalues.

    grid : arrays (n,) of values in SI by names

    All arguments are those of `margins`, which raises what is raised.

    Poles of a `Sampled` law are those from sample to sample.

    >>> found = root_loci(plant, state, law, grid={"joint2": [0.0, 1.0]}, momenta="remove")
    >>> bool(np.allclose(found.poles.real, -0.5))
    True
    """
    sweep = Sweep.of(plant, state, controller, grid, command, reference, momenta, t, delay_s)
    (poles,) = sweep.over(lambda loops: (np.linalg.eigvals(loops.closed()).astype(complex),), threads)
    period = None if sweep.rate_Hz is None else 1 / sweep.rate_Hz
    return RootLoci(_followed(poles), sweep.grid.axes, period)


def _followed(poles: Array) -> Array:
    """Return poles (*grid, m) in such an order that each goes on from the nearest of the point before."""
    from scipy.optimize import linear_sum_assignment

    found = poles.copy()
    for point in np.ndindex(poles.shape[:-1]):
        axis = next((k for k in reversed(range(len(point))) if point[k]), None)
        if axis is None:
            found[point] = np.sort_complex(poles[point])
            continue
        before = found[tuple(place - (k == axis) for k, place in enumerate(point))]
        found[point] = poles[point][linear_sum_assignment(abs(before[:, None] - poles[point]))[1]]
    return found
