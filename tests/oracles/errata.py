"""Printed equations and their corrections: the corrected form holds to rounding, the printed form misses by a lot.

Where the text of a paper lacks minus signs, its print is read with a plus in the place of each. The formula is then
written once, as a function of the lost signs: all -1 is the corrected form, and any +1 must be noticed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

Form = Callable[[Any], Any]  # of a sample: whatever an equation is about
ROUNDING, A_LOT = 1e-12, 1e-4  # of the truth's largest entry


@dataclass(frozen=True, eq=False)
class Erratum:
    """One printed equation: what is true of a sample by other means, the right forms and the wrong ones, by name."""

    equation: str
    truth: Form
    corrected: Form
    printed: dict[str, Form] = field(default_factory=dict)
    ours: Form | None = None  # the project's own function, where it has one

    @property
    def right(self) -> list[Form]:
        return [self.corrected] if self.ours is None else [self.corrected, self.ours]


def lost_signs(equation: str, formula: Callable[..., Any], truth: Form, *, signs: int = 1, ours: Form | None = None) -> Erratum:
    """Return the erratum of `formula(sample, *signs)`, printed without its minus signs: without each one, without all."""

    def with_signs(s: np.ndarray) -> Form:
        return lambda sample: formula(sample, *s)

    minus = -np.ones(signs)
    printed = {f"sign {i + 1}": with_signs(np.where(np.arange(signs) == i, 1.0, minus)) for i in range(signs)}
    if signs > 1:
        printed["all signs"] = with_signs(-minus)
    return Erratum(equation, truth, with_signs(minus), printed, ours)


def miss(form: Form, erratum: Erratum, sample: Any) -> float:
    """Return by how much a form is off, relative to the truth's largest entry; another shape is off by any amount."""
    truth, value = np.asarray(erratum.truth(sample)), np.asarray(form(sample))
    return float(abs(value - truth).max() / abs(truth).max()) if value.shape == truth.shape else np.inf


def each(errata: list[Erratum]) -> list[Any]:
    """Return one test parameter per equation."""
    return [pytest.param(erratum, id=f"eq {erratum.equation}") for erratum in errata]


def each_print(errata: list[Erratum]) -> list[Any]:
    """Return one test parameter per printed form."""
    return [pytest.param(e, form, id=f"eq {e.equation}, {name}") for e in errata for name, form in e.printed.items()]
