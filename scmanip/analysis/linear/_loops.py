"""Linear loops of many cases at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import NDArray

from ...compiled import CompiledProgram, compile_program
from ...plant import Plant
from ...simulation import HeldRates
from ...spatial import Array
from ...symbolic import Program, record
from ...system import State
from ._chart import size
from ._discrete import late_loop, with_kept
from ._law_at import LawAt
from ._momenta import recoils
from ._small_motion import AFTER, COMMAND, MEMORY, Kept, answer, recorded_motion, remembered

MANY = 3000  # cases from which on machine code is worth the while


@dataclass(frozen=True, eq=False)
class Loops:
    """Per case z' = A z + B c, c = K z; A (n, m, m), B (n, m, k), K (n, k, m).

    kept : what the law remembers from look to look, (n, ...) each, before the loops are those from sample to sample
    """

    A: Array
    B: Array
    K: Array
    kept: Kept | None = None

    def opened(self) -> Array:
        """Return A (n, k, m, m) with one loop open in turn and all others closed."""
        each = self.B.transpose(0, 2, 1)[..., None] * self.K[:, :, None, :]
        return self.closed()[:, None] - each

    def sampled(self, rate_Hz: float, delay_s: float) -> Loops:
        """Return them from sample to sample, with stored commands."""
        return Loops(*with_kept(*late_loop(self.A, self.B, rate_Hz, delay_s), self.K, self.kept))

    def among(self, used: NDArray[np.intp]) -> Loops:
        """Return those of some of the commands."""
        kept = None if self.kept is None else self.kept._replace(K=self.kept.K[:, used])
        return Loops(self.A, self.B[:, :, used], self.K[:, used], kept)

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
    asked = {**law.given, "x": x, MEMORY: x[:, plant.x_law], **own}
    if law.keeps:
        asked[MEMORY] = remembered(law.said, asked, n)
    said, K, *after = _rows(_recorded_answer(law), asked, n)
    before = len(command) - said.shape[1]
    whole = command + np.hstack([np.zeros((n, before)), said])
    K, r, kept = np.concatenate([np.zeros((n, before, K.shape[2])), K], axis=1), law.keeps, None
    if r:
        change, F = after[0] - asked[MEMORY], after[1]
        K, kept = K[:, :, :-r], Kept(F[:, :, :-r], F[:, :, -r:], K[:, :, -r:], change)
    books = np.zeros((n, len(rates.given["y"]) - x.shape[1]))
    own = {name: array for name, array in own.items() if name in rates.given and name != "reference"}
    given = {**rates.given, "t": np.array(t), "y": np.hstack([x, books]), "command": whole, **own}
    A, B, _ = _rows(recorded_motion(rates), given, n)
    if after and not r:
        A[:, -after[1].shape[1] :] = after[1]
    loops = Loops(A, B * mask, K, kept)
    return _without_momenta(loops, plant, x, own) if floating else loops


def _without_momenta(loops: Loops, plant: Plant, x: Array, values: Mapping[str, Array]) -> Loops:
    """Return the loops of [dq; dqdot] alone."""
    W, kept = recoils(plant, State.of_unit(x, plant.layout), values)
    own = None if loops.kept is None else loops.kept._replace(F=loops.kept.F @ W)
    return Loops(loops.A[:, kept] @ W, loops.B[:, kept], loops.K @ W, own)


def _recorded_answer(law: LawAt) -> Program:
    """Return the program of a law's command and its change per unit of z, and of what it remembers; kept for equal laws."""
    layout, program = law.plant.layout, law.said.program
    kept, key = law.plant.model.family.kept, ("answer", size(layout), law.said.key)
    asked = ((COMMAND, "K"), (AFTER, "F"))[: 1 + bool(law.said.law.remembers)]

    def answers(**given: Array) -> dict[str, Array]:
        found = [zip(names, answer(layout, law.said, given, names[0]), strict=True) for names in asked]
        return {name: array for pair in found for name, array in pair}

    if key not in kept:
        kept[key] = record({each.name: each.shape for each in program.inputs}, answers)
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
