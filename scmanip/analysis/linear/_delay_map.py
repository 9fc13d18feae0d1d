"""For which delays and gains a sampled loop is stable."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ...control import Controller, Sampled, as_controller
from ...errors import InvalidInput, Problem, expect, refuse
from ...guidance import ReferenceMotion
from ...plant import Plant
from ...spatial import Array, real
from ...system import State
from ._broken_loop import places_of
from ._discrete import opened
from ._linearise import unsampled

SLACK = 1e-6  # by which poles that stay at 1, those of momenta, may be beyond it for rounding


@dataclass(frozen=True, eq=False)
class DelayMap:
    """The largest size of a pole (n_delays, n_gains) of a sampled loop, from sample to sample: a bare number.

    delays_s : (n_delays,) by which commands are late [s]; gains : (n_gains,) factors on what the law says

    >>> from scmanip.control import Sampled
    >>> found = delay_map(plant, state, Sampled(law, rate_Hz=10.0), [0.0, 0.5], [1.0, 30.0], momenta="remove")
    >>> (found.radius < 1.0).tolist()  # stable
    [[True, False], [True, False]]
    """

    radius: Array
    delays_s: Array
    gains: Array

    @property
    def stable(self) -> Array:
        """(n_delays, n_gains) whether no pole is outside the unit circle."""
        return np.asarray(self.radius <= 1 + SLACK)


def delay_map(
    plant: Plant,
    state: State,
    controller: Controller,
    delays_s: ArrayLike,
    gains: ArrayLike,
    *,
    loop: str | None = None,
    command: ArrayLike | None = None,
    reference: ReferenceMotion | None = None,
    momenta: str = "keep",
    t: float = 0.0,
) -> DelayMap:
    """Return how stable a sampled loop is over delays of its commands and factors on its gain [Astrom1997].

    controller : `Sampled`; delays_s, gains : (n,) >= 0, gains factors
    loop : the command, such as "tau[joint2]", whose gain is changed; None changes all
    command, reference, momenta : as of `margins`; plant, state, t : as of `linearise`

    Raises `InvalidInput` for a law that is not sampled, else as `linearise`.

    >>> from scmanip.control import Sampled
    >>> found = delay_map(plant, state, Sampled(law, rate_Hz=10.0), [0.0, 0.5], [1.0, 30.0], momenta="remove")
    >>> found.radius.round(3).tolist()
    [[0.951, 2.052], [0.98, 1.408]]
    """
    expect("plant", plant, Plant, "a Plant")
    law: Any = as_controller(controller, plant.mode)
    if not isinstance(law, Sampled):
        raise InvalidInput(Problem("controller", "a Sampled law", law.kind, hint="margins and broken_loop are for others"))
    delays, factors = _positive("delays_s", delays_s), _positive("gains", gains)
    given = np.zeros(plant.layout.N if isinstance(plant, Plant) else 0) if command is None else command
    whole = unsampled(plant, state, given, law, reference, (), t, momenta, "inertial", law.rate_Hz)
    scales = np.ones((len(factors), whole.B.shape[1]))
    scales[:, places_of(loop, [*whole.inputs])] = factors[:, None]
    rows = []
    for delay in delays:
        A, B, K = opened(whole, law.rate_Hz, float(delay))
        rows.append(abs(np.linalg.eigvals(A + B @ (scales[:, :, None] * K))).max(axis=1))
    return DelayMap(np.array(rows), delays, factors)


def _positive(key: str, values: Any) -> Array:
    try:
        array = np.atleast_1d(real(values))
    except (TypeError, ValueError):
        raise InvalidInput(Problem(key, "numbers >= 0", repr(values))) from None
    fits = array.ndim == 1 and array.size and bool(np.all((array >= 0) & np.isfinite(array)))
    refuse([None if fits else Problem(key, "finite numbers (n,) >= 0", repr(values))])
    return array
