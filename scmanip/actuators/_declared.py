"""Parts of a system whose fields say themselves what they take."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import cache
from typing import Any, ClassVar, NamedTuple, Self, get_type_hints

import numpy as np

from ..errors import InvalidSystem, Problem, misfits, refuse
from ..spatial import Array, Numbered, opened, restored
from ._hardware import Flaw
from ._quantity import Quantity


class Key(NamedTuple):
    """What one key of a part takes, and whether it can be left out.

    >>> key = Motor.keys()["gear_ratio"]
    >>> key.required, key.quantity.words
    (False, 'a finite number that is not 0')
    """

    quantity: Quantity
    required: bool


class Declared(Numbered):
    """A part of a system; a frozen dataclass whose fields are annotated with a `Quantity` each.

    kind : the word of its tables in system files
    calling : the key by which it is called
    spellings : keys of files that give a field in another unit, each with the field and what one of that unit is in SI

    Raises `InvalidSystem` with all that is wrong with its fields.

    >>> {name: key.required for name, key in Thruster.keys().items()}
    {'name': True, 'position_m': True, 'direction': True, 'force_N': True, 'isp_s': True, 'body': False}
    >>> Thruster("aft", position_m=[-0.5, 0, 0], direction=[1, 0, 0], force_N=-10.0, isp_s=220.0)
    Traceback (most recent call last):
        ...
    scmanip.errors._errors.InvalidSystem: thruster 'aft' force_N: expected a finite number > 0, found -10
    """

    kind: ClassVar[str]
    calling: ClassVar[str] = "name"
    spellings: ClassVar[Mapping[str, tuple[str, float]]] = {}

    __setstate__ = restored

    def __post_init__(self) -> None:
        self._keep(self.keys())

    def _keep(self, names: Iterable[str]) -> None:
        """Check fields, and what is between all of them, and keep of each what is to be kept."""
        refuse(misfits(self), InvalidSystem)
        keys, given = self.keys(), self.given()
        problems = [
            problem
            for name in names
            if name in given or keys[name].required
            for problem in keys[name].quantity.problems(f"{self.label} {name}", getattr(self, name))
        ]
        if not problems:
            problems = [Problem(f"{self.label} {f.key}", f.expected, f.found, hint=f.hint) for f in self.between(given)]
        refuse(problems, InvalidSystem)
        for name in names:
            if name in given:
                object.__setattr__(self, name, keys[name].quantity.kept(given[name]))

    def with_numbers(self, values: Mapping[str, Array]) -> Self:
        """Return a copy with other values; only these are checked again, unless a class has checks of its own.

        values : () or an array each, in SI
        """
        if type(self).__post_init__ is not Declared.__post_init__:
            return super().with_numbers(values)
        copy = opened(self, self.in_fields(values))
        copy._keep(values.keys())
        return copy

    @classmethod
    def of_table(cls, table: Mapping[str, Any]) -> Self:
        """Return the part that a checked table of a file describes; `table` holds what is said, and nothing else."""
        given = dict(table)
        for other, (name, factor) in cls.spellings.items():
            if other in given:
                given[name] = given.pop(other) * factor
        return cls(**given)

    @classmethod
    @cache
    def keys(cls) -> dict[str, Key]:
        """Return what the fields take, by name."""
        hints = get_type_hints(cls, include_extras=True)
        found = {}
        for field in _fields(cls):
            marks = [mark for mark in getattr(hints[field.name], "__metadata__", ()) if isinstance(mark, Quantity)]
            if len(marks) != 1:
                expected = "a field annotated with what it takes, such as actuators.Positive"
                raise InvalidSystem(Problem(f"{cls.__name__}.{field.name}", expected, repr(hints[field.name])))
            found[field.name] = Key(marks[0], field.default is MISSING)
        return found

    @classmethod
    @cache
    def number_fields(cls) -> tuple[str, ...]:
        return tuple(name for name, key in cls.keys().items() if key.quantity.number)

    @classmethod
    def file_keys(cls) -> dict[str, Key]:
        """Return the keys of its table in a file, spellings aside."""
        return cls.keys()

    @classmethod
    def between(cls, given: Mapping[str, Any]) -> Iterator[Flaw]:
        """Yield what is wrong between its keys; given : those that are said."""
        for other, (name, _) in cls.spellings.items():
            if other in given and name in given:
                second = [key for key in given if key in (name, other)][1]
                yield Flaw(second, f"one of {name}, {other}", f"{name} and {other}")

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
        pairs = [(field, getattr(self, field.name)) for field in _fields(type(self))]
        return {f.name: value for f, value in pairs if not _unsaid(value, f.default)}

    @property
    def texts(self) -> dict[str, str]:
        """Return the fields that are texts."""
        pairs = [(field.name, getattr(self, field.name)) for field in _fields(type(self))]
        return {name: value for name, value in pairs if isinstance(value, str)}

    @property
    def description(self) -> Hashable:
        """All that it is, to compare by."""
        return type(self), *(_plain(getattr(self, field.name)) for field in _fields(type(self)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Declared) and self.description == other.description

    def __hash__(self) -> int:
        return hash(self.description)


def _fields(kind: type) -> tuple[Field[Any], ...]:
    """Return the fields of a part; raises `InvalidSystem` for a class that is no dataclass."""
    if not is_dataclass(kind):
        raise InvalidSystem(Problem(kind.__name__, "a frozen dataclass, whose fields say what they take", "another class"))
    return fields(kind)


def _unsaid(value: Any, default: Any) -> bool:
    return (value is None and default is None) or (isinstance(value, float | str) and value == default)


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return tuple(value.items())
    return tuple(value.tolist()) if isinstance(value, np.ndarray) else value
