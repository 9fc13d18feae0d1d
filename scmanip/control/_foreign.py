"""Controllers that are not written as subclasses of `Controller`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from inspect import signature
from typing import Any, Protocol, cast, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InvalidInput, Problem, misfits, refuse, takes
from ..guidance import Sample
from ..spatial import Array, real
from ..system import State
from ._controller import Controller
from ._function import Function

_GIVEN = ("t", "state", "reference", "memory")
FLOWING = ("states", "state_0", "state_rate")


@runtime_checkable
class Law(Protocol):
    """Any object with this one method can be a controller; its memory starts as None, or is part of the state of a run where it
    has `states`, `state_0` and `state_rate` of a `Controller`.

    >>> class Nothing:
    ...     def command(self, t, state, reference, memory):
    ...         return np.zeros(4), memory
    ...
    >>> isinstance(Nothing(), Law), as_controller(Nothing()).kind
    (True, 'Nothing')
    """

    def command(self, t: float, state: State, reference: Sample | None, memory: Any) -> tuple[Any, Any]:
        """Return the command at t [s], (N,) or (6 + N,) in [N m or N], and the next memory."""
        ...


@dataclass(frozen=True)
class Foreign(Controller):
    """An object of someone else's making, `law`, as a `Controller`."""

    law: Law

    @property
    def kind(self) -> str:
        return type(self.law).__name__

    @property
    def written(self) -> Any:
        return self.law

    @property
    def states(self) -> Mapping[str, str]:
        found: Mapping[str, str] = getattr(self.law, "states", {})
        return found

    def state_0(self, state: State) -> Array:
        return real(cast(Controller, self.law).state_0(state)) if self.states else np.empty(0)

    def state_rate(self, t: float, state: State, reference: Sample | None, memory: Array) -> Array:
        return real(cast(Controller, self.law).state_rate(t, state, reference, memory)) if self.states else np.empty(0)

    def command(self, t: float, state: State, reference: Sample | None, memory: Any) -> tuple[Any, Any]:
        """Return the command of the law inside, (N,) or (6 + N,), and its next memory."""
        return self.law.command(t, state, reference, memory)


def controller_of(law: Controller | Law | Callable[[float, State], ArrayLike]) -> Controller:
    """Return `law` as a `Controller`: itself, an object with `command`, or a function (t, state) -> command."""
    if isinstance(law, Controller):
        refuse(_problems(law))
        return law
    if not isinstance(law, type) and isinstance(law, Law):
        lacking = [name for name in FLOWING if not hasattr(law, name)]
        if 0 < len(lacking) < len(FLOWING):
            raise InvalidInput(Problem("controller", ", ".join(FLOWING) + ", or none of them", f"{law!r} without {lacking[0]}"))
        if not takes(law.command, len(_GIVEN)):
            said = f"{type(law).__name__}.command{signature(law.command)}"
            raise InvalidInput(Problem("controller", f"command({', '.join(_GIVEN)})", said))
        return Foreign(law)
    if not isinstance(law, type) and takes(law, 2):
        return Function(law)
    expected = f"a controller object, an object with command({', '.join(_GIVEN)}), or a function (t, state) -> tau"
    raise InvalidInput(Problem("controller", expected, repr(law)))


def _problems(law: Controller) -> Iterator[Problem]:
    """Yield what keeps a controller, or one that it is made of, from being asked."""
    if wrong := misfits(law):
        yield from wrong
        return
    laws: Any = law.wraps
    if not (isinstance(laws, tuple) and all(isinstance(each, Controller) for each in laws)):
        yield Problem(f"{type(law).__name__}.wraps", "laws that are controllers", repr(laws))
        return
    for each in laws:
        yield from _problems(each)
