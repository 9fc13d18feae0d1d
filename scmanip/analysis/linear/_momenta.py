"""The motion that is left of a floating plant at rest once its momenta and its centre of mass are known."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ...errors import InvalidInput, Problem, refuse
from ...plant import Plant
from ...spatial import Array
from ...system import State
from ._chart import size

NOTHING_ELSE: Mapping[str, Array] = {}
EVEN = 1e-9  # [m/s2, rad/s2]: accelerations below it are none


def without_momenta(plant: Plant, state: State, rates: Array) -> tuple[Array, list[int]]:
    """Return W (m, 2 N + l) of z = W [dq; dqdot; those of the law], and the places of these in z.

    Nothing changes P, L_C, the system CoM and, from rest, H0 du_0 + H0m dqdot = 0 integrated: twelve numbers that no command
    reaches. With them zero [dr_0; dtheta] = -H0^-1 H0m dq and du_0 = -H0^-1 H0m dqdot.

    rates : (m,) how the state moves

    Raises `InvalidInput` where momentum changes, or the system moves.
    """
    refuse(_problems(plant, state, rates), InvalidInput)
    return recoils(plant, state)


def recoils(plant: Plant, states: State, values: Mapping[str, Array] = NOTHING_ELSE) -> tuple[Array, list[int]]:
    """Return the same of one state, or of each of many, W (..., m, 2 N), unchecked; values : of open numbers, as of batches."""
    model, layout = plant.model, plant.layout
    n, b, N = layout.n_u, layout.n_base, layout.N
    if states.x.ndim == 1:
        H0, H0m = model.H0(states), model.H0m(states)
    else:
        H0, H0m = (quantity(states, values=values or None) for quantity in (model.batch.H0, model.batch.H0m))
    recoil = -np.linalg.solve(H0, H0m)
    kept = [*range(b, n), *range(n + b, 2 * n), *range(size(layout) - len(plant.memory), size(layout))]
    W = np.zeros((*states.x.shape[:-1], size(layout), len(kept)))
    W[..., kept, :] = np.eye(len(kept))
    W[..., :b, :N] = W[..., n : n + b, N : 2 * N] = recoil
    return W, kept


def refuse_momenta(plant: Plant, state: State, momenta: str) -> None:
    """Raise `InvalidInput` for a word that is none, and where momenta cannot be removed, whatever the command."""
    if not isinstance(momenta, str) or momenta not in ("keep", "remove"):
        raise InvalidInput(Problem("momenta", '"keep" or "remove"', repr(momenta)))
    refuse(_problems(plant, state, np.zeros(0)) if momenta == "remove" else [], InvalidInput)


def _problems(plant: Plant, state: State, rates: Array) -> list[Problem]:
    layout, found = plant.layout, []
    if layout.fixed or plant.mode.pushed or not plant.mode.leaves_base_alone:
        found.append(("a plant whose free base nothing commands", repr(plant.mode)))
    if plant.loads:
        found.append(("a plant whose momentum no load changes", ", ".join(map(repr, plant.loads))))
    if plant.holds or plant.slipping or plant.closed:
        found.append(("a plant without constraints", ", ".join(plant.constraints)))
    if layout.n_tree is not None:
        found.append(("a plant of one tree", "free bodies, each with momenta of its own"))
    if layout.n_a:
        found.append(("actuators without momentum", ", ".join(name for name, _ in layout.states)))
    if not found and np.any(state.u):
        found.append(("a state at rest, from which places follow from momenta", f"speeds up to {abs(state.u).max():.3g}"))
    if not found and abs(rates).max(initial=0.0) > EVEN:
        found.append(("a state that stays at rest, such as trim gives", f"accelerations up to {abs(rates).max():.3g}"))
    return [Problem('momenta="remove"', expected, what) for expected, what in found]
