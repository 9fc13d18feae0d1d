"""Several modes, one after another: what a history has that joins the phases of a run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from ..errors import ModeMismatch, checked
from ..system import Layout
from ._flying import Flying
from ._manoeuvre_mode import ManoeuvreMode
from .contracts._ledger import Ledger
from .contracts._residuals import Residuals

MANY = 3  # modes beyond which a name counts them and does not list them


@checked
class InTurn(ManoeuvreMode):
    """The modes of phases that follow one another; it promises what holds in all of them, and nothing is flown in it.

    It has no formula of its own.

    modes : at least one, in order; of those that follow one another in one mode the first

    >>> both = InTurn([Flying(), Floating()])
    >>> both.name, both.pushed
    ('flying then floating', True)
    """

    def __init__(self, modes: Sequence[ManoeuvreMode]) -> None:
        self.modes = tuple(mode for k, mode in enumerate(modes) if not k or repr(mode) != repr(modes[k - 1]))

    @property
    def name(self) -> str:  # type: ignore[override]
        """The names of the modes, one after another; of many how many there are."""
        return in_turn(mode.name for mode in self.modes)

    @property
    def commands_base(self) -> bool:  # type: ignore[override]
        """Whether a command of any phase may be one of the base."""
        return any(mode.commands_base for mode in self.modes)

    @property
    def pushed(self) -> bool:  # type: ignore[override]
        """Whether anything acts on the system from outside in any phase."""
        return any(mode.pushed for mode in self.modes)

    def actuated(self, layout: Layout) -> NDArray[np.intp]:
        """Return the places of the speeds that any phase commands."""
        return np.unique(np.concatenate([mode.actuated(layout) for mode in self.modes]))

    def contract(self, ledger: Ledger) -> Residuals:
        """Return the balances of momentum, angular momentum and energy, which hold in all modes of a free base."""
        return Flying().contract(ledger)

    def __repr__(self) -> str:
        return f"InTurn({', '.join(map(repr, self.modes))})"

    def _refuse(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Raise `ModeMismatch`."""
        raise ModeMismatch(f"a run is flown in one mode after another, not in {self!r}")

    check = generalized_force = command_for = _refuse


def in_turn(names: Iterable[str]) -> str:
    """Return names of modes that follow one another as one; of many how many there are.

    >>> in_turn(["flying", "floating"]), in_turn(["a", "b", "c", "d", "e", "f"])
    ('flying then floating', '6 modes in turn')
    """
    listed = [name for name, _ in groupby(names)]
    return " then ".join(listed) if len(listed) <= MANY else f"{len(set(listed))} modes in turn"
