"""A law and what it follows, at one state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np

from ...control import Controller, Sampled, as_controller, with_memory
from ...errors import InvalidInput, Problem, expect
from ...guidance import Hold, JointReference, RecordableReference, Reference, recorded_form
from ...plant import Plant
from ...simulation import SampledCommand
from ...spatial import Array
from ...system import State
from ._small_motion import AFTER, SmallMotion, answer


@dataclass(frozen=True, eq=False)
class LawAt:
    """A recorded law, and the inputs of its program.

    rate_Hz : at which it looks; None where it always does
    """

    plant: Plant
    said: SampledCommand
    given: dict[str, Array]
    rate_Hz: float | None

    @classmethod
    def of(
        cls,
        plant: Plant,
        controller: Any,
        reference: Reference | None,
        state: State,
        t: float,
        known: Mapping[str, Array] | None = None,
    ) -> LawAt:
        """Return that of a controller; raises `InvalidInput` where it or its reference is not there as equations.

        known : states by name, in which its memory may be; None of a law that must not have any
        """
        expect("plant", plant, Plant, "a Plant")
        law = as_controller(controller, plant.mode)
        law.check(plant.model, plant.mode)
        law = law.begun(state).holding(plant.holds, state)
        inner, rate = (law.law, law.rate_Hz) if isinstance(law, Sampled) else (law, None)
        followed = followed_by(inner, reference, state, plant)
        plant, state = (plant, state) if known is None else with_memory(plant, law, state, known)
        said = SampledCommand.of(plant.model, plant.layout, inner, recorded_form(followed))
        if said is None or said.law.remembers > len(plant.memory):
            hint = "a delay is delay_s of linearise" if inner is not inner.at_samples(1.0, 1) else ""
            expected = "a law without memory and a reference that are there as equations, and fit"
            raise InvalidInput(Problem("controller", expected, f"{law.kind} and {type(followed).__name__}", hint=hint))
        numbers = cast(RecordableReference, followed).numbers(t)
        told = {"t": np.array(float(t)), "x": state.x, "reference": numbers, "memory": state.x[plant.x_law], **said.law.numbers}
        return cls(plant, said, {each.name: told[each.name] for each in said.program.inputs}, rate)

    def at(self, x: Array) -> LawAt:
        """Return the same at another packed state (n_x,)."""
        return replace(self, given={**self.given, "x": x})

    def answer(self, size: int) -> tuple[Array, Array]:
        """Return the command (size,), and its change (size, m) per unit of z."""
        command, K = answer(self.plant.layout, self.said, self.given)
        before = size - len(command)
        return np.concatenate([np.zeros(before), command]), np.vstack([np.zeros((before, K.shape[1])), K])

    def with_memory(self, motion: SmallMotion) -> SmallMotion:
        """Return the motion of the plant with that of what the law remembers."""
        if not self.plant.memory:
            return motion
        rates, change = answer(self.plant.layout, self.said, self.given, AFTER)
        A, x_dot = motion.A.copy(), motion.x_dot.copy()
        A[-len(rates) :], x_dot[self.plant.x_law] = change, rates
        return motion._replace(A=A, x_dot=x_dot)


def followed_by(law: Controller, reference: Reference | None, state: State, plant: Plant) -> Reference:
    """Return what a law follows: where nothing is said the joints as they are, at rest."""
    if reference is None and JointReference in law.follows:
        return Hold(state.q, layout=plant.model.layout)
    expect("reference", reference, Reference, f"a reference that {law.kind} follows")
    return cast(Reference, reference)
