"""The series of a run, as a table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from ..cells import html_table
from ..errors import InvalidInput, Problem
from ._channel import Channel
from ._dimension import Dimensions

_TIME = "t"


class Metered(NamedTuple):
    """A channel as metrics have it.

    shape : of one sample; places : of the entries in its last dimension that have the unit of the metric, None for all

    >>> metered = history.channels.metered["base_position_m"]
    >>> metered.channel.name, metered.shape, metered.places
    ('r_0', (3,), None)
    """

    channel: Channel
    shape: tuple[int, ...]
    places: list[int] | None


class Channels(Mapping[str, Channel]):
    """The channels that a run has by name, in order, and their dimensions.

    declared : all of them, those of hardware that the run does not have among them

    Raises `InvalidInput` where two have one name.

    >>> channels = history.channels
    >>> channels.unit("v_0"), channels.shape("q"), "wheel_rad_s" in channels  # this run has no wheels
    ('m/s', (4,), False)
    """

    def __init__(self, declared: Iterable[Channel], dimensions: Dimensions) -> None:
        """Take those that exist; raises `InvalidInput` where two have one name."""
        known: dict[str, Channel] = {}
        for channel in declared:
            if known.setdefault(channel.name, channel) is not channel:
                raise InvalidInput(Problem("channels", "names that differ", f"'{channel.name}' twice"))
        self.declared = known
        self._known = {name: channel for name, channel in known.items() if channel.exists(dimensions)}
        self.dimensions = dict(dimensions)

    def __getitem__(self, name: str) -> Channel:
        return self._known[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)

    @property
    def totals(self) -> dict[str, list[Channel]]:
        """What adds up to each total that has parts."""
        totals: dict[str, list[Channel]] = {}
        for channel in self._known.values():
            if channel.part_of:
                totals.setdefault(channel.part_of, []).append(channel)
        return totals

    @property
    def groups(self) -> dict[str, tuple[str, ...]]:
        """Names of series that are along the same first dimension, such as "joints", and those of plain numbers, "scalars"."""
        found: dict[str, list[str]] = {}
        for name, channel in self._known.items():
            if name != _TIME:
                found.setdefault(channel.group(self.dimensions), []).append(name)
        return {group: tuple(names) for group, names in found.items()}

    @property
    def metered(self) -> dict[str, Metered]:
        """What metrics may be made of by name; of several with one name it is the first."""
        found: dict[str, Metered] = {}
        for channel in self._known.values():
            for metric, places in channel.metrics(self.dimensions):
                whole = channel.shape(self.dimensions)
                shape = whole if places is None else (*whole[:-1], len(places))
                if 0 not in shape:
                    found.setdefault(metric, Metered(channel, shape, places))
        return found

    def unit(self, name: str) -> str:
        """Return the unit of a channel; all of them where entries differ in theirs."""
        return self._known[name].units(self.dimensions)

    def shape(self, name: str) -> tuple[int, ...]:
        """Return the shape of one sample of a declared channel."""
        return self.declared[name].shape(self.dimensions)

    @property
    def _rows(self) -> list[tuple[str, str, str, str]]:
        return [(name, "x".join(map(str, self.shape(name))), self.unit(name), c.meaning) for name, c in self._known.items()]

    def _repr_html_(self) -> str:
        rows = [(*row, c.frame, str(c.kind)) for row, c in zip(self._rows, self._known.values(), strict=True)]
        return html_table(f"{len(rows)} series", ("name", "shape", "unit", "meaning", "frame", "kind"), rows)

    def __repr__(self) -> str:
        rows = self._rows
        widths = [max(map(len, column), default=0) for column in zip(*rows, strict=True)]
        return "\n".join("  ".join(f"{cell:{width}}" for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows)
