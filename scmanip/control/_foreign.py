"""Controllers that are not written as subclasses of `Controller`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from numpy.typing import ArrayLike

from ..errors import InvalidInput, Problem
from ..guidance import Sample
from ..system import State
from ._controller import Controller
from ._function import Function


@runtime_checkable
class Law(Protocol):
    """Any object with this one method can be a controller; its memory starts as None."""

    def command(self, t: float, state: State, reference: Sample | None, memory: Any) -> tuple[Any, Any]:
        """Return the command, (N,) or (6 + N,), and the next memory."""
        ...


@dataclass(frozen=True)
class Foreign(Controller):
    """An object of someone else's making, `law`, as a `Controller`."""

    law: Law

    @property
    def kind(self) -> str:
        """The class of the object."""
        return type(self.law).__name__

    def command(self, t: float, state: State, reference: Sample | None, memory: Any) -> tuple[Any, Any]:
        """Return the command of the law inside, (N,) or (6 + N,), and its next memory."""
        return self.law.command(t, state, reference, memory)


def controller_of(law: Controller | Law | Callable[[float, State], ArrayLike]) -> Controller:
    """Return `law` as a `Controller`: itself, an object with `command`, or a function (t, state) -> command."""
    if isinstance(law, Controller):
        return law
    if not isinstance(law, type) and isinstance(law, Law):
        return Foreign(law)
    if not isinstance(law, type) and callable(law):
        return Function(law)
    expected = "a controller object, an object with command(t, state, reference, memory), or a function (t, state) -> tau"
    raise InvalidInput(Problem("controller", expected, repr(law)))
