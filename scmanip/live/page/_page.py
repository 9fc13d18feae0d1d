"""The live page: a system that goes on, a gizmo that pulls at it, and switches."""

from __future__ import annotations

from collections import deque
from contextlib import redirect_stdout
from io import StringIO
from threading import Event
from typing import Any

import numpy as np

from ...errors import MissingExtra
from ...simulation import History
from ...spatial import dcm_from_quaternion, euler_from_dcm
from ...system import State
from ..coupling._gains import Firmness
from ..devices._gizmo import Gizmo
from ..session._ahead import Ahead
from ..session._pace import Pace
from ..session._session import Seen, Session
from ._drawn import Drawn
from ._guard import Guard, guarded

SHOWN_PER_S = 30.0
CHART_S = 20.0  # of time on the strip chart
ARROW_N = 100.0  # a force that is drawn as long as the scene is large


class Page:
    """A page on a session, served to whoever the guard lets in.

    session : with a `Gizmo` as its device
    port : 0 for a free one
    """

    def __init__(self, session: Session, guard: Guard | None = None, *, port: int = 0) -> None:
        try:
            from viser import ViserServer
        except ImportError as error:
            raise MissingExtra("a live page", "live") from error
        self.session, self.guard, self.pace = session, guard or Guard(), Pace(session)
        self.ahead = Ahead(session)
        self._hand: Gizmo = session.device  # type: ignore[assignment]
        self._dragged, self._ended, self._clients = False, Event(), 0
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
        with redirect_stdout(StringIO()):
            self.server.stop()
        return self.session.history() if self.session.t else None

    def show(self) -> None:
        """Draw what the session shows, and keep a hand alive that a browser holds still."""
        if self._dragged and self.server.get_clients():
            self.pace.ask(lambda live: self._hand.keep(live.t))
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
        self._chart.append((seen.t, size, float(np.abs(angles).max()), P, L))
        said = seen.trouble or self.pace.problem
        rows = [
            f"**t = {seen.t:.2f} s** in *{seen.way}*, {'held at' if seen.held else 'hand on'} `{seen.frame}`",
            f"force {size:.2f} N, moment {float(np.linalg.norm(seen.wrench[3:])):.2f} N m",
            f"base {angles[0]:.2f}, {angles[1]:.2f}, {angles[2]:.2f} deg",
            f"momentum {P:.3f} N s, angular {L:.3f} N m s",
            f"**{said}**" if said else "",
        ]
        self._switches.show("\n\n".join(rows), np.array(self._chart).T)

    def _dragging(self, event: Any) -> None:
        """Hear of the gizmo; called by viser's threads."""
        place, attitude = np.array(event.target.position), np.roll(np.array(event.target.wxyz), -1)
        self._dragged = event.phase != "end"
        if event.phase == "end":
            self.pace.ask(lambda live: live.let_go())
            return
        self.pace.ask(lambda live: self._hand.drag(live.t, place, attitude))

    def _left(self) -> None:
        """Let go where somebody closes the page, with the hand on it or not."""
        self._dragged = False
        self.pace.ask(lambda live: live.let_go())


class _Switches:
    """Buttons, boxes and sliders of a page."""

    def __init__(self, page: Page) -> None:
        from viser import uplot

        gui, session, pace = page.server.gui, page.session, page.pace
        system = session.plant.model.system
        play = gui.add_button("play / pause")
        play.on_click(lambda _: pace.pause() if pace.playing else pace.play())
        gui.add_button("one step of 10 ms").on_click(lambda _: pace.advance(10))
        speed = gui.add_slider("speed", 0.1, 2.0, 0.1, 1.0)
        speed.on_update(lambda _: setattr(pace, "speed", float(speed.value)))
        ways = gui.add_dropdown("way to go on", tuple(session.ways))
        ways.on_update(lambda _: pace.ask(lambda live: live.then(ways.value)))
        names = tuple(dict.fromkeys([*(frame.name for frame in system.frames), *(body.name for body in system.bodies)]))
        held = gui.add_dropdown("hand on", names, initial_value=session.frame)
        held.on_update(lambda _: pace.ask(lambda live: live.hold(held.value)))
        firm = gui.add_slider("coupler [rad/s]", 1.0, 60.0, 1.0, session.firmness.wn_rad_s)
        firm.on_update(lambda _: pace.ask(lambda live: live.firm(Firmness(float(firm.value), live.firmness.zeta))))
        gains = gui.add_slider("gains of the law, times", 0.1, 10.0, 0.1, 1.0)
        gains.on_update(lambda _: pace.ask(lambda live: live.scale_gains(float(gains.value))))
        gui.add_button("let go").on_click(lambda _: pace.ask(lambda live: live.let_go()))
        for one in system.constraints:
            self._box(gui, pace, f"{one.kind} {one.name}", one.name, "impose", "release", one.name in session.plant.constraints)
        for load in session.plant.loads:
            if load.called != "hand":
                acts = load.called not in session.plant.inhibited
                self._box(gui, pace, f"{type(load).__name__} {load.called}", load.called, "engage", "inhibit", acts)
        self._text = gui.add_markdown("")
        labels = ("force [N]", "base, largest angle [deg]", "momentum [N s]", "angular momentum [N m s]")
        colours = ("#d03636", "#3a6fb0", "#2f8f3a", "#8e44ad")
        lines = [uplot.Series(label=name, stroke=colour, width=2) for name, colour in zip(labels, colours, strict=True)]
        empty = tuple(np.zeros(1) for _ in range(5))
        self._plot = gui.add_uplot(
            empty, (uplot.Series(label="t [s]"), *lines), scales={"x": uplot.Scale(time=False)}, aspect=1.4
        )

    @staticmethod
    def _box(gui: Any, pace: Pace, label: str, name: str, on: str, off: str, now: bool) -> None:
        box = gui.add_checkbox(label, now)
        box.on_update(lambda _: pace.ask(lambda live: getattr(live, on if box.value else off)(name)))

    def show(self, text: str, chart: np.ndarray[Any, Any]) -> None:
        """Show text and chart (5, k)."""
        self._text.content = text
        self._plot.data = tuple(np.ascontiguousarray(row) for row in chart)
