"""What rooms above make of things below for people to look at, so that a thing below has a method and knows no room above."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def view(thing: object, name: str) -> Any:
    """Return what makes `thing.name()`, a function of the thing; the top of the package says which room has it.

    Raises `KeyError` where no kind of `thing` has such a view.

    >>> view(system, "to_html").__name__
    'write_system'
    >>> view(system, "fly")
    Traceback (most recent call last):
        ...
    KeyError: 'System.fly'
    """
    views = import_module("scmanip").VIEWS
    for kind in type(thing).__mro__:
        if (place := views.get(f"{kind.__name__}.{name}")) is not None:
            room, function = place.split(":")
            return getattr(import_module(f"scmanip.{room}"), function)
    raise KeyError(f"{type(thing).__name__}.{name}")
