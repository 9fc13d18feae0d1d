"""Parts of hardware that say themselves which of their fields are numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from typing import Any, Self

import numpy as np

from ._open import opened
from ._types import Array

NUMBER = "number"  # in the metadata of a field: it is a number, or an array of some, that equations know


class Numbered:
    """A part, a frozen dataclass, whose numbers can be given other values, and in an opened copy those of any scalar.

    >>> tip = system.frame("tip")
    >>> tip.numbers["origin_m"].tolist(), tip.opened({"origin_m": np.array([2.0, 0, 0])}).origin_m.tolist()
    ([0.0, 0.0, 0.0], [2.0, 0.0, 0.0])
    """

    @property
    def numbers(self) -> dict[str, Array]:
        """Its numbers in SI, () or arrays, by their keys in files. A limit that is not there, which is infinite, is none."""
        found = {name: np.asarray(getattr(self, name), dtype=float) for name in self.number_fields()}
        return {name: array for name, array in found.items() if np.isfinite(array).all()}

    @classmethod
    def number_fields(cls) -> Iterable[str]:
        """Return the names of the fields that are numbers."""
        return [each.name for each in fields(cls) if each.metadata.get(NUMBER)]  # type: ignore[arg-type]

    def in_fields(self, values: Mapping[str, Array]) -> dict[str, Any]:
        """Return the fields that hold some numbers in SI, () or arrays, by their keys."""
        plain = {key: value if value.ndim else value.tolist() for key, value in values.items()}
        return {key: tuple(value) if isinstance(getattr(self, key, None), tuple) else value for key, value in plain.items()}

    def opened(self, values: Mapping[str, Array]) -> Self:
        """Return a copy with some numbers in SI, () or arrays, of any scalar; nothing is checked."""
        return opened(self, self.in_fields(values))

    def extremes(self, key: str, values: Array) -> tuple[Array, ...]:
        """Return values that it can have if it can have all those (n, ...) of many cases, in SI: the ends of ranges."""
        return values.min(axis=0), values.max(axis=0)

    def with_numbers(self, values: Mapping[str, Array]) -> Self:
        """Return a copy with other values in SI, () or arrays; raises as the class does.

        All else is the same to the last bit.
        """
        changed = self.in_fields(values)
        checked = replace(self, **changed)  # type: ignore[type-var]
        return opened(self, {name: getattr(checked, name) for name in changed})

    def said(self, key: str) -> Any:
        """Return what a key of its table says, in SI; None where none of its fields does."""
        return getattr(self, key, None)
