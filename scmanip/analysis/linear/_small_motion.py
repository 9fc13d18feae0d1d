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

SMALL, LEAST_JUMP = 1e-7, 1e-3  # changes of a state, and of all of a command what is no rounding or curvature
COMMAND, AFTER, MEMORY = "command", "next_memory", "memory"


class SmallMotion(NamedTuple):
    """z' = A z + B c, where z and c are small changes of state and command, beside the motion of the state itself.

    A : (m, m); B : (m, k); x_dot : (n_x,) how the packed state moves
    """

    A: Array
    B: Array
    x_dot: Array


class Kept(NamedTuple):
    """What a law remembers from look to look, w+ = F z + G w, and what it commands of that.

    F : (r, m); G : (r, r); K : (k, r); change : (r,) of w itself, from this look to the next
    """

    F: Array
    G: Array
    K: Array
    change: Array


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
    """Return the command (k,) of a law, or how its memory changes, and their change (k, m) per unit of z; behind those (k, r)
    per unit of what it remembers from look to look.

    given : inputs of its program
    """
    remembers, flows = law.law.remembers, law.law.flows
    own = slice(layout.n_x - remembers, layout.n_x)
    columns = tangents(layout, given["x"]).T
    along = [{"x": column, **({MEMORY: column[own]} if remembers and flows else {})} for column in columns]
    along += [{MEMORY: unit} for unit in np.eye(0 if flows else remembers, dtype=int)]
    return derivatives(law.program.only(what), given, along)


def jump(layout: Layout, law: SampledCommand, given: Mapping[str, Array], command: Array, K: Array) -> tuple[int, int] | None:
    """Return an entry of a law's command (k,) that jumps in a state, as errors of attitudes do at half a turn, and the entry of
    z along which it does; None of a law that answers to small changes by K (k, m) on both sides.
    """
    m, program = K.shape[1] - law.law.remembers * law.law.flows, law.program.only(COMMAND)  # all but what it remembers
    K, columns = K[:, :m], tangents(layout, given["x"]).T[:m]
    steps = SMALL * np.concatenate([columns, -columns])
    rows = {**given, "x": given["x"] + steps}
    said = program.evaluate(*(np.broadcast_to(rows[each.name], (2 * m, *each.shape)) for each in program.inputs))[0]
    off = abs(said - command - SMALL * np.concatenate([K.T, -K.T]))
    way, entry = np.unravel_index(np.argmax(off), off.shape)
    return (int(entry), int(way) % m) if off[way, entry] > LEAST_JUMP * np.max(abs(said)) else None


def remembered(law: SampledCommand, given: Mapping[str, Array], n: int) -> Array:
    """Return what a law remembers (n, r) from look to look in n states: as it begins there, and where it then comes to rest
    within as many looks as it has numbers, what it rests at, as a delay does that is full of the command.

    given : inputs of its program, of each state (n, ...) or for all
    """
    first = law.begins(np.broadcast_to(given["x"], (n, law.layout.n_x)), {name: given[name] for name in law.law.numbers})
    memory, program = first, law.program.only(AFTER)
    for _ in range(law.law.remembers + 2):
        rows = [{**given, MEMORY: memory}[each.name] for each in program.inputs]
        arrays = [np.broadcast_to(row, (n, *each.shape)) for row, each in zip(rows, program.inputs, strict=True)]
        before, memory = memory, np.array(program.evaluate(*arrays)[0])
        if np.array_equal(memory, before):
            break
    return np.where((memory == before).all(axis=1, keepdims=True), memory, first)


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
