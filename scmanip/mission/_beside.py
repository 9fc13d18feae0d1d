"""Figures as files, drawn beside this process, in copies of it."""

from __future__ import annotations

import gc
import os
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

Pictures: TypeAlias = "Callable[[], dict[str, bytes]]"
Works: TypeAlias = "Mapping[str, Callable[[], bytes]]"
Pair: TypeAlias = "tuple[Connection, Connection]"  # the two ends of a pipe
MOST = 3  # copies
BEHIND = 5  # how much nicer they are than this process, which has more to do: it does not wait for a processor that they have


def drawn(works: Works) -> dict[str, bytes]:
    """Do works by name, and return what they made."""
    return {name: work() for name, work in works.items()}


def beside(works: Works, ready: Callable[[], object] = dict) -> Pictures:
    """Begin works by name in copies of this process, and return what waits for them and gives what they made.

    ready : what a copy does first, once for all: the others are copies of the first one when it is ready

    What a copy cannot do, and everything where a process cannot be copied (another system than Linux, one processor, threads,
    whose locks a copy would hold for ever), is done here when it is waited for; errors are raised here as well.
    """
    if sys.platform != "linux" or threading.active_count() > 1 or len(os.sched_getaffinity(0)) < 2 or not works:
        return partial(drawn, works)
    from multiprocessing import Pipe, get_context

    copies = min(MOST, len(works), len(os.sched_getaffinity(0)))
    pipes = [Pipe(duplex=False) for _ in range(copies)]
    shares = [dict(list(works.items())[first::copies]) for first in range(copies)]
    # one that is still at work when this process ends goes with it, the others when they find nobody who listens
    process = get_context("fork").Process(target=_send_all, args=(pipes, shares, ready), daemon=True)
    process.start()
    for _, sender in pipes:
        sender.close()

    def finished() -> dict[str, bytes]:
        made: dict[str, bytes] = {}
        for receiver, _ in pipes:
            with suppress(EOFError):
                made |= receiver.recv()
            receiver.close()
        process.join()
        return {name: made[name] if name in made else work() for name, work in works.items()}

    return finished


def _send_all(pipes: Sequence[Pair], shares: Sequence[Works], ready: Callable[[], object]) -> None:
    """Do each share in a process of its own, the last one in this; a pipe is at its end when its own process has ended."""
    os.nice(BEHIND)
    gc.freeze()  # or what was there before is looked through for what nobody needs, and copied by that
    for receiver, _ in pipes:
        receiver.close()
    with suppress(Exception):
        ready()
    for (_, sender), share in zip(pipes[:-1], shares, strict=False):
        if os.fork() == 0:
            try:
                _send(sender, share)
            finally:
                os._exit(0)
        sender.close()
    _send(pipes[-1][1], shares[-1])


def _send(sender: Connection, works: Works) -> None:
    """Do all of `works` and send what they made, nothing where one fails: it fails again where somebody hears of it."""
    with suppress(Exception):
        sender.send(drawn(works))
