"""A law and what it follows, at one state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np

from ...control import Controller, Sampled, as_controller, at_a_look, with_memory
from ...errors import InvalidInput, Problem, expect
from ...guidance import Hold, JointReference, ReferenceMotion, numbers_at, recorded_form
from ...plant import LAW, Plant, command_units
from ...simulation import SampledCommand
from ...spatial import Array
from ...system import State
from ._outputs import state_units
from ._small_motion import AFTER, MEMORY, Kept, SmallMotion, answer, jump, remembered


@dataclass(frozen=True, eq=False)
class LawAt:
    """A recorded law, and the inputs of its program.

    law : as it flies from that state on
    rate_Hz : at which it looks; None where it always does
    goes_on : whether what it remembers as part of the state was known, and does not begin there
    """

    plant: Plant
    law: Controller
    said: SampledCommand
    given: dict[str, Array]
    rate_Hz: float | None
    goes_on: bool

    @classmethod
    def of(
        cls,
        plant: Plant,
        controller: Any,
        reference: ReferenceMotion | None,
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
        asked = at_a_look(law, plant.mode.command_size(plant.layout))
        said = SampledCommand.of(plant.model, plant.layout, asked, recorded_form(followed))
        if said is None or (rate is None and said.law.remembers > len(plant.memory)):
            kept = inner is not inner.at_samples(1.0, 1)
            hint = "Sampled(law, rate_Hz=...) remembers from look to look" if kept and rate is None else ""
            expected = "a law and a reference that are there as equations, and fit"
            raise InvalidInput(Problem("controller", expected, f"{law.kind} and {type(followed).__name__}", hint=hint))
        numbers = numbers_at(followed, t)
        told = {"t": np.array(float(t)), "x": state.x, "reference": numbers, MEMORY: state.x[plant.x_law], **said.law.numbers}
        if rate is not None and said.law.remembers:
            told[MEMORY] = remembered(said, told, 1)[0]
        goes_on = all(LAW + name in (known or {}) for name in law.states)
        return cls(plant, law, said, {each.name: told[each.name] for each in said.program.inputs}, rate, goes_on)

    def at(self, x: Array) -> LawAt:
        """Return the same at another packed state (n_x,)."""
        return replace(self, given={**self.given, "x": x})

    def answer(self, size: int) -> tuple[Array, Array, Kept | None]:
        """Return the command (size,), its change (size, m) per unit of z, and what it keeps from look to look."""
        layout, r = self.plant.layout, self.keeps
        command, K = answer(layout, self.said, self.given)
        self._refuse_jump(command, K[:, : K.shape[1] - r])
        before = size - len(command)
        command, K = np.concatenate([np.zeros(before), command]), np.vstack([np.zeros((before, K.shape[1])), K])
        if not r:
            return command, K, None
        after, F = answer(layout, self.said, self.given, AFTER)
        return command, K[:, :-r], Kept(F[:, :-r], F[:, -r:], K[:, -r:], after - self.given[MEMORY])

    def _refuse_jump(self, command: Array, K: Array) -> None:
        """Raise `InvalidInput` where the law has no derivatives for K to be."""
        found = jump(self.plant.layout, self.said, self.given, command, K)
        if found is None:
            return
        units = [freedom.unit for freedom in self.plant.model.system.freedoms]
        said = list(command_units(self.plant.layout, self.plant.mode, units))[-len(command) :][found[0]]
        words = f"one where {said} of {self.law.kind} jumps as {list(state_units(self.plant))[found[1]]} changes"
        hint = "errors of attitudes change sign half a turn off"
        raise InvalidInput(Problem("state", "one in which the law has derivatives", words, hint=hint))

    def begins(self, states: State) -> Array:
        """Return what it remembers as part of each of n states (n, w)."""
        if self.goes_on:
            return states.x[:, self.plant.x_law]
        rows = [self.law.state_0(states[k].of_hardware) for k in range(len(states))]
        return np.array(rows, dtype=float).reshape(len(rows), -1)

    @property
    def keeps(self) -> int:
        """How many numbers it remembers from look to look."""
        return 0 if self.rate_Hz is None else self.said.law.remembers

    def with_memory(self, motion: SmallMotion) -> SmallMotion:
        """Return the motion of the plant with that of what the law remembers."""
        if not self.plant.memory or self.keeps:
            return motion
        rates, change = answer(self.plant.layout, self.said, self.given, AFTER)
        A, x_dot = motion.A.copy(), motion.x_dot.copy()
        A[-len(rates) :], x_dot[self.plant.x_law] = change, rates
        return motion._replace(A=A, x_dot=x_dot)


def followed_by(law: Controller, reference: ReferenceMotion | None, state: State, plant: Plant) -> ReferenceMotion:
    """Return what a law follows: where nothing is said the joints as they are, at rest."""
    if reference is None and JointReference in law.follows:
        return Hold(state.q, layout=plant.model.layout)
    expect("reference", reference, ReferenceMotion, f"a reference that {law.kind} follows")
    return cast(ReferenceMotion, reference)
