"""A plain function as a controller."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from numpy.typing import ArrayLike

from ..guidance import Sample
from ..system import State
from ._controller import Controller


@dataclass(frozen=True)
class Function(Controller):
    """The law `function(t, state)` -> (N,) joint forces [N m or N], or (6 + N,) [f; n; tau]; it sees no reference."""

    function: Callable[[float, State], ArrayLike]

    @property
    def kind(self) -> str:
        """The name of the function."""
        return str(getattr(self.function, "__name__", self.function))

    @property
    def written(self) -> Any:
        """The function."""
        return self.function

    def command(self, t: float, state: State, reference: Sample | None, memory: Any) -> tuple[Any, Any]:
        """Return what the function returns, (N,) or (6 + N,), and the memory unchanged."""
        del reference
        return self.function(t, state), memory

    def __repr__(self) -> str:
        return f"Function({self.kind})"
