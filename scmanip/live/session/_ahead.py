"""A copy that runs ahead of the time: what comes, and the equations for it, before it is there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

import numpy as np

from ...errors import InconsistentConstraints, InvalidState, checked
from ...spatial import Array
from ...system import State
from ._session import Session

STRIDE = 10  # steps from one look to the next


@dataclass(frozen=True, eq=False)
class Foreseen:
    """What comes if the hand goes on as it goes.

    t : until when it was looked [s]; x : (k, n_x) packed states, in SI, every ten steps; times : (k,) [s]
    touches : by the name of a gap when it closes [s]
    grasps : by the name of a constraint when it can hold, what it will take of momentum (k,), and energy [J]

    >>> session = session_of_system(system)
    >>> ahead = Ahead(session, horizon_s=0.1).look()
    >>> ahead.times.shape, ahead.touches
    ((11,), {})
    """

    t: float
    times: Array
    x: Array
    touches: dict[str, float]
    grasps: dict[str, tuple[float, Array, float]]


@checked
class Ahead:
    """Looks `horizon_s` ahead, in one call of machine code, some hundred times faster than what it foresees.

    armed : constraints that are imposed as soon as they can hold

    Equations for those are made when they are first foreseen; at the event the impulse is that of the state which is there.

    >>> session = session_of_system(system)
    >>> ahead = Ahead(session, horizon_s=0.1).look()
    >>> round(ahead.t, 3), ahead.x.shape[1], ahead.grasps
    (0.1, 21, {})
    """

    def __init__(self, session: Session, horizon_s: float = 0.2) -> None:
        self.session, self.horizon_s = session, horizon_s
        self.armed: tuple[str, ...] = ()
        self.latest: Foreseen | None = None

    def look(self) -> Foreseen:
        """Return what comes."""
        loop = self.session.flight.loop
        y = loop.ahead(round(self.horizon_s / loop.step_s), self.session.link.coasting(loop.y.copy()))[::STRIDE]
        times = loop.t + loop.step_s * STRIDE * np.arange(len(y))
        plant, frame = loop.plant, loop.setup.frame
        states = [frame.state(float(t), row) for t, row in zip(times, y, strict=True)]
        touches = self._touches(times.tolist(), states)
        grasps = {name: found for name in self.armed if (found := self._grasp(name, times.tolist(), states)) is not None}
        since = self.session.flight.start_s
        self.latest = Foreseen(
            since + float(times[-1]),
            since + times,
            np.array([state.x[: plant.model.layout.n_x] for state in states]),
            {name: since + t for name, t in touches.items()},
            {name: (since + t, impulse, lost) for name, (t, impulse, lost) in grasps.items()},
        )
        return self.latest

    def _touches(self, times: Sequence[float], states: Sequence[State]) -> dict[str, float]:
        """Return when gaps close that are open."""
        loading = self.session.plant.loading
        if not loading.switches:
            return {}
        gaps = np.array([loading.switching(state, t) for t, state in zip(times, states, strict=True)])
        found = {}
        for name, row in zip(loading.switches, gaps.T, strict=True):
            closed = np.flatnonzero((row[1:] <= 0) & (row[:-1] > 0))
            if closed.size:
                k = int(closed[0])
                found[name] = times[k] + (times[k + 1] - times[k]) * float(row[k] / (row[k] - row[k + 1]))
        return found

    def _grasp(self, name: str, times: Sequence[float], states: Sequence[State]) -> tuple[float, Array, float] | None:
        """Return when a constraint can hold, and what comes of it then."""
        plant = self.session.plant
        if name in plant.constraints:
            return None
        for t, state in zip(times, states, strict=True):
            try:
                change = plant.under((*plant.constraints, name), state, t)
            except (InvalidState, InconsistentConstraints):
                continue
            return t, np.asarray(change.impulses[name]), change.energy_lost
        return None

    @property
    def due_s(self) -> float:
        """When the next that is armed will hold, as was foreseen [s]; inf where none is foreseen."""
        now = self._now
        return min((t for t in self._times.values() if t > now), default=inf)

    @property
    def _times(self) -> dict[str, float]:
        """When those can hold that are armed and foreseen [s]."""
        found = {} if self.latest is None else self.latest.grasps
        return {name: found[name][0] for name in self.armed if name in found}

    @property
    def _now(self) -> float:
        """The time of the session and what rounding may make of it [s]."""
        return self.session.t + self.session.step_s / 2

    def catch(self) -> tuple[str, ...]:
        """Impose what is armed and can hold now, and return its names; it is armed no longer."""
        session, now = self.session, self._now
        done = []
        for name in [name for name, t in self._times.items() if t <= now]:
            try:
                session.impose(name)
            except (InvalidState, InconsistentConstraints):
                continue
            done.append(name)
        self.armed = tuple(name for name in self.armed if name not in done)
        return tuple(done)
