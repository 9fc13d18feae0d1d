"""A mission that was flown in several modes."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ..report import ComparisonTable, comparison, comparison_figure
from ..simulation import History
from ._driven import DRIVEN_AND_FREE, driven_and_free
from ._flown import Flown
from ._modes import mode_label
from ._results_folder import PROVENANCE, ResultsFolder
from ._run import Run, text_writer
from ._stored import MISSION, provenance_text, resolved_text, system_files

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TABLE = "comparison.txt"


@dataclass(frozen=True, eq=False, repr=False)
class Comparison:
    """Made by `Mission.compare`.

    mission : what was flown
    runs : one `Run` per mode, by mode
    """

    mission: Flown
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

    def summary(self) -> ComparisonTable:
        """Return a table with a row per mode, its commanded and its freely reacting speeds; `str(...)` of it is plain text."""
        words = {
            name: "ok" if run.passed else "FAILED" if run.completed else str(run.outcome) for name, run in self.runs.items()
        }
        table = comparison(self._title, self._histories, words)
        speeds = [DRIVEN_AND_FREE, *(_driven_and_free(label, run) for label, run in self.runs.items())]
        return replace(table, rows=tuple((row[0], *more, *row[1:]) for row, more in zip(table.rows, speeds, strict=True)))

    def plot(self) -> Figure:
        """Return the figure of all modes: what the base did, what wheels stored, what came from outside."""
        return comparison_figure(self._title, self._histories)

    def save(self, folder: str | os.PathLike[str], *, command: str | None = None) -> tuple[Path, ...]:
        """Write a results folder with the table and the figure, and in it one folder per mode; return what was written.

        folder, command : as in `Run.save`
        """
        texts = {TABLE: f"{self.summary()}\n", MISSION: resolved_text(self.mission), **system_files(self.mission)}
        writers: dict[str, Callable[[Path], object]] = {name: text_writer(text) for name, text in texts.items()}
        writers["figures/comparison.png"] = self.plot().savefig
        for label, run in self.runs.items():
            writers |= {f"{label.replace(' ', '_')}/{name}": write for name, write in run.writers().items()}
        names = [*writers, PROVENANCE]
        writers[PROVENANCE] = text_writer(provenance_text(self.mission, names, command))
        return ResultsFolder(folder).write(writers)

    @property
    def _title(self) -> str:
        return self.mission.title or self.mission.name

    @property
    def _histories(self) -> dict[str, History]:
        return {label: run.history for label, run in self.runs.items()}

    def __repr__(self) -> str:
        return f"Comparison({self.mission.name!r}, {', '.join(self.runs)}, {'passed' if self.passed else 'not passed'})"


def _driven_and_free(label: str, run: Run) -> tuple[str, str]:
    """Return what the mode called `label` commands, and what reacts freely."""
    mode = next(phase.mode for phase in run.mission.phases if mode_label(phase.mode) == label)
    return driven_and_free(mode, run.mission.model.layout)
