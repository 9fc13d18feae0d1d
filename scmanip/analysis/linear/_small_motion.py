"""How a plant and a law answer to small changes: derivatives of their recorded programs, over any scalar."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ...plant import Plant
from ...simulation import HeldRates, SampledCommand
from ...spatial import Array
from ...symbolic import Program, record
from ...system import Layout
from ._chart import coordinates, tangent_rates, tangents

COMMAND, AFTER = "command", "next_memory"


class SmallMotion(NamedTuple):
    """z' = A z + B c, where z and c are small changes of state and command, beside the motion of the state itself.

    A : (m, m); B : (m, k); x_dot : (n_x,) how the packed state moves
    """

    A: Array
    B: Array
    x_dot: Array


def small_motion(plant: Plant, program: Program, given: Mapping[str, Array]) -> SmallMotion:
    """Return that of a plant under a command; program, given : as of `HeldRates`.

    Of dx = T z follows z' = T^-1 (dx'/dx T - T') z, where T' is how T changes along the motion.
    """
    layout, y = plant.layout, given["y"]
    x, books = y[: layout.n_x], np.zeros(len(y) - layout.n_x, dtype=int)
    T = tangents(layout, x)
    along = [{"y": np.concatenate([column, books])} for column in T.T]
    along += [{COMMAND: unit} for unit in np.eye(len(given[COMMAND]), dtype=int)]
    y_dot, J = derivatives(program, given, along)
    x_dot, J, inverse = y_dot[: layout.n_x], J[: layout.n_x], coordinates(layout, T)
    m = T.shape[1]
    return SmallMotion(inverse @ (J[:, :m] - tangent_rates(layout, x_dot)), inverse @ J[:, m:], x_dot)


def answer(layout: Layout, law: SampledCommand, given: Mapping[str, Array], what: str = COMMAND) -> tuple[Array, Array]:
    """Return the command (k,) of a law, or how its memory changes, and their change (k, m) per unit of z.

    given : inputs of its program
    """
    own = slice(layout.n_x - law.law.remembers, layout.n_x)
    columns = tangents(layout, given["x"]).T
    along = [{"x": column, **({"memory": column[own]} if law.law.remembers else {})} for column in columns]
    return derivatives(law.program.only(what), given, along)


def derivatives(program: Program, given: Mapping[str, Array], along: Sequence[Mapping[str, Array]]) -> tuple[Array, Array]:
    """Return the first output (n,) of a program and its derivatives (n, directions)."""
    inputs = program.inputs
    still = {each.name: np.zeros(each.shape, dtype=int) for each in inputs}
    rows = [[{**still, **way}[each.name] for each in inputs] for way in along]
    with np.errstate(all="ignore"):
        values, found = program.moved_each([given[each.name] for each in inputs], rows, roots_of_zero=True)
    return values[0], np.array([row[0] for row in found]).T


def recorded_motion(rates: HeldRates) -> Program:
    """Return the program of A, B and the rates of the packed state, of the plant's inputs; kept for equal plants."""
    plant, program = rates.plant, rates.program.only("ydot")
    kept, key = plant.model.family.kept, ("small motion", plant.key)
    if key not in kept:
        shapes = {each.name: each.shape for each in program.inputs}
        kept[key] = record(shapes, lambda **given: small_motion(plant, program, given)._asdict())
    found: Program = kept[key]
    return found
