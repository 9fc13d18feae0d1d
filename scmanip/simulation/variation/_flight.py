"""A stretch of a run with its variational equations."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, cast

import numpy as np

from ...compiled import OdeStatus
from ...control import Controller, Sampled
from ...dynamics import Model
from ...errors import InvalidInput, NumericalFailure, Problem
from ...guidance import JointReference, Sample, numbers_at, recorded_form
from ...plant import KEPT, Holding
from ...spatial import Array, cross, dcm_from_quaternion
from ...system import State
from ..coordinates._frame import RunCoordinates
from ..coordinates._full_state import FullState
from ..equations._held import HELD
from ..equations._recorded_loop import LARGE, LoopParts
from ..equations._sampled_command import SampledCommand
from ..equations._variations import CLOCK, Variations, varied
from ..integrators._dop853 import boldness
from ..loop._load_switches import LoadSwitches
from ..loop._native import DRIFT_STEPS
from ..loop._sample_and_hold import asks_inside, said_by
from ..loop._setup import Setup
from ._beginning import distance, kept_rates, rate
from ._law_numbers import law_numbers
from ._moment import Moment
from ._plan import REFERENCE, VariationPlan

SLIVER = 1e-9  # [s] before and after a load switches; rates there are drawn on to the instant itself
CLOSER = 0.1  # of distances elsewhere: what is a little apart does not touch
SMALL = 1e-6  # of a number and of a second, by which numbers of events are differentiated
Number = Callable[[Model, float, Array], float]


class VariedFlight:
    """A stretch of a run, from stop to stop.

    model : that of the run, in which the numbers of the system are inputs
    names, shapes : of the inputs of its programs that are directions
    plan : what changes with where it begins; None where nothing does
    """

    def __init__(
        self,
        setup: Setup,
        model: Model,
        names: tuple[str, ...],
        shapes: tuple[tuple[int, ...], ...],
        plan: VariationPlan | None = None,
    ) -> None:
        pair: Any = setup.pair
        self.setup = setup
        self.frame = RunCoordinates(FullState(), replace(setup.plant, model=model), np.empty(0))
        parts = LoopParts(self.frame, pair.form, pair.law)
        self.given = parts.numbers(setup.state0.q)
        self.given |= {"bounds": np.array([setup.bound, LARGE]), REFERENCE: np.zeros(pair.form.size)}
        self.values = {**self.given, **law_numbers(setup)}
        self.variations = Variations(parts, names, shapes, () if plan is None else plan.names)
        self.plan = plan
        self._said = None if setup.sampled is None else said_by(setup, setup.sampled.law)
        self._run: Any = None

    def home(self, moment: Moment) -> tuple[Array, Array]:
        """Return where the reference, or the state where it leads a frame, leaves the joints (n_q,), and how that changes."""
        form, layout = recorded_form(self.setup.reference), self.frame.layout
        numbers = numbers_at(self.setup.reference, moment.t)
        if form is None or form.gives is not JointReference:
            return moment.x[layout.x_q], moment.rows[:, layout.x_q]
        moves = self.plan is not None and REFERENCE in self.plan.names
        rates = self.plan.reference(moment.t) if self.plan and moves else np.zeros((len(moment.rows), len(numbers)))
        rows = []
        for later, own in zip(moment.later, rates, strict=True):

            def q(way: float, later: float = later, own: Array = own) -> Array:
                return np.asarray(cast(JointReference, form.at(moment.t + way * later, numbers + way * own)).q)

            rows.append(rate(q, distance(later, own)))
        return q(0.0), np.array(rows)

    # At one instant

    def shifts(self, x: Array) -> Array:
        """Return (n, k, n_x) what states x (n, n_x) change by where the base's centre of mass is what changes."""
        layout, com = self.frame.layout, f"body.{self.setup.model.system.base.name}.com_m"
        shifts = np.zeros((len(x), self.variations.count, x.shape[1]))
        if layout.fixed:
            return shifts
        for k, (name, unit) in enumerate(self.variations.directions):
            if name.partition("[")[0] != com:
                continue
            way = unit if name == com else np.eye(3)[int(name[len(com) + 1 : -1])]
            for row, state in zip(shifts[:, k], x, strict=True):
                d = dcm_from_quaternion(state[layout.x_attitude]) @ way
                row[layout.x_r_0] = d
                row[layout.x_u.start : layout.x_u.start + 3] = cross(state[layout.x_u][3:6], d)
        return shifts

    def struck(self, moment: Moment) -> Moment:
        """Return the moment behind impacts and push-offs at its start: what the same laws make of what changes a little."""
        found = self.setup.found
        if found is None or found.blow is None:
            return moment
        blow, layout, touching = found.blow, found.plant.layout, set[tuple[str, ...]]()

        def jumped(k: int, way: float) -> Array:
            name, unit = self.variations.directions[k]
            plant = replace(
                found.plant,
                model=self._with(name, way * unit),
                holding=_kept_otherwise(found.plant.holding, moment, way, k),
                clock_s=found.plant.clock_s + way * float(moment.late[k]),
            )
            state = State.renormalised(moment.x + way * moment.rows[k], layout)
            after, touches = blow(plant, state, moment.t + way * float(moment.later[k]))
            touching.add(touches)
            return np.array(after.x)

        each = enumerate(zip(moment.rows, moment.later, moment.late, strict=True))
        rows = [rate(partial(jumped, k), CLOSER * distance(*rates)) for k, rates in each]
        if len(touching) > 1:
            raise NumericalFailure(f"what touches at t = {moment.t:.9g} s depends on the numbers: {sorted(touching)}")
        return replace(moment, x=jumped(0, 0.0), rows=np.array(rows))

    def ended(self, moment: Moment, ended_by: Sequence[str]) -> Array | None:
        """Return (k,) how the time changes at which an event of the state ended it: its number stays zero, -dg/dp over dg/dt.

        Both by central differences, of the number that is zero there; None where none did.
        """
        ending = [event for event in self.setup.events if event.called in ended_by and not event.lasts]
        if not ending:
            return None

        def numbers(model: Model, t: float, x: Array) -> Array:
            state = State.renormalised(x, self.frame.layout)
            return np.concatenate([event.values_of(model, t, state, _no_force) for event in ending])

        place = int(np.argmin(abs(numbers(self.frame.model, moment.t, moment.x))))
        own_clock = replace(moment, late=np.zeros(len(moment.rows)))  # what is looked for is told by the time of the run
        return self._moved_times(lambda *at: float(numbers(*at)[place]), own_clock, self.x_dot(moment))

    def _moved_times(self, number: Number, moment: Moment, x_dot: Array) -> Array:
        """Return (k,) how the time changes at which a number of models, times and states passes zero."""
        model, t, x, found = self.frame.model, moment.t, moment.x, []
        past, later = (number(model, t + way, x + way * x_dot) for way in (-SMALL, SMALL))
        for (name, unit), along, late in zip(self.variations.directions, moment.rows, moment.late, strict=True):
            h = SMALL * self._size(name)
            less, more = (number(self._with(name, way * unit), t + way * late, x + way * along) for way in (-h, h))
            found.append(-((more - less) / h) / ((later - past) / SMALL))
        return np.array(found)

    def _size(self, name: str) -> float:
        return float(abs(self.values[name]).max(initial=0.0)) or 1.0 if name in self.values else 1.0

    def _with(self, name: str, change: Array) -> Model:
        """Return the model in which a number is another; a number of the law changes no model."""
        model = self.frame.model
        known = model.symbolic.derivation.numbers
        return model.with_values({name: known[name] + change}) if name in known else model

    def x_dot(self, moment: Moment, way: float = 0.0) -> Array:
        """Return the rate (n_x,) of the packed state, or of one that is further along its rate by `way` [s]."""
        here = self._rate(moment.t, moment.x)
        return here if way == 0 else self._rate(moment.t + way, moment.x + way * here)

    def _rate(self, t: float, x: Array) -> Array:
        loop = self.variations.loop
        known = {**self.given, "t": np.array(t), "y": np.concatenate([x, np.zeros(self.frame.size - len(x))])}
        (rate,) = loop.evaluate(*(known[i.name] for i in loop.inputs))
        return np.asarray(rate[: len(x)])

    # From stop to stop

    def flown(self, moment: Moment, times: Array, switched: Mapping[float, Sequence[str]]) -> tuple[Array, Array]:
        """Return the packed states (n_t, n_x) of all samples and their derivatives (n_t, k, n_x).

        moment : behind what happens at its start; where that is later for other numbers, so are the rows
        times : (n_t,) of samples [s], the first and the last of which are its start and its end
        switched : which switching functions of loads change, by times [s]
        """
        setup, m, n, end = self.setup, self.variations.width, self.frame.size, float(times[-1])
        self._begin(moment, times)
        rows = self._rows - np.outer(moment.later, self._rate(moment.t, self._x)) if moment.later.any() else self._rows
        self._put(rows)
        first = self._run.y.copy()
        planned = {stop for stop in setup.stops if setup.start_s < stop < end}
        for stop in sorted({*planned, *(t for t in switched if t < end), end}):
            if self._run.t > setup.start_s:
                self._enter(stop)
            self._reach(stop)
            if stop in switched and stop < end:
                self._switch(switched[stop])
        samples = np.concatenate([first[np.newaxis], self._run.samples])
        return samples[:, :m], samples[:, n:].reshape(len(samples), -1, m)

    @property
    def end(self) -> Moment:
        """Where it has come to."""
        later = np.zeros(self.variations.count)
        return Moment(self._run.t, self._x, self._rows, later, self._late, self._kept, self._command, self._memory)

    @property
    def _x(self) -> Array:
        return np.array(self._run.y[: self.variations.width])

    @property
    def _rows(self) -> Array:
        """(k, n_x)."""
        return np.array(self._run.y[self.frame.size :]).reshape(self.variations.count, -1)

    def _put(self, rows: Array) -> None:
        self._run.y[self.frame.size :] = rows.ravel()

    def _begin(self, moment: Moment, times: Array) -> None:
        setup, variations, plant = self.setup, self.variations, self.frame.plant
        rates = {name: np.zeros((variations.count, *shape)) for name, shape in variations.carried.items()}
        if plant.holding is not None:
            rates[KEPT] = kept_rates(plant.holding, moment.kept, variations.count)
        if CLOCK in rates:
            rates[CLOCK] += moment.late[:, np.newaxis]
        rates |= {} if self.plan is None else self.plan.law
        self.given |= {varied(name): rate for name, rate in rates.items()}
        y_0 = np.concatenate([moment.x, np.zeros(self.frame.size - len(moment.x))])
        starts = variations.ode, setup.start_s, np.concatenate([y_0, moment.rows.ravel()]), float(times[-1])
        parameters = [np.array(self.given[name], dtype=np.float64) for name in variations.inputs]
        atol = self._atol(y_0)
        run: Any = setup.integrator.begun(*starts, parameters, rtol=setup.rtol, atol=atol, samples=times[1:])
        self._run = run
        self.given |= dict(zip(variations.inputs, run.parameters, strict=True))
        self._kept, self._late, self._command, self._memory = moment.kept, moment.late, moment.command, moment.memory
        if self._said is not None and moment.memory is None:
            self._memory = cast(Sampled, setup.sampled).law.start(setup.state0)
        self._hold()
        self._enter(min(t for t in (*setup.stops[1:], float(times[-1])) if t > setup.start_s))

    def _atol(self, y_0: Array) -> Array:
        """Return the absolute errors of all entries: of derivatives those of states over the size of the number."""
        setup, own = self.setup, float(self.setup.atol[0])
        of_state = self.frame.tolerances(setup.state0, y_0, own)
        pairs = zip(self.variations.names, self.variations.shapes, strict=True)
        sizes = [abs(np.ravel(self.values.get(name, np.ones(shape)))) for name, shape in pairs]
        scales = np.concatenate([np.where(size > 0, size, size.max(initial=0.0) or 1.0) for size in sizes])
        return np.concatenate([of_state, np.repeat(own / scales, self.variations.width)])

    def _enter(self, stop: float) -> None:
        """Make ready for the stretch that ends at `stop`: unit quaternions, numbers of the reference, the next command."""
        run, setup, rows = self._run, self.setup, self._rows
        run.unit(self.variations.quaternions)
        for place in self.variations.quaternions:
            unit = run.y[place : place + 4]
            rows[:, place : place + 4] -= np.outer(rows[:, place : place + 4] @ unit, unit)
        self._put(rows)
        if self._said is None:
            middle = (run.t + stop) / 2
            self.given[REFERENCE][:] = numbers_at(setup.reference, middle)
            if REFERENCE in self.variations.carried:
                self.given[varied(REFERENCE)][:] = cast(VariationPlan, self.plan).reference(middle)
        elif cast(Sampled, setup.sampled).is_sample(run.t):
            self._sample(self._said)

    def _sample(self, said: SampledCommand) -> None:
        """Let a sampled law look at the state and at how it changes."""
        run, program = self._run, self.variations.command(said)
        reference = numbers_at(self.setup.reference, run.t)
        own = {
            **self.given,
            **said.law.numbers,
            "t": np.array(run.t),
            "x": self._x,
            varied("x"): self._rows,
            REFERENCE: reference,
        }
        if self.plan is not None and REFERENCE in self.plan.names:
            own[varied(REFERENCE)] = self.plan.reference(run.t)
        outs = [np.empty(output.shape) for output in program.program.outputs]
        program(*(own[i.name] for i in program.program.inputs), *outs)
        law = _answering(cast(Sampled, self.setup.sampled).law, np.concatenate([outs[0], outs[1].ravel()]))
        found, self._memory = law.command(run.t, self.setup.state0, None, self._memory)
        self._command = found.reshape(-1, len(outs[0]))
        self._hold()

    def _hold(self) -> None:
        """Let the command, joint forces at its end, be the same until further notice."""
        if self._command is not None:
            size = self._command.shape[1]
            self.given[HELD][-size:], self.given[varied(HELD)][:, -size:] = self._command[0], self._command[1:]

    def _reach(self, stop: float) -> None:
        """Go on to `stop`; under constraints state and derivatives are brought back to them on the way."""
        run, setup, holds = self._run, self.setup, self.frame.plant.holding is not None
        size, most = setup.integrator.length_s or -boldness(setup.rtol), DRIFT_STEPS if holds else setup.max_steps
        status = OdeStatus.TOO_MANY_STEPS
        while status is OdeStatus.TOO_MANY_STEPS and run.steps < setup.max_steps:
            status = run.to(stop, first_step=size, max_steps=most)
            size = run.next_step
            if holds:
                self._bring_back()
        if status is not OdeStatus.DONE:
            raise NumericalFailure(f"the derivatives of the run come to an end at t = {run.t:.9g} s: {status.name}")

    def _bring_back(self) -> None:
        program, m = self.variations.back, self.variations.width
        clock = np.array(self._run.t + self.frame.plant.clock_s)
        own = {**self.given, "x": self._x, "t": clock, varied("x"): self._rows}
        outs = [np.empty(output.shape) for output in program.program.outputs]
        program(*(own[i.name] for i in program.program.inputs), *outs)
        self._run.y[:m] = outs[0]
        self._put(outs[1])

    def _switch(self, phrases: Sequence[str]) -> None:
        """Let derivatives jump where a load has just changed: by the jump of the rates times the change of the time."""
        known = LoadSwitches(self.frame.plant).names(self.frame.model)
        for phrase in phrases:
            before, after = (2 * self.x_dot(self.end, way) - self.x_dot(self.end, 2 * way) for way in (-SLIVER, SLIVER))
            later = self._moved_times(self._switching(known.index(phrase)), self.end, before)
            self._put(self._rows + np.outer(later, before - after))

    def _switching(self, place: int) -> Number:
        """Return a switching function of the loads."""
        plant, layout = self.frame.plant, self.frame.layout

        def number(model: Model, t: float, x: Array) -> float:
            own = plant if model is plant.model else replace(plant, model=model)
            return float(LoadSwitches(own).values(model, t, State.renormalised(x, layout), _no_force)[place])

        return number


def _kept_otherwise(holding: Holding | None, moment: Moment, way: float, k: int) -> Holding | None:
    """Return how constraints hold that keep what they do a little along a direction."""
    if holding is None:
        return None
    return replace(holding, kept=holding.kept + way * kept_rates(holding, moment.kept, len(moment.rows))[k])


class _Answer(Controller):
    """A law that says what is known."""

    def __init__(self, command: Array) -> None:
        self._command = command

    def command(self, t: float, state: State, reference: Sample | None, memory: Any) -> tuple[Array, Any]:
        del t, state, reference
        return self._command, memory


def _answering(law: Controller, command: Array) -> Controller:
    """Return what laws that pass commands on, their sums at several times, make of a command that is known."""
    return law.around((_answering(law.law, command),)) if asks_inside(law) else _Answer(command)


def _no_force() -> Any:
    raise InvalidInput(Problem("sensitivities", "events of places, speeds and times", "one that looks at forces"))
