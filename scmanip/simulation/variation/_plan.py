"""How the law and the reference of a run change with where it begins, where they follow from that."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias

import numpy as np

from ...control import Controller, Sampled
from ...errors import InvalidInput, Problem, refuse
from ...guidance import ReferenceMotion, numbers_at
from ...spatial import Array
from ...system import State
from ..equations._pair import LawAndReference
from ..loop._setup import Setup
from ._beginning import STENCIL, distance
from ._law_numbers import law_numbers
from ._moment import Moment

Beginning: TypeAlias = tuple[Controller, ReferenceMotion]
Nearby: TypeAlias = tuple[float, Beginning, Beginning]
REFERENCE = "reference"
CLOSE = 1e-12  # [s]


@dataclass(frozen=True, eq=False)
class VariationPlan:
    """What a run does because of where the one before it ended.

    moment : where it begins
    home, home_rows : (n_q,), (k, n_q) where the reference before left the joints, and how that changes
    """

    setup: Setup
    moment: Moment
    home: Array
    home_rows: Array

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the inputs of programs that change."""
        moves = any(more[1] is not less[1] for row in self._rows for _, more, less in row)
        return (*self.law, *([REFERENCE] if moves else []))

    @cached_property
    def law(self) -> Mapping[str, Array]:
        """How those numbers of the law change that do, (k, ...) each."""
        found: dict[str, list[Array]] = {}
        for row in self._rows:
            pairs = [(weight, self._numbers(more[0]), self._numbers(less[0])) for weight, more, less in row]
            for name in pairs[0][1]:
                found.setdefault(name, []).append(np.asarray(sum(w * (more[name] - less[name]) for w, more, less in pairs)))
        return {name: np.array(rates) for name, rates in found.items() if np.any(rates)}

    def reference(self, t: float) -> Array:
        """Return how the numbers of the reference change (k, m) in the stretch that `t` [s] lies in."""
        return np.array(
            [sum(w * (numbers_at(more[1], t) - numbers_at(less[1], t)) for w, more, less in row) for row in self._rows]
        )

    @cached_property
    def _rows(self) -> list[list[Nearby]]:
        """Per direction weights, and law and reference of runs that begin a little further along it and less far."""
        rows = []
        for row, home in zip(self.moment.rows, self.home_rows, strict=True):
            h = distance(row, home)
            rows.append([(weight / h, self._begun(k * h, row, home), self._begun(-k * h, row, home)) for k, weight in STENCIL])
        self._check([one[1] for row in rows for _, *pair in row for one in pair])
        return rows

    def _begun(self, way: float, row: Array, home: Array) -> Beginning:
        """Return law and reference of the run that begins so far along a direction."""
        begun, layout = self.setup.sensitivities.begun, self.setup.model.layout
        assert begun is not None
        return begun(State.renormalised((self.moment.x + way * row)[: layout.n_x], layout), self.home + way * home)

    def _check(self, references: list[ReferenceMotion]) -> None:
        """Raise `InvalidInput` where corners move."""
        corners = np.array(self.setup.reference.corners_s if self.setup.reference else ())
        same = all(len(one.corners_s) == len(corners) and np.allclose(one.corners_s, corners, atol=CLOSE) for one in references)
        expected = "a reference whose corners stay, wherever its phase begins"
        refuse([] if same else [Problem("sensitivities", expected, repr(self.setup.reference))], InvalidInput)

    def _numbers(self, law: Controller) -> Mapping[str, Array]:
        setup, sampled = self.setup, law if isinstance(law, Sampled) else None
        form = None if setup.pair is None else setup.pair.form
        pair = LawAndReference.of(setup.plant, law, form, setup.integrator)
        return law_numbers(replace(setup, controller=law, sampled=sampled, pair=pair))
