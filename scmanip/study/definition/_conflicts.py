"""What parts of a study that are right in themselves may have against each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from ...channels import PLAIN, plain_unit, unit_of
from ...errors import InvalidInput, Problem, folded, nearest
from ..rows._checks import check_whole
from ._stop import SUCCESS, UntilInterval, quantity
from ._written import Place

if TYPE_CHECKING:
    from ._definition import Definition

Found = Iterator[tuple[Place, Problem]]


def conflicts(study: Definition, metrics: Collection[str], varied: int) -> Found:
    """Give every problem and the part it is about.

    metrics, varied : names of the metrics, and number of entries of [design] and [dispersion], that were given (-1: not
        known); those that are wrong in themselves are not in `study`, and what hangs on them is not judged
    """
    names = dict.fromkeys([*(metric.name for metric in study.metrics), *metrics])
    yield from _counts(study)
    if len(study.design) + len(study.dispersion) == varied:
        yield from _varied(study)
    yield from _names(study, names)
    if not names:
        yield ("metrics",), Problem("metrics", "one metric or more", "none")


def _counts(study: Definition) -> Found:
    for key, value, least in (("seed", study.seed, 0), ("repeats", study.repeats, 1)):
        try:
            check_whole(key, value, least)
        except InvalidInput as error:
            yield from (((key,), problem) for problem in error.problems)


def _varied(study: Definition) -> Found:
    if not (study.design or study.dispersion):
        yield ("design",), Problem("design", "something to vary in [design] or [dispersion]", "nothing")
        return
    if not study.dispersion and type(study.repeats) is int and study.repeats > 1:
        hint = "add a [dispersion]"
        yield ("repeats",), Problem("repeats", "1, because nothing is left to chance", repr(study.repeats), hint=hint)
    try:
        study.sampling.check(tuple(study.design.values()))
    except InvalidInput as error:
        for problem in error.problems:
            yield ("sampling",), problem


def _names(study: Definition, names: Collection[str]) -> Found:
    used = Counter(folded(metric.name) for metric in study.metrics)
    for name in [metric.name for metric in study.metrics if used[folded(metric.name)] > 1]:
        yield ("metrics", name), Problem(name, "every metric once", "two of this name")
    for name, count in Counter(requirement.metric for requirement in study.requirements).items():
        if name not in names:
            yield ("limits", name), _unknown(name, names)
        elif count > 1:
            yield ("limits", name), Problem(name, "one limit per metric, with min and max", str(count))
    if study.keep.worst is not None and study.keep.worst.metric not in names:
        yield ("keep", "worst", "metric"), _unknown(study.keep.worst.metric, names)
    if isinstance(study.stop, UntilInterval):
        yield from _stop(study.stop, names)


def _stop(stop: UntilInterval, names: Collection[str]) -> Found:
    try:
        metric = SUCCESS if stop.of == SUCCESS else quantity(stop.of)[0]
    except InvalidInput as error:
        yield from ((("stop", "of"), problem) for problem in error.problems)
        return
    wanted = PLAIN if metric == SUCCESS else unit_of(metric)
    if metric not in (SUCCESS, *names):
        yield ("stop", "of"), _unknown(metric, names)
    elif plain_unit(stop.unit) != wanted:
        yield ("stop", "unit"), Problem("unit", f"{wanted!r}, the unit of {stop.of}", repr(stop.unit))


def _unknown(name: str, names: Collection[str]) -> Problem:
    return Problem(name, f"one of the metrics {', '.join(names)}", repr(name), hint=nearest(name, names))
