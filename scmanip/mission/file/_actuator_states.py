"""The states with which actuators start a mission, such as the speeds of wheels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ...actuators import StateEntry, Turner, TurnerChannels
from ...channels import with_unit
from ...errors import Problem, nearest, refuse
from ...spatial import Array
from ...system import State, System

if TYPE_CHECKING:
    from ._schema import InitialTable


def state_keys(kind: type[Turner]) -> Iterator[tuple[StateEntry, dict[str, float]]]:
    """Yield each entry of the state of a kind with the keys that say where it starts, the one in SI first, and their sizes."""
    for entry, channel in zip(kind.states, TurnerChannels.of(kind).states, strict=True):
        yield entry, {with_unit(channel.name, entry.unit): 1.0, **entry.spellings}


def actuator_states(table: InitialTable, system: System) -> dict[str, list[float]]:
    """Return states by key, such as {"wheel_rad_s": [...]}, zeros unless said otherwise; raises `InvalidInput`."""
    resolved, problems, unknown = dict[str, list[float]](), list[Problem](), set(table.actuator_keys)
    for kind, which in system.turners.kinds.items():
        its = [system.turners.each[k] for k in which]
        for place, (entry, keys) in enumerate(state_keys(kind)):
            if its:
                unknown -= keys.keys()
                values = _values(table, its, place, entry, keys, problems)
                resolved[next(iter(keys))] = [float(values.get(turner.called, 0.0)) for turner in its]
    for key in table.actuator_keys:
        if key in unknown and getattr(table, key) is not None:
            word = table.actuator_keys[key]
            hint = f"ideal {word}s start at rest"
            problems.append(Problem(key, f"nothing: the system has no [[{word}]]", f"states of {word}s", hint=hint))
    refuse(problems)
    return resolved


def packed_states(resolved: Mapping[str, Any], system: System) -> dict[str, Array]:
    """Return the states (k,) of the actuators by name, of a resolved `[initial]`."""
    turners, found = system.turners, dict[str, Array]()
    for kind, which in turners.kinds.items():
        rows = np.array([resolved[next(iter(keys))] for _, keys in state_keys(kind)]) if which else np.zeros(0)
        found |= {turners.each[k].called: rows[:, place] for place, k in enumerate(which)}
    return found


def starting_states(state: State, system: System) -> dict[str, Array]:
    """Return what a state has of those keys in SI, of all that is in the system."""
    keys = [next(iter(keys)) for kind in system.turners.kinds for _, keys in state_keys(kind)]
    return dict(zip(keys, system.turners.by_entry(state.x[system.layout.x_actuators]), strict=True))


def _values(
    table: InitialTable, its: list[Turner], place: int, entry: StateEntry, keys: dict[str, float], problems: list[Problem]
) -> dict[str, float]:
    """Return one entry of the states by name as far as it is said, and note what is wrong."""
    values = dict[str, float]()
    for key, size in keys.items():
        given = getattr(table, key)
        if given is None:
            continue
        numbers, found = _by_name(key, given, its)
        what = f"a second {entry.name} for"
        twice = [Problem(key, f"every {its[0].kind} once", f"{what} {name!r}") for name in numbers.keys() & values.keys()]
        unit = entry.unit if size == 1.0 else key.removeprefix(f"{its[0].kind}_")
        limits = {turner.called: turner.largest_states[place] / size for turner in its}
        problems += found + twice + _too_far(key, numbers, limits, f"{entry.name} of {its[0].kind}", unit)
        values |= {name: number * size for name, number in numbers.items()}
    return values


def _too_far(key: str, numbers: Mapping[str, float], limits: Mapping[str, float], what: str, unit: str) -> list[Problem]:
    """Return a problem for everything that starts beyond its largest state, in the unit of the key."""
    return [
        Problem(key, f"at most {limits[name]:g} {unit}, the largest {what} {name!r}", f"{number:g} {unit}")
        for name, number in numbers.items()
        if abs(number) > limits[name] * (1 + 1e-9)
    ]


def _by_name(key: str, given: Any, its: list[Turner]) -> tuple[dict[str, float], list[Problem]]:
    names = [turner.called for turner in its]
    if isinstance(given, dict):
        expected = f"one of the {its[0].kind}s {', '.join(names)}"
        unknown = [Problem(key, expected, repr(name), hint=nearest(name, names)) for name in given if name not in names]
        return {name: value for name, value in given.items() if name in names}, unknown
    if len(given) != len(names):
        return {}, [Problem(key, f"{len(names)} numbers, for {', '.join(names)}", str(len(given)))]
    return dict(zip(names, given, strict=True)), []
