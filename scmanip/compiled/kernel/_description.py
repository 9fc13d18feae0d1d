"""What a frozen description says, as a key: what may be kept of it is what was made of one that says the same."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence, Set
from dataclasses import fields, is_dataclass
from functools import cache, cached_property, singledispatch
from typing import Any

import numpy as np
from numpy.typing import NDArray

_PLAIN = frozenset({int, str, bytes, bool, type(None)})  # whose values are keys as they are
INPUT = "input"  # in the metadata of a field: as what it can be an input of programs, so that its value is no part of them


def described(value: Any, inputs: Collection[str] = ()) -> Hashable:
    """Return a key that is equal for values that say the same, to the last bit and whatever they are made of.

    Arrays, numbers and text count by value, sequences, sets and tables by what is in them, and dataclasses by all their fields
    and whatever else a subclass has given the object. Any other object is equal to those that it says it is equal to.

    inputs : fields whose metadata say `{"input": NAME}` with one of these names are left out

    >>> described(np.array([1.0, 2.0])) == described(np.array([1.0, 2.0]))
    True
    >>> described({"kp": 2.0}) == described({"kp": 2})  # to the last bit, and of the same kind
    False
    """
    kind = type(value)
    return kind, value if kind in _PLAIN else _content(value, inputs)


class Described:
    """What never changes, and is asked often for what it says.

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True, eq=False)
    ... class Gains(Described):
    ...     kp: float
    >>> Gains(2.0).described == Gains(2.0).described, Gains(2.0).described == Gains(3.0).described
    (True, False)
    """

    @cached_property
    def described(self) -> Hashable:
        """Equal for those that say the same."""
        return described(self)


@singledispatch
def _content(value: Any, inputs: Collection[str]) -> Hashable:
    known = _declared(type(value))  # type: ignore[arg-type]  # of a class, which is hashable
    if known is not None:
        own = [name for name, given_as in known.items() if given_as not in inputs]
        more = [name for name in getattr(value, "__dict__", ()) if name not in known and not _is_cached(value, name)]
        return tuple((name, described(getattr(value, name), inputs)) for name in [*own, *sorted(more)])
    return value if isinstance(value, Hashable) else _content(value.__getstate__(), inputs)


@_content.register(int)
@_content.register(str)
@_content.register(bytes)
def _plain(value: Hashable, inputs: Collection[str]) -> Hashable:
    return value


@_content.register(float)
@_content.register(complex)
@_content.register(np.generic)
def _number(value: Any, inputs: Collection[str]) -> Hashable:
    return repr(value)  # tells -0.0 from 0.0, and NaN is NaN


@_content.register(np.ndarray)
def _array(value: NDArray[Any], inputs: Collection[str]) -> Hashable:
    entries = value.tobytes() if value.dtype != object else _entries(value.ravel().tolist(), inputs)
    return value.shape, value.dtype.str, entries


@_content.register(tuple)
@_content.register(list)
def _entries(value: Sequence[Any], inputs: Collection[str]) -> tuple[Hashable, ...]:
    return tuple(described(part, inputs) for part in value)


@_content.register(Set)
def _set(value: Set[Any], inputs: Collection[str]) -> Hashable:
    return frozenset(described(part, inputs) for part in value)


@_content.register(Mapping)
def _table(value: Mapping[Any, Any], inputs: Collection[str]) -> Hashable:
    return frozenset((described(key, inputs), described(part, inputs)) for key, part in value.items())


@cache
def _declared(kind: type) -> Mapping[str, Any] | None:
    """Return the fields of a dataclass, each with what it can be an input as; None of other classes."""
    return {field.name: field.metadata.get(INPUT) for field in fields(kind)} if is_dataclass(kind) else None


def _is_cached(value: Any, name: str) -> bool:
    return isinstance(getattr(type(value), name, None), cached_property)
