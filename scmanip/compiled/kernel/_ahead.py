"""Object code that a thread makes before somebody asks for it, and whose turn it is to use LLVM.

LLVM serves one thread at a time, without the interpreter lock: what is ordered here is made while others record programs or
fly. Text goes in and bytes come out; nothing of what the text was written from is touched by that thread.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Condition, Thread

from ...symbolic import MAKING

Make = Callable[[], bytes]


class CodeOrders:
    """Orders of one process; who asks for code is served before what is only ordered."""

    def __init__(self) -> None:
        self._free = Condition()  # held by who uses LLVM
        self._asking: list[None] = []  # one for each who waits for it, apart from the thread
        self._ordered: dict[str, Make] = {}
        self._made: dict[str, bytes] = {}
        self._thread: Thread | None = None

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Have LLVM, before all that is ordered."""
        self._asking.append(None)
        with self._free:
            self._asking.pop()
            try:
                yield
            finally:
                self._free.notify()

    def knows(self, key: str) -> bool:
        """Whether the code of a key was ordered, and nobody has taken it."""
        return key in self._ordered or key in self._made

    def order(self, key: str, make: Make) -> None:
        """Have the code of a key made; a thread runs `make`."""
        self._ordered[key] = make
        if self._thread is None or not self._thread.is_alive():  # a forked child has no such thread
            self._thread = Thread(target=self._work, name="scmanip code ahead")
            self._thread.start()

    def taken(self, key: str) -> bytes | None:
        """Return the code of a key if it was ordered, made now if need be, and forget it; None if it was not."""
        with self.turn():
            made, make = self._made.pop(key, None), self._ordered.pop(key, None)
            return make() if made is None and make is not None else made

    def give_up(self) -> None:
        """Forget what was ordered."""
        self._ordered.clear()
        self._made.clear()

    def close(self) -> None:
        """Let nobody record, or use LLVM, until `open`."""
        MAKING.acquire()
        self._free.acquire()

    def open(self) -> None:
        """Let them go on."""
        self._free.release()
        MAKING.release()

    def _work(self) -> None:
        while self._works():
            pass

    def _works(self) -> bool:
        """Make what was ordered first; return whether there was anything."""
        with self._free:
            while self._asking:
                self._free.wait()
            for key, make in list(self._ordered.items())[:1]:
                with suppress(RuntimeError):  # LLVM's; who asks for it makes it again, and is told
                    made = make()
                    self._made |= {key: made} if key in self._ordered else {}
                self._ordered.pop(key, None)
                return True
            self._thread = None
            return False


AHEAD = CodeOrders()

if sys.platform != "win32":  # which has no fork; a child forked in the middle would find LLVM's own lock closed for ever
    os.register_at_fork(before=AHEAD.close, after_in_parent=AHEAD.open, after_in_child=AHEAD.open)


@contextmanager
def orders() -> Iterator[None]:
    """Forget, in the end, what was ordered and nobody asked for.

    >>> from scmanip.symbolic import record
    >>> program = record({"q": (2,)}, lambda q: {"x": q[0] * q[1]})
    >>> with orders():
    ...     order_program(program, cache=None)  # made by a thread, and forgotten here if nobody asks for it
    """
    try:
        yield
    finally:
        AHEAD.give_up()
