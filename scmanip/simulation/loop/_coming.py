"""Machine code of a run under constraints that is made while the run is under way."""

from __future__ import annotations

from contextlib import suppress
from threading import Thread

from ...errors import ScmanipError
from ._setup import Setup


class Coming:
    """The code of runs, one after the other in a thread of its own: of their steps and of what brings their states back.

    What goes wrong there goes wrong again where the code is asked for, and is told there.
    """

    def __init__(self, first: Setup, *others: Setup) -> None:
        first.model.M(first.state0), first.model.inverse_dynamics(first.state0, 0 * first.state0.u)  # by one at a time
        self._thread = Thread(target=_make, args=(first, *others), name="scmanip code")
        self._thread.start()

    @property
    def is_there(self) -> bool:
        """Whether it has come."""
        return not self._thread.is_alive()


def lacks_code(setup: Setup) -> bool:
    """Whether a run under constraints, which is recorded, has code that nobody has made yet."""
    if setup.parts is None or setup.plant.holding is None:
        return False
    return not (setup.plant.is_coded and setup.parts.is_coded)


def _make(*setups: Setup) -> None:
    for setup in setups:
        with suppress(ScmanipError):
            assert setup.parts is not None and setup.parts.loop and setup.plant.projection
