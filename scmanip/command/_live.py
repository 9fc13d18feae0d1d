"""The command `scmanip live`."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from contextlib import suppress

from ..errors import InvalidInput, Problem
from ..live import Guard, Page, Session, session_of_mission, session_of_system
from ..mission import load_mission
from ..system import load_system
from ._library import described
from ._screen import Screen

SWITCH_S = 5e-4  # after which a thread lets others have the interpreter


def live(
    screen: Screen, file: str, *, host: str, port: int, exposed: bool, strict: bool, opened: Callable[[Page], None]
) -> None:
    """Serve a live page on a system or mission file until it is interrupted.

    opened : what is done with the page once it is there; raises `InvalidInput` and `MissingExtra`
    """
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
        screen.say(str(flown))


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
