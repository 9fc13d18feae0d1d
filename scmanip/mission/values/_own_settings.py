"""Settings of an object of Python: numbers, texts and switches among its attributes, of which copies with others are made."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from ...control import Controller, as_controller
from ...errors import InvalidInput, Problem, nearest


def own_settings(made: Any) -> dict[str, Any]:
    """Return them by name: fields of a dataclass, attributes of another object, none that begins with `_`; those of a law
    inside of it after its name, such as `law.K` of a sampled one.

    >>> sorted(own_settings(law))
    ['K_D', 'K_P']
    >>> own_settings(law)["K_P"].tolist()
    [1.0, 1.0, 1.0, 1.0]
    """
    return dict(_settings(_written(made)))


def changed(made: Any, values: Mapping[str, Any]) -> Any:
    """Return a copy of an object with other settings; raises `InvalidInput` for what it does not have."""
    known = own_settings(made)
    for name, value in values.items():
        if name not in known:
            has = f"one of {', '.join(known)}" if known else "nothing: no attribute of it is a number, a text or true or false"
            raise InvalidInput(Problem(f"own.{name}", has, "no such attribute", hint=nearest(name, known)))
        made = _with(made, name.split("."), _alike(name, value, known[name]))
    return made


def _written(made: Any) -> Any:
    return made.written if isinstance(made, Controller) else made


def _settings(thing: Any) -> Iterator[tuple[str, Any]]:
    for name, value in _attributes(thing).items():
        if isinstance(value, bool | int | float | str | np.number) or _is_row(value):
            yield name, value
        elif isinstance(value, Controller):
            yield from ((f"{name}.{inner}", its) for inner, its in own_settings(value).items())


def _attributes(thing: Any) -> dict[str, Any]:
    if is_dataclass(thing):
        held = {field.name: getattr(thing, field.name) for field in fields(thing) if field.init}
    else:
        held = {name: value for name, value in getattr(thing, "__dict__", {}).items() if not _is_found(thing, name)}
    return {} if isinstance(thing, type) else {name: value for name, value in held.items() if not name.startswith("_")}


def _is_found(thing: Any, name: str) -> bool:
    """Whether an attribute is what a property was found to be once."""
    return isinstance(getattr(type(thing), name, None), cached_property)


def _is_row(value: Any) -> bool:
    if isinstance(value, np.ndarray):
        return value.ndim == 1 and value.dtype.kind in "fi"
    return isinstance(value, list | tuple) and bool(value) and all(type(entry) in (int, float) for entry in value)


def _alike(name: str, value: Any, before: Any) -> Any:
    """Return a value as the object has it: the kind of the one that it replaces; raises `InvalidInput`."""
    if _is_row(before):
        if np.shape(value) != np.shape(before):
            raise InvalidInput(Problem(f"own.{name}", f"{len(before)} numbers", repr(value)))
        row = np.array(value, dtype=float)
        return row if isinstance(before, np.ndarray) else type(before)(row.tolist())
    for kind, words in ((bool, "true or false"), (str, "a text")):
        if isinstance(before, kind) or isinstance(value, kind):
            if isinstance(before, kind) and isinstance(value, kind):
                return value
            raise InvalidInput(Problem(f"own.{name}", words if isinstance(before, kind) else "a number", repr(value)))
    if np.ndim(value):
        raise InvalidInput(Problem(f"own.{name}", "a number", repr(value)))
    whole = isinstance(before, int) and float(value).is_integer()
    return int(value) if whole else float(value)


def _with(made: Any, path: list[str], value: Any) -> Any:
    thing, (name, *deeper) = _written(made), path
    new = _with(getattr(thing, name), deeper, value) if deeper else value
    if is_dataclass(thing) and not isinstance(thing, type):
        thing = replace(thing, **{name: new})
    else:
        copied = copy.copy(thing)
        for found in [each for each in vars(copied) if _is_found(copied, each)]:
            del vars(copied)[found]
        setattr(copied, name, new)
        thing = copied
    return as_controller(thing) if isinstance(made, Controller) else thing
