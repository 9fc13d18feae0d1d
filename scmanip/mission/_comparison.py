"""A mission that was flown in several modes."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import checked
from ..report import Figure, Summary, comparison, comparison_figure, mark_phases
from ..simulation import History
from ._beside import Pictures, beside, drawn
from ._run import Run
from .phases._driven import DRIVEN_AND_FREE, driven_and_free
from .stored._png import Easel, load
from .stored._results_folder import ResultsFolder
from .stored._stored import HISTORY, made_by, stored
from .values._modes import mode_label

if TYPE_CHECKING:
    from ._mission import Mission

TABLE = "comparison.txt"


@checked
@dataclass(frozen=True, eq=False, repr=False)
class Comparison:
    """Made by `Mission.compare`.

    mission : what was flown
    runs : one `Run` per mode, by mode

    >>> both = Comparison(mission, {"floating": run})
    >>> both.completed, list(both.runs)  # as `Mission.compare` returns it
    (True, ['floating'])
    """

    mission: Mission
    runs: Mapping[str, Run]

    @property
    def completed(self) -> bool:
        """Whether every run reached its end."""
        return all(run.completed for run in self.runs.values())

    @property
    def computed(self) -> bool:
        """Whether every run could be computed to where it ends."""
        return all(run.computed for run in self.runs.values())

    @property
    def passed(self) -> bool:
        """Whether every run was completed within all its limits."""
        return all(run.passed for run in self.runs.values())

    def summary(self) -> Summary:
        """Return a table with a row per mode, its commanded and its freely reacting speeds; `str(...)` of it is plain text."""
        words = {name: str(run.word) for name, run in self.runs.items()}
        table = comparison(self._title, self._histories, words)
        speeds = [DRIVEN_AND_FREE, *(_driven_and_free(label, run) for label, run in self.runs.items())]
        return replace(table, rows=tuple((row[0], *more, *row[1:]) for row, more in zip(table.rows, speeds, strict=True)))

    def plot(self) -> Figure:
        """Return the figure of all modes: what the base did, what wheels stored, what came from outside.

        Phases are marked where all modes have them at the same times.
        """
        figure = comparison_figure(self._title, self._histories)
        starts = {tuple(phase[:2] for phase in run.shown_phases) for run in self.runs.values()}
        mark_phases(figure, starts.pop() if len(starts) == 1 else (), figure.axes[-1].get_xlim()[1])
        return figure

    def begin_drawing(self) -> Pictures:
        """Begin to draw all figures beside this process, as `Run.begin_drawing`."""
        _ = self._histories  # which all of them show
        return beside(self._pictures(Easel()), load)

    def save(
        self, folder: str | os.PathLike[str], *, command: str | None = None, pictures: Pictures | None = None
    ) -> tuple[Path, ...]:
        """Write a results folder with the table and the figure, and in it one folder per mode; return what was written.

        folder, command, pictures : as in `Run.save`
        """
        files = {TABLE: f"{self.summary()}\n".encode(), **stored(self.mission)}
        for label, run in self.runs.items():
            files |= {f"{_subfolder(label)}/{name}": data for name, data in run.files(dict).items()}
        files |= drawn(self._pictures(Easel())) if pictures is None else pictures()
        return ResultsFolder(folder).write(files, made_by(self.mission, command))

    @property
    def by_file(self) -> dict[str, Run]:
        """The runs by the names of the files in the results folder that have their histories."""
        return {f"{_subfolder(label)}/{HISTORY}": run for label, run in self.runs.items()}

    def _repr_html_(self) -> str:
        return self.summary()._repr_html_()

    def _pictures(self, easel: Easel) -> dict[str, Callable[[], bytes]]:
        drawn_of = {_subfolder(label): run.pictures(easel) for label, run in self.runs.items()}
        own = {f"{folder}/{name}": draw for folder, works in drawn_of.items() for name, draw in works.items()}
        return {"figures/comparison.png": lambda: easel.png(self.plot()), **own}

    @property
    def _title(self) -> str:
        return self.mission.title or self.mission.name

    @property
    def _histories(self) -> dict[str, History]:
        return {label: run.history for label, run in self.runs.items()}

    def __repr__(self) -> str:
        return f"Comparison({self.mission.name!r}, {', '.join(self.runs)}, {'passed' if self.passed else 'not passed'})"


def _subfolder(label: str) -> str:
    return label.replace(" ", "_")


def _driven_and_free(label: str, run: Run) -> tuple[str, str]:
    """Return what the mode called `label` commands, and what reacts freely."""
    mode = next(phase.mode for phase in run.mission.phases if mode_label(phase.mode) == label)
    return driven_and_free(mode, run.mission.model)
