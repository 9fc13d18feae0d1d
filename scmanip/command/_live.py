"""The command `scmanip live`."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import numpy as np

from ..errors import InvalidInput, Problem
from ..live import Guard, Page, Recording, Session, session_of_mission, session_of_system
from ..mission import load_mission, netcdf
from ..simulation import History
from ..storage import Folder
from ..system import load_system
from ._library import described
from ._screen import Screen

SWITCH_S = 5e-4  # after which a thread lets others have the interpreter


def live(
    screen: Screen,
    file: str,
    *,
    host: str,
    port: int,
    exposed: bool,
    strict: bool,
    opened: Callable[[Page], None],
    record: str | None = None,
) -> None:
    """Serve a live page on a system or mission file until it is interrupted.

    opened : what is done with the page once it is there
    record : file for what was done (.json), of which it is flown again, or for the series of what was flown (.nc)

    Raises `InvalidInput` and `MissingExtra`.
    """
    recorded = None if record is None else _recorded(record)
    guard = Guard(host=host, exposed=exposed)
    session = _session(screen, file, strict=strict)
    sys.setswitchinterval(SWITCH_S)
    page = Page(session, guard, port=port)
    gc.freeze()
    screen.say(f"live page of {file}: {page.address}")
    screen.say("whoever has this address can pull at the system; Ctrl-C ends it")
    try:
        opened(page)
        with suppress(KeyboardInterrupt):
            page.serve()
    finally:
        flown = page.stop()
    if flown is not None:
        screen.note(f"works out the series of {flown.t[-1]:.4g} s")
        flown = flown.settled()
        screen.say(str(flown))
    if recorded is not None and flown is not None:
        Folder(Path(record or "").parent).write({Path(record or "").name: recorded(session, flown)})
        screen.say(str(record))
    elif recorded is not None:
        screen.note(f"no step was taken: {record} was not written", "yellow")


def _recorded(record: str) -> Callable[[Session, History], bytes]:
    """Return what makes a file of a session and its history; raises `InvalidInput` for one of neither, or not to be written."""
    made = {".json": _as_recording, ".nc": _as_series}.get(Path(record).suffix.lower())
    if made is None:
        expected = "a file that ends in .json, which is flown again, or in .nc, the series of what was flown"
        raise InvalidInput(Problem("--record", expected, repr(record)))
    folder, name = Folder(Path(record).parent), Path(record).name
    try:
        folder.try_out()
        folder.expect_files([name])
    except OSError as error:
        raise InvalidInput(Problem("--record", "a place where a file can be written", str(error))) from None
    return made


def _as_recording(session: Session, flown: History) -> bytes:
    del flown
    return Recording.of(session).text.encode()


def _as_series(session: Session, flown: History) -> bytes:
    del session
    return netcdf(flown, np.zeros(len(flown.t), dtype=np.intp), {"system": flown.system.name})


def _session(screen: Screen, file: str, *, strict: bool) -> Session:
    kind = described(file)
    if kind == "system":
        return session_of_system(load_system(file, strict=strict))
    if kind == "study":
        raise InvalidInput(Problem("file", "a system or a mission", "a study"))
    session, lacking = session_of_mission(load_mission(file, strict=strict))
    for name, why in lacking.items():
        screen.note(f"phase '{name}' is not there: {why}", "yellow")
    return session
