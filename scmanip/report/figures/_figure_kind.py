"""What every figure of a run offers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ...analysis import TipTrack
from ...errors import checked
from ...modes import ManoeuvreMode
from ...simulation import History
from ...system import System
from ..verdicts._limits import Limits
from ._panels import Figure


class ShownPhase(NamedTuple):
    """A part of a run: what it is called, when it begins in time of the run [s], and its own history.

    >>> ShownPhase("slew", 0.0, history).name
    'slew'
    """

    name: str
    start_s: float
    history: History


@dataclass(frozen=True, eq=False)
class ShownRun:
    """What figures are drawn of: a run, the frames that were led in it, the limits that it is judged by, and its phases.

    >>> FIGURES["energy"].draw(ShownRun(history)).get_axes()[0].get_ylabel()
    'kinetic energy [J]'
    """

    history: History
    tips: Sequence[TipTrack] = ()
    limits: Limits = Limits()  # noqa: RUF009 - frozen
    phases: Sequence[ShownPhase] = ()


@dataclass(frozen=True, eq=False)
class PlannedRun:
    """What is known of a run before it is flown: its system, its modes, whether a frame is led, whether shapes touch.

    >>> planned = PlannedRun(system, (scmanip.Floating(),))
    >>> [name for name, kind in FIGURES.items() if kind.usual(planned)]
    ['tracking', 'joint_rates', 'joint_angles', 'linear_momentum', 'angular_momentum']
    """

    system: System
    modes: tuple[ManoeuvreMode, ...]
    leads: bool = False
    touches: bool = False

    @property
    def drives_base(self) -> bool:
        """Whether a mode commands the base."""
        return any(mode.commands_base for mode in self.modes)


def _always(run: PlannedRun) -> bool:
    return True


def _never(run: PlannedRun) -> bool:
    return False


@checked
@dataclass(frozen=True, eq=False)
class FigureKind:
    """A figure of runs, which missions know by its name.

    draw : returns it
    needs, shows : what a run has of which it shows something, in words, and whether one has
    usual : whether a mission has it that names no figures
    of_frames : whether it is of frames that are led, and of nothing else

    >>> FIGURES["joint_rates"].usual(PlannedRun(system, (scmanip.Floating(),))), FIGURES["tip_error"].needs
    (True, "a mission that leads a frame, guidance 'reach'")
    """

    draw: Callable[[ShownRun], Figure]
    needs: str = ""
    shows: Callable[[PlannedRun], bool] = _always
    usual: Callable[[PlannedRun], bool] = _never
    of_frames: bool = False
