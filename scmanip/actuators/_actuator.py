"""What every actuator is and answers."""

from __future__ import annotations

from abc import ABC
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import MISSING, fields
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple, Self, get_type_hints

import numpy as np

from ..errors import InvalidSystem, Problem, refuse
from ..spatial import restored
from ._hardware import Flaw, Hardware
from ._quantity import Quantity

NONE: Mapping[str, float] = MappingProxyType({})


class StateEntry(NamedTuple):
    """One number of an actuator's state.

    name, unit : as in "speed", "rad/s"
    channel : its series of a run, and the key under which missions say where it starts; kind and name where nothing is said
    spellings : further such keys, each with what one of its unit is in SI
    """

    name: str
    unit: str
    channel: str = ""
    spellings: Mapping[str, float] = NONE


class Key(NamedTuple):
    """What one key of an actuator takes, and whether it can be left out."""

    quantity: Quantity
    required: bool


class Actuator(ABC):
    """A part of a system that is commanded; a frozen dataclass whose fields are annotated with a `Quantity` each.

    A kind is one class, and what it can do is what it inherits from: `Drive` moves a joint, `Turner` turns the base from
    inside, `Pusher` pushes from outside. Whoever sums over actuators asks all of them, and gets nothing of those without.

    kind : the word of its tables in system files, "wheel" of `[[wheel]]`
    states : the entries of its own state, packed behind the speeds; none where it has no state
    calling : the key by which it is called
    spellings : keys of files that give a field in another unit, each with the field and what one of that unit is in SI

    Raises `InvalidSystem` with all that is wrong with its fields.
    """

    kind: ClassVar[str]
    states: ClassVar[tuple[StateEntry, ...]] = ()
    calling: ClassVar[str] = "name"
    spellings: ClassVar[Mapping[str, tuple[str, float]]] = {}

    __setstate__ = restored

    def __post_init__(self) -> None:
        keys, given = self.keys(), self.given()
        problems = [
            problem
            for name, key in keys.items()
            if name in given or key.required
            for problem in key.quantity.problems(f"{self.label} {name}", getattr(self, name))
        ]
        if not problems:
            problems = [Problem(f"{self.label} {f.key}", f.expected, f.found, hint=f.hint) for f in self.between(given)]
        refuse(problems, InvalidSystem)
        for name in given:
            object.__setattr__(self, name, keys[name].quantity.kept(given[name]))

    @classmethod
    def of_table(cls, table: Mapping[str, Any]) -> Self:
        """Return the actuator that a checked table of a file describes; `table` holds what is said, and nothing else."""
        given = dict(table)
        for other, (name, factor) in cls.spellings.items():
            if other in given:
                given[name] = given.pop(other) * factor
        return cls(**given)

    @classmethod
    def keys(cls) -> dict[str, Key]:
        """Return what the fields take, by name."""
        hints = get_type_hints(cls, include_extras=True)
        found = {}
        for field in fields(cls):  # type: ignore[arg-type]
            (quantity,) = (mark for mark in hints[field.name].__metadata__ if isinstance(mark, Quantity))
            found[field.name] = Key(quantity, field.default is MISSING)
        return found

    @classmethod
    def between(cls, given: Mapping[str, Any]) -> Iterator[Flaw]:
        """Yield what is wrong between its keys; given : those that are said."""
        for other, (name, _) in cls.spellings.items():
            if other in given and name in given:
                second = [key for key in given if key in (name, other)][1]
                yield Flaw(second, f"one of {name}, {other}", f"{name} and {other}")

    @classmethod
    def mounting(cls, texts: Mapping[str, str], hardware: Hardware) -> Iterator[Flaw]:
        """Yield what keeps it from its place on the hardware; texts : those of its fields that are said."""
        del texts, hardware
        yield from ()

    @classmethod
    def again(cls, name: str, word: str) -> Flaw:
        """Return what is wrong with one that is called as another one is, of the kind `word`."""
        return Flaw(cls.calling, "a name used once", f"{name!r}, already a {word}")

    @property
    def called(self) -> str:
        """By what it is called."""
        return str(getattr(self, self.calling))

    @property
    def label(self) -> str:
        """Kind and name, as problems show them."""
        return f"{self.kind} {self.called!r}"

    def given(self) -> dict[str, Any]:
        """Return the fields that are not what they are where nothing is said."""
        pairs = [(field, getattr(self, field.name)) for field in fields(self)]  # type: ignore[arg-type]
        return {f.name: value for f, value in pairs if not (isinstance(value, float | str) and value == f.default)}

    @property
    def texts(self) -> dict[str, str]:
        """Return the fields that are texts."""
        pairs = [(field.name, getattr(self, field.name)) for field in fields(self)]  # type: ignore[arg-type]
        return {name: value for name, value in pairs if isinstance(value, str)}

    @property
    def description(self) -> Hashable:
        """All that it is, to compare by."""
        values = [getattr(self, field.name) for field in fields(self)]  # type: ignore[arg-type]
        return type(self), *(tuple(value.tolist()) if isinstance(value, np.ndarray) else value for value in values)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Actuator) and self.description == other.description

    def __hash__(self) -> int:
        return hash(self.description)
