"""A law whose command does not jump."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from numpy.typing import ArrayLike

from ...errors import InvalidInput, Problem, refuse
from ...plant import Plant
from ...spatial import Array
from ...symbolic import maximum, minimum
from ...system import State
from .._controller import Controller
from .._foreign import Law, controller_of
from .._gains import row, row_problems
from .._recorded_law import RecordedLaw
from ._remembering import Remembering


class RateLimited(Remembering):
    """`law` with every entry of its command no further from the one before than `limit` allows from look to look.

        y[k] = y[k - 1] + cut(c[k] - y[k - 1], limit / rate_Hz),   y[-1] = 0

    c is the command of the law inside, which is told what is missing of it (`Controller.unwound`). It must be `Sampled`: a law
    that looks always has no command before. What the limit takes delays the command. By definition of such a limit.

    law : a `Controller`, an object with `command`, or a function (t, state) -> command
    limit : one number or one per entry of the command, (N,) or (6 + N,), finite and > 0 [N m/s, N/s]
    plant : what is commanded; None: the law's estimate, in the mode that it was made for

    Raises `InvalidInput` for limits out of range, what is no law or plant, and a law that knows no model without a plant.

    >>> slow = Sampled(RateLimited(law, 1.0), rate_Hz=10.0)
    >>> np.round(slow.command(0.0, state, reference.at(0.0), slow.start(state))[0], 3).tolist()
    [-0.1, -0.1, -0.1, -0.1]
    """

    tells: ClassVar[bool] = True
    limit: Array
    looks_seldom = True
    form = None

    def __init__(
        self,
        law: Controller | Law | Callable[[float, State], ArrayLike],
        limit: ArrayLike,
        *,
        plant: Plant | None = None,
    ) -> None:
        self._command_of(controller_of(law), plant)
        refuse(row_problems("limit", limit, len(self.units), positive=True))
        self.limit = row(limit, len(self.units))

    @property
    def settings(self) -> Mapping[str, Any]:
        """Those of the law inside, and the limit."""
        return {**self.law.settings, "limit": self.limit}

    @property
    def own_states(self) -> Mapping[str, str]:
        return {f"last_{name}": unit for name, unit in self.units.items()}

    @property
    def own_numbers(self) -> Mapping[str, Array]:
        return {"limit": self.limit}

    def step(self, command: Array, own: Array, numbers: Mapping[str, Array], x: Array, wanted: Any) -> tuple[Array, Array]:
        """Return the command within reach of the last one, as what is commanded and what is remembered."""
        if self.period_s is None:
            hint = f"Sampled({self.kind}, rate_Hz=...)"
            raise InvalidInput(Problem("controller", "a law that is sampled", f"{self.kind}, which looks always", hint=hint))
        most = self.period_s * numbers["limit"]
        given = own + minimum(maximum(command - own, -most), most)
        return given, given

    def recorded(self) -> RecordedLaw | None:
        """Return the law as equations, where that inside can be."""
        return self.recorded_row()

    def __repr__(self) -> str:
        return f"{self.of_itself}, limit={self.limit.tolist()})"
