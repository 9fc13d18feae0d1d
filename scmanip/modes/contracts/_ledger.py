"""The books of a run that a mode's contract is checked on."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ...loads import External
from ...spatial import Array
from ...system import System


class Ledger(Protocol):
    """What a contract reads: series by the names of their channels, time first, from the full model; a `History` is one.

    mass_kg : total mass
    system : the hardware
    components : (n, n_t) per tree the first of those that something joins it with then, 0 of all that N acts on
    switch_times : (k,) when speeds may jump [s]
    external : what came from the environment; None in free space
    demand : what would have to act for the system to move as it did, by full inverse dynamics, in runs that keep momentum by
        construction, where P and L_C prove nothing; otherwise None

    >>> history.mass_kg, history.P.shape, history.external
    (140.0, (5, 3), None)
    >>> [law.name for law in Floating().contract(history).values()]
    ['momentum', 'angular_momentum', 'com_drift', 'energy']
    """

    def __getattr__(self, name: str) -> Array: ...
    @property
    def components(self) -> NDArray[np.intp]: ...
    @property
    def switch_times(self) -> Array: ...
    @property
    def mass_kg(self) -> float: ...
    @property
    def system(self) -> System: ...
    @property
    def external(self) -> External | None: ...
    @property
    def demand(self) -> External | None: ...
