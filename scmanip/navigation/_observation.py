"""What laws see in the place of what is true."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

from ..dynamics import Model
from ..errors import Problem, checked, misfits, refuse
from ..system import State
from ._answers import estimator_problems, known_state, refuse_others, sensor_problems
from ._estimator import Estimator
from ._instant import Instant
from ._noise import white
from ._outlet import CLOSE, Outlet, looked, steps_between, told_by
from ._sensor import Sensor


class Known(NamedTuple):
    """What is known at one sample of a law.

    sample : its number, 0 at the start of a run that goes on with no other
    now_s : when [s], as of `Instant.now_s`; rate_Hz : how often the law looks
    state : what the law sees
    outlets : what sensors have said, by name
    memories : what estimators know, by name
    truth : what there was to see; None once the run is over
    before : what was known at the sample before; None at the first, and of that one

    >>> from scmanip.control import Sampled
    >>> seen = Observation([Encoders("encoders", resolution=0.01)])
    >>> run = scmanip.simulate(plant, Sampled(law, rate_Hz=10.0), state, reference=reference, t_end_s=1.0, observation=seen)
    >>> run.known.sample, list(run.known.outlets), run.known.truth
    (9, ['encoders'], None)
    """

    sample: int
    now_s: float
    rate_Hz: float
    state: State
    outlets: Mapping[str, Outlet]
    memories: Mapping[str, Any]
    truth: Instant | None
    before: Known | None

    @property
    def kept(self) -> Known:
        """What another run may go on with."""
        before = self.before and self.before._replace(truth=None)
        return self._replace(truth=None, before=before)


@checked
@dataclass(frozen=True, eq=False)
class Observation:
    """What a sampled law sees: the true state, with what sensors say in the place of what they measure, and then what
    estimators say, in their order. Without any it is the truth.

    Noise is that of `white`: it depends on seed, case, the name of the sensor and the number of its look, and on nothing else.

    sensors, estimators : whose names all differ
    seed, case : whole numbers >= 0 by which chance differs
    since : what was known where another run ended with which this one goes on, `history.known`; None at the start

    Raises `InvalidInput` for parts of the wrong kind, names that are used twice, and an estimator without a sensor it needs.

    >>> from scmanip.control import Sampled
    >>> seen = Observation([Encoders("encoders", noise=1e-3)], seed=7, case=2)
    >>> run = scmanip.simulate(plant, Sampled(law, rate_Hz=10.0), state, reference=reference, t_end_s=1.0, observation=seen)
    >>> run.measured_encoders.shape[1], seen.is_truth, Observation().is_truth
    (4, False, True)
    """

    sensors: Sequence[Sensor] = ()
    estimators: Sequence[Estimator] = ()
    seed: int = 0
    case: int = 0
    since: Known | None = None

    def __post_init__(self) -> None:
        problems = _kind_problems("sensors", self.sensors, Sensor, "Gyro(...)")
        problems += _kind_problems("estimators", self.estimators, Estimator, "AttitudeFilter(...)")
        for key in ("seed", "case"):
            number = getattr(self, key)
            if not isinstance(number, int) or isinstance(number, bool) or number < 0:
                problems.append(Problem(key, "a whole number >= 0", repr(number)))
        refuse(problems)
        vars(self).update(sensors=tuple(self.sensors), estimators=tuple(self.estimators))
        refuse([*self._name_problems(), *self._source_problems()])

    def _name_problems(self) -> list[Problem]:
        """Return a problem for every name that another one has."""
        parts: tuple[Sensor | Estimator, ...] = (*self.sensors, *self.estimators)
        before = [{other.name for other in parts[:k]} for k in range(len(parts))]
        expected = "a name used once among sensors and estimators"
        return [
            Problem(f"{each.label} name", expected, f"{each.name!r} again")
            for each, names in zip(parts, before, strict=True)
            if each.name in names
        ]

    def _source_problems(self) -> list[Problem]:
        """Return a problem for every sensor that an estimator needs and that is not there."""
        return [
            Problem(
                f"{each.label} needs", f"a {kind.kind} called {name!r}", ", ".join(s.label for s in self.sensors) or "no sensor"
            )
            for each in self.estimators
            for name, kind in each.sources
            if not isinstance(self.by_name.get(name), kind)
        ]

    @cached_property
    def by_name(self) -> dict[str, Sensor]:
        """The sensors by name."""
        return {sensor.name: sensor for sensor in self.sensors}

    @property
    def is_truth(self) -> bool:
        """Whether laws see what is true."""
        return not (self.sensors or self.estimators)

    def check(self, model: Model, rate_Hz: float, *, begins_s: float = 0.0) -> None:
        """Raise `InvalidInput`, `ModeMismatch` or `UnknownName` where it cannot look at a system for a law of that rate.

        begins_s : when the run begins, as of `Instant.now_s` [s]
        """
        parts: tuple[Sensor | Estimator, ...] = (*self.sensors, *self.estimators)
        for part in parts:
            self.check_part(part, model, rate_Hz)
        if self.since is not None and self.since.rate_Hz != rate_Hz:
            expected = f"a law that looks as often as that before, at {self.since.rate_Hz:g} Hz"
            refuse([Problem("controller rate_Hz", expected, f"{rate_Hz:g}")])
        if self.since is not None and begins_s < self.since.now_s - CLOSE / rate_Hz:
            expected = f"a plant whose clock_s is {self.since.now_s:g} s or later, when something was known last"
            refuse([Problem("observation since", expected, f"{begins_s:g} s")])

    def check_part(self, part: Sensor | Estimator, model: Model, rate_Hz: float) -> None:
        """Raise the same where one of its sensors or estimators cannot."""
        if isinstance(part, Estimator):
            part.check(model, self.by_name, rate_Hz)
            refuse(estimator_problems(part, model.system, self.by_name))
            return
        part.check(model)
        refuse(sensor_problems(part, model.system))
        if not steps_between(part, rate_Hz):
            expected = f"{rate_Hz:g} Hz of the law, or a whole part of it"
            refuse([Problem(f"{part.label} rate_Hz", expected, f"{part.rate_Hz:g}")])

    def look(self, truth: Instant, rate_Hz: float, last: Known | None) -> Known:
        """Return what is known at a sample of a law that looks `rate_Hz` times a second; last : what was known before it."""
        last = self.since if last is None else last
        if last is not None and abs(truth.now_s - last.now_s) * rate_Hz < CLOSE:  # the same time again, in another state
            last = last.before
        sample, chance = 0 if last is None else last.sample + 1, (self.seed, self.case)
        outlets = {
            each.name: looked(Outlet(each) if last is None else last.outlets[each.name], truth, sample, rate_Hz, chance)
            for each in self.sensors
        }
        known, memories = replace(truth, state=told_by(outlets.values(), truth)), {}
        for each in self.estimators:
            memory = self._start(each, truth, outlets) if last is None else last.memories[each.name]
            memories[each.name] = memory = each.step(known, outlets, memory)
            if last is None:
                refuse_others(each, truth, outlets, memory)
            known = replace(known, state=known_state(each.label, each.told(known, outlets, memory)))
        outlets = {name: outlet.knowing(known.state) for name, outlet in outlets.items()}
        before = last and last._replace(before=None)
        return Known(sample, truth.now_s, rate_Hz, known.state, outlets, memories, truth, before)

    def _start(self, estimator: Estimator, truth: Instant, outlets: Mapping[str, Outlet]) -> Any:
        count = len(estimator.error_labels(truth.system))
        return estimator.start(truth, outlets, white(self.seed, self.case, estimator.name, 0, count))


def _kind_problems(key: str, given: Any, kind: type[Any], such_as: str) -> list[Problem]:
    if isinstance(given, Sequence) and all(isinstance(each, kind) for each in given):
        return [problem for each in given for problem in misfits(each)]
    return [Problem(key, f"a sequence of {key} such as {such_as}", repr(given))]
