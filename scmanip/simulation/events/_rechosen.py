"""Where other speeds were taken to follow from the rest."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ...errors import checked


@checked
@dataclass(frozen=True)
class Rechosen:
    """Dependent speeds that were chosen anew at `t` [s], because they followed badly from the others; all moves on as it did.

    before, dependent : names of those that were and of those that are from then on

    >>> Rechosen(2.0, before=("v_0 x",), dependent=("v_0 y",))
    Rechosen(t=2.0, before=('v_0 x',), dependent=('v_0 y',))
    """

    t: float
    before: tuple[str, ...]
    dependent: tuple[str, ...]

    def later(self, start_s: float) -> Rechosen:
        """Return it on a clock that showed `start_s` [s] when its own started."""
        return replace(self, t=self.t + start_s)

    def __str__(self) -> str:
        names = f"{', '.join(self.dependent)} in place of {', '.join(self.before)}"
        return f"dependent speeds chosen anew at t = {self.t:.9g} s: {names}"
