"""The command `scmanip run`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..mission import Comparison, Mission, Pictures, ResultsFolder, Run, load_mission
from ..report import Word
from ._gains import unsaid_gains
from ._screen import Screen
from ._sensitivities import refuse_several_modes, sensitivity_table


@dataclass(frozen=True)
class Flown:
    """What came of a mission file. pictures : its figures, drawn meanwhile; None where nobody asked for them"""

    outcome: Run | Comparison
    pictures: Pictures | None


def fly(screen: Screen, file: str, output: str | None, *, strict: bool, sensitivities: Sequence[str] = ()) -> Flown:
    """Run a mission file, in all its modes where it names several, show the summary, and return what came of it.

    output : where results are to go afterwards; refused before the run when it cannot take them
    sensitivities : paths of numbers with which the end changes
    """
    if output is not None:
        ResultsFolder(output).check()
    mission = load_mission(file, strict=strict)
    for warning in mission.warnings():
        screen.note(f"warning: {warning}", "yellow")
    for sentence in unsaid_gains(mission):
        screen.note(sentence, "yellow")
    refuse_several_modes(mission, sensitivities)
    outcome = _compared(screen, mission) if mission.alternatives else _flown(screen, mission, sensitivities)
    pictures = None if output is None else outcome.begin_drawing()
    _show(screen, outcome, sensitivities)
    return Flown(outcome, pictures)


def _flown(screen: Screen, mission: Mission, sensitivities: Sequence[str]) -> Run:
    with screen.progress(mission.name, mission.t_end_s) as progress:
        return mission.run(progress, sensitivities=sensitivities)


def _show(screen: Screen, outcome: Run | Comparison, sensitivities: Sequence[str]) -> None:
    if isinstance(outcome, Run):
        _show_run(screen, outcome, sensitivities)
    else:
        _show_comparison(screen, outcome)


def _show_run(screen: Screen, run: Run, sensitivities: Sequence[str]) -> None:
    screen.summary(run.summary())
    if sensitivities:
        screen.table(sensitivity_table(run))
    if not run.completed:
        screen.note(f"{run.outcome}: {run.history.advice}", "red")


def _compared(screen: Screen, mission: Mission) -> Comparison:
    duration_s = sum(alternative.t_end_s for alternative in mission.alternatives.values())
    with screen.progress(mission.name, duration_s) as progress:
        return mission.compare(progress)


def _show_comparison(screen: Screen, comparison: Comparison) -> None:
    screen.summary(comparison.summary())
    for label, run in comparison.runs.items():
        if run.broken_laws:
            screen.note(f"{label}: broken laws: {', '.join(run.broken_laws)}", "red")
        for verdict in run.verdicts:
            if verdict.word is Word.FAILED:
                screen.note(f"{label}: {verdict.meaning} beyond its limit, {verdict.where}", "red")
        for sentence in run.open_points:
            screen.note(f"{label}: {sentence}", "yellow")
        if not run.completed:
            screen.note(f"{label}: {run.outcome}: {run.history.advice}", "red")


def store(screen: Screen, run: Run | Comparison, output: str, *, command: str, pictures: Pictures | None = None) -> None:
    """Write the results folder of a run and list its files; raises `InvalidInput` when it cannot be written.

    pictures : as in `Run.save`
    """
    written = run.save(output, command=command, pictures=pictures)
    screen.say(f"wrote into {output}: " + ", ".join(path.relative_to(output).as_posix() for path in written))
