"""A digest of any object: what it holds, and the code of the classes and functions in it."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Set
from functools import cached_property
from hashlib import sha256
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import Any

import numpy as np

_DIGITS = 16
_PLAIN = (type(None), bool, int, float, complex, str, bytes, np.generic)
_OURS = __name__.partition(".")[0]


def digest(made: Any) -> str:
    """Return "sha256:..." of an object, equal in every process for objects that say the same; or why there is none."""
    try:
        told = _told(made, [])
    except Exception as error:  # whatever the object raises
        return f"without a digest: {type(error).__name__}"
    return f"sha256:{sha256(told.encode()).hexdigest()[:_DIGITS]}"


def _told(value: Any, above: list[int]) -> str:
    """Return all that a value says; `above`: those that it is in, of which it may be one again."""
    if isinstance(value, _PLAIN):
        return repr(value)
    if id(value) in above:
        return f"again {above.index(id(value))}"
    inside = [*above, id(value)]
    if isinstance(value, np.ndarray) and value.dtype != object:
        return f"{value.dtype.str}{value.shape}{sha256(value.tobytes()).hexdigest()}"
    if isinstance(value, type | FunctionType | BuiltinFunctionType):
        return _code(value) + (_told(_bound(value), inside) if isinstance(value, FunctionType) else "")
    if isinstance(value, MethodType):
        return _told((value.__func__, value.__self__), inside)
    parts = _parts(value, inside)
    return f"{_told(type(value), inside)}({','.join(parts)})"


def _parts(value: Any, inside: list[int]) -> list[str]:
    if isinstance(value, Mapping):
        return sorted(f"{_told(key, inside)}:{_told(part, inside)}" for key, part in value.items())
    if isinstance(value, Set):
        return sorted(_told(part, inside) for part in value)
    if isinstance(value, list | tuple):
        return [_told(part, inside) for part in value]
    if isinstance(value, np.ndarray):
        return [_told(part, inside) for part in value.ravel().tolist()]
    reduced = value.__reduce_ex__(4)
    if isinstance(reduced, str):
        return [reduced]
    _, given, *state = reduced
    held = {name: part for name, part in (state[0] or {}).items() if not _is_kept(value, name)} if _is_table(state) else state
    return [_told(part, inside) for part in (given, held)]


def _is_table(state: list[Any]) -> bool:
    return bool(state) and isinstance(state[0], dict) and not any(state[1:])


def _is_kept(value: Any, name: str) -> bool:
    """Whether an attribute is what a property was found to be once."""
    return isinstance(getattr(type(value), name, None), cached_property)


def _bound(function: FunctionType) -> tuple[Any, ...]:
    cells = [cell.cell_contents for cell in function.__closure__ or ()]
    return cells, function.__defaults__, function.__kwdefaults__


def _code(kind: Any) -> str:
    """Return the name of a class or function and, unless it is of this package or of Python, its source."""
    name = f"{kind.__module__}.{kind.__qualname__}"
    if kind.__module__ in ("builtins", None) or name.startswith((f"{_OURS}.", "numpy.")):
        return name
    try:
        return f"{name} {inspect.getsource(kind)}"
    except (OSError, TypeError):
        return name
