"""A closed loop in machine code that is advanced one step at a time."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ...compiled import OdeRun, OdeStatus
from ...control import Controller, Sampled
from ...errors import InvalidInput, ModeMismatch, NumericalFailure, Problem, checked, refuse
from ...guidance import ReferenceMotion, corners_of, numbers_at, recorded_form
from ...loads import Load
from ...plant import Change, Plant
from ...spatial import Array, positive_problems
from ...system import State
from ..coordinates._full_state import FullState
from ..equations._held import HELD
from ..equations._pair import LawAndReference
from ..equations._recorded_loop import LARGE, LoopParts
from ..events._outcome import Ending, Outcome
from ..integrators._fixed_step import FixedDOP853
from ..loop._native import DRIFT_STEPS
from ..loop._prepare import prepare
from ..loop._sample_and_hold import SampleAndHold
from ..loop._setup import Setup
from ..record._history import History
from ..switching._going_on import going_on, knowing
from ._blocks import flown_history
from ._flown import FlownSamples

FULL = FullState()
SLACK = 1 + 1e-9  # ends of steps are multiples of their length but for rounding
LONGEST_S = 1e7  # of a session: some months


class Stepping:
    """Plant, law and reference by steps of one length, of order 8; between them states may be set.

    Made by `stepping`. What comes from outside is a state of a load (`give`): it is part of y and integrated with it. Equal
    inputs give equal bits. In SI throughout.

    t : [s], on the clock of its law and reference
    y : (n,) the vector of the run, state and books; memory : the same, of which parts are read and set faster
    count : steps so far; every : steps between samples of its history
    hold : commands of a law that is `Sampled`, else None; corners : times of the reference's corners [s]

    >>> loop = stepping(plant, law, state, reference=reference, step_s=0.01)
    >>> loop.step()
    >>> loop.count, loop.state.q.round(3).tolist(), loop.ahead(5).shape[0]
    (1, [0.0, 0.3, -0.2, 0.1], 6)
    """

    def __init__(self, setup: Setup, *, every: int = 1, samples: Array | None = None) -> None:
        assert setup.parts is not None
        self.setup, self.every = setup, every
        self.step_s = setup.integrator.length_s or 0.0
        loop, self._given = self._numbers(setup.parts)
        self._ode, self.t, self.count = loop.ode, setup.start_s, 0
        self._run = self._begun(loop.names, np.empty(0) if samples is None else samples)
        self.y = self._run.y
        self.memory: Any = self.y.data
        self.hold = None if setup.sampled is None else SampleAndHold(setup, setup.sampled)
        self._reference: Any = setup.leading
        self.corners = sorted({t for t in corners_of(setup.reference) if t > setup.start_s})
        self._passed, self._quaternions = -1, loop.quaternions
        plant = setup.plant
        self._back = None if plant.holding is None else plant.brought_back_in(self.y[: plant.layout.n_x])
        self.flown = FlownSamples()
        self.flown.keep(self.t, self.y)
        self._warm()

    def _numbers(self, parts: LoopParts) -> tuple[Any, dict[str, Array]]:
        given = parts.numbers(self.setup.state0.q)
        given["bounds"], given["reference"] = np.array([self.setup.bound, LARGE]), np.zeros(parts.form.size)
        return parts.loop, {
            name: np.array(values, dtype=float) for name, values in (given | parts.loop.prepared(given)).items()
        }

    def _begun(self, names: Sequence[str], samples: Array) -> OdeRun:
        setup, given = self.setup, [self._given[name] for name in names]
        end = setup.start_s + LONGEST_S
        step = FixedDOP853(self.step_s * SLACK)
        begun = step.begun(self._ode, setup.start_s, setup.y_0, end, given, rtol=setup.rtol, atol=setup.atol, samples=samples)
        self._parameters = dict(zip(names, begun.parameters, strict=True))
        return begun

    @property
    def plant(self) -> Plant:
        """What moves."""
        return self.setup.plant

    @property
    def state(self) -> State:
        """The state where it has come to."""
        return self.setup.frame.state(self.t, self.y)

    @property
    def hardware(self) -> State:
        """The same as the model has it, without states of loads and laws."""
        return State.of_unit(np.array(self.state.hardware), self.plant.model.layout)

    def places(self, load: str) -> slice:
        """Return where the states of a load are in y."""
        found: slice = self.plant.layout.actuators[load]
        return found

    def give(self, place: slice, values: Iterable[float]) -> None:
        """Set a part of y from here on, to as many numbers."""
        given, memory = array("d", values), self.memory
        memory[place] = given
        self.flown.give(self.count, place.indices(len(memory)), given)

    def step(self) -> None:
        """Go on by one step; raises `NumericalFailure` where a speed would run away, and stays where it is."""
        self._enter()
        run, end = self._run, self.time_of(self.count + 1)
        status = run.to(end, first_step=end - self.t, max_steps=1)
        if run.t != end:
            raise NumericalFailure(_stuck(status, self.t))
        self.count, self.t = self.count + 1, end
        if self.count % DRIFT_STEPS == 0:
            self._restore()
        if self.count % self.every == 0:
            self.flown.keep(self.t, self.y)

    def ahead(self, steps: int, y: Array | None = None) -> Array:
        """Return y (steps + 1, n) as it goes on if nothing comes from outside, in one call; nothing here changes.

        y : (n,) from where; where it is if not said
        By the classical method of order 4, which is faster: what comes is corrected once it is there.
        """
        given = [self._parameters[name].copy() for name in self._parameters]
        return self._ode.fixed(self.t, self.y.copy() if y is None else y, self.step_s, steps, *given)

    def _enter(self) -> None:
        """Tell law and reference what they need for the next step."""
        sampled = self.setup.sampled
        if self.hold is not None and sampled is not None and sampled.is_sample(self.t):
            ending = self.hold.sample(self.t, self.state)
            if ending is not None:
                raise NumericalFailure(ending.advice)
            held = self._parameters[HELD]
            held[:] = 0.0
            held[len(held) - len(self.hold.held) :] = self.hold.held
        if self._reference is None:
            return
        passed, now = max(self._passed, 0), self.t + 1e-9 * self.step_s
        while passed < len(self.corners) and self.corners[passed] <= now:
            passed += 1
        if passed != self._passed:
            after = self.corners[passed] if passed < len(self.corners) else self.t + self.step_s
            self._parameters["reference"][:] = numbers_at(self._reference, (self.t + after) / 2)
            self._passed = passed

    def _restore(self) -> None:
        """Give quaternions norm 1, and bring the state back to what the constraints say."""
        self._run.unit(self._quaternions)
        if self._back is not None:
            self._back(self.t)

    def _warm(self) -> None:
        """Take a step and go back: the first time that code runs it takes as long as four steps."""
        y = self.y.copy()
        self._run.to(self.t + self.step_s, first_step=self.step_s, max_steps=1)
        self._restore()
        self._run.rewind(self.t, y)

    def under(self, names: Sequence[str], inhibited: Sequence[str]) -> tuple[Stepping, Change]:
        """Return the loop that goes on here under other constraints and loads, with what comes of the change.

        Raises `InvalidState` for what is too far from where it can hold, `InconsistentConstraints` for what no motion obeys.
        """
        change = replace(self.plant, inhibited=tuple(inhibited)).under(names, self.state, self.t)
        setup = knowing(self.setup, change.plant, change.state)
        return Stepping(going_on(setup, self.t, change.plant, change.state), every=self.every), change

    def anew(self) -> Stepping | None:
        """Return the loop that goes on here with dependent speeds chosen anew; None where the same are chosen."""
        before, state = self.plant, self.state
        plant = before.held_anew(state, self.t)
        if before.holding is None or plant.holding is None or plant.holding.chosen == before.holding.chosen:
            return None
        return Stepping(going_on(self.setup, self.t, plant, state), every=self.every)

    def by(self, controller: Controller) -> Stepping:
        """Return the loop that goes on here by another law, such as one with other gains; raises as `stepping`."""
        state, plant = self.state, self.plant
        controller.check(plant.model, plant.mode)
        law = controller.begun(state).holding(plant.holds, state)
        pair = LawAndReference.of(plant, law, recorded_form(self.setup.reference), self.setup.integrator)
        setup = replace(self.setup, controller=law, sampled=law if isinstance(law, Sampled) else None, pair=pair)
        return Stepping(going_on(_coded(setup), self.t, plant, state), every=self.every)

    def bearing(self, loads: Sequence[Load]) -> Stepping:
        """Return the loop that goes on here under loads with the same states; raises as `Plant`."""
        plant = replace(self.plant, loads=tuple(loads))
        if plant.layout.n_x != self.plant.layout.n_x:
            raise InvalidInput(Problem("loads", "loads with states as those before", repr(list(loads))))
        return Stepping(going_on(self.setup, self.t, plant, self.state), every=self.every)

    def history(self, ending: Ending | None = None) -> History:
        """Return what was flown so far; who looks between its samples has the inputs flown again."""
        self.flown.keep(self.t, self.y)
        return flown_history(self, ending or Ending(Outcome.COMPLETED))

    def time_of(self, count: int) -> float:
        """Return when so many steps end [s]."""
        return self.setup.start_s + count * self.step_s

    @property
    def samples(self) -> Array:
        """(k, n) y at the times asked for, so far."""
        return self._run.samples

    def again(self, count: int, y: Array, samples: Array) -> Stepping:
        """Return the loop as it was after so many steps, to be flown once more with samples at some times (k,) [s].

        y : (n,) there
        """
        twin = Stepping(replace(self.setup, flown=None), samples=samples)
        if count:
            twin.count, twin.t = count, self.time_of(count)
            twin._run.rewind(twin.t, y)
        return twin


@checked
def stepping(
    plant: Plant,
    controller: Any,
    state0: State,
    *,
    reference: ReferenceMotion | None = None,
    step_s: float = 1e-3,
    every: int = 1,
) -> Stepping:
    """Return a closed loop from `state0` at t = 0 that is advanced step by step.

    plant, controller, state0, reference : as of `simulate`
    step_s : > 0 [s]; every : steps between samples of its history, > 0

    Raises `InvalidInput` for what cannot go step by step in machine code: laws in Python that are not `Sampled`, rigid
    contacts; `ModeMismatch` for thrusters that share out a wrench.

    >>> loop = stepping(plant, law, state, reference=reference, step_s=0.01)
    >>> for _ in range(10):
    ...     loop.step()
    ...
    >>> round(loop.t, 12), loop.history().t.size
    (0.1, 11)
    """
    refuse(positive_problems("step_s", step_s) + positive_problems("every", every))
    if plant.contacts:
        raise InvalidInput(Problem("contacts", "compliant contacts, which are loads", "rigid contacts"))
    if plant.burns:
        raise ModeMismatch("which thrusters push is looked for inside steps, and not here; give a mode that no thruster pushes")
    integrator: Any = FixedDOP853(step_s)
    options: Any = {"rtol": 1e-10, "atol": None, "output_step_s": None, "events": (), "progress": None, "coordinates": FULL}
    setup = prepare(plant, controller, state0, reference=reference, t_end_s=step_s, integrator=integrator, **options)
    setup = _coded(setup)
    if setup.plant.holders:
        change = setup.plant.under(setup.plant.constraints, setup.state0, 0.0)
        setup = going_on(knowing(setup, change.plant, change.state), 0.0, change.plant, change.state)
    return Stepping(setup, every=every)


def _coded(setup: Setup) -> Setup:
    """Return a setup whose law is there as equations, or sampled; raises `InvalidInput` for others."""
    if setup.pair is None or setup.pair.asks:
        expected = "a law and a reference that are there as equations, or a law that is Sampled"
        raise InvalidInput(Problem("controller", expected, setup.controller.kind, hint="Sampled(law, rate_Hz=...)"))
    return setup


def _stuck(status: OdeStatus, t: float) -> str:
    """Return why no step is taken, and what helps."""
    why = (
        "a speed runs away, or dependent speeds are badly chosen,"
        if status is OdeStatus.ALARM
        else "accelerations are no numbers"
    )
    return f"{why} at t = {t:.9g} s; release the hand, or lower gains"
