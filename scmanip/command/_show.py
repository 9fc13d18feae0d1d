"""The command `scmanip show`."""

from __future__ import annotations

import webbrowser
from collections.abc import Mapping
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from ..campaign import load_study
from ..errors import InvalidInput, Problem, refuse
from ..live import Recording, is_recording
from ..mission import MISSION, Mission, ResultsFolder, load_mission
from ..scene import Scene, scene_of, scene_of_history
from ..study import RECORD
from ..system import load_system
from ._library import described
from ._screen import Screen

RECORDING = "recording of a live session"
NO_MISSION = "system", RECORDING


def show_file(
    screen: Screen,
    file: str,
    *,
    shot: str | None,
    html: str | None,
    mode: str | None,
    case: int | None,
    own: Mapping[str, Any] | None = None,
) -> None:
    """Write the picture and the page of what a file is about, or open the page in a browser where neither is asked for.

    shot, html : where they go
    mode : of a mission that is flown in several; case : number of one of a study
    own : objects of Python that it names, as of `load_mission`

    A mission is flown for it, that of a results folder again. Raises `InvalidInput`; `MissingExtra` for a page without viser.
    """
    asked = {"--shot": shot, "--html": html}
    lost = [(key, path) for key, path in asked.items() if path is not None and not Path(path).absolute().parent.is_dir()]
    refuse([Problem(key, "a file in a folder that is there", repr(path)) for key, path in lost])
    scene = _scene(screen, file, mode, case, own or {})
    for note in scene.notes:
        screen.note(note, "yellow")
    if shot is not None:
        scene.shot(shot)
        screen.say(shot)
    if html is not None:
        screen.say(str(scene.to_html(html)))
    if shot is None and html is None:
        page = scene.to_html(Path(mkdtemp(prefix="scmanip-")) / "scene.html")
        screen.say(f"{'opened' if webbrowser.open(page.as_uri()) else 'no browser here; open'} {page}")


def _scene(screen: Screen, file: str, mode: str | None, case: int | None, own: Mapping[str, Any]) -> Scene:
    kind = _kind(file)
    refuse(
        [
            Problem("--case", "a study", f"a {kind}") if case is not None and kind != "study" else None,
            Problem("--mode", "a mission", f"a {kind}") if mode is not None and kind in NO_MISSION else None,
            Problem("--own", "a mission", f"a {kind}") if own and kind in NO_MISSION else None,
        ]
    )
    if kind == "system":
        return scene_of(load_system(file))
    if kind == RECORDING:
        return _flown_again(screen, file)
    mission = _study_mission(screen, file, case, own) if kind == "study" else _mission(file, own)
    mission = _in_mode(screen, mission, mode)
    with screen.progress(mission.name, mission.t_end_s) as progress:
        run = mission.run(progress)
    if not run.completed:
        screen.note(f"{run.outcome}: {run.history.advice}", "yellow")
    return run.scene


def _flown_again(screen: Screen, file: str) -> Scene:
    recording = Recording.load(file)
    session = recording.flown()
    if apart := recording.apart(session):
        screen.note(f"flown again it ends elsewhere, by {apart:.1e} in SI: other releases or another processor", "yellow")
    if not session.t:
        raise InvalidInput(Problem("recording", "a session that went on", "one of no steps", file=file))
    return scene_of_history(session.history())


def _kind(file: str) -> str:
    if is_recording(file):
        return RECORDING
    if Path(file).is_dir():
        return "study" if (Path(file) / RECORD).is_file() else "folder of a run"
    return described(file)


def _mission(file: str, own: Mapping[str, Any]) -> Mission:
    """Return the mission of a file or of a results folder; raises `InvalidInput` for a folder that was altered."""
    if not Path(file).is_dir():
        return load_mission(file, own=own)
    folder = ResultsFolder(file)
    refuse([Problem(file, "a folder that is as it was written", problem) for problem in folder.problems()])
    return load_mission(folder.path / MISSION, own=own)


def _study_mission(screen: Screen, file: str, case: int | None, own: Mapping[str, Any]) -> Mission:
    study = load_study(file, own=own)
    if case is None:
        screen.note("the nominal case; others by --case NUMBER")
        return study.nominal
    if case >= study.plan.cases:
        raise InvalidInput(Problem("--case", f"a number from 0 to {study.plan.cases - 1}", str(case)))
    return study.mission(case)


def _in_mode(screen: Screen, mission: Mission, mode: str | None) -> Mission:
    """Return a mission in one of its modes."""
    modes = mission.alternatives
    if mode is None and modes:
        screen.note(f"in mode {next(iter(modes))}; others by --mode {', '.join(list(modes)[1:])}")
    if mode is not None and mode not in modes:
        known = f"one of {', '.join(modes)}" if modes else "nothing, the mission is flown in the modes of its phases"
        raise InvalidInput(Problem("--mode", known, repr(mode)))
    return mission if mode is None else modes[mode]
