"""What laws around others that remember a row of numbers of their own have in common."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ...dynamics import Model
from ...errors import InvalidInput, ModeMismatch, Problem, expect
from ...guidance import Sample
from ...modes import FixedBase, Floating, ManoeuvreMode
from ...plant import Plant, command_units
from ...spatial import Array
from ...system import Layout, State
from .._controller import Controller, Wrapper
from .._recorded_law import RecordedLaw, RecordedWrapper, outer_name, recorded_law


class Remembering(Wrapper):
    """A law around `law` with a row of numbers of its own, in front of what is remembered inside.

    Where it looks always the row is part of the state of a run; where it is `Sampled` it goes from look to look by a rule of
    the law's own (`step`). It begins with zeros.

    units : what entries of the command are called, and their units
    period_s : between looks; None where it looks always
    tells : whether the law inside is told what is missing of its command
    """

    tells: ClassVar[bool] = False
    layout: Layout
    units: Mapping[str, str]
    period_s: float | None = None
    steps_itself = True

    def _command_of(self, law: Controller, plant: Plant | None) -> None:
        """Know the command of `law`, that of a plant or else of its estimate in the mode that it was made for."""
        expect("plant", plant, Plant | None, "a Plant, or None")
        model, mode = (law.believed, law.made_for) if plant is None else (plant.model, plant.mode)
        if model is None:
            hint = "Plant(model, mode) says what is commanded"
            raise InvalidInput(
                Problem("plant", f"the plant that {law.kind}, which knows no model, commands", "None", hint=hint)
            )
        self.law, self.layout = law, model.layout
        mode = mode or (FixedBase() if model.layout.fixed else Floating())
        self.units = command_units(model.layout, mode, [freedom.unit for freedom in model.system.freedoms])

    @property
    @abstractmethod
    def own_states(self) -> Mapping[str, str]:
        """Names of its numbers, with their units."""

    @property
    @abstractmethod
    def own_numbers(self) -> Mapping[str, Array]:
        """Those of `step` and `unwound_own`, by name, an array each, in SI."""

    @property
    @abstractmethod
    def form(self) -> Hashable:
        """Equal forms of one class mean equal equations."""

    @abstractmethod
    def step(self, command: Array, own: Array, numbers: Mapping[str, Array], x: Array, wanted: Any) -> tuple[Array, Array]:
        """Return what becomes of a command of the law inside, and the rates of its own numbers, or with a `period_s` the
        next ones.

        Over any scalar and in SI, command (N,) or (6 + N,); x : (n_x,) packed state; wanted : the sample of the reference
        """

    def unwound_own(self, own: Array, after: Array, numbers: Mapping[str, Array], missing: Array) -> Array:
        """Return what of its own (k,) comes next, `after`, where `missing` was cut off the command; in SI, any scalar."""
        del own, numbers, missing
        return after

    @property
    def states(self) -> Mapping[str, str]:
        """Its own, and those of the law inside."""
        if self.period_s is not None:
            return {}
        inside = self.law.states
        return {outer_name(name, inside): unit for name, unit in self.own_states.items()} | dict(inside)

    def state_0(self, state: State) -> Array:
        """Return zeros, and those of the law inside."""
        return np.concatenate([np.zeros(len(self.own_states)), self.law.state_0(state)])

    def state_rate(self, t: float, state: State, reference: Sample | None, memory: Array) -> Array:
        own, inner = self._parted(memory)
        command, _ = self.law.command(t, state, reference, inner)
        _, rate = self.step(np.asarray(command), own, self.own_numbers, state.x, reference)
        return rate if inner is None else np.concatenate([rate, self.law.state_rate(t, state, reference, inner)])

    def stepped(self, rate_Hz: float) -> Controller:
        made = self.around((self.law.stepped(rate_Hz),))
        vars(made).update(period_s=1 / rate_Hz)
        return made

    def start(self, state: State) -> Any:
        """Return what it remembers before the first look."""
        inner = self.law.start(state)
        return inner if self.period_s is None else _joined(np.zeros(len(self.own_states)), inner)

    def command(self, t: float, state: State, reference: Sample | None, memory: Any) -> tuple[Array, Any]:
        """Return what it makes of the command of the law inside, and the next memory."""
        own, inner = self._parted(memory)
        said, after = self.law.command(t, state, reference, inner)
        command = np.asarray(said)
        given, next = self.step(command, own, self.own_numbers, state.x, reference)
        if self.period_s is None:
            return given, memory
        if self.tells and np.any(given != command):
            after = self.law.unwound(t, state, reference, inner, after, given - command)
        return given, _joined(next, after)

    def unwound(self, t: float, state: State, reference: Sample | None, memory: Any, after: Any, missing: Array) -> Any:
        """Return what comes next where `missing` was cut off the command."""
        (own, inner), (own_after, inner_after) = self._parted(memory), self._parted(after)
        own_after = self.unwound_own(own, own_after, self.own_numbers, missing)
        return _joined(own_after, self.law.unwound(t, state, reference, inner, inner_after, missing))

    def _parted(self, memory: Any) -> tuple[Array, Any]:
        """Return its own numbers, and what the law inside remembers."""
        if isinstance(memory, tuple):
            return memory[0], memory[1]
        own = len(self.own_states)
        return memory[:own], memory[own:] if len(memory) > own else None

    def check(self, model: Model, mode: ManoeuvreMode) -> None:
        """Raise `ModeMismatch` where the law inside does, and where it was made for another command."""
        super().check(model, mode)
        size = mode.command_size(model.layout)
        if len(self.units) != size:
            raise ModeMismatch(
                f"{type(self).__name__} was made for {len(self.units)} entries of a command, which in {mode.name} has {size}; "
                "say plant=Plant(model, mode)"
            )

    def recorded_row(self) -> RecordedLaw | None:
        """Return the law as equations, where that inside can be and both remember alike."""
        inner = recorded_law(self.law)
        if inner is None or (inner.remembers and inner.flows is not (self.period_s is None)):
            return None
        return _Recorded(self, inner)

    @property
    def of_itself(self) -> str:
        """Its name, with that of the law inside."""
        return f"{type(self).__name__}({self.law!r}"


def _joined(own: Array, inner: Any) -> Any:
    """Return what is remembered in one row where both are rows."""
    if inner is None:
        return own
    return np.concatenate([own, inner]) if isinstance(inner, np.ndarray) else (own, inner)


@dataclass(frozen=True, eq=False)
class _Recorded(RecordedWrapper):
    law: Remembering
    inner: RecordedLaw

    @property
    def key(self) -> Hashable:
        return type(self.law).__name__, self.law.form, self.law.period_s, tuple(self.law.units), self.inner.key

    @property
    def numbers(self) -> Mapping[str, Array]:
        return {**self.inner.numbers, **{self._name(name): array for name, array in self.law.own_numbers.items()}}

    def _name(self, name: str) -> str:
        return outer_name(name, self.inner.numbers)

    def _own(self, numbers: Mapping[str, Array]) -> dict[str, Array]:
        return {name: numbers[self._name(name)] for name in self.law.own_numbers}

    @property
    def size(self) -> int:
        return len(self.law.own_states)

    @property
    def remembers(self) -> int:
        return self.size + self.inner.remembers

    @property
    def flows(self) -> bool:
        return self.law.period_s is None

    def begins(self, x: Array, numbers: Mapping[str, Array]) -> Array:
        return np.concatenate([np.zeros(self.size, dtype=int), self.inner.begins(x, numbers)])

    def said(self, x: Array, wanted: Any, numbers: Mapping[str, Array], memory: Array) -> tuple[Array, Array]:
        own, inner = memory[: self.size], memory[self.size :]
        command, after = self.inner.said(x, wanted, numbers, inner)
        given, next = self.law.step(command, own, self._own(numbers), x, wanted)
        if self.law.tells and self.inner.remembers:
            after = self.inner.unwound(x, wanted, numbers, inner, after, given - command)
        return given, np.concatenate([next, after])

    def unwound(
        self, x: Array, wanted: Any, numbers: Mapping[str, Array], memory: Array, after: Array, missing: Array
    ) -> Array:
        n = self.size
        inner = self.inner.unwound(x, wanted, numbers, memory[n:], after[n:], missing)
        return np.concatenate([self.law.unwound_own(memory[:n], after[:n], self._own(numbers), missing), inner])
