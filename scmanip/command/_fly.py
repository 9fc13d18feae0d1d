"""The command `scmanip run`."""

from __future__ import annotations

from collections.abc import Sequence

from ..mission import Comparison, Mission, ResultsFolder, Run, load_mission
from ..report import Word
from ._screen import Screen
from ._sensitivities import refuse_several_modes, sensitivity_table


def fly(screen: Screen, file: str, output: str | None, *, strict: bool, sensitivities: Sequence[str] = ()) -> Run | Comparison:
    """Run a mission file, in all its modes where it names several, show the summary, and return the run or the comparison.

    output : where results are to go afterwards; refused before the run when it cannot take them
    sensitivities : paths of numbers with which the end changes
    """
    if output is not None:
        ResultsFolder(output).check()
    mission = load_mission(file, strict=strict)
    for warning in mission.warnings():
        screen.note(f"warning: {warning}", "yellow")
    refuse_several_modes(mission, sensitivities)
    return _compared(screen, mission) if mission.alternatives else _flown(screen, mission, sensitivities)


def _flown(screen: Screen, mission: Mission, sensitivities: Sequence[str]) -> Run:
    with screen.progress(mission.name, mission.t_end_s) as progress:
        run = mission.run(progress, sensitivities=sensitivities)
    screen.summary(run.summary())
    if sensitivities:
        screen.table(sensitivity_table(run))
    if not run.completed:
        screen.note(f"{run.outcome}: {run.history.advice}", "red")
    return run


def _compared(screen: Screen, mission: Mission) -> Comparison:
    duration_s = sum(alternative.t_end_s for alternative in mission.alternatives.values())
    with screen.progress(mission.name, duration_s) as progress:
        comparison = mission.compare(progress)
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
    return comparison


def store(screen: Screen, run: Run | Comparison, output: str, *, command: str) -> None:
    """Write the results folder of a run and list its files; raises `InvalidInput` when it cannot be written."""
    written = run.save(output, command=command)
    screen.say(f"wrote into {output}: " + ", ".join(path.relative_to(output).as_posix() for path in written))
