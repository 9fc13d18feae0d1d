"""Modes whose commands act on base and joints as they are."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...errors import ModeMismatch
from ...modes import FixedBase, Floating, Flying, ManoeuvreMode, RotationFlying
from ...spatial import Array
from ...system import Layout

MODES = {FixedBase: 0, Floating: 6, RotationFlying: 3, Flying: 0}


def is_direct(mode: Any) -> bool:
    """Whether a command (N,) or (6 + N,) is generalized forces on the speeds u of base and joints, and all that there is.

    >>> [is_direct(mode) for mode in (scmanip.Floating(), scmanip.Flying(), scmanip.RotationFloating())]
    [True, True, False]
    """
    return type(mode) in MODES


def refuse_indirect(law: str, mode: ManoeuvreMode) -> None:
    """Raise `ModeMismatch` for a mode that makes other forces of commands."""
    if not is_direct(mode):
        raise ModeMismatch(
            f"{law} knows forces on joints and base as they act on all of it, and not what {mode!r} makes of commands; choose "
            f"{', '.join(kind.__name__ for kind in MODES)}"
        )


def undriven(mode: ManoeuvreMode) -> int:
    """Return how many of the first speeds u get no force, whatever is commanded."""
    return MODES[type(mode)]


def command_of(layout: Layout, mode: ManoeuvreMode, forces: Array) -> Array:
    """Return the command, (N,) or (6 + N,), that gives forces (n,) on what the base is and carries; any scalar."""
    tau, k = layout.among_all(forces[layout.n_base :]), undriven(mode)
    return np.concatenate([np.zeros(k, dtype=int), forces[k : layout.n_base], tau]) if mode.commands_base else tau


def forces_of(layout: Layout, command: Array) -> Array:
    """Return the forces (n,) of a command, on what the base is and carries; any scalar."""
    N, given = layout.N, np.asarray(command)
    tau, base = given[len(given) - N :][: layout.N_tree], given[: len(given) - N]
    return np.concatenate([base if len(base) else np.zeros(layout.n_base, dtype=int), tau])
