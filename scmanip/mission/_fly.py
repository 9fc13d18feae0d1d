"""The command `scmanip run`."""

from __future__ import annotations

from ._load import load_mission
from ._results_folder import ResultsFolder
from ._run import Run
from ._screen import Screen


def fly(screen: Screen, file: str, output: str | None, *, strict: bool) -> Run:
    """Run a mission file, show its summary, and return the run.

    output : where results are to go afterwards; refused before the run when it cannot take them
    """
    if output is not None:
        ResultsFolder(output).check()
    mission = load_mission(file, strict=strict)
    for warning in mission.system.warnings():
        screen.note(f"warning: {warning}", "yellow")
    with screen.progress(mission.name, mission.t_end_s) as progress:
        run = mission.run(progress)
    screen.summary(run.summary())
    if not run.completed:
        screen.note(f"{run.outcome}: {run.history.advice}", "red")
    return run


def store(screen: Screen, run: Run, output: str, *, command: str) -> None:
    """Write the results folder of a run and list its files; raises `InvalidInput` when it cannot be written."""
    written = run.save(output, command=command)
    screen.say(f"wrote into {output}: " + ", ".join(path.relative_to(output).as_posix() for path in written))
