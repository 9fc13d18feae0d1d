"""A law whose command is cut where the actuators end."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..dynamics import Model
from ..errors import InvalidInput, ModeMismatch, Problem
from ..guidance import Sample
from ..modes import ManoeuvreMode
from ..spatial import Array, real
from ..symbolic import maximum, minimum
from ..system import State
from ._controller import Controller, Wrapper
from ._foreign import Law, controller_of
from ._recorded_law import RecordedLaw, RecordedWrapper, outer_name, recorded_law


class Saturated(Wrapper):
    """`law` with every entry of its command cut to what it may be at most, in both directions.

    What is cut the law inside is told (`Controller.unwound`), so that integrals do not wind up [Astrom2006].

    law : a `Controller`, an object with `command`, or a function (t, state) -> command
    limit : one number or one per entry of the command, (N,) or (6 + N,), finite and > 0 [N m, N]

    Raises `InvalidInput` for limits that are not finite and > 0, and what is no law; `check` `ModeMismatch` for another number
    of them than the command has entries.

    >>> cut = Saturated(law, 0.5)
    >>> cut.command(0.0, state, reference.at(0.0), None)[0].round(3).tolist()
    [-0.5, -0.5, -0.5, -0.295]
    """

    limit: Array

    def __init__(self, law: Controller | Law | Callable[[float, State], ArrayLike], limit: ArrayLike) -> None:
        try:
            most = np.array(np.atleast_1d(real(limit)))
        except (TypeError, ValueError):
            most = np.empty(0)
        if most.ndim != 1 or not most.size or not np.all(np.isfinite(most) & (most > 0)):
            raise InvalidInput(Problem("limit", "one finite number > 0, or one per entry of the command", repr(limit)))
        most.flags.writeable = False
        self.law, self.limit = controller_of(law), most

    @property
    def settings(self) -> Mapping[str, Any]:
        """Those of the law inside, and the limit."""
        return {**self.law.settings, "limit": self.limit}

    def command(self, t: float, state: State, reference: Sample | None, memory: Any) -> tuple[Array, Any]:
        """Return the command of the law inside, cut, and its next memory."""
        command, after = self.law.command(t, state, reference, memory)
        given = _cut(np.asarray(command), self.limit)
        return given, after if self.states else self._told(t, state, reference, memory, after, given - command)

    def state_rate(self, t: float, state: State, reference: Sample | None, memory: Array) -> Array:
        """Return the rates of what the law inside remembers."""
        command, rate = (
            np.asarray(self.law.command(t, state, reference, memory)[0]),
            super().state_rate(t, state, reference, memory),
        )
        return np.asarray(self._told(t, state, reference, memory, rate, _cut(command, self.limit) - command))

    def _told(self, t: float, state: State, reference: Sample | None, memory: Any, after: Any, missing: Array) -> Any:
        """Return what the law inside remembers next, told what is missing of its command."""
        return self.law.unwound(t, state, reference, memory, after, missing) if np.any(missing) else after

    def check(self, model: Model, mode: ManoeuvreMode) -> None:
        """Raise `ModeMismatch` where the law inside does, and for limits that are not as many as the command has entries."""
        super().check(model, mode)
        size = mode.command_size(model.layout)
        if len(self.limit) not in (1, size):
            raise ModeMismatch(f"Saturated has {len(self.limit)} limits, the command in {mode.name} has {size} entries")

    def recorded(self) -> RecordedLaw | None:
        """Return the law as equations, where that inside can be."""
        inner = recorded_law(self.law)
        return None if inner is None else _Recorded(self.limit, inner)

    def __repr__(self) -> str:
        return f"Saturated({self.law!r}, limit={self.limit.tolist()})"


@dataclass(frozen=True, eq=False)
class _Recorded(RecordedWrapper):
    limit: Array
    inner: RecordedLaw

    @property
    def key(self) -> Hashable:
        return "saturated", len(self.limit), self.inner.key

    @property
    def numbers(self) -> Mapping[str, Array]:
        return {**self.inner.numbers, outer_name("limit", self.inner.numbers): self.limit}

    def said(self, x: Array, wanted: Any, numbers: Mapping[str, Array], memory: Array) -> tuple[Array, Array]:
        command, after = self.inner.said(x, wanted, numbers, memory)
        given = _cut(command, numbers[outer_name("limit", self.inner.numbers)])
        if self.inner.remembers:
            after = self.inner.unwound(x, wanted, numbers, memory, after, given - command)
        return given, after


def _cut(command: Array, limit: Array) -> Array:
    """Return a command within its limit, over any scalar."""
    most = limit if len(limit) > 1 else limit[0]
    return np.asarray(minimum(maximum(command, -most), most))
