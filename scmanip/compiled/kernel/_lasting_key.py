"""Keys of descriptions that mean the same in every process: what is kept on disk is found by them."""

from __future__ import annotations

import functools
import os
import platform
import sys
import time
from collections.abc import Hashable, Iterator, Mapping
from enum import Enum
from hashlib import sha256
from pathlib import Path
from types import FunctionType
from typing import Any, Protocol, runtime_checkable

import numpy as np

from ...symbolic import Program
from ._computer import processor, releases

PACKAGE = Path(__file__).parents[2]
LOADED_NS = time.time_ns()  # sources that are younger are not those that run here
_KNOWN = frozenset({PACKAGE.name, "numpy", *sys.stdlib_module_names})  # whose releases and files are part of every key
AGAIN_S = 2.0
_MADE_IN_PYTHON = 1 << 9  # a flag of classes: others are part of Python or of a library, such as `int`
_TOLD_AS_THEY_ARE = frozenset({type(None), bool, int, float, complex, str, bytes})
_PLAIN = bool, int, float, complex, str, bytes, np.ndarray, np.generic, Program


@runtime_checkable
class KnownByKey(Protocol):
    """What stands for a description in other keys, and has its lasting key at hand.

    >>> isinstance(Token(("a", 1)), KnownByKey)
    True
    """

    @property
    def lasting_key(self) -> str:
        """That of what it stands for; raises `TypeError` where there is none."""
        ...


class Token:
    """Stands for a long description in other keys; equal only to itself.

    >>> Token(("a", 1)).lasting_key == lasting_key(("a", 1)), Token("a") == Token("a")
    (True, False)
    """

    def __init__(self, description: Hashable) -> None:
        self._description = description

    @functools.cached_property
    def lasting_key(self) -> str:
        """That of the description; raises `TypeError` where there is none."""
        return lasting_key(self._description)


def lasting_key(key: Any) -> str:
    """Return the digest of a key that `described` gave, or of tuples of such; equal keys have equal ones, in every process.

    Raises `TypeError` where a part of it tells which object it is and not what it says, such as a function, and for
    classes of other packages, or classes whose functions were replaced: no file that is looked at says what these do.

    >>> lasting_key(("held", 4, frozenset({"a", "b"}))) == lasting_key(("held", 4, frozenset({"b", "a"})))
    True
    >>> lasting_key(("held", lambda x: x))
    Traceback (most recent call last):
        ...
    TypeError: <function ...> may be another one in the next process
    """
    lines: list[str] = []
    _tell(key, lines)
    return sha256("\n".join(lines).encode()).hexdigest()


def expect_known(value: Any) -> None:
    """Raise `TypeError` where a function or a class of another package is anywhere in what an object holds.

    Numbers, arrays, programs and models are not looked into: keys say what counts of them.

    >>> expect_known((1.0, {"gain": 2.0}))
    """
    seen: dict[int, Any] = {}
    left = [value]
    while left:
        one = left.pop()
        if one is None or isinstance(one, _PLAIN) or id(one) in seen:
            continue
        seen[id(one)] = one
        left += _held(one)


def _held(value: Any) -> list[Any]:
    """Return what an object holds that says what it does; raises `TypeError` for one of another package."""
    if isinstance(value, FunctionType | type):
        _expect_source(value)
        return []
    if isinstance(value, Mapping):
        return [*value.values()]
    if type(value) in (tuple, list, set, frozenset):
        return [*value]
    kind = type(value)
    _expect_source(kind)
    if kind.__module__.partition(".")[0] != PACKAGE.name:
        raise TypeError(f"nothing says what {value!r} does")
    own = [*value] if isinstance(value, tuple) else []
    return own if isinstance(getattr(value, "family", None), KnownByKey) else [*own, *getattr(value, "__dict__", {}).values()]


def sources() -> str | None:
    """Return the digest of all files of the package, the processor and the releases of what it calculates with.

    A file is known by name, size and the times of its last changes, of content and of anything else, which no copy keeps: to
    read all of them would take longer than to find a program. They are looked at again after a while, since who works on the
    package may load a file anew. None where files cannot be told, or are younger than what runs here.
    """
    return _sources(int(time.monotonic() / AGAIN_S))


@functools.lru_cache(maxsize=1)
def _sources(glance: int) -> str | None:
    del glance
    known = sorted(_files(str(PACKAGE)))
    if not known or max(max(changed) for _, _, *changed in known) > LOADED_NS:
        return None
    return sha256(repr((known, _surroundings())).encode()).hexdigest()


@functools.cache
def _surroundings() -> tuple[Hashable, ...]:
    try:
        here = processor()
    except (ImportError, OSError):  # no LLVM
        here = platform.machine()
    return here, *sorted(releases().items())


def _files(folder: str) -> Iterator[tuple[str, int, int, int]]:
    for entry in os.scandir(folder):
        if entry.is_dir():
            yield from _files(entry.path)
        elif entry.name.endswith(".py"):
            status = entry.stat()
            yield entry.path, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def _tell(key: Any, lines: list[str]) -> None:
    """Append lines that tell a key, each part with what it is and how long, so that no two keys are told alike."""
    kind = type(key)
    if kind in _TOLD_AS_THEY_ARE:
        lines.append(f"{kind.__name__} {key!r}")
    elif kind is tuple:
        lines.append(f"tuple {len(key)}")
        for part in key:
            _tell(part, lines)
    elif kind is frozenset:
        lines.append(f"set {len(key)}")
        lines += sorted(map(lasting_key, key))
    elif isinstance(key, type | FunctionType):
        _expect_source(key)
        lines.append(f"source {key.__module__} {key.__qualname__}")
    elif isinstance(key, Enum):
        _tell(kind, lines)
        lines.append(f"member {key.name}")
    elif isinstance(key, KnownByKey):
        lines.append(f"key {key.lasting_key}")
    else:
        raise TypeError(f"{key!r} may be another one in the next process")


def _expect_source(made: Any) -> None:
    """Raise `TypeError` unless a function or a class, with all that it inherits, is what its name in a known module says."""
    if isinstance(made, FunctionType):
        _expect_found(made)
        return
    for kind in made.__mro__:
        if not kind.__flags__ & _MADE_IN_PYTHON:
            continue
        _expect_found(kind)
        if kind.__module__.partition(".")[0] == PACKAGE.name:
            for function in _functions(kind):
                if function.__module__.partition(".")[0] not in _KNOWN:
                    raise TypeError(f"{kind!r} was given {function!r}")


def _expect_found(made: Any) -> None:
    module, found = made.__module__, sys.modules.get(made.__module__)
    for name in made.__qualname__.split("."):
        found = getattr(found, name, None)
    if found is not made or module.partition(".")[0] not in _KNOWN:
        raise TypeError(f"{made!r} may be another one in the next process")


def _functions(kind: type) -> Iterator[Any]:
    """Yield what a class itself defines as functions, properties and the like."""
    for value in vars(kind).values():
        for function in (value, *(getattr(value, name, None) for name in ("fget", "func", "__func__"))):
            if isinstance(function, FunctionType):
                yield function
