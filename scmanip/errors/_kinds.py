"""Parameters of public doors: what is given is of the kind that the parameter says, or refused by its name."""

from __future__ import annotations

import builtins
import functools
import inspect
import math
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import Enum
from types import UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

from ._errors import InvalidInput, Problem, ScmanipError, refuse

_NOTHING: Mapping[str, Any] = {}
T = TypeVar("T", bound=Callable[..., Any])
_OF_PYTHON = (TypeError, ValueError, AttributeError, LookupError, ArithmeticError)
_PLAIN = (str, bytes, bool, int, float, complex, list, tuple, dict, set, frozenset, type(None))  # no part of anything


def checked(door: T) -> T:
    """Return a class or a function that refuses what is of another kind than its parameters say.

    Kinds are those of the annotations: a number, a text, an array, a `Model`; NaN is no number. What a class says itself of
    what it is given comes first. Shapes, signs and elements are not looked at.

    Raises `InvalidInput` when it is called, with all of them.

    >>> @checked
    ... def area(width_m: float, name: str = "square") -> float:
    ...     return width_m**2
    >>> area(3.0)
    9.0
    >>> area("3", name=None)
    Traceback (most recent call last):
        ...
    scmanip.errors._errors.InvalidInput: area width_m: expected a number, found '3'
    area name: expected a text, found None
    """
    return checked_as(InvalidInput)(door)


def checked_as(error: type[InvalidInput]) -> Callable[[T], T]:
    """Return `checked` for doors that raise an error of their own, such as `InvalidSystem`.

    >>> @checked_as(InvalidSystem)
    ... def area(width_m: float) -> float:
    ...     return width_m**2
    >>> area("3")
    Traceback (most recent call last):
        ...
    scmanip.errors._errors.InvalidSystem: area width_m: expected a number, found '3'
    """

    def made(door: T) -> T:
        found: T = _checked_class(door, error) if inspect.isclass(door) else _checked_function(door, error)
        return found

    return made


def takes(function: Any, count: int) -> bool:
    """Return whether something can be called with so many arguments; yes where Python does not know, as of some made in C.

    >>> takes(lambda t, state: t, 2), takes(lambda t: t, 2), takes("t", 1)
    (True, False, False)
    """
    try:
        inspect.signature(function).bind(*range(count))
    except TypeError:
        return False
    except ValueError:
        pass
    return callable(function)


def _checked_function(function: Any, error: type[InvalidInput]) -> Any:
    problems = _problems_of(function, function.__name__)

    @functools.wraps(function)
    def door(*given: Any, **named: Any) -> Any:
        if wrong := problems(given, named):
            refuse(wrong, error)
        try:
            return function(*given, **named)
        except ScmanipError:
            raise
        except _OF_PYTHON:
            refuse(problems(given, named, strictly=True), error)
            raise

    return door


def _checked_class(kind: Any, error: type[InvalidInput]) -> Any:
    made = kind.__init__
    problems = _problems_of(made, kind.__name__, kind)

    @functools.wraps(made)
    def door(self: Any, *given: Any, **named: Any) -> None:
        try:
            made(self, *given, **named)
        except ScmanipError:
            raise
        except _OF_PYTHON:
            refuse(problems((self, *given), named, strictly=True), error)
            raise
        refuse(problems((self, *given), named, vars(self)), error)

    kind.__init__ = door
    return kind


def _problems_of(call: Any, title: str, owner: Any = None) -> Callable[..., list[Problem]]:
    """Return what says what is wrong with what a call is given; annotations are read at the first one.

    kept : by name what became of it, which may be of the kind where what was given is not
    strictly : whether what may do as another thing has to be one, for something went wrong
    """

    @functools.cache
    def expected() -> tuple[list[str], list[str], dict[str, _Expected]]:
        parameters = inspect.signature(call).parameters.values()
        placed = [each.name for each in parameters if each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD)]
        rest = [each.name for each in parameters if each.kind is each.VAR_POSITIONAL]
        single = [each for each in parameters if each.kind is not each.VAR_KEYWORD]
        return placed, rest, {each.name: _Expected(_resolved(each, call, owner)) for each in single}

    def problems(
        given: tuple[Any, ...], named: Mapping[str, Any], kept: Mapping[str, Any] = _NOTHING, *, strictly: bool = False
    ) -> list[Problem]:
        placed, rest, kinds = expected()
        names = placed + rest * (len(given) - len(placed)) if rest else placed
        wrong, pairs = [], zip(names, given, strict=False)
        for name, value in (*pairs, *named.items()) if named else pairs:
            kind = kinds.get(name)
            if kind is None or (type(value) in kind.types and not strictly) or kind.fits(value, strictly=strictly):
                continue
            if name not in kept or not kind.fits(kept[name]):
                wrong.append(Problem(f"{title} {name}", kind.words, repr(value)))
        return wrong

    return problems


