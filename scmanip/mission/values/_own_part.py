"""A part of a mission that is an object of Python, which its file can name and not hold."""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from ...control import Controller
from ...errors import InvalidInput, Problem
from ...system import refusal
from ._digest import digest
from ._own_settings import own_settings

OBJECT = (
    "the object itself, which no file holds: load_mission, load_study with own = { path: object }, or --own PATH=MODULE:NAME"
)


@dataclass(frozen=True, eq=False)
class OwnPart:
    """An object, and what files call it.

    made : the object, the same one in copies of the tables that hold it

    >>> part = OwnPart(law)
    >>> part.label.split()[0], sorted(part.settings)[:2]
    ('scmanip.control.ComputedTorque', ['K_D', 'K_P'])
    """

    made: Any

    @cached_property
    def label(self) -> str:
        """Its class, of a law around others with those inside, and a digest of its state and of the code of its classes."""
        return f"{_called(self.made)} {digest(self.made)}"

    @property
    def settings(self) -> dict[str, Any]:
        """What of it `own = { ... }` may say otherwise, by name."""
        return own_settings(self.made)

    def refuse_if_stuck(self, path: str, *, here: bool) -> None:
        """Raise `InvalidInput` where it cannot be pickled or, unless it stays `here`, cannot be imported elsewhere."""
        import __main__

        try:
            copied = pickle.dumps(self.made)
        except Exception as error:  # whatever the object raises
            expected, hint = (
                "an object that can be pickled",
                "workers get copies: make it a class or function of a module",
            )
            raise InvalidInput(Problem(path, expected, f"{_called(self.made)}: {error}", hint=hint)) from None
        if not here and b"__main__" in copied and not hasattr(__main__, "__file__"):
            expected, hint = "a class or function that workers can import", 'put it into a file, or run with executor="serial"'
            raise InvalidInput(Problem(path, expected, f"{_called(self.made)}, typed into this session", hint=hint))

    def __deepcopy__(self, memo: object) -> OwnPart:
        return self


def _own(value: Any) -> OwnPart:
    if not isinstance(value, OwnPart):
        raise refusal(OBJECT, repr(value))
    return value


OwnObject = Annotated[Any, BeforeValidator(_own)]
OwnSettings = Annotated[dict[str, Any] | None, Field(description="a table of attributes of the object, which a copy has so")]


def _called(made: Any) -> str:
    if isinstance(made, Controller):
        inside = ", ".join(map(_called, made.wraps))
        return f"{_name(made.written)}({inside})" if inside else _name(made.written)
    return _name(made)


def _name(made: Any) -> str:
    kind = made if hasattr(made, "__qualname__") else type(made)
    module = [part for part in kind.__module__.split(".") if not (part.startswith("_") and kind.__module__ != "__main__")]
    return ".".join([*module, kind.__qualname__])
