"""Linear loops of many cases at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

import numpy as np

from ...compiled import CompiledProgram, compile_program
from ...plant import Plant
from ...simulation import HeldRates
from ...spatial import Array
from ...symbolic import Program, record
from ...system import State
from ._chart import size
from ._discrete import late_loop
from ._law_at import LawAt
from ._momenta import recoils
from ._small_motion import answer, recorded_motion

MANY = 3000  # cases from which on machine code is worth the while


@dataclass(frozen=True, eq=False)
class Loops:
    """Per case z' = A z + B c, c = K z; A (n, m, m), B (n, m, k), K (n, k, m)."""

    A: Array
    B: Array
    K: Array

    def opened(self) -> Array:
        """Return A (n, k, m, m) with one loop open in turn and all others closed."""
        each = self.B.transpose(0, 2, 1)[..., None] * self.K[:, :, None, :]
        return self.closed()[:, None] - each

    def sampled(self, rate_Hz: float, delay_s: float) -> Loops:
        """Return them from sample to sample, with stored commands."""
        A, B = late_loop(self.A, self.B, rate_Hz, delay_s)
        n, k, m = self.K.shape
        return Loops(A, B, np.concatenate([self.K, np.zeros((n, k, A.shape[1] - m))], axis=2))

    def closed(self) -> Array:
        """Return A (n, m, m) with all loops closed."""
        return self.A + self.B @ self.K


def loops_of(law: LawAt, command: Array, x: Array, own: Mapping[str, Array], mask: Array, t: float, floating: bool) -> Loops:
    """Return the loops of packed states x (n, n_x).

    own : rows (n, ...) of inputs of the programs that each case has of its own, and "reference" of the law
    command : (k,) beside the law; mask : (k,) 1 for what is commanded; floating : whether momenta are removed
    """
    plant, n = law.plant, len(x)
    rates = HeldRates.of(plant, x[0, plant.layout.x_q])
    said, K = _rows(_recorded_answer(law), {**law.given, "x": x, **own}, n)
    before = len(command) - said.shape[1]
    whole = command + np.hstack([np.zeros((n, before)), said])
    K = np.concatenate([np.zeros((n, before, K.shape[2])), K], axis=1)
    books = np.zeros((n, len(rates.given["y"]) - x.shape[1]))
    own = {name: array for name, array in own.items() if name in rates.given and name != "reference"}
    given = {**rates.given, "t": np.array(t), "y": np.hstack([x, books]), "command": whole, **own}
    A, B, _ = _rows(recorded_motion(rates), given, n)
    loops = Loops(A, B * mask, K)
    return _without_momenta(loops, plant, x, own) if floating else loops


def _without_momenta(loops: Loops, plant: Plant, x: Array, values: Mapping[str, Array]) -> Loops:
    """Return the loops of [dq; dqdot] alone."""
    W, kept = recoils(plant, State.of_unit(x, plant.layout), values)
    return Loops(loops.A[:, kept] @ W, loops.B[:, kept], loops.K @ W)


def _recorded_answer(law: LawAt) -> Program:
    """Return the program of a law's command and its change per unit of z; kept for equal laws."""
    layout, program = law.plant.layout, law.said.program
    kept, key = law.plant.model.family.kept, ("answer", size(layout), law.said.key)
    if key not in kept:
        shapes = {each.name: each.shape for each in program.inputs}
        kept[key] = record(shapes, lambda **given: dict(zip(("command", "K"), answer(layout, law.said, given), strict=True)))
    return cast(Program, kept[key])


def _rows(program: Program, given: Mapping[str, Array], n: int) -> tuple[Array, ...]:
    """Return the outputs (n, ...) of a program for inputs, some of them one for all."""
    arrays = [np.ascontiguousarray(np.broadcast_to(given[each.name], (n, *each.shape))) for each in program.inputs]
    if n < MANY:
        return program.evaluate(*arrays)
    compiled: CompiledProgram = compile_program(program)
    outputs = tuple(np.empty((n, *each.shape)) for each in program.outputs)
    compiled.batch(*arrays, *outputs, threads=2)
    return outputs
