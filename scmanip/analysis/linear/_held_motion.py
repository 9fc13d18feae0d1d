"""Small changes that constraints allow, by as many numbers as are independent."""

from __future__ import annotations

from typing import NamedTuple, cast

import numpy as np

from ...plant import Holding, Plant, plant_numbers
from ...spatial import Array, Selection, selection
from ...system import State
from ._chart import size, tangents
from ._small_motion import derivatives


class Independent(NamedTuple):
    """z = W zeta, where zeta are entries of z: `kept`, their places."""

    W: Array
    kept: list[int]


def independent(plant: Plant, state: State, t: float) -> Independent:
    """Return what is left free by the constraints that hold: places by those that have a position form, speeds by all.

    A dz_v + (d(A u + speed)/dz_p) dz_p = 0 gives the dependent speeds, [Gillespie2003] eqs 3-5 with the change of the rows.
    """
    layout, holding = plant.layout, cast(Holding, plant.holding)
    given = {"x": state.x, "kept": holding.kept, "t": np.asarray(t + plant.clock_s), **plant_numbers(plant.model)}
    program, T, n = plant.recorded_rows, tangents(layout, state.x), layout.n_u
    _, change = derivatives(program.only("broken"), given, [{"x": column} for column in T.T])
    (A,) = program.only("A").evaluate(*given.values())
    of_places = _of_places(plant, state, A)
    m = size(layout)
    places = _free(of_places.dependent, A[list(of_places.rows)], n)
    W = np.zeros((m, m))
    W[:n, :n], W[2 * n :, 2 * n :] = places, np.eye(m - 2 * n)
    chosen = holding.chosen
    W[n : 2 * n, n : 2 * n] = _free(chosen.dependent, A[list(chosen.rows)], n)
    dependent = [n + j for j in chosen.dependent]
    W[dependent, :n] = -np.linalg.solve(change[:, dependent], change[:, :n] @ places)
    kept = [*of_places.independent, *(n + j for j in chosen.independent), *range(2 * n, m)]
    return Independent(W[:, kept], kept)


def _of_places(plant: Plant, state: State, A: Array) -> Selection:
    """Return which rows hold places, and which places follow from the others."""
    holding = cast(Holding, plant.holding)
    stack = holding.stack
    whole = [k for one in stack.constraints if one.holonomic for k in range(*stack.rows_of[one.name].indices(len(A)))]
    if len(whole) == len(A):
        return holding.chosen
    found = selection(A[whole], plant.model.M(state.of_hardware))
    return Selection(tuple(whole[k] for k in found.rows), found.dependent, found.independent)


def _free(dependent: tuple[int, ...], A: Array, n: int) -> Array:
    """Return (n, n) by which all entries follow from the independent ones, columns of the dependent ones zero."""
    W, columns = np.eye(n), list(dependent)
    if columns:
        W[columns] = -np.linalg.solve(A[:, columns], A)
        W[:, columns] = 0.0
    return W
