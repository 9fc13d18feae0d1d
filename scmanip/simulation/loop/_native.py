"""A run in machine code, where the plant can be recorded.

Law and reference are a part of it where they can be recorded; otherwise it asks Python for the command at every evaluation, as
`Ode.asking` does. Modes and loads of one's own that are not written as equations run in Python.

How thrusters share out a wrench is a formula as long as the same of them push: the numbers of that set are a parameter, and an
alarm keeps a step from being accepted that ends beyond it. Then a step goes to where the set changes, and the next set is
looked for there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, cached_property
from typing import cast

import numpy as np

from ...compiled import SLOTS, FixedRun, OdeRun, OdeStatus, Route
from ...errors import NumericalFailure
from ...guidance import numbers_at
from ...spatial import Array
from ...system import State
from ..equations._held import ASKED, HELD
from ..equations._pair import LawAndReference
from ..equations._recorded_loop import FORBIDDEN, LARGE, THRUSTERS, LoopParts
from ..integrators._dop853 import boldness
from ..integrators._integrator import Step
from ._active_sets import ActiveSets
from ._closed_loop import ClosedLoop
from ._lagrange import Lagrange
from ._sample_and_hold import SampleAndHold
from ._setup import Setup
from ._track import PACE_STEPS, Track

PUSHING = ("pushing", "beyond")  # outputs of the loop
NODES = (1 - np.cos(np.pi * np.arange(1, 7) / 7)) / 2  # inside a step, in parts of it: with its ends eight places
LAW_STEPS = 50  # of a law in Python, after which the run is looked at: such steps take long
DRIFT_STEPS = 8  # after so many, states are brought back to the constraints that they drift away from
INSIDE = Lagrange(np.array([0.0, *NODES, 1.0]))
LOOKED_INTO, MOST_SHAPES = 100, 256  # output times of a run that is looked into; steps at most whose shapes are kept
LOOKS = 7  # places in every step of a run that is looked into
MANY = 128  # places inside the steps of a run, for which code of all outputs is worth its making; fewer go by NumPy


class NativeLoop:
    """A run from stop to stop. At each stop the quaternions are normalised and the numbers of the reference change.

    stuck : whether it cannot go on: no step is small enough, rates are not finite, or M has to be looked at
    asks : whether it asks a loop in Python for commands; it has to be told which one (`ask`)
    """

    def __init__(self, setup: Setup, pair: LawAndReference) -> None:
        self.stuck = False
        self._route: Route | None = None
        self._latest: Step | None = None
        self._hold: SampleAndHold | None = None
        self._setup, self._frame, self._size = setup, setup.frame, -boldness(setup.rtol)
        self._commands = setup.plant.mode.command_size(setup.model.layout)
        self._reference = setup.leading
        parts = cast(LoopParts, setup.parts)
        self._loop, given = parts.loop, parts.numbers(setup.state0.q)
        given["bounds"], given["reference"] = np.array([setup.bound, LARGE]), np.zeros(pair.form.size)
        given |= self._loop.prepared(given)
        self.asks, self._ode = pair.asks, self._loop.ode
        if self.asks:
            self._ode = self._loop.ode.asking(self._answer)
            given[ASKED][:SLOTS] = self._ode.head
        self._given = given
        self._sets = self._active_sets(parts) if setup.plant.burns else None

    @cached_property
    def _run(self) -> OdeRun:
        setup, parameters = self._setup, [self._given[name] for name in self._loop.names]
        starts = self._ode, setup.start_s, setup.y_0, setup.stops[-1], parameters
        run = setup.integrator.begun(*starts, rtol=setup.rtol, atol=setup.atol, samples=setup.samples[1:])
        return cast(OdeRun, run)  # a pair has an integrator with machine code

    def _active_sets(self, parts: LoopParts) -> ActiveSets:
        program, numbers = parts.part(*PUSHING), self._parameters[THRUSTERS]
        return ActiveSets(self._setup.model.system.pushers, numbers, program, self._parameters)

    @cached_property
    def _parameters(self) -> dict[str, Array]:
        return self._given | dict(zip(self._loop.names, self._run.parameters, strict=True))

    @cached_property
    def _held(self) -> Array:
        return self._parameters[HELD]

    @classmethod
    def of(cls, setup: Setup) -> NativeLoop | None:
        """Return the loop of a run, or None where a part of it cannot be recorded."""
        return cls(setup, setup.pair) if setup.pair is not None and cls.carries(setup) else None

    @staticmethod
    def carries(setup: Setup) -> bool:
        """Return whether all parts of a run can be recorded."""
        return setup.pair is not None and setup.frame.coordinates.is_formula

    def ask(self, loop: ClosedLoop) -> None:
        """Ask this loop from now on."""
        self._asked = loop

    def _answer(self, t: float, y: Array) -> Array:
        state = self._frame.state(t, y)
        command, rates = self._whole(self._asked.command(t, state)), self._asked.remembered(t, state)
        return command if rates is None else np.concatenate([command, rates])

    def _whole(self, command: Array) -> Array:
        """Return a command as long as the mode's longest; joint forces are its end."""
        short = self._commands - len(command)
        return np.concatenate([np.zeros(short), command]) if short else command

    def travel(self, track: Track) -> bool:
        """Advance towards the end, stretch after stretch, and return whether it is reached; otherwise as `go_on`."""
        run, before = self._run, self._run.steps
        if self._route is None:
            loop = self._loop
            parts = self._setup.stretch_ends, loop.reference, self._setup.followed, loop.quaternions
            if self._hold is None:
                self._route = Route(*parts, first_step=self._size)
            else:
                self._route = Route(*parts, first_step=np.nan, begin=self._size, ask=self._sampling(self._hold, track))
        most = min(PACE_STEPS, self._setup.max_steps - before)
        shaped = before == 0 and (self._setup.shaped or len(self._setup.samples) >= LOOKED_INTO)
        status = run.along(self._route, max_steps=most, shaped=shaped)
        if shaped and run.steps <= MOST_SHAPES:
            track.shapes = run.shapes
        return self._judge(track, status, before)

    def hear(self, hold: SampleAndHold) -> None:
        """Let a sampled law look at the state at every stop of a journey."""
        self._hold = hold

    def _sampling(self, hold: SampleAndHold, track: Track) -> Callable[[float, Array], bool]:
        """Return what lets a sampled law look at a vector at a time [s], and says whether it had an answer."""
        frame, held, whole = self._frame, self._held, self._held.size

        def sample(t: float, y: Array) -> bool:
            ending = hold.sample(t, frame.unit_state(t, y))
            if ending is not None:
                track.verdict = ending
                return False
            held[:] = hold.held if hold.held.size == whole else self._whole(hold.held)
            return True

        return sample

    def _judge(self, track: Track, status: OdeStatus, before: int) -> bool:
        run = self._run
        moved = run.steps - before
        if moved:
            track.accept(run.t, run.y.copy(), moved, run.ends)
        self.stuck = False
        if status is OdeStatus.DONE:
            return True
        if status is OdeStatus.ALARM:
            self.stuck = not moved or not run.alarm[-1] <= 0 or bool((run.alarm >= FORBIDDEN).any())
        else:
            self.stuck = status is not OdeStatus.TOO_MANY_STEPS
        return False

    @property
    def next_step(self) -> float:
        """Step [s] that the error control suggests."""
        return self._run.next_step

    def enter(self, stop: float) -> None:
        """Make ready for the stretch that ends at `stop` [s]."""
        run, setup = self._run, self._setup
        run.unit(self._loop.quaternions)
        if self._reference is not None:
            self._parameters["reference"][:] = numbers_at(self._reference, (run.t + stop) / 2)
        if setup.sampled is None:
            self._size = -boldness(setup.rtol)
        self._size = setup.integrator.length_s or self._size
        if self._sets is not None:
            self._sets.stale = True

    @property
    def state(self) -> State:
        """The state where it has come to, once the next stretch is entered."""
        return self._setup.frame.unit_state(self._run.t, self._run.y)

    def hold(self, command: Array) -> None:
        """Let the command, joint forces at its end, be the same until further notice."""
        self._held[:] = self._whole(command)

    def go_on(self, track: Track, stop: float) -> bool:
        """Advance towards `stop` [s] and return whether it is reached; if not, all may be well, or it is `stuck`."""
        run, setup, before, sets = self._run, self._setup, self._run.steps, self._sets
        if sets is not None and not sets.settled(run.t, run.y):
            self.stuck = True
            return False
        due = PACE_STEPS if setup.plant.holding is None else DRIFT_STEPS - track.steps % DRIFT_STEPS
        most = min(due, LAW_STEPS if self.asks else due, setup.max_steps - track.steps)
        if sets is not None:
            return self._step_within(sets, track, stop)
        if setup.events or (self.asks and self._asked.has_memory):
            most = 1
        try:
            status = run.to(stop, first_step=self._size, max_steps=most)
        except NumericalFailure:  # of the law, with which a run in Python ends
            status = OdeStatus.NOT_FINITE
        self._size = run.next_step
        return self._judge(track, status, before)

    def _step_within(self, sets: ActiveSets, track: Track, stop: float) -> bool:
        """Advance by one step, to where the thrusters' set changes if it does; return as `go_on`."""
        run, before, t_old, y_old = self._run, self._run.steps, self._run.t, self._run.y.copy()
        status = run.to(stop, first_step=self._size, max_steps=1)
        self._size = run.next_step
        if status is OdeStatus.ALARM and run.alarm[0] >= FORBIDDEN and run.alarm[1:].max() <= 0:
            sets.let_go()
            status = run.to(stop, first_step=self._size, max_steps=1)
        if run.steps > before:
            corner = sets.corner(t_old, run.t, self.step(t_old, y_old).at)
            if corner < run.t:
                sets.let_go()
                run.rewind(t_old, y_old)
                before, status = run.steps, run.to(corner, first_step=corner - t_old, max_steps=1)
        return self._judge(track, status, before) and run.t >= stop

    @property
    def sets(self) -> list[tuple[float, Array]]:
        """Times [s] from which on sets of thrusters held, and their numbers."""
        return [] if self._sets is None else self._sets.log

    def step(self, t_old: float, y_old: Array) -> Step:
        """Return the latest step, from y_old at `t_old`, with its dense output, a polynomial of degree 7."""
        run, t, y = self._run, self._run.t, self._run.y.copy()
        if isinstance(run, FixedRun):
            return Step(t_old, t, y, run.dense, run.next_step)
        if self._latest is not None and (self._latest.t_old, self._latest.t) == (t_old, t):
            return self._latest

        @cache
        def dense() -> Array:
            size = t - t_old
            nodes = t_old + size * NODES
            parameters = [np.array(self._parameters[name]) for name in self._loop.names]
            inside = self._ode.solve(
                t_old, y_old, t, *parameters, rtol=1.0, atol=np.inf, first_step=size, max_steps=1, samples=nodes
            )
            return np.array([y_old, *inside.y, y])

        def at(times: Array) -> Array:
            return np.asarray(INSIDE.parts((times - t_old) / (t - t_old)) @ dense())

        self._latest = Step(t_old, t, y, at, run.next_step)
        return self._latest

    def outputs(self, t: Array, y: Array, track: Track, commands: Callable[[], Sequence[Array]]) -> dict[str, Array]:
        """Return all outputs of the loop, joint forces too, at times (k,) inside stretches and vectors (k, n), by name.

        track : of the run, with sets that led to these times; commands : gives those that did, of laws that are not in the loop
        """
        given = {**self._given, "t": t, "y": y}
        hold = track.hold
        if track.sets:
            since, numbers = zip(*track.sets, strict=True)
            led = np.searchsorted(since, t if hold is None else hold.led_to(t)) - 1
            given[THRUSTERS] = np.array(numbers)[np.maximum(led, 0)]
        if hold is not None:
            given[HELD] = self._rows_of(commands(), len(t))
        elif self.asks:
            given[ASKED] = np.tile(given[ASKED], (len(t), 1))
            given[ASKED][:, SLOTS : SLOTS + self._commands] = self._rows_of(commands(), len(t))
        else:
            given["reference"] = self._setup.followed[self._setup.stretch_ends.searchsorted(t)]
        if max(len(t), track.steps * LOOKS) < MANY:  # a longer run needs the code anyway once it is looked into
            program = self._loop.ode.program
            rows = [np.broadcast_to(given[item.name], (len(t), *item.shape)) for item in program.inputs]
            return {output.name: value for output, value in zip(program.outputs, program.evaluate(*rows), strict=True)}
        every = self._loop.every()
        return every.rows(len(t), *(np.asarray(given[item.name], order="C") for item in every.program.inputs))

    def _rows_of(self, commands: Sequence[Array], count: int) -> Array:
        width = len(self._whole(np.zeros(self._setup.model.layout.N)))  # of none as well
        return np.array([self._whole(command) for command in commands]).reshape(count, width)

    @property
    def y(self) -> Array:
        """The state where it has come to."""
        return self._run.y.copy()

    def go_from(self, y: Array) -> None:
        """Go on from y (n,) where it has come to."""
        self._run.y[:] = y

    def rewind(self, t: float, y: Array) -> None:
        """Go back to `t` in the latest step."""
        self._run.rewind(t, y)

    def samples(self) -> tuple[Array, Array]:
        """Return the times (k,) and vectors (k, n) of all samples after the first that were reached."""
        rows = self._run.samples
        return self._setup.samples[1 : 1 + len(rows)], rows