class _Expected:
    """What a parameter may be given, by its kind: one of several families.

    types : of which values have fitted, and any would
    """

    def __init__(self, kind: Any) -> None:
        found = [(_family(part), part) for part in _parts(kind)]
        words = dict.fromkeys(_FAMILIES[family][0](part) for family, part in found)
        self.words = " or ".join(sorted(words, key="None".__eq__))
        self._tests = tuple((_FAMILIES[family][1], part, _WHOLE_TYPES.get(family)) for family, part in found)
        self.types = set[type]()

    def fits(self, value: Any, *, strictly: bool = False) -> bool:
        """Return whether a value is of one."""
        for test, part, types in self._tests:
            if test(value, part) and (not strictly or _is_strictly(value, part)):
                if types is None or type(value) in types:
                    self.types.add(type(value))
                return True
        return False


def _resolved(parameter: inspect.Parameter, call: Any, owner: Any) -> Any:
    """Return the kind that an annotation names where it was written; `Any` where nobody knows it."""
    written = parameter.annotation
    if not isinstance(written, str):
        return Any if written is parameter.empty else written
    above = [each for each in getattr(owner, "__mro__", ()) if parameter.name in vars(each).get("__annotations__", {})]
    names = vars(sys.modules[above[0].__module__]) if above else call.__globals__
    try:
        return eval(written, {}, _Names(names))
    except (NameError, TypeError, AttributeError):
        return Any


class _Names(dict[str, Any]):
    """Names of a module, and those of classes of rooms that are loaded: what is imported for type checkers alone."""

    def __missing__(self, name: str) -> Any:
        if hasattr(builtins, name):
            return getattr(builtins, name)
        package = __name__.partition(".")[0]
        rooms = [vars(room) for title, room in [*sys.modules.items()] if title.rpartition(".")[0] == package]
        found = [room[name] for room in rooms if inspect.isclass(room.get(name))]
        if not found:
            raise NameError(name)
        return found[0]


class _Array:
    """Stands for whatever NumPy makes an array of."""


def _parts(kind: Any) -> Iterator[Any]:
    """Yield the alternatives of a kind, the many of NumPy's `ArrayLike` as one."""
    if get_origin(kind) is Annotated:
        yield from _parts(get_args(kind)[0])
    elif get_origin(kind) in (Union, UnionType):
        parts, arrays = get_args(kind), _arrays()
        if arrays <= set(parts):
            yield _Array
            parts = tuple(part for part in parts if part not in arrays)
        for part in parts:
            yield from _parts(part)
    else:
        yield kind


@functools.cache
def _arrays() -> frozenset[Any]:
    from numpy.typing import ArrayLike

    return frozenset(get_args(ArrayLike))


def _family(kind: Any) -> str:
    """Return the name of the family of a kind."""
    origin: Any = get_origin(kind) or kind
    if origin in _BY_KIND:
        return _BY_KIND[origin]
    if isinstance(kind, TypeVar) or not isinstance(origin, type):
        return "any"
    if origin.__module__ == "numpy" and origin.__name__ == "ndarray":
        return "array"
    if origin.__module__ == "collections.abc" and not issubclass(origin, Mapping):
        return "function" if origin.__name__ == "Callable" else "many"
    return next((family for above, family in _BY_ANCESTOR.items() if issubclass(origin, above)), "instance")


def _is_number(value: Any, kind: Any) -> bool:
    """Whether it is one number, be it of NumPy, of SymPy or recorded; NaN is none."""
    del kind
    if type(value) is float:
        return not math.isnan(value)
    scalar = hasattr(value, "__neg__") and getattr(value, "shape", ()) == ()
    return scalar and not (isinstance(value, float) and math.isnan(value))


def _is_whole(value: Any, kind: Any) -> bool:
    return _is_number(value, kind) and not isinstance(value, float | complex)


