"""What sensors and estimators say, looked at before a run and where they look first: of the kind and number that they say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..errors import InvalidInput, Problem
from ..spatial import is_number, real
from ..system import State, System
from ._instant import Instant
from ._sensor import Sensor


def sensor_problems(sensor: Sensor, system: System) -> Iterator[Problem]:
    """Yield what is wrong with what a sensor says of itself."""
    rate, latency, draws = sensor.rate_Hz, sensor.latency_s, sensor.draws(system)
    if not (rate is None or (is_number(rate) and rate > 0)):
        yield Problem(f"{sensor.label} rate_Hz", "a finite number > 0, or None", repr(rate))
    if not (is_number(latency) and latency >= 0):
        yield Problem(f"{sensor.label} latency_s", "a finite number >= 0", repr(latency))
    if not (is_number(draws) and draws >= 0 and draws == int(draws)):
        yield Problem(f"{sensor.label} draws", "a whole number >= 0", repr(draws))
    yield from label_problems(f"{sensor.label} labels", sensor.labels(system))


def read(sensor: Sensor, instant: Instant, period_s: float, noise: Any, memory: Any, *, first: bool) -> tuple[Any, Any]:
    """Return what a sensor says and remembers; raises `InvalidInput` for what is no such pair, or says another number."""
    said: Any = sensor.read(instant, period_s, noise, memory)
    if not (isinstance(said, tuple) and len(said) == 2):
        raise InvalidInput(Problem(f"{sensor.label} read", "a pair (values, memory)", repr(said)))
    if first:
        refuse_unlike(f"{sensor.label} read", said[0], (len(sensor.labels(instant.system)),))
    return said


def estimator_problems(estimator: Any, system: System, sensors: Mapping[str, Sensor]) -> Iterator[Problem]:
    """Yield what is wrong with what an estimator says of itself."""
    yield from label_problems(f"{estimator.label} labels", estimator.labels(system, sensors))
    yield from label_problems(f"{estimator.label} error_labels", estimator.error_labels(system), least=0)


def refuse_others(estimator: Any, truth: Instant, outlets: Mapping[str, Any], memory: Any) -> None:
    """Raise `InvalidInput` where what an estimator says is something else than its labels say."""
    sensors = {name: outlet.sensor for name, outlet in outlets.items()}
    refuse_unlike(f"{estimator.label} values", estimator.values(memory), (len(estimator.labels(truth.system, sensors)),))
    count = len(estimator.error_labels(truth.system))
    if count:
        refuse_unlike(f"{estimator.label} errors", estimator.errors(truth, outlets, memory), (count,))
        refuse_unlike(f"{estimator.label} covariance", estimator.covariance(memory), (count, count))


def known_state(label: str, said: Any) -> State:
    """Return a state that a part of that label tells; raises `InvalidInput` for what is none."""
    if not isinstance(said, State):
        raise InvalidInput(Problem(f"{label} told", "a State", repr(said)))
    return said


def label_problems(key: str, labels: Any, least: int = 1) -> Iterator[Problem]:
    """Yield a problem where labels are not so many pairs of texts."""
    if not (_are_rows(labels) and len(labels) >= least and all(_are_rows(one) and _are_texts(one) for one in labels)):
        yield Problem(key, "pairs of a name and a unit, such as (('t', 's'),)", repr(labels))


def _are_rows(given: Any) -> bool:
    return isinstance(given, tuple | list)


def _are_texts(pair: Any) -> bool:
    return len(pair) == 2 and all(isinstance(text, str) for text in pair)


def refuse_unlike(key: str, said: Any, shape: tuple[int, ...]) -> None:
    """Raise `InvalidInput` for what are no numbers of a shape."""
    try:
        fits = real(said).shape == shape
    except (TypeError, ValueError):
        fits = False
    if not fits:
        raise InvalidInput(Problem(key, f"numbers of shape {shape}, as its labels say", repr(said)))
