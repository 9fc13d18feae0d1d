"""One series of a run, described."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from ._dimension import WRENCH, XYZ, XYZW, Dimension, Dimensions
from ._units import PLAIN, plain_unit


class Nature(StrEnum):
    """What a series is: a part of the state, its rate, a total since the start of a phase, or what follows from them.

    Totals run on where phases follow one another.

    >>> [name for name, channel in history.channels.items() if channel.kind is Nature.STATE]
    ['q', 'qdot', 'r_0', 'attitude_xyzw', 'v_0', 'omega_0']
    """

    STATE = "state"
    RATE = "rate"
    INTEGRAL = "integral"
    OUTPUT = "output"


@dataclass(frozen=True)
class Portion:
    """Entries of a series that have a unit in common: those whose own unit, in the last dimension, is `own`.

    unit : of the series there, as "N m s"
    metric : name of these entries in metrics, to which the unit is added; None where they are in none

    >>> tau = history.channels["tau"]
    >>> [(portion.own, portion.unit) for portion in tau.unit]
    [('rad', 'N m'), ('m', 'N')]
    """

    own: str
    unit: str
    metric: str | None = None


@dataclass(frozen=True)
class Channel:
    """A series of a run: numbers at every time, in SI.

    name : as an attribute of a `History` and as a variable of run.nc
    axes : names of its dimensions after time, parted by blanks; it exists where a run has all of them
    unit : of all entries, or of each portion of them
    meaning : a phrase
    kind : whether it is a state, a rate, an integral since the start, or an output
    part_of : name of the total to which it adds up with others
    metric : its name in metrics, to which the unit is added; its own name where nothing is said, None where it is in none
    free_base : whether it tells of a base that can move, so that nothing is measured of it where the base is held
    gaps : whether it is NaN at times that have none of it

    >>> qdot = history.channels["qdot"]
    >>> qdot.axes, qdot.kind.value, qdot.meaning
    ('freedom', 'state', 'joint rates')
    >>> history.channels["v_0"].frame, history.channels["v_0"].unit
    ('N', 'm/s')
    """

    name: str
    axes: str
    unit: str | tuple[Portion, ...]
    meaning: str
    kind: Nature = Nature.OUTPUT
    part_of: str = ""
    metric: str | None = ""
    free_base: bool = False
    gaps: bool = False

    @property
    def frame(self) -> str:
        """The frame of its components: "N", inertial; "" where they are along no axes."""
        return "N" if {XYZ.name, XYZW.name, WRENCH.name} & {*self.axes.split()} else ""

    def exists(self, dimensions: Dimensions) -> bool:
        """Whether a run with these dimensions has it."""
        return dimensions.keys() >= {*self.axes.split()}

    def shape(self, dimensions: Dimensions) -> tuple[int, ...]:
        """Return the shape of one sample; dimensions that a run does not have are empty."""
        return tuple(len(dimensions[axis].labels) if axis in dimensions else 0 for axis in self.axes.split())

    def units(self, dimensions: Dimensions) -> str:
        """Return the unit, or those of all portions that a run has, in the order of its entries."""
        if isinstance(self.unit, str):
            return self.unit
        last, by_own = self._last(dimensions), {portion.own: portion.unit for portion in self.unit}
        return last.between.join(dict.fromkeys(by_own[own] for own in last.units)) or self.unit[0].unit

    def parts(self, dimensions: Dimensions) -> Iterator[tuple[str, list[int] | None]]:
        """Yield each unit, with the places in the last dimension that have it; None: all."""
        if isinstance(self.unit, str):
            yield self.unit, None
        yield from ((portion.unit, places) for portion, places in self._portions(dimensions))

    def group(self, dimensions: Dimensions) -> str:
        """Return what it is called together with others: the group of its first dimension, "scalars" without any."""
        return dimensions[self.axes.split()[0]].group if self.axes else "scalars"

    def metrics(self, dimensions: Dimensions) -> Iterator[tuple[str, list[int] | None]]:
        """Yield the names in metrics, each with the places in the last dimension that it means; None: all."""
        if isinstance(self.unit, str):
            if self.metric is not None:
                yield with_unit(self.metric or self.name, self.unit), None
            return
        for portion, places in self._portions(dimensions):
            if portion.metric is not None:
                yield with_unit(portion.metric, portion.unit), places

    def _portions(self, dimensions: Dimensions) -> Iterator[tuple[Portion, list[int]]]:
        """Yield the portions that a run has, each with its places in the last dimension."""
        for portion in () if isinstance(self.unit, str) else self.unit:
            if places := [place for place, unit in enumerate(self._last(dimensions).units) if unit == portion.own]:
                yield portion, places

    def _last(self, dimensions: Dimensions) -> Dimension:
        return dimensions[self.axes.split()[-1]]


def with_unit(name: str, unit: str) -> str:
    """Return a name that ends in its unit: "wheel_torque" and "N m" as "wheel_torque_Nm"; plain numbers have none.

    >>> with_unit("wheel_torque", "N m"), with_unit("count", "1")
    ('wheel_torque_Nm', 'count')
    """
    end = "" if unit == PLAIN else f"_{plain_unit(unit)}"
    return name if name.endswith(end) else name + end
