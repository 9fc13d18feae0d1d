"""What a mission is built of, when that is not what its file says by itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ...dynamics import Model
from ...errors import checked
from ...system import System
from ..values._source import Source


@checked
@dataclass(frozen=True, eq=False)
class Hardware:
    """A system, and how models are made of systems.

    source : the system, in place of the one that the mission names
    compiled : makes a model of a system
    believes : makes the model of what controllers believe in; None: `compiled` does
    believed : what controllers believe in that name no estimate of their own, None for the system that flies

    >>> hardware = Hardware(mission.source, scmanip.compile_model)
    >>> hardware.source.given, hardware.believed
    ('model:planar_four_link', None)
    """

    source: Source
    compiled: Callable[[System], Model]
    believed: Source | None = None
    believes: Callable[[System], Model] | None = None

    @property
    def believed_model(self) -> Model | None:
        """The model of what is believed in."""
        return None if self.believed is None else (self.believes or self.compiled)(self.believed.system)
