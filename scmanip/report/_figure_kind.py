"""What every figure of a run offers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..analysis import TipTrack
from ..errors import InvalidInput, Problem
from ..modes import ManoeuvreMode
from ..plugins import broken, load, offered
from ..simulation import History
from ..system import System
from ._limits import Limits
from ._panels import Figure

GROUP = "scmanip.figures"


@dataclass(frozen=True, eq=False)
class ShownRun:
    """What figures are drawn of: a run, the frames that were led in it, and the limits that it is judged by."""

    history: History
    tips: Sequence[TipTrack] = ()
    limits: Limits = Limits()  # noqa: RUF009 - frozen


@dataclass(frozen=True, eq=False)
class PlannedRun:
    """What is known of a run before it is flown: its system, its modes, and whether a frame is led."""

    system: System
    modes: tuple[ManoeuvreMode, ...]
    leads: bool = False

    @property
    def drives_base(self) -> bool:
        """Whether a mode commands the base."""
        return any(mode.commands_base for mode in self.modes)


def _always(run: PlannedRun) -> bool:
    return True


def _never(run: PlannedRun) -> bool:
    return False


@dataclass(frozen=True, eq=False)
class FigureKind:
    """A figure of runs, which missions know by its name.

    draw : returns it
    needs, shows : what a run has of which it shows something, in words, and whether one has
    usual : whether a mission has it that names no figures
    of_frames : whether it is of frames that are led, and of nothing else
    """

    draw: Callable[[ShownRun], Figure]
    needs: str = ""
    shows: Callable[[PlannedRun], bool] = _always
    usual: Callable[[PlannedRun], bool] = _never
    of_frames: bool = False


class FigureKinds(Mapping[str, FigureKind]):
    """The figures by name: those of this package, and those that installed packages offer."""

    def __init__(self, own: Callable[[], dict[str, FigureKind]]) -> None:
        self._own = own

    @property
    def own(self) -> dict[str, FigureKind]:
        """Those of this package, of every kind of actuators that has some among them."""
        return self._own()

    def __getitem__(self, name: str) -> FigureKind:
        """Return a figure; raises `KeyError`, and `InvalidInput` for one that a package offers and that is none."""
        if name in self.own:
            return self.own[name]
        kind: Any = load(GROUP, name, "figure")
        if not isinstance(kind, FigureKind):
            raise InvalidInput(Problem("figure", "a report.FigureKind", broken(GROUP, name, repr(kind))))
        return kind

    def __contains__(self, name: object) -> bool:
        return name in [*self.own, *offered(GROUP)]

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys([*self.own, *offered(GROUP)]))

    def __len__(self) -> int:
        return len(list(iter(self)))
