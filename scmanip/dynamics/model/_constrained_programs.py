"""Callables of a model under a set of constraints, recorded and compiled once per set and choice of speeds."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from ...compiled import CompiledProgram, compile_program, described
from ...constraints import Rows
from ...spatial import Array, Selection
from ...symbolic import record
from ..constraints._constrained_motion import ConstrainedMotion
from ..constraints._sight import Sight, sight
from ..constraints._stack import Stack
from ..programs._implementation import Full

if TYPE_CHECKING:
    from ._model import Model

NOTHING = Selection((), (), ())


@dataclass(frozen=True, eq=False)
class ConstrainedPrograms:
    """What a model with constraints is asked for, as programs of the packed state."""

    model: Model
    stack: Stack

    @property
    def derivation(self) -> Any:
        """The equations of the system."""
        return self.model.symbolic.derivation

    def seen(self, x: Array) -> Sight:
        """Return what the constraints see at a packed state of numbers."""
        return Sight(self.derivation.system, self.derivation.at(x))

    def jump(self, x: Array, seen: Sight, A: Array, speed: Array, M: Array, chosen: Selection) -> dict[str, Array]:
        """Return what `ConstrainedMotion.jump` does at a packed state, of what is known there; nothing is compiled for it."""
        motion = ConstrainedMotion(self.derivation, self.stack, x, np.zeros(0), 0.0, {}, chosen)
        vars(motion).update(seen=seen, rows=Rows(A, speed, 0 * speed), M=M)
        return motion.jump()

    def values(
        self, what: str, x: Array, kept: Array | None, t: float, chosen: Selection = NOTHING, F: Array | None = None
    ) -> list[Array]:
        """Return the outputs of a program at a packed state; kept : None for what is found there."""
        if kept is None:
            kept = self.stack.found(self.seen(x), t) if self._needs_kept(what, chosen) else np.zeros(self.stack.n_kept)
        arrays = [*self.derivation.numbers.values(), x, kept, np.asarray(float(t)), *([] if F is None else [F])]
        if not isinstance(self.model.implementation, Full):
            given = dict(zip(self._shapes(what), arrays, strict=True))
            with np.errstate(divide="ignore", invalid="ignore"):  # a choice that fails is looked for behind it
                return [np.asarray(value) for value in self._outputs(what, chosen, **given).values()]
        program = self._program(what, chosen)
        outs = [np.empty(output.shape) for output in program.program.outputs]
        program(*arrays, *outs)
        return outs

    def batch(self, what: str, chosen: Selection, x: Array, values: Mapping[str, Array], *given: Array) -> list[Array]:
        """Return the outputs (n, ...) of a program at packed states (n, n_x).

        values : (n, ...) of numbers that are inputs, in place of the system's own; given : kept (n, n_kept) and t (n,)
        """
        return self._many(self._program(what, chosen), x, values, *given)

    def sights(
        self, pairs: Sequence[tuple[str, str]], names: Sequence[str], x: Array, values: Mapping[str, Array]
    ) -> list[Array]:
        """Return fields (n, ...) of the motions of frames relative to others at packed states (n, n_x), pair by pair."""
        kept: dict[Hashable, Any] = self.model.family.kept
        key = ("frames relative to others", self.derivation.description, (*pairs,), (*names,))
        if key not in kept:

            def motions(x: Array, **numbers: Array) -> Mapping[str, Array]:
                seen = sight(self.derivation, x, numbers)
                each = [(k, seen.relative(*pair)) for k, pair in enumerate(pairs)]
                return {f"{name}_{k}": getattr(motion, name) for k, motion in each for name in names}

            shapes = {**self.derivation.shapes, "x": (self.model.layout.n_x,)}
            kept[key] = compile_program(self.model.family.program(key, lambda: record(shapes, motions)))
        return self._many(kept[key], x, values)

    def _many(self, program: CompiledProgram, x: Array, values: Mapping[str, Array], *given: Array) -> list[Array]:
        outs = [np.empty((len(x), *output.shape)) for output in program.program.outputs]
        program.batch(*{**self.derivation.numbers, **values}.values(), x, *given, *outs)
        return outs

    def _needs_kept(self, what: str, chosen: Selection) -> bool:
        """Whether a program takes what the constraints keep: accelerations seldom do."""
        if not isinstance(self.model.implementation, Full):
            return bool(self.stack.n_kept)
        key = ("constrained, needs kept", what, self._description, chosen)
        known: dict[Hashable, Any] = self.model.family.kept
        if key not in known:
            known[key] = "kept" in self._program(what, chosen).program.used_inputs
        return cast(bool, known[key])

    def _shapes(self, what: str) -> dict[str, tuple[int, ...]]:
        """Return names and shapes of the inputs of a program."""
        layout = self.model.layout
        own: dict[str, tuple[int, ...]] = {"x": (layout.n_x,), "kept": (self.stack.n_kept,), "t": ()}
        return {**self.derivation.shapes, **own, **({"F": (layout.n_u,)} if what in FORCED else {})}

    def _program(self, what: str, chosen: Selection) -> CompiledProgram:
        kept: dict[Hashable, Any] = self.model.family.kept
        key = ("constrained", what, self._description, chosen)
        if key not in kept:
            shapes, outputs = self._shapes(what), partial(self._outputs, what, chosen)
            kept[key] = compile_program(self.model.family.program(key, lambda: record(shapes, outputs)))
        return cast(CompiledProgram, kept[key])

    @cached_property
    def _description(self) -> Hashable:
        stack = self.stack.opened(self.derivation.structure.system)
        return self.derivation.description, described(stack.constraints, ("kept",))

    def _outputs(
        self, what: str, chosen: Selection, x: Array, kept: Array, t: Any, F: Array | None = None, **numbers: Array
    ) -> Mapping[str, Array]:
        motion = ConstrainedMotion(self.derivation, self.stack, x, kept, t, numbers, chosen)
        return OUTPUTS[what](motion) if F is None else FORCED[what](motion, F)


def _rows(motion: ConstrainedMotion) -> dict[str, Array]:
    return {"A": motion.rows.A, "speed": motion.rows.speed, "M": motion.M}


def _accelerations(motion: ConstrainedMotion, F: Array) -> dict[str, Array]:
    udot = motion.accelerations(F)
    return {"udot": udot, "watch": motion.watch(F, udot)}


def _forces(motion: ConstrainedMotion, F: Array) -> dict[str, Array]:
    udot = motion.accelerations(F)
    return {"forces": motion.forces(F, udot), "watch": motion.watch(F, udot)}


def _jumps(motion: ConstrainedMotion) -> dict[str, Array]:
    jump = motion.jump()
    return {**jump, "watch": motion.watch_jump(jump["u"])}


OUTPUTS: Mapping[str, Callable[[ConstrainedMotion], Mapping[str, Array]]] = {
    "rows": _rows,
    "jumps": _jumps,
}
FORCED: Mapping[str, Callable[[ConstrainedMotion, Array], Mapping[str, Array]]] = {
    "accelerations": _accelerations,
    "forces": _forces,
}
