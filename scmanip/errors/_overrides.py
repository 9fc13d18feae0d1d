"""Classes of people made from classes of ours: what they have in the place of something, can be asked as that is."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import cache, cached_property
from inspect import Parameter, isfunction, signature
from typing import Any

from ._errors import Problem

_OURS = __name__.partition(".")[0]
_BY_PLACE = Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD


def misfits(thing: Any) -> list[Problem]:
    """Return a problem for every method that a class has with other arguments than ours that it stands for, for methods in the
    place of values and values in the place of methods, and for what an object lacks.

    thing : the object, or its class

    >>> from scmanip.loads import Load
    >>> class Breeze(Load):
    ...     def wrenches(self, bodies):
    ...         return bodies.on("base", np.ones(3))
    >>> [str(problem) for problem in misfits(Breeze())]
    ['Breeze.wrenches: expected (self, bodies, t), found (self, bodies)']
    """
    kind: Any = thing if isinstance(thing, type) else type(thing)
    if _is_ours(kind):
        return []
    if thing is kind:
        return [*_of_class(kind)]
    lacking = [(above, name) for above, name in _named(kind) if not hasattr(thing, name)]
    return [*_of_class(kind), *(_problem(kind, name, f"a value, as every {above} has", "nothing") for above, name in lacking)]


def _problem(kind: type, name: str, expected: str, found: str) -> Problem:
    return Problem(f"{kind.__name__}.{name}", expected, found)


@cache
def _is_ours(kind: type) -> bool:
    """Whether a class stands in a module of ours, and does not only say so, as one that is made in an example."""
    return kind.__module__.partition(".")[0] == _OURS and vars(sys.modules[kind.__module__]).get(kind.__name__) is kind


@cache
def _of_class(kind: type) -> tuple[Problem, ...]:
    return tuple(_wrong(kind))


def _wrong(kind: type) -> Iterator[Problem]:
    own, above = ({name: value for one in reversed(kinds) for name, value in vars(one).items()} for kinds in _parted(kind))
    for name, has in own.items():
        meant = above.get(name)
        if name.startswith("_") or meant is None:
            continue
        if isfunction(meant) and isfunction(has) and not _fits(has, meant):
            yield _problem(kind, name, _called(meant), _called(has))
        elif isfunction(meant) and not (callable(has) or isinstance(has, staticmethod | classmethod)):
            yield _problem(kind, name, f"a method {_called(meant)}", "a property" if isinstance(has, property) else repr(has))
        elif isinstance(meant, property | cached_property) and isfunction(has):
            yield _problem(kind, name, "a value or a property", f"a method {_called(has)}")


def _parted(kind: type) -> tuple[list[type], list[type]]:
    """Return the classes that a class is made from: itself and those of people, then ours."""
    of_people = [one for one in kind.__mro__[:-1] if not _is_ours(one)]
    return of_people, [one for one in kind.__mro__ if one not in of_people]


def _fits(has: Any, meant: Any) -> bool:
    """Whether a function takes what another one has to be given."""
    needed = [each for each in signature(meant).parameters.values() if each.default is Parameter.empty]
    try:
        places = sum(each.kind in _BY_PLACE for each in needed)
        signature(has).bind(*range(places), **{each.name: 0 for each in needed if each.kind is Parameter.KEYWORD_ONLY})
    except TypeError:
        return False
    return True


def _called(function: Any) -> str:
    parameters = [each.replace(annotation=Parameter.empty) for each in signature(function).parameters.values()]
    return str(signature(function).replace(parameters=parameters, return_annotation=Parameter.empty))


@cache
def _named(kind: type) -> tuple[tuple[str, str], ...]:
    """Return what our classes say that their objects have, by the names of these classes."""
    ours = {name: one.__name__ for one in reversed(_parted(kind)[1]) for name in vars(one).get("__annotations__", {})}
    return tuple((above, name) for name, above in ours.items() if not name.startswith("_"))