def _is_flag(value: Any, kind: Any) -> bool:
    del kind
    return isinstance(value, bool) or type(value).__name__ in ("bool", "bool_")


def _is_array(value: Any, kind: Any) -> bool:
    del kind
    return not isinstance(value, str | bytes | Mapping | type(None))


def _is_many(value: Any, kind: Any) -> bool:
    del kind
    return not isinstance(value, str | bytes) and (isinstance(value, Iterable) or hasattr(value, "__getitem__"))


def _is_choice(value: Any, kind: Any) -> bool:
    return isinstance(value, kind) or (isinstance(value, str) and issubclass(kind, str) and value in [*kind])


def _is_instance(value: Any, kind: Any) -> bool:
    """Whether it is one, or may do as one: what others made, unless it is a plain value; what we made must be one."""
    origin = get_origin(kind) or kind
    if getattr(origin, "_is_protocol", False):
        return not isinstance(value, _PLAIN)
    return isinstance(value, origin) or not (isinstance(value, _PLAIN) or (_ours(type(value)) and _ours(origin)))


def _is_strictly(value: Any, kind: Any) -> bool:
    """Whether what may do as a sequence or as one of our classes is one; protocols and abstract classes ask for no more."""
    origin, family = get_origin(kind) or kind, _family(kind)
    if family == "many":
        return isinstance(value, Iterable)
    return family != "instance" or not _ours(origin) or getattr(origin, "_is_protocol", False) or isinstance(value, origin)


def _wants(kind: Any) -> int | None:
    """Return how many arguments a kind of function is called with; None where it does not say."""
    given = get_args(kind)[:1]
    return len(given[0]) if given and isinstance(given[0], list) else None


def _is_function(value: Any, kind: Any) -> bool:
    count = _wants(kind)
    return callable(value) if count is None else takes(value, count)


def _function_in_words(kind: Any) -> str:
    count = _wants(kind)
    return "a function" if count is None else f"a function of {count} argument{'s' * (count != 1)}"


def _instance_in_words(kind: Any) -> str:
    name: str = (get_origin(kind) or kind).__name__
    return f"a{'n' * name.startswith(tuple('AEIO'))} {name}"


def _ours(kind: Any) -> bool:
    return kind.__module__.partition(".")[0] == __name__.partition(".")[0] and not inspect.isabstract(kind)


_FAMILIES: dict[str, tuple[Callable[[Any], str], Callable[[Any, Any], bool]]] = {
    "any": (lambda kind: "anything", lambda value, kind: True),
    "none": (lambda kind: "None", lambda value, kind: value is None),
    "number": (lambda kind: "a number", _is_number),
    "whole": (lambda kind: "a whole number", _is_whole),
    "flag": (lambda kind: "True or False", _is_flag),
    "text": (lambda kind: "a text", lambda value, kind: isinstance(value, str)),
    "literal": (lambda kind: " or ".join(map(repr, get_args(kind))), lambda value, kind: value in get_args(kind)),
    "array": (lambda kind: "an array of numbers", _is_array),
    "mapping": (lambda kind: "a mapping", lambda value, kind: isinstance(value, Mapping)),
    "choice": (lambda kind: f"one of {', '.join(map(str, kind))}", _is_choice),
    "path": (lambda kind: "a path", lambda value, kind: isinstance(value, str | os.PathLike)),
    "type": (lambda kind: "a class", lambda value, kind: isinstance(value, type)),
    "function": (_function_in_words, _is_function),
    "many": (lambda kind: "a sequence", _is_many),
    "instance": (_instance_in_words, _is_instance),
}  # by family: in words, and whether a value is of it
_WHOLE_TYPES: dict[str, tuple[type, ...]] = {
    **dict.fromkeys(("number", "whole"), (int,)),
    **dict.fromkeys(("literal", "choice", "function"), ()),
}  # by family that has some values of a type only, of which it has all
_BY_KIND: dict[Any, str] = {
    **dict.fromkeys((Any, object), "any"),
    Literal: "literal",
    None: "none",
    type(None): "none",
    float: "number",
    complex: "number",
    int: "whole",
    bool: "flag",
    str: "text",
    _Array: "array",
    **dict.fromkeys((tuple, list, set, frozenset), "many"),
}
_BY_ANCESTOR: dict[Any, str] = {Mapping: "mapping", dict: "mapping", Enum: "choice", os.PathLike: "path", type: "type"}
