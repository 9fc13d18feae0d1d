"""A mission that was flown: what happened, and whether it kept its limits."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..analysis import MomentumShares, SwitchAccount, TipTrack, momentum_shares, switch_accounts, tip_track
from ..cells import cards, html_table
from ..guidance import PoseReference
from ..modes import in_turn
from ..report import (
    Figure,
    ShownPhase,
    Summary,
    Verdict,
    Word,
    figures,
    inexact_verdicts,
    measured,
    mode_words,
    summary,
    verdicts,
)
from ..simulation import BaseDisturbance, History, Outcome, base_disturbance, joined, phase_numbers, stretches
from ..spatial import Array
from ._beside import Pictures, beside, drawn
from ._second_flight import Told, differing, with_errors
from .phases._driven import driven_words
from .phases._ended import ending
from .phases._phase import FlownPhase
from .phases._phase_account import phase_account
from .phases._switching import missed
from .stored._netcdf import netcdf
from .stored._png import Easel, load
from .stored._results_folder import ResultsFolder
from .stored._stored import HISTORY, made_by, stored
from .values._modes import mode_label

if TYPE_CHECKING:
    from ..report import PhaseAccount
    from ..scene import Scene
    from ._mission import Mission

MOST_EVENTS = 12  # in a summary
ADVICE = "lower rtol and atol, or step_s, of [integration]"


@dataclass(frozen=True, eq=False, repr=False)
class Run:
    """Made by `Mission.run`.

    mission : what was flown
    flown : one part per phase that was begun
    again : flies it a second time with finer steps, which is done when verdicts are first read; None where that was it

    >>> run.history.outcome.name, [part.phase.name for part in run.flown]
    ('COMPLETED', ['joint_sequence'])
    >>> [verdict.name for verdict in run.verdicts][:3]
    ['linear_momentum_relative', 'angular_momentum_relative', 'system_com_drift']
    """

    mission: Mission
    flown: tuple[FlownPhase, ...]
    again: Callable[[], Run] | None = None

    @property
    def histories(self) -> tuple[History, ...]:
        """One `History` per phase that was begun, each with its own clock."""
        return tuple(part.history for part in self.flown)

    @cached_property
    def history(self) -> History:
        """The whole run as one `History`, in mission time; between phases an instant is there twice."""
        return joined(self.histories)

    @cached_property
    def scene(self) -> Scene:
        """What pictures of it show, with the names of its phases and the orbit that the mission has."""
        from ..scene import scene_of_history

        phases = [(part.start_s, part.phase.name) for part in self.flown]
        orbit = next((load.origin_orbit for load in self.mission.loads if load.origin_orbit is not None), None)
        return scene_of_history(self.history, phases=phases, orbit=orbit, title=self.mission.title or self.mission.name)

    @property
    def outcome(self) -> Outcome:
        """How the run ended."""
        return self.histories[-1].outcome

    @cached_property
    def verdicts(self) -> tuple[Verdict, ...]:
        """Largest values of the run with their errors, against the mission's limits where it has them."""
        return self._second[0]

    @property
    def unsteady(self) -> tuple[str, ...]:
        """What came out otherwise when the run was flown with finer steps, in sentences: how it ended, what happened."""
        return self._second[1]

    @cached_property
    def _second(self) -> tuple[tuple[Verdict, ...], tuple[str, ...]]:
        """Verdicts with errors, and what a second flight says; it is not kept."""
        again = _told(self.again) if self.again is not None and self.computed else None
        found = verdicts(self.history, self.mission.limits, self._goal, stretches(self.histories), self.tips)
        if again is None:
            return found, ()
        finer, told = again
        return with_errors(found, finer), tuple(differing(map(Told.of, self.flown), told))

    @property
    def _goal(self) -> Array | None:
        """(n_q,) where the reference has the joints when the run ends; None where it leads a frame."""
        last = self.flown[-1]
        sample = last.phase.reference.at(float(last.history.t[-1]))
        return None if isinstance(sample, PoseReference) else sample.q

    @cached_property
    def tips(self) -> tuple[TipTrack, ...]:
        """How well frames were led, a track per phase that leads one, in mission time."""
        tracks = [
            tip_track(self.mission.model, part.phase.controller, part.phase.reference, part.history, part.start_s)
            for part in self.flown
        ]
        return tuple(track for track in tracks if track is not None)

    @cached_property
    def disturbance(self) -> BaseDisturbance | None:
        """The base's recoil split by joint; None with a fixed base."""
        return None if self.mission.model.layout.fixed else base_disturbance(self.mission.model, self.history)

    @cached_property
    def switches(self) -> tuple[SwitchAccount, ...]:
        """What each switch of constraints did."""
        return switch_accounts(self.mission.model, self.history)

    @cached_property
    def momentum_shares(self) -> tuple[MomentumShares, ...]:
        """Who had which part of the momentum at the start, before and after each switch of constraints, and at the end."""
        return momentum_shares(self.mission.model, self.history)

    @property
    def completed(self) -> bool:
        """Whether every phase reached its end."""
        return self.outcome is Outcome.COMPLETED

    @property
    def computed(self) -> bool:
        """Whether the run could be computed to where it ends, be it that an event or the lack of one ended it."""
        return self.outcome not in (Outcome.DIVERGED, Outcome.STALLED, Outcome.NOT_FINITE, Outcome.SINGULAR)

    @cached_property
    def broken_laws(self) -> tuple[str, ...]:
        """Laws that the modes of its phases promise and that the run breaks beyond their bounds, by name."""
        return tuple(dict.fromkeys(law for _, part in stretches(self.histories) for law in part.broken_laws))

    @property
    def passed(self) -> bool:
        """Whether the run is shown to be within all its limits, completed and by the laws that its modes promise."""
        return self.completed and self.word == Word.OK

    @property
    def word(self) -> str:
        """What is said of the run in a word: "ok", "FAILED", "not shown" for errors of the integration, or how it ended."""
        if not self.completed:
            return str(self.outcome)
        words = {verdict.word for verdict in self.verdicts}
        if self.broken_laws or Word.FAILED in words:
            return Word.FAILED
        return Word.NOT_SHOWN if self.unsteady or words & {Word.NOT_SHOWN, Word.NOT_RESOLVED} else Word.OK

    def summary(self) -> Summary:
        """Return the table of verdicts; `str(run.summary())` is plain text."""
        title = f"{self.mission.title or self.mission.name} - {self.outcome}"
        return summary(title, self.verdicts, self.disturbance, tuple(self._notes()))

    def _notes(self) -> Iterator[str]:
        """Yield what laws are broken, what phases drove, how those ended that waited for events, and what happened."""
        if self.broken_laws:
            yield f"broken laws: {', '.join(self.broken_laws)}; the run is not to be trusted, {ADVICE}"
        yield from self.open_points
        for part in self.flown:
            yield driven_words(self.mission.phases[part.number], self.mission.model, part.history.held_first)
        if len(self.flown) > 1 or self.flown[0].ended_by or not self.completed:
            yield from self.endings
        yield from missed(self.mission.model, self.mission.switches, self.flown)
        events = self.history.events
        yield from events[:MOST_EVENTS]
        if len(events) > MOST_EVENTS:
            yield f"and {len(events) - MOST_EVENTS} more in history.events"

    @property
    def endings(self) -> tuple[str, ...]:
        """How each phase ended, in sentences with times."""
        return tuple(map(ending, self.flown))

    @property
    def phases(self) -> tuple[PhaseAccount, ...]:
        """What was flown, phase by phase, in words."""
        return tuple(phase_account(self.mission.phases[part.number], part) for part in self.flown)

    @property
    def stretches(self) -> list[tuple[float, History]]:
        """Starts [s] and histories of those parts of the run that were flown in one mode."""
        return stretches(self.histories)

    @property
    def open_points(self) -> tuple[str, ...]:
        """What errors of the integration leave open, and which tolerance would settle it, in sentences."""
        return tuple(self._not_shown())

    def _not_shown(self) -> Iterator[str]:
        """Yield what the errors of the integration leave open, and what would settle it."""
        for sentence in self.unsteady:
            yield f"not shown: {sentence}; {ADVICE}"
        for verdict in self.verdicts:
            off = measured(verdict.error, verdict.unit, verdict.shown_in)
            if verdict.word is Word.NOT_SHOWN:
                left = measured(abs(verdict.margin), verdict.unit, verdict.shown_in)
                yield f"not shown: {verdict.meaning} is {left} from its limit and may be off by {off}; {self._finer(verdict)}"
            if verdict.word is Word.NOT_RESOLVED:
                yield f"not resolved: {verdict.meaning} may be off by {off}; {self._finer(verdict)}"

    def _finer(self, verdict: Verdict) -> str:
        """Return which tolerance or step would leave an error that is small enough."""
        allowed = abs(verdict.value) / 100 if verdict.limit is None else abs(verdict.margin)
        part = min(allowed / verdict.error, 1.0) if verdict.error > 0 else 1.0
        return self.mission.integration.advice(max(part, 1e-3))

    def plot(self, names: Iterable[str] | None = None) -> dict[str, Figure]:
        """Return the figures called `names` (see `report.FIGURES`), by name; those of the mission when left out."""
        wanted = self.mission.figure_names if names is None else names
        return figures(self.history, wanted, self.tips, self.mission.limits, self.subject, self.shown_phases)

    @property
    def shown_phases(self) -> list[ShownPhase]:
        """What it is made of, for figures."""
        return [ShownPhase(self.mission.phases[part.number].name, part.start_s, part.history) for part in self.flown]

    @property
    def subject(self) -> str:
        """Mission and modes in a few words, for titles."""
        return f"{self.mission.name}, {in_turn(mode_words(mode_label(part.phase.mode)) for part in self.flown)}"

    def begin_drawing(self) -> Pictures:
        """Begin to draw the figures in processes beside this one, where it can be copied, and return what waits for them."""
        _ = self.history  # which all of them show
        return beside(self.pictures(Easel()), load)

    def pictures(self, easel: Easel) -> dict[str, Callable[[], bytes]]:
        """Return what draws the figures of the results folder on an easel, by the names of their files."""
        return {f"figures/{name}.png": partial(self._picture, easel, name) for name in self.mission.figure_names}

    def _picture(self, easel: Easel, name: str) -> bytes:
        return easel.png(self.plot([name])[name])

    def save(
        self, folder: str | os.PathLike[str], *, command: str | None = None, pictures: Pictures | None = None
    ) -> tuple[Path, ...]:
        """Write the results folder and return what was written.

        folder : new, empty, or an earlier results folder, whose files are replaced
        command : the command line that asked for it, kept in provenance.json
        pictures : what `begin_drawing` gave; figures are drawn now without it

        Raises `InvalidInput`, before anything is written, for a folder that holds anything else.
        """
        return ResultsFolder(folder).write(self.files(pictures), made_by(self.mission, command))

    @property
    def by_file(self) -> dict[str, Run]:
        """The run by the name of the file in the results folder that has its history."""
        return {HISTORY: self}

    def files(self, pictures: Pictures | None = None) -> dict[str, bytes]:
        """Return the files of the results folder by name, but the provenance that lists them; `pictures` as in `save`."""
        others = {HISTORY: self.netcdf(), **stored(self.mission)}
        return others | (drawn(self.pictures(Easel())) if pictures is None else pictures())

    def netcdf(self) -> bytes:
        """Return the history with the names of mission and phases as a netCDF-4 file."""
        mission = self.mission
        names = {"mission": mission.name, "title": mission.title, "system": mission.model.system.name}
        names["broken_laws"] = "\n".join(self.broken_laws)
        modes = {
            "phases": [phase.name for phase in mission.phases],
            "endings": "\n".join(self.endings),
            "modes": [mode_label(phase.mode) for phase in mission.phases],
        }
        numbers = np.array([part.number for part in self.flown])[phase_numbers(self.histories)]
        return netcdf(self.history, numbers, {**names, **modes})

    def _repr_html_(self) -> str:
        return cards(self.summary()._repr_html_(), html_table(self.history.advice, (), ()))

    def __repr__(self) -> str:
        return f"Run({self.mission.name!r}, {self.outcome}, {'passed' if self.passed else 'not passed'}, {self.history!r})"


def _told(again: Callable[[], Run]) -> tuple[tuple[Verdict, ...], list[Told]]:
    """Return what a second flight says. What it follows from is gone then, and the first is judged in its room."""
    finer = again()
    judged = inexact_verdicts(finer.history, finer.mission.limits, finer._goal, finer.tips)
    return judged, [Told.of(part) for part in finer.flown]
