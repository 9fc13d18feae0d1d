"""A plain function as a controller."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from numpy.typing import ArrayLike

from ..errors import checked
from ..guidance import Sample
from ..system import State
from ._controller import Controller


@checked
@dataclass(frozen=True)
class Function(Controller):
    """The law `function(t, state)` -> (N,) joint forces [N m or N], or (6 + N,) [f; n; tau]; it sees no reference.

    It has no formula of its own.

    >>> damper = Function(lambda t, state: -2.0 * state.qdot)
    >>> moving = scmanip.State(r_0=[0.0] * 3, q=[0.0] * 4, qdot=[0.1, 0.0, 0.0, 0.0])
    >>> damper.command(0.0, moving, None, None)[0].tolist()
    [-0.2, -0.0, -0.0, -0.0]
    """

    function: Callable[[float, State], ArrayLike]

    @property
    def kind(self) -> str:
        return str(getattr(self.function, "__name__", self.function))

    @property
    def written(self) -> Any:
        return self.function

    def command(self, t: float, state: State, reference: Sample | None, memory: Any) -> tuple[Any, Any]:
        """Return what the function returns, (N,) or (6 + N,), and the memory unchanged."""
        del reference
        return self.function(t, state), memory

    def __repr__(self) -> str:
        return f"Function({self.kind})"
