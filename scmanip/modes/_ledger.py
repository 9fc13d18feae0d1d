"""The books of a run that a mode's contract is checked on."""

from __future__ import annotations

from typing import Protocol

from ..loads import External
from ..spatial import Array
from ..system import System


class Ledger(Protocol):
    """What a contract reads, time first, inertial components, all from the full model; a `History` is one.

    t : (n,) [s]
    r_0, r_C : (n, 3) base and system CoM [m]
    P, P_arm : (n, 3) linear momentum of the system and of all bodies but the base [N s]
    L_C, L_arm : (n, 3) angular momentum about the system CoM, likewise [N m s]
    h_wheels : (n, 3) momentum of the wheels relative to the base [N m s]
    kinetic_energy : (n,) [J]
    stored_energy : (n,) potential energy of springs and gravity [J]
    work : (n,) work of the actuators since the start [J]
    dissipated : (n,) energy taken by dampers since the start [J]
    impulse : (n, 6) of the wrench from outside since the start: linear [N s], angular about the system CoM [N m s]
    mass_kg : total mass
    system : the hardware
    tau : (n, N) joint forces of the actuators [N m or N]
    L_0 : (n, 3) angular momentum about the base CoM, with a held base about its frame's origin [N m s]
    external : what came from the environment; None in free space
    demand : what would have to act for the system to move as it did, by full inverse dynamics, in runs that keep momentum by
        construction, where P and L_C prove nothing; otherwise None
    """

    @property
    def t(self) -> Array: ...
    @property
    def r_0(self) -> Array: ...
    @property
    def r_C(self) -> Array: ...
    @property
    def P(self) -> Array: ...
    @property
    def P_arm(self) -> Array: ...
    @property
    def L_C(self) -> Array: ...
    @property
    def L_arm(self) -> Array: ...
    @property
    def h_wheels(self) -> Array: ...
    @property
    def kinetic_energy(self) -> Array: ...
    @property
    def stored_energy(self) -> Array: ...
    @property
    def work(self) -> Array: ...
    @property
    def dissipated(self) -> Array: ...
    @property
    def impulse(self) -> Array: ...
    @property
    def mass_kg(self) -> float: ...
    @property
    def system(self) -> System: ...
    @property
    def tau(self) -> Array: ...
    @property
    def L_0(self) -> Array: ...
    @property
    def external(self) -> External | None: ...
    @property
    def demand(self) -> External | None: ...
