"""What a switch of constraints did, in numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ..dynamics import Model, Stack
from ..errors import expect
from ..simulation import History, Switched
from ..spatial import Array
from ..system import State, System
from ._stack_card import StackCard, stack_cards


@dataclass(frozen=True, eq=False)
class SwitchAccount:
    """One instant at which constraints were switched.

    t, done : when [s], and what in words
    holding : names of the constraints that hold from then on
    redundant : per row of theirs that says nothing new its name, and those of the rows that it follows from
    impulses : per constraint units and sizes of its impulse, "N s" and "N m s"
    kinetic_J, lost_J : kinetic energy before, and what the switch took of it
    trees : names of the base and of the free bodies
    stacks : cards of what constraints join from then on
    momenta_before, momenta_after : (n_t, 6) [P; L_C] of each with what it carries in N [N s, N m s], L_C about its own CoM

    >>> [account.done for account in switch_accounts(model, history)]  # one for each of `history.switches`
    []
    """

    t: float
    done: str
    holding: tuple[str, ...]
    redundant: tuple[tuple[str, ...], ...]
    impulses: Mapping[str, tuple[tuple[str, float], ...]]
    kinetic_J: float
    lost_J: float
    trees: tuple[str, ...]
    stacks: tuple[StackCard, ...]
    momenta_before: Array
    momenta_after: Array

    @classmethod
    def of(cls, model: Model, switched: Switched) -> SwitchAccount:
        """Return that of one switch."""
        constrained = model.constrained(*switched.active)
        if switched.active:
            constrained.choose(switched.after, t=switched.t)
        return cls(
            switched.t,
            switched.done,
            switched.active,
            constrained.redundant if switched.active else (),
            impulse_sizes(model.system, switched),
            model.kinetic_energy(switched.before),
            switched.energy_lost,
            tuple(tree.root for tree in model.system.trees),
            stack_cards(model, switched.after, switched.active),
            _momenta(model, switched.before),
            _momenta(model, switched.after),
        )


def switch_accounts(model: Model, history: History) -> tuple[SwitchAccount, ...]:
    """Return what every switch of constraints of a run did, one after the other.

    Raises `InvalidInput` for what is no `Model` or `History`.

    >>> switch_accounts(model, history)  # one for each of `history.switches`
    ()
    """
    expect("model", model, Model, "a Model")
    expect("history", history, History, "a History")
    return tuple(SwitchAccount.of(model, switched) for switched in history.switches)


def impulse_sizes(system: System, switched: Switched) -> dict[str, tuple[tuple[str, float], ...]]:
    """Return units and sizes of the impulses of constraints and contacts in a switch, "N s" and "N m s", by name.

    By definition of a length.

    >>> [impulse_sizes(system, switched) for switched in history.switches]  # nothing was switched
    []
    """
    stack = Stack.of_all(system)
    units = {name: stack.units[at] for name, at in stack.rows_of.items()}
    return {name: _sizes(impulse, units.get(name, ("N",) * len(impulse))) for name, impulse in switched.impulses.items()}


def _sizes(impulse: Array, units: tuple[str, ...]) -> tuple[tuple[str, float], ...]:
    """Return the size of each vector of one unit in an impulse (k,)."""
    parts = {unit: [value for value, its in zip(impulse, units, strict=True) if its == unit] for unit in dict.fromkeys(units)}
    return tuple((f"{unit} s".replace(" or", " s or"), float(np.linalg.norm(part))) for unit, part in parts.items())


def _momenta(model: Model, state: State) -> Array:
    momenta = model.momentum_by_tree(state)
    return np.concatenate([momenta.P, momenta.L_C], axis=1)
