"""A law whose memory flows, where it looks now and then."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any

from ..guidance import Sample
from ..spatial import Array
from ..system import State
from ._controller import Controller, Wrapper
from ._memory import refuse_two_memories
from ._recorded_law import RecordedLaw, RecordedWrapper, recorded_law


class Stepped(Wrapper):
    """`law` with memory m that goes from one look to the next by Euler's rule, m + m' / rate_Hz."""

    def __init__(self, law: Controller, rate_Hz: float) -> None:
        self.law, self.rate_Hz = law, rate_Hz

    @property
    def kind(self) -> str:
        """That of the law inside."""
        return self.law.kind

    @property
    def states(self) -> Mapping[str, str]:
        """None between looks."""
        return {}

    def stepped(self, rate_Hz: float) -> Controller:
        """Return the law, which is that already."""
        del rate_Hz
        return self

    def start(self, state: State) -> Array:
        """Return what the law inside begins with; raises `InvalidInput` for one that remembers in two ways."""
        refuse_two_memories(self.law, state)
        return self.law.state_0(state)

    def command(self, t: float, state: State, reference: Sample | None, memory: Any) -> tuple[Array, Any]:
        """Return the command of the law inside, and the next memory."""
        command, _ = self.law.command(t, state, reference, memory)
        return command, memory + self.law.state_rate(t, state, reference, memory) / self.rate_Hz

    def unwound(self, t: float, state: State, reference: Sample | None, memory: Any, after: Any, missing: Array) -> Any:
        """Return what comes next by the rates of the law inside where `missing` was cut off."""
        rate = (after - memory) * self.rate_Hz
        return memory + self.law.unwound(t, state, reference, memory, rate, missing) / self.rate_Hz

    def recorded(self) -> RecordedLaw | None:
        """Return the law as equations, where that inside can be."""
        inner = recorded_law(self.law)
        return _Recorded(inner, self.rate_Hz) if inner is not None and inner.flows else None

    def __repr__(self) -> str:
        return repr(self.law)


@dataclass(frozen=True, eq=False)
class _Recorded(RecordedWrapper):
    inner: RecordedLaw
    rate_Hz: float

    @property
    def key(self) -> Hashable:
        return "stepped", self.rate_Hz, self.inner.key

    @property
    def flows(self) -> bool:
        return False

    def said(self, x: Array, wanted: Any, numbers: Mapping[str, Array], memory: Array) -> tuple[Array, Array]:
        command, rate = self.inner.said(x, wanted, numbers, memory)
        return command, memory + rate / self.rate_Hz

    def unwound(
        self, x: Array, wanted: Any, numbers: Mapping[str, Array], memory: Array, after: Array, missing: Array
    ) -> Array:
        rate = (after - memory) * self.rate_Hz
        return memory + self.inner.unwound(x, wanted, numbers, memory, rate, missing) / self.rate_Hz
