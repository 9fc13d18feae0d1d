"""The live page: a system that goes on, a gizmo that pulls at it, and switches."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable
from contextlib import redirect_stdout
from dataclasses import replace
from functools import partial
from io import StringIO
from math import inf
from operator import attrgetter
from threading import Event, Lock
from typing import Any

import numpy as np

from ...errors import MissingExtra, ScmanipError, UnknownName, checked
from ...plugins import Kinds
from ...simulation import History
from ...spatial import dcm_from_quaternion, euler_from_dcm
from ...system import State
from ..devices._kinds import DEVICES
from ..displays._kinds import DISPLAYS
from ..session._ahead import Ahead
from ..session._pace import Pace
from ..session._recording import Recording
from ..session._session import Seen, Session
from ._drawn import Drawn
from ._guard import Guard, guarded

SHOWN_PER_S = 30.0
CHART_S = 20.0  # of time on the strip chart
LOOK_S = 0.1  # from one look ahead to the next
ARROW_N = 100.0  # a force that is drawn as long as the scene is large


@checked
class Page:
    """A page on a session, served to whoever the guard lets in.

    session : with a device that is dragged, of those in `DEVICES`
    port : 0 for a free one

    Raises `MissingExtra` where the extra `live` is not installed, `InvalidInput` for a host or port that cannot be bound to.

    >>> shown = Page(session_of_system(system), Guard(token="secret"))
    >>> shown.address.endswith("/?token=secret")
    True
    >>> shown.stop()
    """

    def __init__(self, session: Session, guard: Guard | None = None, *, port: int = 0) -> None:
        try:
            from viser import ViserServer
        except ImportError as error:
            raise MissingExtra("a live page", "live") from error
        self.session, self.guard, self.ahead = session, guard or Guard(), Ahead(session)
        self.guard.expect_here(port)
        self.pace = Pace(session, self._foresee)
        self._looked_s = -inf
        self._wanted: deque[tuple[Any, Recording]] = deque()
        self._dragged, self._ended, self._showing = False, Event(), Lock()
        with guarded(self.guard), redirect_stdout(StringIO()):
            self.server: Any = ViserServer(host=self.guard.host, port=port, label="scmanip live", verbose=False)
        self._drawn = Drawn(self.server, session.plant.model.system, session.flight.loop.hardware)
        self._chart: deque[tuple[float, ...]] = deque(maxlen=int(CHART_S * SHOWN_PER_S))
        self._switches = _Switches(self)
        self._gizmo = self.server.scene.add_transform_controls("/hand", scale=0.3 * self._drawn.size_m, depth_test=False)
        self._gizmo.on_update(self._dragging)
        self.server.on_client_disconnect(lambda client: self._left())
        self.pace.start()

    @property
    def address(self) -> str:
        """Where it is, token and all."""
        return self.guard.address(self.server.get_port())

    def serve(self) -> None:
        """Show the session thirty times a second until `stop`."""
        while not self._ended.wait(1 / SHOWN_PER_S):
            self.show()

    def stop(self) -> History | None:
        """End it and return what was flown; None where nothing was."""
        self._ended.set()
        self.pace.end()
        with self._showing, redirect_stdout(StringIO()):
            self.server.stop()
        return self.session.history() if self.session.t else None

    def show(self) -> None:
        """Draw what the session shows, and keep a hand alive that a browser holds still; nothing once it was stopped."""
        with self._showing:
            if not self._ended.is_set():
                self._show()

    def _show(self) -> None:
        if self._dragged and self.server.get_clients():
            self.pace.ask(lambda live: live.keep())
        self._hand_over()
        seen = self.pace.seen
        state = State.of_unit(seen.x, self.session.plant.model.layout)
        model = self.session.plant.model
        place, attitude = np.asarray(model.position(state, seen.frame)), np.asarray(model.attitude(state, seen.frame))
        force = np.array(seen.wrench[:3])
        with self.server.atomic():
            self._drawn.move(state)
            self._drawn.push(place, force, self._drawn.size_m / ARROW_N)
            if not self._dragged:
                self._gizmo.position, self._gizmo.wxyz = place, np.roll(attitude, 1)
            self._tell(seen, state, force)

    def _tell(self, seen: Seen, state: State, force: np.ndarray[Any, Any]) -> None:
        momentum = self.session.plant.model.momentum(state)
        angles = np.degrees(euler_from_dcm(dcm_from_quaternion(np.array(state.attitude_xyzw))))
        P, L = float(np.linalg.norm(momentum.P)), float(np.linalg.norm(momentum.L_C))
        size = float(np.linalg.norm(force))
        if not self._chart or seen.t > self._chart[-1][0]:  # what stands still leaves the chart as it is
            told = seen.t, size, float(np.abs(angles).max()), P, L
            self._chart.append(tuple(round(each, 6) for each in told))  # or what is rounding fills it
        said = plain(seen.trouble or self.pace.problem)
        rows = [
            f"**t = {seen.t:.2f} s** in *{plain(seen.way)}*, {'a hand' if seen.held else 'no hand'} on *{plain(seen.frame)}*",
            f"force {size:.2f} N, moment {float(np.linalg.norm(seen.wrench[3:])):.2f} N m",
            f"base {', '.join(f'{angle:z.2f}' for angle in angles)} deg",
            f"momentum {P:.2f} N s, angular {L:.2f} N m s",
            self._late(),
            self._coming(seen.t),
            f"**{said}**" if said else "",
        ]
        self._switches.show("\n\n".join(rows), np.array(self._chart).T)

    def _late(self) -> str:
        """Return how many steps were late, in words."""
        timing = self.pace.timing
        ordinary = "" if timing.real_time else "; the operating system lets other threads go before"
        return f"{timing.overruns} steps late{ordinary}" if timing.overruns else ""

    def _foresee(self) -> float:
        """Impose what is armed and can hold now, and look ahead every so often; return when the next is due to be imposed."""
        live = self.session
        if not (self.ahead.armed or live.plant.loading.switches):
            return inf
        try:
            for name in self.ahead.catch():
                self._switches.caught(name)
            if live.t - self._looked_s >= LOOK_S:
                self._looked_s = live.t
                self.ahead.look()
        except ScmanipError as error:
            self.pace.problem = str(error)
        return self.ahead.due_s

    def _coming(self, t: float) -> str:
        """Return what is foreseen after t, in words."""
        found = self.ahead.latest
        if found is None:
            return ""
        closing = [f"*{plain(name)}* closes in {at - t:.2f} s" for name, at in found.touches.items() if at >= t]
        holding = [
            f"*{plain(name)}* holds in {max(at - t, 0.0):.2f} s"
            for name, (at, _, _) in found.grasps.items()
            if name in self.ahead.armed
        ]
        return f"foreseen: {', '.join([*closing, *holding])}" if closing or holding else ""

    def _dragging(self, event: Any) -> None:
        """Hear of the gizmo; called by viser's threads."""
        place, attitude = np.array(event.target.position), np.roll(np.array(event.target.wxyz), -1)
        self._dragged = event.phase != "end"
        if event.phase == "end":
            self.pace.ask(lambda live: live.let_go())
            return
        self.pace.ask(lambda live: live.drag(place, attitude))

    def record(self, client: Any) -> None:
        """Have a browser asked to keep what was done until now as a recording; `client` : of viser."""
        self.pace.ask(lambda live: self._wanted.append((client, Recording.of(live))))

    def _hand_over(self) -> None:
        """Send recordings to those who want them; made here, not between two steps."""
        while self._wanted:
            client, recording = self._wanted.popleft()
            try:
                text = recording.text
            except ScmanipError as error:
                self.pace.problem = str(error)
                continue
            client.send_file_download(f"{self.session.plant.model.system.name}.json", text.encode())

    def _left(self) -> None:
        """Let go where somebody closes the page, with the hand on it or not."""
        self._dragged = False
        self.pace.ask(lambda live: live.let_go())


