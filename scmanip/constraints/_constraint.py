"""What every constraint is and answers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from ..actuators import Declared, Flaw, Name
from ..spatial import Array
from ._quantities import Flag, referred
from ._rows import Rows
from ._seen import SeenSystem, Structure
from ._surroundings import Surroundings


@dataclass(frozen=True, eq=False)
class Constraint(Declared, ABC):
    """A constraint on the motion of a system that can be imposed and released; a frozen dataclass, one class per kind.

    name : unique among the constraints
    active : whether runs start with it; a `Model` does not look at it

    kind : the `type` of its tables in system files
    holonomic : whether its rows have a position form in every system

    In SI throughout: multipliers and what it applies are in the units that `units` says.

    >>> from dataclasses import dataclass
    >>> from scmanip.dynamics import Stack
    >>> @dataclass(frozen=True, eq=False, repr=False)
    ... class Level(Constraint):  # the base does not climb
    ...     kind = "level"
    ...
    ...     def labels(self, structure):
    ...         return ("height",)
    ...
    ...     def rows(self, seen, kept, t):
    ...         return Rows(np.array([[float(name == "v_0.z") for name in seen.speeds]]), np.zeros(1), np.zeros(1))
    >>> Stack.of(system, [Level("deck")]).labels
    ('deck.height',)
    """

    kind: ClassVar[str]
    holonomic: ClassVar[bool] = True

    name: Name
    active: Flag = field(default=False, kw_only=True)

    @abstractmethod
    def labels(self, structure: Structure) -> tuple[str, ...]:
        """Return what its rows (k) are called."""

    def units(self, structure: Structure) -> tuple[str, ...]:
        """Return the units (k) of what it applies, "N" or "N m"; forces if a kind does not say."""
        return ("N",) * len(self.labels(structure))

    @abstractmethod
    def rows(self, seen: SeenSystem, kept: Array, t: Any) -> Rows:
        """Return its rows at a state, over any scalar; kept : (kept,) what was found when it was imposed; t : time [s]."""

    def kept(self, structure: Structure) -> int:
        """Return how many numbers are kept as they are found when it is imposed."""
        return 0

    def found(self, seen: SeenSystem, t: float) -> Array:
        """Return these numbers (kept,), of floats; t : the time [s] at which it is imposed."""
        return np.zeros(0)

    def corners(self, kept: Array) -> tuple[float, ...]:
        """Return the times [s] at which the form of its rows changes; kept : these numbers (kept,)."""
        return ()

    @property
    def drives(self) -> bool:
        """Whether its rows have a speed, so that it does work."""
        return False

    def unmet(self, seen: SeenSystem) -> Iterator[Flaw]:
        """Yield what is too far from its place for it to be imposed, of floats."""
        yield from ()

    @property
    def joins(self) -> tuple[str, str] | None:
        """The two frames whose bodies it makes one; None of what leaves them a freedom."""
        return None

    def slips(self, structure: Structure) -> tuple[float, ...]:
        """Return per row the size of its multiplier [N or N m] beyond which it slips, dragging on; infinite where it holds.

        What slips gives no impulse in zero time. Each row holds or slips alone.
        """
        return (np.inf,) * len(self.labels(structure))

    @property
    def pushes(self) -> bool:
        """Whether it has one row, which only pushes: where its multiplier would be negative it lets go."""
        return False

    def row_names(self, structure: Structure) -> tuple[str, ...]:
        """Return what its rows are called where they hold or slip alone: as itself where it has one."""
        labels = self.labels(structure)
        return (self.name,) if len(labels) == 1 else tuple(f"{self.name}.{label}" for label in labels)

    def apart(self, structure: Structure) -> bool:
        """Whether each of its rows has a position form whatever the others do."""
        return True

    def filled(self, values: Array, structure: Structure) -> Array:
        """Return values (k,) of its rows with zeros for the rows of the constraint of this name that are not its own."""
        return values

    def forces(self, seen: SeenSystem, multipliers: Array) -> Array:
        """Return what it applies (k,) [N or N m], from the multipliers (k,) of its rows."""
        return multipliers

    def given_along(self, kept: Array, multipliers: Array) -> Array:
        """Return multipliers (k,) [N or N m] with what it gives along its rows beside them."""
        return multipliers

    def opened_in(self, known: Mapping[str, Constraint]) -> Constraint:
        """Return it as it is among the constraints of an opened system, by their names; itself where it is none of these."""
        own = known.get(self.name, self)
        return own if own.kind == self.kind else self

    @classmethod
    def mounting(cls, said: Mapping[str, Any], around: Surroundings) -> Iterator[Flaw]:
        """Yield what keeps it from its place in a system, unknown names aside; said : its keys that are said, unchecked."""
        del said, around
        yield from ()

    @property
    def refers(self) -> tuple[str, ...]:
        """Names of all frames, joints and speeds that it refers to."""
        keys, given = self.keys(), self.given()
        return tuple(name for key in given if keys[key].quantity.refers for name in referred(given[key]))

    @property
    def joined(self) -> tuple[str, ...]:
        """Names of the frames that it refers to."""
        keys, given = self.keys(), self.given()
        return tuple(name for key in given if keys[key].quantity.refers == "frame" for name in referred(given[key]))

    @property
    def plane(self) -> tuple[str, Array] | None:
        """The frame of a plane along which it keeps a body, and the unit normal (3,) in axes of that frame; None without."""
        return None

    def above_plane(self, C: Array) -> float:
        """Return how far above that plane frame `on` is [m]; C : (3, 3) its axes, columns, in those of the plane's frame."""
        del C
        return 0.0

    @property
    def on(self) -> str:
        """The frame on whose body its forces are told, of one between frames the last that it names; "" of any other."""
        return self.joined[-1] if self.joined else ""

    @property
    def label(self) -> str:
        """What it is and its name, as problems show them."""
        return f"constraint {self.name!r}"

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r})"
