"""What the thrusters burnt."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..errors import checked, expect
from ..simulation import History
from ..spatial import Array


@dataclass(frozen=True, eq=False)
class Propellant:
    """The propellant of a run, thruster by thruster.

    thrusters : names
    impulse_Ns, burnt_kg : (n_t,) of each over the whole run
    total_kg : of all, integrated with the motion
    budget_kg : what may be burnt; infinite if not said

    >>> burnt = propellant(history, budget_kg=2.0)
    >>> burnt.thrusters, burnt.total_kg, burnt.budget_kg
    ((), 0.0, 2.0)
    """

    thrusters: tuple[str, ...]
    impulse_Ns: Array
    burnt_kg: Array
    total_kg: float
    budget_kg: float

    @property
    def used(self) -> float:
        """The share of the budget that was burnt."""
        return self.total_kg / self.budget_kg

    @property
    def margin_kg(self) -> float:
        """What is left of the budget; negative beyond it."""
        return self.budget_kg - self.total_kg


def propellant_by_thruster(history: History) -> Array:
    """Return what each thruster has burnt since the start (n, n_t) [kg], by definition of the specific impulse.

    Raises `InvalidInput` for what is no `History`.

    >>> propellant_by_thruster(history).shape  # no thrusters here
    (5, 0)
    """
    expect("history", history, History, "a History")
    return np.asarray(history.impulse_by_thruster / history.system.pushers.exhaust_m_s)


@checked
def propellant(history: History, budget_kg: float = np.inf) -> Propellant:
    """Return what the thrusters burnt, against a budget [kg].

    Raises `InvalidInput` for what is no `History`.

    >>> propellant(history).total_kg
    0.0
    """
    expect("history", history, History, "a History")
    names = tuple(pusher.called for pusher in history.system.pushers.each)
    burnt, total = propellant_by_thruster(history)[-1], float(history.propellant_kg[-1])
    return Propellant(names, history.impulse_by_thruster[-1].copy(), burnt, total, budget_kg)
