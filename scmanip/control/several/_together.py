"""Laws that give one command together."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ...dynamics import Model
from ...errors import InvalidInput, Problem
from ...guidance import JointReference, PoseReference, Sample
from ...spatial import Array
from ...system import State
from .._controller import Controller, Stepped
from .._foreign import Law, controller_of
from .._recorded_law import BELIEVED, RecordedLaw, recorded_law


class Together(Controller):
    """Several laws, each of which sees the same state and the same reference, whose commands become one.

    laws : one or more: a `Controller`, an object with `command`, or a function (t, state) -> command
    """

    laws: tuple[Controller, ...]

    def __init__(self, *laws: Controller | Law | Callable[[float, State], ArrayLike]) -> None:
        if not laws:
            raise InvalidInput(Problem("laws", "one law or more", "none"))
        self.laws = tuple(map(controller_of, laws))

    @abstractmethod
    def joined(self, commands: Sequence[Array], q: Array, numbers: Mapping[str, Array]) -> Array:
        """Return the command made of those of the laws at coordinates q (n_q,), over any scalar and in SI.

        numbers : `own_numbers`
        """

    @property
    def own_numbers(self) -> Mapping[str, Array]:
        """Those of `joined`, by name, an array each, in SI."""
        return {}

    @property
    def form(self) -> Hashable:
        """Equal forms of one class mean equal `joined`."""
        return None

    @property
    def wraps(self) -> tuple[Controller, ...]:
        return self.laws

    def start(self, state: State) -> Any:
        """Return what the laws remember before the first command; None where none does."""
        memories = tuple(law.start(state) for law in self.laws)
        return None if all(memory is None for memory in memories) else memories

    @property
    def states(self) -> Mapping[str, str]:
        """Those of the laws, with their numbers in front."""
        return {own_name(k, name): unit for k, law in enumerate(self.laws) for name, unit in law.states.items()}

    def state_0(self, state: State) -> Array:
        return np.concatenate([law.state_0(state) for law in self.laws])

    def state_rate(self, t: float, state: State, reference: Sample | None, memory: Array) -> Array:
        pairs = zip(self.laws, self._own(memory), strict=True)
        return np.concatenate([law.state_rate(t, state, reference, own) for law, own in pairs])

    def stepped(self, rate_Hz: float) -> Controller:
        """Return the same, what the laws remember in one row."""
        return super().stepped(rate_Hz) if self.steps_itself or not self.states else Stepped(self, rate_Hz)

    def _own(self, memory: Any) -> Sequence[Any]:
        """Return what each law remembers."""
        if self.states:
            return np.split(memory, np.cumsum([len(law.states) for law in self.laws])[:-1])
        return [None] * len(self.laws) if memory is None else memory

    def command(self, t: float, state: State, reference: Sample | None, memory: Any) -> tuple[Array, Any]:
        """Return the command, and what the laws remember next."""
        said = [law.command(t, state, reference, own) for law, own in zip(self.laws, self._own(memory), strict=True)]
        after = memory if memory is None or self.states else tuple(own for _, own in said)
        return self.joined([np.asarray(command) for command, _ in said], state.q, self.own_numbers), after

    def unwound(self, t: float, state: State, reference: Sample | None, memory: Any, after: Any, missing: Array) -> Any:
        """Return what the laws remember next, each told what is missing of what they say together."""
        parts = zip(self.laws, self._own(memory), self._own(after), strict=True)
        told = [law.unwound(t, state, reference, own, its, missing) for law, own, its in parts]
        return after if after is None else np.concatenate(told) if self.states else tuple(told)

    def recorded_together(self) -> RecordedLaw | None:
        """Return the law as equations, where all laws can be, follow the same, remember alike and share an estimate."""
        parts = [recorded_law(law) for law in self.laws]
        known = tuple(part for part in parts if part is not None)
        beliefs = [[id(v) for name, v in part.numbers.items() if name.startswith(BELIEVED)] for part in known]
        alike = len({*map(tuple, filter(None, beliefs))}) <= 1 and bool(_taken(known))
        alike = alike and len({part.flows for part in known if part.remembers}) <= 1
        return _Recorded(self, known) if alike and len(known) == len(parts) else None


@dataclass(frozen=True, eq=False)
class _Recorded(RecordedLaw):
    law: Together
    parts: tuple[RecordedLaw, ...]

    @property
    def takes(self) -> tuple[type[JointReference] | type[PoseReference], ...]:
        return _taken(self.parts)

    @property
    def follows(self) -> type[JointReference] | type[PoseReference]:
        return self.takes[0]

    @property
    def key(self) -> Hashable:
        return type(self.law).__name__, self.law.form, tuple(part.key for part in self.parts)

    @property
    def numbers(self) -> Mapping[str, Array]:
        own = {own_name(k, name): array for k, part in enumerate(self.parts) for name, array in part.numbers.items()}
        return {**own, **self.law.own_numbers}

    def beside(self, plant: Model) -> RecordedLaw:
        return replace(self, parts=tuple(part.beside(plant) for part in self.parts))

    def at(self, t: Any) -> RecordedLaw:
        return replace(self, parts=tuple(part.at(t) for part in self.parts))

    @property
    def remembers(self) -> int:
        return sum(part.remembers for part in self.parts)

    @property
    def flows(self) -> bool:
        return any(part.flows for part in self.parts)

    def begins(self, x: Array, numbers: Mapping[str, Array]) -> Array:
        return np.concatenate([part.begins(x, its) for part, its in zip(self.parts, self._own(numbers), strict=True)])

    def force(self, x: Array, wanted: Any, numbers: Mapping[str, Array]) -> Array:
        return self.said(x, wanted, numbers, self.begins(x, numbers))[0]

    def _own(self, numbers: Mapping[str, Array]) -> list[dict[str, Array]]:
        return [{name: numbers[own_name(k, name)] for name in part.numbers} for k, part in enumerate(self.parts)]

    def said(self, x: Array, wanted: Any, numbers: Mapping[str, Array], memory: Array) -> tuple[Array, Array]:
        own, believed, before = self._own(numbers), self.law.believed, self._rows(memory)
        said = [part.said(x, wanted, its, past) for part, its, past in zip(self.parts, own, before, strict=True)]
        q = x[:0] if believed is None else x[believed.layout.x_q]
        return self.law.joined([force for force, _ in said], q, numbers), np.concatenate([after for _, after in said])

    def _rows(self, memory: Array) -> list[Array]:
        return np.split(memory, np.cumsum([part.remembers for part in self.parts])[:-1])

    def unwound(
        self, x: Array, wanted: Any, numbers: Mapping[str, Array], memory: Array, after: Array, missing: Array
    ) -> Array:
        own = zip(self.parts, self._own(numbers), self._rows(memory), self._rows(after), strict=True)
        return np.concatenate([part.unwound(x, wanted, its, past, next, missing) for part, its, past, next in own])


def _taken(parts: Sequence[RecordedLaw]) -> tuple[type[JointReference] | type[PoseReference], ...]:
    """Return the kinds of samples that all parts follow."""
    return tuple(kind for kind in (JointReference, PoseReference) if all(kind in part.takes for part in parts))


def own_name(number: int, name: str) -> str:
    """Return the name of a number of one of the laws; they share what they believe in."""
    return name if name.startswith(BELIEVED) else f"{number + 1}.{name}"
