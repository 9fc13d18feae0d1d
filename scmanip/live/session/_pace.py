"""A session in the time of day: a thread that takes a step each millisecond, and hears in between."""

from __future__ import annotations

import gc
import queue
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf
from threading import Event, Thread
from time import perf_counter, sleep, thread_time

from ...errors import ScmanipError, checked, refuse
from ...spatial import positive_problems
from ._real_time import real_time
from ._session import Seen, Session

SHOWN_S = 1 / 60  # between looks at the session
SWEPT_S = 0.25  # between looks for garbage
YOUNG = 1  # generations of what is new
LATE_STEPS = 50  # behind which what was missed is left out
LATEST_STEPS = 60_000  # a minute of a step each millisecond


@checked
@dataclass
class Timing:
    """How steps went: `thread_s`, the thread's time of the latest 60 000; `overruns`, of all those that begin a step late;
    `real_time`, whether the operating system lets its thread go before others.

    >>> timing = Timing()
    >>> timing.thread_s.extend([0.0002, 0.0003])
    >>> max(timing.thread_s), timing.overruns
    (0.0003, 0)
    """

    thread_s: deque[float] = field(default_factory=lambda: deque(maxlen=LATEST_STEPS))
    overruns: int = 0
    real_time: bool = False


@checked
class Pace:
    """A session that goes on in a thread of its own, before all others where the operating system allows that.

    between : called between two steps when it looks at the session, sixty times a second, and returns when it has to be called
        besides, at the step that comes to this time of the session [s]; inf for never
    session : not to be touched by others while it runs: `ask` has things done between two steps
    seen : what it showed last
    timing : of all steps

    >>> pace = Pace(session_of_system(system))
    >>> pace.start()
    >>> pace.advance(3)
    >>> pace.playing
    False
    >>> pace.end()
    """

    def __init__(self, session: Session, between: Callable[[], float] | None = None) -> None:
        self.session, self._speed, self.timing = session, 1.0, Timing()
        self.seen: Seen = session.seen()
        self.problem = ""
        self._between, self._due_s = between, inf
        self._sweeps, self._swept_s = True, -inf
        self._asked: queue.SimpleQueue[Callable[[Session], object]] = queue.SimpleQueue()
        self._playing, self._ended, self._left = Event(), Event(), 0
        self._thread = Thread(target=self._run, name="scmanip live", daemon=True)

    def start(self) -> None:
        """Begin, paused. What is in memory by then is not looked through for garbage, which would take a hundred steps; what is
        new is between steps with time to spare, four times a second.
        """
        gc.collect()
        gc.freeze()
        self._sweeps = gc.isenabled()
        gc.disable()
        self._thread.start()

    @property
    def speed(self) -> float:
        """Session time over time of day, a bare number; raises `InvalidInput` for what is not finite and > 0."""
        return self._speed

    @speed.setter
    def speed(self, times: float) -> None:
        refuse(positive_problems("speed", times))
        self._speed = times

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

    @checked
    def ask(self, what: Callable[[Session], object]) -> None:
        """Have something done between two steps; what is wrong with it becomes `problem`, and the session goes on."""
        self._asked.put(what)

    @checked
    def advance(self, steps: int) -> None:
        """Take so many steps while it is paused."""
        self.ask(lambda session: [self._met(session.step()) for _ in range(steps)])

    def end(self) -> None:
        """End the thread."""
        self._ended.set()
        self._thread.join(timeout=5.0)
        gc.unfreeze()
        if self._sweeps:
            gc.enable()

    def _run(self) -> None:
        try:
            with real_time() as self.timing.real_time:
                self._go_on()
        finally:
            if not self._ended.is_set():
                self.problem = "the session has ended by a mistake, which is told where it was started"

    def _go_on(self) -> None:
        due = shown = perf_counter()
        while not self._ended.is_set():
            self._hear()
            now = perf_counter()
            if now >= shown:
                self.seen, shown = self.session.seen(), now + SHOWN_S
                self._look()
            if not self._playing.is_set():
                sleep(0.002)
                due = perf_counter()
                continue
            due += self.session.step_s / self.speed
            self._step()
            due = self._wait(due)

    def _step(self) -> None:
        began = thread_time()
        taken = self.session.step()
        self.timing.thread_s.append(thread_time() - began)
        if not self._met(taken):
            self.pause()

    def _met(self, taken: bool) -> bool:
        """Look at once after the step that comes to the time asked for; return whether that was taken."""
        if self._due_s < inf and self.session.t + self.session.step_s / 2 > self._due_s:
            self._look()
        return taken

    def _look(self) -> None:
        if self._between is not None:
            self._due_s = self._between()

    def _wait(self, due: float) -> float:
        """Wait until a step is due; what is missed by far is left out."""
        left, step = due - perf_counter(), self.session.step_s / self.speed
        if left > 0:
            self._sweep(due, left > step / 2)
            sleep(max(0.0, due - perf_counter()))
        now = perf_counter()
        self.timing.overruns += now > due + step
        return now if now > due + LATE_STEPS * step else due

    def _sweep(self, due: float, spare: bool) -> None:
        """Look through what is new for garbage, where that is due and there is time to spare."""
        if spare and due >= self._swept_s + SWEPT_S:
            gc.collect(YOUNG)
            self._swept_s = due

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
