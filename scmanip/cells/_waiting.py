"""What a cell waits for, said in the cell once that takes long."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar, copy_context
from html import escape
from importlib import import_module
from multiprocessing import parent_process
from typing import Any

PATIENCE_S = 2.0
_EVERY_S = 0.5
Tell = Callable[[str], None]


@contextmanager
def waiting(words: str) -> Iterator[Tell]:
    """Say in the cell of a notebook what it waits for, and for how long so far, where that is over two seconds.

    Gives a function that takes how far it has come, in words. The innermost of several is shown, and when all are done
    nothing is left. Outside of a notebook nothing is said.

    >>> with waiting("compiling") as tell:  # shown in a cell of a notebook alone
    ...     tell("half of it")
    """
    line = _LINE.get()
    if line is None and not _in_cell():
        yield _silent
        return
    if line is not None:
        with line.within(words):
            yield line.tell
        return
    line = _Line(words)
    token = _LINE.set(line)
    try:
        with line.shown():
            yield line.tell
    finally:
        _LINE.reset(token)


class _Line:
    """The line in a cell, which a thread keeps up to date: the work itself may be deep in machine code."""

    def __init__(self, words: str) -> None:
        self._words, self._done, self._began = [(words, "")], threading.Event(), time.monotonic()

    def tell(self, how_far: str) -> None:
        """Take how far the innermost has come."""
        self._words[-1] = (self._words[-1][0], how_far)

    @contextmanager
    def within(self, words: str) -> Iterator[None]:
        """Show other words meanwhile."""
        self._words.append((words, ""))
        try:
            yield
        finally:
            self._words.pop()

    @contextmanager
    def shown(self) -> Iterator[None]:
        """Keep the line in the cell until this is left."""
        thread = threading.Thread(target=copy_context().run, args=(self._keep,), daemon=True)
        thread.start()
        try:
            yield
        finally:
            self._done.set()
            thread.join()

    def _keep(self) -> None:
        if self._done.wait(PATIENCE_S):
            return
        shown: Any = import_module("IPython.display")
        handle = shown.display(shown.HTML(self._html()), display_id=True)
        while not self._done.wait(_EVERY_S):
            handle.update(shown.HTML(self._html()))
        handle.update(shown.HTML(""))

    def _html(self) -> str:
        words, how_far = self._words[-1]
        return f"<em>{escape(words)}{how_far and f': {escape(how_far)}'}, {time.monotonic() - self._began:.0f} s</em>"


_LINE: ContextVar[_Line | None] = ContextVar("line", default=None)


def _in_cell() -> bool:
    """Whether this is the thread of a kernel that runs cells."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    kernel = getattr(shell, "kernel", None)
    return kernel is not None and parent_process() is None and threading.current_thread() is threading.main_thread()


def _silent(how_far: str) -> None:
    """Say nothing."""
