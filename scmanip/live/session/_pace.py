"""A session in the time of day: a thread that takes a step each millisecond, and hears in between."""

from __future__ import annotations

import queue
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Event, Thread
from time import perf_counter, sleep, thread_time

from ...errors import ScmanipError
from ._session import Seen, Session

SHOWN_S = 1 / 60  # between looks at the session
LATE_STEPS = 50  # behind which what was missed is left out


@dataclass
class Timing:
    """How steps went: `thread_s`, the thread's time of each, in order; `overruns`, those that began a whole step late."""

    thread_s: list[float] = field(default_factory=list)
    overruns: int = 0


class Pace:
    """A session that goes on in a thread of its own.

    session : not to be touched by others while it runs: `ask` has things done between two steps
    speed : session time over time of day
    seen : what it showed last
    timing : of all steps
    """

    def __init__(self, session: Session, between: Callable[[], object] | None = None) -> None:
        self.session, self.speed, self.timing = session, 1.0, Timing()
        self.seen: Seen = session.seen()
        self.problem = ""
        self._between = between
        self._asked: queue.SimpleQueue[Callable[[Session], object]] = queue.SimpleQueue()
        self._playing, self._ended, self._left = Event(), Event(), 0
        self._thread = Thread(target=self._run, name="scmanip live", daemon=True)

    def start(self) -> None:
        """Begin, paused."""
        self._thread.start()

    @property
    def playing(self) -> bool:
        """Whether it goes on by itself."""
        return self._playing.is_set()

    def play(self) -> None:
        """Go on."""
        self._playing.set()

    def pause(self) -> None:
        """Stand still; nothing is forgotten."""
        self._playing.clear()

    def ask(self, what: Callable[[Session], object]) -> None:
        """Have something done between two steps; what is wrong with it becomes `problem`, and the session goes on."""
        self._asked.put(what)

    def advance(self, steps: int) -> None:
        """Take so many steps while it is paused."""
        self.ask(lambda session: [session.step() for _ in range(steps)])

    def end(self) -> None:
        """End the thread."""
        self._ended.set()
        self._thread.join(timeout=5.0)

    def _run(self) -> None:
        due = shown = perf_counter()
        while not self._ended.is_set():
            self._hear()
            now = perf_counter()
            if now >= shown:
                self.seen, shown = self.session.seen(), now + SHOWN_S
                if self._between is not None:
                    self._between()
            if not self._playing.is_set():
                sleep(0.002)
                due = perf_counter()
                continue
            due += self.session.step_s / self.speed
            self._step()
            due = self._wait(due)

    def _step(self) -> None:
        began = thread_time()
        if not self.session.step():
            self.pause()
        self.timing.thread_s.append(thread_time() - began)

    def _wait(self, due: float) -> float:
        """Wait until a step is due; what is missed by far is left out."""
        left, step = due - perf_counter(), self.session.step_s / self.speed
        if left > 0:
            sleep(left)
        elif left < -step:
            self.timing.overruns += 1
            return perf_counter() if left < -LATE_STEPS * step else due
        return due

    def _hear(self) -> None:
        while True:
            try:
                what = self._asked.get_nowait()
            except queue.Empty:
                return
            try:
                what(self.session)
                self.problem = ""
            except ScmanipError as error:
                self.problem = str(error)
