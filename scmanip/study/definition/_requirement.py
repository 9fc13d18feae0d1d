"""What a metric must keep to."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...channels import conversion, plain_unit, unit_of
from ...errors import Problem, expect, refuse
from ...spatial import Array, is_number
from ..rows._checks import share_problems


@dataclass(frozen=True, kw_only=True)
class Requirement:
    """A limit on a metric: `Requirement(metric="base_rotation_deg", max=5.0, unit="deg")`.

    min, max : lowest and highest allowed value, at least one of them, in `unit`
    unit : must be that of the metric; "1" for a plain number; "rad/s" is taken as "rad_s"
    probability, confidence : that the limit is kept, and with which confidence runs have to show it; None: in every case
    Raises `InvalidInput` with all that is wrong.

    >>> turn = Requirement(metric="base_rotation_deg", max=5.0, unit="deg", probability=0.99)
    >>> turn.allowed, turn.margin(np.array([4.0, 6.5])).tolist()
    ((-inf, 5.0), [1.0, -1.5])
    """

    metric: str
    unit: str | None = None
    min: float | None = None
    max: float | None = None
    probability: float | None = None
    confidence: float = 0.9

    def __post_init__(self) -> None:
        expect("metric", self.metric, str, "the name of a metric")
        chance = {"confidence": self.confidence} | ({} if self.probability is None else {"probability": self.probability})
        problems = [*self._bound_problems(), *self._unit_problems(), *share_problems(**chance)]
        refuse(problems)
        object.__setattr__(self, "unit", plain_unit(str(self.unit)))
        for name in ("min", "max"):
            value = getattr(self, name)
            object.__setattr__(self, name, None if value is None else float(value))

    @property
    def allowed(self) -> tuple[float, float]:
        """The lowest and the highest allowed value, in the unit of the metric; infinite where there is no limit."""
        return (-math.inf if self.min is None else self.min, math.inf if self.max is None else self.max)

    @property
    def table(self) -> dict[str, Any]:
        """What a study file says of it."""
        bounds = {name: value for name, value in (("min", self.min), ("max", self.max)) if value is not None}
        chance = {} if self.probability is None else {"probability": self.probability, "confidence": self.confidence}
        return {**bounds, "unit": self.unit, **chance}

    def margin(self, values: Array) -> Array:
        """Return by how much the values (cases,) keep it, negative where they do not, in `unit`."""
        low, high = self.allowed
        return np.minimum(values - low, high - values)

    def _bound_problems(self) -> list[Problem]:
        given = {name: value for name, value in (("min", self.min), ("max", self.max)) if value is not None}
        if not given:
            return [Problem(self.metric, "max, min or both", "neither")]
        wrong = [Problem(name, "a finite number", repr(value)) for name, value in given.items() if not is_number(value)]
        if len(given) == 2 and not wrong and not given["min"] <= given["max"]:
            return [Problem("min", f"a number up to max = {self.max:g}", f"{self.min:g}")]
        return wrong

    def _unit_problems(self) -> list[Problem]:
        wanted = unit_of(self.metric)
        if wanted is None:
            return []  # no metric has such a name, and that is said elsewhere
        hint = f'unit = "{wanted}"'
        if self.unit is None:
            return [Problem("unit", f"{wanted!r}, the unit of {self.metric}", "nothing", hint=f"write {hint}")]
        found = plain_unit(str(self.unit))
        if found == wanted:
            return []
        change = "give the limit in the metric's unit" if not conversion(found, wanted) else f"convert the limit to {wanted}"
        return [Problem("unit", f"{wanted!r}, the unit of {self.metric}", repr(self.unit), hint=change)]
