"""Cases that share equations, references and actuators: one mission, flown with the numbers of each."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property

from pydantic import ValidationError

from ...mission import Mission
from ..variation._documents import Documents
from ..variation._target import Target
from ..variation._variation import Values, Variation
from ._flight import GroupFlight
from ._models import Shelf
from ._numbers import Numbers, Quick, numbers_of
from ._steps import Steps


@dataclass(frozen=True, eq=False)
class Group:
    """A mission with the structural values of some cases set.

    documents, targets : its files, and what paths are there
    """

    variation: Variation
    mission: Mission
    documents: Documents
    targets: Mapping[str, Target]
    shelf: Shelf

    @classmethod
    def of(cls, variation: Variation, values: Values, design: Values, shelf: Shelf) -> Group:
        """Return the group of a case."""
        shared, chosen = variation.structural(values), variation.structural(design)
        documents = variation.files(shared, chosen)
        return cls(variation, documents.built(*shelf.makers), documents, variation.base(shared)[1], shelf)

    def numbers(self, values: Values, design: Values) -> Numbers:
        """Return the numbers of a case; raises `InvalidInput` for those that no hardware can have."""
        if self._quick.serves(design):
            with suppress(ValidationError):  # which is told below, as of a file
                return self._quick.numbers(values, design)
        documents = self.variation.files(values, design)
        return numbers_of(documents.built(*self.shelf.makers), documents)

    @cached_property
    def _quick(self) -> Quick:
        return Quick(self.mission, self.documents, self.targets, self.variation.opened)

    @property
    def nominal(self) -> Numbers:
        """Numbers without what is dispersed."""
        return self._quick.nominal

    def block(self, numbers: list[Numbers], steps: Steps) -> GroupFlight:
        """Return cases flown together, behind the nominal one where something is chosen in the first of all."""
        lasting = {int(target.at[1]) for target in self.targets.values() if target.lasts}
        first = (self.nominal,) if self.mission.constraints or lasting else ()
        return GroupFlight(self.mission, numbers, steps, first=first, lasting=lasting)
