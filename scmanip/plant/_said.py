"""What loads say, looked at as it comes: of the kind and the shape that it has to be of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from ..constraints import Constraint
from ..errors import InvalidInput, Problem, misfits
from ..loads import Bodies, BodyWrenches, Load, Orbit
from ..spatial import Array, finite, real

_KINDS: Mapping[str, tuple[Any, str]] = {
    "states": (Mapping, "names with their units"),
    "outputs": (Mapping, "names with their units"),
    "origin_orbit": (Orbit | None, "an Orbit or None"),
    "leads": (Constraint | None, "a Constraint or None"),
}


def load_problems(load: Load) -> Iterator[Problem]:
    """Yield what is wrong with what a load says of itself."""
    if wrong := misfits(load):
        yield from wrong
        return
    said = {name: getattr(load, name) for name in _KINDS}
    wrong = [_problem(load, name, _KINDS[name][1], its) for name, its in said.items() if not isinstance(its, _KINDS[name][0])]
    yield from wrong
    if not (wrong or _is_start(load.start, len(load.states))):
        yield _problem(load, "start", f"{_counted('state', load.states)}, finite", load.start)


def wrenches_of(load: Load, bodies: Bodies, t: Any) -> BodyWrenches:
    """Return what a load does to all bodies at t [s]; raises `InvalidInput` for anything else."""
    said: Any = load.wrenches(bodies, t)
    if not isinstance(said, BodyWrenches):
        raise InvalidInput(_problem(load, "wrenches", "BodyWrenches, as bodies.on gives them", said))
    rows = len(bodies.system.bodies), 3
    if not np.shape(said.f) == np.shape(said.n) == rows:
        raise InvalidInput(_problem(load, "wrenches", f"f and n of shape {rows}", (np.shape(said.f), np.shape(said.n))))
    return said


def rates_of(load: Load, bodies: Bodies, t: Any) -> Array:
    """Return the rates of its states; raises `InvalidInput` for another number of them."""
    return _numbers(load, "rates", load.rates(bodies, t), "state", load.states)


def output_of(load: Load, bodies: Bodies, t: Any) -> Array:
    """Return what it shows; raises `InvalidInput` likewise."""
    return _numbers(load, "output", load.output(bodies, t), "output", load.outputs)


def dissipated_by(load: Load, bodies: Bodies, t: Any) -> Any:
    """Return the power that it takes [W]; raises `InvalidInput` for what is no number."""
    return _number(load, "dissipated", load.dissipated(bodies, t))


def switches_of(load: Load, bodies: Bodies, t: Any) -> dict[str, Any]:
    """Return its switching functions, in their units; raises `InvalidInput` for what are no numbers by name."""
    said: Any = load.switches(bodies, t)
    if not isinstance(said, Mapping):
        raise InvalidInput(_problem(load, "switches", "numbers by name", said))
    return {name: _number(load, "switches", value) for name, value in said.items()}


def _numbers(load: Load, what: str, said: Any, word: str, names: Mapping[str, str]) -> Array:
    array = np.asarray(said)
    if array.shape != (len(names),):
        raise InvalidInput(Problem(_key(load, what), _counted(word, names), f"shape {array.shape}"))
    return array


def _number(load: Load, what: str, said: Any) -> Any:
    if said is None or np.shape(said):
        raise InvalidInput(_problem(load, what, "a number", said))
    return said


def _is_start(start: Any, count: int) -> bool:
    try:
        row = real(start)
    except (TypeError, ValueError):
        return False
    return row.shape == (count,) and finite(row)


def _counted(word: str, names: Mapping[str, str]) -> str:
    return f"{len(names)}, one per {word} {', '.join(names)}" if names else "no numbers"


def _problem(load: Load, what: str, expected: str, found: Any) -> Problem:
    return Problem(_key(load, what), expected, repr(found))


def _key(load: Load, what: str) -> str:
    return f"{what} of load '{load.called}'"