def plain(text: str) -> str:
    """Return a text as Markdown that shows it as it is: names of files are no markup."""
    return re.sub(r"([!-/:-@\[-`{-~])", r"\\\1", text)


class _Switches:
    """Buttons, boxes and sliders of a page."""

    def __init__(self, page: Page) -> None:
        from viser import uplot

        gui, session, pace = page.server.gui, page.session, page.pace
        system = session.plant.model.system
        play = gui.add_button("play / pause")
        play.on_click(lambda _: pace.pause() if pace.playing else pace.play())
        gui.add_button(f"one step of {1e4 * session.step_s:g} ms").on_click(lambda _: pace.advance(10))
        self.speed = gui.add_slider("speed", 0.1, 2.0, 0.1, 1.0)
        self._asks(pace, self.speed, lambda live: pace.speed, lambda live, times: setattr(pace, "speed", times))
        ways = self.ways = gui.add_dropdown("way to go on", tuple(session.ways), initial_value=session.way)
        names = [*(frame.name for frame in system.frames), *(body.name for body in system.bodies), session.frame]
        held = gui.add_dropdown("hand on", tuple(dict.fromkeys(names)), initial_value=session.frame)
        self._asks(pace, held, attrgetter("frame"), lambda live, name: live.hold(name))
        shown, taken = (lambda live: live.display), (lambda live: live.device)
        self.display = self._choice(gui, pace, "display", DISPLAYS, shown, lambda live, kind: live.show_by(kind()))
        self.device = self._choice(gui, pace, "device", DEVICES, taken, lambda live, kind: live.take(kind()))
        wn = session.firmness.wn_rad_s
        self.firm = gui.add_slider("coupler [rad/s]", min(1.0, wn), max(60.0, wn), 1.0, wn)
        wn_of = attrgetter("firmness.wn_rad_s")
        self._asks(pace, self.firm, wn_of, lambda live, to: live.firm(replace(live.firmness, wn_rad_s=to)))
        gains = self.gains = gui.add_slider("gains of the law, times", 0.1, 10.0, 0.1, 1.0)
        scaled = {"by": 1.0}

        def scale(live: Session, factor: float) -> None:
            live.scale_gains(factor)
            scaled["by"] = factor

        def then(live: Session, name: str) -> None:
            live.then(name)
            scaled["by"] = gains.value = 1.0

        self._asks(pace, gains, lambda live: scaled["by"], scale)
        self._asks(pace, ways, attrgetter("way"), then)
        gui.add_button("let go").on_click(lambda _: pace.ask(lambda live: live.let_go()))
        gui.add_button("record what was done").on_click(lambda event: page.record(event.client))
        self.holding, self.armed = dict[str, Any](), dict[str, Any]()
        for one in system.constraints:
            holds = partial(lambda name, live: name in live.plant.constraints, one.name)
            self.holding[one.name] = self._box(gui, pace, f"{one.kind} {one.name}", one.name, "impose", "release", holds)
            self.armed[one.name] = self._arm(gui, page, one.name)
        for load in session.plant.loads:
            if load.called != "hand":
                acts = partial(lambda name, live: name not in live.plant.inhibited, load.called)
                self._box(gui, pace, f"{type(load).__name__} {load.called}", load.called, "engage", "inhibit", acts)
        self._text = gui.add_markdown("")
        labels = ("force [N]", "base, largest angle [deg]", "momentum [N s]", "angular momentum [N m s]")
        colours = ("#d03636", "#3a6fb0", "#2f8f3a", "#8e44ad")
        lines = [uplot.Series(label=name, stroke=colour, width=2) for name, colour in zip(labels, colours, strict=True)]
        empty = tuple(np.zeros(1) for _ in range(5))
        self._plot = gui.add_uplot(
            empty, (uplot.Series(label="t [s]"), *lines), scales={"x": uplot.Scale(time=False)}, aspect=1.7
        )

    @staticmethod
    def _asks(pace: Pace, box: Any, now: Callable[[Session], Any], choose: Callable[[Session, Any], object]) -> Any:
        """Have what is chosen in a box done between two steps; then, refused or not, it shows what the session has `now`."""

        def ask(chosen: Any) -> Callable[[Session], None]:
            def done(live: Session) -> None:
                try:
                    choose(live, chosen)
                finally:
                    if (has := now(live)) != chosen:  # or what was chosen since would be written over
                        box.value = has

            return done

        box.on_update(lambda event: None if event.client is None else pace.ask(ask(box.value)))
        return box

    def _choice(
        self,
        gui: Any,
        pace: Pace,
        label: str,
        kinds: Kinds[Any],
        now: Callable[[Session], object],
        choose: Callable[[Session, Any], object],
    ) -> Any:
        """Return a box by which one of several kinds is chosen."""
        names = {kind: name for name, kind in kinds.sound.items()}
        own = type(now(pace.session))
        names.setdefault(own, own.__name__)
        by_name = {name: kind for kind, name in names.items()}
        box = gui.add_dropdown(label, tuple(by_name), initial_value=names[own])

        def chosen(live: Session, name: str) -> None:
            if name not in by_name:
                raise UnknownName(label, name, "the page", list(by_name))
            choose(live, by_name[name])

        return self._asks(pace, box, lambda live: names[type(now(live))], chosen)

    def _box(self, gui: Any, pace: Pace, label: str, name: str, on: str, off: str, now: Callable[[Session], bool]) -> Any:
        box = gui.add_checkbox(label, now(pace.session))
        return self._asks(pace, box, now, lambda live, ticked: getattr(live, on if ticked else off)(name))

    def _arm(self, gui: Any, page: Page, name: str) -> Any:
        box = gui.add_checkbox(f"{name}, as soon as it can hold", False)

        def arm(live: Session, ticked: bool) -> None:
            others = tuple(one for one in page.ahead.armed if one != name)
            page.ahead.armed = (*others, name) if ticked else others

        return self._asks(page.pace, box, lambda live: name in page.ahead.armed, arm)

    def caught(self, name: str) -> None:
        """Show of a constraint that was armed that it holds now."""
        self.holding[name].value, self.armed[name].value = True, False

    def show(self, text: str, chart: np.ndarray[Any, Any]) -> None:
        """Show text and chart (5, k)."""
        self._text.content = text
        self._plot.data = tuple(np.ascontiguousarray(row) for row in chart)
