"""Check what a user gives to `ensemble` and lay out the runs."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, cycle, pairwise
from numbers import Integral
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...control import Controller, RecordedLaw, Sampled, as_controller, at_a_look, recorded_law
from ...dynamics import Model
from ...errors import InvalidInput, Problem, expect, refuse
from ...guidance import PoseReference, RecordableReference, ReferenceForm, numbers_at, recorded_form
from ...navigation import Observation
from ...plant import KEPT, Plant, PlantParts, plant_numbers
from ...spatial import Array, real
from ...system import State, check_cases, state_problems
from ..coordinates._frame import RunCoordinates
from ..coordinates._full_state import FullState
from ..equations._held import HELD, NOTHING
from ..equations._recorded_loop import PACE, LoopParts
from ..events._event import Event
from ..events._numbers import event_problems, number_problems, phrases_of, row_of
from ..integrators._integrator import is_a
from ..loop._counts import command_problems, kept_problems, sample_problems, step_problems
from ..loop._native import DRIFT_STEPS
from ..loop._prepare import sample_times
from ._ensemble_memory import begin, with_room
from ._ensemble_pace import EnsemblePace
from ._ensemble_samples import EnsembleSamples, Following
from ._ensemble_seeing import EnsembleSeeing
from ._ensemble_start import held, with_corners
from ._ensemble_turns import Turns, latest, same_cases

METHODS = ("dop853", "rk4")
LONGEST = 64  # stops that one call comes by, so that memory stays that of what is kept
MOST_PARTS = 1000  # of a stretch between corners, unless outputs are closer
NOTHING_MORE: Mapping[str, Array] = {}
EVEN = 1e-9  # relative difference of lengths that are taken for equal


@dataclass(frozen=True, eq=False)
class EnsembleSetup:
    """Runs before they start.

    closed : coordinates, law and form of reference
    references : one for all or one per run, with the same corners
    y_0 : (n, n_y); numbers : of every parameter but the reference's, for all (shape) or per run (n, shape), and its shape
    stops, outputs, corners : times [s]; with limits of actuators, or an event that ends runs, every step ends at a stop; the
        corners of the references, and of constraints, lie inside
    until : with what each of the runs ends, if it happens before the end of all
    sampled : a law that looks now and then; its commands are numbers of the loop, and its times of sampling the corners
    pace : where the runs have corners and ends of their own, on which clocks; `stops` are those of the first
    ends_s : (n,) when each of them ends at the latest [s], where a sampled law leads them to ends of their own
    seeing : what the law sees of each in the place of the truth; None where it sees that
    """

    closed: LoopParts
    references: Sequence[RecordableReference]
    y_0: Array
    numbers: Mapping[str, tuple[Array, tuple[int, ...]]]
    stops: tuple[float, ...]
    outputs: Array
    corners: tuple[float, ...]
    step_s: float
    method: str
    threads: int
    until: Event | None = None
    sampled: EnsembleSamples | None = None
    pace: EnsemblePace | None = None
    ends_s: Array | None = None
    seeing: EnsembleSeeing | None = None
    _rows: dict[float, Array] = field(default_factory=dict)
    _asked: list[float] = field(default_factory=list)

    def some(self, which: slice | NDArray[np.intp]) -> EnsembleSetup:
        """Return some of the runs."""
        numbers = {n: (a if a.ndim == len(shape) else a[which], shape) for n, (a, shape) in self.numbers.items()}
        references = self.references if len(self.references) == 1 else [*np.array(self.references, dtype=object)[which]]
        pace, ends_s = None if self.pace is None else self.pace.some(which), None if self.ends_s is None else self.ends_s[which]
        y_0, seeing = self.y_0[which], None if self.seeing is None else self.seeing.some(which)
        return replace(self, numbers=numbers, references=references, y_0=y_0, pace=pace, ends_s=ends_s, seeing=seeing, _rows={})

    def fastest(self, y: Array) -> Array:
        """Return the largest speeds (...,) of vectors (..., n_y)."""
        return np.asarray(np.abs(y[..., self.closed.frame.places.speeds]).max(axis=-1, initial=0.0))

    @property
    def legs(self) -> list[tuple[float, ...]]:
        """Stops that one call can come by: evenly spaced, with no corner of the reference between."""
        corners, most = set(self.corners), LONGEST if self.until is None and self.ends_s is None else 1
        legs = [[self.stops[0]]]
        for stop in self.stops[1:]:
            leg = legs[-1]
            apart = stop - leg[-1]
            longest = most if self.kept is None else min(most, max(1, DRIFT_STEPS // _steps(apart, self.step_s)))
            if len(leg) > 1 and (len(leg) > longest or leg[-1] in corners or abs(apart - leg[1] + leg[0]) > EVEN * apart):
                leg = [leg[-1]]
                legs.append(leg)
            leg.append(stop)
        return [tuple(leg) for leg in legs]

    @cached_property
    def _following(self) -> Following:
        return Following(self.references)

    def ask(self, t: float, y: Array) -> None:
        """Let a sampled law look at y (n, n_y), if it is time."""
        if self.sampled is not None and self.sampled.law.is_sample(t) and t not in self._asked:
            self._asked[:] = [t]  # a leg may be flown again by some of the runs
            known = {name: array for name, (array, _) in self.numbers.items()}
            x = y[:, : self.closed.frame.layout.n_x]
            if self.seeing is not None:
                x = self.seeing.look(self.closed.frame.plant, t, x, self.numbers[HELD][0])
            self.numbers[HELD][0][:] = self.sampled.said(t, x, self._following, known, self.threads)

    def advanced(self, y: Array, leg: tuple[float, ...], more: Mapping[str, Array] = NOTHING_MORE) -> tuple[Array, Array]:
        """Return y (n, k, n_y) at the k stops of a leg after its start, from there, and estimated errors (n, n_y).

        more : parameters (n, ...) that are not `numbers`
        """
        start, apart = leg[0], (leg[-1] - leg[0]) / (len(leg) - 1)
        steps = _steps(apart, self.step_s)
        given, loop, errors = self.given(leg, more), self.closed.loop, np.empty_like(y)
        parameters, count = [given[name] for name in loop.names], steps * (len(leg) - 1)
        run = loop.ode.ensemble(
            start, y, apart / steps, count, *parameters, method=self.method, every=steps, threads=self.threads, errors=errors
        )
        return run[:, 1:], errors

    def limited(self, t: Array, y: Array, leg: tuple[float, ...], more: Mapping[str, Array] = NOTHING_MORE) -> Array:
        """Return (n,) whether limits of actuators act in states y (n, n_y) at times t (n,) [s] of a leg."""
        result = np.zeros(len(y))
        if unmet := self.closed.unmet:
            given = {**self.given(leg, more), "t": t, "y": np.ascontiguousarray(y)}
            unmet.batch(*(given[item.name] for item in unmet.program.inputs), result, threads=self.threads)
        return result > 0

    def given(self, leg: tuple[float, ...], more: Mapping[str, Array] = NOTHING_MORE) -> dict[str, Array]:
        """Return every parameter on a leg, for all runs or per run."""
        known, middle = {name: array for name, (array, _) in self.numbers.items()}, (leg[0] + leg[1]) / 2
        pace = {} if self.pace is None else {PACE: self.pace.numbers(middle)}
        return {"reference": self._reference(middle), **known, **self._prepared, **pace, **more}

    @cached_property
    def _prepared(self) -> dict[str, Array]:
        """What is done once for each of the runs, as a parameter."""
        return self.closed.loop.prepared({name: array for name, (array, _) in self.numbers.items()}, self.threads)

    @property
    def hardware(self) -> dict[str, Array]:
        """The numbers of the hardware that are inputs of programs, for all or (n, ...) of each of the runs."""
        return {name: self.numbers[name][0] for name in plant_numbers(self.closed.frame.model)}

    @property
    def kept(self) -> Array | None:
        """(k,) or (n, k) what constraints that hold keep; None without any."""
        return self.numbers[KEPT][0] if KEPT in self.numbers else None

    def differs(self, name: str, value: Array) -> bool:
        """Whether a parameter as `given` has the runs in front."""
        own = self.numbers.get(name)
        return value.ndim > (len(own[1]) if own else 1)

    def _reference(self, t: float) -> Array:
        """Return the numbers of the references in the stretch in which `t` [s] lies, for all runs or per run."""
        if self.sampled is not None:
            return NOTHING
        stretch = max((corner for corner in self.corners if corner < t), default=0.0)
        if stretch not in self._rows:
            if self.pace is None:
                rows = [numbers_at(reference, t) for reference in self.references]
            else:
                own = self.pace.at(np.array([t]))[:, 0].tolist()
                rows = [numbers_at(each, at) for each, at in zip(cycle(self.references), own, strict=False)]
            self._rows[stretch] = rows[0] if len(rows) == 1 else np.array(rows)
        return self._rows[stretch]


def prepare_ensemble(
    parts: Plant | PlantParts,
    controller: Any,
    states0: Any,
    *,
    reference: Any,
    t_end_s: Any,
    step_s: float,
    method: str,
    output_step_s: float | None,
    between_corners: int,
    parameters: Mapping[str, ArrayLike],
    threads: int,
    until: Event | None,
    observation: Observation | None = None,
) -> EnsembleSetup:
    """Return the checked runs; raises `InvalidInput` with every problem at once, `ModeMismatch` for a wrong pair."""
    if not isinstance(parts, Plant):
        if parts.problems:
            raise InvalidInput(parts.problems)
        parts = Plant.of(parts)
    plant, model = parts, parts.model
    expect("parameters", parameters, Mapping, "a table of names of parameters and their numbers")
    expect("method", method, str, f"one of {', '.join(METHODS)}")
    expect("until", until, Event | None, "an event such as Near(...), or None")
    references = list(reference) if isinstance(reference, Sequence) and len(reference) else [reference]
    law, form = as_controller(controller, plant.mode), _common_form(references)
    problems = number_problems({"t_end_s": latest(t_end_s), "step_s": step_s}, {"output_step_s": output_step_s})
    sampled = law if isinstance(law, Sampled) else None
    inside = at_a_look(law, plant.mode.command_size(plant.layout))
    problems += _part_problems(plant, inside, form, references)
    problems += _choice_problems(method, between_corners, states0)
    problems += [] if problems or sampled is None else command_problems("controller rate_Hz", latest(t_end_s), sampled.rate_Hz)
    refuse(problems)
    law.check(model, plant.mode)
    recorded = cast(RecordedLaw, recorded_law(inside))
    plant, states0 = with_room(plant, law, plant.at_rest(states0))
    own = {**plant_numbers(model), **recorded.numbers, **plant.inputs}
    numbers, cases = _numbers(model, own, parameters)
    cases, paced = same_cases(cases, t_end_s), sampled is None and np.ndim(t_end_s) > 0
    y_0 = _starts(RunCoordinates(FullState(), plant, np.empty(0)), states0, cases if len(references) == 1 else len(references))
    samples = None if sampled is None else EnsembleSamples.of(plant, sampled, cast(ReferenceForm, form))
    refuse(_many_problems(plant, references, y_0, cases, until, samples, paced=paced))
    refuse(_knowledge_problems(plant, law, y_0))
    refuse(plant.start_problems(states0))
    if plant.constraints and plant.holding is None:
        plant, kept = held(plant, State.renormalised(y_0[:, : plant.layout.n_x], plant.layout), numbers)
        numbers[KEPT] = kept, kept.shape[1:]
    frame = RunCoordinates(FullState(), plant, np.empty(0))
    closed = LoopParts(frame, cast(ReferenceForm, form), recorded, paced) if samples is None else samples.held(frame)
    fixed = {"bounds": np.zeros(2), **closed.numbers(model.layout.neutral())}
    numbers |= {name: (array, array.shape) for name, array in fixed.items() if name not in numbers}
    numbers |= {} if samples is None else {HELD: (np.zeros((len(y_0), samples.size)), (samples.size,))}
    begin(y_0, numbers, recorded, closed, samples)
    seeing = EnsembleSeeing.of(observation, plant, law, numbers, len(y_0))
    turns = Turns.of(t_end_s, references, sampled, len(y_0))
    turns = turns._replace(times=with_corners(turns.times, plant, numbers))
    t_end_s = turns.times[-1]
    _refuse_too_many(t_end_s, step_s, output_step_s, between_corners * len(turns.times), y_0)
    outputs = np.array([0.0, t_end_s]) if output_step_s is None else sample_times(t_end_s, output_step_s)
    outputs = outputs if not between_corners else _divided(turns.times, output_step_s or t_end_s, between_corners)
    outputs = outputs if samples is None else samples.on_samples(outputs)
    stops = tuple(sorted({*turns.times, *outputs.tolist()}))
    stops = stops if plant.holding is None else _step_ends(stops, DRIFT_STEPS * step_s)
    stops = stops if closed.unmet is None and until is None and turns.ends_s is None else _step_ends(stops, step_s)
    led = method, threads, until, samples, turns.pace, turns.ends_s, seeing
    return EnsembleSetup(closed, references, y_0, numbers, stops, outputs, turns.times[1:-1], step_s, *led)


def _choice_problems(method: str, between_corners: Any, states0: Any) -> Iterator[Problem]:
    """Yield a problem for each of these that is none of its choices, or of another kind."""
    if method not in METHODS:
        yield Problem("method", f"one of {', '.join(METHODS)}", repr(method))
    if not (is_a(Integral, between_corners) and 0 <= between_corners <= MOST_PARTS):
        yield Problem("between_corners", f"a whole number from 0 to {MOST_PARTS}", repr(between_corners))
    if not isinstance(states0, State):
        yield Problem("states0", "a State, of one case or of many", repr(states0))


def _common_form(references: Sequence[Any]) -> ReferenceForm | None:
    """Return the form that all references have; None where they differ in it, or are not recorded."""
    first, *others = (recorded_form(reference) for reference in references)
    return (
        first if all(form is not None and first is not None and form.described == first.described for form in others) else None
    )


def _many_problems(
    plant: Plant,
    references: Sequence[RecordableReference],
    y_0: Array,
    cases: int | None,
    until: Event | None,
    samples: EnsembleSamples | None,
    *,
    paced: bool,
) -> Iterator[Problem]:
    """Yield what keeps runs with references or ends of their own, or that end by themselves, from being flown together."""
    if len(references) > 1 and cases not in (None, len(references)):
        yield Problem("reference", f"one for all, or {cases}, as the parameters have cases", f"{len(references)}")
    if paced and plant.corners:
        hint = "a Sampled law goes with it; otherwise call simulate in a loop"
        yield Problem("t_end_s", "no constraint that closes beside ends of their own", "one", hint=hint)
    if samples is None and not paced and any(tuple(each.corners_s) != tuple(references[0].corners_s) for each in references):
        hint = "a Sampled law follows any; otherwise call simulate in a loop"
        yield Problem("reference", "references with the same corners_s", "others", hint=hint)
    if until is not None:
        refuse(event_problems(until))
        start, count = State.renormalised(y_0[:1, : plant.layout.n_x], plant.layout), len(phrases_of(until, plant.model))
        said = until.of_many(plant.model.batch, np.zeros(1), start)
        if said is not None:
            row_of(until, said, (1, count), names="of_many")
        else:
            hint = "call simulate in a loop"
            yield Problem("until", "an event that is known of many runs at once, such as Near(...)", repr(until), hint=hint)


def _knowledge_problems(plant: Plant, law: Controller, y_0: Array) -> Iterator[Problem]:
    """Yield a problem for a law that does not know yet what constraints hold, which is another thing in every case."""
    start = State.renormalised(y_0[0, : plant.layout.n_x], plant.layout)
    if plant.holds and law.holding(plant.holds, start) is not law:
        hint = 'law.holding(names, state), and the "estimate_inertia" of each case where they differ'
        yield Problem("controller", "a law that knows what is held", repr(law), hint=hint)


def _divided(turns: tuple[float, ...], step_s: float, least: int) -> Array:
    """Return times between corners, with them: each stretch divided evenly."""
    stretches = [np.linspace(a, b, max(least, _steps(b - a, step_s)) + 1)[1:] for a, b in pairwise(turns)]
    return np.concatenate([[0.0], *stretches])


def _step_ends(stops: tuple[float, ...], step_s: float) -> tuple[float, ...]:
    """Return the ends of all steps between stops, with the stops."""
    ends = [stops[:1]]
    for start, stop in pairwise(stops):
        steps = _steps(stop - start, step_s)
        ends.append((*(start + (stop - start) * k / steps for k in range(1, steps)), stop))
    return tuple(chain.from_iterable(ends))


def _steps(apart: float, step_s: float) -> int:
    """Return into how many steps a stretch is divided."""
    return max(1, math.ceil(apart / step_s * (1 - EVEN)))


def _refuse_too_many(t_end_s: float, step_s: float, output_step_s: float | None, more: int, y_0: Array) -> None:
    """Raise `InvalidInput` for numbers that ask for more than memory or patience has."""
    cases, size = y_0.shape
    problems = sample_problems("output_step_s", t_end_s, output_step_s, size) + step_problems("step_s", t_end_s, step_s)
    if not problems:
        problems = kept_problems(cases, more + (2 if output_step_s is None else int(t_end_s / output_step_s) + 2), size)
    refuse(problems)


def _part_problems(
    plant: Plant, controller: Controller, form: ReferenceForm | None, references: Sequence[Any]
) -> list[Problem]:
    """Return a problem for every part that cannot run in machine code."""
    found, law = list(plant.obstacles), recorded_law(controller)
    held = [] if plant.holding is None else [*plant.holding.stack.limits, *plant.holding.stack.pushing]
    if slack := [*plant.slips, *held]:
        hint = "call simulate in a loop; studies of missions fly such cases one by one"
        found.append(Problem("plant", "constraints that neither slip nor let go", ", ".join(map(repr, slack)), hint=hint))
    if plant.contacts:
        hint = "call simulate in a loop; studies of missions fly such cases one by one"
        found.append(Problem("plant", "no rigid contacts", ", ".join(map(repr, plant.touching.places)), hint=hint))
    if plant.loading.switches:
        hint = "steps of one length do not meet their zeros; call simulate in a loop"
        found.append(Problem("loads", "loads without switching functions", ", ".join(plant.loading.switches), hint=hint))
    if law is None:
        hint = "for other laws call simulate in a loop"
        expected = "a law that is recorded, such as ComputedTorque, or Sampled(...) of one"
        found.append(Problem("controller", expected, f"one in Python, {controller.kind}", hint=hint))
    if form is None:
        expected = "a reference that is recorded, such as JointSequence or Hold, or one per run, all of one form"
        found.append(Problem("reference", expected, repr(references[0]) if len(references) == 1 else repr(references)))
    elif law is not None and not law.can_follow(form):
        frame = law.follows is PoseReference
        expected = "a motion of a frame, such as Reach" if frame else "a motion of the joints, such as JointSequence or Hold"
        found.append(Problem("reference", f"{expected}, which this law follows", repr(references[0])))
    return found


def _numbers(
    model: Model, own: Mapping[str, Array], given: Mapping[str, ArrayLike]
) -> tuple[dict[str, tuple[Array, tuple[int, ...]]], int | None]:
    """Return all numbers with their shapes, and how many runs those that were given are for."""
    numbers = {name: (np.asarray(array, dtype=np.float64, order="C"), np.shape(array)) for name, array in own.items()}
    problems, cases = [], None
    for called, value in given.items():
        name = called if called in own else str(called).removeprefix("system.")
        if name not in own:
            problems.append(Problem(f"parameters '{called}'", f"one of {', '.join(own)}", repr(called), hint=_hint(called)))
            continue
        shape = np.shape(own[name])
        words = f"finite numbers of shape {shape} or (n, {', '.join(map(str, shape))})"
        try:
            array = np.asarray(real(value), order="C")
        except (TypeError, ValueError):
            problems.append(Problem(f"parameters '{name}'", words, repr(value)))
            continue
        array = np.broadcast_to(array, shape).copy() if array.ndim == 0 else array
        if array.shape[array.ndim - len(shape) :] != shape or array.ndim > len(shape) + 1 or not np.isfinite(array).all():
            problems.append(Problem(f"parameters '{name}'", words, f"shape {array.shape}"))
            continue
        if array.ndim > len(shape):
            if cases is not None and len(array) != cases:
                problems.append(Problem(f"parameters '{name}'", f"{cases} cases, as others have", f"{len(array)}"))
            cases = len(array)
        numbers[name] = (array, shape)
    refuse(problems)
    check_cases(model.system, {name: numbers[name][0] for name in model.symbols})
    return numbers, cases


def _hint(name: str) -> str:
    """Return what lets a number of the hardware be given."""
    return "compile_model(system, symbols=[...]) has numbers of the system as inputs" if "." in name else ""


def _starts(frame: RunCoordinates, states0: State, cases: int | None) -> Array:
    """Return y (n, n_y) at t = 0."""
    x = np.atleast_2d(states0.x)
    problems = state_problems(states0, frame.layout, batch=states0.x.ndim == 2)
    if not problems and cases is not None and len(x) not in (1, cases):
        problems = [Problem("states0", f"1 state or {cases}, as the parameters have cases", f"{len(x)}")]
    if problems:
        raise InvalidInput([Problem("states0", p.expected, p.found) for p in problems])
    if not len(x) or cases == 0:
        raise InvalidInput(Problem("states0", "one state or more, and parameters of as many cases", "none"))
    n = len(x) if cases is None else cases
    return np.concatenate([np.broadcast_to(x, (n, x.shape[1])), np.zeros((n, frame.plant.n_books))], axis=1)
